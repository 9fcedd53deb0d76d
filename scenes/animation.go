package scenes

import (
	"fmt"
	"math"
	"sort"

	"darkroom/scenes/linalg"
)

// Interpolation says how a track goes from key to key.
type Interpolation uint8

// Interpolations.
const (
	Linear Interpolation = iota
	Step
	Cubic // glTF CUBICSPLINE: each key holds in-tangent, value, out-tangent
)

// Path says which property of a target a track drives.
type Path string

// The properties that tracks can drive. Of a node: position, scaling, rotation
// (quaternion), euler and their components; of a camera rig or light likewise
// through Set.
const (
	PathPosition  Path = "position"
	PathPositionX Path = "position.x"
	PathPositionY Path = "position.y"
	PathPositionZ Path = "position.z"
	PathScaling   Path = "scaling"
	PathRotation  Path = "rotation" // quaternion
	PathEuler     Path = "euler"
	PathEulerX    Path = "euler.x"
	PathEulerY    Path = "euler.y"
	PathEulerZ    Path = "euler.z"
	PathVisible   Path = "visible"
	PathCustom    Path = "custom" // through Track.Set
)

// Track drives one property over time.
type Track struct {
	Node *Node
	Path Path
	// Times in seconds, ascending; Values has the path's width per key (three
	// times as much for Cubic).
	Times  []float64
	Values []float64
	Interp Interpolation
	// Set receives the value of a custom track; Width is its number of values.
	Set   func(v []float64)
	Width int
	// Name says what a custom track drives, for messages and export.
	Name string
}

// Loop says what an animation does after its end.
type Loop uint8

// Loops.
const (
	LoopRepeat Loop = iota
	LoopOnce        // holds the last value
)

// Animation is a clip: tracks that play together.
type Animation struct {
	Name   string
	Tracks []*Track
	// From and To in seconds bound the clip; To 0 means the last key.
	From, To float64
	// Speed is a factor; zero means 1. Start delays the clip by seconds.
	Speed, Start float64
	Loop         Loop
	// Weight blends clips that drive one property: nil means 1. It may depend
	// on the scene's time, which makes cross-fades.
	Weight *Fade
	// Stopped clips are not applied.
	Stopped bool
}

// Fade is a weight that goes linearly from From to To between Start and
// Start+Duration seconds of scene time.
type Fade struct{ From, To, Start, Duration float64 }

// ConstantWeight returns a weight that does not change.
func ConstantWeight(w float64) *Fade { return &Fade{From: w, To: w} }

// At returns the weight at t seconds.
func (f *Fade) At(t float64) float64 {
	if f == nil {
		return 1
	}
	if f.Duration <= 0 || t >= f.Start+f.Duration {
		return f.To
	}
	if t <= f.Start {
		return f.From
	}
	return f.From + (f.To-f.From)*(t-f.Start)/f.Duration
}

// width is how many values the path takes.
func (t *Track) width() int {
	switch t.Path {
	case PathPosition, PathScaling, PathEuler:
		return 3
	case PathRotation:
		return 4
	case PathCustom:
		return t.Width
	case PathPositionX, PathPositionY, PathPositionZ, PathEulerX, PathEulerY, PathEulerZ, PathVisible:
		return 1
	}
	return 0
}

// Validate checks that the track's keys make sense.
func (t *Track) Validate() error {
	if t == nil {
		return fmt.Errorf("a track is nil; remove it")
	}
	w := t.width()
	if t.Interp == Cubic {
		w *= 3
	}
	switch {
	case len(t.Times) == 0:
		return fmt.Errorf("track %s has no keys", t.label())
	case len(t.Values) != w*len(t.Times):
		return fmt.Errorf("track %s: %d values for %d keys, want %d each", t.label(), len(t.Values), len(t.Times), w)
	case !sort.Float64sAreSorted(t.Times):
		return fmt.Errorf("track %s: its times do not ascend", t.label())
	case t.Path == PathCustom && w < 1:
		return fmt.Errorf("track %s: its Width is %d, want at least 1", t.label(), w)
	case w == 0:
		return fmt.Errorf("track %s: there is no such path", t.label())
	case t.Path == PathCustom && t.Set == nil:
		return fmt.Errorf("track %s: it has no Set to call", t.label())
	case t.Path != PathCustom && t.Node == nil:
		return fmt.Errorf("track %s: has no node to drive", t.label())
	}
	for i, v := range t.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("track %s: value %d is not finite", t.label(), i)
		}
	}
	return nil
}

func (t *Track) label() string {
	if t.Node != nil {
		return t.Node.Name + "." + string(t.Path)
	}
	return t.Name + "." + string(t.Path)
}

// Sample evaluates the track at time x (seconds in the clip) into out.
func (t *Track) Sample(x float64, out []float64) {
	w := t.width()
	n := len(t.Times)
	key := func(i, part int) []float64 {
		if t.Interp == Cubic {
			o := (i*3 + part) * w
			return t.Values[o : o+w]
		}
		return t.Values[i*w : i*w+w]
	}
	i := sort.SearchFloat64s(t.Times, x) // first key at or after x
	switch {
	case i < n && t.Times[i] == x:
		copy(out, key(i, 1))
		return
	case i == 0:
		copy(out, key(0, 1))
		return
	case i == n:
		copy(out, key(n-1, 1))
		return
	}
	i--
	a, b := key(i, 1), key(i+1, 1)
	dt := t.Times[i+1] - t.Times[i]
	u := (x - t.Times[i]) / dt
	switch t.Interp {
	case Step:
		copy(out, a)
	case Cubic:
		// glTF 2.0, appendix C.
		ta, tb := key(i, 2), key(i+1, 0)
		u2, u3 := u*u, u*u*u
		for k := range out[:w] {
			out[k] = (2*u3-3*u2+1)*a[k] + dt*(u3-2*u2+u)*ta[k] + (-2*u3+3*u2)*b[k] + dt*(u3-u2)*tb[k]
		}
	default:
		if t.Path == PathRotation {
			q := linalg.Quat(a[:4]).Slerp(linalg.Quat(b[:4]), u)
			copy(out, q[:])
			return
		}
		for k := range out[:w] {
			out[k] = a[k] + (b[k]-a[k])*u
		}
	}
	if t.Path == PathRotation {
		q := linalg.Quat(out[:4]).Normalize()
		copy(out, q[:])
	}
}

// end is where the clip ends, in its own seconds.
func (a *Animation) end() float64 {
	to := a.To
	if to == 0 {
		for _, tr := range a.Tracks {
			if n := len(tr.Times); n > 0 {
				to = math.Max(to, tr.Times[n-1])
			}
		}
	}
	return to
}

// clipTime maps scene time to time in the clip.
func (a *Animation) clipTime(t float64) float64 {
	to := a.end()
	speed := a.Speed
	if speed == 0 {
		speed = 1
	}
	x := (t - a.Start) * speed
	if x < 0 {
		x = 0
	}
	span := to - a.From
	if span <= 0 {
		return a.From
	}
	if x > span {
		if a.Loop == LoopOnce {
			x = span
		} else if x = math.Mod(x, span); x == 0 {
			x = span
		}
	}
	return a.From + x
}

// Seek brings the scene to t seconds: it evaluates the animations, blends
// those that drive one property by weight, calls Animate and brings skins and
// mounted cameras up to date. It starts from the values that the tracks give,
// so seeking is repeatable in any order.
func (s *Scene) Seek(t float64) error {
	type key struct {
		node *Node
		path Path
		set  *Track
	}
	type sum struct {
		value  []float64
		weight float64
		track  *Track
		blends int
	}
	sums := map[key]*sum{}
	var order []key
	for i, a := range s.Animations {
		if a == nil {
			return fmt.Errorf("scene %s: animation %d is nil; remove it", s.Name, i)
		}
		if a.Stopped {
			continue
		}
		w := a.Weight.At(t)
		if w == 0 {
			continue
		}
		for _, tr := range a.Tracks {
			if err := tr.Validate(); err != nil {
				return fmt.Errorf("scene %s: animation %s: %w", s.Name, a.Name, err)
			}
		}
		x := a.clipTime(t)
		for _, tr := range a.Tracks {
			k := key{tr.Node, tr.Path, nil}
			if tr.Path == PathCustom {
				k.set = tr
			}
			v := make([]float64, tr.width())
			tr.Sample(x, v)
			acc := sums[k]
			if acc == nil {
				acc = &sum{value: make([]float64, len(v)), track: tr}
				sums[k] = acc
				order = append(order, k)
			}
			if tr.Path == PathRotation && acc.blends > 0 {
				// The reference engine blends rotations by slerp in the order of the clips.
				acc.weight += w
				q := linalg.Quat(acc.value).Slerp(linalg.Quat(v), w/acc.weight)
				copy(acc.value, q[:])
			} else if tr.Path == PathRotation {
				copy(acc.value, v)
				acc.weight = w
			} else {
				for i := range v {
					acc.value[i] += v[i] * w
				}
				acc.weight += w
			}
			acc.blends++
		}
	}
	for _, k := range order {
		acc := sums[k]
		// Weights that sum to less than 1 leave the rest to the rest pose, as
		// in the reference engine; more than 1 is normalised.
		if k.path != PathRotation && acc.weight > 1 {
			for i := range acc.value {
				acc.value[i] /= acc.weight
			}
		}
		acc.track.apply(acc.value)
	}
	if s.Animate != nil {
		if err := s.Animate(s, t); err != nil {
			return err
		}
	}
	return s.pose()
}

func (t *Track) apply(v []float64) {
	n := t.Node
	switch t.Path {
	case PathPosition:
		n.Position = linalg.Vec3(v)
	case PathPositionX, PathPositionY, PathPositionZ:
		n.Position[t.Path[len(t.Path)-1]-'x'] = v[0]
	case PathScaling:
		n.Scaling = linalg.Vec3(v)
	case PathRotation:
		q := linalg.Quat(v)
		n.Quaternion = &q
	case PathEuler:
		n.Rotation = linalg.Vec3(v)
	case PathEulerX, PathEulerY, PathEulerZ:
		n.Rotation[t.Path[len(t.Path)-1]-'x'] = v[0]
	case PathVisible:
		n.Hidden = v[0] == 0
	case PathCustom:
		t.Set(v)
	}
}
