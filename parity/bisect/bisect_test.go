package bisect

import (
	"bufio"
	"context"
	"fmt"
	"image"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"darkroom/goldens/png"
	"darkroom/parity/metrics"
)

func TestMain(m *testing.M) {
	if repo := os.Getenv("DARKROOM_TEST_BISECT"); repo != "" {
		// The search that the kill test kills: it tells of each revision and then waits.
		o := plainOptions(repo, os.Getenv("DARKROOM_TEST_CACHE"), nil)
		o.Progress = func(v Verdict, _, _ int) { fmt.Println(v.Commit); time.Sleep(50 * time.Millisecond) }
		_, err := Run(context.Background(), o)
		fmt.Println("end", err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func plainOptions(repo, cache string, count *int) Options {
	p := plain{count: count}
	return Options{Repo: repo, Scene: "any", Good: []string{"c0"}, Bad: "main", Cache: cache, Builder: p, Runner: p}
}

// The repository: 64 commits, faults in shading, in geometry and in a
// limit, two revisions that do not compile, all built by the real compiler.
func TestPlantedFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles some twenty small programs")
	}
	repo, cache := importFake(t), t.TempDir()
	// A dirty tree with a change, an untracked file and a staged one.
	for name, text := range map[string]string{"numbers.go": "package main // half done", "new.txt": "x", "staged.txt": "y"} {
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command(t, repo, "git", "add", "staged.txt")
	before := snapshot(t, repo)
	golden := filepath.Join(t.TempDir(), "golden.png")
	if err := png.Write(golden, square(200), png.Options{}); err != nil {
		t.Fatal(err)
	}
	count := filepath.Join(t.TempDir(), "count")
	cases := []struct {
		scene  string
		fault  int
		change func(*Options)
	}{
		{"shading", faultShade, nil},
		{"geometry", faultLeft, nil},
		{"limit", faultLimit, func(o *Options) { o.OwnLimit, o.Golden, o.Limits = true, golden, metrics.Limits{metrics.MAD: 1} }},
		{"flaky", faultFlaky, func(o *Options) { o.Repeats = 3 }},
	}
	for _, c := range cases {
		t.Run(c.scene, func(t *testing.T) {
			o := Options{
				Repo: repo, Scene: c.scene, Good: []string{"c0"}, Cache: cache,
				Builder: GoBuilder{Package: "."}, Runner: CommandRunner{Env: []string{"FAKE_COUNT=" + count}},
			}
			if c.change != nil {
				c.change(&o)
			}
			r, err := Run(context.Background(), o)
			if err != nil {
				t.Fatal(err)
			}
			want := command(t, repo, "git", "rev-parse", fmt.Sprint("c", c.fault))
			t.Logf("%d steps, %d skipped, %d builds, %d renders", r.Steps, r.Skipped, r.Builds, r.Renders)
			if r.First != want {
				t.Fatalf("found %s among %v, want %s", r.First, r.Suspects, want)
			} else if !strings.Contains(r.Author, "Some One") || r.Date == "" || !strings.Contains(r.Stat, "numbers.go") || r.Subject != fmt.Sprint("change ", c.fault) {
				t.Errorf("the commit is described as %q, %q, %q, %q", r.Author, r.Date, r.Subject, r.Stat)
			}
			// log2(64)+1, the pictures of both ends among them.
			if o.Repeats == 0 && r.Renders > 7 {
				t.Errorf("%d renders for %d commits, want at most 7", r.Renders, commits)
			}
			if r.Skipped == 0 {
				t.Error("the revisions that do not compile were not in the way")
			}
			var first, later float64
			for i, v := range r.Tested {
				if v.BuildMS+v.RenderMS > v.MS {
					t.Errorf("revision %d took %v ms, of which %v for the build and %v for the picture", i, v.MS, v.BuildMS, v.RenderMS)
				}
				if v.Commit == r.Good {
					first = v.MS
				} else {
					later = max(later, v.MS)
				}
			}
			t.Logf("the good end %.0f ms, later at most %.0f ms", first, later)
			if got := snapshot(t, repo); got != before {
				t.Errorf("the user's tree changed:\n%s\nwas\n%s", got, before)
			}
			// The second search of the same range is free.
			again, err := Run(context.Background(), o)
			if err != nil {
				t.Fatal(err)
			}
			if again.Renders != 0 || again.Builds != 0 || again.First != r.First {
				t.Errorf("the second search made %d builds and %d renders and found %q", again.Builds, again.Renders, again.First)
			}
		})
	}
	t.Run("young", func(t *testing.T) {
		r, err := Run(context.Background(), Options{Repo: repo, Scene: "young", Good: []string{"c0"}, Cache: cache, Builder: GoBuilder{Package: "."}, Runner: CommandRunner{}})
		if err != nil {
			t.Fatal(err)
		}
		if want := command(t, repo, "git", "rev-parse", fmt.Sprint("c", faultShade)); r.First != want {
			t.Errorf("found %s, want %s", r.First, want)
		}
		if born := command(t, repo, "git", "rev-parse", fmt.Sprint("c", bornYoung)); r.Good != born || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], short(born)) {
			t.Errorf("good end %s with notes %q, want %s, where the scene begins", r.Good, r.Notes, born)
		}
	})
}

func square(grey uint8) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	for y := range 32 {
		for x := range 32 {
			c := color.NRGBA{51, 51, 77, 255}
			if x >= 8 && x < 24 && y >= 8 && y < 24 {
				c = color.NRGBA{grey, grey, grey, 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// greys makes a line of commits with the given file contents, tagged c0, c1, …
func greys(t *testing.T, values ...string) string {
	t.Helper()
	var in strings.Builder
	for i, v := range values {
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter A <a@a> %d +0000\ndata 1\nx\nM 100644 inline grey\ndata %d\n%s\nM 100644 inline n\ndata <<X\n%d\nX\n\nreset refs/tags/c%d\nfrom refs/heads/main\n\n", 1700000000+i, len(v), v, i, i)
	}
	return fastImport(t, []byte(in.String()))
}

func line(n, fault int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = "100"
		if i >= fault {
			out[i] = "140"
		}
	}
	return out
}

func TestKilledSearchGoesOn(t *testing.T) {
	repo, cache := greys(t, line(64, 37)...), t.TempDir()
	before := snapshot(t, repo)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DARKROOM_TEST_BISECT="+repo, "DARKROOM_TEST_CACHE="+cache)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	told := bufio.NewScanner(out)
	for range 3 {
		if !told.Scan() || strings.HasPrefix(told.Text(), "end") {
			t.Fatalf("the search ended early: %s", told.Text())
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	count := 0
	o := plainOptions(repo, cache, &count)
	// The cache must not be what saves it: the state alone has the verdicts.
	if err := os.RemoveAll(filepath.Join(cache, "builds")); err != nil {
		t.Fatal(err)
	}
	o.Resume = true
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if want := command(t, repo, "git", "rev-parse", "c37"); r.First != want {
		t.Errorf("found %s, want %s", r.First, want)
	}
	// Two ends and three steps were done, six steps are the most.
	if count > 3 {
		t.Errorf("%d pictures were drawn after the kill, want at most 3", count)
	}
	if got := snapshot(t, repo); got != before {
		t.Errorf("the killed search left traces:\n%s\nwas\n%s", got, before)
	}
	// Another search must not take its state.
	o.State, o.Repeats = filepath.Join(cache, "searches"), 2
	found, _ := filepath.Glob(filepath.Join(cache, "searches", "*", "state.json"))
	if len(found) != 1 {
		t.Fatalf("state files %v", found)
	}
	o.State = found[0]
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "another search") {
		t.Errorf("the state of another search was taken: %v", err)
	}
}

// Every commit is another program, and the bad end is believed: 7 pictures for 64
// commits, wherever the fault is and with two that do not build in the middle.
func TestBelievedBadEnd(t *testing.T) {
	for _, fault := range []int{1, 22, 40, 63} {
		values := line(64, fault)
		values[31], values[32] = "broken", "broken"
		repo := greys(t, values...)
		count := 0
		o := plainOptions(repo, t.TempDir(), &count)
		o.BelieveBad = true
		r, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if want := command(t, repo, "git", "rev-parse", fmt.Sprint("c", fault)); r.First != want || count > 7 || r.Renders != count {
			t.Errorf("fault in %d: found %s, want %s; %d pictures (%d counted), want at most 7", fault, r.First, want, count, r.Renders)
		}
		// That it was not looked at is said.
		if drawn := fault == 63; (len(r.Notes) == 0) != drawn {
			t.Errorf("fault in %d: notes %q", fault, r.Notes)
		}
	}
	// A bad end that is good is found out, and costs no more.
	count := 0
	o := plainOptions(greys(t, line(64, 64)...), t.TempDir(), &count)
	o.BelieveBad = true
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "is good") || count > 7 {
		t.Errorf("a bad end that is good: %v, with %d pictures", err, count)
	}
}

func TestEndsAreProved(t *testing.T) {
	repo := greys(t, "100", "100", "140", "140", "100", "broken")
	cases := []struct {
		good, bad string
		want      string
	}{
		{"c0", "c1", "is good"},
		{"c0", "c4", "is good"},
		{"c2", "c4", ""},
		{"c5", "c4", "cannot be tested"},
		{"c0", "c5", "cannot be tested"},
		{"c3", "c0", "ancestor"},
		{"c0", "c0", "both good and bad"},
		{"nowhere", "c0", "is not in the repository"},
		{"-h", "c0", "dash"},
	}
	for _, c := range cases {
		o := plainOptions(repo, t.TempDir(), nil)
		o.Good, o.Bad = []string{c.good}, c.bad
		_, err := Run(context.Background(), o)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s to %s: error %v, want %q", c.good, c.bad, err, c.want)
		}
	}
	// A second good end that is bad.
	o := plainOptions(repo, t.TempDir(), nil)
	o.Good, o.Bad = []string{"c0", "c2"}, "c3"
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "is not good") {
		t.Errorf("a bad good end: %v", err)
	}
}

// A side branch with two faults is merged; along the first parents the merge is to blame.
func TestMergesAndFirstParent(t *testing.T) {
	var in strings.Builder
	commit := func(mark int, branch, grey string, from ...int) {
		fmt.Fprintf(&in, "commit refs/heads/%s\nmark :%d\ncommitter A <a@a> %d +0000\ndata 1\nx\n", branch, mark, 1700000000+mark)
		for i, f := range from {
			fmt.Fprintf(&in, "%s :%d\n", []string{"from", "merge"}[i], f)
		}
		fmt.Fprintf(&in, "M 100644 inline grey\ndata %d\n%s\nM 100644 inline dir/n%d\ndata 1\nx\n\nreset refs/tags/m%d\nfrom :%d\n\n", len(grey), grey, mark%3, mark, mark)
	}
	commit(1, "main", "100")
	commit(2, "main", "100", 1)
	commit(3, "side", "100", 1)
	commit(4, "side", "140", 3) // the fault
	commit(5, "side", "140", 4)
	commit(6, "main", "100", 2)
	commit(7, "main", "140", 6, 5) // the merge
	commit(8, "main", "140", 7)
	repo := fastImport(t, []byte(in.String()))
	run := func(change func(*Options)) (*Result, error) {
		o := plainOptions(repo, t.TempDir(), nil)
		o.Good = []string{"m1"}
		if change != nil {
			change(&o)
		}
		return Run(context.Background(), o)
	}
	rev := func(tag string) string { return command(t, repo, "git", "rev-parse", tag) }
	if r, err := run(nil); err != nil || r.First != rev("m4") {
		t.Errorf("all parents: %+v, %v; want m4", r, err)
	}
	if r, err := run(func(o *Options) { o.FirstParent = true }); err != nil || r.First != rev("m7") {
		t.Errorf("first parents: %+v, %v; want m7", r, err)
	}
	// A good end on the other branch: the merge base has to be good.
	if r, err := run(func(o *Options) { o.Good = []string{"m6"}; o.Bad = "m5" }); err != nil || r.First != rev("m4") {
		t.Errorf("good end beside: %+v, %v; want m4", r, err)
	}
	// Commit 4 is the only one on the way that touches dir/n1 before the merge.
	if r, err := run(func(o *Options) { o.Paths = []string{"grey"} }); err != nil || r.First != rev("m4") {
		t.Errorf("path: %+v, %v; want m4", r, err)
	}
	if _, err := run(func(o *Options) { o.Paths = []string{"nothing"} }); err == nil || !strings.Contains(err.Error(), "no commit") {
		t.Errorf("a path that nothing touches: %v", err)
	}
	// Only commits that are good touch the path.
	if _, err := run(func(o *Options) { o.Paths = []string{"dir/n0"}; o.Good = []string{"m1"}; o.Bad = "m8" }); err == nil || !strings.Contains(err.Error(), "does not touch") {
		t.Errorf("a path that the fault does not touch: %v", err)
	}
}

func TestFilm(t *testing.T) {
	repo := greys(t, "100", "100", "broken <b>", "140", "140")
	r, err := Run(context.Background(), plainOptions(repo, t.TempDir(), nil))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Suspects) != 2 || r.First != "" {
		t.Fatalf("suspects %v", r.Suspects)
	}
	dir := t.TempDir()
	if err := WriteFilm(filepath.Join(dir, "film.html"), r, FilmOptions{}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "film.html"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	if n := strings.Count(page, "<figure"); n != len(r.Tested) {
		t.Errorf("%d frames for %d revisions", n, len(r.Tested))
	}
	if strings.Contains(page, "broken <b>") || !strings.Contains(page, "broken &lt;b&gt;") || !strings.Contains(page, "data:image/png;base64,") || strings.Contains(page, "://") {
		t.Error("the page is not one file with its pictures, or text is not escaped")
	}
}
