package bisect

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"darkroom/scenes/files"
)

// cache keeps programs and pictures. A program is named by the tree of its
// commit and the Builder's key; two commits with one tree (a revert, a merge
// without changes) share it. A picture is named by the program's bytes, the
// files that the program may read, and the Runner's key: commits that change
// documents, tests or comments alone share it.
type cache struct {
	dir     string
	builder Builder
	runner  Runner
	off     bool // read nothing, still write
	stamp   int64
	serial  atomic.Int64
	// fresh has what was made in this process, which counts even where off.
	fresh map[string]bool
}

func newCache(dir string, b Builder, r Runner, off bool) *cache {
	return &cache{dir: dir, builder: b, runner: r, off: off, stamp: time.Now().UnixNano(), fresh: map[string]bool{}}
}

// cacheDir is where builds and pictures go by default.
func cacheDir() (string, error) {
	d, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no cache folder: %w; name one", err)
	}
	return filepath.Join(d, "darkroom", "bisect"), nil
}

// failure is a result that is kept although there is no file: the sources do
// not compile, or the scene is not there. A program that crashed or was too
// slow is not kept, for another time it may not.
type failure struct {
	Build   bool   `json:"build,omitempty"`
	NoScene bool   `json:"no_scene,omitempty"`
	Text    string `json:"text"`
}

func (f *failure) err() error {
	if f.NoScene {
		return &outcome{ErrNoScene, f.Text}
	}
	return &outcome{ErrBuild, f.Text}
}

// outcome is an error of the given kind with a text of its own.
type outcome struct {
	kind error
	text string
}

func (o *outcome) Error() string { return o.text }
func (o *outcome) Unwrap() error { return o.kind }

func (c *cache) has(path string) bool {
	if c.off && !c.fresh[path] {
		return false
	}
	_, err := os.Stat(path)
	return err == nil
}

func (c *cache) read(path string, v any) bool {
	if c.off && !c.fresh[path] {
		return false
	}
	b, err := os.ReadFile(path)
	return err == nil && json.Unmarshal(b, v) == nil
}

func (c *cache) write(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	c.fresh[path] = true
	return files.Write(path, append(b, '\n'))
}

// scratch is a new name beside path.
func (c *cache) scratch(path string) string {
	return path + "." + strconv.Itoa(os.Getpid()) + "." + strconv.FormatInt(c.stamp+c.serial.Add(1), 36) + ".tmp"
}

// build returns the program of a tree; checkout brings the tree to dir where it
// has to be built.
func (c *cache) build(ctx context.Context, tree, dir string, checkout func() error) (bin string, built bool, err error) {
	place := filepath.Join(c.dir, "builds", digest(tree, c.builder.Key()))
	bin = filepath.Join(place, "program")
	if c.has(bin) {
		c.used(place)
		return bin, false, nil
	}
	var f failure
	if c.read(filepath.Join(place, "failure.json"), &f) {
		c.used(place)
		return "", false, f.err()
	}
	if err := checkout(); err != nil {
		return "", false, err
	}
	if err := os.MkdirAll(place, 0o755); err != nil {
		return "", false, fmt.Errorf("the cache folder cannot be made: %w; name another", err)
	}
	tmp := c.scratch(bin)
	defer os.Remove(tmp)
	if err := c.builder.Build(ctx, dir, tmp); err != nil {
		if ctx.Err() == nil && errors.Is(err, ErrBuild) {
			if err := c.write(filepath.Join(place, "failure.json"), failure{Build: true, Text: err.Error()}); err != nil {
				return "", true, err
			}
		}
		return "", true, err
	}
	if err := sync(tmp); err != nil {
		return "", true, err
	}
	c.fresh[bin] = true
	return bin, true, files.Commit(tmp, bin)
}

// programDigest sums up a program's bytes.
func (c *cache) programDigest(bin string) (string, error) {
	f, err := os.Open(bin)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// used notes that a folder of the cache was of use, for Prune.
func (c *cache) used(place string) {
	now := time.Now()
	_ = os.Chtimes(place, now, now) // a cache that cannot be written to is still good to read
}

// picture returns the n-th picture of a program; content names the program and
// what it reads.
func (c *cache) picture(ctx context.Context, content, bin, dir, scene string, n int, checkout func() error) (file string, shot Shot, drawn bool, err error) {
	place := filepath.Join(c.dir, "pictures", digest(content, c.runner.Key(), scene))
	file = filepath.Join(place, strconv.Itoa(n)+".png")
	said := filepath.Join(place, strconv.Itoa(n)+".json")
	if c.has(file) && c.read(said, &shot) {
		c.used(place)
		return file, shot, false, nil
	}
	var f failure
	if c.read(filepath.Join(place, "failure.json"), &f) {
		c.used(place)
		return "", Shot{}, false, f.err()
	}
	// The program may read files of its tree when it runs.
	if err := checkout(); err != nil {
		return "", Shot{}, false, err
	}
	if err := os.MkdirAll(place, 0o755); err != nil {
		return "", Shot{}, false, fmt.Errorf("the cache folder cannot be made: %w; name another", err)
	}
	tmp := c.scratch(file) + ".png"
	defer os.Remove(tmp)
	shot, err = c.runner.Render(ctx, bin, dir, scene, tmp)
	if err != nil {
		if ctx.Err() == nil && errors.Is(err, ErrNoScene) {
			if err := c.write(filepath.Join(place, "failure.json"), failure{NoScene: true, Text: err.Error()}); err != nil {
				return "", Shot{}, false, err
			}
			return "", Shot{}, false, err
		}
		return "", Shot{}, true, err
	}
	if _, err := os.Stat(tmp); errors.Is(err, fs.ErrNotExist) {
		return "", Shot{}, true, &outcome{ErrDraw, "the program reported success but wrote no picture"}
	}
	if err := sync(tmp); err != nil {
		return "", Shot{}, true, err
	}
	if err := c.write(said, shot); err != nil {
		return "", Shot{}, true, err
	}
	c.fresh[file] = true
	return file, shot, true, files.Commit(tmp, file)
}

func sync(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
