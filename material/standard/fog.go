package standard

import (
	"strings"

	"darkroom/composer"
)

func replace(code, sample, level string) string {
	return strings.NewReplacer("SAMPLE", sample, "LEVEL", level).Replace(code)
}

// Fog fades the colour by the distance from the eye: Babylon.js, fogFragment
// (E is 2.71828 there).
func Fog() *composer.Fragment {
	return &composer.Fragment{
		ID: "standard-fog",
		FragmentHelpers: `fn fogFactor(distance: f32) -> f32 {
    let mode = scene.vFogInfos.x;
    var factor = 1.0;
    if (mode == 3.0) {
        factor = (scene.vFogInfos.z - distance) / (scene.vFogInfos.z - scene.vFogInfos.y);
    } else if (mode == 1.0) {
        factor = 1.0 / pow(2.71828, distance * scene.vFogInfos.w);
    } else if (mode == 2.0) {
        factor = 1.0 / pow(2.71828, distance * distance * scene.vFogInfos.w * scene.vFogInfos.w);
    }
    return clamp(factor, 0.0, 1.0);
}`,
		Slots: map[composer.Slot]string{SlotColorComposed: `color = max(color, vec4<f32>(0.0));
color = vec4<f32>(mix(scene.vFogColor.rgb, color.rgb, fogFactor(length((scene.view * vec4<f32>(input.vPositionW, 1.0)).xyz))), color.a);`},
	}
}
