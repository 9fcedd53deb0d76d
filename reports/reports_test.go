package reports

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"darkroom/parity/verdict"
)

func num(x float64) *float64 { return &x }

// sample is a run with one result of every verdict, and every field of a result set somewhere.
func sample() *verdict.Run {
	a := verdict.Adapter{Name: "NVIDIA H200", Backend: "vulkan", Driver: "570.86.10", Type: "discrete"}
	start := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	r := &verdict.Run{Schema: 1, Tool: "darkroom 0.1", Commit: "abc1234", Started: start, MS: 12345, Command: "parity run", Adapter: a,
		Binding: "binding v1",
		Canary:  &verdict.Canary{OK: true, Scenes: 3, Key: "h200", Digests: map[string]string{"canary": "d"}}, Catalogue: strings.Repeat("0", 64)}
	for i, v := range verdict.All() {
		x := verdict.Result{Scene: fmt.Sprintf("scene%02d-%s", i, v), Verdict: v, MS: 12.5, Width: 64, Height: 48, Tags: []string{"t" + fmt.Sprint(i%3)},
			Source: fmt.Sprintf("scenes/catalogue/s%d.go:%d", i, 10+i)}
		if v != verdict.Pass {
			x.Reason = "because of " + v.Title()
		}
		if v.Judged() {
			x.MAD, x.Limit, x.MaxDiff = num(float64(i)*1.5), num(0.1), num(20)
		}
		r.Results = append(r.Results, x)
	}
	m := &r.Results[1] // mismatch: everything a result can have
	m.RegionMAD, m.RegionLimit, m.TileMAD, m.OverShare, m.OverAbove, m.AlphaMax, m.FLIP, m.SSIM = num(3), num(1), num(40), num(0.01), num(32), num(0), num(0.2), num(0.9)
	m.Tile = &verdict.Box{X: 16, Y: 8, Width: 16, Height: 16}
	m.Within = &verdict.Within{Exact: 0.5, One: 0.6, Three: 0.7, Five: 0.8}
	m.Gates = []verdict.Gate{{Name: "mad", Value: num(1.5), Limit: 0.1, Text: "MAD 1.5 is over its limit 0.1"}, {Name: "tile_mad", Limit: 2}}
	m.Regions = []verdict.Region{{Box: verdict.Box{X: 10, Y: 12, Width: 20, Height: 10}, MAD: 9, Pixels: 150}}
	m.Kind = "interior"
	m.Diagnosis = []verdict.Finding{{Name: "R/B swap", Before: 48.1, After: 0.02, Text: "after R/B swap MAD 48.1 → 0.02"}}
	m.NonFinite = &verdict.Census{NaN: 1, Inf: 2, Texel: 2, First: []verdict.Texel{{X: 1, Y: 2, Channel: "R", Value: "NaN"}}}
	m.Noise = &verdict.Noise{Draws: 6, Cause: verdict.ColdStart, Text: "cold start: the first differs", Worst: map[string]float64{"mad": 0.5}}
	m.Golden = &verdict.Golden{Path: "goldens/a/nvidia.png", Key: "nvidia", Source: "class", Digest: "d", Commit: "c", Driver: "d", SceneHash: "h", Blessed: start, Notes: []string{"note"}}
	m.Files = verdict.Files{Actual: "out/a.png", Golden: "goldens/a/nvidia.png", Diff: "out/a.diff.png"}
	m.Digest, m.SceneHash, m.ShaderHash, m.Shard, m.Log = "x", "h", "s", 2, "last words\x01 of a worker"
	m.Adapter = &verdict.Adapter{Name: "llvmpipe", Backend: "vulkan", Driver: "Mesa", Type: "cpu"}
	m.Attempts = []verdict.Attempt{{Verdict: verdict.Crash, Reason: "SIGSEGV", MS: 3, Worker: 1}}
	m.History = []verdict.Point{{Time: start, Commit: "c", Verdict: verdict.Pass, MAD: num(0.01)}, {Time: start, Verdict: verdict.Crash}}
	r.Results[0].Identical = true
	f := verdict.Result{Scene: "flaky-scene", Verdict: verdict.Pass, Flaky: true, MAD: num(0), Limit: num(0.1), Attempts: m.Attempts}
	s := verdict.Result{Scene: "skipped-scene", Verdict: verdict.NotRun, Skip: true, Reason: "assets are not here"}
	r.Results = append(r.Results, f, s)
	return r
}

func passing(n int) *verdict.Run {
	r := &verdict.Run{Schema: 1, Adapter: verdict.Adapter{Name: "llvmpipe"}}
	for i := range n {
		r.Results = append(r.Results, verdict.Result{Scene: fmt.Sprintf("scene%04d", i), Verdict: verdict.Pass, MAD: num(0.01), Limit: num(0.1), MS: 5})
	}
	return r
}

func TestJSONRoundTripAndSchema(t *testing.T) {
	r := sample()
	path := filepath.Join(t.TempDir(), "new", "run.json")
	if err := WriteJSON(path, r); err != nil {
		t.Fatal(err)
	}
	back, err := ReadJSON(path)
	if err != nil {
		t.Fatal(err)
	}
	r.Sort()
	if !reflect.DeepEqual(r, back) {
		t.Error("the document did not come back as it was")
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []string{string(b), mustJSON(t, &verdict.Run{}), mustJSON(t, passing(3))} {
		var doc any
		if err := json.Unmarshal([]byte(c), &doc); err != nil {
			t.Fatal(err)
		}
		if problems := validate(t, doc); len(problems) > 0 {
			t.Errorf("the document does not fit its schema: %v", problems)
		}
	}
	for _, bad := range []string{
		`{"schema":1,"ms":0,"adapter":{"name":"","backend":"","driver":"","type":""},"results":[{"scene":"a","verdict":"PASS"}]}`,
		`{"schema":1,"ms":0,"adapter":{},"results":[]}`, `{"schema":1}`,
		`{"schema":1,"ms":0,"adapter":{"name":"","backend":"","driver":"","type":""},"results":[],"surprise":1}`,
	} {
		var doc any
		if err := json.Unmarshal([]byte(bad), &doc); err != nil {
			t.Fatal(err)
		}
		if len(validate(t, doc)) == 0 {
			t.Errorf("the schema takes %s", bad)
		}
	}
}

func mustJSON(t *testing.T, r *verdict.Run) string {
	t.Helper()
	b, err := EncodeJSON(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestReadJSONRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{`: "unexpected", `{"schema":2,"results":[]}`: "schema 2", `{"results":[]}`: "schema 0",
		`{"schema":1,"results":[{"verdict":"pass"}]}`:               "no scene",
		`{"schema":1,"results":[{"scene":"a"}]}`:                    "no verdict",
		`{"schema":1,"results":[{"scene":"a","verdict":"passed"}]}`: "passed",
	} {
		if _, err := DecodeJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := EncodeJSON(&verdict.Run{Results: []verdict.Result{{Scene: "a"}}}); err == nil {
		t.Error("a result without a verdict was written")
	}
}

// The schema lists every field of the Go types and no other, and every verdict.
func TestSchemaNamesEveryField(t *testing.T) {
	var s map[string]any
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	defs := s["$defs"].(map[string]any)
	for name, v := range map[string]any{"": verdict.Run{}, "adapter": verdict.Adapter{}, "box": verdict.Box{}, "within": verdict.Within{}, "gate": verdict.Gate{},
		"region": verdict.Region{}, "finding": verdict.Finding{}, "census": verdict.Census{}, "noise": verdict.Noise{}, "texel": verdict.Texel{}, "golden": verdict.Golden{},
		"files": verdict.Files{}, "attempt": verdict.Attempt{}, "point": verdict.Point{}, "canary": verdict.Canary{}, "result": verdict.Result{}} {
		d := s
		if name != "" {
			d = defs[name].(map[string]any)
		}
		var want []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "" {
				want = append(want, tag)
			}
		}
		slices.Sort(want)
		if got := sortedKeys(d["properties"].(map[string]any)); !slices.Equal(got, want) {
			t.Errorf("%q: the schema has %v, the type %v", name, got, want)
		}
	}
	var enum []string
	for _, e := range defs["verdict"].(map[string]any)["enum"].([]any) {
		enum = append(enum, e.(string))
	}
	var all []string
	for _, v := range verdict.All() {
		all = append(all, v.String())
	}
	if !slices.Equal(enum, all) {
		t.Errorf("verdicts %v, want %v", enum, all)
	}
}

// validate checks a document against the part of JSON schema that ours uses.
func validate(t *testing.T, doc any) []string {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(Schema(), &root); err != nil {
		t.Fatal(err)
	}
	var problems []string
	var check func(path string, s map[string]any, v any)
	check = func(path string, s map[string]any, v any) {
		add := func(format string, args ...any) { problems = append(problems, path+": "+fmt.Sprintf(format, args...)) }
		if ref, ok := s["$ref"].(string); ok {
			check(path, root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any), v)
			return
		}
		kinds := []any{s["type"]}
		if l, ok := s["type"].([]any); ok {
			kinds = l
		}
		fits := false
		for _, k := range kinds {
			switch x := v.(type) {
			case nil:
				fits = fits || k == "null"
			case bool:
				fits = fits || k == "boolean"
			case string:
				fits = fits || k == "string"
			case float64:
				fits = fits || k == "number" || k == "integer" && x == float64(int64(x))
			case []any:
				fits = fits || k == "array"
			case map[string]any:
				fits = fits || k == "object"
			}
		}
		if !fits {
			add("%v is not of type %v", v, s["type"])
			return
		}
		if c, ok := s["const"]; ok && c != v {
			add("%v is not %v", v, c)
		}
		if e, ok := s["enum"].([]any); ok && !slices.Contains(e, v) {
			add("%v is none of %v", v, e)
		}
		if f, ok := v.(float64); ok {
			if least, ok := s["minimum"].(float64); ok && f < least {
				add("%v is below %v", f, least)
			}
		}
		if l, ok := v.([]any); ok {
			for i, e := range l {
				check(fmt.Sprintf("%s[%d]", path, i), s["items"].(map[string]any), e)
			}
		}
		if m, ok := v.(map[string]any); ok {
			props, _ := s["properties"].(map[string]any)
			rest, _ := s["additionalProperties"].(map[string]any)
			for k, e := range m {
				if p, ok := props[k].(map[string]any); ok {
					check(path+"."+k, p, e)
				} else if rest != nil {
					check(path+"."+k, rest, e)
				} else {
					add("unknown field %s", k)
				}
			}
			required, _ := s["required"].([]any)
			for _, k := range required {
				if _, ok := m[k.(string)]; !ok {
					add("field %s is missing", k)
				}
			}
		}
	}
	check("$", root, doc)
	return problems
}

func TestJUnit(t *testing.T) {
	r := sample()
	for _, c := range []struct {
		policy                           verdict.Policy
		tests, failures, errors, skipped int
	}{
		{verdict.Policy{}, 15, 4, 10, 0},
		{verdict.Policy{AllowFlaky: true, AllowSkip: true}, 15, 3, 9, 1},
	} {
		b, err := EncodeJUnit(r, Options{Policy: c.policy, Link: func(p string) string { return "report/" + p }})
		if err != nil {
			t.Fatal(err)
		}
		var doc junitSuites
		if err := xml.Unmarshal(b, &doc); err != nil {
			t.Fatal(err)
		}
		skipped := 0
		for _, s := range doc.Suites {
			skipped += s.Skipped
		}
		if doc.Tests != c.tests || doc.Failures != c.failures || doc.Errors != c.errors || skipped != c.skipped || len(doc.Suites) != 2 {
			t.Errorf("%+v: %d tests, %d failures, %d errors, %d skipped, %d suites", c.policy, doc.Tests, doc.Failures, doc.Errors, skipped, len(doc.Suites))
		}
		types := map[string]string{}
		for _, s := range doc.Suites {
			for _, x := range s.Cases {
				if p := x.Failure; p != nil {
					types[x.Name] = p.Type
				}
				if p := x.Error; p != nil {
					types[x.Name] = p.Type
				}
			}
		}
		for i := range r.Results {
			x := &r.Results[i]
			want := x.Verdict.String()
			switch {
			case x.Flaky && c.policy.AllowFlaky, x.Skip && c.policy.AllowSkip, x.Verdict == verdict.Pass && !x.Flaky:
				want = ""
			case x.Flaky && x.Verdict == verdict.Pass:
				want = "flaky"
			}
			if types[x.Scene] != want {
				t.Errorf("%+v: %s has type %q, want %q", c.policy, x.Scene, types[x.Scene], want)
			}
		}
		for _, want := range []string{"[[ATTACHMENT|report/out/a.diff.png]]", "after R/B swap MAD 48.1", "source: scenes/catalogue/s1.go:11"} {
			if !strings.Contains(string(b), want) {
				t.Errorf("no %s", want)
			}
		}
	}
}

// Jenkins' xunit plugin validates, and refuses a file with an element or attribute that its schema (junit-10.xsd) lacks.
func TestJUnitHasOnlyWhatTheStrictestReaderTakes(t *testing.T) {
	allowed := map[string]struct {
		parents string
		attrs   string
	}{
		"testsuites": {"", "name time tests failures errors"},
		"testsuite":  {"testsuites", "name tests failures errors group time skipped timestamp hostname id package file log url"},
		"properties": {"testsuite", ""}, "property": {"properties", "name value"},
		"testcase": {"testsuite", "name time classname group"},
		"failure":  {"testcase", "type message"}, "error": {"testcase", "type message"}, "skipped": {"testcase", "type message"},
		"system-out": {"testcase", ""}, "system-err": {"testcase", ""},
	}
	for _, r := range []*verdict.Run{sample(), {}, passing(2)} {
		b, err := EncodeJUnit(r, Options{Policy: verdict.Policy{AllowSkip: true}})
		if err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(strings.NewReader(string(b)))
		var stack []string
		for {
			tok, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			switch e := tok.(type) {
			case xml.StartElement:
				name, parent := e.Name.Local, ""
				if len(stack) > 0 {
					parent = stack[len(stack)-1]
				}
				if a, ok := allowed[name]; !ok || a.parents != parent {
					t.Errorf("element %s in %q", name, parent)
				}
				for _, a := range e.Attr {
					if !slices.Contains(strings.Fields(allowed[name].attrs), a.Name.Local) {
						t.Errorf("attribute %s of %s", a.Name.Local, name)
					}
				}
				stack = append(stack, name)
			case xml.EndElement:
				stack = stack[:len(stack)-1]
			}
		}
	}
	if out := os.Getenv("JUNIT_OUT"); out != "" {
		if err := WriteJUnit(out, sample(), Options{Policy: verdict.Policy{AllowSkip: true}}); err != nil {
			t.Fatal(err)
		}
	}
}

// A control character in a worker's last words must not make the file unreadable.
func TestJUnitIsWellFormedWhateverTheTextsHold(t *testing.T) {
	r := sample()
	for c := range 0x20 {
		r.Results[1].Log += string(rune(c)) + "]]>" + "\xff\ufffe"
		r.Results[1].Reason += string(rune(c)) + "<&\">"
	}
	b, err := EncodeJUnit(r, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(strings.NewReader(string(b)))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if i := strings.IndexFunc(string(b), func(c rune) bool { return c < 0x20 && c != '\n' && c != '\t' && c != '\r' || c == 0xfffe }); i >= 0 {
		t.Errorf("byte %d is no character of XML 1.0", i)
	}
}

// No report may be green where the exit code is not 0.
func TestNoReportIsGreenWhenTheRunFails(t *testing.T) {
	killed := passing(3)
	killed.Incomplete = "the process died; 3 of 9 scenes have a result"
	onlySkips := &verdict.Run{Results: []verdict.Result{{Scene: "a", Verdict: verdict.NotRun, Skip: true, Reason: "no assets"}}}
	lax := verdict.Policy{AllowFlaky: true, AllowSkip: true}
	for name, r := range map[string]*verdict.Run{"empty": {}, "killed": killed, "only skips": onlySkips, "sample": sample()} {
		o := Options{Policy: lax}
		if r.ExitCode(lax) == 0 {
			t.Fatalf("%s passes", name)
		}
		b, err := EncodeJUnit(r, o)
		if err != nil {
			t.Fatal(err)
		}
		var doc junitSuites
		if err := xml.Unmarshal(b, &doc); err != nil || doc.Failures+doc.Errors == 0 || doc.Tests == 0 {
			t.Errorf("%s: JUnit is green (%d tests), %v", name, doc.Tests, err)
		}
		if m := Markdown(r, o, SummaryLimit); strings.Contains(m, "✅") || !strings.Contains(m, "❌") {
			t.Errorf("%s: the summary is green: %s", name, m)
		}
		if a := Annotations(r, o); !strings.Contains(a, "::error ") {
			t.Errorf("%s: no annotation", name)
		}
	}
	ok := passing(3)
	if m := Markdown(ok, Options{}, SummaryLimit); !strings.Contains(m, "✅") || !strings.Contains(m, "3 of 3 scenes pass") {
		t.Error(m)
	}
	if a := Annotations(ok, Options{}); a != "" {
		t.Error(a)
	}
}

func TestMarkdownKeepsItsLimitAndCountsWhatItLeavesOut(t *testing.T) {
	r := passing(4000)
	for i := range 3000 {
		x := &r.Results[i]
		x.Verdict, x.Reason, x.MAD = verdict.Mismatch, strings.Repeat("long | reason @user <b> ", 40), num(float64(i))
	}
	r.Results[7].Verdict = verdict.DeviceLost
	for _, limit := range []int{CommentLimit, SummaryLimit, 3000} {
		m := Markdown(r, Options{}, limit)
		if len(m) > limit {
			t.Errorf("limit %d: %d bytes", limit, len(m))
		}
		if !strings.Contains(m, "| mismatch | 2999 |") || !strings.Contains(m, "❌") {
			t.Errorf("limit %d: the counts are gone", limit)
		}
		first, _, _ := strings.Cut(m[strings.Index(m, "|---|---|---:|"):], "mismatch")
		if !strings.Contains(first, "scene0007") || !strings.Contains(first, "device lost") {
			t.Errorf("limit %d: the worst is not first", limit)
		}
		rows := strings.Count(m, "| mismatch | ") - 1
		left := regexp.MustCompile(`\*\*(\d+) more scenes do not pass`).FindStringSubmatch(m)
		if len(left) != 2 || fmt.Sprint(3000-1-rows) != left[1] {
			t.Errorf("limit %d: %d rows and %v left of 3000", limit, rows, left)
		}
		if strings.Contains(m, "@user") || strings.Contains(m, "<b>") || strings.Contains(m, "reason | ") {
			t.Errorf("limit %d: markup of a reason got through", limit)
		}
	}
	if !strings.Contains(Markdown(r, Options{ReportURL: "https://x/(a) b"}, SummaryLimit), "(https://x/%28a%29%20b)") {
		t.Error("the link is broken")
	}
}

func TestAnnotations(t *testing.T) {
	r := sample()
	got := Annotations(r, Options{})
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != AnnotationLimit || !strings.Contains(lines[9], "more scenes") {
		t.Errorf("%d lines: %s", len(lines), got)
	}
	if !strings.HasPrefix(lines[0], "::error file=scenes/catalogue/s12.go,line=22,title=scene12-wrong-adapter%3A wrong adapter::because of") {
		t.Error(lines[0])
	}
	one := &verdict.Run{Results: []verdict.Result{{Scene: "a", Verdict: verdict.Mismatch, Reason: "100% of\npixels: a, b", MAD: num(1)}}}
	if got, want := Annotations(one, Options{}), "::error title=a%3A mismatch::100%25 of%0Apixels: a, b\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	flaky := passing(1)
	flaky.Results[0].Flaky = true
	if got := Annotations(flaky, Options{Policy: verdict.Policy{AllowFlaky: true}}); !strings.HasPrefix(got, "::warning ") {
		t.Error(got)
	}
}

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	h, err := LoadHistory(path)
	if err != nil || len(h) != 0 {
		t.Fatal(h, err)
	}
	for i := range historyLength + 5 {
		r := passing(2)
		r.Started = time.Unix(int64(i)*3600, 0)
		r.Results[0].MAD = num(float64(i))
		r.Results = append(r.Results, verdict.Result{Scene: "never", Verdict: verdict.NotRun})
		h.Add(r)
	}
	if err := h.Save(path); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("{torn")
	f.Close()
	back, err := LoadHistory(path)
	if err != nil || !reflect.DeepEqual(h, back) {
		t.Fatalf("%v: another history came back", err)
	}
	r := passing(1)
	back.Fill(r)
	p := r.Results[0].History
	if len(p) != historyLength || *p[0].MAD != 5 || *p[len(p)-1].MAD != historyLength+4 {
		t.Errorf("%d points from %v", len(p), p[0])
	}
	other := passing(1)
	other.Adapter.Name = "another"
	back.Fill(other)
	if len(other.Results[0].History) != 0 {
		t.Error("history of another adapter")
	}
}

// All reports of one run, made again from its document, are the same.
func TestReportsCanBeMadeAgainFromTheDocument(t *testing.T) {
	dir := t.TempDir()
	r := fixture(t, dir, 14, 32, 24)
	o := HTMLOptions{Options: Options{Root: dir}}
	first, second := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := WriteAll(first, r, o); err != nil {
		t.Fatal(err)
	}
	back, err := ReadJSON(filepath.Join(first, FileJSON))
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteAll(second, back, o); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{FileJSON, FileJUnit, FileMarkdown, FileHTML} {
		a, err1 := os.ReadFile(filepath.Join(first, name))
		b, err2 := os.ReadFile(filepath.Join(second, name))
		if err1 != nil || err2 != nil || string(a) != string(b) || len(a) == 0 {
			t.Errorf("%s is another (%d and %d bytes), %v, %v", name, len(a), len(b), err1, err2)
		}
	}
}
