package skin

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/surface"
	"darkroom/material/texture"
)

// Baked are the joints' matrices of whole clips in a texture, a vertex
// animation texture: a pose is a row, a joint four texels of it. Where joints
// are is then looked up on the device, so that thousands of instances of one
// mesh can each be at a frame of their own.
type Baked struct {
	Name    string
	Joints  int
	Texture *texture.Texture // rgba32float
	Clips   map[string]Clip
}

// Clip is where a clip lies in a Baked.
type Clip struct {
	First, Frames int     // rows
	FPS           float64 // frames a second
}

// maxSide is the size of texture that WebGPU guarantees.
const maxSide = 8192

// NewBaked packs poses: a row for each, with the matrices of all joints, from
// the mesh's space in the bind pose to its space in the pose.
func NewBaked(name string, rows [][][16]float64, clips map[string]Clip) (*Baked, error) {
	if len(rows) == 0 || len(rows[0]) == 0 || len(rows) > maxSide || len(rows[0])*4 > maxSide {
		joints := 0
		if len(rows) > 0 {
			joints = len(rows[0])
		}
		return nil, fmt.Errorf("baked skin %s: %d poses of %d joints; want 1 to %d of 1 to %d", name, len(rows), joints, maxSide, maxSide/4)
	}
	b := &Baked{Name: name, Joints: len(rows[0]), Clips: clips}
	var data []byte
	for i, row := range rows {
		if len(row) != b.Joints {
			return nil, fmt.Errorf("baked skin %s: pose %d has %d joints, the first has %d", name, i, len(row), b.Joints)
		}
		for _, m := range row {
			for _, x := range m {
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
			}
		}
	}
	for n, c := range clips {
		if c.First < 0 || c.Frames < 1 || c.First+c.Frames > len(rows) {
			return nil, fmt.Errorf("baked skin %s: clip %s has the rows %d to %d of %d", name, n, c.First, c.First+c.Frames-1, len(rows))
		}
	}
	nearest := composer.FilterNearest
	b.Texture = &texture.Texture{
		Name: "baked skin " + name, Format: composer.RGBA32Float,
		Source:  &texture.Pixels{Width: b.Joints * 4, Height: len(rows), Levels: [][]byte{data}},
		Sampler: texture.Sampler{Mag: nearest, Min: nearest, Mip: nearest},
	}
	return b, nil
}

// Play is what is seen of the clips: the frame of Clip at the scene's time,
// and as much as Blend, 0…1, of that of Next.
type Play struct {
	Clip   Clip
	Offset float64 // frames that are past at time 0
	Next   Clip
	Blend  float64
}

// values are the two vectors that the shader takes.
func (p Play) values() (a, b [4]float64) {
	if p.Next == (Clip{}) {
		p.Next = p.Clip
	}
	row := func(c Clip, third float64) [4]float64 {
		return [4]float64{float64(c.First), float64(c.First + c.Frames - 1), third, c.FPS}
	}
	return row(p.Clip, p.Offset), row(p.Next, p.Blend)
}

// The names of the values of an instance.
const (
	bakedClip = "bakedClip"
	bakedNext = "bakedNext"
)

// Each gives every instance a Play of its own: add it to the instances' Values.
func Each(plays []Play) []instances.Values {
	a, b := make([][4]float64, len(plays)), make([][4]float64, len(plays))
	for i, p := range plays {
		a[i], b[i] = p.values()
	}
	return []instances.Values{instances.NewValues(bakedClip, a), instances.NewValues(bakedNext, b)}
}

// Player is a material.Feature that moves a mesh with joints and weights by
// baked clips: all of it by Play, or each instance by what Each gave it.
type Player struct {
	Baked *Baked
	Play  Play
}

//go:embed baked.wgsl
var bakedWGSL string

// Fragments implements material.Feature.
func (p *Player) Fragments(c *material.Context) []*composer.Fragment {
	if !c.Has("joints") || !c.Has("weights") {
		return nil
	}
	f := &composer.Fragment{
		ID: "skin-baked", VertexHelpers: bakedWGSL,
		VertexBindings: []composer.Binding{{Name: "bakedJoints", Kind: composer.BindTexture, Type: "texture_2d<f32>", Sample: composer.SampleUnfilterableFloat, Visibility: composer.StageVertex}},
	}
	field := c.MeshField
	if c.Has(bakedClip) && c.Has(bakedNext) {
		field = func(name string) string { return "input." + name }
		for _, n := range []string{bakedClip, bakedNext} {
			f.Attributes = append(f.Attributes, composer.Attribute{Name: n, Type: "vec4<f32>", Format: "float32x4", Step: composer.StepInstance})
		}
	} else {
		f.MeshFields = []composer.Field{{Name: bakedClip, Type: "vec4<f32>"}, {Name: bakedNext, Type: "vec4<f32>"}}
	}
	code := "let clip = " + field(bakedClip) + ";\nlet next = " + field(bakedNext) + ";\n" +
		"let row = bakedRow(clip, clip.z, scene.time.x);\nlet nextRow = bakedRow(next, clip.z, scene.time.x);\n"
	joint := func(row string) func(string) string {
		return func(j string) string { return "bakedJoint(" + j + ", " + row + ")" }
	}
	code += blend(c, f, "influence", joint("row")) + "\n" + blend(c, f, "nextInfluence", joint("nextRow"))
	code += "\nlet mixed = influence * (1.0 - next.z) + nextInfluence * next.z;" + pose("mixed")
	if surface.StoresVelocity(c) {
		code += "\nlet previousRow = bakedRow(clip, clip.z, scene.time.z);\nlet previousNextRow = bakedRow(next, clip.z, scene.time.z);\n" +
			blend(c, f, "previousInfluence", joint("previousRow")) + "\n" + blend(c, f, "previousNextInfluence", joint("previousNextRow")) +
			"\nlet previousMixed = previousInfluence * (1.0 - next.z) + previousNextInfluence * next.z;" + previously("previousMixed")
	}
	f.Slots = map[composer.Slot]string{surface.SlotPose: code}
	return []*composer.Fragment{f}
}

// Uniforms implements material.Feature.
func (p *Player) Uniforms(_ *material.Context, w material.Writer) error {
	a, b := p.Play.values()
	w.Floats(bakedClip, a[:]...)
	w.Floats(bakedNext, b[:]...)
	return nil
}

// Resources implements material.Feature.
func (p *Player) Resources(_ *material.Context, r material.Resources) error {
	if p.Baked == nil {
		return fmt.Errorf("the player has nothing baked; give it a Baked")
	}
	r.Texture("bakedJoints", p.Baked.Texture)
	return nil
}
