package composer

import (
	"fmt"
	"strings"
)

// Listing prints the WGSL of a stage with the origin of every line in the
// margin; an origin that repeats is printed once.
func (sh *Shader) Listing(stage Stage) string {
	code, origins := sh.VertexWGSL, sh.VertexMap
	if stage == StageFragment {
		code, origins = sh.FragmentWGSL, sh.FragmentMap
	}
	if code == "" {
		return ""
	}
	margin := make([]string, len(origins))
	width := 0
	for i, o := range origins {
		margin[i] = o.String()
		width = max(width, len(margin[i]))
	}
	var b strings.Builder
	for i, l := range strings.Split(strings.TrimSuffix(code, "\n"), "\n") {
		m := ""
		if i < len(margin) {
			m = margin[i]
		}
		fmt.Fprintf(&b, "%-*s %4d | %s\n", width, m, i+1, l)
	}
	return b.String()
}
