// Package ownscenes is a module of one's own with scenes that darkroom renders
// and judges. Copy the folder, change the module's name, write your scenes.
package ownscenes

import (
	"math"

	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// Catalogue lists the scenes.
func Catalogue() catalogue.Catalogue {
	return catalogue.Catalogue{{
		Name: "two-rings", Description: "two linked rings", Tags: []string{"example"}, Width: 320, Height: 180, MaxMAD: 0.1, Build: twoRings,
	}}
}

func twoRings(catalogue.Assets) (*scenes.Scene, error) {
	s := scenes.New("two-rings")
	s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, math.Pi/3, 5, linalg.Vec3{})
	s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
	ring, err := mesh.CreateTorus(mesh.TorusOptions{Diameter: 1.6, Thickness: 0.35, Tessellation: 48})
	if err != nil {
		return nil, err
	}
	s.Add(scenes.NewMesh("flat", ring, standard.Colored("red", 0.9, 0.25, 0.2)).At(-0.4, 0, 0))
	upright := scenes.NewMesh("upright", ring, standard.Colored("blue", 0.2, 0.4, 0.9)).At(0.4, 0, 0)
	upright.Rotation = linalg.Vec3{math.Pi / 2, 0, 0}
	s.Add(upright)
	return s, nil
}
