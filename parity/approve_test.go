package parity

import (
	"context"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"darkroom/goldens"
	"darkroom/goldens/picture"
	"darkroom/goldens/png"
	"darkroom/parity/testdata/hostile"
	"darkroom/parity/verdict"
	"darkroom/scenes/catalogue"
)

func noCI(string) string { return "" }

// A run with its pictures, which may come from another machine, is all that an
// approval needs; what the run could not judge is refused by name.
func TestApproveFromAReport(t *testing.T) {
	dir := prepare(t)
	o := options(dir, nil, 1)
	for _, name := range []string{"good-1", "wrong", hostile.Unknown, hostile.Stale, hostile.Resized} {
		e, err := hostile.Catalogue().Find(name)
		if err != nil {
			t.Fatal(err)
		}
		o.Catalogue = append(o.Catalogue, e)
	}
	o.Keep, o.Noise, o.NoCanary, o.Commit, o.Binding = true, 1, false, "c0ffee", "binding 1"
	run, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	store := &goldens.Store{Root: filepath.Join(dir, "store")}
	b := Blessing{Pictures: o.Pictures, Store: store, Reason: "first", Now: time.Now()}
	cands, skipped, err := Candidates(run, o.Catalogue, b)
	if err != nil || len(skipped) != 0 || len(cands) != 5 {
		t.Fatalf("%d candidates, skipped %v, %v", len(cands), skipped, err)
	}
	plan, err := store.Plan(cands, goldens.ApproveOptions{Getenv: noCI})
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(); err != nil {
		t.Fatal(err)
	}
	if err := RecordCanary(store.Root, run.Canary); err != nil {
		t.Fatal(err)
	}
	for _, c := range cands {
		f := c.From
		if f.SceneHash == "" || f.ShaderHash == "" || f.Commit != "c0ffee" || f.Binding != "binding 1" || f.Adapter.Driver == "" || f.Limits["mad"] == 0 || f.CostMS == 0 {
			t.Errorf("%s: the provenance has gaps: %+v", f.Scene, f)
		}
	}

	// With them, the next run passes to the byte, on a canary that is as recorded.
	o.Goldens, o.Journal, o.Noise = store.Root, filepath.Join(dir, "second.jsonl"), 0
	again, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range again.Results {
		if r := &again.Results[i]; !r.Passed() || !r.Identical || r.Golden.Source != "class" {
			t.Errorf("%s: %s %s", r.Scene, r.Verdict, r.Reason)
		}
	}
	if c := again.Canary; c == nil || !c.OK || c.Text != "" {
		t.Errorf("canary %+v", c)
	}

	// A record that the canary does not repeat means another driver.
	run.Canary.Digests["canary-blending"] = "of another driver"
	if err := RecordCanary(store.Root, run.Canary); err != nil {
		t.Fatal(err)
	}
	j, err := NewJudge(o.Judging)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if c, err := j.Canary(context.Background()); err != nil || c.OK || !strings.Contains(c.Text, "driver or adapter changed") || !strings.Contains(c.Text, "canary-blending") {
		t.Errorf("canary %+v, %v", c, err)
	}
}

func TestCandidatesAreRefused(t *testing.T) {
	dir := t.TempDir()
	store := &goldens.Store{Root: filepath.Join(dir, "store")}
	img := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	for i := range img.Pix {
		img.Pix[i] = byte(i) | 3
	}
	digest, err := picture.Digest(img)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Write(filepath.Join(dir, "a.png"), img, png.Options{}); err != nil {
		t.Fatal(err)
	}
	list := catalogue.Catalogue{{Name: "a"}, {Name: "b"}}
	adapter := verdict.Adapter{Name: "NVIDIA H200", Driver: "1"}
	good := verdict.Result{Scene: "a", Verdict: verdict.Pass, Digest: digest}
	with := func(f func(*verdict.Result)) []verdict.Result { r := good; f(&r); return []verdict.Result{r} }
	for _, c := range []struct {
		name    string
		results []verdict.Result
		err     string // of Candidates
		refusal string // of the plan
	}{
		{"good", []verdict.Result{good}, "", ""},
		{"another picture than the run's", with(func(r *verdict.Result) { r.Digest = "other" }), "not the one that the run judged", ""},
		{"no picture", with(func(r *verdict.Result) { r.Scene = "b" }), "--keep", ""},
		{"crash", with(func(r *verdict.Result) { r.Verdict, r.Reason = verdict.Crash, "died" }), "", "crash: died"},
		{"flaky", with(func(r *verdict.Result) { r.Flaky = true }), "", "later attempt"},
		{"not finite", with(func(r *verdict.Result) { r.Verdict, r.NonFinite = verdict.NonFinite, &verdict.Census{NaN: 3, Texel: 2} }), "", "2 texels"},
		{"noisy", with(func(r *verdict.Result) {
			r.Verdict, r.Noise, r.Reason = verdict.Mismatch, &verdict.Noise{Cause: verdict.LeakedState}, "does not repeat"
		}), "", "does not repeat"},
	} {
		run := &verdict.Run{Adapter: adapter, Results: c.results}
		cands, _, err := Candidates(run, list, Blessing{Pictures: dir, Store: store, Now: time.Now()})
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, want %q", c.name, err, c.err)
		}
		if err != nil {
			continue
		}
		plan, err := store.Plan(cands, goldens.ApproveOptions{Getenv: noCI})
		if err != nil {
			t.Fatal(err)
		}
		if r := plan.Refused(); (len(r) == 0) != (c.refusal == "") || len(r) > 0 && !strings.Contains(r[0].Reason, c.refusal) {
			t.Errorf("%s: %v, want %q", c.name, r, c.refusal)
		}
	}
	if _, _, err := Candidates(&verdict.Run{}, list, Blessing{Store: store}); err == nil {
		t.Error("pictures of no adapter were taken")
	}
	wrong := &verdict.Run{Results: []verdict.Result{{Scene: "a", Verdict: verdict.WrongAdapter, Reason: "no adapter \"x\""}}}
	if _, _, err := Candidates(wrong, list, Blessing{Store: store}); err == nil || !strings.Contains(err.Error(), "no adapter") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(store.Root); err == nil {
		t.Error("planning wrote into the store")
	}
}
