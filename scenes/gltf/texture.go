package gltf

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/qmuntal/gltf"

	"darkroom/composer"
	"darkroom/material/pbr"
	"darkroom/material/texture"
	"darkroom/scenes/gltf/basisu"
	"darkroom/scenes/picture"
)

// image is a decoded image: its levels, each tight RGBA8 rows, top row first.
type image struct {
	pixels *texture.Pixels
	mips   bool // the file brings its own
}

// textureKey tells textures apart: one image may be sampled in several ways,
// and as colour or as data.
type textureKey struct {
	image, sampler int // sampler -1: none
	srgb           bool
}

type textureEntry struct{ texture *texture.Texture }

// image loads an image, once.
func (l *loader) image(i int) (*image, error) {
	if m := l.images[i]; m != nil {
		return m, nil
	}
	src := l.doc.Images[i]
	o := named("image", i, src.Name)
	var data []byte
	var err error
	switch {
	case src.BufferView != nil:
		if data, err = l.view(*src.BufferView); err != nil {
			return nil, because(err, o, "its data are not to be had")
		}
	case src.URI != "":
		if data, err = l.resource(o, src.URI, -1); err != nil {
			return nil, err
		}
	default:
		return nil, bad(o, "it has neither a uri nor a bufferView")
	}
	m, err := l.decodeImage(o, data)
	if err != nil {
		return nil, err
	}
	if p := m.pixels; src.URI != "" && !isData(src.URI) {
		p.Path = src.URI
	}
	if l.images == nil {
		l.images = map[int]*image{}
	}
	l.images[i] = m
	return m, nil
}

func (l *loader) decodeImage(o string, data []byte) (*image, error) {
	if bytes.HasPrefix(data, []byte("\xABKTX 20\xBB\r\n\x1A\n")) {
		return l.decodeKTX2(o, data)
	}
	limit, err := l.pixelLimit(o, len(data))
	if err != nil {
		return nil, err
	}
	p, err := picture.Decode(data, picture.Options{MaxPixels: limit})
	switch {
	case errors.Is(err, picture.ErrTooLarge):
		return nil, because(ErrTooLarge, o, "%v", err)
	case err != nil:
		return nil, bad(o, "%v", err)
	case p.Pix == nil:
		return nil, bad(o, "a %s picture is none that glTF allows; want PNG, JPEG, WebP or KTX2", p.Format)
	}
	if err := l.spend(o, int64(len(p.Pix))); err != nil {
		return nil, err
	}
	return &image{pixels: &texture.Pixels{Width: p.Width, Height: p.Height, Levels: [][]byte{p.Pix}}}, nil
}

// A picture of more than plainPixels must bring a byte for every mostPerByte of
// them: a photograph of 64 Mpx has megabytes, what unpacks from less is a trap.
const (
	plainPixels = 32 << 20
	mostPixels  = 64 << 20
	mostPerByte = 64
)

// pixelLimit is how many pixels the next image may have, given its n bytes:
// what the caller allows of one, and what is left for the file.
func (l *loader) pixelLimit(o string, n int) (int, error) {
	limit := int64(l.o.MaxPixels)
	if limit == 0 {
		limit = min(mostPixels, max(plainPixels, int64(n)*mostPerByte))
	}
	limit = min(limit, l.left/4)
	if limit < 1 {
		return 0, because(ErrTooLarge, o, "nothing is left of the limit of %d bytes", l.o.limit())
	}
	return int(limit), nil
}

// sourceOf is the image of a texture: that of an extension that is here, else
// its own.
func (l *loader) sourceOf(i int) (int, error) {
	t := l.doc.Textures[i]
	o := named("texture", i, t.Name)
	for _, name := range []string{"KHR_texture_basisu", "EXT_texture_webp"} {
		var x struct {
			Source *int `json:"source"`
		}
		ok, err := extension(t.Extensions, name, o, &x)
		if err != nil {
			return 0, err
		}
		if ok && x.Source != nil {
			return *x.Source, ref(o, name+".source", *x.Source, len(l.doc.Images), "image")
		}
	}
	if t.Source == nil {
		return 0, because(errNoURI, o, "it has no source that can be read here")
	}
	return *t.Source, nil
}

// texture makes the texture i, decoded as colour where srgb is set.
func (l *loader) texture(i int, srgb bool) (*texture.Texture, error) {
	t := l.doc.Textures[i]
	img, err := l.sourceOf(i)
	if err != nil {
		return nil, err
	}
	key := textureKey{image: img, sampler: -1, srgb: srgb}
	if t.Sampler != nil {
		key.sampler = *t.Sampler
	}
	if e := l.textures[key]; e != nil {
		return e.texture, nil
	}
	m, err := l.image(img)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", named("texture", i, t.Name), err)
	}
	name := l.doc.Images[img].Name
	if name == "" {
		name = fmt.Sprintf("image%d", img)
	}
	out := &texture.Texture{Name: name, Source: m.pixels, Format: composer.RGBA8Unorm, Mips: !m.mips, Sampler: l.sampler(t.Sampler)}
	if srgb {
		out.Format = composer.RGBA8UnormSRGB
	}
	if out.Sampler.NoMips {
		out.Mips = false
	}
	if l.textures == nil {
		l.textures = map[textureKey]*textureEntry{}
	}
	l.textures[key] = &textureEntry{out}
	return out, nil
}

// sampler converts a sampler. What it leaves open is trilinear and repeating,
// with four-fold anisotropy, as in the reference engine.
func (l *loader) sampler(i *int) texture.Sampler {
	s := texture.Sampler{Anisotropy: 4}
	if i == nil {
		return s
	}
	g := l.doc.Samplers[*i]
	wrap := func(w gltf.WrappingMode) composer.AddressMode {
		switch w {
		case gltf.WrapClampToEdge:
			return composer.AddressClamp
		case gltf.WrapMirroredRepeat:
			return composer.AddressMirror
		}
		return composer.AddressRepeat
	}
	s.AddressU, s.AddressV = wrap(g.WrapS), wrap(g.WrapT)
	if g.MagFilter == gltf.MagNearest {
		s.Mag = composer.FilterNearest
	}
	switch g.MinFilter {
	case gltf.MinNearest:
		s.Min, s.NoMips = composer.FilterNearest, true
	case gltf.MinLinear:
		s.NoMips = true
	case gltf.MinNearestMipMapNearest:
		s.Min, s.Mip = composer.FilterNearest, composer.FilterNearest
	case gltf.MinLinearMipMapNearest:
		// With a linear magnification anisotropy makes it trilinear, as in the
		// reference engine.
		if s.Mag == composer.FilterNearest {
			s.Mip = composer.FilterNearest
		}
	case gltf.MinNearestMipMapLinear:
		s.Min = composer.FilterNearest
	}
	return s
}

// textureInfo is a reference to a texture as an extension's JSON has it.
type textureInfo struct {
	Index      *int            `json:"index"`
	TexCoord   int             `json:"texCoord"`
	Scale      *float64        `json:"scale"` // of a normal texture
	Extensions gltf.Extensions `json:"extensions"`
}

// channel makes the channel of a texture in a material.
func (l *loader) channel(object, property string, t *textureInfo, srgb bool) (*pbr.Channel, error) {
	if t == nil {
		return nil, nil
	}
	if t.Index == nil {
		return nil, missing(object, property+".index")
	}
	if err := l.doc.checkTexture(object, property, *t.Index, t.TexCoord); err != nil {
		return nil, err
	}
	c := &pbr.Channel{UV: t.TexCoord, Scale: [2]float64{1, 1}}
	var x struct {
		Offset   *[]float64 `json:"offset"`
		Scale    *[]float64 `json:"scale"`
		Rotation float64    `json:"rotation"`
		TexCoord *int       `json:"texCoord"`
	}
	ok, err := extension(t.Extensions, "KHR_texture_transform", object+" "+property, &x)
	if err != nil {
		return nil, err
	}
	if ok {
		if err := firstError(
			func() error { return length(object, property+" offset", x.Offset, 2) },
			func() error { return length(object, property+" scale", x.Scale, 2) },
		); err != nil {
			return nil, err
		}
		if x.Offset != nil {
			c.Offset = [2]float64(*x.Offset)
		}
		if x.Scale != nil {
			c.Scale = [2]float64{some((*x.Scale)[0]), some((*x.Scale)[1])}
		}
		c.Rotation = x.Rotation
		if x.TexCoord != nil {
			if *x.TexCoord < 0 {
				return nil, bad(object, "%s.texCoord is %d", property, *x.TexCoord)
			}
			c.UV = *x.TexCoord
		}
	}
	if c.UV > 5 {
		l.warn("%s: %s is ignored: it uses TEXCOORD_%d, and six sets are the limit", object, property, c.UV)
		return nil, nil
	}
	l.coords = append(l.coords, coordinates{object, property, c})
	if l.dry {
		if _, err := l.sourceOf(*t.Index); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", object, property, err)
		}
		return c, nil
	}
	if c.Texture, err = l.texture(*t.Index, srgb); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", object, property, err)
	}
	return c, nil
}

// decodeKTX2 decodes a KTX2 file with Basis Universal or plain texels. Its
// levels are the texture's; a file with one level has no others, as in the
// reference engine, which transcodes to a format that a GPU cannot filter.
func (l *loader) decodeKTX2(o string, data []byte) (*image, error) {
	limit, err := l.pixelLimit(o, len(data))
	if err != nil {
		return nil, err
	}
	p, err := basisu.Decode(data, basisu.Options{MaxPixels: limit})
	switch {
	case errors.Is(err, basisu.ErrTooLarge):
		return nil, because(ErrTooLarge, o, "%v", err)
	case err != nil:
		return nil, bad(o, "%v", err)
	case p.Layers > 1 || p.Faces > 1 || p.Depth > 1:
		return nil, bad(o, "its KTX2 file holds an array, a cube or a volume; want one picture")
	case p.Float:
		return nil, bad(o, "its KTX2 file holds %s; want 8 bits a channel", p.Format)
	}
	var n int64
	for _, level := range p.Levels {
		n += int64(len(level))
	}
	if err := l.spend(o, n); err != nil {
		return nil, err
	}
	return &image{pixels: &texture.Pixels{Width: p.Width, Height: p.Height, Levels: p.Levels}, mips: true}, nil
}

// coordinates is a texture of a material, which needs coordinates of a mesh.
type coordinates struct {
	object, property string
	channel          *pbr.Channel
}

// uncovered warns of the textures of a material that a mesh has no coordinates for.
func (l *loader) uncovered(material *int, p *primitive) {
	if material == nil {
		return
	}
	for _, c := range l.uses[*material] {
		if p.geometry.UVs[c.channel.UV] == nil {
			l.warn("%s: %s of %s is not seen: the mesh has no TEXCOORD_%d", p.object, c.property, c.object, c.channel.UV)
		}
	}
}
