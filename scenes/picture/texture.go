package picture

import (
	"fmt"

	"darkroom/composer"
	"darkroom/material/texture"
)

// Texture makes a texture of p with mips. srgb decodes colour when sampled.
// flip stores the bottom row first, so that V 0 is the bottom, as the reference
// engine loads raster images outside glTF.
func (p *Picture) Texture(name string, srgb, flip bool) *texture.Texture {
	pix, row := p.Pix, p.Width*4
	if flip {
		pix = make([]byte, len(p.Pix))
		for y := range p.Height {
			copy(pix[y*row:(y+1)*row], p.Pix[(p.Height-1-y)*row:])
		}
	}
	t := &texture.Texture{Name: name, Source: &texture.Pixels{Width: p.Width, Height: p.Height, Levels: [][]byte{pix}}, Mips: true, Sampler: texture.Sampler{Anisotropy: 4}}
	if srgb {
		t.Format = composer.RGBA8UnormSRGB
	}
	return t
}

// Cube makes a cube map with mips of six square pictures of one size, for the
// directions +X, -X, +Y, -Y, +Z and -Z. srgb decodes colour when sampled.
func Cube(name string, faces [6]*Picture, srgb bool) (*texture.Texture, error) {
	var pix []byte
	for i, p := range faces {
		switch {
		case p == nil || len(p.Pix) == 0:
			return nil, fmt.Errorf("cube map %s: face %s has no 8-bit picture", name, directions[i])
		case p.Width != p.Height || p.Width != faces[0].Width:
			return nil, fmt.Errorf("cube map %s: face %s is %dx%d; all six must be squares of one size, and %s is %dx%d", name, directions[i], p.Width, p.Height, directions[0], faces[0].Width, faces[0].Height)
		}
		pix = append(pix, p.Pix...)
	}
	n, clamp := faces[0].Width, composer.AddressClamp
	t := &texture.Texture{
		Name: name, Mips: true, Sampler: texture.Sampler{AddressU: clamp, AddressV: clamp, AddressW: clamp},
		Source: &texture.Pixels{Width: n, Height: n, Layers: 6, Dimension: composer.ViewCube, Levels: [][]byte{pix}},
	}
	if srgb {
		t.Format = composer.RGBA8UnormSRGB
	}
	return t, nil
}

// directions name the faces of a cube, in the order of their layers.
var directions = [6]string{"+X", "-X", "+Y", "-Y", "+Z", "-Z"}

// DecodeCube makes a cube map of six files, each of any format that Decode reads.
func DecodeCube(name string, files [6][]byte, srgb bool) (*texture.Texture, error) {
	var faces [6]*Picture
	for i, data := range files {
		p, err := Decode(data, Options{})
		if err != nil {
			return nil, fmt.Errorf("cube map %s: face %s: %w", name, directions[i], err)
		}
		faces[i] = p
	}
	return Cube(name, faces, srgb)
}
