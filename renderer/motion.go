package renderer

import (
	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

// previousClip is the mesh field for which the renderer remembers where things were.
const previousClip = "previousClip"

// motion remembers what each pass saw in the frame before.
type motion struct {
	views  map[string]linalg.Mat4 // view-projection by pass
	worlds map[moved]linalg.Mat4
}

type moved struct {
	pass string
	node *scenes.Node
}

// previous takes positions of this frame to the clip space of the last, as if
// d's node had carried them: previous view-projection × previous world ×
// inverse of the world. Nothing has moved in the first frame.
func (m *motion) previous(pass string, d *draw, v *view) linalg.Mat4 {
	if m.worlds == nil {
		m.views, m.worlds = map[string]linalg.Mat4{}, map[moved]linalg.Mat4{}
	}
	world := linalg.Mat4(d.context.System.World)
	k := moved{pass, d.node}
	before, ok := m.worlds[k]
	m.worlds[k] = world
	seen, known := m.views[pass]
	back, turns := world.Inverse()
	if !ok || !known || !turns {
		return v.viewProjection
	}
	return seen.Mul(before).Mul(back)
}

// saw remembers the view of a pass, once its draws are prepared.
func (m *motion) saw(pass string, v *view) {
	if m.views != nil {
		m.views[pass] = v.viewProjection
	}
}
