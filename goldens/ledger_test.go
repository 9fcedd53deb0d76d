package goldens

import (
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var day = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func entry(f func(e *Entry)) Entry {
	e := Entry{Scene: "alien", Adapter: "nvidia", Metric: "mad", Limit: 0.3, Noise: 0.1, Samples: 20, Reason: "MSAA resolve order", Date: "2026-05-01"}
	if f != nil {
		f(&e)
	}
	return e
}

func TestCheckLedger(t *testing.T) {
	for _, c := range []struct {
		name     string
		e        Entry
		want     string // "" for an entry that is right
		proposal float64
	}{
		{"at k times the noise", entry(nil), "", 0},
		{"too wide", entry(func(e *Entry) { e.Limit = 0.31 }), "wider than 3 times", 0.3},
		{"proposal has two digits, rounded up", entry(func(e *Entry) { e.Limit, e.Noise = 9, 0.12345 }), "wider", 0.38},
		{"no noise, at the floor", entry(func(e *Entry) { e.Limit, e.Noise = 0.02, 0 }), "", 0},
		{"no noise, too wide", entry(func(e *Entry) { e.Limit, e.Noise = 0.5, 0 }), "wider", 0.02},
		{"large numbers", entry(func(e *Entry) { e.Metric, e.Limit, e.Noise = "max_diff", 250, 41 }), "wider", 130},
		{"below its noise", entry(func(e *Entry) { e.Limit = 0.05 }), "below the noise", 0},
		{"no reason", entry(func(e *Entry) { e.Reason = " " }), "no reason", 0},
		{"date", entry(func(e *Entry) { e.Date = "May" }), "not of the form", 0},
		{"expired", entry(func(e *Entry) { e.Expires = "2026-06-01" }), "expired", 0},
		{"expires tomorrow", entry(func(e *Entry) { e.Expires = "2026-06-02" }), "", 0},
		{"expiry", entry(func(e *Entry) { e.Expires = "soon" }), "not of the form", 0},
		{"never measured", entry(func(e *Entry) { e.Samples = 0 }), "never measured", 0},
		{"unknown metric", entry(func(e *Entry) { e.Metric = "psnr" }), "no metric", 0},
		{"NaN", entry(func(e *Entry) { e.Limit = math.NaN() }), "numbers from 0", 0},
		{"infinite", entry(func(e *Entry) { e.Limit = math.Inf(1) }), "numbers from 0", 0},
		{"no scene", entry(func(e *Entry) { e.Scene = "" }), "missing", 0},
	} {
		l := &Ledger{Entries: []Entry{c.e}}
		f := l.Check(day)
		if c.want == "" {
			if len(f) != 0 {
				t.Errorf("%s: %v", c.name, f)
			}
			continue
		}
		if len(f) != 1 || !strings.Contains(f[0].String(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, f, c.want)
			continue
		}
		if (f[0].Proposal != nil) != (c.proposal != 0) || f[0].Proposal != nil && *f[0].Proposal != c.proposal {
			t.Errorf("%s: proposal in %v, want %v", c.name, f[0], c.proposal)
		}
		if f[0].Proposal != nil { // the proposal is its own cure
			l.Entries[0].Limit = *f[0].Proposal
			if f := l.Check(day); len(f) != 0 {
				t.Errorf("%s: the proposal is refused: %v", c.name, f)
			}
		}
	}
	twice := &Ledger{Entries: []Entry{entry(nil), entry(nil)}}
	if f := twice.Check(day); len(f) != 1 || !strings.Contains(f[0].Problem, "twice") {
		t.Errorf("%v", f)
	}
}

func TestLedgerLimits(t *testing.T) {
	l := &Ledger{Entries: []Entry{
		entry(func(e *Entry) { e.Scene, e.Adapter, e.Limit = "alien", h200.Exact(), 4 }),
		entry(func(e *Entry) { e.Scene, e.Adapter, e.Limit = "alien", "nvidia", 3 }),
		entry(func(e *Entry) { e.Scene, e.Adapter, e.Limit = "*", "nvidia", 2 }),
		entry(func(e *Entry) { e.Scene, e.Adapter, e.Limit, e.Metric = "*", "*", 1, "tile_mad" }),
		entry(func(e *Entry) { e.Scene, e.Golden, e.Limit = "alien", Reference, 9 }),
		entry(func(e *Entry) { e.Scene, e.Adapter, e.Limit, e.Expires = "alien", h200.Exact(), 99, "2026-01-01" }),
	}}
	other := Adapter{Name: "NVIDIA L4", Driver: "1"}
	for _, c := range []struct {
		scene, key string
		a          Adapter
		want       map[string]float64
	}{
		{"alien", h200.Exact(), h200, map[string]float64{"mad": 4, "tile_mad": 1}},
		{"alien", "nvidia", other, map[string]float64{"mad": 3, "tile_mad": 1}},
		{"shark", "nvidia", other, map[string]float64{"mad": 2, "tile_mad": 1}},
		{"shark", "llvmpipe", llvmpipe, map[string]float64{"tile_mad": 1}},
		{"alien", Reference, h200, map[string]float64{"mad": 9}},
		{"alien", Reference, llvmpipe, map[string]float64{}},
		{"alien", "", h200, map[string]float64{}},
	} {
		if got := l.Limits(c.scene, c.key, c.a, day); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s, golden %q, %s: %v, want %v", c.scene, c.key, c.a.Name, got, c.want)
		}
	}
}

func TestLedgerFile(t *testing.T) {
	s := &Store{Root: t.TempDir()}
	l, err := s.Ledger()
	if err != nil || len(l.Entries) != 0 {
		t.Fatalf("no file: %+v, %v", l, err)
	}
	l.Entries = []Entry{entry(func(e *Entry) { e.Scene = "z" }), entry(func(e *Entry) { e.Scene = "a" })}
	if err := s.SaveLedger(l); err != nil {
		t.Fatal(err)
	}
	back, err := s.Ledger()
	if err != nil || len(back.Entries) != 2 || back.Entries[0].Scene != "a" || back.Version != 1 {
		t.Fatalf("%+v, %v", back, err)
	}
	for _, text := range []string{`{"version":1,"entries":[{"scene":"a","expire":"2026-01-01"}]}`, `{"version":2,"entries":[]}`, `{`} {
		if err := os.WriteFile(s.LedgerPath(), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Ledger(); err == nil || !strings.Contains(err.Error(), "limits.json") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestPropose(t *testing.T) {
	l := &Ledger{Entries: []Entry{entry(nil), entry(func(e *Entry) { e.Scene, e.Limit, e.Noise = "shark", 0.06, 0.02 })}}
	ms := []Measurement{
		{Scene: "alien", Adapter: "nvidia", Metric: "mad", Value: 0.02}, {Scene: "alien", Adapter: "nvidia", Metric: "mad", Value: 0.03},
		{Scene: "shark", Adapter: "nvidia", Metric: "mad", Value: 0.05}, {Scene: "shark", Adapter: "nvidia", Metric: "mad", Value: math.NaN()},
		{Scene: "still", Adapter: "nvidia", Metric: "mad", Samples: 5}, {Scene: "calm", Adapter: "nvidia", Metric: "mad", Value: 0.001},
		{Scene: "alien", Adapter: "nvidia", Golden: Reference, Metric: "mad", Value: 0.2, Cap: 0.5},
		{Scene: "shark", Adapter: "nvidia", Golden: Reference, Metric: "mad", Value: 0.2, Cap: 0.1},
		{Scene: "alien", Adapter: "nvidia", Metric: "psnr", Value: 5},
	}
	want := []string{ // in the order of the names
		"new     * on nvidia, mad: limit 0.02, noise 0.001 of 6 samples",
		"new     alien on nvidia against babylonjs, mad: limit 0.5, noise 0.2 of 1 samples",
		"tighter alien on nvidia, mad: limit 0.3 → 0.09, noise 0.1 → 0.03",
		"over    shark on nvidia against babylonjs, mad: 0.2 was measured, the scene's limit is 0.1; find the formula",
		"wider   shark on nvidia, mad: limit 0.06 → 0.15, noise 0.02 → 0.05",
	}
	ps := l.Propose(ms, day, "measured")
	for i := range ps {
		if i >= len(want) || ps[i].String() != want[i] {
			t.Errorf("%d: %s", i, ps[i].String())
		}
	}
	if len(ps) != len(want) {
		t.Fatalf("%d proposals, want %d", len(ps), len(want))
	}
	if n := l.Accept(ps, false); n != 3 || len(l.Entries) != 4 {
		t.Errorf("%d accepted, %d entries", n, len(l.Entries))
	}
	got := l.Limits("shark", "nvidia", Adapter{Name: "NVIDIA L4"}, day)
	if got["mad"] != 0.06 {
		t.Errorf("a limit was widened without a word: %v", got)
	}
	if f := l.Check(day); len(f) != 0 {
		t.Errorf("what was accepted is not in order: %v", f)
	}
	l.Accept(l.Propose(ms, day, "measured"), true)
	if got := l.Limits("shark", "nvidia", Adapter{Name: "NVIDIA L4"}, day); got["mad"] != 0.15 {
		t.Errorf("a limit was not widened: %v", got)
	}
	// One more draw of what six stand behind says nothing new.
	before := slices.Clone(l.Entries)
	if n := l.Accept(l.Propose([]Measurement{{Scene: "still", Adapter: "nvidia", Metric: "mad"}}, day, "once"), true); n != 0 || !slices.Equal(l.Entries, before) {
		t.Errorf("%d entries were replaced by a measurement of less", n)
	}
}

// A limit that nobody measured must not pass as one that somebody did.
func TestUncovered(t *testing.T) {
	s := &Store{Root: t.TempDir()}
	bless(t, s, "alien", "nvidia", sketch(1), nil)
	bless(t, s, "shark", "nvidia", sketch(1), nil)
	bless(t, s, "shark", Reference, sketch(1), nil)
	l := &Ledger{Entries: []Entry{entry(func(e *Entry) { e.Scene = "*" })}}
	if f, err := s.Uncovered(l, []string{"mad"}, day); err != nil || len(f) != 0 {
		t.Errorf("%v, %v", f, err)
	}
	f, err := s.Uncovered(l, []string{"mad", "tile_mad"}, day)
	if err != nil || len(f) != 1 || f[0].Entry.Metric != "tile_mad" || !strings.Contains(f[0].String(), "1 more") {
		t.Errorf("%v, %v", f, err)
	}
	if un, err := s.Unmeasured(l); err != nil || len(un) != 1 || un[0] != "shark" {
		t.Errorf("%v, %v", un, err)
	}
}
