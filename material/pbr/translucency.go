package pbr

import (
	_ "embed"

	"darkroom/composer"
	"darkroom/material"
)

//go:embed translucency.wgsl
var translucencyWGSL string

// fragments let light from behind through, scattered
// (KHR_materials_diffuse_transmission): the diffuse reflection gives way to the
// light that falls on the other side, weakened by the thickness of the volume
// as in Christensen and Burley 2015, "Approximate Reflectance Profiles for
// Efficient Subsurface Scattering"; Babylon.js, SS_TRANSLUCENCY.
func (x *DiffuseTransmission) fragments(c *material.Context, m *Material) []*composer.Fragment {
	in := &inputs{c: c}
	f := &composer.Fragment{
		ID: "pbr-translucency", FragmentHelpers: translucencyWGSL,
		Fields: []composer.Field{{Name: "translucencyParams", Type: "vec4<f32>"}}, // colour, factor
		Slots: map[composer.Slot]string{
			// A hemispheric light is on both sides.
			SlotLight: `diffuseTerm *= select(1.0 - translucent, 1.0, info.hemispheric == 1.0);
layerTerm += translucentColor * wrappedFromBehind(info.NdotLUnclamped) * info.attenuation * light.diffuse.rgb * (1.0 / PI);`,
		},
	}
	weakened := "vec3<f32>(1.0)"
	if m.Volume != nil {
		weakened = "scatteredThrough(material.volumeDistance.rgb, thickness)"
		f.Dependencies = append(f.Dependencies, "pbr-volume")
	}
	f.Slots[composer.SlotMaterial] = "let translucent = clamp(material.translucencyParams.w * " + in.texel(x.Texture, "diffuseTransmissionTexture", "a", "1.0") + ", 0.0, 1.0);\n" +
		"let translucentColor = material.translucencyParams.rgb * " + in.texel(x.ColorTexture, "diffuseTransmissionColorTexture", "rgb", "1.0") + " * " + weakened + " * translucent;"
	if c.Environment != nil {
		f.Dependencies = append(f.Dependencies, "pbr-ibl")
		f.Slots[composer.SlotAmbient] = `diffuseAmbient *= 1.0 - translucent;
layersAmbient += environmentIrradiance(-environmentDirection(irradianceNormal)) * scene.environmentInfos.x * translucentColor * occlusion;`
	}
	return in.before(f)
}
