package reports

import (
	"strings"
	"testing"

	"darkroom/parity/verdict"
)

func causesRun(scene string, v verdict.Verdict, mad, limit float64) *verdict.Run {
	gate := verdict.Gate{Name: "mad", Value: &mad, Limit: limit, OK: mad <= limit}
	return &verdict.Run{
		Commit: "abc", Command: "/somewhere/parity run", Adapter: verdict.Adapter{Name: "GPU 7", Type: "discrete"},
		Results: []verdict.Result{{Scene: scene, Verdict: v, MAD: &mad, Limit: &limit, Gates: []verdict.Gate{gate}}, {Scene: "own"}},
	}
}

// A table says why a scene misses, and refuses misses without a cause and
// causes without a miss.
func TestMisses(t *testing.T) {
	miss, pass := causesRun("cubes", verdict.Mismatch, 0.03, 0.01), causesRun("cubes", verdict.Pass, 0.003, 0.01)
	causes, err := ParseCauses("# scene, adapter, cause\n\ncubes\tGPU 7\tedges: this rasteriser's samples\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		run    *verdict.Run
		causes []Cause
		text   string
		err    string
	}{
		{"known", miss, causes, "- cubes on GPU 7 (0.0300 / 0.01 **mismatch**): edges: this rasteriser's samples\n", ""},
		{"on all", miss, []Cause{{"cubes", "all", "why"}}, "why", ""},
		{"unknown", miss, nil, "", "no cause is given for cubes on GPU 7"},
		{"of another adapter", miss, []Cause{{"cubes", "llvmpipe", "why"}}, "", "no cause is given"},
		{"stale", pass, causes, "", "does not miss: cubes on GPU 7"},
		{"none", pass, nil, "No scene misses", ""},
	} {
		text, err := Misses([]*verdict.Run{c.run}, c.causes)
		if c.err == "" && (err != nil || !strings.Contains(text, c.text)) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %q, %v", c.name, text, err)
		}
	}
	if _, err := ParseCauses("a\tb\tc\ncubes GPU why"); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Error(err)
	}
	r := Reduced(miss)
	if len(r.Results) != 1 || r.Command != "" || r.Commit != "abc" || Table([]*verdict.Run{r}) != Table([]*verdict.Run{miss}) {
		t.Errorf("%+v", r)
	}
}
