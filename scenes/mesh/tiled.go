package mesh

import (
	"cmp"
	"math"

	"darkroom/scenes/linalg"
)

// TilePattern says which tiles show the texture turned round; the engine's numbers.
type TilePattern uint8

const (
	NoFlip            TilePattern = iota
	FlipTile                      // every other tile mirrored left to right
	RotateTile                    // every other tile by half a turn
	FlipRow                       // every other row mirrored
	RotateRow                     // every other row by half a turn
	FlipAndRotateTile             // every other tile mirrored top to bottom
	FlipAndRotateRow              // every other row mirrored top to bottom
)

func (p TilePattern) byTile() bool { return p == FlipTile || p == RotateTile || p == FlipAndRotateTile }
func (p TilePattern) byRow() bool  { return p == FlipRow || p == RotateRow || p == FlipAndRotateRow }

// turned reports whether a piece shows the texture turned round, given whether
// it does under a pattern by tile and under one by row.
func (p TilePattern) turned(tile, row bool) bool {
	return p.byTile() && tile || p.byRow() && row
}

// Align says where whole tiles lie when they do not fill the plane; the engine's numbers.
type Align uint8

const (
	AlignCenter Align = iota
	AlignLeft         // horizontal only
	AlignRight        // horizontal only
	AlignTop          // vertical only
	AlignBottom       // vertical only
)

// TiledPlaneOptions are the options of [CreateTiledPlane].
type TiledPlaneOptions struct {
	Size            float64      `json:"size,omitzero"`       // default 1
	Width           float64      `json:"width,omitzero"`      // default Size
	Height          float64      `json:"height,omitzero"`     // default Size
	TileSize        float64      `json:"tileSize,omitzero"`   // default 1
	TileWidth       float64      `json:"tileWidth,omitzero"`  // default TileSize
	TileHeight      float64      `json:"tileHeight,omitzero"` // default TileSize
	Pattern         TilePattern  `json:"pattern,omitzero"`
	AlignHorizontal Align        `json:"alignHorizontal,omitzero"` // AlignCenter, AlignLeft or AlignRight
	AlignVertical   Align        `json:"alignVertical,omitzero"`   // AlignCenter, AlignTop or AlignBottom
	SideOrientation Side         `json:"sideOrientation,omitzero"`
	FrontUVs        *linalg.Vec4 `json:"frontUVs,omitzero"` // u0, v0, u1, v1 of a doubled plane's front
	BackUVs         *linalg.Vec4 `json:"backUVs,omitzero"`  // and of its back
}

// CreateTiledPlane makes a rectangle in the XY plane that faces -Z, of tiles
// with vertices of their own and all of the texture, and of parts of tiles
// where whole ones do not fit. Its vertices are white.
func CreateTiledPlane(o TiledPlaneOptions) (*Geometry, error) {
	c := check{builder: "CreateTiledPlane"}
	c.side(o.SideOrientation, o.FrontUVs, o.BackUVs)
	b := tiledPlane(&c, o)
	if c.err != nil {
		return nil, c.err
	}
	for range b.count() {
		b.color(linalg.Vec4{1, 1, 1, 1})
	}
	b.sides(o.SideOrientation, o.FrontUVs, o.BackUVs)
	return b.surface("tiledPlane", c.builder, o)
}

// tileGrid is a plane's whole tiles and the parts of tiles about them: offset
// is the size of a part, start and end the plane's edges, adjust how far all
// of it moves to be about the origin again.
type tileGrid struct {
	*buffers
	pattern     TilePattern
	nx, ny      int
	tile, half  linalg.Vec2
	offset      linalg.Vec2
	start, end  linalg.Vec2
	adjust      linalg.Vec2
	left, right bool // there are parts on this side
	bottom, top bool
}

// tiledPlane builds the front of a tiled plane, without colours.
func tiledPlane(c *check, o TiledPlaneOptions) *buffers {
	c.size("size", o.Size)
	c.size("width", o.Width)
	c.size("height", o.Height)
	c.size("tileSize", o.TileSize)
	c.size("tileWidth", o.TileWidth)
	c.size("tileHeight", o.TileHeight)
	if o.Pattern > FlipAndRotateRow {
		c.failf("pattern is %d, want 0 to %d", o.Pattern, FlipAndRotateRow)
	}
	if o.AlignHorizontal > AlignRight {
		c.failf("alignHorizontal is %d, want AlignCenter, AlignLeft or AlignRight", o.AlignHorizontal)
	}
	if o.AlignVertical != AlignCenter && o.AlignVertical != AlignTop && o.AlignVertical != AlignBottom {
		c.failf("alignVertical is %d, want AlignCenter, AlignTop or AlignBottom", o.AlignVertical)
	}
	width, height := cmp.Or(o.Width, o.Size, 1), cmp.Or(o.Height, o.Size, 1)
	tile := linalg.Vec2{cmp.Or(o.TileWidth, o.TileSize, 1), cmp.Or(o.TileHeight, o.TileSize, 1)}
	nx, ny := math.Floor(width/tile[0]), math.Floor(height/tile[1])
	pieces := (nx + 2) * (ny + 2)
	c.budget(4*pieces, 6*pieces, o.SideOrientation)
	if c.err != nil {
		return nil
	}
	g := tileGrid{
		buffers: newBuffers(int(4*pieces), int(6*pieces)),
		pattern: o.Pattern,
		nx:      int(nx),
		ny:      int(ny),
		tile:    tile,
		half:    linalg.Vec2{tile[0] * nx / 2, tile[1] * ny / 2},
		offset:  linalg.Vec2{width - nx*tile[0], height - ny*tile[1]},
	}
	if g.offset[0] > 0 || g.offset[1] > 0 {
		before := [2]bool{o.AlignHorizontal != AlignLeft, o.AlignVertical != AlignBottom}
		after := [2]bool{o.AlignHorizontal != AlignRight, o.AlignVertical != AlignTop}
		for k := range 2 {
			g.start[k], g.end[k] = -g.half[k], g.half[k]
			if before[k] && after[k] {
				g.offset[k] /= 2
			}
			if before[k] {
				g.start[k] -= g.offset[k]
			}
			if after[k] {
				g.end[k] += g.offset[k]
			}
			if !before[k] {
				g.adjust[k] = -g.offset[k] / 2
			}
			if !after[k] {
				g.adjust[k] = g.offset[k] / 2
			}
		}
		g.left, g.right = g.offset[0] > 0 && before[0], g.offset[0] > 0 && after[0]
		g.bottom, g.top = g.offset[1] > 0 && before[1], g.offset[1] > 0 && after[1]
	}
	g.whole()
	g.corners()
	g.edges()
	return g.buffers
}

// piece makes a quad from (x0, y0) to (x1, y1) that shows the texture from
// (u0, v0) to (u1, v1), or the same turned round.
func (g *tileGrid) piece(x0, y0, x1, y1, u0, v0, u1, v1 float64, turned bool) {
	if turned {
		switch g.pattern {
		case FlipTile, FlipRow, RotateTile, RotateRow:
			u0, u1 = 1-u0, 1-u1
		}
		switch g.pattern {
		case FlipAndRotateTile, FlipAndRotateRow, RotateTile, RotateRow:
			v0, v1 = 1-v0, 1-v1
		}
	}
	x0, x1 = x0+g.adjust[0], x1+g.adjust[0]
	y0, y1 = y0+g.adjust[1], y1+g.adjust[1]
	n := g.count()
	ahead := linalg.Vec3{0, 0, -1}
	g.vertex(linalg.Vec3{x0, y0, 0}, ahead, u0, v0)
	g.vertex(linalg.Vec3{x1, y0, 0}, ahead, u1, v0)
	g.vertex(linalg.Vec3{x1, y1, 0}, ahead, u1, v1)
	g.vertex(linalg.Vec3{x0, y1, 0}, ahead, u0, v1)
	g.triangle(n, n+1, n+3)
	g.triangle(n+1, n+2, n+3)
}

// x and y return the edge before tile i.
func (g *tileGrid) x(i int) float64 { return -g.half[0] + float64(i)*g.tile[0] }
func (g *tileGrid) y(i int) float64 { return -g.half[1] + float64(i)*g.tile[1] }

func odd(i int) bool { return i%2 == 1 }

func (g *tileGrid) whole() {
	for y := range g.ny {
		for x := range g.nx {
			g.piece(g.x(x), g.y(y), g.x(x+1), g.y(y+1), 0, 0, 1, 1, g.pattern.turned(odd(x+y), odd(y)))
		}
	}
}

func (g *tileGrid) corners() {
	u, v := g.offset[0]/g.tile[0], g.offset[1]/g.tile[1]
	if g.bottom && g.left {
		g.piece(g.start[0], g.start[1], -g.half[0], g.start[1]+g.offset[1], 1-u, 1-v, 1, 1,
			g.pattern.turned(false, true))
	}
	if g.bottom && g.right {
		g.piece(g.half[0], g.start[1], g.end[0], g.start[1]+g.offset[1], 0, 1-v, u, 1,
			g.pattern.turned(!odd(g.nx), true))
	}
	if g.top && g.left {
		// RotateTile turns this corner also where the pattern would not; the engine's choice.
		g.piece(g.start[0], g.half[1], -g.half[0], g.end[1], 1-u, 0, 1, v,
			g.pattern.turned(!odd(g.ny) || g.pattern == RotateTile, odd(g.ny)))
	}
	if g.top && g.right {
		g.piece(g.half[0], g.half[1], g.end[0], g.end[1], 0, 0, u, v,
			g.pattern.turned(odd(g.nx+g.ny), odd(g.ny)))
	}
}

func (g *tileGrid) edges() {
	u, v := g.offset[0]/g.tile[0], g.offset[1]/g.tile[1]
	if g.bottom {
		for x := range g.nx {
			g.piece(g.x(x), g.start[1], g.x(x+1), g.start[1]+g.offset[1], 0, 1-v, 1, 1,
				g.pattern.turned(odd(x+1), true))
		}
	}
	if g.top {
		for x := range g.nx {
			g.piece(g.x(x), g.end[1]-g.offset[1], g.x(x+1), g.end[1], 0, 0, 1, v,
				g.pattern.turned(odd(x+g.ny), odd(g.ny)))
		}
	}
	if g.left {
		for y := range g.ny {
			g.piece(g.start[0], g.y(y), g.start[0]+g.offset[0], g.y(y+1), 1-u, 0, 1, 1,
				g.pattern.turned(odd(y+1), odd(y)))
		}
	}
	if g.right {
		for y := range g.ny {
			// The engine divides by the tile's height here.
			g.piece(g.end[0]-g.offset[0], g.y(y), g.end[0], g.y(y+1), 0, 0, g.offset[0]/g.tile[1], 1,
				g.pattern.turned(odd(y+g.nx), odd(y)))
		}
	}
}

// TiledBoxOptions are the options of [CreateTiledBox].
type TiledBoxOptions struct {
	Size            float64       `json:"size,omitzero"`       // default 1
	Width           float64       `json:"width,omitzero"`      // along X; default Size
	Height          float64       `json:"height,omitzero"`     // along Y; default Size
	Depth           float64       `json:"depth,omitzero"`      // along Z; default Size
	TileSize        float64       `json:"tileSize,omitzero"`   // default 1
	TileWidth       float64       `json:"tileWidth,omitzero"`  // default TileSize
	TileHeight      float64       `json:"tileHeight,omitzero"` // default TileSize
	Pattern         TilePattern   `json:"pattern,omitzero"`
	AlignHorizontal Align         `json:"alignHorizontal,omitzero"`
	AlignVertical   Align         `json:"alignVertical,omitzero"`
	FaceUV          []linalg.Vec4 `json:"faceUV,omitempty"`     // u0, v0, u1, v1 of each tile on +Z, -Z, +X, -X, +Y, -Y; default all of the texture
	FaceColors      []linalg.Vec4 `json:"faceColors,omitempty"` // r, g, b, a in the same order, white where missing; empty: no colours
	SideOrientation Side          `json:"sideOrientation,omitzero"`
}

// CreateTiledBox makes a box about the origin of six tiled planes.
func CreateTiledBox(o TiledBoxOptions) (*Geometry, error) {
	c := check{builder: "CreateTiledBox"}
	c.size("size", o.Size)
	c.size("width", o.Width)
	c.size("height", o.Height)
	c.size("depth", o.Depth)
	c.size("tileSize", o.TileSize)
	c.size("tileWidth", o.TileWidth)
	c.size("tileHeight", o.TileHeight)
	c.vec4s("faceUV", o.FaceUV, 6)
	c.vec4s("faceColors", o.FaceColors, 6)
	c.side(o.SideOrientation, nil, nil)
	w, h, d := cmp.Or(o.Width, o.Size, 1), cmp.Or(o.Height, o.Size, 1), cmp.Or(o.Depth, o.Size, 1)
	lying := o.AlignVertical
	switch lying {
	case AlignTop:
		lying = AlignBottom
	case AlignBottom:
		lying = AlignTop
	}
	faces := [6]struct {
		width, height float64
		vertical      Align
		turn          linalg.Mat4
		move          linalg.Vec3
	}{
		{w, h, o.AlignVertical, linalg.RotationY(math.Pi), linalg.Vec3{0, 0, d / 2}},
		{w, h, o.AlignVertical, linalg.Identity(), linalg.Vec3{0, 0, -d / 2}},
		{d, h, o.AlignVertical, linalg.RotationY(-math.Pi / 2), linalg.Vec3{w / 2, 0, 0}},
		{d, h, o.AlignVertical, linalg.RotationY(math.Pi / 2), linalg.Vec3{-w / 2, 0, 0}},
		{w, d, lying, linalg.RotationX(math.Pi / 2), linalg.Vec3{0, h / 2, 0}},
		{w, d, lying, linalg.RotationX(-math.Pi / 2), linalg.Vec3{0, -h / 2, 0}},
	}
	// All six together must stay within the budget that each checks for itself.
	tw, th := cmp.Or(o.TileWidth, o.TileSize, 1), cmp.Or(o.TileHeight, o.TileSize, 1)
	pieces := 0.0
	for _, f := range faces {
		pieces += (f.width/tw + 2) * (f.height/th + 2)
	}
	c.budget(4*pieces, 6*pieces, o.SideOrientation)
	if c.err != nil {
		return nil, c.err
	}
	all := &buffers{}
	for i, f := range faces {
		b := tiledPlane(&c, TiledPlaneOptions{
			Size: o.Size, Width: f.width, Height: f.height,
			TileSize: o.TileSize, TileWidth: o.TileWidth, TileHeight: o.TileHeight,
			Pattern: o.Pattern, AlignHorizontal: o.AlignHorizontal, AlignVertical: f.vertical,
		})
		if c.err != nil {
			return nil, c.err
		}
		// Each plane is doubled by itself, so that its back follows it.
		b.sides(o.SideOrientation, nil, nil)
		intoRect(b.uv, faceUV(o.FaceUV, i))
		base := uint32(all.count())
		for _, v := range b.idx {
			all.idx = append(all.idx, base+v)
		}
		turn := f.turn.Round32()
		for v := range b.count() {
			all.position(turn.TransformPoint(vec3At(b.pos, uint32(v))).Add(f.move))
			all.normal(turn.TransformNormal(vec3At(b.nor, uint32(v))))
			if len(o.FaceColors) > 0 {
				all.color(faceColor(o.FaceColors, i))
			}
		}
		all.uv = append(all.uv, b.uv...)
	}
	return all.surface("tiledBox", c.builder, o)
}
