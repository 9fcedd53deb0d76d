package composer

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Listing is the WGSL of a stage with the origin and number of each line in
// the margin; a stage that is not there is empty.
func (sh *Shader) Listing(stage Stage) string {
	if stage == StageFragment {
		return Listing(sh.FragmentWGSL, sh.FragmentMap)
	}
	return Listing(sh.VertexWGSL, sh.VertexMap)
}

// Listing is composed WGSL with the origin and number of each line in the
// margin, as "skin VW:3   41 | code". Runs of one origin's consecutive lines
// show it at the first.
func Listing(wgsl string, m SourceMap) string {
	lines := splitLines(wgsl)
	var b strings.Builder
	b.Grow(2 * len(wgsl))
	writeListing(&b, lines, m, 1, len(lines), 0, 0)
	return b.String()
}

// writeListing writes lines from…to. The line mark, if any, is pointed out, and
// a caret stands under its column.
func writeListing(b *strings.Builder, lines []string, m SourceMap, from, to, mark, column int) {
	width := 0
	margin := func(i int) string {
		if i > m.Len() {
			return ""
		}
		o := m.At(i)
		if mark == 0 && i > from && o.follows(m.At(i-1)) {
			return ""
		}
		return o.ID + " " + o.Part + ":" + strconv.Itoa(o.Line)
	}
	for i := from; i <= to; i++ {
		width = max(width, runes(margin(i)))
	}
	digits := len(strconv.Itoa(to))
	for i := from; i <= to; i++ {
		text, number := margin(i), strconv.Itoa(i)
		if mark > 0 {
			if i == mark {
				b.WriteString("> ")
			} else {
				b.WriteString("  ")
			}
		}
		b.WriteString(text)
		spaces(b, width-runes(text)+1+digits-len(number))
		b.WriteString(number)
		b.WriteString(" |")
		if lines[i-1] != "" {
			b.WriteByte(' ')
			b.WriteString(lines[i-1])
		}
		b.WriteByte('\n')
		code := []rune(lines[i-1])
		if i != mark || column < 1 || column > len(code)+1 {
			continue
		}
		spaces(b, 2+width+1+digits)
		b.WriteString(" | ")
		for _, r := range code[:column-1] {
			if r != '\t' {
				r = ' '
			}
			b.WriteRune(r)
		}
		b.WriteString("^\n")
	}
}

// follows reports whether o is the line after p in the same text.
func (o Origin) follows(p Origin) bool {
	p.Line++
	return o == p
}

func spaces(b *strings.Builder, n int) {
	for range n {
		b.WriteByte(' ')
	}
}

func runes(s string) int { return utf8.RuneCountInString(s) }

func splitLines(s string) []string {
	s = strings.TrimSuffix(s, "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}
