package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/tabwriter"
	"time"

	"darkroom/goldens/png"
	"darkroom/material"
	"darkroom/parity/cli"
	"darkroom/renderer"
	"darkroom/scenes"
	"darkroom/scenes/env"
	"darkroom/scenes/files"
	"darkroom/scenes/gltf"
	"darkroom/scenes/linalg"
	"darkroom/scenes/plugins"
)

type gltfCmd struct {
	shared
	Files       []string `arg:"" help:"glTF or GLB files, or folders to search; or one render-fidelity job as JSON ({\"scenario\":…,\"outputFile\":…})."`
	Out         string   `short:"o" default:"out" type:"path" help:"Folder for the pictures."`
	Size        cli.Size `help:"Size of the pictures in pixels." default:"1280x720"`
	Samples     int      `help:"Samples per pixel: 1 or 4." enum:"0,1,4" default:"0"`
	Env         string   `help:"Environment file (.env) for image-based light." type:"path"`
	Exposure    float64  `help:"Exposure; 0 means 1, or 0.8 with an environment."`
	Contrast    float64  `help:"Contrast; 0 means 1, or 1.2 with an environment."`
	ToneMapping string   `help:"Tone mapping: off, standard, aces or neutral; standard with an environment." enum:",off,standard,aces,neutral" default:""`
	Animation   int      `help:"Number of the animation to play; -1 for the rest pose." default:"0"`
	Time        float64  `help:"Time in the animation in seconds."`
	Variant     string   `help:"Material variant (KHR_materials_variants)."`
	Background  string   `help:"Background: a colour as RRGGBB, env or transparent." default:"33334d"`
	Plugin      []string `help:"Effect to put on the model's materials: a .wgsl file with //# POINT lines, or its .json descriptor; more than once for several." type:"path"`
	Camera      int      `help:"Number of the file's camera; -1 frames the model." default:"-1"`
	Sheet       string   `help:"Also write a contact sheet of all pictures here." type:"path"`
}

// row is what is said of one file.
type row struct {
	drawn
	Source   string   `json:"source"`
	Warnings []string `json:"warnings,omitempty"`
}

// Run draws every file; one that fails does not stop the others.
func (c *gltfCmd) Run(ctx context.Context, out *cli.Output) error {
	if err := errors.Join(finite("--time", c.Time), finite("--exposure", c.Exposure), finite("--contrast", c.Contrast)); err != nil {
		return err
	}
	jobs, err := c.jobs()
	if err != nil {
		return err
	}
	if err := files.Folder(c.Out, "--out"); err != nil {
		return err
	}
	if c.Sheet != "" {
		if err := files.Target(c.Sheet, "--sheet"); err != nil {
			return err
		}
	}
	r, err := c.open()
	if err != nil {
		return err
	}
	defer r.Close()
	var light *material.Environment
	if c.Env != "" {
		if light, err = env.Load(c.Env); err != nil {
			return err
		}
	}
	bar := cli.Progress(len(jobs))
	rows := make([]row, 0, len(jobs))
	var cells []cell
	failed := 0
	for _, j := range jobs {
		d, img, err := c.draw(ctx, r, j, light)
		if err != nil {
			d.Error = strings.ReplaceAll(err.Error(), "\n", " ")
			failed++
		}
		if c.Sheet != "" {
			cells = append(cells, cell{label: filepath.Base(j.source), img: img})
		}
		rows = append(rows, d)
		bar.Step()
		if ctx.Err() != nil {
			break
		}
	}
	bar.Done()
	if c.Sheet != "" {
		if err := png.Write(c.Sheet, contactSheet(cells), png.Options{}); err != nil {
			return err
		}
	}
	if c.JSON {
		if err := printJSON(out, struct {
			Adapter renderer.Adapter `json:"adapter"`
			Results []row            `json:"results"`
		}{r.Adapter(), rows}); err != nil {
			return err
		}
	} else {
		table(out, rows)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d files were not drawn", failed, len(rows))
	}
	return nil
}

func table(out io.Writer, rows []row) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		if r.Error != "" {
			fmt.Fprintf(w, "FAILED\t%s\t%s\n", r.Source, r.Error)
			continue
		}
		note := ""
		if len(r.Warnings) > 0 {
			note = "warnings: " + strings.Join(r.Warnings, "; ")
		}
		fmt.Fprintf(w, "ok\t%s\t%.0f ms\t%s\n", r.File, r.MS, note)
	}
	w.Flush()
}

// gltfJob is one picture to draw.
type gltfJob struct {
	source, out string
	fidelity    *fidelity
}

// fidelity is a job of the public model-viewer render-fidelity suite.
type fidelity struct {
	Scenario struct {
		Name       string `json:"name"`
		Model      string `json:"model"`
		Lighting   string `json:"lighting"`
		Dimensions struct {
			Width  int `json:"width"`
			Height int `json:"height"`
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
	} `json:"scenario"`
	OutputFile string `json:"outputFile"`
}

func (c *gltfCmd) jobs() ([]gltfJob, error) {
	if len(c.Files) == 1 && strings.HasPrefix(strings.TrimSpace(c.Files[0]), "{") {
		f := new(fidelity)
		if err := json.Unmarshal([]byte(c.Files[0]), f); err != nil {
			return nil, fmt.Errorf("the job is not JSON of the form {\"scenario\":{…},\"outputFile\":\"…\"}: %w", err)
		}
		if f.Scenario.Model == "" || f.OutputFile == "" {
			return nil, fmt.Errorf("the job lacks scenario.model or outputFile")
		}
		c.Out = filepath.Dir(f.OutputFile)
		return []gltfJob{{f.Scenario.Model, f.OutputFile, f}}, nil
	}
	var out []gltfJob
	used := map[string]int{}
	add := func(path string) {
		base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		used[base]++
		if n := used[base]; n > 1 {
			base = fmt.Sprintf("%s-%d", base, n)
		}
		out = append(out, gltfJob{source: path, out: output(c.Out, base)})
	}
	for _, f := range c.Files {
		st, err := os.Stat(f)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be read: %w", f, errors.Unwrap(err))
		}
		if !st.IsDir() {
			add(f)
			continue
		}
		var found []string
		err = filepath.WalkDir(f, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if ext := strings.ToLower(filepath.Ext(p)); !d.IsDir() && (ext == ".gltf" || ext == ".glb") {
				found = append(found, p)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		sort.Strings(found)
		for _, p := range found {
			add(p)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no .gltf or .glb file in %s", strings.Join(c.Files, ", "))
	}
	return out, nil
}

func (c *gltfCmd) draw(ctx context.Context, r *renderer.Renderer, j gltfJob, light *material.Environment) (row, *image.NRGBA, error) {
	d := row{Source: j.source}
	start := time.Now()
	s, set, warnings, err := c.scene(j, light)
	d.Warnings = warnings
	if err != nil {
		return d, nil, err
	}
	d.Scene = s.Name
	f, err := r.Render(ctx, s, set)
	if err != nil {
		return d, nil, err
	}
	img := &image.NRGBA{Pix: f.Pix, Stride: f.Width * 4, Rect: image.Rect(0, 0, f.Width, f.Height)}
	d.File, d.Width, d.Height, d.Digest = j.out, f.Width, f.Height, digest(img)
	err = png.Write(j.out, img, png.Options{})
	d.MS = float64(time.Since(start).Microseconds()) / 1000
	return d, img, err
}

// scene is the file's model on a stage, and the settings of its picture.
func (c *gltfCmd) scene(j gltfJob, light *material.Environment) (*scenes.Scene, renderer.Settings, []string, error) {
	a, err := gltf.Load(j.source, gltf.Options{Variant: c.Variant})
	if err != nil {
		return nil, renderer.Settings{}, nil, err
	}
	s := scenes.New(a.Name)
	a.AddTo(s)
	if err := c.plugins(s); err != nil {
		return nil, renderer.Settings{}, a.Warnings, err
	}
	if c.Animation != 0 { // the first plays by itself, where there is one
		if err := a.Play(c.Animation); err != nil {
			return nil, renderer.Settings{}, nil, err
		}
	}
	if err := c.light(s, light); err != nil {
		return nil, renderer.Settings{}, nil, err
	}
	set := renderer.Settings{Width: c.Size.W, Height: c.Size.H, Samples: c.Samples, Time: c.Time}
	switch {
	case j.fidelity != nil:
		j.fidelity.frame(s, &set)
	case c.Camera >= 0:
		if c.Camera >= len(a.Cameras) {
			return nil, renderer.Settings{}, nil, fmt.Errorf("%s has %d cameras, there is no camera %d", a.Name, len(a.Cameras), c.Camera)
		}
		s.Camera = a.Cameras[c.Camera]
	default:
		s.Camera = gltf.AutoFrame(a.Bounds)
		if orbit, ok := s.Camera.Rig.(*scenes.ArcRotate); ok {
			orbit.Alpha += math.Pi // a glTF model's front is +Z
		}
	}
	return s, set, a.Warnings, nil
}

// plugins puts the effects that were asked for on the model.
func (c *gltfCmd) plugins(s *scenes.Scene) error {
	effects := make([]*plugins.Effect, len(c.Plugin))
	for i, path := range c.Plugin {
		var err error
		if effects[i], err = plugins.Load(path); err != nil {
			return err
		}
	}
	return plugins.Apply(s, effects...)
}

// light sets environment, image processing and background.
func (c *gltfCmd) light(s *scenes.Scene, e *material.Environment) error {
	s.Environment = e
	ip := material.ImageProcessing{Exposure: c.Exposure, Contrast: c.Contrast, ToneMapping: material.ToneMapping(c.ToneMapping)}
	if e != nil {
		// Babylon.js's defaults with an environment.
		if ip.Exposure == 0 {
			ip.Exposure = 0.8
		}
		if ip.Contrast == 0 {
			ip.Contrast = 1.2
		}
		if c.ToneMapping == "" {
			ip.ToneMapping = material.ToneMapStandard
		}
	} else if len(s.Lights) == 0 && !hasLight(s) {
		s.AddLight(scenes.Hemispheric("default", linalg.Vec3{0, 1, 0}))
	}
	if ip.ToneMapping == "off" {
		ip.ToneMapping = material.ToneMapOff
	}
	s.ImageProcessing = ip
	switch c.Background {
	case "transparent":
		s.Clear = scenes.Color4{0, 0, 0, 0}
	case "env":
		if e == nil {
			return fmt.Errorf("--background env needs --env")
		}
		sky, err := backdrop()
		if err != nil {
			return err
		}
		s.Add(sky)
	default:
		var rr, gg, bb uint8
		if n, err := fmt.Sscanf(c.Background, "%02x%02x%02x", &rr, &gg, &bb); n != 3 || err != nil || len(c.Background) != 6 {
			return fmt.Errorf("the background %q is no colour; write it as RRGGBB, env or transparent", c.Background)
		}
		s.Clear = scenes.Color4{float64(rr) / 255, float64(gg) / 255, float64(bb) / 255, 1}
	}
	return nil
}

func hasLight(s *scenes.Scene) bool {
	found := false
	s.Walk(func(n *scenes.Node, _ linalg.Mat4) error {
		found = found || n.Light != nil
		return nil
	})
	return found
}

// frame sets the camera of a render-fidelity scenario: the orbit is in
// degrees about the target, theta from +Z, phi from +Y, in right-handed space.
func (f *fidelity) frame(s *scenes.Scene, set *renderer.Settings) {
	sc := f.Scenario
	theta, phi := sc.Orbit.Theta*math.Pi/180, sc.Orbit.Phi*math.Pi/180
	target := linalg.Vec3{-sc.Target.X, sc.Target.Y, sc.Target.Z}
	eye := target.Add(linalg.Vec3{-sc.Orbit.Radius * math.Sin(phi) * math.Sin(theta), sc.Orbit.Radius * math.Cos(phi), sc.Orbit.Radius * math.Sin(phi) * math.Cos(theta)})
	fov := sc.VerticalFoV
	if fov == 0 {
		fov = 45
	}
	s.Camera = &scenes.Camera{Name: "scenario", FOV: fov * math.Pi / 180, Near: max(0.01, sc.Orbit.Radius/1000), Far: max(10, sc.Orbit.Radius*100), Rig: &scenes.Free{Position: eye, Target: &target}}
	if sc.Dimensions.Width > 0 && sc.Dimensions.Height > 0 {
		set.Width, set.Height = sc.Dimensions.Width, sc.Dimensions.Height
	}
}
