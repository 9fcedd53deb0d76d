package png

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"io"
	"unicode/utf8"

	"darkroom/goldens/picture"

	"github.com/klauspost/compress/zlib"
)

// Effort is how hard the writer tries to make the file small.
type Effort uint8

const (
	// Fast takes one filter for all rows and the lightest compression: for candidates and difference pictures, of which there are many.
	Fast Effort = iota
	// Small chooses a filter for every row and compresses hard: for goldens, which are kept for good.
	Small
)

// Options of the writer. The zero value is useful.
type Options struct {
	Effort Effort
	// Text is written as iTXt chunks before the pixels. Keywords are 1 to 79 printable Latin-1 characters; texts are valid UTF-8 without NUL.
	Text []Text
}

// Encode writes a picture. One that is opaque is written without alpha, which reads back the same. The same picture and options give the same
// bytes.
func Encode(w io.Writer, m image.Image, opt Options) error {
	row, width, height, pixel, err := picture.Rows(m)
	if err != nil {
		return err
	}
	if width == 0 || height == 0 || width > 1<<30 || height > 1<<30 {
		return fmt.Errorf("png: a picture of %d×%d cannot be written", width, height)
	}
	channels, depth := 4, pixel*2
	colour := byte(rgba)
	if opaque(row, height, pixel) {
		channels, colour = 3, rgb
	}

	var out bytes.Buffer
	out.WriteString(signature)
	head := make([]byte, 13)
	binary.BigEndian.PutUint32(head, uint32(width))
	binary.BigEndian.PutUint32(head[4:], uint32(height))
	head[8], head[9] = byte(depth), colour
	chunk(&out, "IHDR", head)
	chunk(&out, "sRGB", []byte{0}) // perceptual intent, as the standard advises for pictures
	for _, t := range opt.Text {
		b, err := textChunk(t)
		if err != nil {
			return err
		}
		chunk(&out, "iTXt", b)
	}
	if err := pixels(&out, row, width, height, pixel, channels, opt.Effort); err != nil {
		return err
	}
	chunk(&out, "IEND", nil)
	_, err = w.Write(out.Bytes())
	return err
}

func opaque(row func(int) []byte, h, pixel int) bool {
	for y := range h {
		r := row(y)
		if pixel == 4 {
			for i := 3; i < len(r); i += 4 {
				if r[i] != 255 {
					return false
				}
			}
			continue
		}
		for i := 6; i < len(r); i += 8 {
			if r[i]&r[i+1] != 255 {
				return false
			}
		}
	}
	return true
}

func textChunk(t Text) ([]byte, error) {
	if len(t.Keyword) == 0 || len(t.Keyword) > 79 {
		return nil, fmt.Errorf("png: keyword %q is not 1 to 79 bytes long", t.Keyword)
	}
	for _, c := range []byte(t.Keyword) {
		if c < 32 || c > 126 {
			return nil, fmt.Errorf("png: keyword %q has characters beyond printable ASCII", t.Keyword)
		}
	}
	if !utf8.ValidString(t.Text) || bytes.IndexByte([]byte(t.Text), 0) >= 0 {
		return nil, fmt.Errorf("png: text of keyword %q is not valid UTF-8 without NUL", t.Keyword)
	}
	// No compression, no language, no translated keyword.
	return append([]byte(t.Keyword+"\x00\x00\x00\x00\x00"), t.Text...), nil
}

// chunk appends one chunk with its length and checksum.
func chunk(out *bytes.Buffer, name string, body []byte) {
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(len(body)))
	out.Write(n[:])
	start := out.Len()
	out.WriteString(name)
	out.Write(body)
	binary.BigEndian.PutUint32(n[:], crc32.ChecksumIEEE(out.Bytes()[start:]))
	out.Write(n[:])
}

// pixels compresses the filtered rows straight into one IDAT chunk.
func pixels(out *bytes.Buffer, row func(int) []byte, w, h, pixel, channels int, effort Effort) error {
	level := zlib.BestSpeed
	if effort == Small {
		level = zlib.BestCompression
	}
	lengthAt := out.Len()
	out.WriteString("\x00\x00\x00\x00IDAT")
	z, err := zlib.NewWriterLevel(out, level)
	if err != nil {
		return err
	}
	bpp := channels * pixel / 4
	cur, up := make([]byte, w*bpp), make([]byte, w*bpp)
	line := make([]byte, 1+w*bpp)
	var choose *chooser
	if effort == Small {
		choose = newChooser(w*bpp, bpp)
	}
	for y := range h {
		pack(cur, row(y), pixel, channels)
		if effort == Small {
			line = choose.best(cur, up)
		} else {
			// Up: rendered pictures repeat from row to row, and flat ground becomes zeros.
			line[0] = 2
			filterUp(line[1:], cur, up)
		}
		if _, err := z.Write(line); err != nil {
			return err
		}
		cur, up = up, cur
	}
	if err := z.Close(); err != nil {
		return err
	}
	b := out.Bytes()[lengthAt:]
	binary.BigEndian.PutUint32(b, uint32(len(b)-8))
	var sum [4]byte
	binary.BigEndian.PutUint32(sum[:], crc32.ChecksumIEEE(b[4:]))
	out.Write(sum[:])
	return nil
}

// pack copies a row of RGBA, leaving alpha out where the file has none.
func pack(dst, src []byte, pixel, channels int) {
	if channels == 4 {
		copy(dst, src)
		return
	}
	if pixel == 4 {
		for len(src) >= 4 && len(dst) >= 3 {
			dst[0], dst[1], dst[2] = src[0], src[1], src[2]
			dst, src = dst[3:], src[4:]
		}
		return
	}
	for len(src) >= 8 && len(dst) >= 6 {
		copy(dst[:6], src[:6])
		dst, src = dst[6:], src[8:]
	}
}

// filterUp subtracts eight bytes at a time: with the top bit of each byte set aside no byte borrows from its neighbour.
func filterUp(dst, cur, up []byte) {
	const top = 0x8080808080808080
	i := 0
	for ; i+8 <= len(cur); i += 8 {
		a, b := binary.LittleEndian.Uint64(cur[i:]), binary.LittleEndian.Uint64(up[i:])
		binary.LittleEndian.PutUint64(dst[i:], ((a|top)-(b&^top))^((a^^b)&top))
	}
	for ; i < len(cur); i++ {
		dst[i] = cur[i] - up[i]
	}
}

// chooser tries the five filters on a row and takes the one whose bytes, read as signed, have the smallest sum of magnitudes, as the standard's
// section 12.8 advises.
type chooser struct {
	bpp   int
	tries [5][]byte
}

func newChooser(n, bpp int) *chooser {
	c := &chooser{bpp: bpp}
	for i := range c.tries {
		c.tries[i] = make([]byte, 1+n)
		c.tries[i][0] = byte(i)
	}
	return c
}

func (c *chooser) best(cur, up []byte) []byte {
	best, least := 0, -1
	for f := range c.tries {
		t := c.tries[f][1:]
		sum := 0
		for i, v := range cur {
			left, corner := 0, 0
			if i >= c.bpp {
				left, corner = int(cur[i-c.bpp]), int(up[i-c.bpp])
			}
			above := int(up[i])
			switch f {
			case 1:
				v -= byte(left)
			case 2:
				v -= byte(above)
			case 3:
				v -= byte((left + above) / 2)
			case 4:
				v -= paeth(left, above, corner)
			}
			t[i] = v
			sum += abs(int(int8(v)))
		}
		if least < 0 || sum < least {
			best, least = f, sum
		}
	}
	return c.tries[best]
}

func paeth(a, b, c int) byte {
	pa, pb, pc := abs(b-c), abs(a-c), abs(a+b-2*c)
	switch {
	case pa <= pb && pa <= pc:
		return byte(a)
	case pb <= pc:
		return byte(b)
	}
	return byte(c)
}
