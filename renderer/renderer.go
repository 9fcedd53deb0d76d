// Package renderer draws scenes off screen. It owns every GPU object: the
// device, pipelines, textures, buffers and bind groups. It knows scenes, and
// materials only through the questions that package material declares.
package renderer

import (
	"context"
	"errors"
	"fmt"

	"darkroom/composer"
	"darkroom/renderer/internal/gpu"
	"darkroom/scenes"
	"darkroom/scenes/mesh"
)

// Options choose the adapter.
type Options struct {
	// Adapter is an index, or a part of the name or driver; empty means the best there is.
	Adapter string
	// Backend is vulkan, gl, metal or dx12; empty means the best native one, never a silent fallback to GL.
	Backend string
}

// Adapter describes a GPU adapter.
type Adapter = gpu.AdapterInfo

// ErrNoAdapter is returned where no adapter fits.
var ErrNoAdapter = gpu.ErrNoAdapter

var (
	// ErrLost is returned where the driver has given the device up.
	ErrLost = gpu.ErrLost
	// ErrTimeout is returned where the device does not answer.
	ErrTimeout = gpu.ErrTimeout
)

// Adapters lists the adapters of this machine.
func Adapters() ([]Adapter, error) { return gpu.Adapters() }

// Renderer draws scenes on one device. It may be used by one goroutine at a
// time. Any number of sessions may be open, each with a canvas of its own: they
// share pipelines, and the geometry of meshes that several scenes contain, which
// must not change meanwhile.
type Renderer struct {
	dev       *gpu.Device
	pipelines pipelines
	blits     blits
	resolves  resolves
	// geometries are what is on the device, by the meshes that it came from.
	geometries map[*mesh.Geometry]*geometry
	nearest    bool // the device rounds colours to nearest by itself
	low        bool // it resolves samples to less than that
}

// Open opens the adapter that o asks for.
func Open(o Options) (*Renderer, error) {
	dev, err := gpu.Open(gpu.Options{Adapter: o.Adapter, Backend: o.Backend})
	if err != nil {
		return nil, err
	}
	r := &Renderer{dev: dev, geometries: map[*mesh.Geometry]*geometry{}}
	r.pipelines.init(dev)
	if r.nearest, err = r.roundsToNearest(); err == nil {
		r.low, err = r.resolvesLow()
	}
	if err != nil {
		dev.Close()
		return nil, err
	}
	return r, nil
}

// Close releases everything.
func (r *Renderer) Close() {
	r.dev.Close()
}

// Adapter is the adapter in use.
func (r *Renderer) Adapter() Adapter { return r.dev.Info }

// Live counts the GPU objects in existence, by kind.
func (r *Renderer) Live() map[string]int { return r.dev.Live() }

// Pipelines is the number of render pipelines made so far.
func (r *Renderer) Pipelines() int { return len(r.pipelines.render) }

// ClearPipelines drops all pipelines, shader modules and layouts. Sessions go on:
// what they draw next makes what it needs anew.
func (r *Renderer) ClearPipelines() { r.pipelines.clear() }

// MaxSize is the largest width and height of a picture.
func (r *Renderer) MaxSize() int { return r.dev.MaxTextureSize() }

// Settings are what a picture is drawn with.
type Settings struct {
	Width, Height int     // pixels; zero means 1280 × 720
	Samples       int     // 1 or 4; zero means the scene's
	Time          float64 // seconds
	// Capture, where set, receives every target after the task that drew it.
	Capture func(Captured) error
	// Format of the canvas; empty means rgba8unorm. A float format keeps what
	// the shaders wrote, for censuses of values that are not finite.
	Format composer.TextureFormat
}

// Captured is a target as a task left it.
type Captured struct {
	Task   string
	Target string // name of the texture, or "canvas"
	Frame  *Frame
}

// Frame is a picture read back: tight rows, top row first.
type Frame struct {
	Width, Height int
	Format        composer.TextureFormat
	Pix           []byte // rgba8unorm: straight R, G, B, A
	// Shaders identifies the composed shaders that drew it: the SHA-256, in
	// hexadecimal, of the sorted keys of all of them.
	Shaders string
}

// ErrSize is returned for pictures that are empty or beyond the device's limit.
var ErrSize = errors.New("picture size")

// Render draws the scene at a time and reads the picture back.
func (r *Renderer) Render(ctx context.Context, s *scenes.Scene, set Settings) (*Frame, error) {
	session, err := r.Session(s, set)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	return session.Draw(ctx, set.Time)
}

func (r *Renderer) checkSize(set *Settings) error {
	if set.Width == 0 && set.Height == 0 {
		set.Width, set.Height = 1280, 720
	}
	if m := r.MaxSize(); set.Width < 1 || set.Height < 1 || set.Width > m || set.Height > m {
		return fmt.Errorf("%w: %dx%d is not between 1x1 and %dx%d, the limit of %s", ErrSize, set.Width, set.Height, m, m, r.dev.Info.Name)
	}
	if set.Samples != 0 && set.Samples != 1 && set.Samples != 4 {
		return fmt.Errorf("%d samples per pixel: want 1 or 4", set.Samples)
	}
	if set.Format == "" {
		set.Format = composer.RGBA8Unorm
	}
	return nil
}
