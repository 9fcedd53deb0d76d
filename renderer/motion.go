package renderer

import (
	"bytes"

	"darkroom/material"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

// previousClip is the mesh field for which the renderer remembers where things were.
const previousClip = "previousClip"

// motion remembers the frame before: its time, what each pass saw and, where
// velocities are asked for, what buffers held.
type motion struct {
	frame       int
	now, before float64                // seconds, of this frame and of the one before
	views       map[string]linalg.Mat4 // view-projection by pass
	worlds      map[moved]linalg.Mat4
	buffers     map[*material.Buffer]*held
}

// held is what a buffer held.
type held struct {
	frame  int              // when it was last asked for
	data   []byte           // then
	before *material.Buffer // what it held in the frame before that: itself, where that is the same, or old
	old    material.Buffer
}

// begin is called ahead of each frame.
func (m *motion) begin(time float64) {
	if m.frame++; m.frame == 1 {
		m.now = time
	}
	m.before, m.now = m.now, time
}

// buffer is b as it was in the frame before. What has not been asked for before
// and what is new at its end held what it holds; what the device writes is not
// remembered. Nothing is kept on the device for what stands still.
func (m *motion) buffer(b *material.Buffer) *material.Buffer {
	if b == nil || len(b.Data) == 0 {
		return b
	}
	h := m.buffers[b]
	if h == nil {
		h = &held{data: bytes.Clone(b.Data), old: material.Buffer{Name: b.Name + " of the frame before"}}
		if m.buffers == nil {
			m.buffers = map[*material.Buffer]*held{}
		}
		m.buffers[b] = h
	}
	if h.frame == m.frame {
		return h.before
	}
	h.frame, h.before = m.frame, b
	if !bytes.Equal(h.data, b.Data) {
		if n := len(h.data); n < len(b.Data) {
			h.data = append(h.data, b.Data[n:]...)
		}
		h.old.Data, h.before = h.data, &h.old
		h.old.Version++
		h.data = bytes.Clone(b.Data)
	}
	return h.before
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
