package shader

import (
	"strings"
	"testing"
)

// FuzzSource scans anything without failing over.
func FuzzSource(f *testing.F) {
	f.Add(testVertex)
	f.Add("@group(0) @binding(1) var<uniform> a: b; /* /* */ struct")
	f.Add("@group(\n#if\n}")
	f.Fuzz(func(t *testing.T, src string) {
		if err := checkSource(src, "mainVertex", "vertex", map[string]string{"scene": "the scene"}); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q has more than one line", err)
		}
	})
}
