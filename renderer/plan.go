package renderer

import (
	"fmt"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// plan is what is known of a pass without the device: who is drawn, with which
// shaders, through which view. All passes of a frame are planned before the
// first reaches the device, so that what a user got wrong is said while nothing
// has been uploaded or drawn.
type plan struct {
	view   *view
	draws  []*draw
	lights []placedLight
	shader *composer.Shader // of an effect
}

// Prepare composes the shaders and makes the pipelines of the frame at t seconds
// without drawing it, so that the first picture finds them ready.
func (x *Session) Prepare(t float64) error {
	x.frame, x.time = 0, t
	fail := func(err error) error { return fmt.Errorf("scene %s: %w", x.scene.Name, err) }
	if err := x.scene.Seek(t); err != nil {
		return err
	}
	if err := x.update(); err != nil {
		return err
	}
	tasks := x.tasks()
	if err := checkGraph(x.scene, tasks); err != nil {
		return fail(err)
	}
	if err := x.planFrame(tasks); err != nil {
		return fail(err)
	}
	for _, t := range tasks {
		p, ok := t.(*scenes.ScenePass)
		if !ok {
			continue
		}
		at, err := x.attach(p.Name, &p.Attachments, x.reverse(p))
		if err != nil {
			return fail(fmt.Errorf("pass %s: %w", p.Name, err))
		}
		for _, d := range x.plans[t].draws {
			if _, err := x.pipeline(d.request(p, at, x.reverse(p))); err != nil {
				return fail(fmt.Errorf("pass %s: node %s: %s: %w", p.Name, d.node.Name, d.material.Label(), err))
			}
		}
	}
	return nil
}

// planFrame plans every task.
func (x *Session) planFrame(tasks []scenes.Task) error {
	if x.plans == nil {
		x.plans = map[scenes.Task]*plan{}
	}
	clear(x.plans)
	checked := map[material.Checked]bool{}
	check := func(m material.Material) error {
		c, ok := m.(material.Checked)
		if !ok || checked[c] {
			return nil
		}
		checked[c] = true
		if err := c.Check(); err != nil {
			return fmt.Errorf("%s: %w", m.Label(), err)
		}
		return nil
	}
	for _, t := range tasks {
		if x.plans[t] != nil {
			continue
		}
		p, err := x.planTask(t, check)
		if err != nil {
			return fmt.Errorf("pass %s: %w", t.Label(), err)
		}
		x.plans[t] = p
	}
	return nil
}

func (x *Session) planTask(t scenes.Task, check func(material.Material) error) (*plan, error) {
	out := &plan{}
	var err error
	switch p := t.(type) {
	case *scenes.ScenePass:
		w, h := x.passSize(&p.Attachments)
		if p.CanvasAspect {
			w, h = x.set.Width, x.set.Height
		}
		if out.view, err = x.effectiveView(p.Camera, p.View, w, h, x.viewport(p), x.reverse(p), p.FlipY); err != nil {
			return nil, err
		}
		if out.draws, out.lights, err = x.collectDraws(p, out.view); err != nil {
			return nil, err
		}
		for _, d := range out.draws {
			if err := check(d.material); err != nil {
				return nil, fmt.Errorf("node %s: %w", d.node.Name, err)
			}
		}
	case *scenes.EffectPass:
		if out.shader, err = x.effectShader(p, x.effectContext(p)); err != nil {
			return nil, err
		}
		err = check(p.Material)
	}
	return out, err
}

// reverse reports a pass whose depth is 1 at the near plane.
func (x *Session) reverse(p *scenes.ScenePass) bool { return !p.StandardZ && !x.scene.StandardZ }

// viewport is the part of the target that a pass draws into.
func (x *Session) viewport(p *scenes.ScenePass) scenes.Viewport {
	cam := p.Camera
	if cam == nil {
		cam = x.scene.Camera
	}
	if p.Viewport == (scenes.Viewport{}) && cam != nil {
		return cam.Viewport
	}
	return p.Viewport
}

// passSize is the size that attach will find for a pass.
func (x *Session) passSize(a *scenes.Attachments) (w, h int) {
	size := func(t *texture.Texture, mip int) bool {
		if t == nil {
			return false
		}
		target, ok := t.Source.(*texture.Target)
		if ok {
			w, h = x.targetSize(target)
			w, h = max(1, w>>mip), max(1, h>>mip)
		}
		return ok
	}
	for i, t := range a.Color {
		mip := 0
		if i < len(a.Views) {
			mip = a.Views[i].BaseMip
		}
		if size(t, mip) {
			return w, h
		}
	}
	if a.Color != nil && size(a.Depth, 0) {
		return w, h
	}
	return x.set.Width, x.set.Height
}
