package scenes

import (
	"darkroom/material"
	"darkroom/material/texture"
)

// Task is one step of the frame graph. Tasks run in the order of the list;
// what one draws into, a later one may sample.
type Task interface {
	// Label names the task in errors, captures and reports.
	Label() string
	isTask()
}

// Attachments are what a pass draws into.
type Attachments struct {
	// Color are render targets by location; a nil slice is the canvas, an
	// empty one no colour at all (depth only). A nil entry is not written.
	Color []*texture.Texture
	// View of each colour target, where not the whole of it (a cube's face, a mip).
	Views []material.View
	// Depth is a depth texture to keep; nil: a transient one where the pass
	// needs depth.
	Depth *texture.Texture
	// DepthView selects the layer of Depth.
	DepthView material.View
	// NoDepth leaves out the transient depth, which is depth24plus-stencil8.
	NoDepth bool
	// Samples of the attachments; zero means the scene's for the canvas and the
	// target's own otherwise.
	Samples int
	// LoadColor and LoadDepth keep what earlier tasks drew instead of clearing it.
	LoadColor, LoadDepth bool
	// Clear is the clear colour; nil means the scene's. Clears are those of each
	// colour target, where they differ; a nil entry means Clear.
	Clear  *Color4
	Clears []*Color4
	// Outputs gives the location of each named output; nil: color at 0.
	Outputs map[string]int
}

// ScenePass draws the scene's meshes.
type ScenePass struct {
	Name string
	Attachments
	// Camera looks; nil means the scene's.
	Camera *Camera
	// View, where set, gives view and projection directly (shadow maps).
	View *ViewProjection
	// Only, where not nil, are the nodes that are drawn; Except are not.
	Only, Except []*Node
	// Override replaces every mesh's material; Casters prefers Mesh.Caster.
	Override material.Material
	Casters  bool
	// OverrideFor replaces the material of single meshes.
	OverrideFor map[*Node]material.Material
	// Features are added to every draw.
	Features []material.Feature
	// StandardZ draws with near 0, far 1 and compare less-equal.
	StandardZ bool
	// Viewport in fractions of the target; zero means the camera's.
	Viewport Viewport
	// CanvasAspect projects with the canvas's aspect ratio instead of the
	// target's, as the reference engine does for a target with its own camera.
	CanvasAspect bool
	// ImageProcessing of this pass; nil means the scene's.
	ImageProcessing *material.ImageProcessing
	// Linear leaves the image processing to a later pass.
	Linear bool
	// FlipY draws the picture upside down, as the reference engine does for
	// targets that are sampled with V up.
	FlipY bool
	// SceneColor is what materials that let light through show behind them; nil
	// for none. SkipReaders leaves such materials out: the pass draws that picture.
	SceneColor  *texture.Texture
	SkipReaders bool
	// SkipTransparent leaves out what blends, SkipOpaque what does not.
	SkipTransparent, SkipOpaque bool
}

// ViewProjection is an explicit point of view.
type ViewProjection struct {
	View, Projection [16]float64
	Eye              [3]float64
	Near, Far        float64
}

// EffectPass draws a material over the whole target: post-processes, blurs,
// generated textures. The material's vertex stage must make its own triangle.
type EffectPass struct {
	Name string
	Attachments
	Material material.Material
	Camera   *Camera // whose matrices the effect sees; nil means the scene's
	Viewport Viewport
	// Process, where not nil, names the known post-process that Material is.
	Process *Process `hash:"-"`
}

// Process is a known post-process as data, so that a document can say which one
// a pass draws, and another engine can draw its own: its name, its settings by
// name, and the textures that it reads.
type Process struct {
	Name   string
	Values map[string][]float64
	Inputs map[string]*texture.Texture
}

// CopyPass copies one texture to another of the same size and format.
type CopyPass struct {
	Name     string
	From, To *texture.Texture
}

// ComputePass runs a compute shader.
type ComputePass struct {
	Name    string
	Compute material.Compute
}

// Label implements Task.
func (p *ScenePass) Label() string { return p.Name }

// Label implements Task.
func (p *EffectPass) Label() string { return p.Name }

// Label implements Task.
func (p *CopyPass) Label() string { return p.Name }

// Label implements Task.
func (p *ComputePass) Label() string { return p.Name }

func (*ScenePass) isTask()   {}
func (*EffectPass) isTask()  {}
func (*CopyPass) isTask()    {}
func (*ComputePass) isTask() {}
