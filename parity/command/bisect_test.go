package command

import (
	"bufio"
	"bytes"
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

// fakeRepo is a repository of n commits whose program draws by numbers in its
// source; its shade changes at fault, and one commit does not compile.
func fakeRepo(t *testing.T, n, fault, broken int) string {
	t.Helper()
	main, err := os.ReadFile("../bisect/testdata/fake/main.txt")
	if err != nil {
		t.Fatal(err)
	}
	var in bytes.Buffer
	file := func(name, text string) { fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text) }
	for i := range n {
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter A <a@a> %d +0000\ndata <<X\nchange %d\nX\n", 1700000000+i, i)
		if i == 0 {
			file("go.mod", "module fake\n\ngo 1.26\n")
			file("main.go", string(main))

		}
		shade, oops := "200", ""
		if i >= fault {
			shade = "190"
		}
		if i == broken {
			oops = "\nvar oops int = \"text\"\n"
		}
		file("numbers.go", fmt.Sprintf("package main\n\nconst (\n\tshade = %s\n\tleft = 8\n\tlimit = 3\n\tflaky = false\n\tyoung = true\n\tserial = %d\n)\n%s", shade, i, oops))
		fmt.Fprintf(&in, "\nreset refs/tags/c%d\nfrom refs/heads/main\n\n", i)
	}
	dir := filepath.Join(t.TempDir(), "repo")
	run(t, ".", "git", "init", "-q", "-b", "main", dir)
	cmd := exec.Command("git", "-C", dir, "fast-import", "--quiet")
	cmd.Stdin = &in
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("fast-import: %v\n%s", err, out)
	}
	run(t, dir, "git", "reset", "-q", "--hard", "main")
	return dir
}

func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Dir, c.Env = dir, append(os.Environ(), "DARKROOM_TEST_PROGRAM=1", "LC_ALL=C")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// git's own bisection asks this program about each revision, and finds the commit.
func TestGitBisectRunAsksTheOracle(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles small programs")
	}
	repo := fakeRepo(t, 16, 11, 7)
	golden := filepath.Join(t.TempDir(), "golden.png")
	img := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	for i := range 32 * 32 {
		x, y, c := i%32, i/32, color.NRGBA{51, 51, 77, 255}
		if x >= 8 && x < 24 && y >= 8 && y < 24 {
			c = color.NRGBA{200, 200, 200, 255}
		}
		img.SetNRGBA(x, y, c)
	}
	if err := png.Write(golden, img, png.Options{}); err != nil {
		t.Fatal(err)
	}
	run(t, repo, "git", "bisect", "start", "main", "c0")
	out := run(t, repo, "git", "bisect", "run", os.Args[0], "bisect", "--oracle", "--scene", "shading", "--golden", golden, "--limit", "0.5", "--package", ".")
	if want := run(t, repo, "git", "rev-parse", "c11"); !strings.Contains(out, want+" is the first bad commit") {
		t.Errorf("git found another commit:\n%s", out)
	}
	if status := run(t, repo, "git", "status", "--porcelain", "--ignored"); status != "" {
		t.Errorf("the oracle left files in the checkout: %s", status)
	}
	// It skips the one that does not compile, and makes git stop where the question is wrong.
	for _, c := range []struct {
		rev, golden, limit string
		code               int
	}{{"c0", golden, "0.5", 0}, {"c15", golden, "0.5", 1}, {"c7", golden, "0.5", 125}, {"c0", golden + "x", "0.5", 128}, {"c0", golden, "much", 128}, {"c0", golden, "NaN", 128}} {
		run(t, repo, "git", "checkout", "-q", c.rev)
		code, said := program(t, nil, "bisect", "--oracle", "--repo", repo, "--scene", "shading", "--golden", c.golden, "--limit", c.limit, "--package", ".")
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d: %s", c.rev, code, c.code, said)
		}
	}
}

// The program is killed in the middle of a search and goes on with --resume.
func TestKilledBisectResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles small programs")
	}
	repo, dir := fakeRepo(t, 32, 21, 9), t.TempDir()
	args := []string{"bisect", "--scene", "shading", "--good", "c0", "--repo", repo, "--package", ".", "--cache", filepath.Join(dir, "cache"), "--film", filepath.Join(dir, "film.html"), "--json", filepath.Join(dir, "result.json")}
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "DARKROOM_TEST_PROGRAM=1")
	said, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(said)
	for range 2 { // two steps after the ends
		if !lines.Scan() {
			t.Fatal("the search ended early")
		}
	}
	c.Process.Kill()
	c.Wait()
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if code, text := program(t, out, append(args, "--resume")...); code != 0 {
		t.Fatalf("exit code %d: %s", code, text)
	}
	b, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	if want := run(t, repo, "git", "rev-parse", "c21"); !strings.Contains(string(b), want+" is the first bad commit") {
		t.Errorf("it says\n%s", b)
	}
	if list := run(t, repo, "git", "worktree", "list"); strings.Count(list, "\n") != 0 {
		t.Errorf("a worktree is left: %s", list)
	}
	if film, err := os.ReadFile(filepath.Join(dir, "film.html")); err != nil || bytes.Count(film, []byte("<figure")) < 7 {
		t.Errorf("film strip: %v", err)
	}
	if code, text := program(t, nil, "bisect", "--prune", "--cache", filepath.Join(dir, "cache"), "--keep-days", "0"); code != 0 {
		t.Errorf("prune: exit code %d: %s", code, text)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "cache", "*", "*")); len(left) != 0 {
		t.Errorf("prune left %v", left)
	}
}

// A module of scenes that has nothing but its judge is bisected, with this
// checkout of darkroom.
func TestBisectOverAModuleOfScenes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the example three times")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	repo := filepath.Join(t.TempDir(), "own")
	if err := os.CopyFS(repo, os.DirFS(filepath.Join(root, "examples", "ownscenes"))); err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) string {
		return run(t, repo, append([]string{"git", "-c", "user.name=A", "-c", "user.email=a@a"}, args...)...)
	}
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "good")
	git("tag", "good")
	src := filepath.Join(repo, "scenes.go")
	b, err := os.ReadFile(src)
	if err != nil {
		t.Fatal(err)
	}
	wrong := bytes.Replace(b, []byte("scenes.NewArcRotate("), []byte("nearer("), 1)
	if bytes.Equal(b, wrong) {
		t.Fatal("the example has no camera to move")
	}
	wrong = append(wrong, "\nfunc nearer(name string, alpha, beta, radius float64, target linalg.Vec3) *scenes.Camera {\n\treturn scenes.NewArcRotate(name, alpha, beta, radius*0.9, target)\n}\n"...)
	for _, c := range []struct {
		name string
		text []byte
	}{{"guilty", wrong}, {"later", append(bytes.Clone(wrong), "\n// Nothing.\n"...)}} {
		if err := os.WriteFile(src, c.text, 0o644); err != nil {
			t.Fatal(err)
		}
		git("commit", "-q", "-a", "-m", c.name)
		git("tag", c.name)
	}
	dir := t.TempDir()
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	code, said := program(t, out, "bisect", "--repo", repo, "--good", "good", "--scene", "two-rings", "--package", "./cmd/judge", "--replace", "darkroom="+root, "--cache", filepath.Join(dir, "cache"), "--film", filepath.Join(dir, "film.html"))
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	if want := git("rev-parse", "guilty"); code != 0 || !strings.Contains(string(text), want+" is the first bad commit") {
		t.Errorf("exit code %d, want %s:\n%s\n%s", code, want, text, said)
	}
	// The commit after it only changes a comment.
	if !strings.Contains(string(text), " 2 renders") {
		t.Errorf("programs that are the same were drawn twice:\n%s", text)
	}
}
