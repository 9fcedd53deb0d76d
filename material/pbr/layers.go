package pbr

import (
	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
)

// layers are the features over and under the base layer. Their order is that
// of their dependencies: anisotropy changes the base's highlight, sheen and
// transmission lie around the base, the coat covers all.
func (m *Material) layers(c *material.Context) []*composer.Fragment {
	var out []*composer.Fragment
	stretched := false
	if m.Anisotropy != nil {
		out = append(out, m.Anisotropy.fragments(c, m)...)
		stretched = len(out) > 0
	}
	if m.Sheen != nil {
		out = append(out, m.Sheen.fragments(c)...)
	}
	if m.Volume != nil && (m.Transmission != nil || m.DiffuseTransmission != nil) {
		out = append(out, m.Volume.fragments(c)...)
	}
	if m.DiffuseTransmission != nil {
		out = append(out, m.DiffuseTransmission.fragments(c, m)...)
	}
	if m.Transmission != nil {
		out = append(out, m.transmission(c, stretched)...)
	}
	if m.Clearcoat != nil {
		out = append(out, m.Clearcoat.fragments(c, m)...)
	}
	return out
}

// inputs are the texels that a feature reads. It keeps the fragments that
// sample them, on which the feature depends.
type inputs struct {
	c         *material.Context
	fragments []*composer.Fragment
}

// texel adds channel ch as name and returns the expression of its components,
// or none where the mesh or the material has no such texture.
func (in *inputs) texel(ch *Channel, name, components, none string) string {
	s := sampled(in.c, ch, name, composer.SlotMaterial, "")
	if len(s) == 0 {
		return none
	}
	in.fragments = append(in.fragments, s...)
	return name + "Texel." + components
}

// before makes f depend on the fragments that sample its textures and returns
// them all.
func (in *inputs) before(f *composer.Fragment) []*composer.Fragment {
	for _, s := range in.fragments {
		f.Dependencies = append(f.Dependencies, s.ID)
	}
	return append(in.fragments, f)
}

// tangentFrame returns the expression of the frame in which a texture with
// coordinates uv gives directions: the vertex tangents where the mesh has
// them, else that of the coordinates. f is given what the expression needs.
func tangentFrame(c *material.Context, f *composer.Fragment, normal, uv string) string {
	if c.Has("normal") && c.Has("tangent") {
		f.Requires = append(f.Requires, surface.Tangent())
		return "mat3x3<f32>(input.vTangentW, input.vBitangentW, " + normal + ")"
	}
	f.Requires = append(f.Requires, cotangent())
	return "cotangentFrame(" + normal + ", input.vPositionW, " + uv + ")"
}
