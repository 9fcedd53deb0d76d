package bisect

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Keep bounds what stays in a cache.
type Keep struct {
	Bytes int64         // most bytes of all files together; negative means any number
	Age   time.Duration // longest time since the last use; negative means any
}

// DefaultKeep is what a search keeps of earlier ones: 8 GiB, 30 days.
func DefaultKeep() Keep { return Keep{Bytes: 8 << 30, Age: 30 * 24 * time.Hour} }

// ErrBusy is wrapped where a search is using the cache.
var ErrBusy = errors.New("a search is using the cache")

// Pruned is what Prune removed and left.
type Pruned struct {
	Removed, Left           int   // programs, picture folders and search states
	RemovedBytes, LeftBytes int64 // of their files
}

// place is a folder of a cache that lives and goes as a whole.
type place struct {
	dir   string
	bytes int64
	used  time.Time
}

// Prune removes from the cache in dir (empty: the default one) what was not used
// for long, and then the longest unused until the rest is small enough.
// Worktrees that a killed process left behind go as well. It leaves everything
// and returns ErrBusy while a search is using the cache.
func Prune(ctx context.Context, dir string, k Keep) (p Pruned, err error) {
	if dir == "" {
		if dir, err = cacheDir(); err != nil {
			return p, err
		}
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	l, err := holdCache(dir, true)
	if err != nil {
		return p, err
	}
	defer l.Close()
	var list []place
	for _, kind := range []string{"builds", "pictures", "searches", "at"} {
		found, err := os.ReadDir(filepath.Join(dir, kind))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return p, err
		}
		for _, e := range found {
			if !ours(kind, e.Name()) {
				continue // the folder may have been there before it was a cache
			}
			x, err := measure(filepath.Join(dir, kind, e.Name()))
			if err != nil {
				return p, err
			}
			switch kind {
			case "searches":
				// No search is under way, so its worktree is a killed one's.
				dropWorktree(ctx, filepath.Join(x.dir, "worktree"))
				if x, err = measure(x.dir); err != nil {
					return p, err
				}
			case "at":
				dropWorktree(ctx, x.dir)
				p.Removed, p.RemovedBytes = p.Removed+1, p.RemovedBytes+x.bytes
				continue
			}
			list = append(list, x)
			p.LeftBytes += x.bytes
		}
	}
	slices.SortFunc(list, func(a, b place) int { return a.used.Compare(b.used) })
	p.Left = len(list)
	now := time.Now()
	for _, x := range list {
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		if !(k.Age >= 0 && now.Sub(x.used) > k.Age) && !(k.Bytes >= 0 && p.LeftBytes > k.Bytes) {
			continue
		}
		if err := os.RemoveAll(x.dir); err != nil {
			return p, fmt.Errorf("%w; remove it by hand", err)
		}
		p.Removed, p.Left = p.Removed+1, p.Left-1
		p.RemovedBytes, p.LeftBytes = p.RemovedBytes+x.bytes, p.LeftBytes-x.bytes
	}
	return p, nil
}

// ours reports whether a cache makes folders of that name.
func ours(kind, name string) bool {
	if kind == "at" {
		return strings.HasPrefix(name, "worktree-")
	}
	_, err := hex.DecodeString(name)
	return err == nil && len(name) == len(digest())
}

// measure sums up a folder: its bytes, and the youngest time in it, which is
// that of its last use.
func measure(dir string) (place, error) {
	x := place{dir: dir}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		i, err := d.Info()
		if err != nil {
			return err
		}
		if d.Type().IsRegular() {
			x.bytes += i.Size()
		}
		if path == dir || filepath.Dir(path) == dir {
			if t := i.ModTime(); t.After(x.used) {
				x.used = t
			}
		}
		return nil
	})
	return x, err
}

// dropWorktree removes a worktree that nobody uses, and its entry in the
// repository that it belongs to.
func dropWorktree(ctx context.Context, dir string) {
	if _, err := os.Stat(dir); err != nil {
		return
	}
	if common, err := (git{dir}).run(ctx, "rev-parse", "--path-format=absolute", "--git-common-dir"); err == nil {
		_, _ = git{common}.run(ctx, "worktree", "remove", "--force", "--force", dir)
	}
	os.RemoveAll(dir)
}

// holdCache keeps Prune away from a cache until the file is closed; alone is
// Prune's own hold, which nobody else may have.
func holdCache(dir string, alone bool) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("the cache folder cannot be made: %w; name another", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "in-use"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("the cache folder cannot be used: %w; name another", err)
	}
	if alone {
		if err := lock(f); err != nil {
			f.Close()
			return nil, fmt.Errorf("%s: %w; prune it when that has ended", dir, ErrBusy)
		}
		return f, nil
	}
	if err := share(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return f, nil
}
