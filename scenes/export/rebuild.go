package export

import "darkroom/scenes/mesh"

// Builds reports whether a geometry is, to the bit, what its builder makes of
// the options that it names: one that was changed afterwards is not.
func Builds(g *mesh.Geometry) bool {
	if g.Builder == nil {
		return false
	}
	made, _ := rebuild(g.Builder)
	return made != nil && same(made, g)
}
