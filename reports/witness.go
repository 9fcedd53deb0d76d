package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"darkroom/parity/verdict"
	"darkroom/scenes/files"
)

// Witness is a run of another engine that drew the scenes.
type Witness struct {
	Engine   string           `json:"engine"`  // name and version
	Browser  string           `json:"browser"` // and version
	Pages    int              `json:"pages"`   // side by side
	StartMS  float64          `json:"start_ms"`
	MS       float64          `json:"ms"` // of all scenes, the start apart
	Pictures []WitnessPicture `json:"pictures"`
}

// WitnessPicture is what became of one scene.
type WitnessPicture struct {
	Scene  string  `json:"scene"`
	MS     float64 `json:"ms,omitempty"`
	Pixels string  `json:"pixels,omitempty"` // digest; empty where there is no picture
	// Backend is what the engine drew with, "vulkan" or "gl"; empty in older documents.
	Backend string `json:"backend,omitempty"`
	// Capture is the MAD from the engine's own capture on a GPU; nil where there is none.
	Capture *float64 `json:"capture_mad,omitempty"`
	// Refused says why the scene cannot be drawn, Failed why it was not.
	Refused string `json:"refused,omitempty"`
	Failed  string `json:"failed,omitempty"`
}

// WriteWitness writes the document of a run.
func WriteWitness(path string, w *Witness) error {
	b, err := json.MarshalIndent(w, "", " ")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return files.Write(path, append(b, '\n'))
}

// ReadWitness reads what WriteWitness wrote.
func ReadWitness(path string) (*Witness, error) {
	b, err := files.Read(path, maxDocument)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	w := new(Witness)
	if err := d.Decode(w); err != nil {
		return nil, fmt.Errorf("report: %s: %w; give it what parity reference --json wrote", path, err)
	}
	return w, nil
}

// WitnessTable is a Markdown table of runs that were judged with the pictures
// of another engine: MAD and limit, an adapter a column, what the picture itself
// is worth, and the time that it took. Again, where not nil, is a second run of
// the engine, whose pictures are compared with the first's.
func WitnessTable(w, again *Witness, runs []*verdict.Run) string {
	cells := make([]map[string]string, len(runs))
	for i, run := range runs {
		cells[i] = map[string]string{}
		for j := range run.Results {
			r := &run.Results[j]
			cells[i][r.Scene] = cell(r)
		}
	}
	var b strings.Builder
	drawn, refused, failed := 0, 0, 0
	var gl []string
	for _, p := range w.Pictures {
		switch {
		case p.Pixels != "":
			drawn++
			if p.Backend == "gl" {
				gl = append(gl, md(p.Scene))
			}
		case p.Refused != "":
			refused++
		default:
			failed++
		}
	}
	fmt.Fprintf(&b, "%s in %s: %d of %d scenes drawn, %d refused, %d failed. Start of the browser %.1f s, all scenes %.1f s, %d pages side by side.\n",
		w.Engine, w.Browser, drawn, len(w.Pictures), refused, failed, w.StartMS/1000, w.MS/1000, w.Pages)
	if len(gl) > 0 {
		fmt.Fprintf(&b, "Drawn with WebGL, for want of bindings in WebGPU: %s.\n", strings.Join(gl, ", "))
	}
	if again != nil {
		same, differ := compareWitness(w, again)
		fmt.Fprintf(&b, "A second run: %d of the %d pictures that it drew are equal bit for bit.\n", same, same+len(differ))
		for _, n := range differ {
			fmt.Fprintf(&b, "Not equal: %s.\n", md(n))
		}
	}
	b.WriteString("\n| Scene |")
	for _, run := range runs {
		fmt.Fprintf(&b, " %s |", md(run.Adapter.String()))
	}
	b.WriteString(" its own GPU capture | seconds |\n|---|" + strings.Repeat("---|", len(runs)) + "---|---|\n")
	for _, p := range w.Pictures {
		if p.Pixels == "" {
			continue
		}
		fmt.Fprintf(&b, "| %s |", p.Scene)
		for i := range runs {
			fmt.Fprintf(&b, " %s |", cells[i][p.Scene])
		}
		capture := ""
		if p.Capture != nil {
			capture = fmt.Sprintf("%.4f", *p.Capture)
		}
		fmt.Fprintf(&b, " %s | %.1f |\n", capture, p.MS/1000)
	}
	if refused+failed > 0 {
		b.WriteString("\n| Not drawn | Why |\n|---|---|\n")
		for _, p := range w.Pictures {
			if p.Pixels == "" {
				fmt.Fprintf(&b, "| %s | %s |\n", p.Scene, md(p.Refused+p.Failed))
			}
		}
	}
	return b.String()
}

// compareWitness counts the pictures that two runs have alike, and names the
// others; scenes that the second was not asked for are passed over.
func compareWitness(a, b *Witness) (same int, differ []string) {
	pixels := map[string]string{}
	for _, p := range b.Pictures {
		pixels[p.Scene] = p.Pixels
	}
	for _, p := range a.Pictures {
		other, asked := pixels[p.Scene]
		switch {
		case !asked, p.Pixels == "" && other == "":
		case p.Pixels == other:
			same++
		default:
			differ = append(differ, p.Scene)
		}
	}
	return same, differ
}

// Section puts text below a heading of the first rank into a Markdown document:
// in place of the section that has this heading, or at the end.
func Section(doc, heading, text string) string {
	line := "# " + heading + "\n"
	section := line + "\n" + strings.TrimSpace(text) + "\n"
	at := strings.Index("\n"+doc, "\n"+line)
	if at < 0 {
		if doc = strings.TrimRight(doc, "\n"); doc != "" {
			doc += "\n\n"
		}
		return doc + section
	}
	rest := doc[at+len(line):]
	if end := strings.Index(rest, "\n# "); end >= 0 {
		return doc[:at] + section + rest[end:]
	}
	return doc[:at] + section
}
