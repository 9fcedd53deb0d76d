package catalogue

import (
	"math"

	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

func builders() *Entry {
	return &Entry{
		Name: "scene38-procedural-builders", Description: "cylinder, cone, plane, disc, arc, icosahedron, ribbon, tube and two extrusions",
		Tags: []string{"reference", "standard", "geometry"}, MaxMAD: 0.02, Source: "scenes/catalogue/scene38_procedural_builders.go",
		Build: buildBuilders,
	}
}

func buildBuilders(Assets) (*scenes.Scene, error) {
	s := scenes.New("scene38-procedural-builders")
	s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, math.Pi/3, 14, linalg.Vec3{}).Clip(0.5, 1000)
	sky := scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0})
	sky.Intensity = 0.7
	sun := scenes.Directional("sun", linalg.Vec3{-0.5, -1, 0.3})
	sun.Diffuse = scenes.Color3{0.9, 0.9, 0.9}
	s.AddLight(sky, sun)

	var failed error
	place := func(name string, g *mesh.Geometry, err error, r, gr, b, x, y float64) {
		if err != nil {
			if failed == nil {
				failed = err
			}
			return
		}
		s.Add(scenes.NewMesh(name, g, standard.Colored(name, r, gr, b)).At(x, y, 0))
	}
	g, err := mesh.CreateCylinder(mesh.CylinderOptions{Height: 2, Diameter: 1, Tessellation: 24})
	place("cylinder", g, err, 0.8, 0.3, 0.3, -6, 0)
	g, err = mesh.CreateCylinder(mesh.CylinderOptions{Height: 2, DiameterTop: new(0.0), DiameterBottom: new(1.2), Tessellation: 24})
	place("cone", g, err, 0.9, 0.6, 0.2, -4, 0)
	g, err = mesh.CreatePlane(mesh.PlaneOptions{Size: 1.5})
	place("plane", g, err, 0.2, 0.7, 0.3, -2, 0)
	g, err = mesh.CreateDisc(mesh.DiscOptions{Radius: 0.9, Tessellation: 32})
	place("disc", g, err, 0.3, 0.3, 0.85, 0, 0)
	g, err = mesh.CreateDisc(mesh.DiscOptions{Radius: 0.9, Tessellation: 48, Arc: 0.7})
	place("arc", g, err, 0.85, 0.3, 0.85, 2, 0)
	g, err = mesh.CreatePolyhedron(mesh.PolyhedronOptions{Type: 3, Size: 0.8})
	place("icosahedron", g, err, 0.3, 0.85, 0.85, 4, 0)

	var paths [][]linalg.Vec3
	for p := range 3 {
		var row []linalg.Vec3
		for i := range 16 {
			t := float64(i) / 15
			row = append(row, linalg.Vec3{t*1.5 - 0.75, math.Sin(t*math.Pi*2) * 0.15, float64(p-1) * 0.3})
		}
		paths = append(paths, row)
	}
	g, err = mesh.CreateRibbon(mesh.RibbonOptions{PathArray: paths})
	place("ribbon", g, err, 0.85, 0.85, 0.3, 6, 0)

	var helix []linalg.Vec3
	for i := range 24 {
		t := float64(i) / 23
		helix = append(helix, linalg.Vec3{math.Cos(t*math.Pi*2) * 0.5, t*1.5 - 0.75, math.Sin(t*math.Pi*2) * 0.5})
	}
	g, err = mesh.CreateTube(mesh.TubeOptions{Path: helix, Radius: 0.1, Tessellation: 16})
	place("tube", g, err, 0.5, 0.9, 0.5, -5, -2.5)

	var star []linalg.Vec3
	for i := range 10 {
		r := 0.25
		if i%2 == 1 {
			r = 0.12
		}
		a := float64(i) / 10 * math.Pi * 2
		star = append(star, linalg.Vec3{math.Cos(a) * r, math.Sin(a) * r, 0})
	}
	star = append(star, star[0])
	var arch []linalg.Vec3
	for i := range 20 {
		t := float64(i) / 19
		arch = append(arch, linalg.Vec3{(t - 0.5) * 2, math.Sin(t*math.Pi) * 0.4, 0})
	}
	g, err = mesh.ExtrudeShape(mesh.ExtrudeOptions{Shape: star, Path: arch, Scale: 1})
	place("star", g, err, 0.85, 0.5, 0.2, 0, -2.5)

	square := []linalg.Vec3{{-0.2, -0.2, 0}, {0.2, -0.2, 0}, {0.2, 0.2, 0}, {-0.2, 0.2, 0}, {-0.2, -0.2, 0}}
	var straight []linalg.Vec3
	for i := range 6 {
		straight = append(straight, linalg.Vec3{float64(i)/5*1.5 - 0.75, 0, 0})
	}
	g, err = mesh.ExtrudeShape(mesh.ExtrudeOptions{Shape: square, Path: straight, Scale: 1})
	place("bar", g, err, 0.4, 0.4, 0.9, 5, -2.5)
	return s, failed
}
