package gltf

import (
	"github.com/qmuntal/gltf"

	"darkroom/material/instances"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

// instances applies EXT_mesh_gpu_instancing of node i to its mesh.
func (l *loader) instances(i int, m *scenes.Mesh) error {
	const name = "EXT_mesh_gpu_instancing"
	n := l.doc.Nodes[i]
	o := named("node", i, n.Name) + " " + name
	var x struct {
		Attributes map[string]int `json:"attributes"`
	}
	ok, err := extension(n.Extensions, name, o, &x)
	if err != nil || !ok {
		return err
	}
	if t := l.thin[i]; t != nil {
		m.Features, m.Instances = append(m.Features, t), t.Count
		return nil
	}
	total := -1
	read := func(attribute string, types ...gltf.AccessorType) ([]float32, int, error) {
		k, ok := x.Attributes[attribute]
		if !ok {
			return nil, 0, nil
		}
		if err := ref(o, attribute, k, len(l.doc.Accessors), "accessor"); err != nil {
			return nil, 0, err
		}
		f, c, err := l.floats(o+" "+attribute, k, types...)
		if err != nil {
			return nil, 0, err
		}
		if total >= 0 && len(f)/c != total {
			return nil, 0, bad(o, "%s has %s, another attribute has %d", attribute, count(len(f)/c, "element"), total)
		}
		total = len(f) / c
		return f, c, nil
	}
	ts, _, err := read("TRANSLATION", gltf.AccessorVec3)
	if err != nil {
		return err
	}
	rs, _, err := read("ROTATION", gltf.AccessorVec4)
	if err != nil {
		return err
	}
	ss, _, err := read("SCALE", gltf.AccessorVec3)
	if err != nil {
		return err
	}
	cs, channels, err := read("_COLOR_0", gltf.AccessorVec3, gltf.AccessorVec4)
	if err != nil {
		return err
	}
	if total < 1 {
		return bad(o, "it has none of TRANSLATION, ROTATION and SCALE")
	}
	if err := l.spend(o, int64(total)*256); err != nil {
		return err
	}
	matrices := make([][16]float64, total)
	for k := range matrices {
		t, q, s := linalg.Vec3{}, linalg.Quat{0, 0, 0, 1}, linalg.Vec3{1, 1, 1}
		if ts != nil {
			t = linalg.Vec3{float64(ts[k*3]), float64(ts[k*3+1]), float64(ts[k*3+2])}
		}
		if rs != nil {
			q = linalg.Quat{float64(rs[k*4]), float64(rs[k*4+1]), float64(rs[k*4+2]), float64(rs[k*4+3])}
		}
		if ss != nil {
			s = linalg.Vec3{float64(ss[k*3]), float64(ss[k*3+1]), float64(ss[k*3+2])}
		}
		matrices[k] = linalg.Compose(s, q, t)
	}
	var colors [][4]float64
	if cs != nil {
		colors = make([][4]float64, total)
		for k := range colors {
			colors[k][3] = 1
			for c := range channels {
				colors[k][c] = float64(cs[k*channels+c])
			}
		}
	}
	t := instances.New(matrices, colors)
	if l.thin == nil {
		l.thin = map[int]*instances.Thin{}
	}
	l.thin[i] = t
	m.Features, m.Instances = append(m.Features, t), t.Count
	return nil
}
