package post

import (
	"fmt"
	"strings"

	"darkroom/composer"
	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// Lens is what decides how blurred a distance is. All but FStop are in
// thousandths of a scene unit, millimetres where the unit is a metre; zero
// values are Babylon.js's defaults.
type Lens struct {
	Size          float64 // zero means 50
	FStop         float64 // the aperture is Size / FStop; zero means 1.4
	FocusDistance float64 // from the camera; zero means 2000
	FocalLength   float64 // zero means 50
}

// Depth returns a depth target of the canvas's size times scale (zero means 1)
// that effects can read. The pass that draws into it must not be multisampled.
func Depth(name string, scale float64) *texture.Texture {
	clamp, nearest := composer.AddressClamp, composer.FilterNearest
	return &texture.Texture{
		Name: name, Format: composer.Depth32Float, Source: &texture.Target{Scale: scale},
		Sampler: texture.Sampler{AddressU: clamp, AddressV: clamp, AddressW: clamp, Mag: nearest, Min: nearest, Mip: nearest},
	}
}

// CircleOfConfusion shows how blurred each pixel is, 0 in focus to 1, from a
// depth that was drawn through camera (nil: the scene's) into a picture as
// large as the target: Demers 2004, "Depth of Field: A Survey of Techniques",
// as in Babylon.js, circleOfConfusion. From is not read.
func CircleOfConfusion(p Pass, depth *texture.Texture, camera *scenes.Camera, l Lens) *scenes.EffectPass {
	orElse(&l.Size, 50)
	orElse(&l.FStop, 1.4)
	orElse(&l.FocusDistance, 2000)
	orElse(&l.FocalLength, 50)
	scale := l.Size / l.FStop * l.FocalLength / (l.FocusDistance - l.FocalLength)
	p.From = depth
	settings := map[string][]float64{"size": {l.Size}, "fStop": {l.FStop}, "focusDistance": {l.FocusDistance}, "focalLength": {l.FocalLength}}
	out := p.effect("circleOfConfusion", settings, &effect.Effect{
		Values: []effect.Uniform{{Name: "lens", Type: "vec2<f32>", Value: []float64{l.FocusDistance, scale}}},
		Body:   confusionWGSL,
	})
	out.Camera = camera
	out.Material.(*effect.Effect).Textures["picture"] = effect.Input{Texture: depth, Type: "texture_depth_2d", Unfiltered: true}
	return out
}

// Clip z over view z undone: P is the projection's rows 2 and 3.
const confusionWGSL = `let d = textureLoad(picture, vec2<i32>(input.position.xy), 0);
let perspective = scene.projection[3].z / (d - scene.projection[2].z);
let parallel = (d - scene.projection[3].z) / scene.projection[2].z;
let distance = select(perspective, parallel, scene.projection[3].w == 1.0) * 1000.0;
color = vec4<f32>(vec3<f32>(clamp(abs(mesh.lens.y * (mesh.lens.x - distance) / distance), 0.0, 1.0)), 1.0);`

// Quality is how many blurs DepthOfField mixes.
type Quality int

// Qualities.
const (
	Low    Quality = iota // one blur, 15 pixels wide
	Medium                // two, 31 pixels
	High                  // three, 51 pixels
)

// DepthOfField blurs what is out of focus: one to three blurs, each half as
// large as the one before, weighted by the circle of confusion so that what is
// in focus does not bleed, and a mix of them by the circle of confusion.
// depth, camera and l are those of CircleOfConfusion.
func DepthOfField(p Pass, depth *texture.Texture, camera *scenes.Camera, l Lens, q Quality) []scenes.Task {
	q = min(max(q, Low), High)
	kernel := [...]float64{15, 31, 51}[q] / float64(int(1)<<q)
	confusion := Picture(p.Name+" confusion", composer.R16Float, p.scale())
	tasks := []scenes.Task{CircleOfConfusion(Pass{Name: confusion.Name, To: confusion}, depth, camera, l)}
	steps := []*texture.Texture{p.From}
	for i := range int(q) + 1 {
		half := func(name string, from *texture.Texture) Pass {
			name = fmt.Sprintf("%s %s %d", p.Name, name, i)
			return Pass{Name: name, From: from, To: Picture(name, p.format(), p.scale()*0.75/float64(int(1)<<i))}
		}
		down := half("down", steps[i])
		across := half("across", down.To)
		tasks = append(tasks, weightedBlur(down, confusion, [2]float64{0, 1}, kernel), weightedBlur(across, confusion, [2]float64{1, 0}, kernel))
		steps = append(steps, across.To)
	}
	return append(tasks, mixSteps(p, confusion, steps))
}

// weightedBlur is Blur with every tap but the centre weighted by its circle of
// confusion: Babylon.js, kernelBlur with DOF.
func weightedBlur(p Pass, confusion *texture.Texture, direction [2]float64, kernel float64) *scenes.EffectPass {
	all := taps(kernel)
	centre := all[len(all)-1]
	var b strings.Builder
	fmt.Fprintf(&b, "var weights = %.8f;\ncolor = textureSampleLevel(picture, pictureSampler, st, 0.0) * weights;\n", centre.weight)
	for _, t := range all[:len(all)-1] {
		fmt.Fprintf(&b, "{\nlet at = st + mesh.delta * %.8f;\nlet w = textureSampleLevel(confusion, confusionSampler, at, 0.0).r * %.8f;\n", t.offset, t.weight)
		b.WriteString("weights += w;\ncolor += textureSampleLevel(picture, pictureSampler, at, 0.0) * w;\n}\n")
	}
	b.WriteString("color /= weights;")
	settings := map[string][]float64{"direction": direction[:], "kernel": {kernel}}
	return p.effect("weightedBlur", settings, &effect.Effect{
		Textures: map[string]effect.Input{"confusion": {Texture: confusion}},
		Values:   []effect.Uniform{delta(direction)},
		Body:     b.String(),
	})
}

// stepEnds are the circles of confusion at which each blur alone is seen, by
// the number of blurs: Babylon.js, depthOfFieldMerge.
var stepEnds = [...][]float64{{1}, {0.5, 1}, {0.33, 0.66, 1}}

// mixSteps mixes neighbouring steps, from the sharp picture to the most blurred.
func mixSteps(p Pass, confusion *texture.Texture, steps []*texture.Texture) *scenes.EffectPass {
	in := map[string]effect.Input{"confusion": {Texture: confusion}}
	var b strings.Builder
	b.WriteString("let c = textureSampleLevel(confusion, confusionSampler, st, 0.0).r;\ncolor = textureSampleLevel(picture, pictureSampler, st, 0.0);\n")
	from := 0.0
	for i, end := range stepEnds[len(steps)-2] {
		name := fmt.Sprintf("blur%d", i)
		in[name] = effect.Input{Texture: steps[i+1]}
		fmt.Fprintf(&b, "color = mix(color, textureSampleLevel(%s, %sSampler, st, 0.0), clamp((c - %.2f) / %.2f, 0.0, 1.0));\n", name, name, from, end-from)
		from = end
	}
	return p.effect("mixSteps", nil, &effect.Effect{Textures: in, Body: b.String()})
}
