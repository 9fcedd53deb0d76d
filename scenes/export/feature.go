package export

import (
	"encoding/binary"
	"fmt"
	"math"

	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/morph"
	"darkroom/scenes"
	"darkroom/scenes/shadow"
)

// checkInstances wants whole, finite matrices and colours.
func checkInstances(v any) error {
	t := v.(*instances.Thin)
	for _, b := range []struct {
		name string
		b    *material.Buffer
		size int
	}{{"matrices", t.Matrices, 64}, {"colors", t.Colors, 16}} {
		if b.b == nil {
			continue
		}
		if len(b.b.Data) != t.Count*b.size {
			return fmt.Errorf("its %s have %d bytes for %d instances, want %d", b.name, len(b.b.Data), t.Count, t.Count*b.size)
		}
		for i := 0; i < len(b.b.Data); i += 4 {
			if x := float64(math.Float32frombits(binary.LittleEndian.Uint32(b.b.Data[i:]))); math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("number %d of its %s is %g, want a finite number", i/4, b.name, x)
			}
		}
	}
	if t.Matrices == nil {
		return fmt.Errorf("it has no matrices")
	}
	return nil
}

type plainMorph struct {
	Vertices int
	Targets  []morph.Target
	Weights  []float64
}

func packMorph(v any) (any, error) {
	m := v.(*morph.Morph)
	return &plainMorph{m.Vertices(), m.Shapes(), m.Weights}, nil
}

func unpackMorph(v any) (any, error) {
	p := v.(*plainMorph)
	return morph.New(p.Vertices, p.Targets, p.Weights)
}

type plainMap struct {
	shadow.Options
	Light   *scenes.Light
	Casters []*scenes.Node
}

func packMap(v any) (any, error) {
	m := v.(*shadow.Map)
	return &plainMap{m.Options, m.Light, m.Casters}, nil
}

func unpackMap(v any) (any, error) {
	p := v.(*plainMap)
	if p.Light == nil {
		return nil, fmt.Errorf("light is missing")
	}
	return shadow.PCF(p.Light, p.Options, p.Casters...)
}

type plainCascades struct {
	shadow.Options
	Light         *scenes.Light
	Casters       []*scenes.Node
	Count         int
	Lambda, Blend float64
	Stable        bool
	MaxDistance   float64
}

func packCascades(v any) (any, error) {
	k := v.(*shadow.Cascades)
	return &plainCascades{k.Options, k.Light, k.Casters, k.Count, k.Lambda, k.Blend, k.Stable, k.MaxDistance}, nil
}

func unpackCascades(v any) (any, error) {
	p := v.(*plainCascades)
	if p.Light == nil {
		return nil, fmt.Errorf("light is missing")
	}
	k, err := shadow.CSM(p.Light, p.Options, p.Casters...)
	if err != nil {
		return nil, err
	}
	k.Count, k.Lambda, k.Blend, k.Stable, k.MaxDistance = p.Count, p.Lambda, p.Blend, p.Stable, p.MaxDistance
	return k, nil
}

type plainExponential struct {
	shadow.Options
	shadow.Softness
	Light   *scenes.Light
	Casters []*scenes.Node
}

func packExponential(v any) (any, error) {
	m := v.(*shadow.Exponential)
	return &plainExponential{m.Options, m.Softness, m.Light, m.Casters}, nil
}

func unpackExponential(v any) (any, error) {
	p := v.(*plainExponential)
	if p.Light == nil {
		return nil, fmt.Errorf("light is missing")
	}
	return shadow.ESM(p.Light, p.Options, p.Softness, p.Casters...)
}

// maker is what made tasks ahead of the main pass and keeps them up to date: a
// shadow, or the picture behind glass.
type maker interface {
	scenes.Updater
	Tasks() []scenes.Task
}

// step is a task ahead of the main pass, or a maker in place of its tasks.
type step struct {
	task  scenes.Task
	maker maker
}

// steps takes what makers added out of a scene and returns what is ahead of
// the main pass.
func steps(s *scenes.Scene) ([]step, error) {
	var out []step
	owner := map[scenes.Task]maker{}
	own := map[any]bool{}
	for i, u := range s.Updaters {
		m, ok := u.(maker)
		if !ok {
			return nil, refuse(fmt.Sprintf("scene.updaters[%d]", i), "a %T is Go code, and a document holds data only", u)
		}
		own[u] = true
		for _, t := range m.Tasks() {
			owner[t] = m
		}
	}
	s.Updaters = nil
	var features []material.Feature
	for _, f := range s.Features {
		if !own[f] {
			features = append(features, f)
		}
	}
	s.Features = features
	done := map[maker]bool{}
	for _, t := range s.Before {
		switch m := owner[t]; {
		case m == nil:
			out = append(out, step{task: t})
		case !done[m]:
			done[m] = true
			out = append(out, step{maker: m})
		}
	}
	s.Before = nil
	return out, nil
}
