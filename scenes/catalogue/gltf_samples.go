package catalogue

import (
	"math"

	"darkroom/scenes"
	"darkroom/scenes/gltf"
	"darkroom/scenes/linalg"
)

// sampled is a reference scene of one of Khronos's sample models, by its copy
// in another suite where that is the same model. (The copies of ClearCoatTest
// and SheenCloth, scenes 28 and 29, are not: their textures were scaled down.)
// The camera is framed automatically and turned to the front, unless the scene
// gives one.
func sampled(e Entry, model string, camera *scenes.Camera) *Entry {
	e.Tags = append([]string{"reference", "pbr", "gltf", "environment"}, e.Tags...)
	e.Source, e.Assets = "scenes/catalogue/gltf_samples.go", []string{model, environmentFile}
	e.Build = func(a Assets) (*scenes.Scene, error) {
		s, asset, err := fromGLTF(e.Name, a, model)
		if err != nil {
			return nil, err
		}
		if err := lightByEnvironment(s, a); err != nil {
			return nil, err
		}
		if s.Camera = camera; camera == nil {
			s.Camera = gltf.AutoFrame(asset.Bounds)
			s.Camera.Rig.(*scenes.ArcRotate).Alpha += math.Pi
		}
		return s, nil
	}
	return &e
}

// front is the camera that the reference suite's sample scenes share: it looks
// from +Z at a distance.
func front(radius float64, target linalg.Vec3) *scenes.Camera {
	return scenes.NewArcRotate("camera", 1.5707963, 1.5707963, radius, target).Clip(radius*0.01, radius*1000)
}

func unlitSample() *Entry {
	return sampled(Entry{
		Name: "scene32-unlit", Description: "unlit materials", MaxMAD: 0.01,
	}, "models/draco-testdata/UnlitTest/glTF/UnlitTest.gltf", nil)
}

func instancingSample() *Entry {
	return sampled(Entry{
		Name: "scene35-gltf-instancing", Description: "instances of EXT_mesh_gpu_instancing",
		Tags: []string{"instances"}, MaxMAD: 0.02,
	}, "models/playcanvas/simple-instancing.glb", nil)
}

func animatedTriangleSample() *Entry {
	return sampled(Entry{
		Name: "scene240-animated-triangle", Description: "a triangle that turns, seen at 0.5 s", Time: 0.5,
		Tags: []string{"animation"}, MaxMAD: 0.2,
	}, "models/tutorial-2.0/AnimatedTriangle/AnimatedTriangle.gltf", front(2.12, linalg.Vec3{-0.5, 0.5, 0}))
}

func morphStressSample() *Entry {
	return sampled(Entry{
		Name: "scene243-morph-stress-test", Description: "eight morph targets under animation, seen at 1 s", Time: 1,
		Tags: []string{"animation", "morph"}, MaxMAD: 0.2,
	}, "models/playcanvas/morph-stress-test.glb", front(6.25, linalg.Vec3{0, 0.2, 0}))
}

func simpleSkinSample() *Entry {
	return sampled(Entry{
		Name: "scene246-simple-skin", Description: "a strip bent by two joints, seen at 1 s", Time: 1,
		Tags: []string{"animation", "skin"}, MaxMAD: 0.2,
	}, "models/draco-testdata/simple_skin.gltf", front(3.35, linalg.Vec3{0, 1, 0}))
}

func textureSettingsSample() *Entry {
	return sampled(Entry{
		Name: "scene248-texture-settings-test", Description: "wrap modes, filters and sides of textures",
		Tags: []string{"texture"}, MaxMAD: 0.2,
	}, "models/draco-testdata/TextureSettingsTest/glTF/TextureSettingsTest.gltf", front(21.64, linalg.Vec3{0, -0.583, -0.025}))
}
