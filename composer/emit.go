package composer

import (
	"slices"
	"strings"
)

const (
	partVertex   = "vertex" // of the source map, for the template's stages
	partFragment = "fragment"
	partTextures = "Textures" // for the helpers of Fragment.Textures
)

// The parts of a source map: these, and one for each marker of the stage.
const (
	indexStage = iota
	indexTextures
	indexMarkers
)

// emitter writes the stages, one after the other into one text, and the
// source map of each.
type emitter struct {
	c     *composition
	text  strings.Builder
	stage Stage
	start int // of the stage in the text
	m     SourceMap
	// bodies are those of the structs that the stage has so far.
	bodies []body

	// The marker being filled.
	slot    Slot
	part    int32  // its index in the map's parts
	alone   bool   // it has its line to itself
	indent  string // what then stands before it, and goes before each of its lines
	pending bool   // a line of generated text has ended
	line    int    // lines of generated text so far
	comment bool   // the marker shares its line and the last line of code may end in a comment
}

// stages composes the text of a stage or of two.
func (c *composition) stages() error {
	sh := c.sh
	e := emitter{c: c}
	both := c.fragment != nil && !c.opt.VertexOnly
	if err := e.grow(both); err != nil {
		return err
	}
	e.bodies = c.bodies
	sh.VertexMap = e.emit(StageVertex, c.vertex)
	end, vertex := e.text.Len(), len(e.bodies)
	if both {
		sh.FragmentMap = e.emit(StageFragment, c.fragment)
	}
	c.bodies = e.bodies
	c.vertexBodies, c.fragmentBodies = e.bodies[:vertex], e.bodies[vertex:]
	text := e.text.String()
	sh.VertexWGSL, sh.FragmentWGSL = text[:end], text[end:]
	return nil
}

// maxSource bounds the text of a shader, in bytes. It is far beyond what a
// compiler takes, and keeps places in the text within 32 bits.
const maxSource = 64 << 20

// grow makes room for the text, so that it is written once and stays where it
// is: what is known now, and 44 bytes for each line that is declared.
func (e *emitter) grow(fragment bool) error {
	c := e.c
	size := e.known(c.vertex)
	declared := 24 + len(c.constants.list) + 8*len(c.structs.list) + len(c.mesh.list) + len(c.material.list) + len(c.instance.list) +
		len(c.varyings.list) + 2*len(c.textures.list)
	lines := declared + len(c.attributes.list)
	if fragment {
		size += e.known(c.fragment)
		lines += declared + 2*len(c.outputs.list) + 2*len(c.textures.list)
	}
	for i := range c.bindings.list {
		vis := c.bindings.list[i].v.Decl.Visibility
		if vis&StageVertex != 0 {
			lines++
		}
		if fragment && vis&StageFragment != 0 {
			lines++
		}
	}
	if size > maxSource {
		return errorf(ErrLimit, "the shader would have %d MB of WGSL; %d MB are the most", size>>20, maxSource>>20)
	}
	e.text.Grow(size + 44*lines)
	return nil
}

// known is the size of what the template and the fragments have written for a stage.
func (e *emitter) known(segs []segment) int {
	c := e.c
	size := 0
	for i := range segs {
		s := &segs[i]
		size += len(s.text)
		switch s.slot {
		case markScene:
			size += len(c.t.SceneUniforms)
		case markVertexHelpers:
			for _, f := range c.fragments {
				size += len(f.VertexHelpers)
			}
		case markFragmentHelpers:
			for _, f := range c.fragments {
				size += len(f.FragmentHelpers)
			}
		}
		for k := c.firstCode(s.slot); k != 0; k = c.code[k].next {
			code := c.code[k].code
			size += len(code) + 1
			if n := len(s.indent); n > 0 {
				size += n * (1 + strings.Count(code, "\n"))
			}
		}
	}
	return size
}

// emit writes one stage and returns its source map.
func (e *emitter) emit(stage Stage, segs []segment) SourceMap {
	c := e.c
	e.start, e.stage = e.text.Len(), stage
	e.m = SourceMap{
		template: c.t.ID, fragments: c.sh.Fragments,
		parts: make([]string, indexMarkers, indexMarkers+len(segs)),
		spans: make([]span, 0, 3*len(segs)+2*len(c.fragments)),
	}
	e.m.parts[indexStage], e.m.parts[indexTextures] = partVertex, partTextures
	if stage == StageFragment {
		e.m.parts[indexStage] = partFragment
	}
	e.m.add(ownTemplate, indexStage, 1, 1)
	at := 1
	for i := range segs {
		s := &segs[i]
		at = e.template(s.text, at)
		if s.slot == "" {
			continue
		}
		e.slot, e.line, e.pending, e.alone, e.indent, e.comment = s.slot, 0, false, s.alone, s.indent, false
		e.part = int32(len(e.m.parts))
		e.m.parts = append(e.m.parts, string(s.slot))
		e.fill(s.slot)
		if e.comment {
			// What follows in the template's line must not become part of the comment.
			e.text.WriteByte('\n')
			e.m.add(ownTemplate, indexStage, at, 1)
		}
		if s.alone {
			at++ // the marker's own line
			if e.pending {
				e.text.WriteByte('\n')
				e.m.add(ownTemplate, indexStage, at, 1)
			} else {
				e.m.set(ownTemplate, indexStage, at)
			}
		}
	}
	if text := e.text.String()[e.start:]; text == "" || text[len(text)-1] == '\n' {
		e.m.drop() // nothing stands on the last line
	}
	return e.m
}

// template writes template text that starts in its line at and returns the line it ends in.
func (e *emitter) template(text string, at int) int {
	e.text.WriteString(noReturns(text))
	n := strings.Count(text, "\n")
	if n > 0 {
		e.m.add(ownTemplate, indexStage, at+1, n)
	}
	return at + n
}

// noReturns turns "\r\n" into "\n".
func noReturns(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// begin starts n lines of the marker's text, the first of which is line of a
// part of own. A line that template text began belongs to the fragment that
// goes on with it.
func (e *emitter) begin(own owner, part int32, line, n int) {
	if e.pending {
		e.text.WriteByte('\n')
		e.m.add(own, part, line, n)
	} else {
		if e.alone || own != ownTemplate {
			e.m.set(own, part, line)
		}
		if n > 1 {
			e.m.add(own, part, line+1, n-1)
		}
	}
	e.pending = true
}

// put writes one generated line, of the parts of s.
func (e *emitter) put(own owner, s ...string) {
	e.line++
	e.begin(own, e.part, e.line, 1)
	e.text.WriteString(e.indent)
	for _, s := range s {
		e.text.WriteString(s)
	}
}

// code writes a fragment's text line by line. Blank lines at either end are
// left out; the numbering is that of the text.
func (e *emitter) code(own owner, text string) {
	text = noReturns(strings.TrimRight(text, " \t\r\n"))
	line := 1
	for text != "" {
		n := strings.IndexByte(text, '\n')
		if n < 0 || !blank(text[:n]) {
			break
		}
		line++
		text = text[n+1:]
	}
	if text == "" {
		return
	}
	e.comment = !e.alone && strings.Contains(text[strings.LastIndexByte(text, '\n')+1:], "//")
	e.begin(own, e.part, line, 1+strings.Count(text, "\n"))
	if e.indent == "" {
		e.text.WriteString(text)
		return
	}
	for {
		n := strings.IndexByte(text, '\n')
		if n != 0 {
			e.text.WriteString(e.indent)
		}
		e.text.WriteString(text[:n+1])
		if n < 0 {
			e.text.WriteString(text)
			return
		}
		text = text[n+1:]
	}
}

// slotCode writes the fragments' code for a slot, in order.
func (e *emitter) slotCode(s Slot) {
	c := e.c
	for k := c.firstCode(s); k != 0; k = c.code[k].next {
		e.code(c.code[k].own, c.code[k].code)
	}
}

// helpers writes the fragments' helper functions. The same text from two
// fragments stands once.
func (e *emitter) helpers(of func(*Fragment) string) {
	list := e.c.fragments
	var seen map[string]bool // for long lists; the lengths tell most texts apart
	if len(list) > 8*shortList {
		seen = make(map[string]bool)
	}
	for i, f := range list {
		text := of(f)
		if text == "" || seen[text] || seen == nil && slices.ContainsFunc(list[:i], func(f *Fragment) bool { return of(f) == text }) {
			continue
		}
		if seen != nil {
			seen[text] = true
		}
		e.code(owner(i), text)
	}
}
