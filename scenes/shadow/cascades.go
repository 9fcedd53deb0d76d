package shadow

import (
	"fmt"
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

// maxCascades is the number of cascades that the receiver's uniforms hold.
const maxCascades = 4

// Cascades are shadow maps of a directional light over slices of the camera's
// frustum: Zhang et al. 2006, "Parallel-Split Shadow Maps", as Babylon.js's
// CascadedShadowGenerator fits them.
type Cascades struct {
	Options
	Light   *scenes.Light
	Casters []*scenes.Node
	Count   int     // zero means 4
	Lambda  float64 // 0 uniform splits, 1 logarithmic; CSM sets 0.5
	// Blend is the part of a slice that fades into the next; CSM sets 0.1.
	Blend float64
	// Stable fits a sphere about each slice, so that shadows do not swim when
	// the camera turns.
	Stable bool
	// MaxDistance ends the shadows before the camera's far plane; zero: there.
	MaxDistance float64

	depth  *texture.Texture
	passes []*scenes.ScenePass
	info   *material.Buffer
	index  int
}

// CSM returns cascades with the reference engine's defaults.
func CSM(l *scenes.Light, o Options, casters ...*scenes.Node) (*Cascades, error) {
	if l.Kind != scenes.DirectionalLight {
		return nil, fmt.Errorf("light %s: only directional lights have cascaded shadows", l.Name)
	}
	o.defaults(l)
	return &Cascades{Options: o, Light: l, Casters: casters, Count: maxCascades, Lambda: 0.5, Blend: 0.1}, nil
}

// AddTo hooks the cascades into a scene.
func (k *Cascades) AddTo(s *scenes.Scene) error {
	if k.Count < 2 || k.Count > maxCascades {
		return fmt.Errorf("light %s: %d cascades, want 2 to %d", k.Light.Name, k.Count, maxCascades)
	}
	i, err := lightIndex(s, k.Light)
	if err != nil {
		return err
	}
	k.index = i
	k.depth = depthTexture("cascades "+k.Light.Name, k.Size, k.Count)
	k.info = &material.Buffer{Name: "cascades " + k.Light.Name}
	for c := range k.Count {
		p := casterPass(fmt.Sprintf("cascade %d %s", c, k.Light.Name), k.depth, c, k.Casters)
		k.passes = append(k.passes, p)
		s.Before = append(s.Before, p)
	}
	s.Features = append(s.Features, k)
	s.Updaters = append(s.Updaters, k)
	return nil
}

// splits are the far ends of the slices in view space, and their lengths.
func (k *Cascades) splits(near, far float64) (ends, lengths []float64) {
	end := far
	if k.MaxDistance > near && k.MaxDistance < far {
		end = k.MaxDistance
	}
	previous := near
	for i := range k.Count {
		p := float64(i+1) / float64(k.Count)
		logarithmic := near * math.Pow(end/near, p)
		uniform := near + (end-near)*p
		d := k.Lambda*(logarithmic-uniform) + uniform
		ends = append(ends, d)
		lengths = append(lengths, d-previous)
		previous = d
	}
	lengths[0] = ends[0] - near
	return ends, lengths
}

// Update implements scenes.Updater: it fits every cascade to its slice.
func (k *Cascades) Update(s *scenes.Scene, width, height int) error {
	cam := s.Camera
	if cam == nil || cam.Rig == nil {
		return fmt.Errorf("scene %s: cascaded shadows need a camera", s.Name)
	}
	projection, err := cam.Projection(float64(width)/float64(height), false)
	if err != nil {
		return err
	}
	round := func(m linalg.Mat4) linalg.Mat4 {
		if s.LargeWorld {
			return m
		}
		// The engine keeps matrices in single precision, in which a far plane
		// thousands of times the near one comes back displaced; the slices, and the
		// maps' texels with them, lie where that puts them.
		return m.Round32()
	}
	inverse, ok := round(round(projection).Mul(round(cam.Rig.View()))).Inverse()
	inverse = round(inverse)
	if !ok {
		return fmt.Errorf("scene %s: camera %s cannot be inverted", s.Name, cam.Name)
	}
	box, err := castersIn(s, k.Casters, linalg.Identity())
	if err != nil {
		return err
	}
	ends, lengths := k.splits(cam.Near, cam.Far)
	share := func(d float64) float64 { return (d - cam.Near) / (cam.Far - cam.Near) }
	var data []byte
	from := 0.0
	for c := range maxCascades {
		if c >= k.Count {
			data = pack(data, make([]float64, 16)...)
			continue
		}
		to := share(ends[c])
		view, fit, eye := k.fit(inverse, from, to, box, round)
		point(k.passes[c], view, fit, eye, k.Bias)
		m := receiver(s, fit.Mul(view))
		data = pack(data, m[:]...)
		from = to
	}
	pad := func(v []float64) []float64 { return append(v, make([]float64, maxCascades-len(v))...) }
	data = pack(data, pad(ends)...)
	data = pack(data, pad(lengths)...)
	data = pack(data, k.Darkness, float64(k.Size), 1/float64(k.Size), k.EdgeFalloff)
	blend := k.Blend
	if blend == 0 {
		blend = 1e-7
	}
	k.info.Data = pack(data, float64(k.Count), 1/blend, 0, 0)
	k.info.Version++
	return nil
}

// fit places an orthographic view about the slice of the frustum between two
// shares of its depth.
func (k *Cascades) fit(inverse linalg.Mat4, from, to float64, casters linalg.AABB, round func(linalg.Mat4) linalg.Mat4) (view, projection linalg.Mat4, eye linalg.Vec3) {
	var corners [8]linalg.Vec3
	var centre linalg.Vec3
	for i, xy := range [4][2]float64{{-1, 1}, {1, 1}, {1, -1}, {-1, -1}} {
		near := inverse.TransformPoint(linalg.Vec3{xy[0], xy[1], 0})
		ray := inverse.TransformPoint(linalg.Vec3{xy[0], xy[1], 1}).Sub(near)
		corners[i], corners[i+4] = near.Add(ray.Scale(from)), near.Add(ray.Scale(to))
		centre = centre.Add(corners[i]).Add(corners[i+4])
	}
	centre = centre.Scale(1.0 / 8)
	direction := k.Light.Direction.Normalize()
	box := linalg.EmptyAABB()
	if k.Stable {
		radius := 0.0
		for _, c := range corners {
			radius = math.Max(radius, c.Distance(centre))
		}
		radius = math.Ceil(radius*16) / 16
		box = linalg.AABB{Min: linalg.Vec3{-radius, -radius, -radius}, Max: linalg.Vec3{radius, radius, radius}}
	} else {
		v := round(lightView(centre, direction))
		for _, c := range corners {
			box = box.Extend(v.TransformPoint(c))
		}
	}
	eye = centre.Add(direction.Scale(box.Min[2]))
	view = round(lightView(eye, direction))
	near, far := 0.0, box.Max[2]-box.Min[2]
	// Depth reaches back to every caster, and no further than the last one.
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range casters.Corners() {
		z := view.TransformPoint(c)[2]
		low, high = math.Min(low, z), math.Max(high, z)
	}
	if low <= far {
		near, far = math.Min(near, low), math.Min(far, high)
	}
	projection = round(linalg.OrthoOffCenterLH(box.Min[0], box.Max[0], box.Min[1], box.Max[1], near, far, true))
	// The world's origin is kept on the grid of texels, so that edges do not crawl.
	origin := round(projection.Mul(view)).TransformPoint(linalg.Vec3{})
	half := float64(k.Size) / 2
	snap := func(x float64) float64 { return (math.Round(x*half) - x*half) / half }
	return view, linalg.Translation(linalg.Vec3{snap(origin[0]), snap(origin[1]), 0}).Mul(projection), eye
}

// Fragments implements material.Feature.
func (k *Cascades) Fragments(c *material.Context) []*composer.Fragment {
	if !c.ReceiveShadows || c.DepthOnly {
		return nil
	}
	tag := fmt.Sprint(k.index)
	return []*composer.Fragment{{
		ID:       "shadow-cascades-" + tag,
		Requires: []*composer.Fragment{pcfHelper()},
		Structs: []composer.Struct{{Name: "CascadeInfo", Fields: []composer.Field{
			{Name: "transforms", Type: "array<mat4x4<f32>, 4>"}, {Name: "splits", Type: "vec4<f32>"}, {Name: "lengths", Type: "vec4<f32>"},
			{Name: "info", Type: "vec4<f32>"}, {Name: "params", Type: "vec4<f32>"},
		}}},
		Bindings:        shadowBindings(tag, "texture_depth_2d_array", "CascadeInfo"),
		FragmentHelpers: replaceTag(cascadesWGSL, tag),
		Slots:           map[composer.Slot]string{slotLightShadow: "if (i == " + tag + "u) { shadow = shadowOf" + tag + "(input.vPositionW); }"},
	}}
}

// Uniforms implements material.Feature.
func (k *Cascades) Uniforms(*material.Context, material.Writer) error { return nil }

// Resources implements material.Feature.
func (k *Cascades) Resources(c *material.Context, r material.Resources) error {
	tag := fmt.Sprint(k.index)
	r.Texture("shadowMap"+tag, k.depth)
	r.Buffer("shadowInfo"+tag, k.info)
	return nil
}

// Tasks are the passes that draw the cascades, once they are in a scene.
func (k *Cascades) Tasks() []scenes.Task {
	out := make([]scenes.Task, len(k.passes))
	for i, p := range k.passes {
		out[i] = p
	}
	return out
}
