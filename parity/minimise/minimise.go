package minimise

import (
	"context"
	"fmt"

	"darkroom/scenes"
)

// Options of Scene.
type Options struct {
	// Build makes the scene anew; every time alike.
	Build func() (*scenes.Scene, error)
	// Differs says whether the difference is there. A scene that cannot be drawn
	// is none that differs: return false and no error, unless nothing can be drawn.
	Differs func(ctx context.Context, s *scenes.Scene) (bool, error)
	// MaxTests bounds the calls of Differs; zero means 2000.
	MaxTests int
	// Progress, where set, is called after each test with the elements still in.
	Progress func(tests, left int)
}

// Result of Scene.
type Result struct {
	Scene *scenes.Scene `json:"-"` // the smallest, built anew
	// Kept are the elements without which the difference goes away: of a material's
	// it says which of them it needs. All is how many there were.
	Kept    []Element    `json:"kept"`
	All     int          `json:"all"`
	Dropped map[Kind]int `json:"dropped"`
	Tests   int          `json:"tests"`
	// Complete is false where MaxTests ended the search.
	Complete bool `json:"complete"`
}

type reducer struct {
	Options
	tests int
	seen  map[string]bool
}

// with builds the scene with the given elements and no others.
func (r *reducer) with(keep []bool) (*scenes.Scene, []Element, error) {
	s, err := r.Build()
	if err != nil {
		return nil, nil, err
	}
	list := elements(s)
	if len(list) != len(keep) {
		return nil, nil, fmt.Errorf("scene %s: it has %d elements, and had %d when it was built before; a scene must be built alike every time", s.Name, len(list), len(keep))
	}
	var kept []Element
	for i, e := range list {
		if keep[i] {
			kept = append(kept, e)
		} else {
			e.drop()
		}
	}
	prune(s)
	return s, kept, nil
}

var errBudget = fmt.Errorf("minimise: the number of tests is used up")

func (r *reducer) fails(ctx context.Context, keep []bool) (bool, error) {
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
		return false, errBudget
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	s, _, err := r.with(keep)
	if err != nil {
		return false, err
	}
	r.tests++
	v, err := r.Differs(ctx, s)
	if err != nil {
		return false, err
	}
	r.seen[string(key)] = v
	if r.Progress != nil {
		r.Progress(r.tests, left)
	}
	return v, nil
}

// Scene finds a smallest scene that differs.
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
	list := elements(s)
	r := &reducer{Options: o, seen: map[string]bool{}}
	keep := make([]bool, len(list))
	for i := range keep {
		keep[i] = true
	}
	ok, err := r.fails(ctx, keep)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("scene %s: the sides do not differ, so there is nothing to cut down; lower the limit", s.Name)
	}
	res := &Result{All: len(list), Dropped: map[Kind]int{}, Complete: true}
	err = r.reduce(ctx, list, keep)
	if err == errBudget {
		res.Complete, err = false, nil
	}
	if err != nil {
		return nil, err
	}
	if res.Scene, res.Kept, err = r.with(keep); err != nil {
		return nil, err
	}
	for i, e := range list {
		if !keep[i] {
			res.Dropped[e.Kind]++
		}
	}
	res.Tests = r.tests
	return res, nil
}

// reduce drops one kind after the other, those first that take the most with
// them, until a round drops nothing.
func (r *reducer) reduce(ctx context.Context, list []Element, keep []bool) error {
	for {
		dropped := false
		for _, k := range []Kind{Mesh, Light, PostProcess, Pass, Setting, Feature, Fragment, Texture} {
			var set []int
			for i, e := range list {
				if e.Kind == k && keep[i] {
					set = append(set, i)
				}
			}
			if len(set) == 0 {
				continue
			}
			left, err := ddmin(ctx, set, func(ctx context.Context, in []int) (bool, error) {
				try := append([]bool(nil), keep...)
				for _, i := range set {
					try[i] = false
				}
				for _, i := range in {
					try[i] = true
				}
				return r.fails(ctx, try)
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
