package pbr

import (
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
	"darkroom/material/texture"
)

// Channel is a texture in one role.
type Channel struct {
	Texture *texture.Texture
	UV      int // texture coordinate set, 0 for the first
	// Offset, Scale and Rotation are those of KHR_texture_transform; a zero
	// scale means 1, Rotation is in radians.
	Offset, Scale [2]float64
	Rotation      float64
}

func (c *Channel) set() bool { return c != nil && c.Texture != nil }

// uniforms writes the rows of the coordinate matrix T·R·S of
// KHR_texture_transform.
func (c *Channel) uniforms(w material.Writer, name string) {
	sx, sy := c.Scale[0], c.Scale[1]
	if sx == 0 {
		sx = 1
	}
	if sy == 0 {
		sy = 1
	}
	sin, cos := math.Sincos(c.Rotation)
	w.Floats(name+"U", cos*sx, sin*sy, c.Offset[0], 0)
	w.Floats(name+"V", -sin*sx, cos*sy, c.Offset[1], 0)
}

// sampled is a fragment that samples channel c as NAME and runs code in slot;
// SAMPLE in code stands for the texel. It is nil where the mesh lacks the
// coordinates.
func sampled(ctx *material.Context, c *Channel, name string, slot composer.Slot, code string) []*composer.Fragment {
	if !c.set() || !ctx.Has(surface.Stream(c.UV)) {
		return nil
	}
	uv := "input.vUV" + surface.Stream(c.UV)[2:]
	f := &composer.Fragment{
		ID:           "pbr-" + name,
		Dependencies: []string{"vertex-" + surface.Stream(c.UV)},
		Fields:       []composer.Field{{Name: name + "U", Type: "vec4<f32>"}, {Name: name + "V", Type: "vec4<f32>"}},
		Bindings: []composer.Binding{
			{Name: name, Kind: composer.BindTexture, Type: "texture_2d<f32>", Visibility: composer.StageFragment},
			{Name: name + "Sampler", Kind: composer.BindSampler, Visibility: composer.StageFragment},
		},
		Slots: map[composer.Slot]string{
			composer.SlotVariables: "let " + name + "UV = vec2<f32>(dot(material." + name + "U.xyz, vec3<f32>(" + uv + ", 1.0)), dot(material." + name + "V.xyz, vec3<f32>(" + uv + ", 1.0)));\nlet " + name + "Texel = textureSample(" + name + ", " + name + "Sampler, " + name + "UV);",
		},
	}
	if code != "" {
		f.Slots[slot] = code
	}
	return []*composer.Fragment{f}
}

// stream is the mesh stream that c's coordinates come from.
func stream(c *Channel) string { return surface.Stream(c.UV) }
