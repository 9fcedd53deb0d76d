package shadow

import (
	_ "embed"
	"strings"

	"darkroom/composer"
)

//go:embed pcf.wgsl
var pcfWGSL string

//go:embed pcf_light.wgsl
var pcfLightWGSL string

//go:embed exponential.wgsl
var exponentialWGSL string

//go:embed caster.frag.wgsl
var casterWGSL string

//go:embed boxblur.wgsl
var boxBlurWGSL string

//go:embed cascades.wgsl
var cascadesWGSL string

// pcfHelper are the weights and taps that every filtered map shares.
func pcfHelper() *composer.Fragment {
	return &composer.Fragment{ID: "shadow-pcf", FragmentHelpers: pcfWGSL}
}

// replaceTag makes the names in wgsl those of one light.
func replaceTag(wgsl, tag string) string { return strings.ReplaceAll(wgsl, "TAG", tag) }
