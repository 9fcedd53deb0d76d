package env

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
)

//go:embed device_directions.wgsl
var directionsWGSL string

//go:embed device_prefilter.wgsl
var devicePrefilterWGSL string

//go:embed device_harmonics.wgsl
var deviceHarmonicsWGSL string

// Device draws scenes on a GPU and reads their pictures back: what the
// renderer does, which this package does not know.
type Device interface {
	// Picture draws a scene of width by height pixels in the given format and
	// returns its rows, tight and the top one first.
	Picture(ctx context.Context, s *scenes.Scene, width, height int, format composer.TextureFormat) ([]byte, error)
	// Name tells devices apart whose pictures may differ in a bit.
	Name() string
}

// PrefilterOn is Prefilter on a device: the same lobes, each level drawn as its
// six faces side by side.
func (c *Cube) PrefilterOn(ctx context.Context, d Device, samples int) (*Cube, error) {
	if samples <= 0 {
		samples = defaultSamples
	}
	if samples > maxLobes {
		return nil, fmt.Errorf("%d samples do not fit into a texture of the device; ask for %d at most", samples, maxLobes)
	}
	if err := c.single(); err != nil {
		return nil, err
	}
	source := c.source()
	out := &Cube{Size: c.Size, Levels: [][]byte{c.Levels[0]}}
	for mip := 1; mip < mipLevels(c.Size); mip++ {
		size := c.Size >> mip
		lobes := ggxLobe(prefilterAlpha(mip, c.Size), c.Size, mipLevels(c.Size), samples)
		var texels []byte
		total := 0.0
		for _, l := range lobes {
			for _, v := range [4]float64{l.l[0], l.l[1], l.l[2], l.lod} {
				texels = binary.LittleEndian.AppendUint32(texels, math.Float32bits(float32(v)))
			}
			total += l.l[2]
		}
		e := &effect.Effect{
			Name: fmt.Sprintf("prefilter level %d", mip), Body: devicePrefilterWGSL, Helpers: directionsWGSL,
			Values: []effect.Uniform{{Name: "size", Type: "f32", Value: float32(size)}, {Name: "count", Type: "f32", Value: float32(len(lobes))}, {Name: "share", Type: "f32", Value: float32(1 / total)}},
			Textures: map[string]effect.Input{
				"source": {Texture: source, Type: "texture_cube<f32>"},
				"lobes":  {Texture: exact("lobes", composer.RGBA32Float, len(lobes), 1, texels), Unfiltered: true},
			},
		}
		strip, err := draw(ctx, d, e, 6*size, size, composer.RGBA16Float)
		if err != nil {
			return nil, err
		}
		level := make([]byte, 0, len(strip))
		row := size * 8
		for side := range faces {
			for y := range size {
				level = append(level, strip[(y*6+side)*row:][:row]...)
			}
		}
		out.Levels = append(out.Levels, level)
	}
	return out, nil
}

// SHOn is SH on a device, which sums each row; the rows are added up here.
func (c *Cube) SHOn(ctx context.Context, d Device) (sh [9][3]float64, err error) {
	if err := c.single(); err != nil {
		return sh, err
	}
	n := c.Size
	var angles []byte
	var total sum
	for y := range n {
		for x := range n {
			a := texelAngle(n, x, y)
			total.angle += 6 * a
			angles = binary.LittleEndian.AppendUint32(angles, math.Float32bits(float32(a)))
		}
	}
	e := &effect.Effect{
		Name: "harmonics", Body: deviceHarmonicsWGSL, Helpers: directionsWGSL,
		Values: []effect.Uniform{{Name: "size", Type: "f32", Value: float32(n)}, {Name: "brightest", Type: "f32", Value: float32(maxRadiance)}},
		Textures: map[string]effect.Input{
			"source": {Texture: c.source(), Type: "texture_2d_array<f32>", View: material.View{Dimension: composer.View2DArray}},
			"angles": {Texture: exact("angles", composer.R32Float, n, n, angles), Unfiltered: true},
		},
	}
	rows, err := draw(ctx, d, e, 9, 6*n, composer.RGBA32Float)
	if err != nil {
		return sh, err
	}
	for i := range 6 * n * 9 {
		for k := range 3 {
			v := float64(math.Float32frombits(binary.LittleEndian.Uint32(rows[i*16+k*4:])))
			total.sh[i%9][k] += v * basis[i%9]
		}
	}
	return total.scaled(), nil
}

// single checks that level 0 is there and whole.
func (c *Cube) single() error {
	if c.Size < 1 || c.Size > maxSize || c.Size&(c.Size-1) != 0 || len(c.Levels) < 1 || len(c.Levels[0]) != 6*c.Size*c.Size*8 {
		return fmt.Errorf("a cube of %d texels and %d levels cannot be filtered; its size has to be a power of two up to %d, and level 0 whole", c.Size, len(c.Levels), maxSize)
	}
	return nil
}

// source is level 0 with a chain of averages, as a device samples it.
func (c *Cube) source() *texture.Texture {
	levels := [][]byte{c.Levels[0]}
	for b := c.level(0); b.size > 1; {
		b = b.half()
		levels = append(levels, b.bytes())
	}
	clamp := composer.AddressClamp
	return &texture.Texture{
		Name: "panorama", Format: composer.RGBA16Float, Sampler: texture.Sampler{AddressU: clamp, AddressV: clamp, AddressW: clamp},
		Source: &texture.Pixels{Width: c.Size, Height: c.Size, Layers: 6, Dimension: composer.ViewCube, Levels: levels},
	}
}

// maxLobes is the width that every device's textures may have.
const maxLobes = 8192

func exact(name string, f composer.TextureFormat, w, h int, texels []byte) *texture.Texture {
	near := composer.FilterNearest
	return &texture.Texture{
		Name: name, Format: f, Source: &texture.Pixels{Width: w, Height: h, Levels: [][]byte{texels}},
		Sampler: texture.Sampler{Mag: near, Min: near, Mip: near, NoMips: true},
	}
}

// draw is the picture of one effect.
func draw(ctx context.Context, d Device, e *effect.Effect, w, h int, f composer.TextureFormat) ([]byte, error) {
	s := scenes.New(e.Name)
	s.Graph = []scenes.Task{&scenes.EffectPass{Name: e.Name, Attachments: scenes.Attachments{Samples: 1, NoDepth: true}, Material: e}}
	pix, err := d.Picture(ctx, s, w, h, f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	texel := map[composer.TextureFormat]int{composer.RGBA16Float: 8, composer.RGBA32Float: 16}[f]
	if len(pix) != w*h*texel {
		return nil, fmt.Errorf("%s: the device returned %d bytes for %dx%d pixels, want %d", e.Name, len(pix), w, h, w*h*texel)
	}
	return pix, nil
}
