package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestCode(t *testing.T) {
	differs := &Exit{Code: Differs}
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{differs, 1},
		{errors.Join(differs, nil), 1}, // as the parser hands errors on
		{fmt.Errorf("x: %w", &Exit{Code: 17}), 17},
		{errors.New("x"), 2},
	} {
		if got := Code(c.err); got != c.want {
			t.Errorf("Code(%v) = %d, want %d", c.err, got, c.want)
		}
	}
}

func TestText(t *testing.T) {
	a := errors.New("disk full")
	if got := Text(errors.Join(a, a, errors.New("b"))); got != "disk full\n  b" {
		t.Errorf("got %q", got)
	}
}

type broken struct{ n int }

func (b *broken) Write([]byte) (int, error) { b.n++; return 0, errors.New("no space") }

func TestOutputKeepsItsError(t *testing.T) {
	w := &broken{}
	o := &Output{Writer: w}
	fmt.Fprintln(o, "a")
	fmt.Fprintln(o, "b")
	for _, own := range []error{nil, &Exit{Code: Differs}} {
		if err := o.End(own); err == nil || Code(err) != Failed || !strings.Contains(err.Error(), "no space") || w.n != 1 {
			t.Errorf("%v: %v after %d writes", own, err, w.n)
		}
	}
	if own := errors.New("own"); o.End(own) != own {
		t.Error("an error of its own is lost")
	}
}

func TestAmount(t *testing.T) {
	for text, want := range map[string]Amount{"all": -1, "0": 0, "12": 12} {
		var a Amount
		if err := a.UnmarshalText([]byte(text)); err != nil || a != want {
			t.Errorf("%q: %d, %v", text, a, err)
		}
	}
	for _, text := range []string{"", "-1", "ALL", "1.5", "99999999999999999999"} {
		var a Amount
		if err := a.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was taken as %d", text, a)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 scenes", 1: "1 scene", 2: "2 scenes"} {
		if got := Count(n, "scene"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for text, want := range map[string]Size{
		"1280x720": {1280, 720}, "1X2": {1, 2},
		"": {}, "0x0": {}, "-1x5": {}, "1e9": {}, "5": {}, "x": {}, "640x360x2": {}, " 1x1": {}, "99999999999999999999x1": {}, "0x5": {},
	} {
		var s Size
		if err := s.UnmarshalText([]byte(text)); s != want || (err == nil) != (want != Size{}) {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
}
