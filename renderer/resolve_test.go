package renderer

import (
	"context"
	"testing"

	"darkroom/scenes/catalogue"
)

func TestMeansAreLow(t *testing.T) {
	row := func(at func(x, c int) int) []byte {
		out := make([]byte, 4*resolvingWidth)
		for x := range resolvingWidth {
			for c := range 4 {
				out[4*x+c] = byte(at(x, c))
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		at   func(x, c int) int // the step of a pixel with c samples of four at x + 1
		want bool
	}{
		"halves up":        {func(x, c int) int { return x + c/2 }, false},
		"halves to even":   {func(x, c int) int { return x + (c+x%2)/3 }, false},
		"pairs, rounded":   {func(x, c int) int { return x + (c+2)/3 }, false},
		"halves down":      {func(x, c int) int { return x + c/3 }, true},
		"cut off":          {func(x, c int) int { return x }, true},
		"one pixel is off": {func(x, c int) int { return x + c/2 - x/253*(c/3) }, true},
	} {
		if got := meansAreLow(row(c.at)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The renderer's own resolve is at most a step from any device's: of edges, and
// of viewports that follow each other in one target.
func TestOwnResolve(t *testing.T) {
	r := open(t)
	t.Logf("%v resolves to less than the nearest step: %v", r.Adapter(), r.low)
	for _, name := range []string{"own-cameras", "own-standard-alpha"} {
		e, err := catalogue.All().Find(name)
		if err != nil {
			t.Fatal(err)
		}
		draw := func(own bool) []byte {
			s, err := e.Build(nil)
			if err != nil {
				t.Fatal(err)
			}
			r.low = own
			f, err := r.Render(context.Background(), s, Settings{Width: 320, Height: 180, Time: e.Time})
			if err != nil {
				t.Fatal(err)
			}
			return f.Pix
		}
		own, devices := draw(true), draw(false)
		var apart [3]int
		for i := range own {
			if d := 1 + int(own[i]) - int(devices[i]); d >= 0 && d < len(apart) {
				apart[d]++
			} else {
				t.Fatalf("%s: channel %d of pixel %d, %d is %d by the own resolve and %d by that of %v",
					name, i%4, i/4%320, i/4/320, own[i], devices[i], r.Adapter())
			}
		}
		t.Logf("%s: %d channels are a step down, %d equal, %d a step up", name, apart[0], apart[1], apart[2])
	}
}
