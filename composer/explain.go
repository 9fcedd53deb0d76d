package composer

import (
	"errors"
	"strconv"
	"strings"
)

// ErrCompile is WGSL that a compiler refused.
var ErrCompile = errors.New("WGSL does not compile")

// CompileError is a compiler's complaint, told where the line came from.
type CompileError struct {
	Shader string // template and stage, for the message
	Line   int    // in the composed WGSL, from 1; 0: the compiler named none
	Column int    // in that line, from 1; 0: not known
	Origin Origin // of the line; zero if Line is 0 or beyond the text
	Msg    string // what the compiler said, in one line
	// Text is the whole report: the message, then the offending line and two
	// on either side with their origins.
	Text string
}

func (e *CompileError) Error() string { return e.Text }

// Unwrap returns ErrCompile.
func (e *CompileError) Unwrap() error { return ErrCompile }

// ExplainError turns a compiler's error text about one stage of the shader
// into a *CompileError that names the fragment, slot and line, and shows the
// offending line. It reads the reports of naga ("┌─ wgsl:12:5", with its code
// frame) and of Tint (":12:5 error: …"); any other text is kept as it is.
func (sh *Shader) ExplainError(stage Stage, text string) error {
	wgsl, m := sh.VertexWGSL, sh.VertexMap
	if stage == StageFragment {
		wgsl, m = sh.FragmentWGSL, sh.FragmentMap
	}
	e := parseCompileError(text)
	e.Shader = stage.String() + " stage"
	if m.template != "" {
		e.Shader = "template " + quote(m.template) + ", " + e.Shader
	}
	if e.Line > 0 && e.Line <= m.Len() {
		e.Origin = m.At(e.Line)
	} else {
		e.Line, e.Column = 0, 0
	}
	e.Text = "composer: " + e.Shader + ": " + annotate(wgsl, m, e.Line, e.Column, e.Msg)
	return e
}

// Annotate writes a message about a line of composed WGSL, counted from 1: the
// line's origin and the message, then the line and two on either side, each
// with its origin and number. A line outside the text leaves the message.
func Annotate(wgsl string, m SourceMap, line int, msg string) string {
	return annotate(wgsl, m, line, 0, msg)
}

func annotate(wgsl string, m SourceMap, line, column int, msg string) string {
	lines := splitLines(wgsl)
	if line < 1 || line > len(lines) {
		return msg
	}
	var b strings.Builder
	if line <= m.Len() {
		b.WriteString(m.At(line).String())
		b.WriteString(": ")
	}
	b.WriteString(msg)
	b.WriteByte('\n')
	from, to := max(line-2, 1), min(line+2, len(lines))
	writeListing(&b, lines, m, from, to, line, column)
	return strings.TrimSuffix(b.String(), "\n")
}

// parseCompileError reads what a compiler wrote.
func parseCompileError(text string) *CompileError {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if _, after, ok := strings.Cut(text, "┌─"); ok {
		before, _, _ := strings.Cut(text, "┌─")
		return parseNaga(before, after)
	}
	if e := parseTint(text); e != nil {
		return e
	}
	return &CompileError{Msg: oneLine(text)}
}

// parseNaga reads naga's report, as wgpu hands it out: a headline, the place
// in " NAME:LINE:COLUMN", a code frame, and causes indented by four spaces,
// the last of which says most. The place is the first line of the code frame,
// for a validation error the start of the whole function: what is
// underlined with carets inside the frame is nearer.
func parseNaga(before, after string) *CompileError {
	e := &CompileError{}
	place, rest, _ := strings.Cut(after, "\n")
	e.Line, e.Column = linePlace(strings.TrimSpace(place))
	number := 0 // of the frame's line that was read last
	codeAt := 0 // where its code starts, in runes
	found := false
	var causes []string
	for rest != "" {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		head, code, framed := strings.Cut(line, "│")
		trimmed := strings.TrimSpace(head)
		switch {
		case framed && trimmed != "":
			if n, err := strconv.Atoi(trimmed); err == nil {
				number, codeAt = n, nagaCodeStart(head, code)
			}
		case framed && trimmed == "":
			// Carets under an expression, not the corner that closes a span.
			caret := strings.IndexByte(code, '^')
			if caret < 0 || strings.ContainsAny(code, "╰╭") || number == 0 || found && strings.Contains(code, "previous") {
				break
			}
			if last := strings.LastIndexByte(code, '^'); strings.Contains(line[last:], "redefinition") {
				caret = last // the other is the first definition, on the same line
			}
			e.Line = number
			e.Column = max(runes(head)+1+runes(code[:caret])-codeAt+1, 1)
			found = true
		case strings.HasPrefix(trimmed, "= "):
			causes = append(causes, strings.TrimPrefix(trimmed, "= "))
		case trimmed != "":
			causes = append(causes, trimmed)
		}
	}
	e.Msg = strings.Join(causes, ": ")
	if e.Msg == "" {
		headline := strings.TrimSpace(before)
		headline = headline[strings.LastIndexByte(headline, '\n')+1:]
		if _, after, ok := strings.Cut(headline, "error: "); ok {
			headline = after
		}
		e.Msg = strings.TrimSpace(headline)
	}
	if e.Msg == "" {
		e.Msg = "does not compile"
	}
	return e
}

// nagaCodeStart is the rune at which the code of a frame's line starts: after
// the bar and a blank, and after the second bar of a span of several lines.
func nagaCodeStart(head, code string) int {
	at := runes(head) + 1
	rest := []rune(code)
	if len(rest) >= 3 && rest[0] == ' ' && (rest[1] == '│' || rest[1] == '╭') {
		return at + 3
	}
	return at + 1
}

// linePlace reads the numbers at the end of "NAME:LINE:COLUMN"; a name may hold colons.
func linePlace(s string) (line, column int) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return 0, 0
	}
	column, err := strconv.Atoi(s[i+1:])
	if err != nil || column < 0 {
		return 0, 0
	}
	s = s[:i]
	line, err = strconv.Atoi(s[strings.LastIndexByte(s, ':')+1:])
	if err != nil || line < 0 {
		return 0, 0
	}
	return line, column
}

// parseTint reads "NAME:LINE:COLUMN error: MESSAGE", or returns nil.
func parseTint(text string) *CompileError {
	for line := range strings.SplitSeq(text, "\n") {
		place, msg, ok := strings.Cut(line, " error: ")
		if !ok {
			continue
		}
		place = place[strings.LastIndexByte(place, ' ')+1:]
		if n, column := linePlace(place); n > 0 {
			return &CompileError{Line: n, Column: column, Msg: strings.TrimSpace(msg)}
		}
	}
	return nil
}

// oneLine joins lines of text, without what is blank.
func oneLine(s string) string {
	var parts []string
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, " ")
}
