package reference

import (
	"fmt"

	"darkroom/material/skin"
	"darkroom/scenes"
	"darkroom/scenes/export"
	"darkroom/scenes/linalg"
)

// Check returns an error that wraps export.ErrRefused where no document can hold
// the scene, or where Babylon.js lacks what the document holds.
func Check(p *export.Picture) error {
	if err := lacks(p.Scene); err != nil {
		return err
	}
	return export.Check(p)
}

// lacks names what a document holds and Babylon.js does not have.
func lacks(s *scenes.Scene) error {
	return s.Walk(func(n *scenes.Node, _ linalg.Mat4) error {
		if n.Mesh == nil {
			return nil
		}
		for _, f := range n.Mesh.Features {
			if _, ok := f.(*skin.Player); ok {
				return fmt.Errorf("scene %s: node %q mixes baked clips, which Babylon.js cannot, so it %w to it", s.Name, n.Name, export.ErrRefused)
			}
		}
		return nil
	})
}
