package mesh

import (
	"math"

	"darkroom/scenes/linalg"
)

// RibbonOptions are the options of [CreateRibbon].
type RibbonOptions struct {
	PathArray       [][]linalg.Vec3 `json:"pathArray"`           // paths of at least two points, of one length unless UVs are given
	CloseArray      bool            `json:"closeArray,omitzero"` // join the last path to the first
	ClosePath       bool            `json:"closePath,omitzero"`  // join the last point of each path to its first
	Offset          int             `json:"offset,omitzero"`     // from a single path, how many points further its other edge is; default and most half of it
	UVs             []linalg.Vec2   `json:"uvs,omitempty"`       // for each vertex; default by distance along and across
	Colors          []linalg.Vec4   `json:"colors,omitempty"`    // r, g, b, a for each vertex
	InvertUV        bool            `json:"invertUV,omitzero"`   // swap U and V of the default ones
	SideOrientation Side            `json:"sideOrientation,omitzero"`
	FrontUVs        *linalg.Vec4    `json:"frontUVs,omitzero"` // u0, v0, u1, v1 of a doubled ribbon's front
	BackUVs         *linalg.Vec4    `json:"backUVs,omitzero"`  // and of its back
}

// CreateRibbon makes a surface between consecutive paths. Closing adds seam
// vertices, with equal normals on both sides of the seam.
func CreateRibbon(o RibbonOptions) (*Geometry, error) {
	c := check{builder: "CreateRibbon"}
	b := ribbon(&c, o)
	if c.err != nil {
		return nil, c.err
	}
	return b.surface("ribbon", c.builder, o)
}

// ribbon checks and builds for every builder that ends in a ribbon.
func ribbon(c *check, o RibbonOptions) *buffers {
	c.side(o.SideOrientation, o.FrontUVs, o.BackUVs)
	if len(o.PathArray) == 0 {
		c.failf("pathArray is empty, want at least one path")
	}
	points := 0.0
	for _, path := range o.PathArray {
		c.path("a path", path, 2)
		points += float64(len(path)) + 1
	}
	c.budget(2*points, 12*points, o.SideOrientation)
	if c.err != nil {
		return nil
	}
	paths := o.PathArray
	if len(paths) == 1 {
		paths = splitPath(c, paths[0], o.Offset)
	}
	if c.err != nil {
		return nil
	}
	r := ribbonMesh{buffers: &buffers{}, paths: paths, o: &o}
	r.points()
	if r.uneven() && len(o.UVs) == 0 {
		c.failf("the paths differ in length, from %d points up; give UVs for all %d vertices", r.shortest, r.count())
	}
	if n := len(o.UVs); n != 0 && n != r.count() {
		c.failf("there are %d UVs for %d vertices", n, r.count())
	}
	if n := len(o.Colors); n != 0 && n != r.count() {
		c.failf("there are %d colours for %d vertices", n, r.count())
	}
	for _, uv := range o.UVs {
		c.finite("a UV", uv[0]+uv[1])
	}
	c.vec4s("colors", o.Colors, len(o.Colors))
	if c.err != nil {
		return nil
	}
	r.texture()
	r.triangles()
	r.computeNormals()
	r.seams()
	for _, color := range o.Colors {
		r.color(color)
	}
	r.sides(o.SideOrientation, o.FrontUVs, o.BackUVs)
	return r.buffers
}

// splitPath makes the two edges of a ribbon from one path.
func splitPath(c *check, path []linalg.Vec3, offset int) [][]linalg.Vec3 {
	half := len(path) / 2
	if offset < 0 {
		c.failf("offset is %d, want 0 for half the path or a number of points", offset)
		return nil
	}
	if offset == 0 || offset > half {
		offset = half
	}
	n := len(path) - offset
	if n < 2 {
		c.failf("a single path has %d points, want at least 3", len(path))
		return nil
	}
	return [][]linalg.Vec3{path[:n], path[offset:]}
}

type ribbonMesh struct {
	*buffers
	o        *RibbonOptions
	paths    [][]linalg.Vec3
	shortest int   // points of the shortest path, without the seam vertex
	start    []int // first vertex of each path, the closing copy of the first included, and the end
	along    [][]float64
}

func (r *ribbonMesh) uneven() bool {
	for _, path := range r.paths {
		if len(path) != r.shortest {
			return true
		}
	}
	return false
}

// path returns path i, where the one after the last is the first again.
func (r *ribbonMesh) path(i int) []linalg.Vec3 { return r.paths[i%len(r.paths)] }

// rows returns the number of paths with the closing copy of the first.
func (r *ribbonMesh) rows() int {
	if r.o.CloseArray {
		return len(r.paths) + 1
	}
	return len(r.paths)
}

// columns returns the points of the shortest path with its seam vertex.
func (r *ribbonMesh) columns() int {
	if r.o.ClosePath {
		return r.shortest + 1
	}
	return r.shortest
}

// points makes the vertices and measures each path at each of them.
func (r *ribbonMesh) points() {
	r.shortest = len(r.paths[0])
	for i := range r.rows() {
		path := r.path(i)
		r.shortest = min(r.shortest, len(path))
		r.start = append(r.start, r.count())
		total := 0.0
		along := []float64{0}
		for j, p := range path {
			r.position(p)
			if j > 0 {
				total = p.Distance(path[j-1]) + total
				along = append(along, total)
			}
		}
		if r.o.ClosePath {
			r.position(path[0])
			along = append(along, path[len(path)-1].Distance(path[0])+total)
		}
		r.along = append(r.along, along)
	}
	r.start = append(r.start, r.count())
}

// texture makes the default UVs, distances over the length of the path (U) and
// over the way across all paths at the same point (V), or takes the given ones.
func (r *ribbonMesh) texture() {
	if len(r.o.UVs) > 0 {
		for _, uv := range r.o.UVs {
			r.tex(uv[0], uv[1])
		}
		return
	}
	rows, columns := r.rows(), r.columns()
	across := make([][]float64, columns)
	for j := range across {
		across[j] = make([]float64, rows)
		for i := 1; i < rows; i++ {
			// Without wrap-around j is a point of every path.
			a, b := r.path(i-1), r.path(i)
			k := j
			if j == r.shortest {
				k = 0
			}
			across[j][i] = b[k].Distance(a[k]) + across[j][i-1]
		}
	}
	part := func(v, total float64) float64 {
		if total == 0 {
			return 0
		}
		return v / total
	}
	for i := range rows {
		for j := range columns {
			u := part(r.along[i][j], r.along[i][len(r.along[i])-1])
			v := part(across[j][i], across[j][rows-1])
			if r.o.InvertUV {
				u, v = v, u
			}
			r.tex(u, v)
		}
	}
}

// triangles joins consecutive paths as far as the shorter of the two goes.
func (r *ribbonMesh) triangles() {
	for i := range r.rows() - 1 {
		a, b := r.start[i], r.start[i+1]
		n := min(b-a, r.start[i+2]-b)
		for j := range n - 1 {
			r.triangle(a+j, b+j, a+j+1)
			r.triangle(b+j+1, a+j+1, b+j)
		}
	}
}

// seams gives both vertices of a seam the mean of their normals.
func (r *ribbonMesh) seams() {
	if r.o.ClosePath {
		for i := range r.paths {
			last := r.start[i+1] - 1
			if i == len(r.paths)-1 {
				// The engine's choice: with a closed array, the end of the closing copy.
				last = r.count() - 1
			}
			r.joinNormals(r.start[i], last)
		}
	}
	if r.o.CloseArray {
		for j := range r.columns() {
			r.joinNormals(r.start[0]+j, r.start[len(r.paths)]+j)
		}
	}
}

func (r *ribbonMesh) joinNormals(i, j int) {
	a, b := r.nor[3*i:3*i+3], r.nor[3*j:3*j+3]
	for k := range 3 {
		a[k] = (a[k] + b[k]) * 0.5
	}
	l := math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2])
	if l == 0 {
		l = 1 // opposite normals; the engine divides by zero
	}
	for k := range 3 {
		a[k] /= l
		b[k] = a[k]
	}
}
