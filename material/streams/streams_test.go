package streams

import (
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
)

func TestNew(t *testing.T) {
	b := &material.Buffer{Name: "slab", Data: make([]byte, 80)}
	position := Stream{"position", composer.Float32x3, 0}
	color := Stream{"color", composer.Unorm8x4, 12}
	p, err := New(b, 16, 1, 4, position, color)
	if err != nil {
		t.Fatal(err)
	}
	if s := p.Streams(); len(s) != 2 || s["color"] != composer.Unorm8x4 {
		t.Errorf("streams %v", s)
	}
	l := p.Layouts()
	if l["position"].Buffer != l["color"].Buffer || l["color"] != (material.StreamLayout{Buffer: l["position"].Buffer, Offset: 12, Stride: 16, First: 1}) {
		t.Errorf("layouts %v", l)
	}
	for _, x := range []struct {
		b                    *material.Buffer
		stride, first, count int
		list                 []Stream
		want                 string
	}{
		{nil, 16, 0, 1, []Stream{position}, "no buffer"},
		{b, 16, 0, 1, nil, "none"},
		{b, 0, 0, 1, []Stream{position}, "stride 0"},
		{b, 14, 0, 1, []Stream{position}, "multiple of 4"},
		{b, 16, 1, 5, []Stream{position}, "80 bytes"},
		{b, 16, -1, 1, []Stream{position}, "element -1"},
		{b, 16, 0, 1, []Stream{position, position}, "twice"},
		{b, 16, 0, 1, []Stream{{"position", "float33", 0}}, "float33"},
		{b, 16, 0, 1, []Stream{{"position", composer.Float32x3, 2}}, "offset 2"},
		{b, 16, 0, 1, []Stream{{"position", composer.Float32x3, 8}}, "beyond the stride"},
	} {
		if _, err := New(x.b, x.stride, x.first, x.count, x.list...); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%+v: %v, want %q", x, err, x.want)
		}
	}
}
