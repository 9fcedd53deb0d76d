// Package basisu reads KTX 2.0 files into texels: Basis Universal in both of
// its forms (ETC1S with BasisLZ, UASTC, as KHR_texture_basisu has them), BC1,
// BC3 and BC7 blocks, and plain formats; supercompressed with Zstandard or
// zlib or not.
//
// It follows the KTX 2.0 specification with its appendices on BasisLZ, and for
// UASTC the layout of its reference decoder; texels are those of that decoder,
// to the bit.
package basisu

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Image is a decoded texture.
type Image struct {
	Width, Height int
	// Layers, Faces and Depth are at least 1.
	Layers, Faces, Depth int
	// Levels holds, per mip level in the file, all layers, faces and slices one
	// after another, in this order from the outside in; rows tight, first row first.
	// A texel is 4 bytes RGBA, straight, or with Float 16 bytes, four little-endian
	// floats.
	Levels [][]byte
	Float  bool
	// SRGB says that colours are sRGB-encoded.
	SRGB bool
	// Alpha is false where the format has none; then it is 1.
	Alpha bool
	// Format names how the texels were stored, for messages.
	Format string
}

// Options bound what Decode takes on.
type Options struct {
	MaxPixels int // of all levels, layers and faces together; zero means 96 Mi
}

var (
	// ErrFormat is wrapped by the errors of formats that are not read.
	ErrFormat = errors.New("the format is not read")
	// ErrTooLarge is returned for textures beyond MaxPixels.
	ErrTooLarge = errors.New("the texture is too large")
	// ErrBroken is wrapped by the errors of data that no encoder writes.
	ErrBroken = errors.New("the data is broken")
)

var identifier = []byte("\xabKTX 20\xbb\r\n\x1a\n")

// Supercompression schemes.
const (
	schemeNone    = 0
	schemeBasisLZ = 1
	schemeZstd    = 2
	schemeZlib    = 3
)

type span struct{ offset, length, full uint64 }

type file struct {
	data   []byte
	format uint32 // VkFormat
	scheme uint32
	width  int
	height int
	depth  int
	layers int
	faces  int
	levels []span
	model  byte // colour model of the data format descriptor
	srgb   bool
	// channels are the kinds of the descriptor's samples.
	channels []byte
	global   []byte // of the supercompression
}

// Decode decodes a KTX 2.0 file.
func Decode(data []byte, o Options) (*Image, error) {
	m, err := decode(data, o)
	if err != nil {
		return nil, fmt.Errorf("ktx2: %w", err)
	}
	return m, nil
}

func decode(data []byte, o Options) (*Image, error) {
	f, err := parse(data)
	if err != nil {
		return nil, err
	}
	limit := o.MaxPixels
	if limit <= 0 {
		limit = 96 << 20
	}
	m := &Image{Width: f.width, Height: f.height, Layers: max(f.layers, 1), Faces: f.faces, Depth: max(f.depth, 1), SRGB: f.srgb}
	total := 0
	for i := range f.levels {
		w, h, n := f.size(i)
		if w > limit/h || w*h > (limit-total)/n {
			return nil, fmt.Errorf("%w: level %d of %d × %dx%d has more than %d pixels in all", ErrTooLarge, i, n, w, h, limit)
		}
		total += w * h * n
	}
	c, err := f.codec()
	if err != nil {
		return nil, err
	}
	m.Format, m.Alpha, m.Float = c.name, c.alpha, c.float
	var lz *basisLZ
	if f.scheme == schemeBasisLZ {
		if lz, err = f.newBasisLZ(); err != nil {
			return nil, fmt.Errorf("codebooks: %w", err)
		}
		m.Alpha = lz.alpha
	}
	for i := range f.levels {
		w, h, n := f.size(i)
		var out []byte
		if lz != nil {
			out, err = lz.level(f, i)
		} else {
			out, err = f.level(c, i, w, h, n)
		}
		if err != nil {
			return nil, fmt.Errorf("level %d: %w", i, err)
		}
		m.Levels = append(m.Levels, out)
	}
	return m, nil
}

// size is that of level i, and how many images it has.
func (f *file) size(i int) (w, h, images int) {
	return max(f.width>>i, 1), max(f.height>>i, 1), max(f.layers, 1) * f.faces * max(f.depth>>i, 1)
}

func parse(data []byte) (*file, error) {
	const head = 80
	if !bytes.HasPrefix(data, identifier) {
		return nil, errors.New("it does not begin like a KTX 2.0 file")
	}
	if len(data) < head {
		return nil, fmt.Errorf("its header has %d bytes, want %d: %w", len(data), head, ErrBroken)
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(data[12+4*i:]) }
	for i := 2; i <= 7; i++ {
		if word(i) > 1<<16 {
			return nil, fmt.Errorf("the size %dx%dx%d, %d layers, %d faces, %d levels: %w", word(2), word(3), word(4), word(5), word(6), word(7), ErrBroken)
		}
	}
	f := &file{data: data, format: word(0), width: int(word(2)), height: int(max(word(3), 1)), depth: int(word(4)), layers: int(word(5)), faces: int(word(6)), scheme: word(8)}
	levels := int(max(word(7), 1))
	switch {
	case f.width < 1, f.faces != 1 && f.faces != 6, levels > 17, max(f.width, f.height, f.depth)>>(levels-1) == 0:
		return nil, fmt.Errorf("a size of %dx%dx%d with %d faces and %d levels: %w", f.width, f.height, f.depth, f.faces, levels, ErrBroken)
	case f.scheme > schemeZlib:
		return nil, fmt.Errorf("supercompression %d: %w", f.scheme, ErrFormat)
	}
	if len(data) < head+24*levels {
		return nil, fmt.Errorf("the index of %d levels is cut off: %w", levels, ErrBroken)
	}
	for i := range levels {
		at := data[head+24*i:]
		s := span{binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:]), binary.LittleEndian.Uint64(at[16:])}
		if _, err := f.part(s.offset, s.length); err != nil {
			return nil, fmt.Errorf("level %d: %w", i, err)
		}
		f.levels = append(f.levels, s)
	}
	dfd, err := f.part(uint64(word(9)), uint64(word(10)))
	if err != nil {
		return nil, fmt.Errorf("data format descriptor: %w", err)
	}
	if len(dfd) < 28 {
		return nil, fmt.Errorf("the data format descriptor has %d bytes: %w", len(dfd), ErrBroken)
	}
	f.model, f.srgb = dfd[12], dfd[14] == 2
	for s := dfd[28:]; len(s) >= 16; s = s[16:] {
		f.channels = append(f.channels, s[3]&15)
	}
	if len(f.channels) > 16 {
		f.channels = f.channels[:16]
	}
	f.global, err = f.part(binary.LittleEndian.Uint64(data[64:]), binary.LittleEndian.Uint64(data[72:]))
	if err != nil {
		return nil, fmt.Errorf("global data: %w", err)
	}
	return f, nil
}

// part is a span of the file.
func (f *file) part(offset, length uint64) ([]byte, error) {
	n := uint64(len(f.data))
	if offset > n || length > n-offset {
		return nil, fmt.Errorf("bytes %d to %d+%d lie outside the file of %d: %w", offset, offset, length, n, ErrBroken)
	}
	return f.data[offset : offset+length], nil
}

// level decodes the images of a level.
func (f *file) level(c *codec, i, w, h, n int) ([]byte, error) {
	image := (w + c.block - 1) / c.block * ((h + c.block - 1) / c.block) * c.bytes
	data, err := f.inflate(i, image*n)
	if err != nil {
		return nil, err
	}
	texel := 4
	if c.float {
		texel = 16
	}
	out := make([]byte, w*h*texel*n)
	for k := range n {
		if err := c.decode(out[k*w*h*texel:(k+1)*w*h*texel], data[k*image:(k+1)*image], w, h); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// inflate undoes the supercompression of level i, which must make size bytes.
func (f *file) inflate(i, size int) ([]byte, error) {
	s := f.levels[i]
	data, err := f.part(s.offset, s.length)
	if err != nil {
		return nil, err
	}
	switch f.scheme {
	case schemeZstd:
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(size)+1<<20))
		if err != nil {
			return nil, err
		}
		defer d.Close()
		if data, err = d.DecodeAll(data, nil); err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
	case schemeZlib:
		r, err := zlib.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("zlib: %w", err)
		}
		if data, err = io.ReadAll(io.LimitReader(r, int64(size)+1)); err != nil {
			return nil, fmt.Errorf("zlib: %w", err)
		}
	}
	if len(data) < size || f.scheme != schemeNone && len(data) != size {
		return nil, fmt.Errorf("it has %d bytes, want %d: %w", len(data), size, ErrBroken)
	}
	return data[:size], nil
}
