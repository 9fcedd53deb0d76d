package png

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/klauspost/compress/zlib"

	"darkroom/scenes/files"
)

func tooLarge(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrTooLarge}, args...)...)
}

// Read decodes the file at path. Errors name the path.
func Read(path string, caps Caps) (image.Image, *Info, error) {
	b, err := readCapped(path, caps)
	if err != nil {
		return nil, nil, err
	}
	m, info, err := Decode(b, caps)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, info, nil
}

func readCapped(path string, caps Caps) ([]byte, error) {
	f, err := files.Open(path)
	if errors.Is(err, files.ErrKind) {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.Size() > caps.bytes() {
		return nil, fmt.Errorf("%s: %w", path, tooLarge("file of %d bytes, the cap is %d", st.Size(), caps.bytes()))
	}
	b := make([]byte, st.Size())
	if _, err := io.ReadFull(f, b); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// DecodeInfo reads what a file says up to its pixels, and checks that much of it.
func DecodeInfo(b []byte, caps Caps) (*Info, error) {
	f, err := parse(b, caps, true)
	if err != nil {
		return nil, err
	}
	return &f.info, nil
}

// Decode reads a whole file. The picture is an *image.NRGBA, or an *image.NRGBA64 where the file has 16 bits a sample.
func Decode(b []byte, caps Caps) (image.Image, *Info, error) {
	f, err := parse(b, caps, false)
	if err != nil {
		return nil, nil, err
	}
	raw, err := f.inflate()
	if err != nil {
		return nil, nil, err
	}
	w, h := f.info.Width, f.info.Height
	var put func(row []byte, x0, dx, y int) error
	var m image.Image
	if f.depth == 16 {
		d := image.NewNRGBA64(image.Rect(0, 0, w, h))
		put = func(row []byte, x0, dx, y int) error { f.put16(d.Pix[y*d.Stride:], row, x0, dx, w); return nil }
		m = d
	} else {
		d := image.NewNRGBA(image.Rect(0, 0, w, h))
		put = func(row []byte, x0, dx, y int) error { return f.put8(d.Pix[y*d.Stride:y*d.Stride+4*w], row, x0, dx, w) }
		m = d
	}
	for _, p := range f.passes() {
		size := f.rowBytes(p.width(w))
		var up []byte
		for y := p.y0; y < h && size > 0; y += p.dy {
			filter, row := raw[0], raw[1:1+size]
			raw = raw[1+size:]
			if err := unfilter(filter, row, up, max(1, f.channels()*int(f.depth)/8)); err != nil {
				return nil, nil, err
			}
			if err := put(row, p.x0, p.dx, y); err != nil {
				return nil, nil, err
			}
			up = row
		}
	}
	return m, &f.info, nil
}

// pass is the grid of pixels of one pass of an interlaced picture.
type pass struct{ x0, y0, dx, dy int }

var adam7 = []pass{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}

func (f *file) passes() []pass {
	if f.info.Interlaced {
		return adam7
	}
	return []pass{{0, 0, 1, 1}}
}

func (p pass) width(w int) int {
	if p.x0 >= w {
		return 0
	}
	return (w - p.x0 + p.dx - 1) / p.dx
}

func (p pass) height(h int) int {
	if p.y0 >= h {
		return 0
	}
	return (h - p.y0 + p.dy - 1) / p.dy
}

// rowBytes of a row of w pixels without its filter byte.
func (f *file) rowBytes(w int) int {
	return (w*f.channels()*int(f.depth) + 7) / 8
}

// inflate decompresses exactly the bytes that the header promises, and checks that the stream ends there with a right checksum and that no
// compressed byte is left over. The memory grows with what really comes, so that a small file cannot ask for much.
func (f *file) inflate() ([]byte, error) {
	size := 0
	for _, p := range f.passes() {
		if w, h := p.width(f.info.Width), p.height(f.info.Height); w > 0 && h > 0 {
			size += h * (1 + f.rowBytes(w))
		}
	}
	// One slice and a bytes.Reader: the decompressor takes no byte more than it needs from it, and without a call for each.
	data := f.data[0]
	if len(f.data) > 1 {
		data = bytes.Join(f.data, nil)
	}
	src := bytes.NewReader(data)
	z, err := zlib.NewReader(src)
	if err != nil {
		return nil, bad("pixel data: %v", err)
	}
	defer z.Close()
	// Deflate makes at most about 1032 bytes of one.
	buf := bytes.NewBuffer(make([]byte, 0, min(size, len(data)*1040+64)+bytes.MinRead))
	n, err := io.Copy(buf, io.LimitReader(z, int64(size)))
	if err != nil {
		return nil, bad("pixel data: %v", err)
	}
	if int(n) < size {
		return nil, bad("%d bytes of pixel data instead of %d", n, size)
	}
	var one [1]byte
	for range 4 { // an empty read or two may come before the end
		k, err := z.Read(one[:])
		switch {
		case k > 0:
			return nil, bad("there is more pixel data than %d×%d pixels", f.info.Width, f.info.Height)
		case errors.Is(err, io.EOF):
			if left := src.Len(); left > 0 {
				return nil, bad("%d bytes follow the pixel data", left)
			}
			return buf.Bytes(), nil
		case err != nil:
			return nil, bad("pixel data: %v", err)
		}
	}
	return nil, bad("the pixel data does not end")
}

// unfilter undoes the filter of one row in place; up is the row above after its own unfiltering, nil for the first of a pass, and bpp the bytes
// that a pixel takes, at least 1.
func unfilter(filter byte, row, up []byte, bpp int) error {
	switch filter {
	case 0:
	case 1:
		for i := bpp; i < len(row); i++ {
			row[i] += row[i-bpp]
		}
	case 2:
		if up != nil {
			up = up[:len(row)]
			for i := range row {
				row[i] += up[i]
			}
		}
	case 3:
		for i := range row {
			left, above := 0, 0
			if i >= bpp {
				left = int(row[i-bpp])
			}
			if up != nil {
				above = int(up[i])
			}
			row[i] += byte((left + above) / 2)
		}
	case 4:
		if up == nil { // the Paeth predictor of nothing above is the left one
			return unfilter(1, row, nil, bpp)
		}
		up = up[:len(row)]
		for i := 0; i < min(bpp, len(row)); i++ {
			row[i] += up[i]
		}
		for i := bpp; i < len(row); i++ {
			a, b, c := int(row[i-bpp]), int(up[i]), int(up[i-bpp])
			pa, pb := b-c, a-c
			pc := pa + pb
			pa, pb, pc = abs(pa), abs(pb), abs(pc)
			switch {
			case pa <= pb && pa <= pc:
				row[i] += byte(a)
			case pb <= pc:
				row[i] += byte(b)
			default:
				row[i] += byte(c)
			}
		}
	default:
		return bad("filter type %d does not exist", filter)
	}
	return nil
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}
