package gltf

import (
	"github.com/qmuntal/gltf"

	"darkroom/material/morph"
	"darkroom/scenes/mesh"
	"darkroom/scenes/mikktspace"
)

// tangents gives p tangents where Options ask for them, its material has a
// normal map and the file has none. Corners of a vertex whose tangents differ
// become vertices of their own.
func (l *loader) tangents(p *primitive) error {
	g := p.geometry
	if !l.o.Tangents || p.material == nil || g.Tangents != nil || g.Normals == nil || g.Topology != "" {
		return nil
	}
	t := l.doc.Materials[*p.material].NormalTexture
	if t == nil {
		return nil
	}
	set, err := l.coordinateSet(p.object, t)
	if err != nil || set >= len(g.UVs) || g.UVs[set] == nil {
		return err
	}
	n := g.VertexCount()
	if err := l.spend(p.object, int64(g.ElementCount())*64); err != nil {
		return err
	}
	indices := g.Indices
	if indices == nil {
		for i := range n {
			indices = append(indices, uint32(i))
		}
	}
	m := &mikktspace.Mesh{Positions: triples(g.Positions), Normals: triples(g.Normals), UVs: pairs(g.UVs[set]), Indices: indices}
	corners, err := mikktspace.Tangents(m)
	if err != nil {
		return bad(p.object, "%v", err)
	}
	split, source, tangent, err := mikktspace.Split(n, indices, corners)
	if err != nil {
		return bad(p.object, "%v", err)
	}
	if err := l.spend(p.object, int64(len(source))*256); err != nil {
		return err
	}
	if len(source) > n {
		p.geometry = g.Pick(source)
		for i := range p.targets {
			t := &p.targets[i]
			*t = morph.Target{Name: t.Name, Positions: mesh.Gather(t.Positions, source, 3), Normals: mesh.Gather(t.Normals, source, 3), Tangents: mesh.Gather(t.Tangents, source, 3)}
		}
	}
	p.geometry.Indices = split
	p.geometry.Tangents = make([]float32, 0, len(tangent)*4)
	for _, t := range tangent {
		// V grows downwards in glTF.
		p.geometry.Tangents = append(p.geometry.Tangents, t[0], t[1], t[2], -t[3])
	}
	return nil
}

// coordinateSet is the set of texture coordinates that a normal map uses.
func (l *loader) coordinateSet(o string, t *gltf.NormalTexture) (int, error) {
	var x struct {
		TexCoord *int `json:"texCoord"`
	}
	if _, err := extension(t.Extensions, "KHR_texture_transform", o, &x); err != nil {
		return 0, err
	}
	set := t.TexCoord
	if x.TexCoord != nil {
		set = *x.TexCoord
	}
	if set < 0 {
		return 0, bad(o, "normalTexture.texCoord is %d", set)
	}
	return set, nil
}

func triples(s []float32) [][3]float32 {
	out := make([][3]float32, len(s)/3)
	for i := range out {
		out[i] = [3]float32(s[i*3:])
	}
	return out
}

func pairs(s []float32) [][2]float32 {
	out := make([][2]float32, len(s)/2)
	for i := range out {
		out[i] = [2]float32(s[i*2:])
	}
	return out
}
