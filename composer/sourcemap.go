package composer

import (
	"slices"
	"strconv"
)

// SourceMap tells, for each line of composed WGSL, where it came from. The
// zero value is the map of no text.
type SourceMap struct {
	template  string   // its id
	fragments []string // ids, in composed order
	parts     []string
	spans     []span // by first line
	lines     int
}

// span is a run of lines that follow each other in one source as well.
type span struct {
	first int32 // line of the composed text, from 0
	line  int32 // line of the source, from 1
	own   int32 // owner
	part  int32 // index into SourceMap.parts
}

// Origin is the source of one line: a fragment's or the template's id, the
// slot or part, and the 1-based line in it.
type Origin struct {
	ID   string
	Part string
	Line int
	// Template says that ID is the template's.
	Template bool
}

// Len is the number of lines.
func (m SourceMap) Len() int { return m.lines }

// At is the origin of a line, counted from 1; the zero Origin if the text has
// no such line.
func (m SourceMap) At(line int) Origin {
	n := line - 1
	if n < 0 || n >= m.lines {
		return Origin{}
	}
	i, found := slices.BinarySearchFunc(m.spans, int32(n), func(s span, n int32) int { return int(s.first - n) })
	if !found {
		i--
	}
	s := m.spans[i]
	o := Origin{ID: m.template, Part: m.parts[s.part], Line: int(s.line) + n - int(s.first), Template: owner(s.own) == ownTemplate}
	if !o.Template {
		o.ID = m.fragments[s.own]
	}
	return o
}

// add appends n lines, the first of which is line of a part of own. It
// lengthens the last span where they go on with it.
func (m *SourceMap) add(own owner, part int32, line, n int) {
	s := span{int32(m.lines), int32(line), int32(own), part}
	m.lines += n
	if !m.goesOn(s) {
		m.spans = append(m.spans, s)
	}
}

// goesOn reports whether s is the continuation of the last span.
func (m *SourceMap) goesOn(s span) bool {
	if len(m.spans) == 0 {
		return false
	}
	last := m.spans[len(m.spans)-1]
	return s.own == last.own && s.part == last.part && s.line-last.line == s.first-last.first
}

// set gives the last line, which must be there, another origin.
func (m *SourceMap) set(own owner, part int32, line int) {
	m.drop()
	m.add(own, part, line, 1)
}

// drop takes the last line away.
func (m *SourceMap) drop() {
	m.lines--
	if n := len(m.spans) - 1; int(m.spans[n].first) == m.lines {
		m.spans = m.spans[:n]
	}
}

// source names what the line comes from, without the line: `fragment "skin"`.
func (o Origin) source() string {
	if o.Template {
		return "template " + quote(o.ID)
	}
	return "fragment " + quote(o.ID)
}

// String is the whole origin: `fragment "skin", VW line 3`.
func (o Origin) String() string {
	return o.source() + ", " + o.Part + " line " + strconv.Itoa(o.Line)
}
