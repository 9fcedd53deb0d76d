package parity

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"darkroom/goldens/png"
	"darkroom/material/effect"
	"darkroom/parity/journal"
	"darkroom/parity/verdict"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
)

// The test binary is its own worker and, for the kill test, its own run.
func TestMain(m *testing.M) {
	switch os.Getenv("DARKROOM_TEST_ROLE") {
	case "worker":
		if err := ServeWorker(context.Background(), hostile(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case "run":
		_, err := Run(context.Background(), options(os.Getenv("DARKROOM_TEST_DIR"), many(), 2))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// flat is a scene of one effect.
func flat(name, body string) *catalogue.Entry {
	return &catalogue.Entry{Name: name, Width: 32, Height: 32, MaxMAD: 0.01, Build: func(catalogue.Assets) (*scenes.Scene, error) {
		s := scenes.New(name)
		s.Samples = 1
		s.Graph = []scenes.Task{&scenes.EffectPass{Name: "picture", Material: &effect.Effect{Name: name, Body: body}}}
		return s, nil
	}}
}

const ramp = "color = vec4<f32>(uv, 0.5, 1.0);"

// hostile is a catalogue of scenes that misbehave, between ones that do not.
func hostile() catalogue.Catalogue {
	bad := func(name string, f func()) *catalogue.Entry {
		e := flat(name, ramp)
		build := e.Build
		e.Build = func(a catalogue.Assets) (*scenes.Scene, error) { f(); return build(a) }
		return e
	}
	once := flat("crashes-once", ramp)
	buildOnce := once.Build
	once.Build = func(a catalogue.Assets) (*scenes.Scene, error) {
		mark := filepath.Join(os.Getenv("DARKROOM_TEST_DIR"), "crashed")
		if _, err := os.Stat(mark); err != nil {
			os.WriteFile(mark, nil, 0o644)
			syscall.Kill(os.Getpid(), syscall.SIGABRT)
			time.Sleep(time.Minute)
		}
		return buildOnce(a)
	}
	nan := flat("nan", "let zero = uv.x - uv.x;\ncolor = vec4<f32>(zero / zero, uv.y, uv.x, 1.0);")
	fails := flat("fails", ramp)
	fails.Build = func(catalogue.Assets) (*scenes.Scene, error) { return nil, fmt.Errorf("no such luck") }
	return append(catalogue.Catalogue{
		flat("good-1", ramp),
		bad("aborts", func() { syscall.Kill(os.Getpid(), syscall.SIGABRT); time.Sleep(time.Minute) }),
		flat("good-2", ramp),
		bad("hangs", func() { time.Sleep(time.Hour) }),
		flat("blank", "color = vec4<f32>(0.5, 0.5, 0.5, 1.0);"),
		nan,
		fails,
		flat("wrong", "color = vec4<f32>(1.0 - uv, 0.5, 1.0);"),
		flat("unknown", ramp),
		once,
		flat("good-3", ramp),
	}, many()...)
}

// many are harmless scenes for runs that are killed.
func many() (out catalogue.Catalogue) {
	for i := range 24 {
		out = append(out, flat(fmt.Sprintf("many-%02d", i), ramp))
	}
	return out
}

func options(dir string, c catalogue.Catalogue, workers int) Options {
	return Options{
		Judging:   Judging{Goldens: filepath.Join(dir, "goldens"), Pictures: filepath.Join(dir, "pictures"), Census: true, Adapter: os.Getenv("DARKROOM_ADAPTER")},
		Catalogue: c, Workers: workers, Worker: []string{"env", "DARKROOM_TEST_ROLE=worker", os.Args[0]}, Timeout: 10 * time.Second,
		Journal: filepath.Join(dir, "journal.jsonl"), Resume: true, NoCanary: true,
	}
}

// blessRamp makes the ramp the golden of every scene but "unknown", in a flat folder.
func blessRamp(t *testing.T, dir string) {
	t.Helper()
	j, err := NewJudge(Judging{Goldens: dir, Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		t.Fatal(err) // no adapter is a failure, never a skip
	}
	defer j.Close()
	d, err := j.draw(context.Background(), flat("ramp", ramp))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range hostile() {
		if e.Name != "unknown" {
			if err := png.Write(filepath.Join(dir, "goldens", e.Name+".png"), d.image, png.Options{}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func prepare(t *testing.T) string {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "goldens"), 0o755); err != nil {
		t.Fatal(err)
	}
	blessRamp(t, dir)
	t.Setenv("DARKROOM_TEST_DIR", dir)
	return dir
}

// Each misbehaving scene gets a verdict of its own, and its neighbours theirs.
func TestIsolation(t *testing.T) {
	dir := prepare(t)
	o := options(dir, hostile()[:11], 2)
	o.Timeout = 5 * time.Second
	run, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]verdict.Verdict{
		"good-1": verdict.Pass, "good-2": verdict.Pass, "good-3": verdict.Pass, "crashes-once": verdict.Pass,
		"aborts": verdict.Crash, "hangs": verdict.Timeout, "blank": verdict.Blank, "nan": verdict.NonFinite,
		"fails": verdict.RenderError, "wrong": verdict.Mismatch, "unknown": verdict.MissingGolden,
	}
	for i := range run.Results {
		r := &run.Results[i]
		if r.Verdict != want[r.Scene] {
			t.Errorf("%s: %s (%s), want %s", r.Scene, r.Verdict, r.Reason, want[r.Scene])
		}
		if r.Scene == "crashes-once" && (!r.Flaky || r.Passed()) {
			t.Errorf("a scene that crashed once counts as passed: %+v", r)
		}
		if r.Scene == "nan" && (r.NonFinite == nil || r.NonFinite.NaN != 32*32) {
			t.Errorf("the census of the scene with NaN is %+v", r.NonFinite)
		}
		if r.Scene == "aborts" && len(r.Attempts) != 1 {
			t.Errorf("the crash was not tried again: %+v", r.Attempts)
		}
	}
	if code := run.ExitCode(verdict.Policy{}); code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
}

// A run that is killed at ten moments loses nothing that it had judged, and
// resuming it finishes the rest without judging anything twice.
func TestKilledRunLosesNothing(t *testing.T) {
	dir := prepare(t)
	path := filepath.Join(dir, "journal.jsonl")
	seen := map[string]bool{}
	for kill := range 10 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "DARKROOM_TEST_ROLE=run")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(150+kill*90) * time.Millisecond)
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // parent and workers
		cmd.Wait()
		judged := results(t, path)
		for name := range seen {
			if judged[name] != 1 {
				t.Fatalf("after kill %d, %s is in the journal %d times", kill, name, judged[name])
			}
		}
		for name, n := range judged {
			if n != 1 {
				t.Fatalf("after kill %d, %s was judged %d times", kill, name, n)
			}
			seen[name] = true
		}
	}
	t.Logf("%d of 24 scenes were judged before the last kill", len(seen))
	o := options(dir, many(), 2)
	run, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range run.Results {
		if !run.Results[i].Passed() {
			t.Errorf("%s: %s %s", run.Results[i].Scene, run.Results[i].Verdict, run.Results[i].Reason)
		}
	}
	rec, err := journal.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if !rec.Ended || len(rec.Todo()) != 0 {
		t.Errorf("the journal is not complete: ended %t, to do %v", rec.Ended, rec.Todo())
	}
}

// results counts the results in a journal, by scene; a torn last line does not count.
func results(t *testing.T, path string) map[string]int {
	t.Helper()
	out := map[string]int{}
	f, err := os.Open(path)
	if err != nil {
		return out
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var l struct {
			Kind, Scene string
		}
		if json.Unmarshal(sc.Bytes(), &l) == nil && l.Kind == "result" && strings.HasPrefix(l.Scene, "many-") {
			out[l.Scene]++
		}
	}
	return out
}
