package renderer

import (
	"fmt"
	"math"

	"darkroom/composer"
	"darkroom/material/texture"
	"darkroom/renderer/internal/gpu"
	"darkroom/scenes"
)

// checkGraph refuses a frame graph without tasks, one with a nil task, and one
// that looks through two cameras of one name, which no message could tell apart.
func checkGraph(s *scenes.Scene, tasks []scenes.Task) error {
	if len(tasks) == 0 {
		return fmt.Errorf("the frame graph is empty; leave Graph nil for the default pass")
	}
	named := map[string]*scenes.Camera{}
	camera := func(c *scenes.Camera) error {
		if c == nil || c.Name == "" {
			return nil
		}
		if other := named[c.Name]; other != nil && other != c {
			return fmt.Errorf("camera %s: two cameras have this name; rename one", c.Name)
		}
		named[c.Name] = c
		return nil
	}
	if err := camera(s.Camera); err != nil {
		return err
	}
	for i, t := range tasks {
		var c *scenes.Camera
		switch t := t.(type) {
		case nil:
			return fmt.Errorf("task %d of the frame graph is nil", i)
		case *scenes.ScenePass:
			c = t.Camera
		case *scenes.EffectPass:
			c = t.Camera
		}
		if err := camera(c); err != nil {
			return fmt.Errorf("pass %s: %w", t.Label(), err)
		}
	}
	return nil
}

// flow follows the render targets through a frame, so that a task that reads
// what nothing wrote is an error and no picture of chance.
type flow struct {
	written map[*texture.Texture]bool
	awaited []*texture.Texture // kept targets that were read ahead of what writes them
}

func (f *flow) reset() {
	if f.written == nil {
		f.written = map[*texture.Texture]bool{}
	}
	clear(f.written)
	f.awaited = f.awaited[:0]
}

// read reports an error if t is a target without content.
func (f *flow) read(t *texture.Texture) error {
	target, ok := t.Source.(*texture.Target)
	switch {
	case !ok || f.written[t]:
	case target.Persistent:
		f.awaited = append(f.awaited, t)
	default:
		return fmt.Errorf("texture %s is a render target that no earlier task of the frame wrote; move the task that draws it ahead, or make the target Persistent to read the frame before", t.Name)
	}
	return nil
}

// load checks that what a pass does not clear has content.
func (f *flow) load(a *scenes.Attachments) error {
	for _, t := range a.Color {
		if a.LoadColor && t != nil {
			if err := f.read(t); err != nil {
				return fmt.Errorf("the pass does not clear its target: %w", err)
			}
		}
	}
	if a.LoadDepth && a.Depth != nil {
		if err := f.read(a.Depth); err != nil {
			return fmt.Errorf("the pass does not clear its depth: %w", err)
		}
	}
	return nil
}

// wrote marks what a pass drew into.
func (f *flow) wrote(a *scenes.Attachments) {
	for _, t := range a.Color {
		f.written[t] = true
	}
	f.written[a.Depth] = true
}

// end checks that what was read of the frame before is written in this one.
func (f *flow) end() error {
	for _, t := range f.awaited {
		if !f.written[t] {
			return fmt.Errorf("texture %s: its target is Persistent and a task reads it, but no task writes it", t.Name)
		}
	}
	return nil
}

type transientKey struct {
	width, height, samples int
	format                 composer.TextureFormat
	location               int // of the colour target: those of one pass are apart
}

// transient is an attachment that no material samples: multisampled colour, depth.
type transient struct {
	tex   *gpu.Texture
	view  *gpu.View
	group *gpu.BindGroup // what resolve reads; nil where the device resolves
}

func (t *transient) release() {
	if t.group != nil {
		t.group.Release()
	}
	t.view.Release()
	t.tex.Release()
}

func (x *Session) transient(k transientKey) (*transient, error) {
	if t := x.transients[k]; t != nil {
		return t, nil
	}
	usage := gpu.TextureTarget
	if k.samples > 1 && x.r.resolveIn(k.format) {
		usage |= gpu.TextureSampled
	}
	tex, err := x.r.dev.CreateTexture(gpu.TextureDesc{Label: "transient " + string(k.format), Width: k.width, Height: k.height, Samples: k.samples, Format: k.format, Usage: usage})
	if err != nil {
		return nil, err
	}
	view, err := x.r.dev.CreateView(tex, gpu.ViewDesc{})
	if err != nil {
		tex.Release()
		return nil, err
	}
	t := &transient{tex: tex, view: view}
	x.transients[k] = t
	return t, nil
}

// attachments is what a pass draws into, resolved to GPU objects.
type attachments struct {
	desc          gpu.RenderPassDesc
	width, height int
	samples       int
	targets       []composer.ColorTarget
	depth         composer.TextureFormat // empty: none
	text          string                 // formats and samples, as pipelines see them
	resolves      []resolve              // what the device does not resolve
}

func (x *Session) attach(label string, a *scenes.Attachments, reverse bool) (*attachments, error) {
	out := &attachments{desc: gpu.RenderPassDesc{Label: label}, samples: a.Samples}
	clear := x.scene.Clear
	if a.Clear != nil {
		clear = *a.Clear
	}
	if a.Color == nil {
		out.width, out.height = x.set.Width, x.set.Height
		if out.samples == 0 {
			out.samples = x.samples
		}
		if err := out.addColor(x, x.canvasView, x.set.Format, clear, a.LoadColor); err != nil {
			return nil, err
		}
	}
	for i, t := range a.Color {
		if t == nil {
			out.targets = append(out.targets, composer.ColorTarget{})
			out.desc.Color = append(out.desc.Color, gpu.ColorAttachment{})
			continue
		}
		g, err := x.texture(t)
		if err != nil {
			return nil, err
		}
		tgt, ok := t.Source.(*texture.Target)
		if !ok {
			return nil, fmt.Errorf("colour target %d: texture %s is not a render target; its Source must be a *texture.Target", i, t.Name)
		}
		var vd gpu.ViewDesc
		if i < len(a.Views) {
			v := a.Views[i]
			vd = gpu.ViewDesc{BaseMip: v.BaseMip, BaseLayer: v.BaseLayer}
		}
		vd.Mips, vd.Layers, vd.Dimension = 1, 1, composer.View2D
		view, err := g.view(x.r.dev, vd)
		if err != nil {
			return nil, err
		}
		w, h := max(1, g.width>>vd.BaseMip), max(1, g.height>>vd.BaseMip)
		if out.width != 0 && (w != out.width || h != out.height) {
			return nil, fmt.Errorf("colour target %d: texture %s is %dx%d, but the first target is %dx%d", i, t.Name, w, h, out.width, out.height)
		}
		out.width, out.height = w, h
		if out.samples == 0 {
			out.samples = max(1, tgt.Samples)
		}
		own := clear
		if i < len(a.Clears) && a.Clears[i] != nil {
			own = *a.Clears[i]
		}
		if err := out.addColor(x, view, t.GPUFormat(), own, a.LoadColor); err != nil {
			return nil, err
		}
	}
	far := float32(1)
	if reverse {
		far = 0
	}
	switch {
	case a.Depth != nil:
		g, err := x.texture(a.Depth)
		if err != nil {
			return nil, err
		}
		if !a.Depth.GPUFormat().IsDepth() {
			return nil, fmt.Errorf("depth target: texture %s has format %s, which holds no depth", a.Depth.Name, a.Depth.GPUFormat())
		}
		vd := gpu.ViewDesc{BaseLayer: a.DepthView.BaseLayer, BaseMip: a.DepthView.BaseMip, Mips: 1, Layers: 1, Dimension: composer.View2D}
		view, err := g.view(x.r.dev, vd)
		if err != nil {
			return nil, err
		}
		if out.width == 0 {
			out.width, out.height = g.width, g.height
		}
		if out.samples == 0 {
			out.samples = 1
		}
		out.depth = a.Depth.GPUFormat()
		out.setDepth(view, far, a.LoadDepth)
	case !a.NoDepth:
		if out.width == 0 {
			return nil, fmt.Errorf("the pass has neither a colour nor a depth target")
		}
		t, err := x.transient(transientKey{width: out.width, height: out.height, samples: out.samples, format: composer.Depth24PlusStencil8})
		if err != nil {
			return nil, err
		}
		out.depth = composer.Depth24PlusStencil8
		out.setDepth(t.view, far, a.LoadDepth)
	}
	out.describe()
	return out, nil
}

// describe spells what pipelines depend on.
func (o *attachments) describe() {
	o.text = fmt.Sprint(o.samples, o.depth)
	for _, t := range o.targets {
		o.text += " " + string(t.Format)
	}
}

func (o *attachments) setDepth(view *gpu.View, far float32, load bool) {
	d := &gpu.DepthAttachment{View: view}
	if !load {
		d.ClearDepth = &far
	}
	if o.depth.HasStencil() && !load {
		d.ClearStencil = new(uint32)
	}
	o.desc.Depth = d
}

func (o *attachments) addColor(x *Session, view *gpu.View, format composer.TextureFormat, clear [4]float64, load bool) error {
	a := gpu.ColorAttachment{View: view}
	if !load {
		c := quantize(clear, format)
		a.Clear = &c
	}
	if o.samples > 1 {
		t, err := x.transient(transientKey{o.width, o.height, o.samples, format, len(o.desc.Color)})
		if err != nil {
			return err
		}
		a.View = t.view
		if x.r.resolveIn(format) {
			o.resolves = append(o.resolves, resolve{t, view, format})
		} else {
			a.Resolve = view
		}
	}
	o.desc.Color = append(o.desc.Color, a)
	o.targets = append(o.targets, composer.ColorTarget{Format: format})
	return nil
}

func (x *Session) copyPass(enc *gpu.Encoder, p *scenes.CopyPass) error {
	if p.From == nil || p.To == nil {
		return fmt.Errorf("a copy needs two textures")
	}
	if err := x.flow.read(p.From); err != nil {
		return err
	}
	from, err := x.texture(p.From)
	if err != nil {
		return err
	}
	to, err := x.texture(p.To)
	if err != nil {
		return err
	}
	if from.width != to.width || from.height != to.height || p.From.GPUFormat() != p.To.GPUFormat() {
		return fmt.Errorf("copy from %s (%dx%d %s) to %s (%dx%d %s): size and format must agree",
			p.From.Name, from.width, from.height, p.From.GPUFormat(), p.To.Name, to.width, to.height, p.To.GPUFormat())
	}
	return enc.CopyTexture(from.tex, to.tex)
}

// quantize rounds a clear colour to the steps of an 8-bit format. Drivers
// round halves differently (0.3 is 76.5 steps: llvmpipe clears to 76, others
// to 77), so they are given a colour that needs no rounding.
func quantize(c [4]float64, f composer.TextureFormat) [4]float64 {
	if f != composer.RGBA8Unorm && f != composer.BGRA8Unorm {
		return c
	}
	for i, v := range c {
		c[i] = math.Ceil(math.Min(1, math.Max(0, float64(float32(v))))*255-0.5) / 255
	}
	return c
}
