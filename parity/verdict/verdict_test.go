package verdict

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

func TestNamesRoundTripAndAreUnique(t *testing.T) {
	ids, codes := map[string]bool{}, map[int]bool{}
	for _, v := range All() {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var back Verdict
		if err := json.Unmarshal(b, &back); err != nil || back != v {
			t.Errorf("%s: came back as %s, %v", v, back, err)
		}
		if ids[v.String()] || codes[v.Code()] {
			t.Errorf("%s: name or code %d is used twice", v, v.Code())
		}
		ids[v.String()], codes[v.Code()] = true, true
		if v.Title() == "" || strings.ContainsAny(v.String(), " _ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			t.Errorf("%s: not a published name", v)
		}
		if c := v.Code(); c >= 125 || c < 0 || (c == 0) != (v == Pass) {
			t.Errorf("%s: code %d", v, c)
		}
	}
	if len(ids) != 13 {
		t.Errorf("%d verdicts, want 13", len(ids))
	}
	if _, err := json.Marshal(Unset); err == nil {
		t.Error("a result that was never judged was written as JSON")
	}
	if _, err := Parse("PASS"); err == nil {
		t.Error("PASS was taken for pass")
	}
}

// The fine codes are a promise to scripts; this table is the promise.
func TestFineCodesAreStable(t *testing.T) {
	want := map[Verdict]int{Pass: 0, Mismatch: 10, Blank: 11, NonFinite: 12, Size: 13, MissingGolden: 14, StaleGolden: 15, NotRun: 16,
		RenderError: 17, Timeout: 18, Crash: 19, DeviceLost: 20, WrongAdapter: 21, Unset: 22}
	for v, c := range want {
		if v.Code() != c {
			t.Errorf("%s: code %d, promised %d", v, v.Code(), c)
		}
	}
}

func TestWorstWins(t *testing.T) {
	all := All()
	for i, v := range all {
		for _, u := range all[:i] {
			if !v.Worse(u) || u.Worse(v) || Worst(u, v) != v || Worst(v, u) != v {
				t.Errorf("%s is not worse than %s", v, u)
			}
		}
		if !Unset.Worse(v) || Worst(v, Unset) != Unset {
			t.Errorf("unset is not worse than %s", v)
		}
	}
	if Worst() != Unset {
		t.Error("the worst of nothing is not unset")
	}
}

func run(vs ...Verdict) *Run {
	r := &Run{}
	for i, v := range vs {
		r.Results = append(r.Results, Result{Scene: string(rune('a' + i)), Verdict: v})
	}
	return r
}

func TestExitCodes(t *testing.T) {
	flaky := run(Pass, Pass)
	flaky.Results[1].Flaky = true
	skip := run(Pass, NotRun)
	skip.Results[1].Skip = true
	onlySkip := run(NotRun)
	onlySkip.Results[0].Skip = true
	killed := run(Pass)
	killed.Incomplete = "parent was killed"
	many := &Run{}
	for range 256 {
		many.Results = append(many.Results, Result{Verdict: Mismatch})
	}
	lax := Policy{AllowFlaky: true, AllowSkip: true}
	for _, c := range []struct {
		name                string
		run                 *Run
		policy              Policy
		plain, fine, bisect int
	}{
		{"all pass", run(Pass, Pass), Policy{}, 0, 0, 0},
		{"empty", run(), Policy{}, 2, 31, 125},
		{"empty, lax", run(), lax, 2, 31, 125},
		{"mismatch", run(Pass, Mismatch), Policy{}, 1, 10, 1},
		{"256 mismatches do not wrap", many, Policy{}, 1, 10, 1},
		{"blank", run(Blank), Policy{}, 1, 11, 1},
		{"non-finite beats mismatch", run(Mismatch, NonFinite), Policy{}, 1, 12, 1},
		{"size", run(Pass, Size), Policy{}, 2, 13, 125},
		{"missing golden", run(Pass, MissingGolden), Policy{}, 2, 14, 125},
		{"missing golden is not forgiven", run(Pass, MissingGolden), lax, 2, 14, 125},
		{"unjudged beats mismatch", run(Mismatch, Crash), Policy{}, 2, 19, 125},
		{"device lost", run(Pass, NotRun, DeviceLost), lax, 2, 20, 125},
		{"wrong adapter", run(WrongAdapter, Crash), Policy{}, 2, 21, 125},
		{"unset", run(Pass, Unset), lax, 2, 22, 125},
		{"flaky", flaky, Policy{}, 2, 30, 125},
		{"flaky allowed", flaky, lax, 0, 0, 0},
		{"skip", skip, Policy{}, 2, 16, 125},
		{"skip allowed", skip, lax, 0, 0, 0},
		{"a leftover is not a skip", run(Pass, NotRun), lax, 2, 16, 125},
		{"only skips", onlySkip, lax, 2, 31, 125},
		{"killed", killed, lax, 2, 31, 125},
	} {
		if got := c.run.ExitCode(c.policy); got != c.plain {
			t.Errorf("%s: exit %d, want %d", c.name, got, c.plain)
		}
		if got := c.run.FineExitCode(c.policy); got != c.fine {
			t.Errorf("%s: fine exit %d, want %d", c.name, got, c.fine)
		}
		if got := c.run.BisectExitCode(c.policy); got != c.bisect {
			t.Errorf("%s: bisect exit %d, want %d", c.name, got, c.bisect)
		}
		if err := c.run.Err(c.policy); (err == nil) != (c.plain == 0) {
			t.Errorf("%s: exit %d but error %v", c.name, c.plain, err)
		}
	}
}

func TestNothingJudgedIsAnError(t *testing.T) {
	for _, r := range []*Run{run(), run(NotRun), run(MissingGolden, Crash)} {
		if err := r.Err(Policy{AllowFlaky: true, AllowSkip: true}); !errors.Is(err, ErrNothingJudged) {
			t.Errorf("%v: %v", r.Results, err)
		}
	}
	r := run(MissingGolden)
	r.Results[0].Reason = "no golden for nvidia"
	if err := r.Err(Policy{}); !strings.Contains(err.Error(), "a: no golden for nvidia") {
		t.Errorf("the error does not say why: %v", err)
	}
}

func TestErrNamesTheWorstFirst(t *testing.T) {
	r := run(Pass, Mismatch, Mismatch, Crash)
	if got, want := r.Err(Policy{}).Error(), "1 crash, 2 mismatch of 4 scenes"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A measure that was not taken must not read as a perfect match.
func TestUnmeasuredIsNull(t *testing.T) {
	b, err := json.Marshal(Result{Scene: "s", Verdict: MissingGolden, MAD: Num(math.NaN()), RegionMAD: Num(math.Inf(1))})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"mad":null`, `"limit":null`, `"region_mad":null`, `"max_diff":null`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %s in %s", want, b)
		}
	}
	if !math.IsNaN(Value(nil)) || Value(Num(2)) != 2 {
		t.Error("Value is not the inverse of Num")
	}
}

func TestSummary(t *testing.T) {
	r := run(Pass, Pass, Mismatch, NotRun, NotRun, Crash)
	r.Results[1].Flaky = true
	r.Results[3].Skip = true
	s := r.Summary()
	if s.Total != 6 || s.Judged != 3 || s.Passed != 1 || s.Flaky != 1 || s.Skipped != 1 || s.Failed != 1 || s.Unjudged != 2 || s.Worst != Crash {
		t.Errorf("%+v", s)
	}
	if s.Passed+s.Flaky+s.Skipped+s.Failed+s.Unjudged != s.Total {
		t.Errorf("the parts do not add up: %+v", s)
	}
	if _, err := json.Marshal(s); err != nil {
		t.Error(err)
	}
}
