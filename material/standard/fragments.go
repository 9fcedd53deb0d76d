package standard

import (
	"fmt"
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
)

// role is a channel with the binding name it has in the shader and the code
// that uses its sample.
type role struct {
	*Channel
	name string
	slot composer.Slot
	code string // uses sample, a vec4, and level, an f32
}

// channels lists the textures in use, in the order in which they are bound.
func (m *Material) channels() []role {
	var out []role
	add := func(c *Channel, name string, slot composer.Slot, code string) {
		if c != nil && c.Texture != nil {
			out = append(out, role{c, name, slot, code})
		}
	}
	diffuse := "baseColor = SAMPLE;\n"
	if m.UseAlphaFromDiffuse {
		diffuse += "alpha *= baseColor.a;\n"
	}
	diffuse += "baseColor = vec4<f32>(baseColor.rgb * LEVEL, baseColor.a);"
	add(m.DiffuseTexture, "diffuseTexture", composer.SlotAlphaTexture, diffuse)
	add(m.AmbientTexture, "ambientTexture", composer.SlotMaterial, "baseAmbientColor = SAMPLE.rgb * LEVEL;")
	specular := "let specularMap = SAMPLE;\nspecularColor = specularMap.rgb;"
	if m.GlossFromSpecular {
		specular += "\nglossiness *= specularMap.a;"
	}
	if !m.SpecularOff {
		add(m.SpecularTexture, "specularTexture", composer.SlotMaterial, specular)
	}
	add(m.EmissiveTexture, "emissiveTexture", composer.SlotMaterial, "emissiveColor += SAMPLE.rgb * LEVEL;")
	if m.OpacityFromRGB {
		add(m.OpacityTexture, "opacityTexture", composer.SlotMaterial, "alpha *= dot(SAMPLE.rgb, vec3<f32>(0.3, 0.59, 0.11)) * LEVEL;")
	} else {
		add(m.OpacityTexture, "opacityTexture", composer.SlotMaterial, "alpha *= SAMPLE.a * LEVEL;")
	}
	if m.LightmapAsShadow {
		add(m.LightmapTexture, "lightmapTexture", SlotColorComposed, "color = vec4<f32>(color.rgb * SAMPLE.rgb * LEVEL, color.a);")
	} else {
		add(m.LightmapTexture, "lightmapTexture", SlotColorComposed, "color = vec4<f32>(color.rgb + SAMPLE.rgb * LEVEL, color.a);")
	}
	return out
}

// uniforms writes the texture matrix (two rows) and the level.
func (r role) uniforms(w material.Writer) {
	c := r.Channel
	us, vs, level := c.UScale, c.VScale, c.Level
	if us == 0 {
		us = 1
	}
	if vs == 0 {
		vs = 1
	}
	if level == 0 {
		level = 1
	}
	// Babylon.js Texture.getTextureMatrix: scale, then turn about the scaled
	// middle of the texture, then offset.
	sin, cos := math.Sincos(c.Angle)
	a, b := us*cos, -vs*sin
	d, e := us*sin, vs*cos
	tx := c.UOffset + 0.5*(us-a-b)
	ty := c.VOffset + 0.5*(vs-d-e)
	w.Floats(r.name+"U", a, b, tx, level)
	w.Floats(r.name+"V", d, e, ty, 0)
}

func (m *Material) fragments(c *material.Context) ([]*composer.Fragment, error) {
	out := m.normals(c)
	uvs := map[int]bool{}
	for _, f := range out {
		for i := range 6 {
			uvs[i] = uvs[i] || f.ID == "vertex-"+surface.Stream(i)
		}
	}
	for _, r := range m.channels() {
		if !c.Has(surface.Stream(r.UV)) {
			continue
		}
		if s := r.Texture.Sampler; r.Texture.GPUFormat().IsDepth() && (s.Mag != composer.FilterNearest || s.Min != composer.FilterNearest || s.Mip != composer.FilterNearest || s.Anisotropy > 1) {
			return nil, fmt.Errorf("%s: the depth texture %s cannot be filtered; make its Sampler's Mag, Min and Mip nearest", r.name, r.Texture.Name)
		}
		if !uvs[r.UV] {
			uvs[r.UV] = true
			out = append(out, surface.UV(r.UV))
		}
		out = append(out, textureFragment(r))
	}
	if r := m.ReflectionTexture; r != nil && r.Texture != nil {
		out = append(out, r.fragment())
	}
	if c.Has("color") || c.Has("instanceColor") {
		f := &composer.Fragment{
			ID: "standard-vertex-color", Dependencies: []string{"vertex-color"},
			Slots: map[composer.Slot]string{composer.SlotAlphaCutoff: "baseColor = vec4<f32>(baseColor.rgb * input.vColor.rgb, baseColor.a);"},
		}
		if m.VertexAlpha {
			f.Slots[composer.SlotMaterial] = "alpha *= input.vColor.a;"
		}
		out = append(out, surface.Color(c), f)
	}
	if m.alphaTested() {
		out = append(out, &composer.Fragment{
			ID:     "standard-alpha-test",
			Fields: []composer.Field{{Name: "alphaCutoff", Type: "f32"}},
			Slots:  map[composer.Slot]string{composer.SlotAlphaCutoff: "if (baseColor.a < material.alphaCutoff) { discard; }"},
		})
	}
	if c.Fog && !m.NoFog {
		out = append(out, Fog())
	}
	out = append(out, surface.Stored(c, m.seen(c))...)
	return append(out, imageProcessing(c)...), nil
}

// seen is what passes may store of the surface: Babylon.js, default.fragment.
func (m *Material) seen(c *material.Context) surface.Seen {
	s := surface.Seen{
		Normal: "normalW", Albedo: "baseColor.rgb", Irradiance: "vec3<f32>(0.0)", Alpha: "color.a", AlphaTested: m.alphaTested(),
		Reflectivity: "vec4<f32>(pow(max(specularColor, vec3<f32>(0.0)), vec3<f32>(2.2)), 1.0)",
	}
	if t := m.SpecularTexture; !m.SpecularOff && t != nil && t.Texture != nil && c.Has(surface.Stream(t.UV)) {
		s.Reflectivity = "vec4<f32>(pow(specularMap.rgb, vec3<f32>(2.2)), specularMap.a)"
	}
	return s
}

// imageProcessing goes to linear light and, where this pass is to do it, on
// to display space with what the scene asks for. A scene that asks for
// nothing keeps the colours as they are.
func imageProcessing(c *material.Context) []*composer.Fragment {
	ip := c.ImageProcessing
	asked := ip.Exposure != 0 && ip.Exposure != 1 || ip.Contrast != 0 && ip.Contrast != 1 || ip.ToneMapping != material.ToneMapOff
	const linear = "pow(max(color.rgb, vec3<f32>(0.0)), vec3<f32>(2.2))"
	switch {
	case c.Linear:
		return []*composer.Fragment{{
			ID:    "standard-linear",
			Slots: map[composer.Slot]string{composer.SlotBeforeColor: "color = vec4<f32>(" + linear + ", color.a);"},
		}}
	case asked:
		return []*composer.Fragment{{
			ID:              "standard-image-processing",
			FragmentHelpers: material.ImageProcessingWGSL,
			Slots:           map[composer.Slot]string{composer.SlotBeforeColor: "color = vec4<f32>(imageProcessing(" + linear + "), color.a);"},
		}}
	}
	return nil
}

func textureFragment(r role) *composer.Fragment {
	uv := "input.vUV" + surface.Stream(r.UV)[2:]
	at := "let " + r.name + "UV = vec2<f32>(dot(material." + r.name + "U.xyz, vec3<f32>(" + uv + ", 1.0)), dot(material." + r.name + "V.xyz, vec3<f32>(" + uv + ", 1.0)));\n"
	sample := "textureSample(" + r.name + ", " + r.name + "Sampler, " + r.name + "UV)"
	texture := composer.Binding{Name: r.name, Kind: composer.BindTexture, Type: "texture_2d<f32>", Visibility: composer.StageFragment}
	sampler := composer.Binding{Name: r.name + "Sampler", Kind: composer.BindSampler, Visibility: composer.StageFragment}
	if r.Texture.GPUFormat().IsDepth() {
		// A depth is seen as the red of an opaque texel, as the formats of one channel are.
		texture.Type, sampler.Sampler = "texture_depth_2d", composer.SamplerNonFiltering
		sample = "vec4<f32>(" + sample + ", 0.0, 0.0, 1.0)"
	}
	return &composer.Fragment{
		ID:           "standard-" + r.name,
		Dependencies: []string{"vertex-" + surface.Stream(r.UV)},
		Fields:       []composer.Field{{Name: r.name + "U", Type: "vec4<f32>"}, {Name: r.name + "V", Type: "vec4<f32>"}},
		Bindings:     []composer.Binding{texture, sampler},
		Slots:        map[composer.Slot]string{r.slot: at + replace(r.code, sample, "material."+r.name+"U.w")},
	}
}
