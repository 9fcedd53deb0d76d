package minimise

import (
	"bytes"
	"context"
	"errors"
	"image"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"darkroom/material/standard"
	"darkroom/renderer"
	"darkroom/scenes"
	"darkroom/scenes/mesh"
)

// TestMain is the program of another revision where a test starts it.
func TestMain(m *testing.M) {
	if os.Getenv("DARKROOM_TEST_SERVE") == "" {
		os.Exit(m.Run())
	}
	r, err := renderer.Open(renderer.Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		os.Exit(2)
	}
	defer r.Close()
	draw := small(r)
	err = Serve(context.Background(), other, func(ctx context.Context, s *scenes.Scene) (*image.NRGBA, error) {
		if len(s.Lights) == 0 {
			os.Exit(3) // a driver that takes the process down
		}
		return draw(ctx, s)
	}, os.Stdin, os.Stdout)
	if err != nil {
		os.Exit(2)
	}
}

// other is the crowd as another revision builds it: a coat is red, and there is
// a mesh more.
func other() (*scenes.Scene, error) {
	s, err := crowd()
	if err != nil {
		return nil, err
	}
	tint(s)
	ball, err := mesh.CreateSphere(mesh.SphereOptions{Diameter: 1})
	if err != nil {
		return nil, err
	}
	s.Add(scenes.NewMesh("more", ball, standard.New("plain")))
	return s, nil
}

// A side that another program draws takes part in the search, ends in the
// middle of it, and has an element that nobody else has.
func TestTheOtherSideIsAProcess(t *testing.T) {
	r, err := renderer.Open(renderer.Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		t.Fatal(err) // no adapter is a failure, never a skip
	}
	defer r.Close()
	p := &Process{Dir: t.TempDir(), Command: func(ctx context.Context) *exec.Cmd {
		c := exec.CommandContext(ctx, os.Args[0])
		c.Env = append(os.Environ(), "DARKROOM_TEST_SERVE=1")
		return c
	}}
	defer p.Close()
	foreign, err := p.Elements(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	more := Key{Kind: Mesh, Name: "more"}
	if !slices.Contains(foreign, more) {
		t.Fatalf("the elements of the other side lack %s", more)
	}
	draw, ended := small(r), 0
	differs := func(ctx context.Context, s *scenes.Scene, dropped []Key) (Outcome, error) {
		a, err := draw(ctx, s)
		if err != nil {
			return Undrawable, nil
		}
		b, err := p.Draw(ctx, dropped)
		switch {
		case errors.Is(err, ErrUndrawable):
			if strings.Contains(err.Error(), "ended") {
				ended++
			}
			return Undrawable, nil
		case err != nil:
			return Agree, err
		}
		return map[bool]Outcome{true: Agree, false: Differ}[bytes.Equal(a.Pix, b.Pix)], nil
	}
	// Both differences are there: the ball is the simplest to see.
	res, err := Scene(context.Background(), Options{Build: crowd, Foreign: foreign, Differs: differs})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Kept) == 0 || ended == 0 {
		t.Fatalf("kept %v; the program ended %d times", res.Kept, ended)
	}
	t.Logf("kept %v after %d tests", res.Kept, res.Tests)
	fragments, err := p.Fragments(context.Background(), nil)
	if coat := (Key{Kind: Fragment, Name: "pbr material m137: pbr-clearcoat"}); err != nil || !slices.Contains(fragments, coat) {
		t.Errorf("the fragments of the other side lack %s: %v", coat, err)
	}
	// Without the ball it is the coat.
	res, err = Scene(context.Background(), Options{Build: crowd, Differs: func(ctx context.Context, s *scenes.Scene, dropped []Key) (Outcome, error) {
		return differs(ctx, s, append(slices.Clone(dropped), more))
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(res.Kept, func(k Kept) bool { return k.Name == "pbr material m137: Clearcoat" }) {
		t.Errorf("kept %v, want the red coat", res.Kept)
	}
	if !slices.ContainsFunc(res.Fragments, func(k Kept) bool {
		return k.Name == "pbr material m137: pbr-clearcoat" && k.Without == Agree
	}) {
		t.Errorf("fragments %v, want the coat's", res.Fragments)
	}
}

func TestWrongPixels(t *testing.T) {
	fill := func(f func(x, y int) uint8) *image.NRGBA {
		m := image.NewNRGBA(image.Rect(0, 0, 8, 8))
		for i := range 64 {
			v := f(i%8, i/8)
			copy(m.Pix[4*i:], []byte{v, v, v, 255})
		}
		return m
	}
	left := func(a, b uint8) func(x, y int) uint8 {
		return func(x, _ int) uint8 {
			if x < 3 {
				return a
			}
			return b
		}
	}
	w, err := NewWrong(fill(left(100, 50)), fill(left(140, 50)), 2)
	if err != nil || w.Pixels() != 24 {
		t.Fatalf("%v wrong pixels, %v", w.Pixels(), err)
	}
	for _, c := range []struct {
		a, b uint8
		want bool
	}{{140, 50, true}, {140, 0, true}, {100, 50, false}, {120, 50, false}, {0, 0, false}} {
		if got := w.Stays(fill(left(c.a, c.b)), 0.5); got != c.want {
			t.Errorf("%d on the left, %d on the right: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if _, err := NewWrong(image.NewNRGBA(image.Rect(0, 0, 4, 4)), fill(left(1, 1)), 0); err == nil {
		t.Error("pictures of two sizes were compared")
	}
}
