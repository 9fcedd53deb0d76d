package pbr

import (
	"math"

	"darkroom/composer"
	"darkroom/material"
)

// fragments give the body under the surface its thickness in scene units: that
// of KHR_materials_volume grows with the mesh.
func (v *Volume) fragments(c *material.Context) []*composer.Fragment {
	in := &inputs{c: c}
	f := &composer.Fragment{
		ID:     "pbr-volume",
		Fields: []composer.Field{{Name: "volumeParams", Type: "vec4<f32>"}, {Name: "volumeDistance", Type: "vec4<f32>"}}, // absorption per unit, thickness; reach of scattered light
		Slots: map[composer.Slot]string{
			composer.SlotMaterial: "let thickness = material.volumeParams.w * " + in.texel(v.ThicknessTexture, "thicknessTexture", "g", "1.0") +
				" * max(length(mesh.world[0].xyz), max(length(mesh.world[1].xyz), length(mesh.world[2].xyz)));",
		},
	}
	return in.before(f)
}

func (v *Volume) uniforms(w material.Writer) {
	// Beer's law takes the attenuation colour as what is left after the
	// attenuation distance; scattered light reaches as far as their product:
	// Babylon.js, diffusionDistance.
	var absorption [3]float64
	reach := [3]float64{1e30, 1e30, 1e30} // everywhere
	if d := v.AttenuationDistance; d > 0 && d < 1e30 {
		for i, c := range v.AttenuationColor {
			absorption[i] = -math.Log(max(c, 1e-6)) / d
			reach[i] = max(c*d, 1e-7)
		}
	}
	w.Floats("volumeParams", absorption[0], absorption[1], absorption[2], v.Thickness)
	w.Floats("volumeDistance", reach[0], reach[1], reach[2], 0)
}
