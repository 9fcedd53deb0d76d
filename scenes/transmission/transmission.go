// Package transmission draws the picture that glass and other materials that
// let light through show behind them: everything else in the scene, linear and
// with mips, ahead of the main pass.
package transmission

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// size is the picture's edge in texels. The materials' choice of mips is tuned
// to it: Babylon.js, TransmissionHelper.
const size = 1024

// Grab follows a scene and draws its picture before every frame.
type Grab struct {
	color *texture.Texture
	pass  *scenes.ScenePass
	tasks []scenes.Task
}

// Add gives the scene, where a mesh in it reads the picture behind, the tasks
// that draw it ahead of the main pass. Passes of a frame graph of the scene's
// own that draw to the canvas see it, too. Adding again changes nothing. It
// returns nil where nothing reads.
func Add(s *scenes.Scene) *Grab {
	for _, u := range s.Updaters {
		if g, ok := u.(*Grab); ok {
			return g
		}
	}
	if !reads(s) {
		return nil
	}
	levels := bits.Len(size)
	clamp := composer.AddressClamp
	g := &Grab{color: &texture.Texture{
		Name: "scene color", Format: composer.RGBA16Float,
		Source:  &texture.Target{Width: size, Height: size, Samples: 4, Mips: levels},
		Sampler: texture.Sampler{AddressU: clamp, AddressV: clamp},
	}}
	g.pass = &scenes.ScenePass{
		Name: "scene color", Linear: true, CanvasAspect: true, SkipReaders: true,
		Attachments: scenes.Attachments{Color: []*texture.Texture{g.color}},
		Viewport:    scenes.Viewport{Width: 1, Height: 1},
	}
	g.tasks = []scenes.Task{g.pass}
	for i := 1; i < levels; i++ {
		g.tasks = append(g.tasks, g.level(i))
	}
	s.Before = append(s.Before, g.tasks...)
	s.Updaters = append(s.Updaters, g)
	return g
}

// level fills mip i from the one above: the mean of four texels.
func (g *Grab) level(i int) scenes.Task {
	name := fmt.Sprintf("scene color mip %d", i)
	return &scenes.EffectPass{
		Name: name,
		Attachments: scenes.Attachments{
			Color: []*texture.Texture{g.color}, Views: []material.View{{BaseMip: i}}, Samples: 1,
		},
		Material: &effect.Effect{
			Name:     name,
			Textures: map[string]effect.Input{"finer": {Texture: g.color, View: material.View{BaseMip: i - 1, Mips: 1}}},
			Body:     "color = textureSampleLevel(finer, finerSampler, st, 0.0);",
		},
	}
}

// Update implements scenes.Updater: what the picture shows follows the scene.
func (g *Grab) Update(s *scenes.Scene, _, _ int) error {
	clear := s.Clear
	for i := range 3 {
		clear[i] = math.Pow(math.Max(clear[i], 0), 2.2) // Babylon.js, toLinearSpace
	}
	clear[3] = 0
	g.pass.Clear = &clear
	g.pass.Features = s.Features
	s.SceneColor = g.color
	for _, t := range s.Graph {
		if p, ok := t.(*scenes.ScenePass); ok && p.Color == nil && p.SceneColor == nil {
			p.SceneColor = g.color
		}
	}
	return nil
}

// reads tells whether a material of the scene reads what lies behind it.
func reads(s *scenes.Scene) bool {
	return slices.ContainsFunc(s.Nodes(), func(n *scenes.Node) bool {
		if n.Mesh == nil {
			return false
		}
		r, ok := n.Mesh.Material.(material.SceneReader)
		return ok && r.ReadsScene()
	})
}

// Tasks are the passes that draw the picture.
func (g *Grab) Tasks() []scenes.Task { return g.tasks }
