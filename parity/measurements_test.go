package parity

import (
	"strings"
	"testing"
	"time"

	"darkroom/goldens"
	"darkroom/parity/verdict"
	"darkroom/scenes/catalogue"
)

// A ledger is made from what is known to be right: repeats of a scene on its
// adapter, its own goldens where they pass, and another engine's pictures up to
// the limit that the scene sets.
func TestMeasurements(t *testing.T) {
	num := func(v float64) *float64 { return &v }
	list := catalogue.Catalogue{{Name: "a", MaxMAD: 0.05, CPUMAD: 0.1}}
	gates := []verdict.Gate{{Name: "mad", Value: num(0.01), Limit: 0.1, OK: true}}
	run := &verdict.Run{Adapter: verdict.Adapter{Name: "NVIDIA H200", Type: "discrete"}, Results: []verdict.Result{
		{Scene: "a", Verdict: verdict.MissingGolden, Noise: &verdict.Noise{Draws: 6, Worst: map[string]float64{"mad": 0.004}}},
	}}
	ms, err := Measurements([]*verdict.Run{run}, list)
	if err != nil || len(ms) != len(OwnMetrics()) {
		t.Fatalf("repeats without a golden: %+v, %v", ms, err)
	}
	ps := (&goldens.Ledger{}).Propose(ms, time.Now(), "r")
	if got := ps[1].Entry; got.Adapter != "nvidia" || got.Scene != "*" || got.Metric != "mad" || got.Noise != 0.004 || got.Samples != 6 || got.Limit != 0.02 {
		t.Errorf("%+v", got)
	}

	run.Results[0] = verdict.Result{Scene: "a", Verdict: verdict.Mismatch, Gates: gates, Golden: &verdict.Golden{Key: goldens.Reference}}
	if ms, err = Measurements([]*verdict.Run{run}, list); err != nil || len(ms) != 1 || ms[0].Adapter != "nvidia" || ms[0].Golden != goldens.Reference || ms[0].Cap != 0.05 {
		t.Errorf("against another engine: %+v, %v", ms, err)
	}
	run.Adapter.Type = "cpu"
	if ms, _ = Measurements([]*verdict.Run{run}, list); ms[0].Cap != 0.1 {
		t.Errorf("on a CPU: %+v", ms)
	}

	run.Results[0].Golden.Key = "nvidia"
	if _, err = Measurements([]*verdict.Run{run}, list); err == nil || !strings.Contains(err.Error(), "does not show what is right") {
		t.Errorf("a picture that differs from its own golden was measured by: %v", err)
	}
	run.Results[0].Verdict = verdict.Pass
	if ms, err = Measurements([]*verdict.Run{run}, list); err != nil || ms[0].Adapter != "nvidia" || ms[0].Golden != "" || ms[0].Value != 0.01 {
		t.Errorf("%+v, %v", ms, err)
	}
	if _, err = Measurements([]*verdict.Run{{}}, list); err == nil {
		t.Error("a run that judged nothing was measured by")
	}
}
