// Package mikktspace computes vertex tangents as normal maps are baked for:
// Mikkelsen 2008, "Simulation of Wrinkled Surfaces Revisited", and the order
// of operations of its reference implementation for triangles, so that results
// agree with it. glTF 2.0 asks for it where a mesh has no tangents.
package mikktspace

import (
	"fmt"
	"math"
	"slices"
)

// Mesh is a list of triangles over vertices.
type Mesh struct {
	Positions [][3]float32
	Normals   [][3]float32 // of length one
	UVs       [][2]float32
	Indices   []uint32 // three a triangle; nil means that the vertices are the corners
}

// Tangents returns a tangent for each corner, that is for each index: a unit
// vector across the normal along which U grows, and ±1 such that the bitangent
// is w · cross(normal, tangent) for texture coordinates whose V grows upwards.
// glTF's V grows downwards: negate w for a glTF TANGENT.
//
// Corners of one vertex may get different tangents, at seams that mirror the
// texture; Split tells them apart. A corner that nothing determines gets
// (1, 0, 0).
func Tangents(m *Mesh) ([][4]float32, error) {
	n := len(m.Positions)
	if len(m.Normals) != n || len(m.UVs) != n {
		return nil, fmt.Errorf("mikktspace: %d positions, %d normals and %d texture coordinates; want as many of each", n, len(m.Normals), len(m.UVs))
	}
	indices := m.Indices
	if indices == nil {
		indices = make([]uint32, n)
		for i := range indices {
			indices[i] = uint32(i)
		}
	}
	if len(indices)%3 != 0 {
		return nil, fmt.Errorf("mikktspace: %d indices are not whole triangles", len(indices))
	}
	if len(indices) > math.MaxInt32 {
		return nil, fmt.Errorf("mikktspace: %d indices are more than %d", len(indices), math.MaxInt32)
	}
	for i, v := range indices {
		if int64(v) >= int64(n) {
			return nil, fmt.Errorf("mikktspace: index %d is %d, there are %d vertices", i, v, n)
		}
	}
	s := &solver{mesh: m, corner: weld(m, indices)}
	s.triangles()
	s.neighbours()
	s.groups()
	out := make([][4]float32, len(indices))
	for i := range out {
		out[i] = [4]float32{1, 0, 0, -1}
	}
	s.solve(out)
	s.degenerate(out)
	return out, nil
}

// weld gives each corner the first vertex that is used and has the same
// position, normal and texture coordinates.
func weld(m *Mesh, indices []uint32) []int32 {
	type key struct {
		p, n [3]float32
		uv   [2]float32
	}
	first := make(map[key]int32, len(m.Positions))
	to := make([]int32, len(m.Positions))
	for i := range to {
		to[i] = -1
	}
	out := make([]int32, len(indices))
	for i, v := range indices {
		if to[v] < 0 {
			to[v] = int32(v)
			k := key{m.Positions[v], m.Normals[v], m.UVs[v]}
			if k == k { // not with a NaN, which the map could not find again
				if f, ok := first[k]; ok {
					to[v] = f
				} else {
					first[k] = int32(v)
				}
			}
		}
		out[i] = to[v]
	}
	return out
}

// triangle is what is known of one.
type triangle struct {
	neighbour [3]int32 // across the edge from a corner to the next, -1 for none
	group     [3]int32 // that a corner belongs to, -1 for none
	s, t      vec      // directions in which U and V grow
	// preserving: the texture is not mirrored. any: it determines nothing, and
	// goes with any neighbour. dead: two corners are at one place.
	preserving, any, dead bool
}

// group is the corners about a vertex that are joined by edges and not mirrored
// against each other.
type group struct {
	vertex     int32
	preserving bool
	faces      []int32
}

type solver struct {
	mesh   *Mesh
	corner []int32 // welded vertex of each corner
	tris   []triangle
	list   []group
}

func (s *solver) position(corner int) vec { return s.mesh.Positions[s.corner[corner]] }

// triangles computes the directions of each triangle.
func (s *solver) triangles() {
	s.tris = make([]triangle, len(s.corner)/3)
	for f := range s.tris {
		t := &s.tris[f]
		*t = triangle{neighbour: [3]int32{-1, -1, -1}, group: [3]int32{-1, -1, -1}, any: true}
		p0, p1, p2 := s.position(3*f), s.position(3*f+1), s.position(3*f+2)
		if p0 == p1 || p0 == p2 || p1 == p2 {
			t.dead = true
			continue
		}
		u0, u1, u2 := s.mesh.UVs[s.corner[3*f]], s.mesh.UVs[s.corner[3*f+1]], s.mesh.UVs[s.corner[3*f+2]]
		x1, y1 := u1[0]-u0[0], u1[1]-u0[1]
		x2, y2 := u2[0]-u0[0], u2[1]-u0[1]
		d1, d2 := p1.sub(p0), p2.sub(p0)
		area := float32(x1*y2) - float32(y1*x2) // twice the signed area in the texture
		os := d1.scale(y2).sub(d2.scale(y1))
		ot := d1.scale(-x2).add(d2.scale(x1))
		t.preserving = area > 0
		if !notZero(area) {
			continue
		}
		ls, lt := os.length(), ot.length()
		sign := float32(-1)
		if t.preserving {
			sign = 1
		}
		if notZero(ls) {
			t.s = os.scale(sign / ls)
		}
		if notZero(lt) {
			t.t = ot.scale(sign / lt)
		}
		abs := float32(math.Abs(float64(area)))
		t.any = !notZero(ls/abs) || !notZero(lt/abs)
	}
}

// neighbours pairs triangles that share an edge and run along it in opposite
// directions; of several, those with the smallest numbers.
func (s *solver) neighbours() {
	type edge struct {
		low, high int32
		corner    int32 // that it leaves from
	}
	edges := make([]edge, 0, len(s.corner))
	for f := range s.tris {
		if s.tris[f].dead {
			continue
		}
		for i := range 3 {
			a, b := s.corner[3*f+i], s.corner[3*f+(i+1)%3]
			edges = append(edges, edge{min(a, b), max(a, b), int32(3*f + i)})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		switch {
		case a.low != b.low:
			return int(a.low - b.low)
		case a.high != b.high:
			return int(a.high - b.high)
		}
		return int(a.corner - b.corner)
	})
	// The n-th edge of one direction pairs with the n-th of the other: looking for the
	// first that is free, edge by edge, comes to the same.
	var forth, back []int32
	for i := 0; i < len(edges); {
		forth, back = forth[:0], back[:0]
		j := i
		for ; j < len(edges) && edges[j].low == edges[i].low && edges[j].high == edges[i].high; j++ {
			if s.corner[edges[j].corner] == edges[j].low {
				forth = append(forth, edges[j].corner)
			} else {
				back = append(back, edges[j].corner)
			}
		}
		for k := range min(len(forth), len(back)) {
			a, b := forth[k], back[k]
			s.tris[a/3].neighbour[a%3] = b / 3
			s.tris[b/3].neighbour[b%3] = a / 3
		}
		i = j
	}
}

// groups gathers, from each corner that has none, the corners about its vertex.
func (s *solver) groups() {
	var todo []int32
	for f := range s.tris {
		for i := range 3 {
			t := &s.tris[f]
			if t.dead || t.any || t.group[i] >= 0 {
				continue
			}
			id := int32(len(s.list))
			g := group{vertex: s.corner[3*f+i], preserving: t.preserving}
			t.group[i] = id
			g.faces = append(g.faces, int32(f))
			todo = append(todo[:0], t.neighbour[i], t.neighbour[(i+2)%3])
			for len(todo) > 0 {
				next := todo[len(todo)-1]
				todo = todo[:len(todo)-1]
				if next < 0 {
					continue
				}
				n := &s.tris[next]
				c := s.cornerOf(next, g.vertex)
				if n.group[c] >= 0 {
					continue
				}
				if n.any && n.group == [3]int32{-1, -1, -1} {
					// The first group that takes it says which way it is turned.
					n.preserving = g.preserving
				}
				if n.preserving != g.preserving {
					continue
				}
				n.group[c] = id
				g.faces = append(g.faces, next)
				todo = append(todo, n.neighbour[c], n.neighbour[(c+2)%3])
			}
			slices.Sort(g.faces)
			s.list = append(s.list, g)
		}
	}
}

// cornerOf is which corner of a triangle is at a vertex.
func (s *solver) cornerOf(f, vertex int32) int {
	for i := range 2 {
		if s.corner[int(f)*3+i] == vertex {
			return i
		}
	}
	return 2
}

// maxPairs is how many triangles about a vertex are compared pair by pair.
const maxPairs = 2048

// solve writes the tangents of all groups. A triangle is averaged with all of
// its group but those whose directions are exactly opposite to its own.
func (s *solver) solve(out [][4]float32) {
	var members []int32
	var dirs [][2]vec
	for i := range s.list {
		g := &s.list[i]
		w := float32(-1)
		if g.preserving {
			w = 1
		}
		n := vec(s.mesh.Normals[g.vertex])
		dirs = dirs[:0]
		for _, f := range g.faces {
			dirs = append(dirs, [2]vec{s.tris[f].s.onto(n), s.tris[f].t.onto(n)})
		}
		together := len(g.faces) > maxPairs || oneSided(dirs)
		var all vec
		if together {
			all = s.average(g, g.faces)
		}
		for a, f := range g.faces {
			tangent := all
			if !together {
				members = members[:0]
				for b, other := range g.faces {
					if a == b || s.tris[f].any || s.tris[other].any || dirs[a][0].dot(dirs[b][0]) > -1 && dirs[a][1].dot(dirs[b][1]) > -1 {
						members = append(members, other)
					}
				}
				tangent = s.average(g, members)
			}
			out[int(f)*3+s.cornerOf(f, g.vertex)] = [4]float32{tangent[0], tangent[1], tangent[2], w}
		}
	}
}

// oneSided reports that no two directions can be opposite, since all lie well on
// one side of a plane; that saves comparing each with each.
func oneSided(dirs [][2]vec) bool {
	for axis := range 2 {
		var mean vec
		for _, d := range dirs {
			mean = mean.add(d[axis])
		}
		mean = mean.unit()
		for _, d := range dirs {
			if !(d[axis].dot(mean) > 0.05) {
				return false
			}
		}
	}
	return true
}

// average weighs the directions of triangles by their angles at the vertex.
func (s *solver) average(g *group, faces []int32) vec {
	var sum vec
	n := vec(s.mesh.Normals[g.vertex])
	for _, f := range faces {
		t := &s.tris[f]
		if t.any {
			continue
		}
		c := s.cornerOf(f, g.vertex)
		at := s.position(int(f)*3 + c)
		before := s.position(int(f)*3 + (c+2)%3).sub(at).onto(n)
		after := s.position(int(f)*3 + (c+1)%3).sub(at).onto(n)
		cos := max(-1, min(1, before.dot(after)))
		angle := float32(math.Acos(float64(cos)))
		sum = sum.add(t.s.onto(n).scale(angle))
	}
	return sum.unit()
}

// degenerate gives the corners of triangles without area the tangent of another
// corner at the same vertex.
func (s *solver) degenerate(out [][4]float32) {
	var first map[int32]int
	for f := range s.tris {
		if !s.tris[f].dead {
			continue
		}
		if first == nil {
			first = make(map[int32]int)
			for i, v := range s.corner {
				if _, ok := first[v]; !ok && !s.tris[i/3].dead {
					first[v] = i
				}
			}
		}
		for i := range 3 {
			if c, ok := first[s.corner[3*f+i]]; ok {
				out[3*f+i] = out[c]
			}
		}
	}
}

// Split makes vertices of corners: those with the same index and the same
// tangent become one. It returns the new indices and, for each new vertex, the
// old one and the tangent. A vertex whose corners agree keeps its place; the
// others follow at the end.
func Split(vertices int, indices []uint32, tangents [][4]float32) (split, source []uint32, tangent [][4]float32, err error) {
	if len(indices) != len(tangents) {
		return nil, nil, nil, fmt.Errorf("mikktspace: %d indices and %d tangents; want as many", len(indices), len(tangents))
	}
	type key struct {
		vertex  uint32
		tangent [4]float32
	}
	source = make([]uint32, vertices)
	tangent = make([][4]float32, vertices)
	used := make([]bool, vertices)
	for i := range source {
		source[i] = uint32(i)
		tangent[i] = [4]float32{1, 0, 0, 1}
	}
	more := map[key]uint32{}
	split = make([]uint32, len(indices))
	for i, v := range indices {
		if int64(v) >= int64(vertices) {
			return nil, nil, nil, fmt.Errorf("mikktspace: index %d is %d, there are %d vertices", i, v, vertices)
		}
		t := tangents[i]
		if !used[v] {
			used[v], tangent[v] = true, t
		}
		if tangent[v] == t || t != t {
			split[i] = v
			continue
		}
		k := key{v, t}
		id, ok := more[k]
		if !ok {
			id = uint32(len(source))
			more[k] = id
			source = append(source, v)
			tangent = append(tangent, t)
		}
		split[i] = id
	}
	return split, source, tangent, nil
}
