// Package reports turns a finished run into what people and machines read: the JSON document with its published schema, JUnit XML for Jenkins and
// GitLab, a Markdown summary and annotations for GitHub, and one self-contained HTML page.
//
// It sees results and paths of pictures, never a renderer or a golden store, so every report can be made again from a JSON document or a journal.
// All of them take their verdict words from parity/verdict, and none can be green where the exit code is not 0: what makes a run fail as a whole
// (nothing judged, cut short) is in each of them.
package reports

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"darkroom/parity/verdict"
)

// Options for all reports.
type Options struct {
	// Title of the run; empty is "Parity".
	Title string
	// Policy of the exit code, so that all reports agree with it.
	Policy verdict.Policy
	// Root is the folder that relative paths of pictures start from; empty is the working directory.
	Root string
	// Link turns the path of a picture, as it is in the result, into what a report refers to it by; nil leaves it.
	Link func(path string) string
	// ReportURL is where the HTML page will be, for the Markdown summary; may be empty.
	ReportURL string
}

func (o *Options) title() string {
	if o.Title == "" {
		return "Parity"
	}
	return o.Title
}

func (o *Options) link(path string) string {
	if o.Link == nil || path == "" {
		return path
	}
	return o.Link(path)
}

// outcome sorts a result into the four that JUnit knows.
type outcome uint8

const (
	passed outcome = iota
	failed
	broken
	skipped
)

func (o *Options) outcome(r *verdict.Result) outcome {
	switch {
	case r.Passed() || r.Verdict == verdict.Pass && o.Policy.AllowFlaky:
		return passed
	case r.Verdict == verdict.Pass: // flaky, and not allowed
		return failed
	case r.Verdict == verdict.NotRun && r.Skip && o.Policy.AllowSkip:
		return skipped
	case r.Verdict.Class() == verdict.Differs:
		return failed
	}
	return broken
}

// headline says the run in one line.
func headline(r *verdict.Run, p verdict.Policy) string {
	if err := r.Err(p); err != nil {
		return err.Error()
	}
	s := r.Summary()
	line := fmt.Sprintf("%d of %d scenes pass", s.Passed+s.Flaky, s.Total)
	if s.Flaky > 0 {
		line += fmt.Sprintf(", %d of them flaky", s.Flaky)
	}
	if s.Skipped > 0 {
		line += fmt.Sprintf(", %d skipped", s.Skipped)
	}
	return line
}

// number prints a measure with four significant digits, a dash where there is none.
func number(p *float64) string {
	x := verdict.Value(p)
	switch {
	case math.IsNaN(x):
		return "–"
	case x == 0:
		return "0"
	}
	digits := 3 - int(math.Floor(math.Log10(math.Abs(x))))
	s := strconv.FormatFloat(x, 'f', max(0, min(9, digits)), 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// why is the reason of a result with the best explanation behind it.
func why(r *verdict.Result) string {
	s := r.Reason
	if r.Flaky {
		s = strings.TrimPrefix(s+"; ", "; ")
		s += fmt.Sprintf("flaky: %d attempts", len(r.Attempts)+1)
	}
	if len(r.Diagnosis) > 0 {
		s = strings.TrimPrefix(s+"; ", "; ") + r.Diagnosis[0].Text
	}
	return s
}
