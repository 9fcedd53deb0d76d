package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"darkroom/goldens/png"
	"darkroom/material"
	"darkroom/parity/cli"
	"darkroom/renderer"
	"darkroom/reports/sheet"
	"darkroom/scenes"
	"darkroom/scenes/env"
	"darkroom/scenes/files"
	"darkroom/scenes/plugins"
	"darkroom/scenes/viewer"
)

type gltfCmd struct {
	shared
	Files       []string `arg:"" help:"glTF or GLB files, or folders to search; or one render-fidelity job as JSON ({\"scenario\":…,\"outputFile\":…})."`
	Out         string   `short:"o" default:"out" type:"path" help:"Folder for the pictures."`
	Size        cli.Size `help:"Size of the pictures in pixels." default:"1280x720"`
	Samples     int      `help:"Samples per pixel: 1 or 4." enum:"0,1,4" default:"0"`
	PixelRatio  float64  `help:"Pixels of a render-fidelity picture per unit of the job's dimensions." default:"2"`
	Env         string   `help:"Environment file (.env, .dds or .hdr) for image-based light." type:"path"`
	Exposure    float64  `help:"Exposure; 0 means 1, or 0.8 with an environment."`
	Contrast    float64  `help:"Contrast; 0 means 1, or 1.2 with an environment."`
	ToneMapping string   `help:"Tone mapping: off, standard, aces or neutral; standard with an environment." enum:",off,standard,aces,neutral" default:""`
	Animation   index    `help:"Number of the animation to play, or none for the rest pose." default:"0"`
	Time        float64  `help:"Time in the animation in seconds."`
	Variant     string   `help:"Material variant (KHR_materials_variants)."`
	Background  string   `help:"Background: a colour as RRGGBB, env or transparent; 33334d, and what a render-fidelity job says."`
	Blur        float64  `help:"Blur of the environment as background, 0 to 1; a render-fidelity job has none." default:"0.3"`
	Plugin      []string `help:"Effect to put on the models: a .wgsl file with //# POINT lines (a plugin) or //# VERTEX and //# FRAGMENT (a material), or its .json descriptor; more than once for several plugins." type:"path"`
	Camera      index    `help:"Number of the file's camera, or none to frame the model." default:"none"`
	Sheet       string   `help:"Also write a contact sheet of all pictures here." type:"path"`

	effects []*plugins.Effect
}

// index is a number in one of a file's lists, or -1 for none of it.
type index int

// UnmarshalText implements encoding.TextUnmarshaler.
func (x *index) UnmarshalText(b []byte) error {
	text := string(b)
	n, err := strconv.Atoi(text)
	switch {
	case text == "none" || text == "-1":
		*x = -1
	case err != nil || n < 0:
		return fmt.Errorf("%q is no number in a list; write 0, 1, … or none", text)
	default:
		*x = index(n)
	}
	return nil
}

// row is what is said of one file.
type row struct {
	drawn
	Source   string   `json:"source"`
	Warnings []string `json:"warnings,omitempty"`
}

// Run draws every file; one that fails does not stop the others.
func (c *gltfCmd) Run(ctx context.Context, out *cli.Output) error {
	if err := errors.Join(finite("--time", c.Time), finite("--exposure", c.Exposure), finite("--contrast", c.Contrast), finite("--pixel-ratio", c.PixelRatio), finite("--blur", c.Blur)); err != nil {
		return err
	}
	if c.Blur < 0 || c.Blur > 1 {
		return fmt.Errorf("--blur is %g; give 0 to 1", c.Blur)
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
	if err := c.load(); err != nil {
		return err
	}
	r, err := c.open()
	if err != nil {
		return err
	}
	defer r.Close()
	var light *material.Environment
	if c.Env == "" && jobs[0].fidelity != nil {
		c.Env = jobs[0].fidelity.Scenario.Lighting
	}
	if c.Env != "" {
		o := env.Options{Device: r}
		if o.Cache, err = env.CacheDir(); err != nil {
			o.Cache = "" // nothing is kept then
		}
		if light, err = env.LoadWith(ctx, c.Env, o); err != nil {
			return err
		}
	}
	bar := cli.Progress(len(jobs))
	rows := make([]row, 0, len(jobs))
	contact := sheet.New(1)
	failed := 0
	for _, j := range jobs {
		d, img, err := c.draw(ctx, r, j, light)
		if err != nil {
			d.Error = strings.ReplaceAll(err.Error(), "\n", " ")
			failed++
		}
		if c.Sheet != "" && img != nil {
			contact.Add(filepath.Base(j.source), img)
		} else if c.Sheet != "" {
			contact.Add(filepath.Base(j.source), nil)
		}
		rows = append(rows, d)
		bar.Step()
		if ctx.Err() != nil {
			break
		}
	}
	bar.Done()
	if c.Sheet != "" {
		if err := png.Write(c.Sheet, contact.Image(), png.Options{}); err != nil {
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
			fmt.Fprintf(w, "FAILED\t%s\t\t\t%s\n", r.Source, r.Error)
			continue
		}
		note := ""
		if len(r.Warnings) > 0 {
			note = "warnings: " + strings.Join(r.Warnings, "; ")
		}
		fmt.Fprintf(w, "ok\t%s\t%s\t%.0f ms\t%s\n", r.Source, r.File, r.MS, note)
	}
	w.Flush()
}

// gltfJob is one picture to draw.
type gltfJob struct {
	source, out string
	fidelity    *fidelity
}

func (c *gltfCmd) jobs() ([]gltfJob, error) {
	if len(c.Files) == 1 && strings.HasPrefix(strings.TrimSpace(c.Files[0]), "{") {
		f, err := parseFidelity(c.Files[0])
		if err != nil {
			return nil, err
		}
		c.Out, f.ratio = filepath.Dir(f.OutputFile), c.PixelRatio
		return []gltfJob{{f.Scenario.Model, f.OutputFile, f}}, nil
	}
	var out []gltfJob
	used := map[string]bool{}
	add := func(path string) {
		base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		name := base
		for n := 2; used[name]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		used[name] = true
		out = append(out, gltfJob{source: path, out: output(c.Out, name)})
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

// draw draws one file. A fault of ours in it is the file's error, so that the
// others are drawn.
func (c *gltfCmd) draw(ctx context.Context, r *renderer.Renderer, j gltfJob, light *material.Environment) (d row, img *image.NRGBA, err error) {
	d.Source = j.source
	defer func() {
		if p := recover(); p != nil {
			img, err = nil, fmt.Errorf("%s: internal fault: %v; please report it with the file", j.source, p)
		}
	}()
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
	img = &image.NRGBA{Pix: f.Pix, Stride: f.Width * 4, Rect: image.Rect(0, 0, f.Width, f.Height)}
	d.File, d.Width, d.Height, d.Digest = j.out, f.Width, f.Height, digest(img)
	err = png.Write(j.out, img, png.Options{})
	d.MS = float64(time.Since(start).Microseconds()) / 1000
	return d, img, err
}

// scene is the file's model on a stage, and the settings of its picture.
func (c *gltfCmd) scene(j gltfJob, light *material.Environment) (*scenes.Scene, renderer.Settings, []string, error) {
	set := renderer.Settings{Width: c.Size.W, Height: c.Size.H, Samples: c.Samples, Time: c.Time}
	stage := &viewer.Stage{
		Environment: light, Exposure: c.Exposure, Contrast: c.Contrast, ToneMapping: c.ToneMapping,
		Background: c.Background, Blur: c.Blur, Animation: int(c.Animation), Variant: c.Variant, Camera: int(c.Camera),
		Dress: func(s *scenes.Scene) error { return plugins.Apply(s, c.effects...) },
	}
	if j.fidelity != nil {
		if err := j.fidelity.stage(stage, &set); err != nil {
			return nil, set, nil, err
		}
	}
	s, a, err := stage.Show(j.source)
	if a == nil {
		return nil, set, nil, err
	}
	return s, set, a.Warnings, err
}

// load reads the effects that were asked for, once for all models.
func (c *gltfCmd) load() error {
	c.effects = make([]*plugins.Effect, len(c.Plugin))
	for i, path := range c.Plugin {
		var err error
		if c.effects[i], err = plugins.Load(path); err != nil {
			return err
		}
	}
	return plugins.Apply(scenes.New("none"), c.effects...)
}
