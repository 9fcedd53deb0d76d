package standard

import (
	"strings"

	"darkroom/composer"
)

// coordinates are the code that finds the texture coordinate at for each
// mapping: Babylon.js, computeCubicCoords, computeSphericalCoords,
// computePlanarCoords and computeSkyBoxCoords.
var coordinates = map[ReflectionMapping]string{
	Cubic: "let at = reflect(-viewDirectionW, normalW);",
	Spherical: `let seen = normalize((scene.view * vec4<f32>(input.vPositionW, 1.0)).xyz);
let mirrored = reflect(seen, normalize((scene.view * vec4<f32>(normalW, 0.0)).xyz)) - vec3<f32>(0.0, 0.0, 1.0);
let at = mirrored.xy / (2.0 * length(mirrored)) + 0.5;`,
	Skybox: "let at = input.vSkyDirection;",
	Planar: "let mirrored = reflect(-viewDirectionW, normalW);\nlet at = vec2<f32>(mirrored.x, 1.0 - mirrored.y);",
}

// reflection looks up what the surface mirrors.
func (r *Reflection) fragment() *composer.Fragment {
	kind := "texture_2d<f32>"
	if r.Mapping == Cubic || r.Mapping == Skybox {
		kind = "texture_cube<f32>"
	}
	texel := "textureSample(reflectionTexture, reflectionTextureSampler, at).rgb"
	if f := string(r.Texture.GPUFormat()); strings.HasSuffix(f, "-srgb") || strings.Contains(f, "float") {
		texel = "pow(max(" + texel + ", vec3<f32>(0.0)), vec3<f32>(1.0 / 2.2))" // this family works in display space
	}
	f := &composer.Fragment{
		ID:     "standard-reflection",
		Fields: []composer.Field{{Name: "reflectionLevel", Type: "f32"}},
		Bindings: []composer.Binding{
			{Name: "reflectionTexture", Kind: composer.BindTexture, Type: kind, Visibility: composer.StageFragment},
			{Name: "reflectionTextureSampler", Kind: composer.BindSampler, Visibility: composer.StageFragment},
		},
		Slots: map[composer.Slot]string{composer.SlotMaterial: "{\n" + coordinates[r.Mapping] + "\nreflectionColor = " + texel + " * material.reflectionLevel;\n}"},
	}
	if r.Mapping == Skybox {
		f.Varyings = []composer.Varying{{Name: "vSkyDirection", Type: "vec3<f32>"}}
		f.Slots[composer.SlotVertexAfter] = "out.vSkyDirection = positionLocal;"
	}
	return f
}
