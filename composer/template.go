package composer

import "strings"

// The markers that the composer fills itself, beside the slots.
const (
	markScene           Slot = "SU" // Template.SceneUniforms
	markMesh            Slot = "MU" // constants, structs and the uniform structs
	markConstants       Slot = "CO"
	markVertexInput     Slot = "VI"
	markVertexOutput    Slot = "VO"
	markVertexDecls     Slot = "VD"
	markVertexParams    Slot = "VP"
	markVertexHelpers   Slot = "VH"
	markFragmentInput   Slot = "FI"
	markFragmentHelpers      = SlotHelpers
	markFragmentDecls   Slot = "FB"
	markOutputs         Slot = "FO"
	markReturnType      Slot = "FR"
	markReturn          Slot = "FW"
	markInstance        Slot = "IN"
)

// fixedMarker reports the markers that take no slot code. The two helper
// markers take both.
func fixedMarker(s Slot) bool {
	switch s {
	case markScene, markMesh, markConstants, markVertexInput, markVertexOutput, markVertexDecls, markVertexParams,
		markFragmentInput, markFragmentDecls, markOutputs, markReturnType, markReturn, markInstance:
		return true
	}
	return false
}

// segment is a run of template text and the marker after it.
type segment struct {
	text string
	slot Slot // empty after the last run
	// alone says that the marker has its line to itself; indent is then what stands before it.
	alone  bool
	indent string
}

// parseTemplate splits the template's stages.
func (c *composition) parseTemplate() {
	c.segments = appendSegments(c.segments, c.t.Vertex)
	n := len(c.segments)
	if c.t.Fragment != "" {
		c.segments = appendSegments(c.segments, c.t.Fragment)
		c.fragment = c.segments[n:]
	}
	c.vertex = c.segments[:n]
}

// appendSegments splits a stage at its markers. A marker is a comment of
// capital letters, digits and underscores without spaces. One that is part of
// a line comment or of a longer comment is none.
func appendSegments(segs []segment, src string) []segment {
	start := 0
	for i := 0; i < len(src); {
		n := strings.IndexByte(src[i:], '/')
		if n < 0 || i+n+1 >= len(src) {
			break
		}
		i += n
		switch src[i+1] {
		case '/':
			if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(src)
			}
		case '*':
			end := commentEnd(src, i)
			if name := src[i+2 : max(i+2, end-2)]; isSlot(name) {
				s := segment{text: src[start:i], slot: Slot(name)}
				line := strings.LastIndexByte(src[:i], '\n') + 1
				eol := len(src)
				if n := strings.IndexByte(src[end:], '\n'); n >= 0 {
					eol = end + n
				}
				start = end
				if line >= i-len(s.text) && blank(src[line:i]) && blank(src[end:eol]) {
					s.alone, s.indent = true, src[line:i]
					s.text = s.text[:len(s.text)-(i-line)]
					start = min(eol+1, len(src))
					end = start
				}
				segs = append(segs, s)
			}
			i = end
		default:
			i++
		}
	}
	return append(segs, segment{text: src[start:]})
}

// commentEnd is the index after the block comment that starts at i. WGSL's
// block comments nest.
func commentEnd(src string, i int) int {
	depth := 0
	for i < len(src) {
		switch {
		case strings.HasPrefix(src[i:], "/*"):
			depth++
			i += 2
		case strings.HasPrefix(src[i:], "*/"):
			depth--
			i += 2
			if depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return len(src)
}

// isSlot reports a name that a marker can have.
func isSlot(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '_' && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func blank(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// hasSlot reports whether a stage has a marker.
func hasSlot(segs []segment, s Slot) bool {
	for i := range segs {
		if segs[i].slot == s {
			return true
		}
	}
	return false
}
