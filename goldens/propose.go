package goldens

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// Measurement is one value of a metric that a run measured for a scene that is known to be right.
type Measurement struct {
	Scene, Adapter, Golden, Metric string
	Value                          float64
	// Samples is how many pairs of pictures Value is the worst of; 0 is 1.
	Samples int
	// Cap is the limit that the scene itself sets; no proposal is wider. 0 is none.
	Cap float64
}

// Proposal is what a ledger should say after new measurements.
type Proposal struct {
	Entry Entry
	Was   *Entry // the entry that it replaces, nil where it is new
	// Wider: the limit grows, which needs somebody's word.
	Wider bool
	// Over: what was measured is over the cap, so the scene fails and no limit is proposed.
	Over bool
}

func (p *Proposal) String() string {
	e := &p.Entry
	switch {
	case p.Over:
		return fmt.Sprintf("over    %s: %g was measured, the scene's limit is %g; find the formula", e.name(), e.Noise, e.Limit)
	case p.Was == nil:
		return fmt.Sprintf("new     %s: limit %g, noise %g of %d samples", e.name(), e.Limit, e.Noise, e.Samples)
	case p.Wider:
		return fmt.Sprintf("wider   %s: limit %g → %g, noise %g → %g", e.name(), p.Was.Limit, e.Limit, p.Was.Noise, e.Noise)
	case p.Entry.Limit < p.Was.Limit:
		return fmt.Sprintf("tighter %s: limit %g → %g, noise %g → %g", e.name(), p.Was.Limit, e.Limit, p.Was.Noise, e.Noise)
	}
	return fmt.Sprintf("same    %s: limit %g, noise %g of %d samples", e.name(), e.Limit, e.Noise, e.Samples)
}

// place is what an entry stands for.
type place struct{ scene, adapter, golden, metric string }

func (e *Entry) place() place { return place{e.Scene, e.Adapter, e.Golden, e.Metric} }

// measured is what is known of one place.
type measured struct {
	noise   float64
	samples int
	cap     float64
}

func (m *measured) take(v float64, samples int) {
	m.noise = max(m.noise, v)
	m.samples += samples
}

// Propose works out entries from measurements of runs that are known to be right: K times the worst of them, at least the metric's floor and at most
// the scene's own limit. Of goldens of an adapter's own, which repeat to the byte or nearly so, all scenes that stay at the floor share one entry.
// Proposals come in the ledger's order; nothing is changed.
func (l *Ledger) Propose(ms []Measurement, date time.Time, reason string) []Proposal {
	found := map[place]*measured{}
	for _, m := range ms {
		if _, known := floors[m.Metric]; !known || math.IsNaN(m.Value) {
			continue
		}
		p := place{m.Scene, m.Adapter, m.Golden, m.Metric}
		if found[p] == nil {
			found[p] = &measured{}
		}
		found[p].take(m.Value, max(1, m.Samples))
		found[p].cap = m.Cap
	}
	l.share(found)
	old := map[place]*Entry{}
	for i := range l.Entries {
		old[l.Entries[i].place()] = &l.Entries[i]
	}
	var out []Proposal
	for p, m := range found {
		e := Entry{Scene: p.scene, Adapter: p.adapter, Golden: p.golden, Metric: p.metric, Noise: m.noise, Samples: m.samples,
			Limit: l.allowed(p.metric, m.noise), Reason: reason, Date: date.UTC().Format(time.DateOnly)}
		pr := Proposal{Was: old[p]}
		if m.cap > 0 {
			e.Limit = min(e.Limit, m.cap)
			pr.Over = m.noise > m.cap
		}
		pr.Entry = e
		pr.Wider = pr.Was != nil && e.Limit > pr.Was.Limit
		out = append(out, pr)
	}
	slices.SortFunc(out, func(a, b Proposal) int { return strings.Compare(a.Entry.name(), b.Entry.name()) })
	return out
}

// share puts scenes whose limit would be the floor under one entry for all scenes.
func (l *Ledger) share(found map[place]*measured) {
	for p, m := range maps.Clone(found) {
		if p.golden != "" || p.scene == "*" || l.allowed(p.metric, m.noise) > floors[p.metric] {
			continue
		}
		all := place{"*", p.adapter, "", p.metric}
		if found[all] == nil {
			found[all] = &measured{}
		}
		found[all].take(m.noise, m.samples)
		delete(found, p)
	}
}

// Accept puts proposals into the ledger: new ones, and those that tighten a limit or measure it again. Wider ones only where wider is true. What is
// over its cap is left out, and so is what says no more than an entry that more samples stand behind.
func (l *Ledger) Accept(ps []Proposal, wider bool) (changed int) {
	for _, p := range ps {
		if p.Over || p.Wider && !wider || p.Was != nil && p.Entry.Limit == p.Was.Limit && p.Entry.Noise <= p.Was.Noise && p.Entry.Samples < p.Was.Samples {
			continue
		}
		changed++
		if p.Was == nil {
			l.Entries = append(l.Entries, p.Entry)
			continue
		}
		e := p.Entry
		if e.Limit == p.Was.Limit && e.Noise < p.Was.Noise {
			e.Noise = p.Was.Noise // rounding hid the difference; the worst ever seen stands
		}
		for i := range l.Entries {
			if l.Entries[i].place() == e.place() {
				l.Entries[i] = e
			}
		}
	}
	return changed
}

// Uncovered finds goldens of adapters whose limits are defaults that nobody measured, one finding an adapter and metric; metrics are those that
// such goldens are judged by.
func (s *Store) Uncovered(l *Ledger, metrics []string, now time.Time) ([]Finding, error) {
	type gap struct{ adapter, metric string }
	gaps := map[gap][]string{}
	err := s.manifests(func(m *Manifest) {
		if m.Key == Reference {
			return
		}
		have := l.Limits(m.Scene, m.Key, m.Adapter, now)
		for _, x := range metrics {
			if _, ok := have[x]; !ok {
				gaps[gap{m.Key, x}] = append(gaps[gap{m.Key, x}], m.Scene)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	var out []Finding
	for _, g := range slices.SortedFunc(maps.Keys(gaps), func(a, b gap) int {
		return cmp.Or(strings.Compare(a.adapter, b.adapter), strings.Compare(a.metric, b.metric))
	}) {
		scenes := gaps[g]
		out = append(out, Finding{Entry: Entry{Scene: scenes[0], Adapter: g.adapter, Metric: g.metric},
			Problem: fmt.Sprintf("the limit was never measured, for this and %d more scenes", len(scenes)-1)})
	}
	return out, nil
}

// Unmeasured are the scenes with a picture of another engine that no entry speaks of: there the scene's own limit holds for every adapter.
func (s *Store) Unmeasured(l *Ledger) ([]string, error) {
	known := map[string]bool{}
	for i := range l.Entries {
		if e := &l.Entries[i]; e.Golden == Reference {
			known[e.Scene] = true
		}
	}
	var out []string
	err := s.manifests(func(m *Manifest) {
		if m.Key == Reference && !known[m.Scene] && !known["*"] {
			out = append(out, m.Scene)
		}
	})
	return out, err
}
