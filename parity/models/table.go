package models

import (
	"bufio"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"darkroom/goldens/png"
	"darkroom/parity/metrics"
	"darkroom/parity/verdict"
	"darkroom/reports/sheet"
)

// Outcome is what became of a file on the two sides.
type Outcome string

// Outcomes.
const (
	Compared  Outcome = "compared"    // both drew it
	NeitherDo Outcome = "neither"     // neither side draws it
	OnlyHere  Outcome = "only here"   // Babylon.js does not draw it
	OnlyThere Outcome = "only there"  // a defect of ours, or a file that Babylon.js takes more lightly
	NotRun    Outcome = "not run yet" // the run was interrupted
	Unlike    Outcome = "not alike"   // both drew it, and the pictures cannot be compared
)

// Row is what is known of one file.
type Row struct {
	Model   string
	Outcome Outcome
	MAD     float64 // of Compared
	Max     float64 // largest difference of red, green or blue
	Alpha   float64 // and of alpha
	// Ours and Theirs say why a side drew nothing.
	Ours, Theirs string
	// Verdict is the judge's; a crash or a timeout among them.
	Verdict verdict.Verdict
	Note    Note
}

// Note is what somebody who looked at a file's pictures has written down.
type Note struct {
	// Cause says why the sides differ.
	Cause string
	// Marks are a feature test's own pass marks as read off our picture.
	Marks string
}

// Rows joins a judged run with the reference pictures and the notes.
func Rows(run *verdict.Run, refs map[string]*Reference, notes map[string]Note) []Row {
	var rows []Row
	for _, r := range run.Results {
		row := Row{Model: r.Scene, Verdict: r.Verdict, Note: notes[r.Scene]}
		ref := refs[r.Scene]
		if ref != nil {
			row.Theirs = ref.Error
		}
		there := ref != nil && ref.Error == ""
		switch {
		case r.Verdict == verdict.NotRun:
			row.Outcome = NotRun
		case there && r.MAD != nil:
			row.Outcome, row.MAD = Compared, *r.MAD
			if r.MaxDiff != nil {
				row.Max = *r.MaxDiff
			}
			if r.AlphaMax != nil {
				row.Alpha = *r.AlphaMax
			}
		case r.Digest != "" && there:
			row.Outcome, row.Ours = Unlike, r.Reason
		case r.Digest != "":
			row.Outcome = OnlyHere
		case there:
			row.Outcome, row.Ours = OnlyThere, r.Reason
		default:
			row.Outcome, row.Ours = NeitherDo, r.Reason
		}
		rows = append(rows, row)
	}
	return rows
}

// Summary counts rows.
type Summary struct {
	Files, Compared, Near, Far int // Near and Far: of Compared, within those MADs
	OnlyHere, OnlyThere        int
	Neither, NotRun, Unlike    int
	// Unexplained are the files that are not within Near, or drawn on one side
	// only, and have no cause in the notes.
	Unexplained []string
}

// Summarise counts.
func Summarise(rows []Row) Summary {
	s := Summary{Files: len(rows)}
	for _, r := range rows {
		open := true
		switch r.Outcome {
		case Compared:
			s.Compared++
			if r.MAD <= Far && r.Alpha <= AlphaStep {
				s.Far++
			}
			if r.MAD <= Near && r.Alpha <= AlphaStep {
				s.Near++
				open = false
			}
		case OnlyHere:
			s.OnlyHere++
		case OnlyThere:
			s.OnlyThere++
		case NeitherDo:
			s.Neither++
		case NotRun:
			s.NotRun++
		case Unlike:
			s.Unlike++
		}
		if open && r.Note.Cause == "" {
			s.Unexplained = append(s.Unexplained, r.Model)
		}
	}
	return s
}

// Share is the share of files within Near among those that Babylon.js draws. A
// file that only it draws counts against us.
func (s *Summary) Share() float64 { return share(s.Near, s.drawable()) }

// drawable are the files that Babylon.js draws.
func (s *Summary) drawable() int { return s.Compared + s.OnlyThere + s.Unlike }

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// String is the summary in two lines.
func (s *Summary) String() string {
	of := s.drawable()
	return fmt.Sprintf("%d files: %d drawn on both sides, %d only here, %d only by Babylon.js, %d by neither, %d not run\nwithin %g: %d of %d (%.1f %%), within %g: %d of %d (%.1f %%)",
		s.Files, s.Compared, s.OnlyHere, s.OnlyThere, s.Neither, s.NotRun,
		Near, s.Near, of, 100*share(s.Near, of), float64(Far), s.Far, of, 100*share(s.Far, of))
}

// ReadNotes reads the notes: a line a file with tabs between its name, the
// kind (cause or marks) and the text. Empty lines and those with # do not count.
func ReadNotes(path string) (map[string]Note, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	notes := map[string]Note{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		parts := strings.Split(text, "\t")
		if len(parts) != 3 || parts[1] != "cause" && parts[1] != "marks" {
			return nil, fmt.Errorf("%s, line %d: it is not NAME, cause or marks, and a text, with tabs between", path, n)
		}
		note := notes[parts[0]]
		if parts[1] == "cause" {
			note.Cause = parts[2]
		} else {
			note.Marks = parts[2]
		}
		notes[parts[0]] = note
	}
	return notes, lines.Err()
}

// Markdown writes the rows as a table.
func Markdown(w io.Writer, rows []Row) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "| File | MAD | max | alpha | Notes |")
	fmt.Fprintln(b, "|---|---|---|---|---|")
	cell := strings.NewReplacer("|", `\|`, "\n", " ")
	for _, r := range rows {
		mad, most, alpha := string(r.Outcome), "", ""
		if r.Outcome == Compared {
			mad, most, alpha = fmt.Sprintf("%.4f", r.MAD), fmt.Sprintf("%.0f", r.Max), fmt.Sprintf("%.0f", r.Alpha)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", cell.Replace(r.Model), mad, most, alpha, cell.Replace(r.notes()))
	}
	return b.Flush()
}

// notes is all that is to be said of a row.
func (r *Row) notes() string {
	var parts []string
	if r.Note.Cause != "" {
		parts = append(parts, r.Note.Cause)
	}
	if r.Ours != "" {
		parts = append(parts, "here: "+r.Ours)
	}
	if r.Theirs != "" && r.Outcome != Compared {
		parts = append(parts, "Babylon.js: "+r.Theirs)
	}
	if r.Note.Marks != "" {
		parts = append(parts, "pass marks: "+r.Note.Marks)
	}
	return strings.Join(parts, "; ")
}

// Print writes a line a file, the nearest first.
func Print(w io.Writer, rows []Row) error {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b Row) int {
		switch {
		case a.MAD < b.MAD:
			return -1
		case a.MAD > b.MAD:
			return 1
		}
		return 0
	})
	b := bufio.NewWriter(w)
	for _, r := range sorted {
		if r.Outcome == Compared {
			fmt.Fprintf(b, "MAD %8.4f  max %3.0f  alpha %3.0f  %s", r.MAD, r.Max, r.Alpha, r.Model)
		} else {
			fmt.Fprintf(b, "%-33s  %s", r.Outcome, r.Model)
		}
		if n := r.notes(); n != "" {
			fmt.Fprintf(b, "  (%s)", n)
		}
		fmt.Fprintln(b)
	}
	return b.Flush()
}

// Sheet writes a contact sheet: our picture, Babylon.js's, and their difference.
func Sheet(path string, rows []Row, ours, theirs string) error {
	s := sheet.New(3)
	for _, r := range rows {
		var a, b, diff image.Image
		if p, _, err := png.Read(filepath.Join(ours, r.Model+".png"), png.Caps{}); err == nil && r.Outcome != OnlyThere && r.Outcome != NeitherDo {
			a = p
		}
		if p, _, err := png.Read(filepath.Join(theirs, r.Model+".png"), png.Caps{}); err == nil {
			b = p
		}
		if a != nil && b != nil {
			if h, err := metrics.Heat(b, a, 0); err == nil {
				diff = h
			}
		}
		label := r.Model
		if r.Outcome == Compared {
			label = fmt.Sprintf("%s  %.4f", r.Model, r.MAD)
		}
		s.Add(label, a, b, diff)
	}
	return png.Write(path, s.Image(), png.Options{})
}
