package picture

import (
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
