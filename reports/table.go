package reports

import (
	"fmt"
	"strings"

	"darkroom/parity/verdict"
)

// Table is a Markdown table of runs side by side: a row a scene, in the order
// of the first run that has it, and a column a run with the measured MAD and,
// where the scene did not pass, its verdict. It is how one set of goldens looks
// from several adapters. Scenes that have no golden anywhere are left out.
func Table(runs []*verdict.Run) string {
	var names []string
	cells := map[string][]string{}
	known := map[string]bool{}
	for i, run := range runs {
		for j := range run.Results {
			r := &run.Results[j]
			row, ok := cells[r.Scene]
			if !ok {
				row = make([]string, len(runs))
				cells[r.Scene] = row
				names = append(names, r.Scene)
			}
			known[r.Scene] = known[r.Scene] || r.MAD != nil
			row[i] = cell(r)
		}
	}
	var b strings.Builder
	b.WriteString("| Scene |")
	for _, run := range runs {
		fmt.Fprintf(&b, " %s |", md(run.Adapter.String()))
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(runs)) + "\n")
	for _, n := range names {
		if !known[n] {
			continue
		}
		fmt.Fprintf(&b, "| %s | %s |\n", n, strings.Join(cells[n], " | "))
	}
	return b.String()
}

// cell is a result in a few words: MAD / limit, and what it missed.
func cell(r *verdict.Result) string {
	text := ""
	if r.MAD != nil {
		text = fmt.Sprintf("%.4f", *r.MAD)
		if r.Limit != nil {
			text += fmt.Sprintf(" / %.4g", *r.Limit)
		}
	}
	if r.Passed() {
		return text
	}
	text = strings.TrimSpace(text + " **" + r.Verdict.String() + "**")
	for _, g := range r.Gates {
		if !g.OK && g.Name != "mad" && g.Value != nil {
			text += fmt.Sprintf(", %s %.4g of %.4g", g.Name, *g.Value, g.Limit)
		}
	}
	return text
}
