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
