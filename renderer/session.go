package renderer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
	"darkroom/renderer/internal/gpu"
	"darkroom/scenes"
	"darkroom/scenes/mesh"
)

// Session draws one scene, once or many times: it keeps the scene's textures,
// geometry and targets on the device between pictures.
type Session struct {
	r     *Renderer
	scene *scenes.Scene
	set   Settings

	samples    int
	canvas     *gpu.Texture
	canvasView *gpu.View

	geometries map[*mesh.Geometry]*geometry
	textures   map[*texture.Texture]*gpuTexture
	buffers    map[*material.Buffer]*gpuBuffer
	samplers   map[texture.Sampler]*gpu.Sampler
	transients map[transientKey]*transient
	shaders    map[shaderKey]*composer.Shader
	byKey      map[composer.Key]*composer.Shader
	used       map[use]*pipeline
	generation int // of the pipelines in used
	writers    map[*composer.Shader]*writer
	resources  *resources                // of the draw being prepared
	blocks     map[string]gpu.BindEntry  // likewise
	asked      map[material.Indirect]int // how often, in the pass being prepared
	arena      arena
	zeros      material.Buffer // what constant attributes read that nothing binds
	uploads    Uploads
	flow       flow
	motion     motion
	worlds     scenes.Worlds
	plans      map[scenes.Task]*plan
	// garbage is what the frame in flight still needs.
	garbage []interface{ Release() }
	frame   int
	time    float64
	drawn   int // pictures so far
}

// Session prepares to draw s.
func (r *Renderer) Session(s *scenes.Scene, set Settings) (*Session, error) {
	if s == nil {
		return nil, fmt.Errorf("no scene to draw")
	}
	if err := r.checkSize(&set); err != nil {
		return nil, fmt.Errorf("scene %s: %w", s.Name, err)
	}
	x := &Session{
		r: r, scene: s, set: set,
		samples:    set.Samples,
		geometries: map[*mesh.Geometry]*geometry{},
		textures:   map[*texture.Texture]*gpuTexture{},
		buffers:    map[*material.Buffer]*gpuBuffer{},
		samplers:   map[texture.Sampler]*gpu.Sampler{},
		transients: map[transientKey]*transient{},
		shaders:    map[shaderKey]*composer.Shader{},
		byKey:      map[composer.Key]*composer.Shader{},
		used:       map[use]*pipeline{},
		writers:    map[*composer.Shader]*writer{},
		blocks:     map[string]gpu.BindEntry{},
		asked:      map[material.Indirect]int{},
		zeros:      material.Buffer{Name: "zeros", Data: make([]byte, 16)},
	}
	x.resources = newResources(&x.motion)
	if x.samples == 0 {
		x.samples = s.Samples
	}
	if x.samples == 0 {
		x.samples = 4
	}
	var err error
	x.canvas, err = r.dev.CreateTexture(gpu.TextureDesc{
		Label: "canvas", Width: set.Width, Height: set.Height, Format: set.Format,
		Usage: gpu.TextureTarget | gpu.TextureSampled | gpu.TextureCopySrc,
	})
	if err == nil {
		x.canvasView, err = r.dev.CreateView(x.canvas, gpu.ViewDesc{})
	}
	if err != nil {
		x.Close()
		return nil, fmt.Errorf("scene %s: canvas: %w", s.Name, err)
	}
	x.arena.init(r.dev)
	return x, nil
}

// Uploads counts the bytes that a session has sent to the device.
type Uploads struct {
	Uniforms uint64 // blocks that are written anew for each draw
	Buffers  uint64 // materials' and features' own buffers: what changed of them
	Textures uint64
}

// Uploads is what the session has sent so far, geometry not counted.
func (x *Session) Uploads() Uploads {
	u := x.uploads
	u.Uniforms = x.arena.wrote
	return u
}

// Close releases what the session holds on the device.
func (x *Session) Close() {
	x.collect()
	for m, g := range x.geometries {
		if g.users--; g.users == 0 {
			g.release()
			delete(x.r.geometries, m)
		}
	}
	clear(x.geometries) // closing twice is harmless
	for _, t := range x.textures {
		t.release()
	}
	for _, b := range x.buffers {
		b.buf.Release()
	}
	for _, t := range x.transients {
		t.release()
	}
	for _, s := range x.samplers {
		s.Release()
	}
	x.arena.release()
	if x.canvasView != nil {
		x.canvasView.Release()
	}
	if x.canvas != nil {
		x.canvas.Release()
	}
}

func (x *Session) collect() {
	for i := len(x.garbage) - 1; i >= 0; i-- {
		x.garbage[i].Release()
	}
	x.garbage = x.garbage[:0]
}

// Draw draws the scene at t seconds, as many frames as the scene asks for,
// and reads the last one back.
func (x *Session) Draw(ctx context.Context, t float64) (*Frame, error) {
	n := max(1, x.scene.Frames)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("scene %s: %w", x.scene.Name, err)
		}
		x.frame, x.time = i, t+float64(i)*x.scene.Step
		if i == 0 || x.scene.Step != 0 {
			if err := x.scene.Seek(x.time); err != nil {
				return nil, err
			}
		}
		if err := x.update(); err != nil {
			return nil, err
		}
		x.motion.begin(x.time)
		if err := x.drawFrame(); err != nil {
			return nil, fmt.Errorf("scene %s: %w", x.scene.Name, err)
		}
	}
	x.forget()
	pix, err := x.r.dev.ReadTexture(x.canvas, 0, 0)
	if err != nil {
		return nil, fmt.Errorf("scene %s: reading the canvas: %w", x.scene.Name, err)
	}
	return &Frame{Width: x.set.Width, Height: x.set.Height, Format: x.set.Format, Pix: pix, Shaders: x.shaderDigest()}, nil
}

// shaderDigest is what Frame.Shaders holds.
func (x *Session) shaderDigest() string {
	keys := map[string]bool{}
	for _, s := range x.shaders {
		keys[string(s.Key[:])] = true
	}
	h := sha256.New()
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		h.Write([]byte(k))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// update runs the scene's updaters.
func (x *Session) update() error {
	for _, u := range x.scene.Updaters {
		if err := u.Update(x.scene, x.set.Width, x.set.Height); err != nil {
			return err
		}
	}
	return nil
}

// tasks is the frame graph: the scene's own, or the tasks before the main
// pass and the main pass.
func (x *Session) tasks() []scenes.Task {
	if x.scene.Graph != nil {
		return append(append([]scenes.Task(nil), x.scene.Before...), x.scene.Graph...)
	}
	return append(append([]scenes.Task(nil), x.scene.Before...), &scenes.ScenePass{Name: "main", Features: x.scene.Features, SceneColor: x.scene.SceneColor})
}

func (x *Session) drawFrame() error {
	tasks := x.tasks()
	if err := checkGraph(x.scene, tasks); err != nil {
		return err
	}
	if err := x.planFrame(tasks); err != nil {
		return err
	}
	x.flow.reset()
	for _, t := range tasks {
		if err := x.runTask(t); err != nil {
			return fmt.Errorf("pass %s: %w", t.Label(), err)
		}
		if x.set.Capture != nil {
			if err := x.capture(t); err != nil {
				return fmt.Errorf("pass %s: capture: %w", t.Label(), err)
			}
		}
	}
	return x.flow.end()
}

func (x *Session) runTask(t scenes.Task) error {
	x.arena.reset()
	defer x.collect()
	enc, err := x.r.dev.NewEncoder(t.Label())
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case *scenes.ScenePass:
		if err = x.flow.load(&t.Attachments); err == nil {
			err = x.scenePass(enc, t)
		}
		x.flow.wrote(&t.Attachments)
	case *scenes.EffectPass:
		if err = x.flow.load(&t.Attachments); err == nil {
			err = x.effectPass(enc, t)
		}
		x.flow.wrote(&t.Attachments)
	case *scenes.CopyPass:
		err = x.copyPass(enc, t)
		x.flow.written[t.To] = true
	case *scenes.ComputePass:
		err = x.computePass(enc, t)
	default:
		err = fmt.Errorf("the renderer does not know tasks of type %T", t)
	}
	if err != nil {
		enc.Release()
		return err
	}
	if err := x.arena.flush(); err != nil {
		enc.Release()
		return err
	}
	return enc.Submit()
}

// PassShader is a composed shader with the pass and the nodes that use it.
type PassShader struct {
	Pass   string
	Nodes  []string
	Shader *composer.Shader
}

// Shaders composes every shader of the scene at t seconds without drawing.
func (x *Session) Shaders(t float64) ([]PassShader, error) {
	x.time = t
	if err := x.scene.Seek(t); err != nil {
		return nil, err
	}
	if err := x.update(); err != nil {
		return nil, err
	}
	var out []PassShader
	add := func(pass, node string, s *composer.Shader) {
		for i := range out {
			if out[i].Pass == pass && out[i].Shader.Key == s.Key {
				out[i].Nodes = append(out[i].Nodes, node)
				return
			}
		}
		out = append(out, PassShader{pass, []string{node}, s})
	}
	for _, task := range x.tasks() {
		switch p := task.(type) {
		case *scenes.ScenePass:
			draws, _, err := x.collectDraws(p, &view{layers: ^uint32(0)})
			if err != nil {
				return nil, fmt.Errorf("scene %s: pass %s: %w", x.scene.Name, p.Name, err)
			}
			for _, d := range draws {
				add(p.Name, d.node.Name, d.shader)
			}
		case *scenes.EffectPass:
			sh, err := x.effectShader(p, x.effectContext(p))
			if err != nil {
				return nil, fmt.Errorf("scene %s: pass %s: %w", x.scene.Name, p.Name, err)
			}
			add(p.Name, p.Name, sh)
		}
	}
	return out, nil
}
