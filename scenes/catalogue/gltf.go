package catalogue

import (
	"math"

	"darkroom/material/pbr"
	"darkroom/scenes"
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
