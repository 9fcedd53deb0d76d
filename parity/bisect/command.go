package bisect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// GoBuilder builds a Go program.
type GoBuilder struct {
	Package string   // as "go build" takes it; empty: ./cmd/render
	Flags   []string // more flags of "go build", such as -tags
	Env     []string // more environment, as NAME=VALUE
	// Module is the folder of the module that is built; empty: the worktree.
	// Where an own module of scenes is built with revisions of darkroom it is
	// that module's folder, and Replace leads "darkroom" to the worktree.
	Module string
	// Replace leads modules to folders; an empty folder is the worktree. Neither
	// the module's go.mod nor its go.sum is written to.
	Replace map[string]string
}

func (b GoBuilder) pkg() string {
	if b.Package == "" {
		return "./cmd/render"
	}
	return b.Package
}

// Key implements Builder.
func (b GoBuilder) Key() string {
	parts := []string{"go, no build id", runtime.Version(), runtime.GOOS, runtime.GOARCH, b.pkg(), strings.Join(b.Flags, " "), strings.Join(b.Env, " "), os.Getenv("GOFLAGS"), os.Getenv("CGO_ENABLED")}
	var r []string
	for m, d := range b.Replace {
		r = append(r, m+"="+d)
	}
	slices.Sort(r)
	parts = append(parts, strings.Join(r, " "))
	if b.Module != "" {
		parts = append(parts, b.Module, newest(b.Module))
	}
	for _, d := range b.Replace {
		if d != "" {
			parts = append(parts, newest(d))
		}
	}
	slices.Sort(parts[10:])
	return digest(parts...)
}

// newest sums up the state of a folder that is built but not bisected: names, sizes and times of its files.
func newest(dir string) string {
	var b strings.Builder
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		if i, err := d.Info(); err == nil {
			fmt.Fprintln(&b, path, i.Size(), i.ModTime().UnixNano())
		}
		return nil
	})
	return digest(b.String())
}

// Build implements Builder.
func (b GoBuilder) Build(ctx context.Context, dir, out string) error {
	module := b.Module
	if module == "" {
		module = dir
	}
	// Without paths, the commit's stamp and the link's own identity, which sums up
	// the sources with their comments, equal code gives equal programs.
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-buildid=", "-o", out}
	if len(b.Replace) > 0 {
		tmp, err := os.MkdirTemp("", "darkroom-mod-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		if err := b.modfile(ctx, module, dir, tmp); err != nil {
			return err
		}
		// The other revision may need other modules than go.mod says.
		args = append(args, "-mod=mod", "-modfile="+filepath.Join(tmp, "go.mod"))
	}
	return b.run(ctx, module, append(append(args, b.Flags...), b.pkg())...)
}

func (b GoBuilder) run(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, append(append(environ(), "PWD="+dir), b.Env...), 5*time.Second
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	var exit *exec.ExitError
	s := strings.TrimSpace(text.String())
	// The machine's fault, not the revision's.
	if !errors.As(err, &exit) || exit.ExitCode() < 0 || strings.Contains(s, "no space left on device") || strings.Contains(s, "signal: killed") {
		return fmt.Errorf("go %s: %w: %s", args[0], err, s)
	}
	return &outcome{ErrBuild, "does not build: " + clip(s)}
}

// modfile copies the module's go.mod and go.sum to tmp and redirects modules in the copy.
func (b GoBuilder) modfile(ctx context.Context, module, worktree, tmp string) error {
	mod, err := os.ReadFile(filepath.Join(module, "go.mod"))
	if err != nil {
		return &outcome{ErrBuild, fmt.Sprintf("does not build: %v", err)}
	}
	if err := os.WriteFile(filepath.Join(tmp, "go.mod"), mod, 0o644); err != nil {
		return err
	}
	if sum, err := os.ReadFile(filepath.Join(module, "go.sum")); err == nil {
		if err := os.WriteFile(filepath.Join(tmp, "go.sum"), sum, 0o644); err != nil {
			return err
		}
	}
	args := []string{"mod", "edit"}
	for m, d := range b.Replace {
		if d == "" {
			d = worktree
		}
		args = append(args, "-replace="+m+"="+d)
	}
	return b.run(ctx, tmp, append(args, filepath.Join(tmp, "go.mod"))...)
}

// CommandRunner runs the program to draw.
type CommandRunner struct {
	// Args are the program's arguments: {scene} is the scene, {out} the PNG file,
	// {folder} an empty folder for it. Empty means those of cmd/render, which is
	// then also asked which scenes it has and within what limits.
	Args []string
	More []string // appended to Args, e.g. --adapter llvmpipe
	Env  []string // more environment, as NAME=VALUE
	// Device names adapter and driver with its version: pictures of another driver are other pictures.
	Device  string
	Timeout time.Duration // of one picture; zero means 2 minutes
}

// Key implements Runner.
func (r CommandRunner) Key() string {
	return digest(strings.Join(r.Args, "\x00"), strings.Join(r.More, "\x00"), strings.Join(r.Env, "\x00"), r.Device,
		os.Getenv("VK_ICD_FILENAMES"), os.Getenv("VK_DRIVER_FILES"), os.Getenv("DARKROOM_ADAPTER"))
}

// Render implements Runner.
func (r CommandRunner) Render(ctx context.Context, bin, dir, scene, out string) (Shot, error) {
	shot := Shot{Limit: -1}
	args := r.Args
	if len(args) == 0 {
		limit, err := r.limit(ctx, bin, dir, scene)
		if err != nil {
			return shot, err
		}
		shot.Limit = limit
		args = []string{"scene", "{scene}", "--out", "{folder}"}
	}
	folder, err := os.MkdirTemp(filepath.Dir(out), "draw-")
	if err != nil {
		return shot, err
	}
	defer os.RemoveAll(folder)
	args = append(slices.Clone(args), r.More...)
	direct := false
	for i, a := range args {
		direct = direct || strings.Contains(a, "{out}")
		args[i] = strings.NewReplacer("{scene}", scene, "{out}", out, "{folder}", folder).Replace(a)
	}
	if _, err := r.run(ctx, bin, dir, args...); err != nil {
		return shot, err
	}
	if direct {
		return shot, nil
	}
	found, err := filepath.Glob(filepath.Join(folder, "*.png"))
	if err != nil || len(found) != 1 {
		return shot, &outcome{ErrDraw, fmt.Sprintf("wrote %d pictures, want one", len(found))}
	}
	return shot, os.Rename(found[0], out)
}

// limit asks the program for its scenes.
func (r CommandRunner) limit(ctx context.Context, bin, dir, scene string) (float64, error) {
	out, err := r.run(ctx, bin, dir, "list", "--json")
	if ctx.Err() != nil {
		return -1, ctx.Err()
	}
	var list []struct {
		Name   string   `json:"name"`
		MaxMAD *float64 `json:"max_mad"`
	}
	if err != nil || json.Unmarshal([]byte(out), &list) != nil || len(list) == 0 {
		return -1, nil // an old program that has no such list
	}
	for _, e := range list {
		if e.Name == scene {
			if e.MaxMAD == nil {
				return -1, nil
			}
			return *e.MaxMAD, nil
		}
	}
	return -1, &outcome{ErrNoScene, "scene " + scene + " does not exist"}
}

func (r CommandRunner) run(ctx context.Context, bin, dir string, args ...string) (string, error) {
	limit := r.Timeout
	if limit == 0 {
		limit = 2 * time.Minute
	}
	ctx2, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx2, bin, args...)
	// A grandchild that keeps the pipe open must not hold us up.
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, append(append(environ(), "PWD="+dir), r.Env...), 5*time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case ctx2.Err() != nil:
			return "", &outcome{ErrDraw, fmt.Sprintf("does not draw: no picture after %v", limit)}
		}
		text := strings.TrimSpace(stderr.String())
		if text == "" {
			text = strings.TrimSpace(stdout.String())
		}
		return "", &outcome{ErrDraw, fmt.Sprintf("does not draw: %v: %s", err, clip(text))}
	}
	return stdout.String(), nil
}

// clip keeps the head of a long text.
func clip(s string) string {
	const most = 2000
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + " …"
	}
	return s
}
