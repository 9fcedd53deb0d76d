package catalogue

import (
	"math"

	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// onGlobe is the place at a latitude and longitude in degrees, +Z north.
func onGlobe(lat, lon, r float64) linalg.Vec3 {
	lat, lon = lat*math.Pi/180, lon*math.Pi/180
	return linalg.Vec3{r * math.Cos(lat) * math.Cos(lon), r * math.Cos(lat) * math.Sin(lon), r * math.Sin(lat)}
}

func geospatialCamera() *Entry {
	return &Entry{
		Name: "scene225-geospatial-camera", Description: "a globe with markers, seen by a camera that hangs on its surface",
		Tags: []string{"reference", "standard", "camera"}, MaxMAD: 0.2, NoiseMAD: 0.0004, Source: "scenes/catalogue/scene225_geospatial.go",
		Build: func(Assets) (*scenes.Scene, error) {
			const radius, size = 100, 18
			s := scenes.New("scene225-geospatial-camera")
			s.Clear = scenes.Color4{0.02, 0.02, 0.05, 1}
			s.Camera = &scenes.Camera{Name: "camera", FOV: 0.8, Near: 1, Far: radius * 16, Rig: &scenes.Geospatial{Center: onGlobe(20, 30, radius), Radius: 170, Yaw: 0.6, Pitch: 0.85}}
			s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
			globe, err := mesh.CreateSphere(mesh.SphereOptions{Diameter: radius * 2, Segments: 64})
			if err != nil {
				return nil, err
			}
			box, err := mesh.CreateBox(mesh.BoxOptions{Size: size})
			if err != nil {
				return nil, err
			}
			s.Add(scenes.NewMesh("globe", globe, standard.Colored("globe", 0.2, 0.45, 0.85)))
			for _, m := range []struct{ lat, lon, r, g, b float64 }{
				{0, 0, 0.9, 0.15, 0.15}, {20, 30, 0.95, 0.85, 0.15}, {40, 60, 0.15, 0.8, 0.25},
				{-15, 15, 0.85, 0.2, 0.8}, {10, -20, 0.2, 0.75, 0.85}, {60, 45, 0.92, 0.92, 0.92},
			} {
				p := onGlobe(m.lat, m.lon, radius+size/2)
				s.Add(scenes.NewMesh("marker", box, standard.Colored("marker", m.r, m.g, m.b)).At(p[0], p[1], p[2]))
			}
			return s, nil
		},
	}
}
