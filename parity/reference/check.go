package reference

import (
	"fmt"
	"slices"

	"darkroom/material/surface"
	"darkroom/scenes"
	"darkroom/scenes/export"
	"darkroom/scenes/linalg"
)

// Check returns an error that wraps export.ErrRefused where no document can hold
// the scene, or where Babylon.js lacks what the document holds.
func Check(p *export.Picture) error {
	if err := export.Check(p); err != nil {
		return err
	}
	return lacks(p.Scene)
}

// bufferedLights is how many lights Babylon.js draws with WebGPU: each is a
// uniform buffer, of which a stage is sure of twelve, and the engine needs four.
// More are drawn with WebGL.
const bufferedLights = 8

// storesSurfaces tells whether all that a pass draws is what Babylon.js's
// geometry renderer stores.
func storesSurfaces(p *scenes.ScenePass) bool {
	for name := range p.Outputs {
		if !slices.Contains(surface.Outputs(), name) {
			return false
		}
	}
	return len(p.Outputs) == len(p.Color)
}

// lacks names what a document holds and Babylon.js does not have.
func lacks(s *scenes.Scene) error {
	for _, t := range append(slices.Clone(s.Before), s.Graph...) {
		if p, ok := t.(*scenes.ScenePass); ok && len(p.Color) > 1 && !storesSurfaces(p) {
			return fmt.Errorf("scene %s: task %q draws into %d colour targets at once, and Babylon.js does so only with what it stores of surfaces, so it %w to it", s.Name, p.Name, len(p.Color), export.ErrRefused)
		}
	}
	lights := len(s.Lights)
	if err := s.Walk(func(n *scenes.Node, _ linalg.Mat4) error {
		if n.Light != nil {
			lights++
		}
		return nil
	}); err != nil {
		return err
	}
	if lights > bufferedLights && (s.LargeWorld || len(s.Before)+len(s.Graph) > 0) {
		return fmt.Errorf("scene %s: it has %d lights, and Babylon.js draws more than %d with WebGL alone, where it has neither large worlds nor passes ahead of the picture, so it %w to it", s.Name, lights, bufferedLights, export.ErrRefused)
	}
	return nil
}
