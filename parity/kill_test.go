//go:build linux

package parity

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"darkroom/parity/journal"
	"darkroom/parity/verdict"
	"darkroom/reports"
)

// Ten kills at random moments, of a worker, of the parent and of both at once:
// the reports that are rebuilt from the journal hold all that was judged, each
// result as it was, and the resumed run judges the rest and nothing twice.
func TestKilledRunLosesNothing(t *testing.T) {
	dir := prepare(t)
	path := filepath.Join(dir, "journal.jsonl")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	seen := map[string]string{} // scene to the JSON of its result
	for kill := range 10 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "DARKROOM_TEST_ROLE=run")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Until something new was judged, and then a while; the first kill may come before anything was.
		if kill > 0 {
			awaitResults(t, path, min(len(seen)+1, 60))
		}
		time.Sleep(time.Duration(rnd.IntN(250)) * time.Millisecond)
		what := []string{"a worker, then the parent", "the parent", "the parent and the workers"}[rnd.IntN(3)]
		switch what {
		case "a worker, then the parent":
			for _, pid := range children(cmd.Process.Pid) {
				syscall.Kill(pid, syscall.SIGKILL)
				break
			}
			time.Sleep(time.Duration(rnd.IntN(300)) * time.Millisecond)
			fallthrough
		case "the parent":
			syscall.Kill(cmd.Process.Pid, syscall.SIGKILL)
		default:
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
		cmd.Wait()
		judged := rebuilt(t, dir)
		for name, was := range seen {
			if judged[name] != was {
				t.Fatalf("kill %d, of %s: %s was %s and is %q", kill, what, name, was, judged[name])
			}
		}
		t.Logf("kill %d, of %s: %d of 60 judged", kill, what, len(judged))
		seen = judged
	}
	run, err := Run(context.Background(), options(dir, harmless(), 2))
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Results) != 60 {
		t.Errorf("%d results", len(run.Results))
	}
	for i := range run.Results {
		r := &run.Results[i]
		// A scene whose worker was killed under it was tried again: it is flaky.
		if r.Verdict != verdict.Pass || r.Flaky != (len(r.Attempts) > 0) {
			t.Errorf("%s: %s %s", r.Scene, r.Verdict, r.Reason)
		}
		if was, ok := seen[r.Scene]; ok && was != text(t, r) {
			t.Errorf("%s was judged twice", r.Scene)
		}
	}
	rec, err := journal.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if !rec.Ended || len(rec.Todo()) != 0 || len(rec.Results) != 60 {
		t.Errorf("the journal is not complete: ended %t, to do %v", rec.Ended, rec.Todo())
	}
}

// rebuilt makes every report from the journal and returns the results of the
// document, those apart that say that nothing is known. Nothing: no run got as far as its header.
func rebuilt(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	rec, err := journal.Read(filepath.Join(dir, "journal.jsonl"))
	if err != nil {
		if strings.Contains(err.Error(), "no such file") || strings.Contains(err.Error(), "begin anew") {
			return out
		}
		t.Fatal(err)
	}
	to := filepath.Join(dir, "rebuilt")
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	run := rec.Run()
	if err := reports.WriteAll(to, run, reports.HTMLOptions{}); err != nil {
		t.Fatal(err)
	}
	doc, err := reports.ReadJSON(filepath.Join(to, reports.FileJSON))
	if err != nil {
		t.Fatal(err)
	}
	junit, err := os.ReadFile(filepath.Join(to, reports.FileJUnit))
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Results) != 60 || !rec.Ended && doc.Incomplete == "" || strings.Count(string(junit), "<testcase ") < 60 {
		t.Errorf("the rebuilt report has %d results, incomplete %q", len(doc.Results), doc.Incomplete)
	}
	for i := range doc.Results {
		r := &doc.Results[i]
		if _, known := rec.Results[r.Scene]; known {
			out[r.Scene] = text(t, r)
		} else if r.Verdict != verdict.NotRun {
			t.Errorf("%s has the verdict %s from nowhere", r.Scene, r.Verdict)
		}
	}
	return out
}

func text(t *testing.T, r *verdict.Result) string {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// awaitResults waits until the journal has n results, or a while.
func awaitResults(t *testing.T, path string, n int) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if b, err := os.ReadFile(path); err == nil && strings.Count(string(b), `{"kind":"result"`) >= n {
			return
		}
	}
	t.Logf("no result in 30 s: the machine is busy")
}

// children are the processes that a process started, and theirs.
func children(pid int) (out []int) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
	if err != nil {
		return nil
	}
	for _, f := range strings.Fields(string(b)) {
		var c int
		if _, err := fmt.Sscan(f, &c); err == nil {
			out = append(append(out, c), children(c)...)
		}
	}
	return out
}
