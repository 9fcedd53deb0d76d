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
			if r.MAD != nil {
				known[r.Scene] = true
				row[i] = fmt.Sprintf("%.4f", *r.MAD)
				if r.Limit != nil {
					row[i] += fmt.Sprintf(" / %.4g", *r.Limit)
				}
			}
			if !r.Passed() {
				row[i] = strings.TrimSpace(row[i] + " **" + r.Verdict.String() + "**")
				for _, g := range r.Gates {
					if !g.OK && g.Name != "mad" && g.Value != nil {
						row[i] += fmt.Sprintf(", %s %.4g of %.4g", g.Name, *g.Value, g.Limit)
					}
				}
			}
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
