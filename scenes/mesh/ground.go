package mesh

import (
	"cmp"
	"fmt"

	"darkroom/scenes/linalg"
)

// GroundOptions are the options of [CreateGround].
type GroundOptions struct {
	Size          float64 `json:"size,omitzero"`          // default 1
	Width         float64 `json:"width,omitzero"`         // along X; default Size
	Height        float64 `json:"height,omitzero"`        // along Z; default Size
	Subdivisions  int     `json:"subdivisions,omitzero"`  // quads along each edge; default 1
	SubdivisionsX int     `json:"subdivisionsX,omitzero"` // default Subdivisions
	SubdivisionsY int     `json:"subdivisionsY,omitzero"` // along Z; default Subdivisions
}

// CreateGround makes a level grid about the origin that faces up. Rows run
// from +Z to -Z, V from 1 to 0 with them.
func CreateGround(o GroundOptions) (*Geometry, error) {
	c := check{builder: "CreateGround"}
	c.size("size", o.Size)
	c.size("width", o.Width)
	c.size("height", o.Height)
	c.count("subdivisions", o.Subdivisions, 1)
	c.count("subdivisionsX", o.SubdivisionsX, 1)
	c.count("subdivisionsY", o.SubdivisionsY, 1)
	width, height := cmp.Or(o.Width, o.Size, 1), cmp.Or(o.Height, o.Size, 1)
	nx := cmp.Or(o.SubdivisionsX, o.Subdivisions, 1)
	ny := cmp.Or(o.SubdivisionsY, o.Subdivisions, 1)
	c.budget((float64(nx)+1)*(float64(ny)+1), 6*float64(nx)*float64(ny), FrontSide)
	if c.err != nil {
		return nil, c.err
	}
	b := newBuffers((nx+1)*(ny+1), 6*nx*ny)
	fx, fy := float64(nx), float64(ny)
	for row := range ny + 1 {
		for col := range nx + 1 {
			b.vertex(linalg.Vec3{
				float64(col)*width/fx - width/2,
				0,
				float64(ny-row)*height/fy - height/2,
			}, linalg.Vec3{0, 1, 0}, float64(col)/fx, 1-float64(row)/fy)
		}
	}
	for row := range ny {
		for col := range nx {
			i := col + row*(nx+1)
			j := i + nx + 1
			b.triangle(j+1, i+1, i)
			b.triangle(j, j+1, i)
		}
	}
	return b.surface("ground", c.builder, o)
}

// TileCount is a number of tiles or quads across (W, along X) and up (H, along Z).
type TileCount struct {
	W int `json:"w"`
	H int `json:"h"`
}

// TiledGroundOptions are the options of [CreateTiledGround].
type TiledGroundOptions struct {
	XMin         *float64  `json:"xmin,omitzero"`         // default -1
	ZMin         *float64  `json:"zmin,omitzero"`         // default -1
	XMax         *float64  `json:"xmax,omitzero"`         // default 1
	ZMax         *float64  `json:"zmax,omitzero"`         // default 1
	Subdivisions TileCount `json:"subdivisions,omitzero"` // tiles; default 1x1
	Precision    TileCount `json:"precision,omitzero"`    // quads in each tile; default 1x1
}

// CreateTiledGround makes a level grid of tiles, each with vertices of its own
// and all of the texture.
func CreateTiledGround(o TiledGroundOptions) (*Geometry, error) {
	c := check{builder: "CreateTiledGround"}
	edge := func(name string, v *float64, def float64) float64 {
		if v == nil {
			return def
		}
		c.finite(name, *v)
		return *v
	}
	xmin, zmin := edge("xmin", o.XMin, -1), edge("zmin", o.ZMin, -1)
	xmax, zmax := edge("xmax", o.XMax, 1), edge("zmax", o.ZMax, 1)
	if xmin >= xmax || zmin >= zmax {
		c.failf("the ground from (%g, %g) to (%g, %g) has no area, want xmin < xmax and zmin < zmax", xmin, zmin, xmax, zmax)
	}
	for _, n := range []struct {
		name string
		TileCount
	}{{"subdivisions", o.Subdivisions}, {"precision", o.Precision}} {
		c.count(n.name+".w", n.W, 1)
		c.count(n.name+".h", n.H, 1)
	}
	tiles := TileCount{cmp.Or(o.Subdivisions.W, 1), cmp.Or(o.Subdivisions.H, 1)}
	quads := TileCount{cmp.Or(o.Precision.W, 1), cmp.Or(o.Precision.H, 1)}
	nt := float64(tiles.W) * float64(tiles.H)
	fw, fh := float64(quads.W), float64(quads.H)
	c.budget(nt*(fw+1)*(fh+1), 6*nt*fw*fh, FrontSide)
	if c.err != nil {
		return nil, c.err
	}
	b := newBuffers(int(nt)*(quads.W+1)*(quads.H+1), 6*int(nt)*quads.W*quads.H)
	dx, dz := (xmax-xmin)/float64(tiles.W), (zmax-zmin)/float64(tiles.H)
	stride := quads.W + 1
	for tileRow := range tiles.H {
		for tileCol := range tiles.W {
			x0, x1 := xmin+float64(tileCol)*dx, xmin+float64(tileCol+1)*dx
			z0, z1 := zmin+float64(tileRow)*dz, zmin+float64(tileRow+1)*dz
			base := b.count()
			for row := range quads.H {
				for col := range quads.W {
					i := base + col + row*stride
					b.triangle(i+1, i+stride+1, i+stride)
					b.triangle(i, i+1, i+stride)
				}
			}
			for row := range quads.H + 1 {
				z := float64(row)*(z1-z0)/fh + z0
				for col := range quads.W + 1 {
					x := float64(col)*(x1-x0)/fw + x0
					b.vertex(linalg.Vec3{x, 0, z}, linalg.Vec3{0, 1, 0}, float64(col)/fw, float64(row)/fh)
				}
			}
		}
	}
	return b.surface("tiledGround", c.builder, o)
}

// HeightMap is a decoded picture of heights, rows from the top.
type HeightMap struct {
	Width, Height int    // pixels
	Channels      int    // 1 for grey, 4 for R, G, B, A
	Pixels        []byte // Width*Height*Channels
}

// rgba returns the channels in 0…1 of the pixel that holds x, y, or of the
// nearest at the edge.
func (m *HeightMap) rgba(fx, fy float64) (r, g, b, a float64) {
	x := min(max(int(fx), 0), m.Width-1)
	y := min(max(int(fy), 0), m.Height-1)
	i := (x + y*m.Width) * m.Channels
	if m.Channels == 1 {
		v := float64(m.Pixels[i]) / 255
		return v, v, v, 1
	}
	p := m.Pixels[i : i+4]
	return float64(p[0]) / 255, float64(p[1]) / 255, float64(p[2]) / 255, float64(p[3]) / 255
}

func (m *HeightMap) validate() error {
	if m.Channels != 1 && m.Channels != 4 {
		return fmt.Errorf("the height map has %d channels, want 1 or 4", m.Channels)
	}
	if m.Width < 1 || m.Height < 1 || m.Width > 1<<16 || m.Height > 1<<16 {
		return fmt.Errorf("the height map is %dx%d pixels, want 1 to 65536 each way", m.Width, m.Height)
	}
	if want := m.Width * m.Height * m.Channels; len(m.Pixels) != want {
		return fmt.Errorf("the height map has %d bytes, want %d for %dx%dx%d", len(m.Pixels), want, m.Width, m.Height, m.Channels)
	}
	return nil
}

// HeightMapGroundOptions are the options of [CreateGroundFromHeightMap].
type HeightMapGroundOptions struct {
	Width        float64      `json:"width,omitzero"`        // along X; default 10
	Height       float64      `json:"height,omitzero"`       // along Z; default 10
	Subdivisions int          `json:"subdivisions,omitzero"` // quads along each edge; default 1
	MinHeight    float64      `json:"minHeight,omitzero"`    // of black
	MaxHeight    float64      `json:"maxHeight,omitzero"`    // of white; default 1
	ColorFilter  *linalg.Vec3 `json:"colorFilter,omitzero"`  // weights of r, g, b; default 0.3, 0.59, 0.11
	AlphaFilter  float64      `json:"alphaFilter,omitzero"`  // triangles with a less opaque corner are left out
}

// hole is how far below the lowest height the engine puts a vertex that is
// left out; its Epsilon.
const hole = 0.001

// CreateGroundFromHeightMap makes a grid about the origin whose heights are
// read from a picture, without interpolation between pixels. When MinHeight
// exceeds MaxHeight the two and the picture's brightness swap, which gives the
// same slopes the other way up.
func CreateGroundFromHeightMap(m HeightMap, o HeightMapGroundOptions) (*Geometry, error) {
	c := check{builder: "CreateGroundFromHeightMap"}
	c.size("width", o.Width)
	c.size("height", o.Height)
	c.count("subdivisions", o.Subdivisions, 1)
	c.finite("minHeight", o.MinHeight)
	c.finite("maxHeight", o.MaxHeight)
	c.fraction("alphaFilter", o.AlphaFilter)
	filter := linalg.Vec3{0.3, 0.59, 0.11}
	if o.ColorFilter != nil {
		filter = *o.ColorFilter
		c.path("colorFilter", []linalg.Vec3{filter}, 1)
	}
	if err := m.validate(); err != nil {
		c.failf("%v", err)
	}
	n := cmp.Or(o.Subdivisions, 1)
	fn := float64(n)
	c.budget((fn+1)*(fn+1), 6*fn*fn, FrontSide)
	if c.err != nil {
		return nil, c.err
	}
	width, height := cmp.Or(o.Width, 10), cmp.Or(o.Height, 10)
	lo, hi := o.MinHeight, cmp.Or(o.MaxHeight, 1)
	invert := lo > hi
	if invert {
		lo, hi = hi, lo
	}
	b := newBuffers((n+1)*(n+1), 6*n*n)
	for row := range n + 1 {
		for col := range n + 1 {
			x := float64(col)*width/fn - width/2
			z := float64(n-row)*height/fn - height/2
			red, green, blue, alpha := m.rgba(
				(x+width/2)/width*float64(m.Width-1),
				(1-(z+height/2)/height)*float64(m.Height-1))
			if invert {
				red, green, blue = 1-red, 1-green, 1-blue
			}
			y := lo - hole
			if alpha >= o.AlphaFilter {
				y = lo + (hi-lo)*(red*filter[0]+green*filter[1]+blue*filter[2])
			}
			b.position(linalg.Vec3{x, y, z})
			b.tex(float64(col)/fn, 1-float64(row)/fn)
		}
	}
	seen := func(i int) bool { return b.pos[3*i+1] >= lo }
	for row := range n {
		for col := range n {
			i := col + row*(n+1)
			j := i + n + 1
			if !seen(i) || !seen(j+1) {
				continue
			}
			if seen(i + 1) {
				b.triangle(j+1, i+1, i)
			}
			if seen(j) {
				b.triangle(j, j+1, i)
			}
		}
	}
	b.computeNormals()
	return b.surface("ground", c.builder, o)
}
