package catalogue

import (
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/effect"
	"darkroom/material/pbr"
	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/post"
	"darkroom/scenes/surfaces"
)

// ownSurfaces shows what passes store of surfaces: balls of a row, one of
// which moves, and a pane that is too thin to be stored.
func ownSurfaces(family string, ball func(i int) material.Material) *Entry {
	name := "own-surfaces-" + family
	return &Entry{
		Name: name, Description: "depth, normals, positions, albedo, reflectivity, velocity and colour of one drawing, side by side",
		Tags: []string{"own", family, "render-target"}, Width: 960, Height: 360, MaxMAD: 0.05, Source: "scenes/catalogue/own_surfaces.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s, err := row(name, ball)
			if err != nil {
				return nil, err
			}
			s.Frames, s.Step = 2, 1.0/60
			mover := s.Roots[2]
			s.Animations = []*scenes.Animation{{Name: "move", Tracks: []*scenes.Track{
				{Node: mover, Path: scenes.PathEulerZ, Times: []float64{0, 1}, Values: []float64{0, 6}},
				{Node: mover, Path: scenes.PathPosition, Times: []float64{0, 1}, Values: []float64{0.8, 0.7, 0.6, 8.8, 3.7, 0.6}},
			}}}
			pane := standard.Colored("pane", 1, 0, 0)
			pane.Alpha = 0.3
			b := &bench{Scene: s}
			b.board("pane", pane, 2, -1.5, 1, -2)
			color := post.Picture("colour", "", 0.5)
			first := []surfaces.Kind{surfaces.NormalizedViewDepth, surfaces.ViewNormal, surfaces.WorldNormal, surfaces.Albedo}
			second := []surfaces.Kind{surfaces.WorldPosition, surfaces.LocalPosition, surfaces.Velocity, surfaces.ViewDepth}
			third := []surfaces.Kind{surfaces.Reflectivity, surfaces.Irradiance, surfaces.ScreenDepth}
			expressions := map[surfaces.Kind]string{
				surfaces.NormalizedViewDepth: "vec3<f32>(fract(seen.r * 8.0))",
				surfaces.ViewDepth:           "vec3<f32>(fract(seen.r * 0.25))",
				surfaces.ScreenDepth:         "vec3<f32>(fract(seen.r * 16.0))",
				surfaces.ViewNormal:          "seen.xyz * 0.5 + 0.5",
				surfaces.WorldPosition:       "fract(seen.xyz * 0.5)",
				surfaces.LocalPosition:       "seen.xyz * 0.7 + 0.5",
				surfaces.Velocity:            "seen.xyz * 40.0 + 0.5",
			}
			i := 0
			tile := func(pass post.Pass) post.Pass {
				pass.Viewport = scenes.Viewport{X: float64(i%4) / 4, Y: float64(2-i/4) / 3, Width: 0.25, Height: 1.0 / 3}
				pass.Load = i > 0
				i++
				return pass
			}
			for n, kinds := range [][]surfaces.Kind{first, second, third} {
				o := surfaces.Options{Name: []string{"normals", "positions", "reflectance"}[n], Width: 240, Height: 120}
				draw, stored, err := surfaces.Draw(o, kinds...)
				if err != nil {
					return nil, err
				}
				s.Graph = append(s.Graph, draw)
				for _, k := range kinds {
					code := expressions[k]
					if code == "" {
						code = "seen.rgb"
					}
					p := tile(post.Pass{Name: string(k)})
					e := &effect.Effect{Name: string(k), Textures: map[string]effect.Input{"stored": {Texture: stored[k], Unfiltered: true}}}
					e.Body = "let seen = textureSampleLevel(stored, storedSampler, st, 0.0);\ncolor = vec4<f32>(" + code + ", 1.0);"
					show := &scenes.EffectPass{Name: string(k), Material: e, Viewport: p.Viewport}
					show.LoadColor = p.Load
					s.Graph = append(s.Graph, show)
				}
			}
			s.Graph = append(s.Graph, to(color, nil), post.Copy(tile(post.Pass{Name: "show colour", From: color})))
			return s, b.err
		},
	}
}

func ownSurfacesStandard() *Entry {
	return ownSurfaces("standard", func(i int) material.Material {
		m := hues(i).(*standard.Material)
		switch i {
		case 0:
			m.BumpTexture = &standard.Channel{Texture: dimples(2), UScale: 3, VScale: 2}
			m.SpecularTexture = &standard.Channel{Texture: checker(6, [4]float64{1, 0.9, 0.5, 1}, [4]float64{0.2, 0.3, 0.9, 0.2})}
		case 1:
			m.DiffuseTexture = &standard.Channel{Texture: checker(8, [4]float64{1, 0.4, 0.3, 1}, [4]float64{0.2, 0.8, 0.6, 1})}
		}
		return m
	})
}

func ownSurfacesPBR() *Entry {
	return ownSurfaces("pbr", func(i int) material.Material {
		m := pbr.New("ball")
		a := float64(i) * 0.9
		m.BaseColor = [4]float64{0.5 + 0.5*math.Cos(a), 0.5 + 0.5*math.Cos(a-2.1), 0.5 + 0.5*math.Cos(a+2.1), 1}
		m.Metallic, m.Roughness = float64(i%2), 0.2+0.1*float64(i)
		if i == 0 {
			m.NormalTexture = &pbr.Channel{Texture: dimples(2)}
			m.BaseColorTexture = &pbr.Channel{Texture: checker(8, [4]float64{1, 1, 1, 1}, [4]float64{0.3, 0.3, 0.3, 1})}
			m.BaseColorTexture.Texture.Format = composer.RGBA8UnormSRGB
		}
		return m
	})
}
