// Package env reads environments for image-based light and computes what the
// shading needs of them: a prefiltered cube map, irradiance as spherical
// harmonics and the split-sum table.
package env

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/splitsum"
	"darkroom/material/texel"
	"darkroom/material/texture"
	"darkroom/scenes/files"
	"darkroom/scenes/picture"
)

// maxSize is the largest face that is read; six of them with mips take 256 MiB.
const maxSize = 2048

// Map is an environment as a file gives it.
type Map struct {
	Kind string // env, dds or hdr
	Cube *Cube
	// SH is irradiance as nine coefficients, scaled for the shader.
	SH [9][3]float64
	// Prefiltered: the levels of Cube hold GGX lobes. What comes from a panorama
	// has one level and needs Cube.Prefilter, or the same on the GPU.
	Prefiltered bool
	// LodScale is how many levels a doubling of alpha is worth.
	LodScale float64
}

// Options say how a panorama becomes a cube.
type Options struct {
	Size        int  // of a face, a power of two; zero means 256
	Supersample bool // average the panorama's pixels instead of taking the nearest
	Samples     int  // of the prefilter; zero means 128
	// Device, where set, prefilters and integrates on a GPU.
	Device Device
	// Cache, where set, is a folder that keeps prefiltered panoramas by their
	// content. One that cannot be written is no error: the next time just takes
	// as long.
	Cache string
}

// maxBytes bounds a file; a panorama of 16384 by 8192 floats has less.
const maxBytes = 2 << 30

// Load reads an environment file: .env (Babylon.js, versions 1 and 2), a .dds
// cube of floats that is prefiltered, or a panorama (.hdr, or an 8-bit picture).
func Load(path string) (*material.Environment, error) {
	return LoadWith(context.Background(), path, Options{})
}

// LoadWith is Load with options.
func LoadWith(ctx context.Context, path string, o Options) (*material.Environment, error) {
	data, err := files.Read(path, maxBytes)
	if err != nil {
		return nil, fmt.Errorf("environment: %w", err)
	}
	e, err := ParseWith(ctx, data, o)
	if err != nil {
		return nil, fmt.Errorf("environment %s: %w", filepath.Base(path), err)
	}
	return e, nil
}

// Parse reads the bytes of such a file. A panorama is prefiltered here, on the CPU.
func Parse(data []byte) (*material.Environment, error) {
	return ParseWith(context.Background(), data, Options{})
}

// ParseWith is Parse with options.
func ParseWith(ctx context.Context, data []byte, o Options) (*material.Environment, error) {
	if bytes.HasPrefix(data, magic) || bytes.HasPrefix(data, []byte("DDS ")) || o.Cache == "" {
		m, err := filtered(ctx, data, o)
		if err != nil {
			return nil, err
		}
		return m.Environment(), nil
	}
	k := kept{o.Cache}
	name := k.key(data, o)
	m, ok := k.get(name)
	if !ok {
		var err error
		if m, err = filtered(ctx, data, o); err != nil {
			return nil, err
		}
		_ = k.put(name, m)
	}
	return m.Environment(), nil
}

// filtered decodes an environment and prefilters it where it is not.
func filtered(ctx context.Context, data []byte, o Options) (*Map, error) {
	m, err := Decode(data, o)
	if err != nil || m.Prefiltered {
		return m, err
	}
	if o.Device == nil {
		m.Cube, err = m.Cube.Prefilter(ctx, o.Samples)
	} else if m.SH, err = m.Cube.SHOn(ctx, o.Device); err == nil {
		m.Cube, err = m.Cube.PrefilterOn(ctx, o.Device, o.Samples)
	}
	m.Prefiltered = err == nil
	return m, err
}

// Decode reads an environment without prefiltering it.
func Decode(data []byte, o Options) (*Map, error) {
	switch {
	case bytes.HasPrefix(data, magic):
		return decodeENV(data)
	case bytes.HasPrefix(data, []byte("DDS ")):
		c, err := decodeDDS(data)
		if err != nil {
			return nil, err
		}
		return &Map{Kind: "dds", Cube: c, SH: c.SH(), Prefiltered: true, LodScale: lodScale}, nil
	case picture.Sniff(data) == "":
		return nil, fmt.Errorf("it does not begin like an environment; .env, .dds, .hdr and pictures are read")
	}
	size := o.Size
	if size == 0 {
		size = 256
	}
	if size < 1 || size > maxSize || size&(size-1) != 0 {
		return nil, fmt.Errorf("a cube of %d texels cannot be made; its size has to be a power of two up to %d", size, maxSize)
	}
	p, err := picture.Decode(data, picture.Options{MaxPixels: 8192 * 4096})
	if err != nil {
		return nil, err
	}
	e, err := NewEquirect(p)
	if err != nil {
		return nil, err
	}
	b := e.project(size, o.Supersample)
	return &Map{Kind: "hdr", Cube: &Cube{Size: size, Levels: [][]byte{b.bytes()}}, SH: b.harmonics(), LodScale: lodScale}, nil
}

// Environment is the map as a material takes it, with the split-sum table.
func (m *Map) Environment() *material.Environment {
	clamp := composer.AddressClamp
	px := &texture.Pixels{Width: m.Cube.Size, Height: m.Cube.Size, Layers: 6, Dimension: composer.ViewCube, Levels: m.Cube.Levels}
	return &material.Environment{
		Specular:  &texture.Texture{Name: "environment", Format: composer.RGBA16Float, Source: px, Sampler: texture.Sampler{AddressU: clamp, AddressV: clamp, AddressW: clamp}},
		BRDF:      splitsum.Table(),
		SH:        m.SH,
		Intensity: 1,
		LodScale:  m.LodScale,
	}
}

// magic begins a .env file.
var magic = []byte{0x86, 0x16, 0x87, 0x96, 0xf6, 0xd6, 0x96, 0x36}

// envHead is the JSON header of a .env file. Positions count from its end.
type envHead struct {
	Version    int                  `json:"version"`
	Width      int                  `json:"width"`
	Irradiance map[string][]float64 `json:"irradiance"`
	Specular   struct {
		Mipmaps []struct {
			Position int `json:"position"`
			Length   int `json:"length"`
		} `json:"mipmaps"`
		LodScale float64 `json:"lodGenerationScale"`
	} `json:"specular"`
}

// decodeENV reads a .env file: eight bytes, a JSON header that a NUL ends, and
// pictures of the faces, mip after mip, colours encoded as RGBD. Mips that are
// not there are black, as in the engine; irradiance that is not there is
// integrated from the faces.
func decodeENV(data []byte) (*Map, error) {
	end := bytes.IndexByte(data, 0)
	if end < len(magic) {
		return nil, fmt.Errorf("its header has no end")
	}
	var head envHead
	if err := json.Unmarshal(data[len(magic):end], &head); err != nil {
		return nil, fmt.Errorf("its header is not JSON: %w", err)
	}
	if head.Version < 0 || head.Version > 2 {
		return nil, fmt.Errorf("its version %d is not read, only 1 and 2", head.Version)
	}
	if head.Width < 1 || head.Width > maxSize || head.Width&(head.Width-1) != 0 {
		return nil, fmt.Errorf("its width %d is not a power of two up to %d", head.Width, maxSize)
	}
	mips, n := mipLevels(head.Width), len(head.Specular.Mipmaps)
	if n < 6 || n > mips*6 || n%6 != 0 {
		return nil, fmt.Errorf("it has %d faces, want %d for a width of %d", n, mips*6, head.Width)
	}
	body := data[end+1:]
	c := &Cube{Size: head.Width}
	for mip := range mips {
		size := head.Width >> mip
		face := size * size * 8
		if mip*6 >= n {
			c.Levels = append(c.Levels, make([]byte, face*6))
			continue
		}
		var level []byte
		for side := range faces {
			m := head.Specular.Mipmaps[mip*6+side]
			if m.Position < 0 || m.Length < 0 || m.Position > len(body) || m.Length > len(body)-m.Position {
				return nil, fmt.Errorf("face %d of mip %d lies outside the file", side, mip)
			}
			p, err := picture.Decode(body[m.Position:m.Position+m.Length], picture.Options{MaxPixels: size * size})
			if err != nil {
				return nil, fmt.Errorf("face %d of mip %d: %w", side, mip, err)
			}
			if p.Width != size || p.Height != size || p.Pix == nil {
				return nil, fmt.Errorf("face %d of mip %d is %dx%d, want %dx%d", side, mip, p.Width, p.Height, size, size)
			}
			if level == nil {
				level = make([]byte, face*6)
			}
			rgbd(level[side*face:], p)
		}
		c.Levels = append(c.Levels, level)
	}
	m := &Map{Kind: "env", Cube: c, Prefiltered: true, LodScale: lodScale}
	if head.Specular.LodScale > 0 {
		m.LodScale = head.Specular.LodScale
	}
	if len(head.Irradiance) == 0 {
		m.SH = c.SH()
		return m, nil
	}
	var poly [9][3]float64
	for i, k := range []string{"x", "y", "z", "xx", "yy", "zz", "yz", "zx", "xy"} {
		v := head.Irradiance[k]
		if len(v) != 3 {
			return nil, fmt.Errorf("its irradiance has %d values for %q, want 3", len(v), k)
		}
		copy(poly[i][:], v)
	}
	m.SH = harmonics(poly)
	return m, nil
}

// rgbd decodes a face, its rows turned upside down as the engine uploads them.
func rgbd(dst []byte, p *picture.Picture) {
	for y := range p.Height {
		for x := range p.Width {
			texel.DecodeRGBD(dst[((p.Height-1-y)*p.Width+x)*8:], p.Pix[(y*p.Width+x)*4:])
		}
	}
}
