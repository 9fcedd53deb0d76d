package parity

import (
	"context"
	"image"
	"os"
	"testing"

	"darkroom/parity/metrics"
	"darkroom/parity/testdata/hostile"
	"darkroom/parity/verdict"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
)

// The order in which draws differ tells nondeterminism, a cold start, leaked
// state and the making of the device apart.
func TestNoiseTellsCausesApart(t *testing.T) {
	shade := func(v byte) *image.NRGBA {
		m := image.NewNRGBA(image.Rect(0, 0, 32, 32))
		for i := range m.Pix {
			m.Pix[i] = 100
		}
		m.Pix[0] += v
		return m
	}
	for _, c := range []struct {
		name  string
		draws [6]byte // cold A, warm A, again A, after others A, cold B, warm B
		want  verdict.Cause
		max   float64
	}{
		{"equal", [6]byte{}, verdict.Repeats, 0},
		{"two warm draws differ", [6]byte{0, 0, 9, 0, 0, 0}, verdict.Nondeterministic, 9},
		{"all differ", [6]byte{1, 2, 3, 4, 5, 6}, verdict.Nondeterministic, 4},
		{"the first on each device differs", [6]byte{7, 0, 0, 0, 7, 0}, verdict.ColdStart, 7},
		{"the first on one device differs", [6]byte{0, 0, 0, 0, 7, 0}, verdict.ColdStart, 7},
		{"only after other scenes", [6]byte{0, 0, 0, 5, 0, 0}, verdict.LeakedState, 5},
		{"another device repeats itself", [6]byte{0, 0, 0, 0, 3, 3}, verdict.DeviceDependent, 3},
	} {
		var d draws
		for i, v := range c.draws {
			if err := d.add([]string{"a", "b", "c", "d", "e", "f"}[i], shade(v)); err != nil {
				t.Fatal(err)
			}
		}
		n, err := d.noise()
		if err != nil {
			t.Fatal(err)
		}
		if n.Cause != c.want || n.Draws != 6 || n.Worst[string(metrics.MaxDiff)] != c.max || (n.Text == "") != (c.want == verdict.Repeats) {
			t.Errorf("%s: %+v, want %q with a difference of %v", c.name, n, c.want, c.max)
		}
	}
}

// Noise within the limits is a measurement; beyond them the scene passes or
// fails by chance.
func TestNoiseBeyondALimitFails(t *testing.T) {
	for _, c := range []struct {
		worst float64
		want  verdict.Verdict
	}{{0.05, verdict.Pass}, {0.2, verdict.Mismatch}} {
		r := verdict.Result{Verdict: verdict.Pass, Gates: []verdict.Gate{{Name: "mad", Limit: 0.1, OK: true}},
			Noise: &verdict.Noise{Cause: verdict.Nondeterministic, Worst: map[string]float64{"mad": c.worst}}}
		judgeNoise(&r)
		if r.Verdict != c.want || (r.Reason == "") != (c.want == verdict.Pass) {
			t.Errorf("%v: %s %q", c.worst, r.Verdict, r.Reason)
		}
	}
}

func TestNoisyPicksEvenly(t *testing.T) {
	list := hostile.Harmless(10)
	for n, want := range map[int]int{0: 0, 1: 1, 3: 3, 10: 10, 99: 10, -1: 10} {
		if got := len(noisy(list, n)); got != want {
			t.Errorf("%d of 10: %d scenes", n, got)
		}
	}
	if got := others(list, 9); len(got) != 3 || got[0] != "harmless-00" {
		t.Errorf("others of the last: %v", got)
	}
	if got := others(list[:1], 0); len(got) != 0 {
		t.Errorf("a scene alone has the others %v", got)
	}
}

// A scene whose Build changes from call to call stands for state that leaks
// from one scene into the next.
func TestNoiseIsMeasuredOnTheDevice(t *testing.T) {
	j, err := NewJudge(Judging{Goldens: t.TempDir(), Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	leaked := false
	victim, culprit := hostile.Flat("victim", hostile.Ramp), hostile.Flat("culprit", hostile.Ramp)
	plain, changed, build := victim.Build, hostile.Flat("victim", "color = vec4<f32>(uv, 0.75, 1.0);").Build, culprit.Build
	victim.Build = func(a catalogue.Assets) (*scenes.Scene, error) {
		if leaked {
			leaked = false
			return changed(a)
		}
		return plain(a)
	}
	culprit.Build = func(a catalogue.Assets) (*scenes.Scene, error) { leaked = true; return build(a) }
	n, err := j.Noise(context.Background(), victim, []*catalogue.Entry{culprit})
	if err != nil {
		t.Fatal(err)
	}
	if n.Cause != verdict.LeakedState || n.Worst["mad"] < 20 {
		t.Errorf("%+v", n)
	}
	if n, err = j.Noise(context.Background(), hostile.Flat("good", hostile.Ramp), nil); err != nil || n.Cause != verdict.Repeats || n.Worst["max_diff"] != 0 {
		t.Errorf("%+v, %v", n, err)
	}
}
