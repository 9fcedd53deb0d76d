package pbr

import (
	_ "embed"
	"math"
	"strings"

	"darkroom/composer"
	"darkroom/material"
)

//go:embed clearcoat.wgsl
var clearcoatWGSL string

//go:embed clearcoat_light.wgsl
var clearcoatLightWGSL string

//go:embed clearcoat_ambient.wgsl
var clearcoatAmbientWGSL string

// fragments lay a clear coat over everything: GGX with the visibility of
// Kelemen and Szirmay-Kalos 2001, Schlick's Fresnel, its own normal, and below
// it what it does not reflect, tinted by Beer's law along the refracted path.
// The model is Babylon.js's, PBRClearCoatConfiguration.
func (x *Clearcoat) fragments(c *material.Context, m *Material) []*composer.Fragment {
	f := &composer.Fragment{
		ID: "pbr-clearcoat", FragmentHelpers: clearcoatWGSL,
		Fields:       []composer.Field{{Name: "coatParams", Type: "vec4<f32>"}, {Name: "coatTint", Type: "vec4<f32>"}},
		Dependencies: m.reflectivity(),
	}
	in := &inputs{c: c}
	amount := in.texel(x.Texture, "clearcoatTexture", "r", "1.0")
	rough := in.texel(x.RoughnessTexture, "clearcoatRoughnessTexture", "g", "1.0")
	normal := "geometricNormal"
	f.Slots = map[composer.Slot]string{}
	if s := in.texel(x.NormalTexture, "clearcoatNormalTexture", "rgb", ""); s != "" {
		f.Slots[composer.SlotAlphaCutoff] = "let coatFrame = " + tangentFrame(c, f, "N", "clearcoatNormalTextureUV") + ";\n" +
			"var coatTexel = (" + s + " * 2.0 - 1.0) * vec3<f32>(material.coatParams.zz, 1.0);"
		normal = "normalize(coatFrame * normalize(coatTexel))"
	}
	// Babylon.js turns the coat of a back face twice, so that it keeps the normal
	// of the front: its lights shine on the coat from behind. Only vertex
	// tangents have it turned once.
	switch {
	case !m.TwoSided || !c.Has("normal"):
	case normal == "geometricNormal" || c.Has("tangent"):
		normal += " * facing"
	default:
		f.Slots[composer.SlotAlphaCutoff] += "\ncoatTexel = vec3<f32>(coatTexel.xy * facing, coatTexel.z);"
	}
	extent := &composer.Fragment{
		ID: "pbr-coat-amount",
		Slots: map[composer.Slot]string{
			composer.SlotAlphaCutoff: "let coatAmount = clamp(material.coatParams.x * " + amount + ", 0.0, 1.0);\nlet coatF0 = material.coatParams.w;",
		},
	}
	f.Dependencies = append(f.Dependencies, extent.ID, "pbr-split-sum")
	code := "let coatRoughness = clamp(material.coatParams.y * " + rough + ", 0.0, 1.0);\n" +
		"let coatNormal = " + normal + ";\nlet coatNdotV = abs(dot(coatNormal, V)) + 0.0000001;"
	if x.RemapBase {
		code += "\ncolorF0 = mix(colorF0, reflectanceUnderCoat(colorF0, coatF0), coatAmount);"
	}
	f.Slots[composer.SlotMaterial] = code
	f.Slots[SlotSpecularAA] = "var coatFloor = 0.0;\nvar coatAlphaG = coatRoughness * coatRoughness + 0.0005;"
	if m.antialiased() {
		f.Dependencies = append(f.Dependencies, "pbr-specular-aa")
		f.Slots[SlotSpecularAA] += "\nlet coatSlope = normalSlope(coatNormal);\ncoatFloor = pow(clamp(coatSlope, 0.0, 1.0), 0.333);\ncoatAlphaG += sqrt(coatSlope) * 0.75;"
	}
	absorption := "vec3<f32>(1.0)"
	if x.Tint != nil {
		absorption = "coatAbsorption(material.coatTint, coatCosRefracted(%, coatF0), coatCosRefracted(coatNdotV, coatF0), coatAmount)"
	}
	put := func(code, cosine string) string {
		return strings.ReplaceAll(code, "ABSORPTION", strings.ReplaceAll(absorption, "%", cosine))
	}
	f.Slots[composer.SlotBeforeLighting] = "var coatDirect = vec3<f32>(0.0);\nlet coatDirectRoughness = max(coatRoughness, coatFloor);\nlet coatDirectAlphaG = coatDirectRoughness * coatDirectRoughness + 0.0005;"
	f.Slots[SlotLight] = put(clearcoatLightWGSL, "saturateEps(abs(dot(coatNormal, info.L)))")
	f.Slots[composer.SlotMaterial] += put("\nlet coatConservation = (1.0 - coatFresnel(coatNdotV, coatF0) * coatAmount) * ABSORPTION;", "coatNdotV")
	ambient := "var coatAmbient = vec3<f32>(0.0);\n" +
		"let coatBRDF = textureSampleLevel(brdfTexture, brdfTextureSampler, vec2<f32>(coatNdotV, coatRoughness), 0.0).rgb;\n"
	if c.Environment != nil {
		horizon := "1.0"
		if m.NormalTexture.set() {
			horizon = "horizonOcclusion(V, coatNormal, geometricNormal)"
		}
		ambient += strings.ReplaceAll(clearcoatAmbientWGSL, "HORIZON", horizon)
		f.Dependencies = append(f.Dependencies, "pbr-ibl")
	}
	f.Slots[SlotLayers] = ambient + `coatDirect *= 1.0 + colorF0 * (1.0 / max(coatBRDF.y, 0.001) - 1.0);
linear += coatDirect;
ambient = ambient * coatConservation + coatAmbient;
specularAmbient = specularAmbient * coatConservation + coatAmbient;`
	if m.Iridescence != nil {
		f.Dependencies = append(f.Dependencies, "pbr-iridescence")
	}
	return append(in.before(f), extent)
}

func (x *Clearcoat) uniforms(w material.Writer) {
	r := (or(x.IOR, 1.5) - 1) / (or(x.IOR, 1.5) + 1)
	w.Floats("coatParams", x.Factor, x.Roughness, or(x.NormalScale, 1), r*r)
	if x.Tint != nil {
		// Absorption per unit of path; a black channel absorbs all but 1e-6.
		var a [3]float64
		for i, c := range x.Tint {
			a[i] = -math.Log(max(c, 1e-6))
		}
		w.Floats("coatTint", a[0], a[1], a[2], or(x.TintThickness, 1))
	}
}
