package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"darkroom/material"
	"darkroom/renderer"
	"darkroom/scenes"
	"darkroom/scenes/gltf"
	"darkroom/scenes/linalg"
	"darkroom/scenes/viewer"
)

// fidelity is a job of the public model-viewer render-fidelity suite, which
// hands it to a renderer's command as one argument of JSON. What it leaves out
// has the suite's defaults.
type fidelity struct {
	Scenario struct {
		Name       string `json:"name"`
		Model      string `json:"model"`
		Lighting   string `json:"lighting"`
		Dimensions struct {
			Width  float64 `json:"width"`
			Height float64 `json:"height"`
		} `json:"dimensions"`
		Target struct {
			X float64 `json:"x"`
			Y float64 `json:"y"`
			Z float64 `json:"z"`
		} `json:"target"`
		Orbit struct {
			Theta  float64 `json:"theta"`
			Phi    float64 `json:"phi"`
			Radius float64 `json:"radius"`
		} `json:"orbit"`
		VerticalFoV  float64 `json:"verticalFoV"`
		RenderSkybox bool    `json:"renderSkybox"`
		ClearColor   struct {
			R float64 `json:"r"`
			G float64 `json:"g"`
			B float64 `json:"b"`
			A float64 `json:"a"`
		} `json:"clearColor"`
	} `json:"scenario"`
	OutputFile string `json:"outputFile"`

	ratio float64
}

// parseFidelity reads a job and finds its files.
func parseFidelity(text string) (*fidelity, error) {
	f := new(fidelity)
	sc := &f.Scenario
	sc.Dimensions.Width, sc.Dimensions.Height = 768, 768
	sc.Orbit.Phi, sc.Orbit.Radius = 90, 1
	sc.VerticalFoV = 45
	if err := json.Unmarshal([]byte(text), f); err != nil {
		return nil, fmt.Errorf("the job is not JSON of the form {\"scenario\":{…},\"outputFile\":\"…\"}: %w", err)
	}
	switch {
	case sc.Model == "":
		return nil, errors.New("the job has no scenario.model; name the glTF file there")
	case f.OutputFile == "":
		return nil, errors.New("the job has no outputFile; name the picture there")
	case !(sc.Orbit.Radius > 0):
		return nil, fmt.Errorf("the job's scenario.orbit.radius is %g; it has to be more than 0", sc.Orbit.Radius)
	case !(sc.VerticalFoV > 0 && sc.VerticalFoV < 180):
		return nil, fmt.Errorf("the job's scenario.verticalFoV is %g; it has to lie between 0 and 180 degrees", sc.VerticalFoV)
	}
	var err error
	if sc.Model, err = fidelityFile("scenario.model", sc.Model); err != nil {
		return nil, err
	}
	if sc.Lighting != "" {
		if sc.Lighting, err = fidelityFile("scenario.lighting", sc.Lighting); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// fidelityFile finds a file of a job. The suite starts its renderers in its own
// folder and writes paths as seen from the page of one, test/renderers/NAME.
func fidelityFile(property, path string) (string, error) {
	tried := []string{path}
	if !filepath.IsAbs(path) {
		tried = append(tried, filepath.Join("test", "renderers", "page", path))
	}
	for _, p := range tried {
		if st, err := os.Stat(p); err == nil && !st.IsDir() {
			return p, nil
		}
	}
	return "", fmt.Errorf("the job's %s: no file at %s", property, strings.Join(tried, ", nor at "))
}

// stage sets what the job says. The orbit is in degrees about the target, theta
// from +Z, phi from +Y, in right-handed space.
func (f *fidelity) stage(st *viewer.Stage, set *renderer.Settings) error {
	sc := &f.Scenario
	w, h := math.Round(sc.Dimensions.Width*f.ratio), math.Round(sc.Dimensions.Height*f.ratio)
	if !(w >= 1 && w <= 16384 && h >= 1 && h <= 16384) {
		return fmt.Errorf("the job's scenario.dimensions are %g × %g; times %g (--pixel-ratio) they have to lie between 1 and 16384 pixels", sc.Dimensions.Width, sc.Dimensions.Height, f.ratio)
	}
	set.Width, set.Height = int(w), int(h)
	if st.Background == "" {
		c := sc.ClearColor
		switch {
		case sc.RenderSkybox:
			st.Background, st.Blur = viewer.BackgroundEnvironment, 0
		case c.A == 0:
			st.Background = viewer.BackgroundTransparent
		default:
			byteOf := func(x float64) int { return int(math.Round(255 * min(1, max(0, x)))) }
			st.Background = fmt.Sprintf("%02x%02x%02x", byteOf(c.R), byteOf(c.G), byteOf(c.B))
		}
	}
	// The suite's viewers show linear light without a photographer: model-viewer
	// maps tones by Khronos's PBR neutral operator at exposure 1.
	if st.Exposure == 0 {
		st.Exposure = 1
	}
	if st.Contrast == 0 {
		st.Contrast = 1
	}
	if st.ToneMapping == "" {
		st.ToneMapping = string(material.ToneMapNeutral)
	}
	if e := st.Environment; e != nil {
		// The suite's panoramas have their middle behind the camera of theta 0; the
		// suite's own page for Babylon.js turns its environment by half a circle, too.
		turned := *e
		turned.RotationY += math.Pi
		st.Environment = &turned
	}
	st.Eye = func(a *gltf.Asset) *scenes.Camera {
		theta, phi := sc.Orbit.Theta*math.Pi/180, sc.Orbit.Phi*math.Pi/180
		target := linalg.Vec3{-sc.Target.X, sc.Target.Y, sc.Target.Z}
		// As for the suite's own page for Babylon.js: near is a thousandth of far,
		// which is twice the larger of the model and the orbit.
		size := sc.Orbit.Radius
		if !a.Bounds.Empty() {
			d := a.Bounds.Max.Sub(a.Bounds.Min)
			size = max(size, d[0], d[1], d[2])
		}
		return &scenes.Camera{Name: "scenario", FOV: sc.VerticalFoV * math.Pi / 180, Near: size / 500, Far: size * 100, Rig: &scenes.ArcRotate{Alpha: theta + math.Pi/2, Beta: phi, Radius: sc.Orbit.Radius, Target: target}}
	}
	return nil
}
