// Package png reads and writes the pictures of goldens and candidates.
//
// It is stricter than a viewer, because a golden that is half read is worse than one that is refused. The whole file is looked at: signature,
// the order and checksum of every chunk, the zlib stream with its own checksum, exactly as much pixel data as the header promises, and nothing
// after the end. Sizes are capped before anything is allocated. Every colour type and depth of the standard is read, interlaced or not:
//
//   - 8 bits and less become *image.NRGBA, 16 bits *image.NRGBA64. Gray is spread to R, G and B; 1, 2 and 4 bits to the full range (v·255/max).
//   - Alpha is straight. A tRNS chunk makes alpha: per palette entry, or 0 for the one transparent colour, compared at the file's own depth.
//   - A palette index beyond the palette is an error.
//
// # Colour
//
// Samples are compared as they are stored. No chunk changes a sample: neither gAMA, cHRM, sRGB, cICP nor iCCP is applied, as applying them rounds,
// and rounds differently in each library. What the chunks declare is kept in Info. A file that declares what darkroom's pictures are (sRGB, or
// gamma 1/2.2 with no profile) or declares nothing is taken as sRGB; a file that declares another encoding is still decoded, and Info.Foreign
// says so. The golden store refuses such a golden, since its numbers would mean something else.
//
// The writer declares sRGB.
package png

import (
	"errors"
	"fmt"
)

// ErrFormat is wrapped by every error about the content of a file.
var ErrFormat = errors.New("png: not a valid file")

// ErrTooLarge is wrapped by the error for a picture above the caps.
var ErrTooLarge = errors.New("png: picture is too large")

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrFormat}, args...)...)
}

// Caps bound what Decode takes on. Zero fields have defaults.
type Caps struct {
	Pixels int   // 0: 64 Mi pixels (8192×8192)
	Side   int   // 0: 32768
	Bytes  int64 // of the file; 0: 1 GiB
}

func (c Caps) pixels() int {
	if c.Pixels == 0 {
		return 64 << 20
	}
	return c.Pixels
}

func (c Caps) side() int {
	if c.Side == 0 {
		return 32768
	}
	return c.Side
}

func (c Caps) bytes() int64 {
	if c.Bytes == 0 {
		return 1 << 30
	}
	return c.Bytes
}

// Info is what a file says beside its pixels.
type Info struct {
	Width, Height int
	Depth         int    // bits a sample in the file
	Colour        string // gray, rgb, palette, gray+alpha, rgba
	Interlaced    bool
	Alpha         bool // an alpha channel or a tRNS chunk is there

	SRGB    bool    // an sRGB chunk is there
	Gamma   float64 // of the gAMA chunk, 0 where there is none
	Profile string  // name of the iCCP profile, or "cICP"; empty where there is none

	// Text chunks that are not compressed, in file order. Compressed ones are skipped: nothing of a text is worth a decompression bomb.
	Text []Text
}

// Text is a keyword and its text.
type Text struct{ Keyword, Text string }

// Get is the text of the first chunk with a keyword, "" where there is none.
func (i *Info) Get(keyword string) string {
	for _, t := range i.Text {
		if t.Keyword == keyword {
			return t.Text
		}
	}
	return ""
}

// Foreign says which other encoding than sRGB the file declares, "" where none.
func (i *Info) Foreign() string {
	switch {
	case i.Profile != "":
		return "colour profile " + i.Profile
	case i.SRGB:
		return ""
	case i.Gamma != 0 && (i.Gamma < 0.454 || i.Gamma > 0.456):
		return fmt.Sprintf("gamma %.5f", i.Gamma)
	}
	return ""
}
