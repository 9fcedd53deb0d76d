package bisect

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// git runs git in a repository.
type git struct{ dir string }

// environ is the environment without the variables by which a calling git (a
// hook, bisect run) would lead ours to another repository or index.
func environ() []string {
	var out []string
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(e, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE":
			continue
		}
		out = append(out, e)
	}
	return append(out, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
}

func (g git) run(ctx context.Context, args ...string) (string, error) {
	// The user's hooks are not ours to run, and a file system monitor would outlive the worktree.
	args = append([]string{"-C", g.dir, "-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "advice.detachedHead=false"}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Env = environ()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if text := strings.TrimSpace(stderr.String()); text != "" {
			return "", fmt.Errorf("git %s: %s", args[8], text)
		}
		return "", fmt.Errorf("git %s: %w", args[8], err)
	}
	return strings.TrimRight(stdout.String(), "\n"), nil
}

// resolve turns a revision into a commit's hash.
func (g git) resolve(ctx context.Context, rev string) (string, error) {
	if strings.HasPrefix(rev, "-") {
		return "", fmt.Errorf("revision %q: a revision does not begin with a dash", rev)
	}
	h, err := g.run(ctx, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err != nil {
		if ctx.Err() != nil {
			return "", err
		}
		return "", fmt.Errorf("revision %q is not in the repository %s; fetch it, or a deeper history where the clone is shallow", rev, g.dir)
	}
	return h, nil
}

func (g git) ancestor(ctx context.Context, a, b string) bool {
	_, err := g.run(ctx, "merge-base", "--is-ancestor", a, b)
	return err == nil
}

// suspects lists the commits that bad has and none of good has, parents before
// children.
func (g git) suspects(ctx context.Context, good []string, bad string, firstParent bool, paths []string) ([]commit, error) {
	args := []string{"rev-list", "--topo-order", "--reverse", "--parents"}
	if firstParent {
		args = append(args, "--first-parent")
	}
	args = append(args, bad)
	for _, x := range good {
		args = append(args, "^"+x)
	}
	args = append(append(args, "--"), paths...)
	out, err := g.run(ctx, args...)
	if err != nil {
		return nil, err
	}
	var list []commit
	for _, l := range strings.Split(out, "\n") {
		f := strings.Fields(l)
		if len(f) == 0 {
			continue
		}
		c := commit{hash: f[0], parents: f[1:]}
		if firstParent && len(c.parents) > 1 {
			c.parents = c.parents[:1]
		}
		list = append(list, c)
	}
	return list, nil
}

// data sums up the files of a tree that a program may read when it runs: all but
// Go's own sources, which the compiler has read already, and prose.
func (g git) data(ctx context.Context, tree string) (string, error) {
	out, err := g.run(ctx, "ls-tree", "-r", "-z", "--full-tree", tree)
	if err != nil {
		return "", err
	}
	var files []string
	for _, f := range strings.Split(out, "\x00") {
		switch name := path.Base(f); {
		case strings.HasSuffix(name, ".go"), strings.HasSuffix(name, ".md"):
		case strings.HasSuffix(f, "\tgo.mod"), strings.HasSuffix(f, "\tgo.sum"):
		default:
			files = append(files, f)
		}
	}
	return digest(files...), nil
}

// about is a commit's author, date and subject.
func (g git) about(ctx context.Context, c string) (author, date, subject string) {
	out, err := g.run(ctx, "show", "-s", "--no-show-signature", "--format=%an <%ae>%x00%aI%x00%s", c)
	if err != nil {
		return "", "", ""
	}
	f := strings.SplitN(out, "\x00", 3)
	if len(f) != 3 {
		return "", "", ""
	}
	return f[0], f[1], f[2]
}

// worktree is a disposable checkout that goes from revision to revision, so
// that a build after the first compiles only what changed.
type worktree struct {
	git git
	dir string
}

// openWorktree makes a worktree in dir; one that a killed process left there is removed.
func openWorktree(ctx context.Context, g git, dir, rev string) (*worktree, error) {
	w := &worktree{g, dir}
	w.close()
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, fmt.Errorf("the folder for worktrees cannot be made: %w; choose another cache folder", err)
	}
	if _, err := g.run(ctx, "worktree", "add", "--detach", "--force", "--force", dir, rev); err != nil {
		return nil, fmt.Errorf("worktree %s: %w", dir, err)
	}
	return w, nil
}

// checkout goes to a revision and removes what the last one left behind.
func (w *worktree) checkout(ctx context.Context, rev string) error {
	g := git{w.dir}
	if _, err := g.run(ctx, "checkout", "--quiet", "--force", "--detach", rev); err != nil {
		return err
	}
	_, err := g.run(ctx, "clean", "-ffdxq")
	return err
}

// close removes the worktree, also after the search was cancelled.
func (w *worktree) close() {
	ctx := context.Background()
	// Not "worktree prune": that would also forget worktrees of the user's that
	// are on a disk which is not there at the moment.
	w.git.run(ctx, "worktree", "remove", "--force", "--force", w.dir)
	os.RemoveAll(w.dir)
}
