// Package viewer puts a glTF file on the stage on which a model viewer shows
// it: a camera that frames it, light, image processing and a background.
package viewer

import (
	"fmt"
	"math"

	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/scenes"
	"darkroom/scenes/gltf"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// Background values that are no colour.
const (
	BackgroundEnvironment = "env"
	BackgroundTransparent = "transparent"
)

// DefaultBackground is the reference engine's clear colour.
const DefaultBackground = "33334d"

// ToneMapOff as a Stage's ToneMapping asks for none, where the empty text
// leaves the choice to the stage.
const ToneMapOff = "off"

// Stage says how models are shown.
type Stage struct {
	// Environment is the image-based light. Without one, and without lights in
	// the file, a hemispheric light shines from above.
	Environment *material.Environment
	// Exposure and Contrast; zero means 1, with an environment 0.8 and 1.2, as
	// the reference engine's viewer has them.
	Exposure, Contrast float64
	// ToneMapping is off, standard, aces or neutral; empty means standard with
	// an environment, else off.
	ToneMapping string
	// Background is a colour as RRGGBB, or one of the constants; empty means
	// DefaultBackground.
	Background string
	// Blur of an environment as background, the roughness of what would mirror
	// it: 0 to 1.
	Blur float64
	// Animation is the number of the one to play, -1 for the rest pose. A file
	// without animations takes 0, too.
	Animation int
	// Variant is the material variant; empty: none.
	Variant string
	// Camera is the number of the file's camera; -1 frames the model.
	Camera int
	// Eye, where set, makes the camera instead.
	Eye func(a *gltf.Asset) *scenes.Camera
	// Dress, where set, is called while the model is all that the scene holds.
	Dress func(s *scenes.Scene) error
}

// Show loads the file at path and sets the stage about it. The asset is there
// also with an error that came after loading, for its warnings.
func (st *Stage) Show(path string) (*scenes.Scene, *gltf.Asset, error) {
	a, err := gltf.Load(path, gltf.Options{Variant: st.Variant})
	if err != nil {
		return nil, nil, err
	}
	s := scenes.New(a.Name)
	a.AddTo(s)
	if st.Dress != nil {
		if err := st.Dress(s); err != nil {
			return nil, a, err
		}
	}
	if st.Animation != 0 { // the first plays by itself, where there is one
		if err := a.Play(st.Animation); err != nil {
			return nil, a, err
		}
	}
	switch {
	case st.Eye != nil:
		s.Camera = st.Eye(a)
	case st.Camera >= len(a.Cameras):
		return nil, a, fmt.Errorf("%s has %d cameras, there is no camera %d", a.Name, len(a.Cameras), st.Camera)
	case st.Camera >= 0:
		s.Camera = a.Cameras[st.Camera]
	default:
		s.Camera = gltf.AutoFrame(a.Bounds)
		if orbit, ok := s.Camera.Rig.(*scenes.ArcRotate); ok {
			orbit.Alpha += math.Pi // a glTF model's front is +Z
		}
	}
	return s, a, st.light(s)
}

// light sets environment, image processing and background. The camera is there.
func (st *Stage) light(s *scenes.Scene) error {
	s.Environment = st.Environment
	ip := material.ImageProcessing{Exposure: st.Exposure, Contrast: st.Contrast, ToneMapping: material.ToneMapping(st.ToneMapping)}
	if st.Environment != nil {
		if ip.Exposure == 0 {
			ip.Exposure = 0.8
		}
		if ip.Contrast == 0 {
			ip.Contrast = 1.2
		}
		if st.ToneMapping == "" {
			ip.ToneMapping = material.ToneMapStandard
		}
	} else if len(s.Lights) == 0 && !hasLight(s) {
		s.AddLight(scenes.Hemispheric("default", linalg.Vec3{0, 1, 0}))
	}
	if st.ToneMapping == ToneMapOff {
		ip.ToneMapping = material.ToneMapOff
	}
	s.ImageProcessing = ip
	switch background := st.Background; background {
	case BackgroundTransparent:
		s.Clear = scenes.Color4{}
	case BackgroundEnvironment:
		if st.Environment == nil {
			return fmt.Errorf("a background that shows the environment needs one; name it with --env")
		}
		return addBackdrop(s, st.Blur)
	default:
		if background == "" {
			background = DefaultBackground
		}
		var err error
		s.Clear, err = color(background)
		return err
	}
	return nil
}

// color reads RRGGBB.
func color(text string) (scenes.Color4, error) {
	var r, g, b uint8
	if n, err := fmt.Sscanf(text, "%02x%02x%02x", &r, &g, &b); n != 3 || err != nil || len(text) != 6 {
		return scenes.Color4{}, fmt.Errorf("the background %q is no colour; write it as RRGGBB, env or transparent", text)
	}
	return scenes.Color4{float64(r) / 255, float64(g) / 255, float64(b) / 255, 1}, nil
}

func hasLight(s *scenes.Scene) bool {
	found := false
	s.Walk(func(n *scenes.Node, _ linalg.Mat4) error {
		found = found || n.Light != nil
		return nil
	})
	return found
}

// addBackdrop puts a box that shows the environment about the camera. It is
// drawn before all else and leaves no depth, so it only has to fill the view
// between the camera's planes.
func addBackdrop(s *scenes.Scene, blur float64) error {
	c := s.Camera
	depth := 20 * c.Near
	if c.Far > 0 {
		depth = min(depth, c.Near+c.Far)
	}
	side := depth
	if o := c.Ortho; o != nil {
		depth = c.Near + c.Far
		side = 4 * max(math.Abs(o.Left), math.Abs(o.Right), math.Abs(o.Bottom), math.Abs(o.Top))
	}
	g, err := mesh.CreateBox(mesh.BoxOptions{Width: side, Height: side, Depth: depth})
	if err != nil {
		return err
	}
	m := pbr.New("sky")
	m.Backdrop = true
	m.Roughness = blur
	m.NoDepthWrite = true
	n := scenes.NewMesh("sky", g, m)
	n.Mesh.RenderingGroup = -1
	if mounted, ok := c.Rig.(*scenes.Mounted); ok {
		mounted.Node.Add(n) // and goes along with it
		return nil
	}
	n.Position = c.Rig.Eye()
	s.Add(n)
	return nil
}
