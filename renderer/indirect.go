package renderer

import (
	"fmt"
	"reflect"

	"darkroom/material"
	"darkroom/renderer/internal/gpu"
)

// indirect asks the features of d whether the device decides how often it is drawn.
func (x *Session) indirect(s *step, d *draw, elements int) error {
	for _, f := range d.features {
		p, ok := f.(material.Indirect)
		if !ok {
			continue
		}
		if !reflect.TypeOf(f).Comparable() {
			return fmt.Errorf("the feature %T is given by value; give a pointer", f)
		}
		shaders, arguments, err := p.Prepare(d.context, elements, x.asked[p])
		if err != nil {
			return err
		}
		if arguments == nil {
			continue
		}
		if s.indirect != nil {
			return fmt.Errorf("two of the mesh's features want to decide how often it is drawn; keep one")
		}
		x.asked[p]++
		if s.indirect, err = x.buffer(arguments); err != nil {
			return fmt.Errorf("buffer %s: %w", arguments.Name, err)
		}
		s.compute = shaders
	}
	return nil
}

// ahead runs what the draws of a pass need to be computed.
func (x *Session) ahead(enc *gpu.Encoder, label string, draws []*draw, steps []step) error {
	for i := range steps {
		if len(steps[i].compute) == 0 {
			continue
		}
		if err := x.compute(enc, label+" "+steps[i].label, steps[i].compute); err != nil {
			return fmt.Errorf("node %s: %w", draws[i].node.Name, err)
		}
	}
	return nil
}
