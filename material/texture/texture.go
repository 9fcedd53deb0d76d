// Package texture describes textures as data: where the texels come from, how
// they are sampled and, for render targets, what a pass draws into. There is
// no GPU handle here; the renderer makes one for each *Texture that it meets.
package texture

import "darkroom/composer"

// Texture is a picture as a shader sees it: a source of texels and a sampler.
// Identity is the pointer: two materials that share a *Texture share the GPU
// texture.
type Texture struct {
	Name   string
	Source Source
	// Format is the GPU format. Empty: rgba8unorm for *Pixels without a format
	// of their own, the target's format for *Target.
	Format  composer.TextureFormat
	Sampler Sampler
	// Mips asks for a full mip chain, generated on the GPU in the format's own
	// colour space (an -srgb format is filtered in linear light).
	Mips bool
	// Version is raised by whoever changes the source in place.
	Version uint64
}

// Source is where the texels of a texture come from: *Pixels, *Target or *Frames.
type Source interface{ isSource() }

// Pixels are texels given as bytes in the texture's format.
type Pixels struct {
	Width, Height int
	// Layers is 1, 6 for a cube, or more for an array; zero means 1. For a 3D
	// texture it is the depth.
	Layers int
	// Dimension is 2d (also when empty), 2d-array, cube or 3d.
	Dimension composer.ViewDimension
	// Levels holds, per mip level, all layers one after another, rows tight and
	// top row first (V = 0). Fewer levels than a full chain are fine.
	Levels [][]byte
	// Path is the file that the texels were decoded from, for messages and export.
	Path string
	// Encoded is the file's own bytes where it is to be exported as it was.
	Encoded []byte
}

// Target is a texture that passes draw into and later passes may sample.
type Target struct {
	// Width and Height are in texels; zero means the canvas's size times Scale.
	Width, Height int
	Scale         float64 // of the canvas's size; zero means 1
	Samples       int     // of the attachment that is resolved into the texture; zero means 1
	Mips          int     // levels; zero means 1
	Layers        int     // array layers or 6 for a cube; zero means 1
	Dimension     composer.ViewDimension
	// Persistent targets keep their content from one frame to the next.
	Persistent bool
}

// Frames is a texture whose picture depends on the scene's time, such as a
// video: At returns the texels at t seconds. It is called once a frame.
type Frames struct {
	Width, Height int
	At            func(t float64) ([]byte, error) // rgba8unorm, top row first
	Path          string
}

func (*Pixels) isSource() {}
func (*Target) isSource() {}
func (*Frames) isSource() {}

// Sampler says how a texture is sampled. The zero value is trilinear and
// repeating, without anisotropy.
type Sampler struct {
	AddressU, AddressV, AddressW composer.AddressMode // empty: repeat
	Mag, Min, Mip                composer.FilterMode  // empty: linear
	// NoMips samples level 0 alone, whatever the texture holds.
	NoMips bool
	// Anisotropy is the largest number of samples along the axis; below 2: off.
	Anisotropy int
	// Compare makes a comparison sampler.
	Compare composer.CompareFunction
}

// IsTarget reports whether passes draw into t.
func (t *Texture) IsTarget() bool { _, ok := t.Source.(*Target); return ok }

// GPUFormat is the format of the GPU texture.
func (t *Texture) GPUFormat() composer.TextureFormat {
	if t.Format == "" {
		return composer.RGBA8Unorm
	}
	return t.Format
}

// Solid returns a 1×1 texture of one colour, each channel of 0…1 rounded to 8 bits.
func Solid(name string, r, g, b, a float64) *Texture {
	q := func(x float64) byte {
		switch {
		case !(x > 0):
			return 0
		case x >= 1:
			return 255
		}
		return byte(x*255 + 0.5)
	}
	return &Texture{Name: name, Source: &Pixels{Width: 1, Height: 1, Levels: [][]byte{{q(r), q(g), q(b), q(a)}}}}
}
