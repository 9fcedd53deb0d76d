package bisect

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"darkroom/goldens/png"
)

// Where the faults are in the repository that importFake makes, counted from 0.
const (
	commits    = 64
	faultShade = 22
	faultLeft  = 40
	faultLimit = 58
	faultFlaky = 34
	bornYoung  = 10
)

var broken = []int{31, 32}

// importFake makes a repository of 64 commits on one line with a renderer that
// needs no GPU. Commit i is tagged ci. Those with an even number change the
// program, those with an odd one notes, a test or a comment.
func importFake(t *testing.T) string {
	t.Helper()
	main, err := os.ReadFile("testdata/fake/main.txt")
	if err != nil {
		t.Fatal(err)
	}
	var in bytes.Buffer
	file := func(name, text string) { fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text) }
	for i := range commits {
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter Some One <some@one.test> %d +0000\ndata <<X\nchange %d\nX\n", 1700000000+i*3600, i)
		if i == 0 {
			file("go.mod", "module fake\n\ngo 1.26\n")
			file("main.go", string(main))
		}
		shade, left, limit, flaky, young := 200, 8, 3, i >= faultFlaky, i >= bornYoung
		if i >= faultShade {
			shade = 190
		}
		if i >= faultLeft {
			left = 9
		}
		if i >= faultLimit {
			limit = 0
		}
		src := fmt.Sprintf("package main\n\nconst (\n\tshade = %d\n\tleft = %d\n\tlimit = %d\n\tflaky = %v\n\tyoung = %v\n\tserial = %d\n)\n", shade, left, limit, flaky, young, i/2)
		for _, b := range broken {
			if i == b {
				src += "\nvar oops int = \"text\"\n"
			}
		}
		file("numbers.go", src)
		file("NOTES.md", fmt.Sprintf("change %d\n", i))
		if i%2 == 1 {
			file("comment.go", fmt.Sprintf("package main\n\n// Change %d.\n", i))
			file("fake_test.go", fmt.Sprintf("package main\n\nconst tested = %d\n", i))
		}
		fmt.Fprintf(&in, "\nreset refs/tags/c%d\nfrom refs/heads/main\n\n", i)
	}
	return fastImport(t, in.Bytes())
}

func fastImport(t *testing.T, in []byte) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	command(t, ".", "git", "init", "-q", "-b", "main", dir)
	cmd := exec.Command("git", "-C", dir, "fast-import", "--quiet")
	cmd.Stdin = bytes.NewReader(in)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("fast-import: %v\n%s", err, out)
	}
	command(t, dir, "git", "reset", "-q", "--hard", "main")
	return dir
}

func command(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, append(environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@a", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@a")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// snapshot is everything of the user's that a search must leave alone.
func snapshot(t *testing.T, repo string) string {
	t.Helper()
	s := command(t, repo, "git", "status", "--porcelain", "--ignored") + command(t, repo, "git", "rev-parse", "HEAD") +
		command(t, repo, "git", "symbolic-ref", "HEAD") + command(t, repo, "git", "for-each-ref") + command(t, repo, "git", "worktree", "list") + command(t, repo, "git", "diff", "HEAD")
	return s
}

// plain is a builder and runner in one that needs no compiler: its program is
// the file "grey", and its picture has that grey in it.
type plain struct {
	hold  func(grey string) // called before each picture
	count *int
}

func (plain) Key() string { return "plain" }

func (p plain) Build(_ context.Context, dir, out string) error {
	b, err := os.ReadFile(filepath.Join(dir, "grey"))
	if err != nil || strings.HasPrefix(string(b), "broken") {
		return &outcome{ErrBuild, "does not build: " + string(b)}
	}
	return os.WriteFile(out, b, 0o755)
}

func (p plain) Render(_ context.Context, bin, _, scene, out string) (Shot, error) {
	b, err := os.ReadFile(bin)
	if err != nil {
		return Shot{}, err
	}
	if p.count != nil {
		*p.count++
	}
	if p.hold != nil {
		p.hold(string(b))
	}
	var v uint8
	if _, err := fmt.Sscan(string(b), &v); err != nil {
		return Shot{}, &outcome{ErrDraw, "crashed"}
	}
	img := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	for i := range img.Pix {
		img.Pix[i] = v
	}
	img.SetNRGBA(0, 0, color.NRGBA{1, 2, 3, 255})
	return Shot{Limit: -1}, png.Write(out, img, png.Options{})
}
