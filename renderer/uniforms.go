package renderer

import (
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/renderer/internal/gpu"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

// placedLight is a light with the world matrix of the node it hangs on.
type placedLight struct {
	light *scenes.Light
	world linalg.Mat4
}

// sceneGroup fills and binds group 0: the scene's uniforms and its lights.
func (x *Session) sceneGroup(v *view, lights []placedLight, at *attachments, ip material.ImageProcessing) (*gpu.BindGroup, error) {
	scene, err := x.sceneBlock(v, at, ip)
	if err != nil {
		return nil, err
	}
	lit, err := x.lightsBlock(v, lights)
	if err != nil {
		return nil, err
	}
	layout, err := x.r.pipelines.sceneLayout()
	if err != nil {
		return nil, err
	}
	sb, so, err := x.arena.add(scene)
	if err != nil {
		return nil, err
	}
	lb, lo, err := x.arena.add(lit)
	if err != nil {
		return nil, err
	}
	g, err := x.r.dev.CreateBindGroup(layout, []gpu.BindEntry{
		{Binding: 0, Buffer: sb, Offset: so, Size: uint64(len(scene))},
		{Binding: 1, Buffer: lb, Offset: lo, Size: uint64(len(lit))},
	})
	if err != nil {
		return nil, err
	}
	x.garbage = append(x.garbage, g)
	return g, nil
}

func (x *Session) sceneBlock(v *view, at *attachments, ip material.ImageProcessing) ([]byte, error) {
	u, err := composer.Layout(material.SceneFields(), nil)
	if err != nil {
		return nil, err
	}
	w := &writer{mesh: composer.NewUniformWriter(&u)}
	w.Set("viewProjection", v.viewProjection)
	w.Set("view", v.view)
	w.Set("projection", v.projection)
	w.Floats("vEyePosition", v.eye[0], v.eye[1], v.eye[2], 1)
	f := x.scene.Fog
	w.Floats("vFogInfos", float64(f.Mode), f.Start, f.End, f.Density)
	w.Floats("vFogColor", f.Color[0], f.Color[1], f.Color[2], 1)
	w.Floats("ambientColor", x.scene.Ambient[0], x.scene.Ambient[1], x.scene.Ambient[2], 1)
	w.Floats("screen", float64(at.width), float64(at.height), 1/float64(at.width), 1/float64(at.height))
	w.Floats("time", x.time, float64(x.frame), x.motion.before, 0)
	w.Set("environmentRotation", linalg.Identity())
	if e := x.scene.Environment; e != nil {
		w.Set("environmentRotation", linalg.RotationY(e.RotationY))
		size := 1.0
		if e.Specular != nil {
			if g, err := x.texture(e.Specular); err == nil {
				size = float64(g.width)
			}
		}
		intensity := e.Intensity
		w.Floats("environmentInfos", intensity, e.LodScale, size, 0)
		var sh [36]float64
		for i, c := range e.SH {
			copy(sh[i*4:], c[:])
		}
		w.Set("sphericalHarmonics", sh)
	}
	w.Floats("exposureLinear", orOne(ip.Exposure))
	w.Floats("contrast", orOne(ip.Contrast))
	tone := 0.0
	switch ip.ToneMapping {
	case material.ToneMapStandard:
		tone = 1
	case material.ToneMapACES:
		tone = 2
	case material.ToneMapNeutral:
		tone = 3
	}
	w.Floats("toneMapping", tone)
	w.Floats("lightingScale", 1)
	return w.mesh.Bytes(), w.err
}

func orOne(x float64) float64 {
	if x == 0 {
		return 1
	}
	return x
}

// lightStride is the size of Light in scene.wgsl: six vec4<f32>.
const lightStride = 6 * 16

func (x *Session) lightsBlock(v *view, lights []placedLight) ([]byte, error) {
	out := make([]float32, (16+material.MaxLights*lightStride)/4)
	out[0] = math.Float32frombits(uint32(len(lights)))
	for i, l := range lights {
		packLight(out[4+i*lightStride/4:], l, v)
	}
	return bytesOf(out), nil
}

// packLight writes the six vectors of Light for l.
func packLight(dst []float32, p placedLight, v *view) {
	l := p.light
	pos := p.world.TransformPoint(l.Position).Sub(v.origin)
	dir := p.world.TransformNormal(l.Direction)
	put := func(i int, a, b, c, d float64) {
		dst[i*4], dst[i*4+1], dst[i*4+2], dst[i*4+3] = float32(a), float32(b), float32(c), float32(d)
	}
	rng := l.Range
	if rng == 0 {
		rng = math.MaxFloat32 // Number.MAX_VALUE in the reference engine, clamped to a float32
	}
	n := dir.Normalize()
	switch l.Kind {
	case scenes.DirectionalLight:
		// The reference engine hands the direction on as it is; the shader normalises.
		put(0, dir[0], dir[1], dir[2], 1)
	case scenes.HemisphericLight:
		put(0, n[0], n[1], n[2], 3)
	default:
		put(0, pos[0], pos[1], pos[2], float64(l.Kind))
	}
	put(1, n[0], n[1], n[2], math.Cos(l.Angle*0.5))
	s := l.Intensity
	put(2, l.Diffuse[0]*s, l.Diffuse[1]*s, l.Diffuse[2]*s, rng)
	put(3, l.Specular[0]*s, l.Specular[1]*s, l.Specular[2]*s, l.Radius)
	put(4, l.Ground[0]*s, l.Ground[1]*s, l.Ground[2]*s, l.Exponent)
	// KHR_lights_punctual's angle scale and offset from the inner and outer cone.
	inner, outer := math.Cos(l.Inner*0.5), math.Cos(l.Angle*0.5)
	scale := 1 / math.Max(0.001, inner-outer)
	put(5, 1/(rng*rng), scale, -outer*scale, float64(l.Falloff))
}
