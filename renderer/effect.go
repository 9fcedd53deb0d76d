package renderer

import (
	"fmt"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/renderer/internal/gpu"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

// effectShader composes the shader of an effect, when first met.
func (x *Session) effectShader(p *scenes.EffectPass, c *material.Context) (*composer.Shader, error) {
	if p.Material == nil {
		return nil, fmt.Errorf("the effect has no material")
	}
	rounding := x.rounding(&p.Attachments, p.Material.State(c))
	k := shaderKey{material: p.Material, pass: "effect " + outputsText(p.Outputs), rounding: roundingText(rounding)}
	if v, ok := p.Material.(material.Versioned); ok {
		k.version = v.ShaderVersion()
	}
	if sh := x.shaders[k]; sh != nil {
		return sh, nil
	}
	t, fr, err := p.Material.Shader(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Material.Label(), err)
	}
	sh, err := composer.Compose(t, fr, composer.Options{OutputLocations: p.Outputs, Rounding: rounding, Limits: x.r.dev.Limits()})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Material.Label(), err)
	}
	x.shaders[k] = sh
	return sh, nil
}

// effectContext is what an effect is asked to draw.
func (x *Session) effectContext(p *scenes.EffectPass) *material.Context {
	return &material.Context{Outputs: p.Outputs, ImageProcessing: x.scene.ImageProcessing, Environment: x.scene.Environment}
}

// effectPass draws a material over the whole target.
func (x *Session) effectPass(enc *gpu.Encoder, p *scenes.EffectPass) error {
	a := p.Attachments
	a.NoDepth = a.Depth == nil
	if a.Samples == 0 {
		a.Samples = 1
	}
	at, err := x.attach(p.Name, &a, false)
	if err != nil {
		return err
	}
	v := &view{view: linalg.Identity(), projection: linalg.Identity(), viewProjection: linalg.Identity()}
	if p.Camera != nil || x.scene.Camera != nil {
		if v, err = x.effectiveView(p.Camera, nil, at.width, at.height, scenes.Viewport{}, !x.scene.StandardZ, false); err != nil {
			return err
		}
	}
	group0, err := x.sceneGroup(v, nil, at, x.scene.ImageProcessing)
	if err != nil {
		return err
	}
	c, sh := x.effectContext(p), x.plans[p].shader
	st := p.Material.State(c)
	st.NoDepthWrite = true
	s := step{count: 3, instances: 1}
	s.fixed(&st)
	s.pipeline, err = x.pipeline(&request{label: p.Name, pass: at.text, shader: sh, state: st, targets: at.targets, depth: at.depth, samples: at.samples})
	if err != nil {
		return fmt.Errorf("%s: %w", p.Material.Label(), err)
	}
	c.System = material.System{View: v.view, Projection: v.projection, ViewProjection: v.viewProjection, Eye: v.eye, Screen: [2]float64{float64(at.width), float64(at.height)}, Time: x.time, Frame: x.frame}
	if err := x.bindDraw(&s, p.Material, nil, sh, c, 0); err != nil {
		return fmt.Errorf("%s: %w", p.Material.Label(), err)
	}
	return x.encode(enc, at, p.Viewport, group0, []step{s})
}
