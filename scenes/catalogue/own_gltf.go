package catalogue

import (
	"math"

	"darkroom/scenes"
	"darkroom/scenes/gltf"
	"darkroom/scenes/gltf/sample"
	"darkroom/scenes/linalg"
)

func ownColumn() *Entry {
	return &Entry{
		Name: "own-gltf-column", Description: "a textured, skinned, animated glTF file of the project's own, seen at 0.4 s", Time: 0.4,
		Tags: []string{"own", "pbr", "gltf", "skin", "animation"}, MaxMAD: 0.1, Source: "scenes/catalogue/own_gltf.go",
		Build: func(Assets) (*scenes.Scene, error) {
			return columnScene("own-gltf-column", 6, 1.4)
		},
	}
}

// columnScene is the project's own glTF file under a sky and a sun, seen from a
// distance at a height.
func columnScene(name string, distance, height float64) (*scenes.Scene, error) {
	data, err := sample.Column()
	if err != nil {
		return nil, err
	}
	asset, err := gltf.LoadBytes(data, gltf.Options{Name: "column.glb"})
	if err != nil {
		return nil, err
	}
	s := scenes.New(name)
	asset.AddTo(s)
	s.Camera = scenes.NewArcRotate("camera", -math.Pi/3, math.Pi/2.6, distance, linalg.Vec3{0, height, 0})
	sky := scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0})
	sky.Intensity = 0.5
	sun := scenes.Directional("sun", linalg.Vec3{0.4, -1, 0.6})
	sun.Intensity = 2
	s.AddLight(sky, sun)
	return s, nil
}
