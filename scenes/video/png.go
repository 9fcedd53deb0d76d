package video

import (
	"bytes"
	"fmt"
	"image/png"
	"io/fs"
	"path"
	"sort"
	"strings"

	"darkroom/scenes/picture"
)

// PNGs is a sequence of PNG files, read when their time has come.
type PNGs struct {
	clock
	fsys  fs.FS
	names []string
	w, h  int
	last  int // decoded frame; -1: none
	pix   []byte
}

// OpenPNGs makes a sequence of the files that match a pattern of path.Match,
// such as frames/*.png, in order of the numbers in their names: frame-9 comes
// before frame-10. All have the size of the first.
func OpenPNGs(fsys fs.FS, pattern string, fps float64) (*PNGs, error) {
	names, err := fs.Glob(fsys, pattern)
	switch {
	case err != nil:
		return nil, fmt.Errorf("PNG sequence %s: %w", pattern, err)
	case len(names) == 0:
		return nil, fmt.Errorf("PNG sequence %s: no file matches", pattern)
	case !(fps > 0) || fps > 1e6:
		return nil, fmt.Errorf("PNG sequence %s: %g frames per second; give a positive rate", pattern, fps)
	}
	sort.Slice(names, func(i, j int) bool { return natural(names[i], names[j]) })
	v := &PNGs{clock: steady(len(names), fps), fsys: fsys, names: names, last: -1}
	data, err := fs.ReadFile(fsys, names[0])
	if err != nil {
		return nil, fmt.Errorf("PNG sequence %s: %w", pattern, err)
	}
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("PNG sequence: %s: %w: %v", names[0], ErrFormat, err)
	}
	v.w, v.h = c.Width, c.Height
	return v, checkSize(v.w, v.h)
}

// natural sorts runs of digits by their value.
func natural(a, b string) bool {
	a, b = path.Clean(a), path.Clean(b)
	for a != "" && b != "" {
		i, j := digits(a), digits(b)
		if i > 0 && j > 0 {
			x, y := strings.TrimLeft(a[:i], "0"), strings.TrimLeft(b[:j], "0")
			if len(x) != len(y) {
				return len(x) < len(y)
			}
			if x != y {
				return x < y
			}
			if i != j {
				return i < j
			}
			a, b = a[i:], b[j:]
			continue
		}
		if a[0] != b[0] {
			return a[0] < b[0]
		}
		a, b = a[1:], b[1:]
	}
	return len(a) < len(b)
}

// digits is the length of the number that s begins with.
func digits(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}

// Size implements shader.FrameSource.
func (v *PNGs) Size() (width, height int) { return v.w, v.h }

// At implements shader.FrameSource. The picture must not be changed.
func (v *PNGs) At(t float64) ([]byte, error) {
	i := v.Frame(t)
	if i == v.last {
		return v.pix, nil
	}
	data, err := fs.ReadFile(v.fsys, v.names[i])
	if err != nil {
		return nil, err
	}
	p, err := picture.Decode(data, picture.Options{MaxPixels: maxPixels})
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", v.names[i], err)
	case p.Format != "png":
		return nil, fmt.Errorf("%s: %w: it is %s", v.names[i], ErrFormat, p.Format)
	case p.Width != v.w || p.Height != v.h:
		return nil, fmt.Errorf("%s has %dx%d pixels and the first of the sequence %dx%d", v.names[i], p.Width, p.Height, v.w, v.h)
	}
	v.last, v.pix = i, p.Pix
	return v.pix, nil
}
