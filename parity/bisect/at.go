package bisect

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// AtOptions for At.
type AtOptions struct {
	Repo    string // any folder of the repository
	Rev     string
	Cache   string // empty: as Options.Cache
	Builder Builder
}

// At builds a revision in a disposable worktree and calls use with the program
// and the worktree, which is gone when At returns.
func At(ctx context.Context, o AtOptions, use func(bin, dir string) error) error {
	top, err := git{o.Repo}.run(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return fmt.Errorf("%s is no git repository: %w", o.Repo, err)
	}
	g := git{top}
	commit, err := g.resolve(ctx, o.Rev)
	if err != nil {
		return err
	}
	tree, err := g.run(ctx, "rev-parse", commit+"^{tree}")
	if err != nil {
		return err
	}
	if o.Cache == "" {
		if o.Cache, err = cacheDir(); err != nil {
			return err
		}
	}
	if o.Cache, err = filepath.Abs(o.Cache); err != nil {
		return err
	}
	hold, err := holdCache(o.Cache, false)
	if err != nil {
		return err
	}
	defer hold.Close()
	home := filepath.Join(o.Cache, "at")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return fmt.Errorf("the cache folder cannot be made: %w; name another", err)
	}
	dir, err := os.MkdirTemp(home, "worktree-")
	if err != nil {
		return err
	}
	w, err := openWorktree(ctx, g, dir, commit)
	if err != nil {
		os.RemoveAll(dir)
		return err
	}
	defer w.close()
	bin, _, err := newCache(o.Cache, o.Builder, CommandRunner{}, false).build(ctx, tree, dir, func() error { return nil })
	if err != nil {
		return fmt.Errorf("revision %s: %w", o.Rev, err)
	}
	return use(bin, dir)
}
