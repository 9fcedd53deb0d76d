package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"darkroom/parity/verdict"
)

func names(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("scene%03d", i)
	}
	return out
}

func head() *verdict.Run {
	return &verdict.Run{Schema: 1, Commit: "abc", Adapter: verdict.Adapter{Name: "llvmpipe"}, Results: []verdict.Result{{Scene: "must not be kept"}}}
}

func result(scene string) *verdict.Result {
	mad := float64(len(scene)) / 7
	return &verdict.Result{Scene: scene, Verdict: verdict.Mismatch, Reason: "line\nbreak", MAD: &mad}
}

func TestAWholeRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "journal.jsonl")
	scenes := names(20)
	j, err := Create(path, head(), scenes)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for _, s := range scenes {
		wg.Go(func() {
			if err := errors.Join(j.Begin(s, 1, 3), j.Result(result(s))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := j.End(); err != nil {
		t.Fatal(err)
	}
	if j.Begin("scene001", 1, 1) == nil {
		t.Error("a closed journal took a line")
	}
	rec, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	run := rec.Run()
	if !rec.Ended || rec.Torn || run.Incomplete != "" || len(run.Results) != 20 || run.Commit != "abc" || len(rec.Todo()) != 0 {
		t.Errorf("%+v", run)
	}
	for i, s := range scenes {
		if r := run.Results[i]; r.Scene != s || r.Reason != "line\nbreak" || *r.MAD != *result(s).MAD {
			t.Errorf("%d: %+v", i, r)
		}
	}
	if _, err := Create(path, head(), scenes); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("a second run over the first: %v", err)
	}
}

// Wherever the file is cut, what stands before the cut is known, and the run can go on.
func TestEveryCutIsReadable(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "whole")
	scenes := names(4)
	j, err := Create(path, head(), scenes)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenes[:3] {
		if err := errors.Join(j.Begin(s, 1, 1), j.Result(result(s))); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(j.Begin(scenes[3], 2, 1), j.Close()); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	headEnd := bytes.IndexByte(whole, '\n') + 1
	for n := range len(whole) + 1 {
		cut := filepath.Join(dir, "cut")
		if err := os.WriteFile(cut, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		rec, err := Read(cut)
		if n < headEnd {
			if err == nil {
				t.Fatalf("cut at %d: a journal without a header was read", n)
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		want := bytes.Count(whole[:n], []byte(`"kind":"result"`))
		if whole[n-1] != '\n' && strings.Contains(string(whole[bytes.LastIndexByte(whole[:n], '\n')+1:n]), `"kind":"result"`) {
			want-- // the torn line itself
		}
		run := rec.Run()
		if len(rec.Results) != want || rec.Torn != (whole[n-1] != '\n') || len(run.Results) != 4 || run.Incomplete == "" || run.ExitCode(verdict.Policy{}) != 2 {
			t.Fatalf("cut at %d: %d results of %d, torn %v, %+v", n, len(rec.Results), want, rec.Torn, run)
		}
		// Go on from here.
		j, rec, err := Resume(cut)
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		for _, s := range rec.Todo() {
			if err := errors.Join(j.Begin(s, 1, 9), j.Result(result(s))); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.End(); err != nil {
			t.Fatal(err)
		}
		rec, err = Read(cut)
		if err != nil || !rec.Ended || rec.Torn || len(rec.Results) != 4 || rec.Run().Incomplete != "" {
			t.Fatalf("cut at %d, resumed: %+v, %v", n, rec, err)
		}
	}
}

func TestWhatWasInFlightIsNotRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j, err := Create(path, head(), []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(j.Begin("a", 1, 1), j.Result(result("a")), j.Begin("b", 2, 1), j.Close()); err != nil {
		t.Fatal(err)
	}
	rec, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	run := rec.Run()
	if r := run.Results[1]; r.Verdict != verdict.NotRun || r.Skip || !strings.Contains(r.Reason, "attempt 2") {
		t.Errorf("%+v", r)
	}
	if r := run.Results[2]; r.Verdict != verdict.NotRun || !strings.Contains(r.Reason, "before this scene was begun") {
		t.Errorf("%+v", r)
	}
	// Whatever the policy, a run that died does not pass.
	if c := run.ExitCode(verdict.Policy{AllowFlaky: true, AllowSkip: true}); c != 2 {
		t.Errorf("exit %d", c)
	}
}

func TestDamageIsNotATornLine(t *testing.T) {
	h := `{"kind":"run","run":{"results":null},"scenes":["a","b"]}` + "\n"
	ra := `{"kind":"result","scene":"a","result":{"scene":"a","verdict":"pass"}}` + "\n"
	for _, c := range []struct{ name, text, want string }{
		{"good", h + ra, ""},
		{"last line of zeros", h + ra + "\x00\x00\x00\n", ""},
		{"garbage inside", h + "garbage\n" + ra, "line 2 is damaged"},
		{"empty", "", "no header"},
		{"no header", ra, "header must be the first"},
		{"two headers", h + h, "header must be the first"},
		{"header without run", `{"kind":"run"}` + "\n", "no run"},
		{"stranger", h + `{"kind":"result","result":{"scene":"x","verdict":"pass"}}` + "\n" + ra, "not in the header"},
		{"begin of a stranger", h + `{"kind":"begin","scene":"x"}` + "\n" + ra, "not in the header"},
		{"twice", h + ra + ra, "second result"},
		{"unknown kind", h + `{"kind":"party"}` + "\n" + ra, "unknown kind"},
		{"unknown verdict", h + `{"kind":"result","result":{"scene":"a","verdict":"PASS"}}` + "\n" + ra, "line 2 is damaged"},
		{"scene twice in the header", `{"kind":"run","run":{"results":null},"scenes":["a","a"]}` + "\n", "twice"},
	} {
		_, err := read(strings.NewReader(c.text))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestTwoWritersAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" || runtime.GOOS == "js" {
		t.Skip("no flock here")
	}
	path := filepath.Join(t.TempDir(), "j")
	j, err := Create(path, head(), []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Resume(path); !errors.Is(err, ErrBusy) {
		t.Errorf("a second writer: %v", err)
	}
	if _, err := Read(path); err != nil {
		t.Errorf("a reader: %v", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	k, _, err := Resume(path)
	if err != nil {
		t.Fatal(err)
	}
	k.Close()
}

// A process that writes results is killed at ten random moments; every result that it reported as written must be in the journal.
func TestKilledProcessLosesNothing(t *testing.T) {
	if path := os.Getenv("JOURNAL_TEST_WRITER"); path != "" {
		write(t, path)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	for i := range 10 {
		path := filepath.Join(t.TempDir(), fmt.Sprint(i))
		cmd := exec.Command(exe, "-test.run", "^TestKilledProcessLosesNothing$")
		cmd.Env = append(os.Environ(), "JOURNAL_TEST_WRITER="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// The moment is counted in results, and then some microseconds, so that the kill falls into any part of a write.
		in := bufio.NewScanner(out)
		told := map[string]bool{}
		for n := 1 + r.IntN(60); n > 0 && in.Scan(); n-- {
			told[in.Text()] = true
		}
		time.Sleep(time.Duration(r.IntN(2000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for in.Scan() { // said before it died
			told[in.Text()] = true
		}
		cmd.Wait()
		rec, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for s := range told {
			if _, ok := rec.Results[s]; !ok {
				t.Errorf("kill %d: %s was written and is not in the journal", i, s)
			}
		}
		if rec.Ended || len(rec.Run().Results) != 5000 || rec.Run().ExitCode(verdict.Policy{}) != 2 {
			t.Errorf("kill %d: ended %v", i, rec.Ended)
		}
	}
}

func write(t *testing.T, path string) {
	scenes := names(5000)
	j, err := Create(path, head(), scenes)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenes {
		if err := errors.Join(j.Begin(s, 1, 1), j.Result(result(s))); err != nil {
			t.Fatal(err)
		}
		fmt.Println(s)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"kind":"run","run":{"results":null},"scenes":["a"]}` + "\n" + `{"kind":"result","result":{"scene":"a","verdict":"pass"}}` + "\n" + `{"kind":"end"}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		rec, err := read(bytes.NewReader(b))
		if err != nil {
			return
		}
		run := rec.Run()
		if len(run.Results) != len(rec.Scenes) {
			t.Fatal("a scene is lost")
		}
		if int(rec.size) > len(b) {
			t.Fatal("longer than the file")
		}
	})
}

// A second run in the same folder must not take the journal away from the first.
func TestReplaceIsRefusedWhileWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	run := &verdict.Run{Schema: verdict.Schema, Tool: "darkroom"}
	first, err := Replace(path, run, []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Result(&verdict.Result{Scene: "a", Verdict: verdict.Pass}); err != nil {
		t.Fatal(err)
	}
	if _, err := Replace(path, run, []string{"b"}); !errors.Is(err, ErrBusy) {
		t.Fatalf("the second run got %v, want ErrBusy", err)
	}
	if err := first.End(); err != nil {
		t.Fatal(err)
	}
	if rec, err := Read(path); err != nil || len(rec.Results) != 1 {
		t.Fatalf("the first run's journal: %v", err)
	}
	next, err := Replace(path, run, []string{"b"})
	if err != nil {
		t.Fatal(err)
	}
	if err := next.End(); err != nil {
		t.Fatal(err)
	}
	if rec, err := Read(path); err != nil || len(rec.Results) != 0 || rec.Scenes[0] != "b" {
		t.Fatalf("the next run's journal: %v", err)
	}
}
