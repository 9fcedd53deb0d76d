package shader

import (
	"fmt"

	"darkroom/composer"
	"darkroom/material/texture"
)

// FrameSource gives the pictures of a texture that changes with time. Package
// scenes/video reads files; FrameFunc is a function of time.
type FrameSource interface {
	// Size is the size of every picture in pixels.
	Size() (width, height int)
	// At is the picture at t seconds: straight RGBA bytes, top row first. It is
	// called once a frame and must give the same bytes for the same time.
	At(t float64) ([]byte, error)
}

// FrameFunc is a FrameSource that calls a function.
type FrameFunc struct {
	Width, Height int
	Func          func(t float64) ([]byte, error)
}

// Size implements FrameSource.
func (f FrameFunc) Size() (width, height int) { return f.Width, f.Height }

// At implements FrameSource.
func (f FrameFunc) At(t float64) ([]byte, error) { return f.Func(t) }

// External is a texture whose picture is uploaded for the scene's time,
// whenever the time has changed. It is sampled nearest and clamped to the edge,
// as the reference engine samples video. It owns nothing: the source stays the
// caller's.
type External struct {
	source  FrameSource
	texture *texture.Texture
}

// NewExternal makes a texture of the source's frames.
func NewExternal(name string, src FrameSource) (*External, error) {
	if src == nil {
		return nil, fmt.Errorf("external texture %s: there is no source of frames", name)
	}
	w, h := src.Size()
	if w < 1 || h < 1 {
		return nil, fmt.Errorf("external texture %s: its frames are %dx%d", name, w, h)
	}
	return &External{src, &texture.Texture{
		Name: name, Source: &texture.Frames{Width: w, Height: h, At: src.At},
		Sampler: texture.Sampler{
			AddressU: composer.AddressClamp, AddressV: composer.AddressClamp, AddressW: composer.AddressClamp,
			Mag: composer.FilterNearest, Min: composer.FilterNearest, Mip: composer.FilterNearest,
		},
	}}, nil
}

// Ready reports whether the source has a picture for t seconds.
func (x *External) Ready(t float64) bool {
	_, err := x.source.At(t)
	return err == nil
}
