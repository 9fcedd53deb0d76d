package pbr

import (
	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
)

// baseTextures are the core textures of glTF and vertex colours.
func (m *Material) baseTextures(c *material.Context) []*composer.Fragment {
	var out []*composer.Fragment
	out = append(out, sampled(c, m.BaseColorTexture, "baseColorTexture", composer.SlotAlphaTexture, "baseColor *= baseColorTextureTexel.rgb;\nalpha *= baseColorTextureTexel.a;")...)
	if c.Has("color") || c.Has("instanceColor") {
		out = append(out, surface.Color(c), &composer.Fragment{
			ID: "pbr-vertex-color", Dependencies: []string{"vertex-color"},
			Slots: map[composer.Slot]string{composer.SlotAlphaTexture: "baseColor *= input.vColor.rgb;\nalpha *= input.vColor.a;"},
		})
	}
	out = append(out, sampled(c, m.MetallicRoughnessTexture, "metallicRoughnessTexture", composer.SlotAlphaTexture, "roughness *= metallicRoughnessTextureTexel.g;\nmetallic *= metallicRoughnessTextureTexel.b;")...)
	for _, f := range sampled(c, m.OcclusionTexture, "occlusionTexture", composer.SlotAlphaTexture, "occlusion = 1.0 + material.occlusionStrength * (occlusionTextureTexel.r - 1.0);") {
		f.Fields = append(f.Fields, composer.Field{Name: "occlusionStrength", Type: "f32"})
		out = append(out, f)
	}
	return append(out, sampled(c, m.EmissiveTexture, "emissiveTexture", composer.SlotAlphaTexture, "emissive *= emissiveTextureTexel.rgb;")...)
}

// normals give N: of the surface itself without a normal stream, smooth with
// one, and bent by a normal map in the frame of the tangents or, without
// tangents, of the texture coordinates' derivatives (Mikkelsen 2010,
// "Bump Mapping Unparametrized Surfaces"; Babylon.js, cotangentFrame).
func (m *Material) normals(c *material.Context) []*composer.Fragment {
	var out []*composer.Fragment
	base := &composer.Fragment{ID: "pbr-normal", Slots: map[composer.Slot]string{}}
	if c.Has("normal") {
		out = append(out, surface.Normal())
		base.Dependencies = []string{"vertex-normal"}
		base.Slots[composer.SlotVariables] = "N = normalize(input.vNormalW);"
		if m.TwoSided {
			base.Slots[composer.SlotVariables] += "\nlet facing = select(-1.0, 1.0, input.frontFacing);"
		}
	} else {
		base.Slots[composer.SlotVariables] = "if (dot(N, V) < 0.0) { N = -N; }"
		if m.TwoSided {
			base.Slots[composer.SlotVariables] += "\nlet facing = 1.0;"
		}
	}
	out = append(out, base)
	ch := m.NormalTexture
	if ch.set() && c.Has(surface.Stream(ch.UV)) {
		f := sampled(c, ch, "normalTexture", composer.SlotNormal, "")[0]
		f.Dependencies = append(f.Dependencies, "pbr-normal")
		f.Fields = append(f.Fields, composer.Field{Name: "normalScale", Type: "f32"})
		texel := "let normalTexel = normalize((normalTextureTexel.rgb * 2.0 - 1.0) * vec3<f32>(material.normalScale, material.normalScale, 1.0));\n"
		if c.Has("normal") && c.Has("tangent") {
			f.Requires = append(f.Requires, surface.Tangent())
			f.Slots[composer.SlotNormal] = texel + "N = normalize(mat3x3<f32>(input.vTangentW, input.vBitangentW, input.vNormalW) * normalTexel);"
		} else {
			f.Requires = append(f.Requires, cotangent())
			f.Slots[composer.SlotNormal] = texel + "N = normalize(cotangentFrame(N, input.vPositionW, " + m.turned(c, "normalTextureUV") + ") * normalTexel);"
		}
		out = append(out, f)
	}
	if m.TwoSided {
		out = append(out, &composer.Fragment{
			ID: "pbr-two-sided", Dependencies: []string{out[len(out)-1].ID},
			Slots: map[composer.Slot]string{composer.SlotNormal: "N = N * facing;\ngeometricNormal = geometricNormal * facing;"},
		})
	}
	if m.antialiased() {
		out = append(out, specularAA())
	}
	return out
}

// turned is the expression of coordinates uv as the frame of their derivatives
// wants them: seen from behind, both axes of the screen have changed places
// under an unchanged normal, which the sign puts right.
func (m *Material) turned(c *material.Context, uv string) string {
	if m.TwoSided && c.Has("normal") {
		return uv + " * facing"
	}
	return uv
}

// cotangent declares cotangentFrame, the frame of a normal and the texture
// coordinates' derivatives.
func cotangent() *composer.Fragment {
	return &composer.Fragment{ID: "pbr-cotangent", FragmentHelpers: cotangentWGSL}
}

const cotangentWGSL = `fn cotangentFrame(normal: vec3<f32>, position: vec3<f32>, uv: vec2<f32>) -> mat3x3<f32> {
    // Derivatives down the picture, also where it is drawn upside down.
    let down = sign(scene.projection[1].y);
    let dp1 = dpdx(position);
    let dp2 = dpdy(position) * down;
    let duv1 = dpdx(uv);
    let duv2 = dpdy(uv) * down;
    let dp2perp = cross(dp2, normal);
    let dp1perp = cross(normal, dp1);
    let tangent = dp2perp * duv1.x + dp1perp * duv2.x;
    let bitangent = -(dp2perp * duv1.y + dp1perp * duv2.y);
    let size = max(dot(tangent, tangent), dot(bitangent, bitangent));
    let scale = select(inverseSqrt(size), 0.0, size == 0.0);
    return mat3x3<f32>(tangent * scale, bitangent * scale, normal);
}`

func (m *Material) antialiased() bool { return m.SpecularAA || m.NormalTexture.set() }

// specularAA is Babylon.js, getAARoughnessFactors: the variation of the normal
// between neighbouring fragments as roughness.
func specularAA() *composer.Fragment {
	return &composer.Fragment{
		ID: "pbr-specular-aa",
		FragmentHelpers: `fn normalSlope(normal: vec3<f32>) -> f32 {
    let dx = dpdx(normal);
    let dy = dpdy(normal);
    return max(dot(dx, dx), dot(dy, dy));
}`,
		Slots: map[composer.Slot]string{SlotSpecularAA: `let slopeSquare = normalSlope(N);
roughnessFloor = pow(clamp(slopeSquare, 0.0, 1.0), 0.333);
alphaG += sqrt(slopeSquare) * 0.75;`},
	}
}

func alphaTest() *composer.Fragment {
	return &composer.Fragment{
		ID:     "pbr-alpha-test",
		Fields: []composer.Field{{Name: "alphaCutoff", Type: "f32"}},
		Slots:  map[composer.Slot]string{composer.SlotAlphaCutoff: "if (alpha < material.alphaCutoff) { discard; }\nalpha = 1.0;"},
	}
}

// opaque ignores every alpha, as glTF asks (section 3.9.4): what is drawn
// covers what is behind, in the canvas's alpha too.
func opaque() *composer.Fragment {
	return &composer.Fragment{
		ID:    "pbr-opaque",
		Slots: map[composer.Slot]string{composer.SlotAlphaCutoff: "alpha = 1.0;"},
	}
}

// luminanceOverAlpha keeps highlights on transparent surfaces: Babylon.js,
// useRadianceOverAlpha and useSpecularOverAlpha.
func luminanceOverAlpha() *composer.Fragment {
	return &composer.Fragment{
		ID: "pbr-luminance-over-alpha",
		Slots: map[composer.Slot]string{composer.SlotBeforeAlpha: `let luminance = dot(directSpecular + specularAmbient, vec3<f32>(0.2126, 0.7152, 0.0722));
color.a = clamp(color.a + luminance * luminance, 0.0, 1.0);`},
	}
}

// unlit replaces all shading by the base colour (KHR_materials_unlit).
func unlit(environment bool) *composer.Fragment {
	return &composer.Fragment{
		ID:    "pbr-unlit",
		Slots: map[composer.Slot]string{SlotLayers: "linear = baseColor;"},
	}
}

// fog fades the linear colour; factor and colour are linearised as Babylon.js
// does for this family.
func fog() *composer.Fragment {
	return &composer.Fragment{
		ID: "pbr-fog",
		FragmentHelpers: `fn fogFactor(distance: f32) -> f32 {
    let mode = scene.vFogInfos.x;
    let density = scene.vFogInfos.w;
    let ramp = (scene.vFogInfos.z - distance) / (scene.vFogInfos.z - scene.vFogInfos.y);
    let thin = 1.0 / pow(2.71828, distance * density);
    let thick = 1.0 / pow(2.71828, distance * distance * density * density);
    return clamp(select(select(thin, thick, mode == 2.0), ramp, mode == 3.0), 0.0, 1.0);
}`,
		Slots: map[composer.Slot]string{SlotFog: `let fogAmount = pow(fogFactor(length((scene.view * vec4<f32>(input.vPositionW, 1.0)).xyz)), 2.2);
linear = mix(pow(scene.vFogColor.rgb, vec3<f32>(2.2)), linear, fogAmount);`},
	}
}
