// Package scenes describes scenes as data: nodes, meshes, cameras, lights,
// environment, animation and the order of the passes. A scene is a value built
// by a function; nothing in it holds a GPU object, and a mesh, light or camera
// never knows its scene.
package scenes

import (
	"darkroom/material"
	"darkroom/material/texture"
)

// Color3 is a linear or display-space colour, as the field that holds it says.
type Color3 = [3]float64

// Color4 is a colour with alpha.
type Color4 = [4]float64

// defaultClear is the reference engine's clear colour, in display space.
var defaultClear = Color4{0.2, 0.2, 0.3, 1}

// Scene is everything that a picture shows and how it is drawn.
type Scene struct {
	Name string
	// Clear is the colour of the canvas before anything is drawn, as written
	// to the target (display space). New sets the reference engine's default.
	Clear Color4
	// Ambient is multiplied with the materials' ambient colours.
	Ambient Color3
	// Roots are the top nodes of the hierarchy.
	Roots []*Node
	// Camera is the one that the default pass looks through.
	Camera *Camera
	// Lights are those without a node; Node.Light adds more.
	Lights []*Light

	Fog             Fog
	Environment     *material.Environment
	ImageProcessing material.ImageProcessing

	// Animations are evaluated at the time of the picture.
	Animations []*Animation
	// Skeletons are the poses that skinned meshes follow.
	Skeletons []*Skeleton
	// Animate, where set, moves the scene to t seconds after the animations
	// were applied. It must depend on t and the scene alone.
	Animate func(s *Scene, t float64) error

	// Features are added to every draw of the main pass (shadows received, …).
	Features []material.Feature
	// Updaters run before every frame, after the animations: what follows the
	// scene, such as the point of view of a shadow map.
	Updaters []Updater
	// Before are tasks that run ahead of the main pass (shadow maps, render targets).
	Before []Task
	// SceneColor is what materials that let light through show behind them in
	// the default pass. A task in Before draws it; see package transmission.
	SceneColor *texture.Texture
	// Graph, where not nil, replaces the default "main pass to the canvas".
	Graph []Task

	// LargeWorld keeps matrices in float64 and draws relative to the eye. Without
	// it matrices are rounded to float32 after each operation, as the reference
	// engine does by default.
	LargeWorld bool
	// Samples is the MSAA sample count of the canvas; zero means 4.
	Samples int
	// StandardZ draws the main pass with near 0 and far 1 instead of reverse-Z.
	StandardZ bool
	// Frames is how many frames are drawn before the picture is taken (temporal
	// effects); zero means 1. Time stands still unless Step is set.
	Frames int
	// Step is the time between those frames in seconds.
	Step float64
	// Jitter, where set, gives the sub-pixel offset of the projection in pixels per frame.
	Jitter func(frame int) [2]float64

	// Models say which parts of the scene came from which files, so that another
	// engine can be handed the files. They change no picture.
	Models []*Model `hash:"-"`
}

// Model is a part of a scene that was loaded from a file.
type Model struct {
	Name string
	// Path of the file, or its content where there is no path.
	Path string
	Data []byte
	// Scene is the file's own that was added, Variant that of its materials.
	Scene   int
	Variant string

	Root       *Node
	Animations []*Animation
	Skeletons  []*Skeleton
}

// Updater brings something up to date with the scene; width and height are
// those of the canvas in pixels.
type Updater interface {
	Update(s *Scene, width, height int) error
}

// New returns an empty scene with the reference engine's defaults.
func New(name string) *Scene { return &Scene{Name: name, Clear: defaultClear} }

// Add puts nodes under the scene's root and returns the last one.
func (s *Scene) Add(nodes ...*Node) *Node {
	s.Roots = append(s.Roots, nodes...)
	if len(nodes) == 0 {
		return nil
	}
	return nodes[len(nodes)-1]
}

// AddLight appends lights that hang on no node.
func (s *Scene) AddLight(lights ...*Light) { s.Lights = append(s.Lights, lights...) }

// FogMode says how fog thickens with distance.
type FogMode uint8

// Fog modes, numbered as in the reference engine.
const (
	FogNone   FogMode = 0
	FogExp    FogMode = 1
	FogExp2   FogMode = 2
	FogLinear FogMode = 3
)

// Fog fades what is far into a colour.
type Fog struct {
	Mode       FogMode
	Color      Color3
	Density    float64 // of the exponential modes
	Start, End float64 // of the linear mode, scene units
}
