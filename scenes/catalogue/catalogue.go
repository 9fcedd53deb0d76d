// Package catalogue lists the project's scenes. The list is explicit; a scene
// is one file, which says what the picture shows and within what limits it
// must agree with the reference.
package catalogue

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"darkroom/material"
	"darkroom/scenes"
)

// Entry is a scene of the catalogue.
type Entry struct {
	Name        string
	Description string
	Tags        []string
	// Build makes the scene. It may read third-party files through a.
	Build func(a Assets) (*scenes.Scene, error)
	// Width and Height of the picture in pixels; zero means 1280 × 720.
	Width, Height int
	// Time of the picture in seconds.
	Time float64
	// MaxMAD is the largest mean absolute difference (0…255) from the
	// reference, MaxRegionMAD that over the pixels that are not background;
	// zero means no limit on the region.
	MaxMAD, MaxRegionMAD float64
	// Masked says that the reference's captures show a backdrop that this scene
	// lacks: against them its pixels count as equal.
	Masked bool
	// NoiseMAD is how far two captures of the reference differ from each other,
	// and CPUMAD how far the reference engine itself, drawn on a CPU driver, is
	// from its GPU capture. A scene is judged by the largest that applies.
	NoiseMAD, CPUMAD float64
	// MayBeBlank says that a picture of one colour is no fault.
	MayBeBlank bool
	// Assets are the third-party files that the scene needs.
	Assets []string
	// VariantOf is the scene whose reference capture this one must equal, where
	// it is drawn another way.
	VariantOf string
	// Source is the file that describes the scene, from the repository's root.
	Source string
}

// Limit is the largest MAD from the reference on an adapter of the given type.
func (e *Entry) Limit(adapterType string) float64 {
	l := max(e.MaxMAD, e.NoiseMAD)
	if adapterType == "cpu" {
		l = max(l, e.CPUMAD)
	}
	return l
}

// HasTag reports whether the entry carries the tag.
func (e *Entry) HasTag(tag string) bool {
	for _, t := range e.Tags {
		if t == tag {
			return true
		}
	}
	return false
}

// ErrNoAsset is returned where a third-party file is not on this machine.
var ErrNoAsset = errors.New("asset not found")

// Assets finds third-party files: a list of folders, searched in order.
type Assets []string

// Path returns where the named file is (a slash-separated path).
func (a Assets) Path(name string) (string, error) {
	for _, dir := range a {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if st, err := os.Stat(p); err == nil && !st.IsDir() {
			return p, nil
		}
	}
	if len(a) == 0 {
		return "", fmt.Errorf("%w: %s; name its folder with --assets or DARKROOM_ASSETS", ErrNoAsset, name)
	}
	return "", fmt.Errorf("%w: %s is in none of %s", ErrNoAsset, name, strings.Join(a, ", "))
}

// ErrUnknown is returned for a name that the catalogue does not have.
var ErrUnknown = errors.New("unknown scene")

// Catalogue is a list of scenes.
type Catalogue []*Entry

// Find returns the scene called name, or an error that suggests the nearest names.
func (c Catalogue) Find(name string) (*Entry, error) {
	for _, e := range c {
		if e.Name == name {
			return e, nil
		}
	}
	var near []string
	for _, e := range c {
		if strings.Contains(e.Name, name) || strings.HasPrefix(e.Name, name+"-") {
			near = append(near, e.Name)
		}
	}
	if len(near) == 0 {
		best := append(Catalogue(nil), c...)
		sort.SliceStable(best, func(i, j int) bool { return distance(best[i].Name, name) < distance(best[j].Name, name) })
		for _, e := range best[:min(3, len(best))] {
			near = append(near, e.Name)
		}
	}
	return nil, fmt.Errorf("%w %q; did you mean %s? (render list prints all)", ErrUnknown, name, strings.Join(near, ", "))
}

// Select returns the named scenes in the catalogue's order, all where names is
// empty. A name may be a pattern with * and ?.
func (c Catalogue) Select(names ...string) (Catalogue, error) {
	if len(names) == 0 {
		return c, nil
	}
	want := map[string]bool{}
	for _, n := range names {
		if strings.ContainsAny(n, "*?[") {
			hit := false
			for _, e := range c {
				ok, err := filepath.Match(n, e.Name)
				if err != nil {
					return nil, fmt.Errorf("pattern %q: %w; * stands for any text, ? for one character", n, err)
				}
				if ok {
					want[e.Name], hit = true, true
				}
			}
			if !hit {
				return nil, fmt.Errorf("%w: no scene matches %q; render list prints all", ErrUnknown, n)
			}
			continue
		}
		e, err := c.Find(n)
		if err != nil {
			return nil, err
		}
		want[e.Name] = true
	}
	var out Catalogue
	for _, e := range c {
		if want[e.Name] {
			out = append(out, e)
		}
	}
	return out, nil
}

// distance is the Levenshtein distance of two names.
func distance(a, b string) int {
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range len(a) {
		diag := prev[0]
		prev[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = prev[j+1]
			prev[j+1] = min(cost, prev[j]+1, prev[j+1]+1)
		}
	}
	return prev[len(b)]
}

// All returns the project's scenes.
func All() Catalogue {
	return Catalogue{
		sphere(), specularGlossinessSphere(), pbrRough(), spotlights(), emissiveGrid(), anisotropicMirror(), builders(),
		thinInstances(), unlitSample(), instancingSample(), parametricProximity(), effectRenderer(), effectRTTSphere(), effectTexture(), rttOverride(), depthPreviews(), postProcessViewports(),
		manualXSlide(), manualTransform(), stepTime(), weightedBlend(), crossFade(),
		shaderBasic(), shaderTexture(), shaderUniform(), shaderDefines(), shaderAlpha(), shaderInstances(false), shaderInstances(true), pbrIridescence(),
		jitterOff(), jitterOn(), farPointLight(), farSpotLight(), farInstances(), farShadows(), xmpMetadataCube(), gridMaterial(), cascadedShadows(), cascadedShadowsPBR(), pbrFog(), materialPlugin(), geospatialCamera(), sharedCanvas(0), sharedCanvas(1), separateCanvas(0), separateCanvas(1), triangleWithoutIndices(), animatedTriangleSample(), morphStressSample(), simpleSkinSample(), textureSettingsSample(), standardMorph(),
		signedAccessorAnimation(), skinWeightsByte(), negativeNodeScale(), interleavedUV(), materialEmissive(), triangleStrip(), temporalAntiAliasing(),
		ownShadowPerforated(), ownShadowBlurred(), ownShadowBox(), ownShadowClose(), ownShadowSpot(),
		ownAlpha(), ownBump(), ownFog(scenes.FogExp, "exp"), ownFog(scenes.FogExp2, "exp2"), ownFog(scenes.FogLinear, "linear"), ownLightInclusion(), ownLightmap(), ownReflection(), ownStencil(), ownTextureTransform(), ownTextures(),
		ownLightsPBR(2), ownLightsStandard(2), ownLightsPBR(4), ownLightsStandard(4), ownCameras(), ownCubeFiles(), ownTerrain(), ownMirroredHierarchy(), ownShadowCasters(), ownSkinEight(), ownBakedCrowd(), ownSkinVelocity(), ownCulledInstances(), ownSurfacesPBR(), ownSurfacesStandard(),
		ownBloom(), ownCircleOfConfusion(), ownDepthOfField(), ownImageProcessing(), ownSharpen(),
		ownClearcoat(), ownSheen(), ownAnisotropy(), ownTransmission(), ownTranslucency(), ownLayers(),
		ownPBRTextures(), ownPBRSpecular(), ownPBRAlpha(), ownPBRMesh(), ownPBRIridescence(), ownPBRLights(),
		ownTone("aces", material.ToneMapACES, 1.4, 1.2), ownTone("neutral", material.ToneMapNeutral, 1.2, 0.8), ownTone("off", material.ToneMapOff, 0.7, 1.5), ownTone("standard", material.ToneMapStandard, 1.6, 0.7),
		ownEnvironmentTurned(), ownEnvironmentHDR(), ownEnvironmentDDS(),
		ownColumn(),
		ownShaderBlendModes(), ownShaderModel(), ownShaderOutputs(), ownShaderSampleTypes(), ownShaderStencil(), ownShaderStencilOperations(), ownShaderTopologies(), ownPluginGltf(), ownVideo(0), ownVideo(1), ownVideo(2),
	}
}
