package parity

import (
	"fmt"
	"slices"

	"darkroom/goldens"
	"darkroom/parity/metrics"
	"darkroom/parity/verdict"
	"darkroom/scenes/catalogue"
)

// OwnMetrics are the metrics by which a picture is held against a golden of its
// own adapter.
func OwnMetrics() []string {
	var out []string
	for m := range OwnLimits(&goldens.Ledger{}, "", "", goldens.Adapter{}) {
		out = append(out, string(m))
	}
	slices.Sort(out)
	return out
}

// Measurements takes from runs what a tolerance ledger is made from: each gated
// measure of each scene that was judged against a golden of its adapter or of
// the reference engine, and the noise of its repeats, with or without a golden. A run of an adapter whose
// own goldens do not pass is not known to be right, and is refused.
func Measurements(runs []*verdict.Run, list catalogue.Catalogue) ([]goldens.Measurement, error) {
	var out []goldens.Measurement
	for _, run := range runs {
		who := goldens.Adapter{Name: run.Adapter.Name, Backend: run.Adapter.Backend, Driver: run.Adapter.Driver, Type: run.Adapter.Type}
		for i := range run.Results {
			r := &run.Results[i]
			out = append(out, repeats(r, who)...)
			if r.Golden == nil || r.Golden.Key == "" || len(r.Gates) == 0 {
				continue // not held against a golden of a store
			}
			m := goldens.Measurement{Scene: r.Scene, Adapter: r.Golden.Key}
			if r.Golden.Key == goldens.Reference {
				m.Adapter, m.Golden = who.Class(), goldens.Reference
			} else if !r.Passed() {
				return nil, fmt.Errorf("scene %s on %s is a %s, so this run does not show what is right: %s", r.Scene, run.Adapter, r.Verdict.Title(), r.Reason)
			}
			for _, g := range r.Gates {
				m.Metric, m.Value, m.Samples, m.Cap = g.Name, verdict.Value(g.Value), 1, 0
				if m.Golden != "" {
					m.Cap = scenesOwn(list, r.Scene, run.Adapter.Type, metrics.Metric(g.Name))
				}
				out = append(out, m)
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the runs judged no scene against a store of goldens, so there is nothing to measure by")
	}
	return out, nil
}

// repeats are what the draws of one scene measured against each other, which is
// what it may be from a golden of its own adapter, whether there is one yet or not.
func repeats(r *verdict.Result, who goldens.Adapter) (out []goldens.Measurement) {
	if r.Noise == nil || who == (goldens.Adapter{}) {
		return nil
	}
	for _, m := range OwnMetrics() {
		out = append(out, goldens.Measurement{Scene: r.Scene, Adapter: who.Class(), Metric: m, Value: r.Noise.Worst[m], Samples: r.Noise.Draws})
	}
	return out
}

// scenesOwn is the limit that a scene itself sets on its distance from the
// reference; 0 where it sets none.
func scenesOwn(list catalogue.Catalogue, scene, adapterType string, m metrics.Metric) float64 {
	e, err := list.Find(scene)
	if err != nil {
		return 0
	}
	switch m {
	case metrics.MAD:
		return e.Limit(adapterType)
	case metrics.RegionMAD:
		return e.MaxRegionMAD
	}
	return 0
}
