package surface

import (
	"sort"

	"darkroom/composer"
	"darkroom/material"
)

// SlotStored is at the end of a lit family's fragment stage, where the outputs
// besides the colour are assigned.
const SlotStored composer.Slot = "GO"

// Seen are WGSL expressions for what a family knows of the surface.
type Seen struct {
	Normal       string // vec3<f32>, unit length, world space
	Albedo       string // vec3<f32>
	Reflectivity string // vec4<f32>: linear reflectance and gloss
	Irradiance   string // vec3<f32>: diffuse light that leaves the surface
	Alpha        string // f32
	AlphaTested  bool   // what is left of the surface is opaque
}

// outputs are the named outputs that Stored knows, as in Babylon.js,
// default.fragment, pbrBlockPrePass and prePassVertex (PREPASS_…). w is 1 where
// the surface is opaque enough to be stored.
func (s Seen) outputs() map[string]string {
	const velocity = "(input.vPreviousClip.xy / input.vPreviousClip.w - input.vCurrentClip.xy / input.vCurrentClip.w) * vec2<f32>(0.5, 0.5 * sign(scene.projection[1].y))"
	return map[string]string{
		"irradiance":          "vec4<f32>(" + s.Irradiance + ", stored)",
		"worldPosition":       "vec4<f32>(input.vPositionW, stored)",
		"localPosition":       "vec4<f32>(input.vPositionL, stored)",
		"reflectivity":        s.Reflectivity + " * stored",
		"viewDepth":           "vec4<f32>(seenDepth, 0.0, 0.0, stored)",
		"normalizedViewDepth": "vec4<f32>((seenDepth - mesh.nearFar.x) / (mesh.nearFar.y - mesh.nearFar.x), 0.0, 0.0, stored)",
		"screenDepth":         "vec4<f32>(input.position.z, 0.0, 0.0, stored)",
		"viewNormal":          "vec4<f32>(normalize((scene.view * vec4<f32>(" + s.Normal + ", 0.0)).xyz), stored)",
		"worldNormal":         "vec4<f32>(" + s.Normal + " * 0.5 + 0.5, stored)",
		"albedo":              "vec4<f32>(" + s.Albedo + ", stored)",
		"velocity":            "vec4<f32>(" + velocity + ", 0.0, stored)",
	}
}

// Outputs are the names of the outputs that the lit families store on demand
// besides "color".
func Outputs() []string {
	var names []string
	for n := range (Seen{}).outputs() {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// StoresVelocity reports a pass that stores the velocity of surfaces.
func StoresVelocity(c *material.Context) bool {
	_, ok := c.Outputs["velocity"]
	return ok
}

// StoresColor reports a pass that stores the colour.
func StoresColor(c *material.Context) bool {
	_, ok := c.Outputs["color"]
	return ok || c.Outputs == nil
}

// Stored returns the fragment that stores what the pass asks for; none where
// that is the colour alone. A surface that is less than 0.4 opaque leaves what
// lies behind it. The renderer fills the fields nearFar and previousClip, which
// takes positions of this frame to the clip space of the one before.
func Stored(c *material.Context, s Seen) []*composer.Fragment {
	all := s.outputs()
	var names []string
	for n := range all {
		if _, ok := c.Outputs[n]; ok {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return nil
	}
	sort.Strings(names)
	f := &composer.Fragment{ID: "surface-stored", Slots: map[composer.Slot]string{}}
	code := "let stored = select(0.0, 1.0, " + s.Alpha + " > 0.4);\n"
	if s.AlphaTested {
		code = "let stored = 1.0;\n"
	} else if !StoresColor(c) {
		code += "if (stored == 0.0) { discard; }\n"
	}
	vertex, depth := "", false
	for _, n := range names {
		f.Outputs = append(f.Outputs, composer.Output{Name: n, Type: "vec4<f32>"})
		switch n {
		case "localPosition":
			f.Varyings = append(f.Varyings, composer.Varying{Name: "vPositionL", Type: "vec3<f32>"})
			vertex += "out.vPositionL = positionLocal;\n"
		case "velocity":
			f.Varyings = append(f.Varyings, composer.Varying{Name: "vCurrentClip", Type: "vec4<f32>"}, composer.Varying{Name: "vPreviousClip", Type: "vec4<f32>"})
			f.MeshFields = append(f.MeshFields, composer.Field{Name: "previousClip", Type: "mat4x4<f32>"})
			vertex += "out.vCurrentClip = scene.viewProjection * worldPosition;\n" +
				"out.vPreviousClip = mesh.previousClip * (worldPosition + (previousWorld - finalWorld) * vec4<f32>(positionLocal, 1.0));\n"
		case "normalizedViewDepth":
			f.MeshFields = append(f.MeshFields, composer.Field{Name: "nearFar", Type: "vec2<f32>"})
			depth = true
		case "viewDepth":
			depth = true
		}
	}
	if depth {
		code += "let seenDepth = (scene.view * vec4<f32>(input.vPositionW, 1.0)).z;\n"
	}
	for _, n := range names {
		code += "outputs." + n + " = " + all[n] + ";\n"
	}
	f.Slots[SlotStored] = code
	if vertex != "" {
		f.Slots[composer.SlotVertexAfter] = vertex
	}
	return []*composer.Fragment{f}
}
