package verdict

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Schema is the version of the document. It grows when a reader of the former version could misread the new one.
const Schema = 1

// ErrNothingJudged is returned for a run in which no scene was judged: an empty selection, or one in which nothing was rendered.
var ErrNothingJudged = errors.New("0 scenes judged")

// Run is the document of one run: the published JSON, and all that a report is made from.
type Run struct {
	Schema  int       `json:"schema"`
	Tool    string    `json:"tool,omitempty"`    // name and version of what wrote the document
	Commit  string    `json:"commit,omitempty"`  // of the code under test; "+dirty" at the end where the work tree differed
	Started time.Time `json:"started,omitzero"`  // wall clock
	MS      float64   `json:"ms"`                // whole run, milliseconds
	Command string    `json:"command,omitempty"` // as typed
	Adapter Adapter   `json:"adapter"`
	// Binding is the name and version of the WebGPU binding that drew.
	Binding string `json:"binding,omitempty"`
	// Settings is all that a verdict depends on beside code, scene and adapter: size, goldens, checks. A run is resumed with the same alone.
	Settings string `json:"settings,omitempty"`
	// Canary says whether the adapter still draws its fixed scenes as recorded; nil where none were drawn.
	Canary *Canary `json:"canary,omitempty"`
	// Shard is "i/n" for one shard of a run, empty for a whole one or a merged one.
	Shard string `json:"shard,omitempty"`
	// Catalogue is the digest of the sorted names of all scenes that the run (over all shards) was asked for.
	Catalogue string `json:"catalogue,omitempty"`
	// Incomplete says why the run ended before its time; empty where it did not.
	Incomplete string   `json:"incomplete,omitempty"`
	Results    []Result `json:"results"`
}

// Adapter names the device that drew.
type Adapter struct {
	Name    string `json:"name"`
	Backend string `json:"backend"`
	Driver  string `json:"driver"`
	Type    string `json:"type"` // discrete, integrated, virtual, cpu, unknown
}

// String is the adapter in one line.
func (a Adapter) String() string {
	var rest []string
	for _, s := range []string{a.Type, a.Backend, a.Driver} {
		if s != "" {
			rest = append(rest, s)
		}
	}
	name := a.Name
	if name == "" {
		name = "unnamed adapter"
	}
	if len(rest) == 0 {
		return name
	}
	return name + " (" + strings.Join(rest, ", ") + ")"
}

// Canary is the outcome of the fixed scene set that is drawn before the catalogue.
type Canary struct {
	OK bool `json:"ok"`
	// Text says what changed: "driver or adapter changed" and where, or that there is no record yet.
	Text   string `json:"text,omitempty"`
	Scenes int    `json:"scenes"`
	// Key of the adapter with its driver, under which a record is kept, and what the scenes look like on it: the digest of each one's pixels.
	Key     string            `json:"key,omitempty"`
	Digests map[string]string `json:"digests,omitempty"`
}

// Policy says what a run may contain and still exit 0. The zero value allows nothing.
type Policy struct {
	// AllowFlaky counts a flaky pass as a pass.
	AllowFlaky bool
	// AllowSkip forgives scenes that declared themselves not runnable here (Result.Skip). Never those that a dead run left over.
	AllowSkip bool
}

// Summary counts the results of a run.
type Summary struct {
	Total    int             `json:"total"`
	Judged   int             `json:"judged"`
	Passed   int             `json:"passed"` // verdict pass, not flaky
	Flaky    int             `json:"flaky"`  // verdict pass, flaky
	Skipped  int             `json:"skipped"`
	Failed   int             `json:"failed"`   // judged, the picture is wrong
	Unjudged int             `json:"unjudged"` // could not be judged, skipped ones apart
	By       map[Verdict]int `json:"by"`
	Worst    Verdict         `json:"worst"`
}

// Summary of the run.
func (r *Run) Summary() Summary {
	s := Summary{Total: len(r.Results), By: map[Verdict]int{}}
	for i := range r.Results {
		x := &r.Results[i]
		s.By[x.Verdict]++
		if i == 0 || x.Verdict.Worse(s.Worst) {
			s.Worst = x.Verdict
		}
		if x.Verdict.Judged() {
			s.Judged++
		}
		switch {
		case x.Passed():
			s.Passed++
		case x.Verdict == Pass:
			s.Flaky++
		case x.skipped():
			s.Skipped++
		case x.Verdict.Class() == Differs:
			s.Failed++
		default:
			s.Unjudged++
		}
	}
	return s
}

func (r *Result) skipped() bool { return r.Verdict == NotRun && r.Skip }

// forgiven reports whether the policy lets the result stand beside passes.
func (p Policy) forgiven(r *Result) bool {
	return r.Passed() || r.Verdict == Pass && p.AllowFlaky || r.skipped() && p.AllowSkip
}

// Err says in one line why the run as a whole is not a pass, or nil. It wraps ErrNothingJudged where no scene was judged.
func (r *Run) Err(p Policy) error {
	s := r.Summary()
	if s.Judged == 0 {
		if s.Total == 0 {
			return fmt.Errorf("%w: the selection is empty; check the names and filters", ErrNothingJudged)
		}
		return fmt.Errorf("%w: %d selected, worst is %s (%s)", ErrNothingJudged, s.Total, s.Worst.Title(), r.firstReason(s.Worst))
	}
	if r.Incomplete != "" {
		return fmt.Errorf("run is incomplete: %s", r.Incomplete)
	}
	var parts []string
	for _, v := range slices.Backward(append(All(), Unset)) {
		n := 0
		for i := range r.Results {
			if r.Results[i].Verdict == v && !p.forgiven(&r.Results[i]) {
				n++
			}
		}
		if n > 0 {
			title := v.Title()
			if v == Pass {
				title = "flaky"
			}
			parts = append(parts, fmt.Sprintf("%d %s", n, title))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return fmt.Errorf("%s of %d scenes", strings.Join(parts, ", "), s.Total)
}

func (r *Run) firstReason(v Verdict) string {
	for i := range r.Results {
		if r.Results[i].Verdict == v && r.Results[i].Reason != "" {
			return r.Results[i].Scene + ": " + r.Results[i].Reason
		}
	}
	return "no reason given"
}

// ExitCode under the plain contract: 0, 1 or 2.
func (r *Run) ExitCode(p Policy) int {
	if r.Summary().Judged == 0 || r.Incomplete != "" {
		return 2
	}
	code := 0
	for i := range r.Results {
		x := &r.Results[i]
		if p.forgiven(x) {
			continue
		}
		c := int(x.Verdict.Class())
		if x.Verdict == Pass { // flaky: whether it passes was not settled
			c = 2
		}
		code = max(code, c)
	}
	return code
}

// Exit codes of the fine contract that belong to no verdict.
const (
	CodeFlaky         = 30 // everything passed, some only on a later attempt
	CodeNothingJudged = 31 // no scene was judged, or the run is incomplete and what there is passed
)

// FineExitCode under the fine contract: the Code of the worst verdict.
func (r *Run) FineExitCode(p Policy) int {
	worst, flaky := Pass, false
	for i := range r.Results {
		x := &r.Results[i]
		switch {
		case p.forgiven(x):
		case x.Verdict == Pass:
			flaky = true
		case x.Verdict.Worse(worst):
			worst = x.Verdict
		}
	}
	switch {
	case worst != Pass:
		return worst.Code()
	case r.Summary().Judged == 0 || r.Incomplete != "":
		return CodeNothingJudged
	case flaky:
		return CodeFlaky
	}
	return 0
}

// BisectExitCode under the contract of "git bisect run": 0 good, 1 bad, 125 cannot be told.
func (r *Run) BisectExitCode(p Policy) int {
	switch r.ExitCode(p) {
	case 0:
		return 0
	case 1:
		return 1
	}
	return 125
}

// Sort orders results by scene name, then adapter, so that the same run gives the same document whichever worker ended first.
func (r *Run) Sort() {
	slices.SortStableFunc(r.Results, func(a, b Result) int {
		if c := strings.Compare(a.Scene, b.Scene); c != 0 {
			return c
		}
		return strings.Compare(a.adapterName(), b.adapterName())
	})
}

func (r *Result) adapterName() string {
	if r.Adapter == nil {
		return ""
	}
	return r.Adapter.String()
}
