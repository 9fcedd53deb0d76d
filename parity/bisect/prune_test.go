package bisect

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestPrune(t *testing.T) {
	repo, cache := greys(t, line(8, 3)...), t.TempDir()
	r, err := Run(context.Background(), plainOptions(repo, cache, nil))
	if err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(cache, "builds", "notes")
	if err := os.MkdirAll(mine, 0o755); err != nil {
		t.Fatal(err)
	}
	kept, err := Prune(context.Background(), cache, DefaultKeep())
	if err != nil || kept.Removed != 0 || kept.Left == 0 || kept.LeftBytes == 0 {
		t.Fatalf("%+v, %v; want nothing removed", kept, err)
	}
	// All but one picture were last used long ago.
	old := time.Now().Add(-31 * 24 * time.Hour)
	picture := filepath.Dir(r.Reference)
	err = filepath.WalkDir(cache, func(path string, _ os.DirEntry, err error) error {
		if err == nil && !strings.HasPrefix(path, picture) {
			err = os.Chtimes(path, old, old)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Prune(context.Background(), cache, DefaultKeep())
	if err != nil || p.Left != 1 || p.Removed != kept.Left-1 {
		t.Errorf("by age: %+v, %v; want all but one of %d removed", p, err, kept.Left)
	}
	if _, err := os.Stat(r.Reference); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("a folder that is not the cache's was removed: %v", err)
	}
	// Whatever is gone is made again.
	count := 0
	again, err := Run(context.Background(), plainOptions(repo, cache, &count))
	if err != nil || again.First != r.First || count != r.Renders-1 {
		t.Errorf("after pruning: %+v, %v with %d renders, want %d", again, err, count, r.Renders-1)
	}
	// By size the longest unused goes first.
	if err := os.Chtimes(picture, old, old); err != nil {
		t.Fatal(err)
	}
	found, _ := filepath.Glob(filepath.Join(picture, "*"))
	for _, f := range found {
		if err := os.Chtimes(f, old, old); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := Prune(context.Background(), cache, Keep{Bytes: -1, Age: -1})
	if err != nil || whole.Removed != 0 {
		t.Fatalf("%+v, %v", whole, err)
	}
	if p, err = Prune(context.Background(), cache, Keep{Bytes: whole.LeftBytes - 1, Age: -1}); err != nil || p.Removed != 1 {
		t.Errorf("by size: %+v, %v; want one folder removed", p, err)
	}
	if _, err := os.Stat(picture); err == nil {
		t.Error("the longest unused folder was kept")
	}
	// While somebody uses the cache nothing goes.
	hold, err := holdCache(cache, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Prune(context.Background(), cache, Keep{}); !errors.Is(err, ErrBusy) {
		t.Errorf("a cache in use: %v", err)
	}
	hold.Close()
	if p, err = Prune(context.Background(), cache, Keep{}); err != nil || p.Left != 0 || p.LeftBytes != 0 {
		t.Errorf("keeping nothing: %+v, %v", p, err)
	}
	if _, err := Prune(context.Background(), filepath.Join(cache, "nowhere"), DefaultKeep()); err != nil {
		t.Error(err)
	}
}

// A search whose process was killed leaves a worktree, which Prune removes from
// the cache and from the repository's list.
func TestPruneRemovesLeftWorktrees(t *testing.T) {
	repo, cache := greys(t, line(3, 1)...), t.TempDir()
	before := snapshot(t, repo)
	for _, dir := range []string{filepath.Join("searches", digest("x"), "worktree"), filepath.Join("at", "worktree-1")} {
		if _, err := openWorktree(context.Background(), git{repo}, filepath.Join(cache, dir), "c0"); err != nil {
			t.Fatal(err)
		}
	}
	if snapshot(t, repo) == before {
		t.Fatal("no worktree was made")
	}
	if _, err := Prune(context.Background(), cache, DefaultKeep()); err != nil {
		t.Fatal(err)
	}
	if got := snapshot(t, repo); got != before {
		t.Errorf("worktrees are left:\n%s", got)
	}
}
