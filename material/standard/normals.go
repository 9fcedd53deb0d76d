package standard

import (
	_ "embed"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
)

//go:embed bump.wgsl
var bumpWGSL string

// normals give normalW: of the surface itself without a normal stream or with
// flat shading, smooth with one, bent by the bump map, and turned on back faces.
func (m *Material) normals(c *material.Context) []*composer.Fragment {
	var out []*composer.Fragment
	if c.Has("normal") {
		out = append(out, surface.Normal())
		if !m.FlatShading {
			out = append(out, &composer.Fragment{
				ID: "standard-normal", Dependencies: []string{"vertex-normal"},
				Slots: map[composer.Slot]string{composer.SlotVariables: "normalW = normalize(input.vNormalW);"},
			})
		}
	}
	if b := m.BumpTexture; b != nil && b.Texture != nil && c.Has(surface.Stream(b.UV)) {
		out = append(out, m.bump(c, b)...)
	}
	if m.TwoSidedLighting {
		out = append(out, &composer.Fragment{
			ID:    "standard-two-sided",
			Slots: map[composer.Slot]string{composer.SlotNormal: "normalW = select(-normalW, normalW, input.frontFacing);"},
		})
	}
	return out
}

// bump bends the normal in the frame of the tangents or, without tangents, of
// the texture coordinates; there the level flattens the normal that the frame
// is built on, as in the reference engine.
func (m *Material) bump(c *material.Context, b *Channel) []*composer.Fragment {
	const texel = "SAMPLE.xyz * 2.0 - 1.0"
	r := role{b, "bumpTexture", composer.SlotNormal, ""}
	if c.Has("normal") && c.Has("tangent") && !m.FlatShading {
		r.code = "normalW = normalize(mat3x3<f32>(input.vTangentW, input.vBitangentW, input.vNormalW) * (" + texel + "));"
		f := textureFragment(r)
		f.Dependencies = append(f.Dependencies, "vertex-tangent")
		return []*composer.Fragment{surface.UV(b.UV), surface.Tangent(), f}
	}
	r.code = `let bumpUV = select(-bumpTextureUV, bumpTextureUV, input.frontFacing);
let bumpFrame = cotangentFrame(normalW / LEVEL, input.vPositionW, bumpUV, material.bumpAxes);
normalW = normalize(bumpFrame * (` + texel + "));"
	f := textureFragment(r)
	f.FragmentHelpers = bumpWGSL
	f.Fields = append(f.Fields, composer.Field{Name: "bumpAxes", Type: "vec2<f32>"})
	return []*composer.Fragment{surface.UV(b.UV), f}
}

// bumpUniforms writes what bump declares.
func (m *Material) bumpUniforms(w material.Writer) {
	if m.BumpTexture == nil || m.BumpTexture.Texture == nil {
		return
	}
	role{Channel: m.BumpTexture, name: "bumpTexture"}.uniforms(w)
	axis := func(inverted bool) float64 {
		if inverted {
			return -1
		}
		return 1
	}
	w.Floats("bumpAxes", axis(m.InvertBumpX), axis(m.InvertBumpY))
}
