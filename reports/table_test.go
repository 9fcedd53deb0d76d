package reports

import (
	"strings"
	"testing"

	"darkroom/parity/verdict"
)

func TestTablePutsRunsSideBySide(t *testing.T) {
	run := func(adapter string, results ...verdict.Result) *verdict.Run {
		return &verdict.Run{Adapter: verdict.Adapter{Name: adapter}, Results: results}
	}
	num := verdict.Num
	got := Table([]*verdict.Run{
		run("one", verdict.Result{Scene: "a", Verdict: verdict.Pass, MAD: num(0.5), Limit: num(1)}, verdict.Result{Scene: "no golden", Verdict: verdict.MissingGolden}),
		run("two", verdict.Result{Scene: "b", Verdict: verdict.Pass, MAD: num(0), Limit: num(1)},
			verdict.Result{Scene: "a", Verdict: verdict.Mismatch, MAD: num(0.6), Limit: num(1), Gates: []verdict.Gate{{Name: "mad", Value: num(0.6), Limit: 1, OK: true}, {Name: "region_mad", Value: num(3), Limit: 2}}}),
	})
	for _, want := range []string{"| a | 0.5000 / 1 | 0.6000 / 1 **mismatch**, region_mad 3 of 2 |\n", "| b |  | 0.0000 / 1 |\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the table lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "no golden") {
		t.Errorf("a scene without golden has a row:\n%s", got)
	}
}

func TestWitnessTable(t *testing.T) {
	num := verdict.Num
	w := &Witness{Engine: "Engine 1", Browser: "Browser 2", Pages: 2, StartMS: 1500, MS: 9000, Pictures: []WitnessPicture{
		{Scene: "a", MS: 2500, Pixels: "x", Backend: "vulkan", Capture: num(0.01)}, {Scene: "b", MS: 1000, Pixels: "y", Backend: "gl"}, {Scene: "c", Refused: "its shader | is the user's"}, {Scene: "new", MS: 1, Pixels: "n"},
	}}
	again := &Witness{Pictures: []WitnessPicture{{Scene: "a", Pixels: "x"}, {Scene: "b", Pixels: "z"}, {Scene: "c", Refused: "its shader"}}}
	runs := []*verdict.Run{{Adapter: verdict.Adapter{Name: "one"}, Results: []verdict.Result{{Scene: "a", Verdict: verdict.Pass, MAD: num(0.5), Limit: num(1)}}}}
	got := WitnessTable(w, again, runs)
	for _, want := range []string{
		"Engine 1 in Browser 2: 3 of 4 scenes drawn, 1 refused, 0 failed. Start of the browser 1.5 s, all scenes 9.0 s, 2 pages side by side.\nDrawn with WebGL, for want of bindings in WebGPU: b.\n",
		"A second run: 1 of the 2 pictures that it drew are equal bit for bit.\nNot equal: b.\n",
		"| a | 0.5000 / 1 | 0.0100 | 2.5 |\n", "| b |  |  | 1.0 |\n", "| c | its shader &#124; is the user's |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the table lacks %q:\n%s", want, got)
		}
	}
}

func TestSection(t *testing.T) {
	doc := "# One\n\nfirst\n\n# Two\n\nsecond\n\n# Three\n\nthird\n"
	for _, c := range []struct{ doc, heading, want string }{
		{"", "New", "# New\n\ntext\n"},
		{"# One\n\nfirst\n", "New", "# One\n\nfirst\n\n# New\n\ntext\n"},
		{doc, "Two", "# One\n\nfirst\n\n# Two\n\ntext\n\n# Three\n\nthird\n"},
		{doc, "Three", "# One\n\nfirst\n\n# Two\n\nsecond\n\n# Three\n\ntext\n"},
		{doc, "One", "# One\n\ntext\n\n# Two\n\nsecond\n\n# Three\n\nthird\n"},
	} {
		if got := Section(c.doc, c.heading, "text\n"); got != c.want {
			t.Errorf("%s: %q, want %q", c.heading, got, c.want)
		}
	}
}
