package parity

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"testing"
	"time"

	"darkroom/goldens"
	"darkroom/goldens/png"
	"darkroom/parity/testdata/hostile"
	"darkroom/parity/verdict"
	"darkroom/scenes/catalogue"
)

// The test binary is its own worker and, for the kill test, its own run.
func TestMain(m *testing.M) {
	switch os.Getenv("DARKROOM_TEST_ROLE") {
	case "worker":
		if err := ServeWorker(context.Background(), hostile.Catalogue(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case "run":
		_, err := Run(context.Background(), options(os.Getenv(hostile.Folder), harmless(), 2))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func harmless() catalogue.Catalogue { return hostile.Harmless(60) }

func options(dir string, c catalogue.Catalogue, workers int) Options {
	return Options{
		Judging:   Judging{Goldens: filepath.Join(dir, "goldens"), Pictures: filepath.Join(dir, "pictures"), Census: true, Adapter: os.Getenv("DARKROOM_ADAPTER")},
		Catalogue: c, Workers: workers, Worker: []string{"env", "DARKROOM_TEST_ROLE=worker", os.Args[0]}, Timeout: 30 * time.Second,
		Journal: filepath.Join(dir, "journal.jsonl"), Resume: true, NoCanary: true,
	}
}

// prepare makes the ramp the golden of every scene but those whose fault is in it.
func prepare(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv(hostile.Folder, dir)
	root := filepath.Join(dir, "goldens")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	j, err := NewJudge(Judging{Goldens: root, Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		t.Fatal(err) // no adapter is a failure, never a skip
	}
	defer j.Close()
	d, err := j.draw(context.Background(), hostile.Flat("ramp", hostile.Ramp))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range hostile.Catalogue() {
		img := d.image
		switch e.Name {
		case hostile.Unknown:
			continue
		case hostile.Stale:
			bless(t, root, img, goldens.Provenance{Scene: e.Name, Key: j.key().Class(), SceneHash: "of another version", Adapter: j.key()})
			continue
		case hostile.Resized:
			img = image.NewNRGBA(image.Rect(0, 0, hostile.Size, hostile.Size+1))
			copy(img.Pix, d.image.Pix)
		}
		if err := png.Write(filepath.Join(root, e.Name+".png"), img, png.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// bless puts a golden with provenance into a store.
func bless(t *testing.T, root string, img image.Image, from goldens.Provenance) {
	t.Helper()
	p, err := (&goldens.Store{Root: root}).Plan([]goldens.Candidate{{Picture: img, From: from}}, goldens.ApproveOptions{Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(); err != nil {
		t.Fatal(err)
	}
}

// Each misbehaving scene gets a verdict of its own, and its neighbours theirs;
// together they are every verdict that a scene can get.
func TestIsolation(t *testing.T) {
	dir := prepare(t)
	cases := map[string]hostile.Case{}
	var list catalogue.Catalogue
	seen := map[verdict.Verdict]bool{verdict.WrongAdapter: true} // TestWrongAdapter
	for _, c := range hostile.Cases() {
		cases[c.Name] = c
		list = append(list, c.Entry)
		seen[c.Want] = true
	}
	for _, v := range verdict.All() {
		if !seen[v] {
			t.Errorf("no scene has the verdict %s", v)
		}
	}
	o := options(dir, list, 2)
	o.Timeout = 15 * time.Second
	run, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range run.Results {
		r := &run.Results[i]
		c := cases[r.Scene]
		if r.Verdict != c.Want {
			t.Errorf("%s: %s (%s), want %s", r.Scene, r.Verdict, r.Reason, c.Want)
		}
		if r.Verdict != verdict.Pass && r.Reason == "" {
			t.Errorf("%s: %s without a reason", r.Scene, r.Verdict)
		}
		if r.Flaky != c.Flaky || r.Passed() != (c.Want == verdict.Pass && !c.Flaky) {
			t.Errorf("%s: flaky %t, passed %t", r.Scene, r.Flaky, r.Passed())
		}
		if got := len(r.Attempts) == 1; got != (c.Retried || c.Flaky) {
			t.Errorf("%s: earlier attempts %+v", r.Scene, r.Attempts)
		}
	}
	named := func(name string) *verdict.Result {
		for i := range run.Results {
			if run.Results[i].Scene == name {
				return &run.Results[i]
			}
		}
		t.Fatalf("no result of %s", name)
		return nil
	}
	if n := named("nan").NonFinite; n == nil || n.NaN != hostile.Size*hostile.Size || n.First[0].X != 0 || n.First[0].Channel != "R" {
		t.Errorf("the census of the scene with NaN is %+v", n)
	}
	if n := named("infinite").NonFinite; n == nil || n.Inf == 0 || n.NaN != 0 {
		t.Errorf("the census of the scene with Inf is %+v", n)
	}
	if r := named("panics"); r.Log == "" {
		t.Errorf("nothing is known of the worker's last words: %+v", r)
	}
	if code := run.ExitCode(verdict.Policy{}); code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
	if code := run.FineExitCode(verdict.Policy{}); code != verdict.DeviceLost.Code() {
		t.Errorf("fine exit code %d, want that of the worst verdict, %d", code, verdict.DeviceLost.Code())
	}
}

// An adapter that was asked for and is not there is the verdict of every
// scene, not an empty run and not another adapter.
func TestWrongAdapter(t *testing.T) {
	for _, workers := range []int{0, 1} {
		o := options(t.TempDir(), harmless()[:3], workers)
		o.Adapter = "no such adapter"
		run, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range run.Results {
			if r := &run.Results[i]; r.Verdict != verdict.WrongAdapter || r.Reason == "" {
				t.Errorf("%d workers: %s: %s %q", workers, r.Scene, r.Verdict, r.Reason)
			}
		}
		if len(run.Results) != 3 || run.ExitCode(verdict.Policy{AllowFlaky: true, AllowSkip: true}) != 2 || run.FineExitCode(verdict.Policy{}) != 21 {
			t.Errorf("%d workers: %d results, exit code %d", workers, len(run.Results), run.ExitCode(verdict.Policy{}))
		}
	}
}

// Without worker processes a lost device ends the run: what comes after it is
// not run, and never a pass.
func TestTheRestOfALostDeviceIsNotRun(t *testing.T) {
	dir := prepare(t)
	var list catalogue.Catalogue
	for _, name := range []string{"good-1", "loses-the-device", "good-2"} {
		e, err := hostile.Catalogue().Find(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	run, err := Run(context.Background(), options(dir, list, 0))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []verdict.Verdict{verdict.Pass, verdict.DeviceLost, verdict.NotRun} {
		if got := run.Results[i].Verdict; got != want {
			t.Errorf("%s: %s, want %s", run.Results[i].Scene, got, want)
		}
	}
	if run.Incomplete == "" || run.ExitCode(verdict.Policy{AllowSkip: true}) != 2 {
		t.Errorf("incomplete %q, exit code %d", run.Incomplete, run.ExitCode(verdict.Policy{}))
	}
}
