package parity

import (
	"fmt"
	"strings"
	"testing"
)

// A driver's message before a long dump must be found, in pieces, too.
func TestLastWords(t *testing.T) {
	dump := strings.Repeat("goroutine 1 [running]\n", 1000)
	for _, c := range []struct {
		name  string
		parts []string
		lost  bool
	}{
		{"before a dump", []string{"vkQueueSubmit: Device Lost\n", dump}, true},
		{"in two pieces", []string{"VK_ERROR_DEVICE", "_LOST\n", dump}, true},
		{"in the middle", []string{dump, "Parent device is lost", dump}, true},
		{"in two pieces in the middle", []string{dump, "devi", "ce lost", dump}, true},
		{"not at all", []string{dump}, false},
	} {
		var w lastWords
		for _, p := range c.parts {
			fmt.Fprint(&w, p)
		}
		if w.deviceLost() != c.lost {
			t.Errorf("%s: lost %t", c.name, w.deviceLost())
		}
		if s := w.String(); len(s) > headSize+tailSize+10 || !strings.HasPrefix(s, strings.TrimSpace(c.parts[0][:5])) {
			t.Errorf("%s: %d bytes that begin %.20q", c.name, len(s), s)
		}
	}
}
