package env

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"darkroom/scenes/files"
)

// CacheDir is where prefiltered environments are kept by default.
func CacheDir() (string, error) {
	d, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no cache folder: %w; set XDG_CACHE_HOME", err)
	}
	return filepath.Join(d, "darkroom", "environments"), nil
}

// cacheMagic begins a kept environment and changes with what the filter does.
const cacheMagic = "darkroom environment 1\n"

// maxCache is how many bytes of environments are kept; the longest unused go first.
const maxCache = 1 << 30

// kept is a folder of prefiltered environments, each named by a hash of the
// panorama's bytes and everything else that decides on the result.
type kept struct{ dir string }

// key names the result for a panorama and the options.
func (kept) key(data []byte, o Options) string {
	by := "processor"
	if o.Device != nil {
		by = o.Device.Name()
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s%q %d %v %d %d\n", cacheMagic, by, o.Size, o.Supersample, o.Samples, len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil)) + ".cube"
}

// get returns a kept map; what is damaged counts as absent.
func (k kept) get(name string) (*Map, bool) {
	path := filepath.Join(k.dir, name)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, false
	}
	m, err := unpack(data)
	if err != nil {
		return nil, false
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // the order of use; without it the order of making
	return m, true
}

// put keeps a map.
func (k kept) put(name string, m *Map) error {
	if err := files.Write(filepath.Join(k.dir, name), pack(m)); err != nil {
		return err
	}
	return k.prune(maxCache)
}

// prune removes the longest unused files until no more than limit bytes are left.
func (k kept) prune(limit int64) error {
	entries, err := os.ReadDir(k.dir)
	if err != nil {
		return err
	}
	var files []os.FileInfo
	var total int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil && filepath.Ext(e.Name()) == ".cube" {
			files = append(files, info)
			total += info.Size()
		}
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if total <= limit {
			break
		}
		if err := os.Remove(filepath.Join(k.dir, f.Name())); err != nil && !os.IsNotExist(err) {
			return err
		}
		total -= f.Size()
	}
	return nil
}

// pack is a map as bytes: magic, SHA-256 of the rest, size, number of levels,
// level scale, harmonics, levels; little-endian.
func pack(m *Map) []byte {
	var b bytes.Buffer
	put := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) } // a buffer takes everything
	put(uint32(m.Cube.Size))
	put(uint32(len(m.Cube.Levels)))
	put(m.LodScale)
	put(m.SH)
	for _, l := range m.Cube.Levels {
		b.Write(l)
	}
	digest := sha256.Sum256(b.Bytes())
	return slices.Concat([]byte(cacheMagic), digest[:], b.Bytes())
}

func unpack(data []byte) (*Map, error) {
	rest, ok := bytes.CutPrefix(data, []byte(cacheMagic))
	if !ok || len(rest) < sha256.Size {
		return nil, fmt.Errorf("it is no kept environment of this version")
	}
	digest, rest := rest[:sha256.Size], rest[sha256.Size:]
	if got := sha256.Sum256(rest); !bytes.Equal(got[:], digest) {
		return nil, fmt.Errorf("it is damaged")
	}
	const head = 4 + 4 + 8 + 27*8
	if len(rest) < head {
		return nil, fmt.Errorf("its header has %d bytes, want %d", len(rest), head)
	}
	size, levels := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
	if size < 1 || size > maxSize || size&(size-1) != 0 || int(levels) != mipLevels(int(size)) {
		return nil, fmt.Errorf("a cube of %d texels with %d levels is none", size, levels)
	}
	float := func(at int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(rest[at:])) }
	m := &Map{Kind: "hdr", Cube: &Cube{Size: int(size)}, Prefiltered: true, LodScale: float(8)}
	for i := range m.SH {
		for c := range 3 {
			m.SH[i][c] = float(16 + (i*3+c)*8)
		}
	}
	body := rest[head:]
	for i := range int(levels) {
		n := int(size) >> i
		if len(body) < 6*n*n*8 {
			return nil, fmt.Errorf("level %d is cut off", i)
		}
		m.Cube.Levels = append(m.Cube.Levels, body[:6*n*n*8])
		body = body[6*n*n*8:]
	}
	return m, nil
}
