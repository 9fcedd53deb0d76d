package parity

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"time"

	"darkroom/composer"
	"darkroom/goldens"
	"darkroom/goldens/picture"
	"darkroom/goldens/png"
	"darkroom/parity/metrics"
	"darkroom/parity/reference"
	"darkroom/parity/verdict"
	"darkroom/renderer"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/export"
)

// Judging says how scenes are rendered and judged.
type Judging struct {
	Assets   catalogue.Assets `json:"assets,omitempty"`
	Adapter  string           `json:"adapter,omitempty"`
	Backend  string           `json:"backend,omitempty"`
	Goldens  string           `json:"goldens"`           // the store's folder, or a flat folder of SCENE.png
	Against  string           `json:"against,omitempty"` // judge with this key alone, e.g. "babylonjs"
	Pictures string           `json:"pictures"`          // where actual and difference pictures go; empty: nowhere
	Width    int              `json:"width,omitempty"`
	Height   int              `json:"height,omitempty"`
	Samples  int              `json:"samples,omitempty"`
	// Keep writes the pictures of scenes that pass, too.
	Keep bool `json:"keep,omitempty"`
	// Census draws every scene once more to a float target and counts values
	// that are not finite, which an 8-bit picture hides.
	Census bool `json:"census,omitempty"`
}

// Judge renders scenes on one device and judges them.
type Judge struct {
	Judging
	store  goldens.Store
	ledger *goldens.Ledger
	r      *renderer.Renderer
}

// NewJudge opens the adapter and the golden store.
func NewJudge(j Judging) (*Judge, error) {
	x := &Judge{Judging: j, store: goldens.Store{Root: j.Goldens}}
	var err error
	if x.ledger, err = x.store.Ledger(); err != nil {
		return nil, err
	}
	if x.r, err = renderer.Open(renderer.Options{Adapter: j.Adapter, Backend: j.Backend}); err != nil {
		return nil, err
	}
	return x, nil
}

// Close releases the device.
func (j *Judge) Close() { j.r.Close() }

// Adapter is the adapter in use, as the run document names it.
func (j *Judge) Adapter() verdict.Adapter { return documentAdapter(j.r.Adapter()) }

func documentAdapter(a renderer.Adapter) verdict.Adapter {
	return verdict.Adapter{Name: a.Name, Backend: a.Backend, Driver: driver(a), Type: a.Type}
}

// driver is the driver with its version, which goldens must know apart.
func driver(a renderer.Adapter) string { return strings.TrimSpace(a.Driver + " " + a.DriverInfo) }

func (j *Judge) key() goldens.Adapter {
	a := j.r.Adapter()
	return goldens.Adapter{Name: a.Name, Backend: a.Backend, Driver: driver(a), Type: a.Type}
}

// drawn is a picture of a scene, and what it was made from.
type drawn struct {
	image             *image.NRGBA
	scene, shaderhash string
}

// draw renders a scene of the catalogue. With an error the scene's hash is
// there where the scene could be built.
func (j *Judge) draw(ctx context.Context, e *catalogue.Entry) (drawn, error) {
	var d drawn
	s, err := e.Build(j.Assets)
	if err != nil {
		return d, err
	}
	d.scene = scenes.Hash(s)
	f, err := j.r.Render(ctx, s, renderer.Settings{
		Width: or(j.Width, e.Width), Height: or(j.Height, e.Height), Samples: j.Samples, Time: e.Time,
	})
	if err != nil {
		return d, err
	}
	d.shaderhash = f.Shaders
	d.image = &image.NRGBA{Pix: f.Pix, Stride: f.Width * 4, Rect: image.Rect(0, 0, f.Width, f.Height)}
	return d, nil
}

func or(a, b int) int {
	if a != 0 {
		return a
	}
	return b
}

// Scene renders and judges one scene. It always returns a result.
func (j *Judge) Scene(ctx context.Context, e *catalogue.Entry) verdict.Result {
	start := time.Now()
	res := verdict.Result{Scene: e.Name, Tags: e.Tags, Source: e.Source}
	d, err := j.draw(ctx, e)
	res.SceneHash, res.ShaderHash = d.scene, d.shaderhash
	if err != nil {
		failed(&res, "", err)
	} else {
		res.Width, res.Height = d.image.Rect.Dx(), d.image.Rect.Dy()
		j.judge(e, d.image, &res)
		j.excuse(e, &res)
		if j.Census {
			j.census(ctx, e, &res)
		}
		if err := j.writePictures(e, d.image, &res); err != nil {
			failed(&res, "", err)
		}
	}
	res.MS = float64(time.Since(start).Microseconds()) / 1000
	return res
}

// excuse turns a missing reference picture into a scene that was not run where
// the reference engine cannot draw the scene at all; the reason says why.
func (j *Judge) excuse(e *catalogue.Entry, res *verdict.Result) {
	if res.Verdict != verdict.MissingGolden || j.Against != goldens.Reference {
		return
	}
	s, err := e.Build(j.Assets)
	if err != nil {
		return
	}
	if err := reference.Check(&export.Picture{Scene: s, Width: e.Width, Height: e.Height, Time: e.Time}); errors.Is(err, export.ErrRefused) {
		res.Verdict, res.Skip, res.Reason = verdict.NotRun, true, err.Error()
	}
}

// failed makes the verdict of a scene from the error that it ended with.
func failed(res *verdict.Result, what string, err error) {
	v := verdict.RenderError
	switch {
	case errors.Is(err, catalogue.ErrNoAsset):
		v, res.Skip = verdict.NotRun, true
	case errors.Is(err, renderer.ErrLost):
		v = verdict.DeviceLost
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, renderer.ErrTimeout):
		v = verdict.Timeout
	}
	res.Verdict, res.Reason = v, what+err.Error()
}

func (j *Judge) judge(e *catalogue.Entry, img *image.NRGBA, res *verdict.Result) {
	digest, err := picture.Digest(img)
	if err != nil {
		res.Verdict, res.Reason = verdict.RenderError, err.Error()
		return
	}
	res.Digest = digest
	if why, err := picture.Blank(img); err == nil && why != "" && !e.MayBeBlank {
		res.Verdict, res.Reason = verdict.Blank, why
		return
	}
	g, err := j.golden(e, res.SceneHash, res.ShaderHash)
	if g != nil {
		res.Golden = &verdict.Golden{Path: g.Path, Key: g.Key, Source: string(g.Source), Digest: g.Digest, Notes: g.Notes}
		if g.From != nil {
			res.Golden.Commit, res.Golden.Driver, res.Golden.SceneHash, res.Golden.Blessed = g.From.Commit, g.From.Adapter.Driver, g.From.SceneHash, g.From.Blessed
		}
		res.Files.Golden = g.Path
	}
	switch {
	case errors.Is(err, goldens.ErrStale):
		res.Verdict, res.Reason = verdict.StaleGolden, err.Error()
		return
	case err != nil:
		res.Verdict, res.Reason = verdict.MissingGolden, err.Error()
		return
	}
	limits := j.limits(e, g)
	if g.Same(digest) {
		m := metrics.Measures{Width: res.Width, Height: res.Height, Pixels: res.Width * res.Height, Identical: true, Within0: 1, Within1: 1, Within3: 1, Within5: 1}
		m.Fill(res)
		metrics.Gate(limits, m).Fill(res, limits)
		return
	}
	want, err := g.Picture()
	if err != nil {
		res.Verdict, res.Reason = verdict.MissingGolden, fmt.Sprintf("golden %s cannot be read: %v; approve it again", g.Path, err)
		return
	}
	if e.Masked && g.Source == goldens.SourceFlat { // a flat folder holds captures
		img = metrics.Mask(want, img)
	}
	m, err := metrics.Measure(want, img, metrics.Options{})
	if err != nil {
		res.Verdict, res.Reason = verdict.Size, err.Error()
		return
	}
	m.Fill(res)
	if m.RegionPixels == 0 && e.MaxRegionMAD == 0 {
		delete(limits, metrics.RegionMAD) // the default one; a scene that asks for a region must have one
	}
	metrics.Gate(limits, m).Fill(res, limits)
	if !m.Identical {
		res.Regions = metrics.Regions(want, img, m, 3)
		res.Kind = metrics.Kind(want, img)
		if f, err := metrics.FLIP(want, img, metrics.DefaultPPD); err == nil {
			res.FLIP = verdict.Num(f.Mean)
		}
		if s, err := metrics.SSIM(want, img); err == nil {
			res.SSIM = verdict.Num(s)
		}
	}
	if !res.Passed() {
		res.Diagnosis = metrics.Diagnose(want, img)
		j.writeHeat(e, want, img, res)
	}
}

// golden finds what the scene should look like: along the store's chain, or
// under one key alone where the run is against it. A variant that has no
// golden of its own is held against its scene's capture.
func (j *Judge) golden(e *catalogue.Entry, hash, shaders string) (*goldens.Golden, error) {
	find := func(scene string) (*goldens.Golden, error) {
		if j.Against == "" {
			return j.store.Find(scene, j.key(), hash, shaders)
		}
		return j.store.FindKey(scene, j.Against, hash, shaders)
	}
	g, err := find(e.Name)
	if e.VariantOf != "" && errors.Is(err, goldens.ErrMissing) {
		if other, err := find(e.VariantOf); err == nil {
			return other, nil
		}
	}
	return g, err
}

// limits are what the picture must stay within. Against another engine's
// picture it is the scene's own limit, in whatever way it differs; against a
// golden of the same adapter everything is gated. The ledger has the last word.
func (j *Judge) limits(e *catalogue.Entry, g *goldens.Golden) metrics.Limits {
	if g.Source == goldens.SourceReference || g.Source == goldens.SourceFlat || j.Against != "" {
		l := metrics.Limits{metrics.MAD: e.Limit(j.r.Adapter().Type)}
		if e.MaxRegionMAD > 0 {
			l[metrics.RegionMAD] = e.MaxRegionMAD
		}
		return l.With(ledgered(j.ledger, e.Name, g.Key, j.key()))
	}
	return OwnLimits(j.ledger, e.Name, g.Key, j.key())
}

// OwnLimits are the limits of a scene that is held against a golden of its own
// adapter, which it repeats to the byte or nearly so.
func OwnLimits(l *goldens.Ledger, scene, key string, a goldens.Adapter) metrics.Limits {
	return metrics.DefaultLimits().With(metrics.Limits{metrics.RegionMAD: defaultRegionMAD}).With(ledgered(l, scene, key, a))
}

// defaultRegionMAD is wider than the default of MAD because a region is a part
// of the picture and all of it may be edges.
const defaultRegionMAD = 0.25

func ledgered(l *goldens.Ledger, scene, key string, a goldens.Adapter) metrics.Limits {
	out := metrics.Limits{}
	for k, v := range l.Limits(scene, key, a, time.Now()) {
		out[metrics.Metric(k)] = v
	}
	return out
}

func (j *Judge) writePictures(e *catalogue.Entry, img *image.NRGBA, res *verdict.Result) error {
	if j.Pictures == "" || res.Passed() && !j.Keep {
		return nil
	}
	path := filepath.Join(j.Pictures, e.Name+".png")
	if err := writePNG(path, img); err != nil {
		return err
	}
	res.Files.Actual = path
	return nil
}

func (j *Judge) writeHeat(e *catalogue.Entry, want image.Image, img *image.NRGBA, res *verdict.Result) {
	if j.Pictures == "" {
		return
	}
	heat, err := metrics.Heat(want, img, 0)
	if err != nil {
		return
	}
	path := filepath.Join(j.Pictures, e.Name+".diff.png")
	if writePNG(path, heat) == nil {
		res.Files.Diff = path
	}
}

// writePNG writes a picture beside its place and renames it.
func writePNG(path string, img image.Image) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("the folder for %s cannot be made: %w; choose another with --out or --report", filepath.Base(path), err)
	}
	return png.Write(path, img, png.Options{})
}

// census draws the scene to a half-float target and counts what is not finite.
func (j *Judge) census(ctx context.Context, e *catalogue.Entry, res *verdict.Result) {
	s, err := e.Build(j.Assets)
	if err != nil {
		return // the first build succeeded; what changed is not this one's to tell
	}
	f, err := j.r.Render(ctx, s, renderer.Settings{Width: res.Width, Height: res.Height, Samples: j.Samples, Time: e.Time, Format: composer.RGBA16Float})
	if err != nil {
		failed(res, "census: ", err)
		return
	}
	c, err := metrics.Census(f.Pix, f.Width, f.Height, f.Width*8, metrics.Float16)
	if err != nil {
		failed(res, "census: ", err)
		return
	}
	if reason := metrics.CensusReason(c); reason != "" {
		res.NonFinite = &c
		res.Verdict, res.Reason = verdict.Worst(res.Verdict, verdict.NonFinite), reason
	}
}
