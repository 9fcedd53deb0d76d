package reports

import (
	"encoding/xml"
	"fmt"
	"strings"

	"darkroom/scenes/files"

	"darkroom/parity/verdict"
)

// The elements and attributes are those of the strictest reader, junit-10.xsd of Jenkins' xunit plugin, which refuses a file with any other: no
// properties and no file name on a test case, and at most one of failure, error and skipped. Jenkins' JUnit plugin and GitLab read the same.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Timestamp  string          `xml:"timestamp,attr,omitempty"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
		Skipped *junitProblem `xml:"skipped"`
		Out     string        `xml:"system-out,omitempty"`
		Err     string        `xml:"system-err,omitempty"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes JUnit XML, whole or not at all.
func WriteJUnit(path string, r *verdict.Run, o Options) error {
	b, err := EncodeJUnit(r, o)
	if err != nil {
		return err
	}
	return files.Write(path, b)
}

// EncodeJUnit is the JUnit XML as bytes: a suite for each adapter, a case for each scene. A picture that differs is a failure, one that could not be
// judged an error, both with the verdict as type. What makes the run fail as a whole and belongs to no scene is a case of its own, "(run)", so
// that a file without a failing case is a run that passed.
//
// Pictures are attached in the form [[ATTACHMENT|path]], one a line of a case's output, which GitLab shows and Jenkins' attachments plug-in takes.
func EncodeJUnit(r *verdict.Run, o Options) ([]byte, error) {
	doc := junitSuites{Name: o.title(), Time: seconds(r.MS)}
	suites := map[verdict.Adapter]*junitSuite{}
	var order []verdict.Adapter
	suite := func(a verdict.Adapter) *junitSuite {
		s, ok := suites[a]
		if !ok {
			s = &junitSuite{Name: o.title() + ": " + a.String(), Properties: properties(r, a)}
			if !r.Started.IsZero() {
				s.Timestamp = r.Started.UTC().Format("2006-01-02T15:04:05")
			}
			suites[a] = s
			order = append(order, a)
		}
		return s
	}
	if err := r.Err(o.Policy); err != nil && !o.anyProblem(r) {
		c := junitCase{Class: "parity", Name: "(run)", Time: "0.000"}
		kind := "incomplete"
		if r.Incomplete == "" {
			kind = "nothing-judged"
		}
		c.Error = &junitProblem{Message: err.Error(), Type: kind, Text: err.Error()}
		suite(r.Adapter).Cases = append(suite(r.Adapter).Cases, c)
	}
	sorted := *r
	sorted.Results = append([]verdict.Result{}, r.Results...)
	sorted.Sort()
	ms := map[verdict.Adapter]float64{}
	for i := range sorted.Results {
		x := &sorted.Results[i]
		a := r.Adapter
		if x.Adapter != nil {
			a = *x.Adapter
		}
		s := suite(a)
		s.Cases = append(s.Cases, o.junitCase(x))
		ms[a] += x.MS
	}
	for _, a := range order {
		s := suites[a]
		s.Time = seconds(ms[a])
		for _, c := range s.Cases {
			s.Tests++
			switch {
			case c.Failure != nil:
				s.Failures++
			case c.Error != nil:
				s.Errors++
			case c.Skipped != nil:
				s.Skipped++
			}
		}
		doc.Tests += s.Tests
		doc.Failures += s.Failures
		doc.Errors += s.Errors
		doc.Suites = append(doc.Suites, *s)
	}
	b, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("report: junit: %w", err)
	}
	return append([]byte(xml.Header), append(b, '\n')...), nil
}

// anyProblem reports whether some scene's case will fail, so that the file is not green.
func (o *Options) anyProblem(r *verdict.Run) bool {
	for i := range r.Results {
		if k := o.outcome(&r.Results[i]); k == failed || k == broken {
			return true
		}
	}
	return false
}

func seconds(ms float64) string { return fmt.Sprintf("%.3f", ms/1000) }

func properties(r *verdict.Run, a verdict.Adapter) []junitProperty {
	var out []junitProperty
	for _, p := range [][2]string{{"adapter", a.Name}, {"backend", a.Backend}, {"driver", a.Driver}, {"adapter.type", a.Type},
		{"commit", r.Commit}, {"shard", r.Shard}, {"tool", r.Tool}, {"incomplete", r.Incomplete}} {
		if p[1] != "" {
			out = append(out, junitProperty{p[0], p[1]})
		}
	}
	return out
}

func (o *Options) junitCase(x *verdict.Result) junitCase {
	c := junitCase{Class: "parity", Name: x.Scene, Time: seconds(x.MS)}
	p := &junitProblem{Message: why(x), Type: x.Verdict.String(), Text: junitText(x)}
	switch o.outcome(x) {
	case failed:
		if x.Verdict == verdict.Pass {
			p.Type = "flaky"
		}
		c.Failure = p
	case broken:
		c.Error = p
	case skipped:
		c.Skipped = &junitProblem{Message: x.Reason}
	}
	var out []string
	if x.Flaky {
		out = append(out, fmt.Sprintf("flaky: %s on attempt %d", x.Verdict.Title(), len(x.Attempts)+1))
		for i, a := range x.Attempts {
			out = append(out, fmt.Sprintf("attempt %d: %s: %s", i+1, a.Verdict.Title(), a.Reason))
		}
	}
	if x.MAD != nil {
		out = append(out, fmt.Sprintf("MAD %s, limit %s", number(x.MAD), number(x.Limit)))
	}
	for _, f := range []string{x.Files.Actual, x.Files.Golden, x.Files.Diff} {
		if f != "" {
			out = append(out, "[[ATTACHMENT|"+o.link(f)+"]]")
		}
	}
	c.Out, c.Err = strings.Join(out, "\n"), x.Log
	return c
}

func junitText(x *verdict.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "scene %s: %s\n%s\n", x.Scene, x.Verdict.Title(), why(x))
	for _, g := range x.Gates {
		mark := "ok  "
		if !g.OK {
			mark = "FAIL"
		}
		limit := g.Limit
		fmt.Fprintf(&b, "%s %-10s %s (limit %s)\n", mark, g.Name, number(g.Value), number(&limit))
	}
	if len(x.Regions) > 0 {
		r := x.Regions[0]
		fmt.Fprintf(&b, "worst region: %d×%d at (%d, %d), MAD %s\n", r.Width, r.Height, r.X, r.Y, number(&r.MAD))
	}
	if x.Kind != "" && x.Kind != "none" {
		fmt.Fprintf(&b, "kind of difference: %s\n", x.Kind)
	}
	for _, f := range x.Diagnosis {
		fmt.Fprintln(&b, f.Text)
	}
	if x.Source != "" {
		fmt.Fprintf(&b, "scene's source: %s\n", x.Source)
	}
	for _, f := range [][2]string{{"actual", x.Files.Actual}, {"golden", x.Files.Golden}, {"difference", x.Files.Diff}} {
		if f[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", f[0], f[1])
		}
	}
	return b.String()
}
