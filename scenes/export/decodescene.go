package export

import (
	"fmt"
	"reflect"

	"darkroom/material"
	"darkroom/scenes"
	"darkroom/scenes/post"
	"darkroom/scenes/transmission"
)

// scene fills s; shadows add their passes themselves.
func (d *decoder) scene(s *scenes.Scene, o object) error {
	rest := object{}
	for k, v := range o {
		if k != "before" && k != "models" {
			rest[k] = v
		}
	}
	if err := d.structure(reflect.ValueOf(s).Elem(), rest, "scene"); err != nil {
		return err
	}
	d.addModels(s)
	if n := gathered(s); n > 0 && s.Jitter == nil {
		s.Jitter = post.Jitter(n)
	}
	features := s.Features
	s.Features = nil
	if o["before"] != nil {
		list, ok := o["before"].([]any)
		if !ok {
			return bad("scene.before", "it is no list")
		}
		for i, x := range list {
			at := fmt.Sprintf("scene.before[%d]", i)
			step, ok := x.(object)
			if !ok {
				return bad(at, "it is no object")
			}
			if step["type"] == "transmission" {
				transmission.Add(s)
				continue
			}
			if step["type"] != "shadow" {
				var task scenes.Task
				if err := d.value(reflect.ValueOf(&task).Elem(), x, at); err != nil {
					return err
				}
				s.Before = append(s.Before, task)
				continue
			}
			var f material.Feature
			if err := d.value(reflect.ValueOf(&f).Elem(), step["shadow"], at+".shadow"); err != nil {
				return err
			}
			caster, ok := f.(interface{ AddTo(*scenes.Scene) error })
			if !ok {
				return bad(at, "the feature that it names casts no shadow")
			}
			if err := caster.AddTo(s); err != nil {
				return bad(at, "%v", err)
			}
		}
	}
	s.Features = append(s.Features, features...)
	return nil
}
