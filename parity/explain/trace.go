package explain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"darkroom/scenes/files"

	"darkroom/goldens/png"
	"darkroom/material/texture"
	"darkroom/renderer"
	"darkroom/scenes"
)

// Options of a trace.
type Options struct {
	Settings renderer.Settings // Capture is replaced
	// NoParts leaves out the parts of the shading.
	NoParts bool
}

// Capture draws a scene and keeps everything on the way in the folder dir, with
// trace.json. build makes the scene anew, for drawing changes it.
func Capture(ctx context.Context, r *renderer.Renderer, build func() (*scenes.Scene, error), side, dir string, o Options) (*Trace, error) {
	t, err := capture(ctx, r, build, side, dir, o)
	if err != nil && !o.NoParts && ctx.Err() == nil {
		// A material may not bear being taken apart (a stencil, an exotic template).
		why := err
		o.NoParts = true
		if t, err = capture(ctx, r, build, side, dir, o); err != nil {
			return nil, err
		}
		t.Notes = append(t.Notes, fmt.Sprintf("the shading could not be taken apart: %v", why))
	}
	if err != nil {
		return nil, err
	}
	return t, t.save()
}

func capture(ctx context.Context, r *renderer.Renderer, build func() (*scenes.Scene, error), side, dir string, o Options) (*Trace, error) {
	s, err := build()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("the folder for the trace cannot be made: %w; choose another", err)
	}
	t := &Trace{Version: traceVersion, Scene: s.Name, Side: side, dir: dir}
	for _, x := range inputs(s) {
		px := x.Source.(*texture.Pixels)
		st := Stage{Name: "input " + x.Name, Kind: Input, Target: x.Name, Width: px.Width, Height: px.Height, Format: string(x.GPUFormat())}
		if err := t.add(st, px.Levels...); err != nil {
			return nil, err
		}
	}
	part := map[string]string{}
	if !o.NoParts {
		// What the passes are is only known once the scene was moved to its time.
		if err := s.Seek(o.Settings.Time); err != nil {
			return nil, err
		}
		if s.Before, s.Graph, part, err = withParts(s); err != nil {
			return nil, err
		}
	}
	set := o.Settings
	set.Capture = func(c renderer.Captured) error {
		st := Stage{Name: c.Task + " → " + c.Target, Kind: Target, Task: c.Task, Target: c.Target, Width: c.Frame.Width, Height: c.Frame.Height, Format: string(c.Frame.Format)}
		if p := part[c.Task]; p != "" {
			st.Kind, st.Part = Part, p
			if c.Target == "depth" {
				st.Part = "depth"
			}
		}
		return t.add(st, c.Frame.Pix)
	}
	if _, err := r.Render(ctx, s, set); err != nil {
		return nil, err
	}
	return t, nil
}

// add appends a stage and writes its bytes.
func (t *Trace) add(s Stage, data ...[]byte) error {
	name := s.Name
	for n := 2; t.find(s.Name) != nil; n++ {
		s.Name = fmt.Sprintf("%s #%d", name, n) // a later frame, or another layer
	}
	h := sha256.New()
	for _, d := range data {
		h.Write(d)
	}
	s.Hash = hex.EncodeToString(h.Sum(nil))
	before := ""
	if len(t.Stages) > 0 {
		before = t.Stages[len(t.Stages)-1].Chain
	}
	sum := sha256.Sum256([]byte(before + s.Name + s.Format + fmt.Sprint(s.Width, s.Height) + s.Hash))
	s.Chain = hex.EncodeToString(sum[:])
	s.File = fmt.Sprintf("%03d.raw", len(t.Stages))
	if len(data) > 0 {
		if err := os.WriteFile(filepath.Join(t.dir, s.File), data[0], 0o644); err != nil {
			return err
		}
	}
	t.Stages = append(t.Stages, s)
	return nil
}

func (t *Trace) find(name string) *Stage {
	for i := range t.Stages {
		if t.Stages[i].Name == name {
			return &t.Stages[i]
		}
	}
	return nil
}

func (t *Trace) save() error {
	b, err := json.MarshalIndent(t, "", " ")
	if err != nil {
		return err
	}
	return files.Write(filepath.Join(t.dir, "trace.json"), append(b, '\n'))
}

// Load reads a trace that another program, such as another revision of this
// one, left in a folder.
func Load(dir string) (*Trace, error) {
	b, err := os.ReadFile(filepath.Join(dir, "trace.json"))
	if err != nil {
		return nil, err
	}
	t := &Trace{dir: dir}
	if err := json.Unmarshal(b, t); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "trace.json"), err)
	}
	if t.Version != traceVersion {
		return nil, fmt.Errorf("%s: trace version %d, want %d; draw that side again", dir, t.Version, traceVersion)
	}
	for _, s := range t.Stages {
		if s.File != filepath.Base(s.File) {
			return nil, fmt.Errorf("%s: stage %q names a file outside the trace", dir, s.Name)
		}
	}
	return t, nil
}

// Golden is the trace of a golden: nothing but the picture at the end.
func Golden(path, scene, dir string) (*Trace, error) {
	img, _, err := png.Read(path, png.Caps{})
	if err != nil {
		return nil, err
	}
	b := img.Bounds()
	flat := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	if n, ok := img.(*image.NRGBA); ok && n.Stride == 4*b.Dx() {
		flat = n
	} else {
		draw.Draw(flat, flat.Rect, img, b.Min, draw.Src)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	t := &Trace{Version: traceVersion, Scene: scene, Side: "golden " + path, dir: dir, Notes: []string{"a golden is the last picture alone: in which pass it was left cannot be told from it"}}
	if err := t.add(Stage{Name: "picture", Kind: Target, Target: "canvas", Width: b.Dx(), Height: b.Dy(), Format: "rgba8unorm"}, flat.Pix); err != nil {
		return nil, err
	}
	return t, t.save()
}

// inputs lists the textures with texels of their own, by name.
func inputs(s *scenes.Scene) []*texture.Texture {
	visited := map[uintptr]bool{}
	var out []*texture.Texture
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() || visited[v.Pointer()] {
				return
			}
			visited[v.Pointer()] = true
			if v.Type() == reflect.TypeFor[*texture.Texture]() {
				// Unexported fields cannot be read as interfaces, so go by the address.
				t := (*texture.Texture)(v.UnsafePointer())
				if _, ok := t.Source.(*texture.Pixels); ok {
					out = append(out, t)
				}
				return
			}
			walk(v.Elem())
		case reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice, reflect.Array:
			if k := v.Type().Elem().Kind(); k <= reflect.Complex128 || k == reflect.String {
				return
			}
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			for it := v.MapRange(); it.Next(); {
				walk(it.Value())
			}
		}
	}
	walk(reflect.ValueOf(s))
	slices.SortStableFunc(out, func(a, b *texture.Texture) int { return strings.Compare(a.Name, b.Name) })
	return out
}
