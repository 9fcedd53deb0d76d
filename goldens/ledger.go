package goldens

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"darkroom/scenes/files"
)

// Ledger is the tolerance ledger: every limit that is not a default, with the noise that it was measured against and the reason for it. It
// ratchets: a limit may not be wider than K times its noise, and Check proposes the tighter one.
type Ledger struct {
	Version int `json:"version"`
	// K is how many times the measured noise a limit may be; 0 is 3.
	K       float64 `json:"k,omitempty"`
	Entries []Entry `json:"entries"`
}

// Entry is one limit.
type Entry struct {
	Scene   string `json:"scene"`   // name, or * for all
	Adapter string `json:"adapter"` // what draws, by a key as goldens have: exact, class, or * for all
	// Golden is empty for a golden of the adapter's own, and Reference for another engine's picture.
	Golden string `json:"golden,omitempty"`
	Metric string `json:"metric"`
	// Limit is the largest value that passes.
	Limit float64 `json:"limit"`
	// Noise is the largest value that was measured when nothing was wrong: between repeats for an adapter's own golden, against the reference for
	// another engine's.
	Noise   float64 `json:"noise"`
	Samples int     `json:"samples"` // measures behind Noise
	Reason  string  `json:"reason"`
	Date    string  `json:"date"`              // of the measurement, 2006-01-02
	Expires string  `json:"expires,omitempty"` // first day on which the limit no longer holds
}

// Headroom is the limit in multiples of the noise; +Inf where there was none.
func (e *Entry) Headroom() float64 { return e.Limit / e.Noise }

const defaultK = 3

// Times is K, or its default.
func (l *Ledger) Times() float64 {
	if l.K == 0 {
		return defaultK
	}
	return l.K
}

// floors are the limits below which there is no use in going, by metric: a limit of 0 on a measure that repeats exactly would fail the next driver
// for nothing that anybody sees.
var floors = map[string]float64{"mad": 0.02, "region_mad": 0.05, "tile_mad": 0.5, "max_diff": 2, "over_share": 0, "alpha_max": 1, "flip": 0.005}

// LedgerPath of a store.
func (s *Store) LedgerPath() string { return filepath.Join(s.Root, "limits.json") }

// Ledger reads the store's ledger; where there is none, it is empty.
func (s *Store) Ledger() (*Ledger, error) {
	b, err := files.Read(s.LedgerPath(), 64<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return &Ledger{Version: 1}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("tolerance ledger: %w; --goldens names the folder of the golden store", err)
	}
	var l Ledger
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields() // a misspelt "expires" would never expire
	if err := d.Decode(&l); err != nil {
		return nil, fmt.Errorf("tolerance ledger %s is damaged: %w; restore it from version control", s.LedgerPath(), err)
	}
	if l.Version != 1 {
		return nil, fmt.Errorf("%s: version %d is not known; this program reads version 1", s.LedgerPath(), l.Version)
	}
	return &l, nil
}

// SaveLedger writes the store's ledger, sorted, whole or not at all.
func (s *Store) SaveLedger(l *Ledger) error {
	sorted := *l
	sorted.Version = 1
	sorted.Entries = slices.Clone(l.Entries)
	slices.SortFunc(sorted.Entries, func(a, b Entry) int { return strings.Compare(a.name(), b.name()) })
	b, err := json.MarshalIndent(&sorted, "", "  ")
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return files.Write(s.LedgerPath(), append(b, '\n'))
}

func (e *Entry) name() string {
	s := e.Scene + " on " + e.Adapter
	if e.Golden != "" {
		s += " against " + e.Golden
	}
	return s + ", " + e.Metric
}

// Limits are those that apply to a scene on an adapter whose picture is held against a golden with the key: of two entries for one metric the
// more particular one, a named scene before *, and a named key before *. An expired entry does not apply.
func (l *Ledger) Limits(scene, goldenKey string, a Adapter, now time.Time) map[string]float64 {
	out := map[string]float64{}
	if goldenKey == "" {
		return out // a flat folder comes with limits of its own
	}
	witness := "" // what was written for one kind of golden says nothing of the other
	if goldenKey == Reference {
		witness = Reference
	}
	keys := []string{"*", a.Class(), a.Exact()}
	for _, s := range []string{"*", scene} {
		for _, k := range keys {
			for _, e := range l.Entries {
				if e.Scene == s && e.Adapter == k && e.Golden == witness && !e.expired(now) {
					out[e.Metric] = e.Limit
				}
			}
		}
	}
	return out
}

func (e *Entry) expired(now time.Time) bool {
	return e.Expires != "" && now.UTC().Format(time.DateOnly) >= e.Expires
}

// Finding is something wrong with an entry.
type Finding struct {
	Entry    Entry
	Problem  string
	Proposal *float64 // the tighter limit, where that is the cure
}

func (f Finding) String() string {
	s := fmt.Sprintf("%s: %s", f.Entry.name(), f.Problem)
	if f.Proposal != nil {
		s += fmt.Sprintf("; make it %g", *f.Proposal)
	}
	return s
}

// Check is what CI runs: it finds limits that are wider than K times their noise, that have no reason, no date or too few samples, that are
// below their own noise, that have expired, or that are there twice.
func (l *Ledger) Check(now time.Time) []Finding {
	var out []Finding
	seen := map[string]bool{}
	for _, e := range l.Entries {
		add := func(format string, args ...any) {
			out = append(out, Finding{Entry: e, Problem: fmt.Sprintf(format, args...)})
		}
		_, known := floors[e.Metric]
		switch {
		case e.Scene == "" || e.Adapter == "" || e.Metric == "":
			add("scene, adapter or metric is missing")
			continue
		case !known:
			add("%q is no metric with limits", e.Metric)
			continue
		case !(e.Limit >= 0) || !(e.Noise >= 0) || math.IsInf(e.Limit, 0) || math.IsInf(e.Noise, 0):
			add("limit %v and noise %v must be numbers from 0 up", e.Limit, e.Noise)
			continue
		}
		if seen[e.name()] {
			add("is there twice")
		}
		seen[e.name()] = true
		if strings.TrimSpace(e.Reason) == "" {
			add("has no reason")
		}
		if _, err := time.Parse(time.DateOnly, e.Date); err != nil {
			add("date %q is not of the form 2006-01-02", e.Date)
		}
		if e.Expires != "" {
			if _, err := time.Parse(time.DateOnly, e.Expires); err != nil {
				add("expiry %q is not of the form 2006-01-02", e.Expires)
			} else if e.expired(now) {
				add("expired on %s", e.Expires)
			}
		}
		if e.Samples < 1 {
			add("noise was never measured")
			continue
		}
		if e.Limit < e.Noise {
			add("limit %g is below the noise %g: it fails what is known to be right", e.Limit, e.Noise)
		}
		if allowed := l.allowed(e.Metric, e.Noise); e.Limit > allowed {
			p := allowed
			out = append(out, Finding{Entry: e, Proposal: &p,
				Problem: fmt.Sprintf("limit %g is wider than %g times the noise %g", e.Limit, l.Times(), e.Noise)})
		}
	}
	return out
}

// allowed is the widest limit for a noise: K times it, rounded up to two digits, and at least the metric's floor.
func (l *Ledger) allowed(metric string, noise float64) float64 {
	return max(floors[metric], roundUp(l.Times()*noise))
}

// roundUp to two significant digits, so that proposals are numbers one can read.
func roundUp(x float64) float64 {
	if x <= 0 {
		return 0
	}
	scale := math.Pow(10, math.Floor(math.Log10(x))-1)
	n := math.Ceil(x/scale - 1e-9)
	if scale < 1 { // dividing by a whole number gives the decimal that was meant; multiplying by 0.01 does not
		return n / math.Round(1/scale)
	}
	return n * scale
}
