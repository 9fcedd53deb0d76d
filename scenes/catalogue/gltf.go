package catalogue

import (
	"math"

	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/scenes"
	"darkroom/scenes/env"
	"darkroom/scenes/gltf"
	"darkroom/scenes/linalg"
)

// fromGLTF is a scene that shows a glTF file.
func fromGLTF(name string, a Assets, path string) (*scenes.Scene, *gltf.Asset, error) {
	p, err := a.Path(path)
	if err != nil {
		return nil, nil, err
	}
	asset, err := gltf.Load(p, gltf.Options{})
	if err != nil {
		return nil, nil, err
	}
	s := scenes.New(name)
	asset.AddTo(s)
	return s, asset, nil
}

func xmpMetadataCube() *Entry {
	const name, model = "scene210-xmp-metadata-cube", "models/XmpMetadataRoundedCube.glb"
	return &Entry{
		Name: name, Description: "a glTF cube with XMP metadata and interleaved vertices",
		Tags: []string{"reference", "pbr", "gltf", "light"}, MaxMAD: 0.2, Source: "scenes/catalogue/gltf.go", Assets: []string{model},
		Build: func(a Assets) (*scenes.Scene, error) {
			s, _, err := fromGLTF(name, a, model)
			if err != nil {
				return nil, err
			}
			s.Camera = scenes.NewArcRotate("camera", -math.Pi/4, math.Pi/3, 48, linalg.Vec3{0, 9.95, 0}).Clip(1, 10000)
			s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
			return s, nil
		},
	}
}

func triangleWithoutIndices() *Entry {
	const name, model = "scene229-triangle-without-indices", "models/tutorial-2.0/TriangleWithoutIndices/TriangleWithoutIndices.gltf"
	return &Entry{
		Name: name, Description: "a glTF triangle without indices and without a material, unlit",
		Tags: []string{"reference", "pbr", "gltf"}, MaxMAD: 1, MaxRegionMAD: 0.05, NoiseMAD: 0.2975, Source: "scenes/catalogue/gltf.go", Assets: []string{model},
		Build: func(a Assets) (*scenes.Scene, error) {
			s, _, err := fromGLTF(name, a, model)
			if err != nil {
				return nil, err
			}
			err = s.Walk(func(n *scenes.Node, _ linalg.Mat4) error {
				if n.Mesh != nil {
					m := n.Mesh.Material.(*pbr.Material)
					m.Unlit, m.BaseColor = true, [4]float64{0.5, 0.5, 0.5, 1}
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			s.Camera = scenes.NewArcRotate("camera", math.Pi/2, math.Pi/2, 2.2, linalg.Vec3{0.5, 0.5, 0}).Clip(1, 10000)
			s.Camera.FOV = 0.7
			return s, nil
		},
	}
}

// generated is a scene of a file of the glTF asset generator under the
// reference engine's default environment.
func generated(e Entry, model string, frame func(s *scenes.Scene)) *Entry {
	e.Tags = append([]string{"reference", "pbr", "gltf", "environment"}, e.Tags...)
	e.Source, e.Assets = "scenes/catalogue/gltf.go", []string{model, environmentFile}
	e.Build = func(a Assets) (*scenes.Scene, error) {
		s, _, err := fromGLTF(e.Name, a, model)
		if err != nil {
			return nil, err
		}
		if err := lightByEnvironment(s, a); err != nil {
			return nil, err
		}
		frame(s)
		return s, nil
	}
	return &e
}

// lightByEnvironment sets the reference suite's environment and the image
// processing that goes with it.
func lightByEnvironment(s *scenes.Scene, a Assets) error {
	p, err := a.Path(environmentFile)
	if err != nil {
		return err
	}
	s.ImageProcessing = material.ImageProcessing{Exposure: 0.8, Contrast: 1.2, ToneMapping: material.ToneMapStandard}
	s.Environment, err = env.Load(p)
	return err
}

func signedAccessorAnimation() *Entry {
	return generated(Entry{
		Name: "scene254-signed-accessor-animation", Description: "rotation keys in signed bytes, seen at 2 s", Time: 2,
		Tags: []string{"animation", "light"}, MaxMAD: 0.15, MaxRegionMAD: 0.5,
	}, "gltf-assets/Animation_SamplerType/Animation_SamplerType_01.gltf", func(s *scenes.Scene) {
		s.Camera = scenes.NewArcRotate("camera", math.Pi/4, math.Pi/3, 1.6, linalg.Vec3{}).Clip(0.01, 10000)
		s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
	})
}

func skinWeightsByte() *Entry {
	return generated(Entry{
		Name: "scene255-skin-weights-byte", Description: "a skinned plane with weights in bytes, seen at 1 s", Time: 1,
		Tags: []string{"animation", "skin"}, MaxMAD: 0.1, MaxRegionMAD: 0.5,
	}, "gltf-assets/Animation_SkinType/Animation_SkinType_01.gltf", func(s *scenes.Scene) {
		s.Camera = scenes.NewArcRotate("camera", 0.87606, math.Pi/2, 0.78102, linalg.Vec3{}).Clip(0.01, 10000)
	})
}

func negativeNodeScale() *Entry {
	return generated(Entry{
		Name: "scene257-negative-node-scale", Description: "a shape beside its mirror image",
		MaxMAD: 0.1, MaxRegionMAD: 0.5,
	}, "gltf-assets/Node_NegativeScale/Node_NegativeScale_01.gltf", func(s *scenes.Scene) {
		s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, math.Pi/4, math.Sqrt(800), linalg.Vec3{}).Clip(1, 1000)
	})
}

func interleavedUV() *Entry {
	return generated(Entry{
		Name: "scene258-interleaved-uv", Description: "interleaved vertices with texture coordinates in bytes",
		Tags: []string{"texture"}, MaxMAD: 0.1, MaxRegionMAD: 0.5,
	}, "gltf-assets/Buffer_Interleaved/Buffer_Interleaved_03.gltf", plane)
}

func materialEmissive() *Entry {
	return generated(Entry{
		Name: "scene259-material-emissive", Description: "a plane that glows white without an emissive texture",
		MaxMAD: 0.1, MaxRegionMAD: 0.3,
	}, "gltf-assets/Material/Material_03.gltf", plane)
}

func triangleStrip() *Entry {
	return generated(Entry{
		Name: "scene260-triangle-strip", Description: "a plane drawn as a triangle strip",
		MaxMAD: 0.1, MaxRegionMAD: 0.5,
	}, "gltf-assets/Mesh_PrimitiveMode/Mesh_PrimitiveMode_11.gltf", plane)
}

// plane looks at the generator's planes as its manifest says.
func plane(s *scenes.Scene) {
	s.Camera = scenes.NewArcRotate("camera", math.Pi/2, math.Pi/2, 1.3, linalg.Vec3{}).Clip(0.01, 10000)
}
