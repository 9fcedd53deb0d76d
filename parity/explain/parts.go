package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

// parts of the shading in the order in which it makes them.
var parts = [...]string{"normals", "albedo", "direct", "ambient", "linear"}

// shows gives, for the templates whose variables are known, the colour that
// shows a part. "linear" is the material's own colour without image processing.
var shows = map[string]map[string]string{
	"standard": {
		"normals": "normalW * 0.5 + 0.5",
		"albedo":  "diffuseColor * baseColor.rgb",
		"direct":  "diffuseBase * diffuseColor * baseColor.rgb + specularBase * specularColor",
		"ambient": "(material.vAmbientColor + emissiveColor) * baseColor.rgb * baseAmbientColor + reflectionColor",
	},
	"pbr": {
		"normals": "N * 0.5 + 0.5",
		"albedo":  "surfaceAlbedo",
		"direct":  "shownDirect",
		"ambient": "ambient",
	},
}

// shown is a material that shows one part of its shading.
type shown struct {
	material.Material
	part string
}

func (m *shown) context(c *material.Context) *material.Context {
	d := *c
	d.Linear = true // without image processing
	d.Outputs = nil
	return &d
}

// Shader implements material.Material.
func (m *shown) Shader(c *material.Context) (*composer.Template, []*composer.Fragment, error) {
	t, f, err := m.Material.Shader(m.context(c))
	if err != nil || m.part == "linear" {
		return t, f, err
	}
	if !strings.Contains(t.Fragment, "/*"+string(composer.SlotBeforeAlpha)+"*/") {
		return t, f, nil // a shader of the user's own shows its colour
	}
	code := shows[t.ID][m.part]
	if code == "" {
		code = "vec3<f32>(0.0)" // a family whose parts are not known shows the same on both sides
	}
	slots := map[composer.Slot]string{composer.SlotBeforeAlpha: "color = vec4<f32>(" + code + ", color.a);"}
	if code == "shownDirect" {
		// Image-based light later scales the highlights by the energy that its table conserves.
		slots[composer.SlotAfterDirect] = "let shownDirect = directDiffuse + directSpecular + directLayers;"
	}
	show := &composer.Fragment{ID: "explain-" + m.part, Slots: slots}
	return t, append(slices.Clone(f), show), nil
}

// withParts returns a copy of the scene's frame graph in which each pass that
// shades has its parts drawn ahead of it.
func withParts(s *scenes.Scene) (before, graph []scenes.Task, part map[string]string, err error) {
	part = map[string]string{}
	var nodes []*scenes.Node
	if err := s.Walk(func(n *scenes.Node, _ linalg.Mat4) error {
		if n.Mesh != nil && n.Mesh.Material != nil {
			nodes = append(nodes, n)
		}
		return nil
	}); err != nil {
		return nil, nil, nil, err
	}
	wrapped := map[material.Material]map[string]material.Material{}
	wrap := func(m material.Material, p string) material.Material {
		if wrapped[m] == nil {
			wrapped[m] = map[string]material.Material{}
		}
		if wrapped[m][p] == nil {
			wrapped[m][p] = &shown{m, p}
		}
		return wrapped[m][p]
	}
	expand := func(list []scenes.Task) (out []scenes.Task) {
		for _, t := range list {
			p, ok := t.(*scenes.ScenePass)
			if ok && p.Depth != nil {
				if tgt, layered := p.Depth.Source.(*texture.Target); layered && tgt.Layers > 1 {
					out = append(out, t, layer(p, tgt))
					continue
				}
			}
			if !ok || p.Override != nil || p.Color != nil && len(p.Color) != 1 || len(p.Views) > 0 || len(p.Color) == 1 && p.Color[0] == nil {
				out = append(out, t)
				continue
			}
			size := texture.Target{}
			if len(p.Color) == 1 {
				if tgt, ok := p.Color[0].Source.(*texture.Target); ok {
					size = texture.Target{Width: tgt.Width, Height: tgt.Height, Scale: tgt.Scale}
				}
			}
			for i, name := range parts {
				q := *p
				src := size
				black := scenes.Color4{}
				q.Name = p.Name + ": " + name
				q.Attachments = scenes.Attachments{Samples: 1, Clear: &black, Color: []*texture.Texture{{Name: name, Format: composer.RGBA16Float, Source: &src}}}
				if i == 0 && !stencilled(nodes) { // no depth format that can be read has a stencil
					d := size
					q.Depth = &texture.Texture{Name: "depth", Format: composer.Depth32Float, Source: &d}
				}
				q.OverrideFor = maps.Clone(p.OverrideFor)
				if q.OverrideFor == nil {
					q.OverrideFor = map[*scenes.Node]material.Material{}
				}
				for _, n := range nodes {
					m := n.Mesh.Material
					if o, ok := p.OverrideFor[n]; ok {
						m = o
					}
					q.OverrideFor[n] = wrap(m, name)
				}
				part[q.Name] = name
				out = append(out, &q)
			}
			out = append(out, t)
		}
		return out
	}
	graph = s.Graph
	if graph == nil {
		graph = []scenes.Task{&scenes.ScenePass{Name: "main", Features: s.Features}}
	}
	return expand(s.Before), expand(graph), part, nil
}

// stencilled reports whether a material tests or writes the stencil.
func stencilled(nodes []*scenes.Node) bool {
	return slices.ContainsFunc(nodes, func(n *scenes.Node) bool {
		return n.Mesh.Material.State(&material.Context{Streams: map[string]composer.VertexFormat{}}).Stencil != nil
	})
}

// layer shows the layer of a depth texture that p drew, which the renderer
// cannot read back by itself, in a target of its own.
func layer(p *scenes.ScenePass, t *texture.Target) scenes.Task {
	size := texture.Target{Width: t.Width, Height: t.Height, Scale: t.Scale}
	e := &effect.Effect{
		Name: "explain layer", Body: fmt.Sprintf("color = vec4<f32>(textureLoad(depth, vec2<i32>(input.position.xy), %d, 0));", p.DepthView.BaseLayer),
		Textures: map[string]effect.Input{"depth": {Texture: p.Depth, Type: "texture_depth_2d_array", Unfiltered: true}},
	}
	out := &scenes.EffectPass{Name: p.Name, Material: &layerReader{e, p.Depth.Sampler.Compare != ""}}
	out.Attachments = scenes.Attachments{NoDepth: true, Samples: 1, Color: []*texture.Texture{{Name: p.Depth.Name, Format: composer.R32Float, Source: &size}}}
	return out
}

// layerReader is an effect whose texture may have a comparison sampler.
type layerReader struct {
	*effect.Effect
	compare bool
}

// Shader implements material.Material.
func (m *layerReader) Shader(c *material.Context) (*composer.Template, []*composer.Fragment, error) {
	t, list, err := m.Effect.Shader(c)
	if err != nil || !m.compare {
		return t, list, err
	}
	for _, f := range list {
		for i := range f.Bindings {
			if f.Bindings[i].Kind == composer.BindSampler {
				f.Bindings[i].Sampler = composer.SamplerComparison
			}
		}
	}
	return t, list, nil
}
