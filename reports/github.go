package reports

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/parity/verdict"
)

const (
	// SummaryLimit keeps a step summary below GitHub's 1 MiB.
	SummaryLimit = 1<<20 - 1024
	// CommentLimit keeps a comment below GitHub's 65,536 characters.
	CommentLimit = 65000
	// AnnotationLimit is how many errors GitHub shows of one step.
	AnnotationLimit = 10
)

// Markdown summarizes a run in at most limit bytes (SummaryLimit or CommentLimit): the headline, counts, every scene that does not pass, the worst
// first, and the passes folded away. What does not fit is counted, never dropped in silence, and the headline always fits.
func Markdown(r *verdict.Run, o Options, limit int) string {
	var head strings.Builder
	s := r.Summary()
	mark := "✅"
	if r.ExitCode(o.Policy) != 0 {
		mark = "❌"
	}
	fmt.Fprintf(&head, "## %s %s: %s\n\n", mark, md(clip(o.title(), 200)), md(clip(headline(r, o.Policy), 500)))
	fmt.Fprintf(&head, "%s", md(clip(r.Adapter.String(), 300)))
	if r.Commit != "" {
		fmt.Fprintf(&head, " · commit `%s`", code(clip(r.Commit, 60)))
	}
	if r.Shard != "" {
		fmt.Fprintf(&head, " · shard %s", md(clip(r.Shard, 20)))
	}
	fmt.Fprintf(&head, " · %s s\n\n", seconds(r.MS))
	if r.Incomplete != "" {
		fmt.Fprintf(&head, "> **The run is incomplete:** %s\n\n", md(clip(r.Incomplete, 500)))
	}
	if c := r.Canary; c != nil && !c.OK {
		fmt.Fprintf(&head, "> **The canary differs:** %s. Differences below may come from the driver or adapter and not from the code.\n\n", md(clip(c.Text, 500)))
	}
	if n := r.NoiseFloor(); n != "" {
		fmt.Fprintf(&head, "Noise floor: %s.\n\n", md(clip(n, 1000)))
	}
	if o.ReportURL != "" {
		fmt.Fprintf(&head, "[Open the report](%s)\n\n", strings.NewReplacer("(", "%28", ")", "%29", " ", "%20", "<", "%3C", "\n", "").Replace(clip(o.ReportURL, 2000)))
	}
	head.WriteString("| verdict | scenes |\n|---|---:|\n")
	for _, v := range slices.Backward(verdict.All()) {
		if n := s.By[v]; n > 0 {
			fmt.Fprintf(&head, "| %s | %d |\n", v.Title(), n)
		}
	}
	if s.Flaky > 0 {
		fmt.Fprintf(&head, "| of the passes, flaky | %d |\n", s.Flaky)
	}

	bad, good := o.split(r)
	out := head.String()
	room := limit - len(out) - 200 // for the closing lines
	if len(bad) > 0 {
		table := "\n| scene | verdict | MAD | limit | max | why |\n|---|---|---:|---:|---:|---|\n"
		rows, left := fit(bad, room-len(table), func(x *verdict.Result) string {
			v := x.Verdict.Title()
			if x.Flaky {
				v = "flaky " + v
			}
			return fmt.Sprintf("| `%s` | %s | %s | %s | %s | %s |\n", code(clip(x.Scene, 100)), v, number(x.MAD), number(x.Limit), number(x.MaxDiff), md(clip(why(x), 400)))
		})
		out += table + rows
		if left > 0 {
			out += fmt.Sprintf("\n**%d more scenes do not pass** and did not fit here; see the report.\n", left)
		}
		room -= len(table) + len(rows) + 100
	}
	if len(good) > 0 {
		open, shut := fmt.Sprintf("\n<details><summary>%d pass</summary>\n\n| scene | MAD | limit | ms |\n|---|---:|---:|---:|\n", len(good)), "\n</details>\n"
		rows, left := fit(good, room-len(open)-len(shut), func(x *verdict.Result) string {
			return fmt.Sprintf("| `%s` | %s | %s | %.0f |\n", code(clip(x.Scene, 100)), number(x.MAD), number(x.Limit), x.MS)
		})
		if rows != "" {
			out += open + rows
			if left > 0 {
				out += fmt.Sprintf("\n%d more passes did not fit here.\n", left)
			}
			out += shut
		}
	}
	return out
}

// split puts what does not pass before what does, the worst first and then the largest MAD in multiples of its limit.
func (o *Options) split(r *verdict.Run) (bad, good []*verdict.Result) {
	for i := range r.Results {
		x := &r.Results[i]
		if o.outcome(x) == passed {
			good = append(good, x)
		} else {
			bad = append(bad, x)
		}
	}
	slices.SortStableFunc(bad, worstFirst)
	slices.SortStableFunc(good, func(a, b *verdict.Result) int { return strings.Compare(a.Scene, b.Scene) })
	return bad, good
}

func worstFirst(a, b *verdict.Result) int {
	switch {
	case a.Verdict.Worse(b.Verdict):
		return -1
	case b.Verdict.Worse(a.Verdict):
		return 1
	}
	x, y := verdict.Value(a.MAD), verdict.Value(b.MAD)
	switch {
	case x > y:
		return -1
	case x < y:
		return 1
	}
	return strings.Compare(a.Scene, b.Scene)
}

// fit makes as many rows as there is room for, and says how many are left.
func fit(xs []*verdict.Result, room int, row func(*verdict.Result) string) (string, int) {
	var b strings.Builder
	for i, x := range xs {
		s := row(x)
		if b.Len()+len(s) > room {
			return b.String(), len(xs) - i
		}
		b.WriteString(s)
	}
	return b.String(), 0
}

// md makes text safe inside of a line or a table cell of GitHub's Markdown: no markup, no table borders, no mention of a user.
func md(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch r {
		case '\n', '\r', '\t':
			b.WriteByte(' ')
		case '|', '<', '>', '&', '@', '`', '*', '_', '[', ']', '#', '\\', '~', '!':
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			if r >= ' ' {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// code makes text safe between backquotes in a table cell.
func code(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '`' || r == '|' || r < ' ' {
			return '·'
		}
		return r
	}, s)
}

// clip cuts at a number of bytes, not inside of a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// Annotations are workflow commands that GitHub shows at the scenes' source lines and in the summary of the job: an error for each scene that does not
// pass. GitHub shows ten of a step, so the tenth counts the rest; a run that fails as a whole comes first.
func Annotations(r *verdict.Run, o Options) string {
	var lines []string
	if err := r.Err(o.Policy); err != nil && (!o.anyProblem(r) || r.Incomplete != "") {
		lines = append(lines, annotation("error", "", o.title(), err.Error()))
	}
	bad, good := o.split(r)
	for _, x := range bad {
		if o.outcome(x) == skipped {
			continue
		}
		lines = append(lines, annotation("error", x.Source, x.Scene+": "+x.Verdict.Title(), why(x)))
	}
	for _, x := range good {
		if x.Flaky {
			lines = append(lines, annotation("warning", x.Source, x.Scene+": flaky", why(x)))
		}
	}
	if len(lines) > AnnotationLimit {
		rest := len(lines) - AnnotationLimit + 1
		lines = append(lines[:AnnotationLimit-1], annotation("error", "", o.title(), fmt.Sprintf("%d more scenes; see the report", rest)))
	}
	return strings.Join(lines, "")
}

var (
	// What the runner decodes in the text and in the properties of a workflow command.
	escapeText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func annotation(level, source, title, text string) string {
	var props []string
	file, line, _ := strings.Cut(source, ":")
	if file != "" {
		props = append(props, "file="+escapeProperty.Replace(file))
		if line != "" {
			props = append(props, "line="+escapeProperty.Replace(line))
		}
	}
	props = append(props, "title="+escapeProperty.Replace(clip(title, 200)))
	if text == "" {
		text = title
	}
	return fmt.Sprintf("::%s %s::%s\n", level, strings.Join(props, ","), escapeText.Replace(clip(text, 4000)))
}
