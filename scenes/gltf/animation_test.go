package gltf

import (
	"math"
	"strings"
	"testing"

	"darkroom/material/morph"
	"darkroom/material/pbr"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

// animated is a triangle with one morph target, whose node moves in three ways.
func animated() []byte {
	buffer := le(
		[]float32{0, 0, 0, 1, 0, 0, 0, 1, 0}, // positions
		[]float32{0, 0, 1, 0, 0, 1, 0, 0, 1}, // deltas
		[]float32{0, 2},                      // times
		[]float32{0, 0, 0, 4, 0, 0},          // translations
		[]float32{0, 1},                      // weights, or a light's intensity
		[]float32{0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0}, // cubic: in-tangent, value and out-tangent of two keys
	)
	view := func(offset, length int) obj { return obj{"buffer": 0, "byteOffset": offset, "byteLength": length} }
	return file(buffer, obj{
		"scenes": arr{obj{"nodes": arr{0, 1}}}, "nodes": arr{obj{"mesh": 0, "name": "a"}, obj{"name": "b", "matrix": arr{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1}}},
		"materials":   arr{obj{"emissiveFactor": arr{1, 1, 1}, "extensions": obj{"KHR_materials_emissive_strength": obj{"emissiveStrength": 2}}}},
		"meshes":      arr{obj{"primitives": arr{obj{"attributes": obj{"POSITION": 0}, "material": 0, "targets": arr{obj{"POSITION": 1}}}}, "weights": arr{0.25}}},
		"bufferViews": arr{view(0, 36), view(36, 36), view(72, 8), view(80, 24), view(104, 8), view(112, 72)},
		"accessors": arr{
			obj{"type": "VEC3", "componentType": 5126, "count": 3, "bufferView": 0},
			obj{"type": "VEC3", "componentType": 5126, "count": 3, "bufferView": 1},
			obj{"type": "SCALAR", "componentType": 5126, "count": 2, "bufferView": 2},
			obj{"type": "VEC3", "componentType": 5126, "count": 2, "bufferView": 3},
			obj{"type": "SCALAR", "componentType": 5126, "count": 2, "bufferView": 4},
			obj{"type": "VEC3", "componentType": 5126, "count": 6, "bufferView": 5},
		},
		"animations": arr{
			obj{"name": "move", "channels": arr{
				obj{"sampler": 0, "target": obj{"node": 0, "path": "translation"}},
				obj{"sampler": 1, "target": obj{"node": 0, "path": "weights"}},
				obj{"sampler": 2, "target": obj{"node": 1, "path": "translation"}},
				obj{"sampler": 1, "target": obj{"path": "pointer", "extensions": obj{"KHR_animation_pointer": obj{"pointer": "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength"}}}},
				obj{"sampler": 3, "target": obj{"path": "pointer", "extensions": obj{"KHR_animation_pointer": obj{"pointer": "/nodes/1/extensions/KHR_node_visibility/visible"}}}},
				obj{"sampler": 1, "target": obj{"path": "pointer", "extensions": obj{"KHR_animation_pointer": obj{"pointer": "/materials/0/name"}}}},
			}, "samplers": arr{
				obj{"input": 2, "output": 3}, obj{"input": 2, "output": 4}, obj{"input": 2, "output": 5, "interpolation": "CUBICSPLINE"}, obj{"input": 2, "output": 4, "interpolation": "STEP"},
			}},
			obj{"name": "rest", "channels": arr{obj{"sampler": 0, "target": obj{"node": 0, "path": "scale"}}}, "samplers": arr{obj{"input": 2, "output": 3, "interpolation": "STEP"}}},
		},
	})
}

func TestAnimation(t *testing.T) {
	a := mustLoad(t, animated())
	if len(a.Animations) != 2 || a.Animations[0].Stopped || !a.Animations[1].Stopped {
		t.Fatalf("animations %+v: the first plays, the others are stopped", a.Animations)
	}
	if len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], `"/materials/0/name" cannot be animated`) {
		t.Errorf("warnings %q", a.Warnings)
	}
	s := scenes.New("animation")
	a.AddTo(s)
	seek := func(x float64) {
		t.Helper()
		if err := s.Seek(x); err != nil {
			t.Fatal(err)
		}
	}
	var weights []float64
	for _, f := range a.Nodes[0].Mesh.Features {
		if m, ok := f.(*morph.Morph); ok {
			weights = m.Weights
		}
	}
	if len(weights) != 1 || weights[0] != 0.25 {
		t.Errorf("weights at rest %v, want those of the mesh", weights)
	}
	seek(0.5)
	if p := a.Nodes[0].Position; p != (linalg.Vec3{1, 0, 0}) {
		t.Errorf("position %v", p)
	}
	if weights[0] != 0.25 {
		t.Errorf("weights %v", weights)
	}
	if m := a.Nodes[0].Mesh.Material.(*pbr.Material); m.Emissive != [3]float64{0.25, 0.25, 0.25} {
		t.Errorf("emission %v", m.Emissive)
	}
	if !a.Nodes[1].Hidden {
		t.Error("node b is seen at 0.5 s")
	}
	// u = 1/4: the out-tangent's part is 2·(u³-2u²+u)·1, the end value's (-2u³+3u²)·3.
	u := 0.25
	want := 2*(u*u*u-2*u*u+u) + (-2*u*u*u+3*u*u)*3
	if p := a.Nodes[1].Position; math.Abs(p[0]-want) > 1e-9 || a.Nodes[1].Matrix != nil {
		t.Errorf("cubic spline: position %v, want x %v; matrix %v must give way to the animation", p, want, a.Nodes[1].Matrix)
	}
	seek(2)
	if a.Nodes[1].Hidden {
		t.Error("node b is not seen at 2 s")
	}
	if err := a.Play(1); err != nil {
		t.Fatal(err)
	}
	seek(1)
	if a.Nodes[0].Scaling != (linalg.Vec3{}) {
		t.Errorf("scaling %v, want the step's first key", a.Nodes[0].Scaling)
	}
	if err := a.Play(2); err == nil {
		t.Error("there is no animation 2")
	}
}

func TestAnimationWithBadKeys(t *testing.T) {
	for _, c := range []struct {
		name   string
		times  []float32
		values []float32
		want   string
	}{
		{"times fall", []float32{1, 0.5}, []float32{0, 0, 0, 0, 0, 0}, "animation 0 sampler 0: input 1 is 0.5 s after 1 s, times must ascend"},
		{"times stand", []float32{1, 1}, []float32{0, 0, 0, 0, 0, 0}, "times must ascend"},
		{"negative time", []float32{-1, 1}, []float32{0, 0, 0, 0, 0, 0}, "input 0 is -1 s"},
		{"too few values", []float32{0, 1}, []float32{0, 0, 0}, "output has 3 numbers for 2 keys; translation wants 3 for each"},
	} {
		t.Run(c.name, func(t *testing.T) {
			buffer := le(c.times, c.values)
			_, err := LoadBytes(file(buffer, obj{
				"nodes": arr{obj{}}, "bufferViews": arr{obj{"buffer": 0, "byteLength": 8}, obj{"buffer": 0, "byteOffset": 8, "byteLength": len(buffer) - 8}},
				"accessors": arr{
					obj{"type": "SCALAR", "componentType": 5126, "count": 2, "bufferView": 0},
					obj{"type": "VEC3", "componentType": 5126, "count": len(c.values) / 3, "bufferView": 1},
				},
				"animations": arr{obj{"channels": arr{obj{"sampler": 0, "target": obj{"node": 0, "path": "translation"}}}, "samplers": arr{obj{"input": 0, "output": 1}}}},
			}), Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}
