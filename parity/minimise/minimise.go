package minimise

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"darkroom/scenes"
)

// Outcome is what a test of a scene came to.
type Outcome uint8

// Outcomes.
const (
	Agree      Outcome = iota // the sides draw alike
	Differ                    // they do not
	Undrawable                // a side cannot draw the scene
)

// String spells an outcome.
func (o Outcome) String() string { return [...]string{"agree", "differ", "undrawable"}[min(o, 2)] }

// MarshalText implements encoding.TextMarshaler.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Options of Scene.
type Options struct {
	// Build makes the scene anew; every time alike.
	Build func() (*scenes.Scene, error)
	// Foreign are the elements of a side that builds the scene by itself, such as
	// another revision. Those that Build's scene lacks are dropped like its own.
	Foreign []Key
	// Differs compares the sides. s is the scene without the elements dropped; a
	// side that builds the scene by itself drops them with Drop.
	Differs func(ctx context.Context, s *scenes.Scene, dropped []Key) (Outcome, error)
	// Fragments, where set, lists the fragments that a side draws which builds the
	// scene by itself.
	Fragments func(ctx context.Context, dropped []Key) ([]Key, error)
	// MaxTests bounds the calls of Differs; zero means 2000.
	MaxTests int
	// Progress, where set, is called after each test with the elements still in.
	Progress func(tests, left int)
}

// Kept is an element that could not be dropped.
type Kept struct {
	Key
	// Without says what becomes of the smallest scene without the element: the
	// sides Agree, or it is Undrawable.
	Without Outcome `json:"without"`
}

// Result of Scene.
type Result struct {
	Scene *scenes.Scene `json:"-"` // the smallest, built anew
	// Kept are the elements of the smallest scene, All is how many there were.
	Kept    []Kept       `json:"kept"`
	All     int          `json:"all"`
	Dropped map[Kind]int `json:"dropped"`
	// Fragments are the pieces of WGSL that the materials of the smallest scene
	// need to differ, FragmentsDropped how many they do without. Scene has them all.
	Fragments        []Kept `json:"fragments"`
	FragmentsDropped int    `json:"fragments_dropped"`
	Tests            int    `json:"tests"`
	// Complete is false where MaxTests ended the search.
	Complete bool `json:"complete"`
}

// Drop removes elements from a scene that was just built. Those that it does
// not have are passed over.
func Drop(s *scenes.Scene, dropped []Key) {
	gone := map[Key]bool{}
	for _, k := range dropped {
		gone[k] = true
	}
	for _, e := range elements(s) {
		if gone[e.Key] {
			e.drop()
		}
	}
	prune(s)
	filter(s, dropped, nil)
}

// Keys lists the elements of a scene.
func Keys(s *scenes.Scene) []Key {
	var out []Key
	for _, e := range elements(s) {
		out = append(out, e.Key)
	}
	return out
}

// reducer tests subsets of a list of elements.
type reducer struct {
	Options
	all   []Key
	tests int
	seen  map[string]Outcome
}

var errBudget = errors.New("minimise: the number of tests is used up")

// dropped lists the elements that are not kept.
func (r *reducer) dropped(keep []bool) []Key {
	var out []Key
	for i, k := range keep {
		if !k {
			out = append(out, r.all[i])
		}
	}
	return out
}

func (r *reducer) test(ctx context.Context, keep []bool) (Outcome, error) {
	key := make([]byte, len(keep))
	left := 0
	for i, k := range keep {
		if k {
			key[i] = 1
			left++
		}
	}
	if v, ok := r.seen[string(key)]; ok {
		return v, nil
	}
	if r.tests >= r.MaxTests {
		return Agree, errBudget
	}
	if err := ctx.Err(); err != nil {
		return Agree, err
	}
	s, err := r.Build()
	if err != nil {
		return Agree, err
	}
	dropped := r.dropped(keep)
	Drop(s, dropped)
	r.tests++
	v, err := r.Differs(ctx, s, dropped)
	if err != nil {
		return Agree, err
	}
	r.seen[string(key)] = v
	if r.Progress != nil {
		r.Progress(r.tests, left)
	}
	return v, nil
}

// Scene finds a smallest scene that differs, and which fragments of its
// materials the difference needs.
func Scene(ctx context.Context, o Options) (*Result, error) {
	if o.Build == nil || o.Differs == nil {
		return nil, fmt.Errorf("minimise: Build and Differs are needed")
	}
	if o.MaxTests == 0 {
		o.MaxTests = 2000
	}
	s, err := o.Build()
	if err != nil {
		return nil, err
	}
	r := &reducer{Options: o, all: Keys(s), seen: map[string]Outcome{}}
	again, err := o.Build()
	if err != nil {
		return nil, err
	}
	if !slices.Equal(Keys(again), r.all) {
		return nil, fmt.Errorf("scene %s: it has other elements when it is built a second time; a scene must be built alike every time", s.Name)
	}
	for _, k := range o.Foreign {
		if !slices.Contains(r.all, k) {
			r.all = append(r.all, k)
		}
	}
	keep := make([]bool, len(r.all))
	for i := range keep {
		keep[i] = true
	}
	switch v, err := r.test(ctx, keep); {
	case err != nil:
		return nil, err
	case v == Undrawable:
		return nil, fmt.Errorf("scene %s: a side cannot draw it as it is", s.Name)
	case v == Agree:
		return nil, fmt.Errorf("scene %s: the sides do not differ, so there is nothing to cut down; lower the limit", s.Name)
	}
	res := &Result{All: len(r.all), Dropped: map[Kind]int{}, Complete: true}
	err = r.reduce(ctx, keep, Node, Mesh, Light, PostProcess, Pass, Setting, Feature, Part, Texture)
	if err == nil {
		res.Kept, err = r.kept(ctx, keep)
	}
	if errors.Is(err, errBudget) {
		res.Complete, err = false, nil
		for i, k := range keep {
			if k {
				res.Kept = append(res.Kept, Kept{r.all[i], Differ})
			}
		}
	}
	if err != nil {
		return nil, err
	}
	dropped := r.dropped(keep)
	for _, k := range dropped {
		res.Dropped[k.Kind]++
	}
	if res.Scene, err = o.Build(); err != nil {
		return nil, err
	}
	Drop(res.Scene, dropped)
	if res.Complete {
		err = r.fragments(ctx, keep, res)
		if errors.Is(err, errBudget) {
			res.Complete, err = false, nil
		}
	}
	res.Tests = r.tests
	return res, err
}

// fragments does the same with the fragments of the materials that are left.
func (r *reducer) fragments(ctx context.Context, keep []bool, res *Result) error {
	s, err := r.Build()
	if err != nil {
		return err
	}
	dropped := r.dropped(keep)
	Drop(s, dropped)
	var list []Key
	filter(s, nil, &list)
	// Which fragments there are is known once the scene was drawn.
	if v, err := r.Differs(ctx, s, dropped); err != nil || v != Differ {
		return err
	}
	r.tests++
	if r.Options.Fragments != nil {
		more, err := r.Options.Fragments(ctx, dropped)
		if err != nil {
			return err
		}
		for _, k := range more {
			if !slices.Contains(list, k) {
				list = append(list, k)
			}
		}
	}
	f := &reducer{Options: r.Options, all: append(slices.Clone(r.all), list...), tests: r.tests, seen: map[string]Outcome{}}
	whole := slices.Clone(keep)
	for range list {
		whole = append(whole, true)
	}
	defer func() { r.tests = f.tests }()
	if err := f.reduce(ctx, whole, Fragment); err != nil {
		return err
	}
	kept, err := f.kept(ctx, whole)
	if err != nil {
		return err
	}
	for _, k := range kept {
		if k.Kind == Fragment {
			res.Fragments = append(res.Fragments, k)
		}
	}
	res.FragmentsDropped = len(list) - len(res.Fragments)
	return nil
}

// kept says of each element that is kept why it is.
func (r *reducer) kept(ctx context.Context, keep []bool) (out []Kept, err error) {
	for i, k := range keep {
		if !k {
			continue
		}
		try := slices.Clone(keep)
		try[i] = false
		v, err := r.test(ctx, try)
		if err != nil {
			return nil, err
		}
		out = append(out, Kept{r.all[i], v})
	}
	return out, nil
}

// reduce drops one kind after the other, those first that take the most with
// them, until a round drops nothing. What is dropped is taken out of keep.
func (r *reducer) reduce(ctx context.Context, keep []bool, kinds ...Kind) error {
	for {
		dropped := false
		for _, k := range kinds {
			var set []int
			for i, e := range r.all {
				if e.Kind == k && keep[i] {
					set = append(set, i)
				}
			}
			if len(set) == 0 {
				continue
			}
			left, err := ddmin(ctx, set, func(ctx context.Context, in []int) (bool, error) {
				try := slices.Clone(keep)
				for _, i := range set {
					try[i] = false
				}
				for _, i := range in {
					try[i] = true
				}
				v, err := r.test(ctx, try)
				return v == Differ, err
			})
			if err != nil {
				return err
			}
			if len(left) < len(set) {
				dropped = true
				for _, i := range set {
					keep[i] = false
				}
				for _, i := range left {
					keep[i] = true
				}
			}
		}
		if !dropped {
			return nil
		}
	}
}

// Count spells how many elements of each kind were dropped.
func (r *Result) Count() string {
	text := ""
	for _, k := range slices.Sorted(maps.Keys(r.Dropped)) {
		text += fmt.Sprintf(", %d %s", r.Dropped[k], k)
	}
	if text == "" {
		return "nothing"
	}
	return text[2:]
}
