// Package sample writes a small glTF file of the project's own: a column with
// a checkered texture that a skeleton of three joints bends back and forth. It
// stands in for files of others where a test or a scene needs one.
package sample

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
)

const (
	sides  = 24
	rings  = 16
	height = 3.0
	radius = 0.5
	joints = 3
	// Period of the animation in seconds.
	Period = 2.0
)

// Column returns the file as GLB.
func Column() ([]byte, error) {
	doc := gltf.NewDocument()
	doc.Asset.Generator = "darkroom"
	tex, err := modeler.WriteImage(doc, "checks", "image/png", bytes.NewReader(checks()))
	if err != nil {
		return nil, err
	}
	doc.Samplers = []*gltf.Sampler{{MagFilter: gltf.MagLinear, MinFilter: gltf.MinLinearMipMapLinear, WrapS: gltf.WrapRepeat, WrapT: gltf.WrapRepeat}}
	doc.Textures = []*gltf.Texture{{Source: gltf.Index(tex), Sampler: gltf.Index(0)}}
	doc.Materials = []*gltf.Material{{
		Name:                 "checks",
		PBRMetallicRoughness: &gltf.PBRMetallicRoughness{BaseColorTexture: &gltf.TextureInfo{Index: 0}, MetallicFactor: gltf.Float(0), RoughnessFactor: gltf.Float(0.6)},
	}}
	skin := mesh(doc)
	doc.Skins = []*gltf.Skin{skin}
	// Node 0 is the mesh, nodes 1 to 3 the joints, one above the other.
	doc.Nodes = []*gltf.Node{{Name: "column", Mesh: gltf.Index(0), Skin: gltf.Index(0)}}
	for j := range joints {
		n := &gltf.Node{Name: "joint", Translation: [3]float64{0, height / joints, 0}, Rotation: [4]float64{0, 0, 0, 1}, Scale: [3]float64{1, 1, 1}}
		if j == 0 {
			n.Translation = [3]float64{}
		}
		if j+1 < joints {
			n.Children = []int{j + 2}
		}
		doc.Nodes = append(doc.Nodes, n)
	}
	doc.Scenes[0].Nodes = []int{0, 1}
	animate(doc)
	var out bytes.Buffer
	e := gltf.NewEncoder(&out)
	e.AsBinary = true
	if err := e.Encode(doc); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// mesh adds the column's surface and returns its skin.
func mesh(doc *gltf.Document) *gltf.Skin {
	var position, normal [][3]float32
	var uv [][2]float32
	var joint [][4]uint8
	var weight [][4]float32
	var index []uint16
	for r := range rings + 1 {
		v := float64(r) / rings
		// A vertex follows the joint below it and, towards the next, that one.
		at := v * (joints - 1)
		low := min(int(at), joints-2)
		w := float32(at - float64(low))
		for s := range sides + 1 {
			u := float64(s) / sides
			sin, cos := math.Sincos(u * 2 * math.Pi)
			position = append(position, [3]float32{float32(radius * cos), float32(height * v), float32(radius * sin)})
			normal = append(normal, [3]float32{float32(cos), 0, float32(sin)})
			uv = append(uv, [2]float32{float32(2 * u), float32(2 * v)})
			joint = append(joint, [4]uint8{uint8(low), uint8(low + 1), 0, 0})
			weight = append(weight, [4]float32{1 - w, w, 0, 0})
			if r < rings && s < sides {
				a := uint16(r*(sides+1) + s)
				b := a + sides + 1
				index = append(index, a, b, a+1, a+1, b, b+1)
			}
		}
	}
	doc.Meshes = []*gltf.Mesh{{Name: "column", Primitives: []*gltf.Primitive{{
		Indices:  gltf.Index(modeler.WriteIndices(doc, index)),
		Material: gltf.Index(0),
		Attributes: gltf.PrimitiveAttributes{
			gltf.POSITION: modeler.WritePosition(doc, position), gltf.NORMAL: modeler.WriteNormal(doc, normal),
			gltf.TEXCOORD_0: modeler.WriteTextureCoord(doc, uv), gltf.JOINTS_0: modeler.WriteJoints(doc, joint), gltf.WEIGHTS_0: modeler.WriteWeights(doc, weight),
		},
	}}}}
	var inverse [][4][4]float32
	for j := range joints { // the writer takes [row][column]
		inverse = append(inverse, [4][4]float32{{1, 0, 0, 0}, {0, 1, 0, float32(-height / joints * float64(j))}, {0, 0, 1, 0}, {0, 0, 0, 1}})
	}
	return &gltf.Skin{Name: "spine", Joints: []int{1, 2, 3}, InverseBindMatrices: gltf.Index(modeler.WriteAccessor(doc, gltf.TargetNone, inverse))}
}

// animate bends the upper joints to one side and back.
func animate(doc *gltf.Document) {
	times := modeler.WriteAccessor(doc, gltf.TargetNone, []float32{0, Period / 4, Period / 2, 3 * Period / 4, Period})
	doc.Accessors[times].Min, doc.Accessors[times].Max = []float64{0}, []float64{Period}
	turn := func(a float64) [4]float32 {
		return [4]float32{0, 0, float32(math.Sin(a / 2)), float32(math.Cos(a / 2))}
	}
	a := &gltf.Animation{Name: "sway"}
	for i, angle := range []float64{0.5, 0.7} {
		values := modeler.WriteAccessor(doc, gltf.TargetNone, [][4]float32{turn(0), turn(angle), turn(0), turn(-angle), turn(0)})
		a.Samplers = append(a.Samplers, &gltf.AnimationSampler{Input: times, Output: values})
		a.Channels = append(a.Channels, &gltf.AnimationChannel{Sampler: i, Target: gltf.AnimationChannelTarget{Node: gltf.Index(i + 2), Path: gltf.TRSRotation}})
	}
	doc.Animations = []*gltf.Animation{a}
}

// checks is a PNG of coloured squares.
func checks() []byte {
	const n, square = 64, 8
	m := image.NewNRGBA(image.Rect(0, 0, n, n))
	for y := range n {
		for x := range n {
			c := color.NRGBA{235, 230, 215, 255}
			if (x/square+y/square)%2 == 1 {
				c = color.NRGBA{uint8(60 + x*2), 70, uint8(190 - y*2), 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	png.Encode(&b, m) // writing to memory does not fail
	return b.Bytes()
}
