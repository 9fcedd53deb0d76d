package parity

import (
	"context"
	"fmt"
	"image"

	"darkroom/goldens/picture"
	"darkroom/parity/metrics"
	"darkroom/parity/verdict"
	"darkroom/scenes/catalogue"
)

// The noise floor of a scene: what its own repeats differ by. Two devices are
// opened for it, so that what differs can be told apart:
//
//	device A: cold, warm, warm again, other scenes, then once more
//	device B: cold, warm
//
// Where the two warm draws of A differ the scene is nondeterministic, and
// nothing else can be said. Otherwise a cold draw that differs from the warm
// one is a cold start, a draw after others that differs is state that leaked
// from them, and a warm draw of B that differs depends on the device's making.

// draws are the pictures of one scene and what each of them is called.
type draws struct {
	names    []string
	pictures []*image.NRGBA
	digests  []string
}

func (d *draws) add(name string, img *image.NRGBA) error {
	digest, err := picture.Digest(img)
	if err != nil {
		return err
	}
	d.names, d.pictures, d.digests = append(d.names, name), append(d.pictures, img), append(d.digests, digest)
	return nil
}

// The draws of a noise measurement by their order.
const (
	coldA = iota
	warmA
	againA
	afterA
	coldB
	warmB
)

// Noise measures how far repeats of a scene are apart; others are drawn
// between them. The judge's own device is not used.
func (j *Judge) Noise(ctx context.Context, e *catalogue.Entry, others []*catalogue.Entry) (*verdict.Noise, error) {
	var d draws
	if err := j.onFreshDevice(func(x *Judge) error {
		for _, name := range []string{"the first on a fresh device", "the second", "the third"} {
			if err := x.drawInto(ctx, &d, name, e); err != nil {
				return err
			}
		}
		for _, o := range others {
			// What another scene cannot do is its own verdict's affair; it may still have left something behind.
			if _, err := x.draw(ctx, o); err != nil && ctx.Err() != nil {
				return err
			}
		}
		return x.drawInto(ctx, &d, fmt.Sprintf("the one after %d other scenes", len(others)), e)
	}); err != nil {
		return nil, err
	}
	if err := j.onFreshDevice(func(x *Judge) error {
		for _, name := range []string{"the first on another fresh device", "the second there"} {
			if err := x.drawInto(ctx, &d, name, e); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return d.noise()
}

func (j *Judge) onFreshDevice(f func(*Judge) error) error {
	x, err := NewJudge(j.Judging)
	if err != nil {
		return err
	}
	defer x.Close()
	return f(x)
}

func (j *Judge) drawInto(ctx context.Context, d *draws, name string, e *catalogue.Entry) error {
	p, err := j.draw(ctx, e)
	if err != nil {
		return fmt.Errorf("%s of the repeats: %w", name, err)
	}
	return d.add(name, p.image)
}

// noise tells the cause and measures the distance of each draw from the warm one.
func (d *draws) noise() (*verdict.Noise, error) {
	n := &verdict.Noise{Draws: len(d.pictures), Worst: map[string]float64{}}
	for _, m := range metrics.Measured() {
		n.Worst[string(m)] = 0
	}
	differ := func(i, j int) bool { return d.digests[i] != d.digests[j] }
	pair := [2]int{warmA, warmA}
	switch {
	case differ(warmA, againA):
		n.Cause, pair[1] = verdict.Nondeterministic, againA
	case differ(coldA, warmA):
		n.Cause, pair[1] = verdict.ColdStart, coldA
	case differ(afterA, warmA):
		n.Cause, pair[1] = verdict.LeakedState, afterA
	case differ(coldB, warmB):
		n.Cause, pair = verdict.ColdStart, [2]int{warmB, coldB}
	case differ(warmB, warmA):
		n.Cause, pair[1] = verdict.DeviceDependent, warmB
	}
	for i := range d.pictures {
		if !differ(i, warmA) {
			continue
		}
		m, err := metrics.Measure(d.pictures[warmA], d.pictures[i], metrics.Options{})
		if err != nil {
			return nil, err
		}
		for metric, v := range m.Values() {
			if v > n.Worst[string(metric)] { // a region without pixels is NaN and says nothing
				n.Worst[string(metric)] = v
			}
		}
	}
	if n.Cause != verdict.Repeats {
		n.Text = fmt.Sprintf("%s: %s differs from %s; the worst of %d draws has MAD %.4g and differs by up to %.4g",
			n.Cause, d.names[pair[1]], d.names[pair[0]], n.Draws, n.Worst[string(metrics.MAD)], n.Worst[string(metrics.MaxDiff)])
	}
	return n, nil
}

// judgeNoise fails a scene whose repeats are further apart than its limits
// allow: it passes or fails by chance.
func judgeNoise(r *verdict.Result) {
	if r.Noise == nil || r.Noise.Cause == verdict.Repeats {
		return
	}
	for _, g := range r.Gates {
		if v := r.Noise.Worst[g.Name]; v > g.Limit {
			r.Verdict = verdict.Worst(r.Verdict, verdict.Mismatch)
			r.Reason = fmt.Sprintf("the scene does not repeat within its limits: %s (%s %.4g, limit %.4g)", r.Noise.Text, g.Name, v, g.Limit)
			return
		}
	}
}

// noisy picks the scenes whose noise a run measures: n of them, evenly over
// the list, or all where n is negative.
func noisy(list catalogue.Catalogue, n int) map[string]bool {
	if n < 0 || n > len(list) {
		n = len(list)
	}
	out := map[string]bool{}
	for i := range n {
		out[list[(2*i+1)*len(list)/(2*n)].Name] = true
	}
	return out
}

// others are up to three scenes that come after one in the list.
func others(list catalogue.Catalogue, i int) []string {
	var out []string
	for k := 1; k < len(list) && len(out) < 3; k++ {
		out = append(out, list[(i+k)%len(list)].Name)
	}
	return out
}
