// Package surface is the vertex stage that the lit material families share:
// position, normal, tangent, texture coordinates and vertex colours as
// fragments over one vertex template, and the depth-only shader made of it.
//
// The template's own slots: VS fills normalLocal and tangentLocal from the
// streams, VR changes the local values (morph targets), VW multiplies
// finalWorld (instances), PO multiplies finalWorld and normalWorld3 (skin), VB
// writes varyings from worldPosition, finalWorld3, normalWorld3 and the local
// values. Where velocity is stored, VW and PO multiply previousWorld by what
// they multiplied finalWorld by in the frame before.
package surface

import (
	_ "embed"
	"fmt"

	"darkroom/composer"
	"darkroom/material"
)

//go:embed surface.vert.wgsl
var vertexWGSL string

// SlotStreams is where vertex streams are read into local variables.
const SlotStreams composer.Slot = "VS"

// SlotPose is where joints move the vertex within its mesh: they multiply
// finalWorld and, as they are, normalWorld3, which takes normals to the world.
// The reference engine does not invert blended matrices (bonesVertex and
// default.vertex), but where the mesh itself is scaled unevenly.
const SlotPose composer.Slot = "PO"

// Vertex returns the shared half of a template: vertex stage, mesh fields and
// the base attribute and varying. The family adds its fragment stage.
func Vertex(id string) composer.Template {
	return composer.Template{
		ID:            id,
		Vertex:        vertexWGSL,
		SceneUniforms: material.SceneWGSL,
		Attributes:    []composer.Attribute{{Name: "position", Type: "vec3<f32>", Format: "float32x3"}},
		Varyings:      []composer.Varying{{Name: "vPositionW", Type: "vec3<f32>"}},
		MeshFields:    []composer.Field{{Name: "world", Type: "mat4x4<f32>"}, {Name: "lightMask", Type: "u32"}},
	}
}

// Depth is the shader of a pass that stores nothing but depth.
func Depth() *composer.Template {
	t := Vertex("depth")
	return &t
}

// Normal reads the normal stream into normalLocal and hands vNormalW on.
func Normal() *composer.Fragment {
	return &composer.Fragment{
		ID:         "vertex-normal",
		Attributes: []composer.Attribute{{Name: "normal", Type: "vec3<f32>", Format: "float32x3"}},
		Varyings:   []composer.Varying{{Name: "vNormalW", Type: "vec3<f32>"}},
		Slots: map[composer.Slot]string{
			SlotStreams:              "normalLocal = input.normal;",
			composer.SlotVertexAfter: "out.vNormalW = normalize(normalWorld3 * normalLocal);",
		},
	}
}

// Tangent reads the tangent stream and hands vTangentW and vBitangentW on.
func Tangent() *composer.Fragment {
	return &composer.Fragment{
		ID:           "vertex-tangent",
		Dependencies: []string{"vertex-normal"},
		Attributes:   []composer.Attribute{{Name: "tangent", Type: "vec4<f32>", Format: "float32x4"}},
		Varyings:     []composer.Varying{{Name: "vTangentW", Type: "vec3<f32>"}, {Name: "vBitangentW", Type: "vec3<f32>"}},
		Slots: map[composer.Slot]string{
			SlotStreams: "tangentLocal = input.tangent;",
			composer.SlotVertexAfter: `let tangentNormal = normalize(normalLocal);
let tangentDirection = normalize(tangentLocal.xyz);
let tangentBitangent = cross(tangentNormal, tangentDirection) * tangentLocal.w;
out.vTangentW = finalWorld3 * tangentDirection;
out.vBitangentW = finalWorld3 * tangentBitangent;`,
		},
	}
}

// Stream returns the name of the i-th texture coordinate stream: uv, uv2, … uv6.
func Stream(i int) string {
	if i == 0 {
		return "uv"
	}
	return fmt.Sprintf("uv%d", i+1)
}

// UV hands the i-th texture coordinates on as varying vUV, vUV2, …
func UV(i int) *composer.Fragment {
	name := Stream(i)
	varying := "vUV" + name[2:]
	return &composer.Fragment{
		ID:         "vertex-" + name,
		Attributes: []composer.Attribute{{Name: name, Type: "vec2<f32>", Format: "float32x2"}},
		Varyings:   []composer.Varying{{Name: varying, Type: "vec2<f32>"}},
		Slots:      map[composer.Slot]string{composer.SlotVertexAfter: "out." + varying + " = input." + name + ";"},
	}
}

// Color hands vertex colours on as varying vColor. Its input is the variable
// vertexColor, which instance colours may multiply in the slot VC.
func Color(c *material.Context) *composer.Fragment {
	f := &composer.Fragment{
		ID:       "vertex-color",
		Varyings: []composer.Varying{{Name: "vColor", Type: "vec4<f32>"}},
		Slots:    map[composer.Slot]string{},
	}
	mesh, instance := c.Has("color"), c.Has("instanceColor")
	expr := "vec4<f32>(1.0)"
	if mesh {
		f.Attributes = append(f.Attributes, composer.Attribute{Name: "color", Type: "vec4<f32>", Format: "float32x4"})
		expr = "input.color"
	}
	if instance {
		f.Attributes = append(f.Attributes, composer.Attribute{Name: "instanceColor", Type: "vec4<f32>", Format: "float32x4", Step: composer.StepInstance})
		if mesh {
			expr = "input.color * input.instanceColor"
		} else {
			expr = "input.instanceColor"
		}
	}
	f.Slots[composer.SlotVertexAfter] = "out.vColor = " + expr + ";"
	return f
}
