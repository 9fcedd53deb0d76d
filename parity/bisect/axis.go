package bisect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"darkroom/parity/metrics"
)

// Factor is one setting that a picture may depend on.
type Factor struct {
	Name  string
	Args  []string // more arguments of the program, e.g. --adapter swiftshader
	Env   []string // more environment, as NAME=VALUE
	Flags []string // more flags of "go build"
}

// AxisOptions of a search over settings.
type AxisOptions struct {
	Axis  string // what the factors are: adapter, backend, driver-env or flag
	Scene string
	// Factors are tried in this order. With Each every one is drawn alone and the
	// list says which part from the reference: alternatives such as adapters. Without it they are settings that can
	// be made together, and the one that changes the picture is searched for by halves.
	Factors []Factor
	Each    bool
	Golden  string // empty: the picture without any factor
	Limits  metrics.Limits
	Repeats int
	// Dir is the checkout that is built; Work, where not empty, keeps the pictures.
	Dir, Work string
	Builder   GoBuilder
	Runner    CommandRunner
}

// AxisResult is what a search over settings found.
type AxisResult struct {
	Axis      string `json:"axis"`
	Scene     string `json:"scene"`
	Reference string `json:"reference"`
	// Culprits are the factors that change the picture. Of settings that can be
	// made together it is the smallest set found that does; every one in it is needed.
	Culprits []string `json:"culprits"`
	// Tested are the verdicts; Commit is the factor's name, or the names joined by +.
	Tested  []Verdict `json:"tested"`
	Renders int       `json:"renders"`
	Builds  int       `json:"builds"`
}

type axisSearch struct {
	AxisOptions
	judge    judge
	res      *AxisResult
	programs map[string]string // by build flags
	serial   int
	seen     map[string]*Verdict
}

// Axis searches for the setting that changes a picture.
func Axis(ctx context.Context, o AxisOptions) (*AxisResult, error) {
	switch {
	case o.Scene == "":
		return nil, fmt.Errorf("bisect: no scene is named; give one")
	case len(o.Factors) == 0:
		return nil, fmt.Errorf("bisect: axis %s has no values to search; name some", o.Axis)
	}
	if o.Limits == nil {
		o.Limits = metrics.DefaultLimits()
	}
	if err := o.Limits.Check(); err != nil {
		return nil, err
	}
	if o.Work == "" {
		tmp, err := os.MkdirTemp("", "darkroom-axis-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(tmp)
		o.Work = tmp
	} else if err := os.MkdirAll(o.Work, 0o755); err != nil {
		return nil, err
	}
	var err error
	for _, p := range []*string{&o.Dir, &o.Work} {
		if *p, err = filepath.Abs(*p); err != nil {
			return nil, err
		}
	}
	s := &axisSearch{AxisOptions: o, judge: judge{reference: o.Golden, limits: o.Limits}, res: &AxisResult{Axis: o.Axis, Scene: o.Scene}, programs: map[string]string{}, seen: map[string]*Verdict{}}
	base, err := s.test(ctx, nil)
	if err != nil {
		return nil, err
	}
	s.res.Reference = s.judge.reference
	if base.Status == Skip {
		return nil, fmt.Errorf("without any factor the scene %s cannot be drawn: %s", o.Scene, oneLine(base.Reason))
	}
	if o.Each {
		for i := range o.Factors {
			v, err := s.test(ctx, []int{i})
			if err != nil {
				return nil, err
			}
			if v.Status == Bad {
				s.res.Culprits = append(s.res.Culprits, o.Factors[i].Name)
			}
		}
		return s.res, nil
	}
	if base.Status == Bad {
		return nil, fmt.Errorf("the scene %s is bad without any factor: %s", o.Scene, base.Reason)
	}
	all := make([]int, len(o.Factors))
	for i := range all {
		all[i] = i
	}
	whole, err := s.test(ctx, all)
	if err != nil {
		return nil, err
	}
	if whole.Status != Bad {
		return nil, fmt.Errorf("with all %d factors the scene %s is %s (MAD %.5f, limit %g): none of them is to blame", len(all), o.Scene, whole.Status, whole.MAD, whole.Limit)
	}
	found, err := s.minimal(ctx, nil, all)
	if err != nil {
		return nil, err
	}
	for _, i := range found {
		s.res.Culprits = append(s.res.Culprits, o.Factors[i].Name)
	}
	return s.res, nil
}

// minimal returns the factors of list that are needed, together with kept, to
// make the picture bad. Kept and list together do. One culprit costs the
// logarithm of the list; several cost that much each (Zeller and Hildebrandt,
// Simplifying and Isolating Failure-Inducing Input, 2002, in the form of
// QuickXplain, Junker 2004).
func (s *axisSearch) minimal(ctx context.Context, kept, list []int) ([]int, error) {
	if len(list) == 1 {
		return list, nil
	}
	a, b := list[:len(list)/2], list[len(list)/2:]
	for _, half := range [][]int{a, b} {
		v, err := s.test(ctx, join(kept, half))
		if err != nil {
			return nil, err
		}
		if v.Status == Bad {
			return s.minimal(ctx, kept, half)
		}
	}
	// Some of either half are needed.
	right, err := s.minimal(ctx, join(kept, a), b)
	if err != nil {
		return nil, err
	}
	// The right ones may do without the left half's help of the others.
	if v, err := s.test(ctx, join(kept, right)); err != nil {
		return nil, err
	} else if v.Status == Bad {
		return right, nil
	}
	left, err := s.minimal(ctx, join(kept, right), a)
	if err != nil {
		return nil, err
	}
	return join(left, right), nil
}

func join(a, b []int) []int { return append(append([]int(nil), a...), b...) }

func (s *axisSearch) test(ctx context.Context, list []int) (*Verdict, error) {
	var names, flags []string
	r := s.Runner
	r.More, r.Env = append([]string(nil), r.More...), append([]string(nil), r.Env...)
	for _, i := range list {
		f := s.Factors[i]
		names, flags = append(names, f.Name), append(flags, f.Flags...)
		r.More, r.Env = append(r.More, f.Args...), append(r.Env, f.Env...)
	}
	name := strings.Join(names, "+")
	if name == "" {
		name = "none"
	}
	if v := s.seen[name]; v != nil {
		return v, nil
	}
	v := &Verdict{Commit: name, Status: Good, Limit: s.Limits[metrics.MAD]}
	err := s.draw(ctx, v, r, flags)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, ErrBuild) || errors.Is(err, ErrDraw) || errors.Is(err, ErrNoScene):
		v.Status, v.Reason = Skip, err.Error()
	case err != nil:
		return nil, fmt.Errorf("factor %s: %w", name, err)
	}
	s.seen[name] = v
	s.res.Tested = append(s.res.Tested, *v)
	s.res.Renders += v.Renders
	s.res.Builds += v.Builds
	return v, nil
}

func (s *axisSearch) draw(ctx context.Context, v *Verdict, r CommandRunner, flags []string) error {
	key := strings.Join(flags, "\x00")
	bin := s.programs[key]
	if bin == "" {
		b := s.Builder
		b.Flags = append(append([]string(nil), b.Flags...), flags...)
		bin = filepath.Join(s.Work, fmt.Sprint("program", len(s.programs)))
		v.Builds = 1
		start := time.Now()
		err := b.Build(ctx, s.Dir, bin)
		v.BuildMS = milliseconds(time.Since(start))
		if err != nil {
			return err
		}
		s.programs[key] = bin
	}
	for range max(1, s.Repeats) {
		s.serial++
		out := filepath.Join(s.Work, fmt.Sprintf("picture-%03d.png", s.serial))
		v.Renders++
		start := time.Now()
		shot, err := r.Render(ctx, bin, s.Dir, s.Scene, out)
		v.RenderMS += milliseconds(time.Since(start))
		if err != nil {
			return err
		}
		v.Repeats++
		if s.judge.reference == "" {
			s.judge.reference = out
		}
		ok, mad, limit, reason, err := s.judge.judge(out, shot)
		if err != nil {
			return err
		}
		if v.Picture == "" || mad >= v.MAD {
			v.Picture, v.MAD = out, mad
		}
		v.Limit = limit
		if !ok {
			v.Status, v.Reason = Bad, reason
			return nil
		}
	}
	return nil
}

// WriteAxisFilm writes the film strip of a search over settings.
func WriteAxisFilm(path string, r *AxisResult, o FilmOptions) error {
	d := filmData{Title: "bisect " + r.Axis + ": " + r.Scene, Headline: "no factor changes the picture", Facts: fmt.Sprintf("builds: %d, renders: %d", r.Builds, r.Renders)}
	if len(r.Culprits) > 0 {
		d.Headline = "changes the picture: " + strings.Join(r.Culprits, ", ")
	}
	for _, v := range r.Tested {
		f, err := frame(r.Reference, v, o)
		if err != nil {
			return err
		}
		f.Name = v.Commit
		d.Frames = append(d.Frames, f)
	}
	return writeFilm(path, d)
}
