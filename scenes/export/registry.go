package export

import (
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"unicode"

	"darkroom/material"
	"darkroom/material/effect"
	"darkroom/material/grid"
	"darkroom/material/instances"
	"darkroom/material/morph"
	"darkroom/material/pbr"
	"darkroom/material/plugin"
	"darkroom/material/shader"
	"darkroom/material/skin"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/mesh"
	"darkroom/scenes/shadow"
)

// Type declares a type that stands behind one of the scene's interfaces: a
// material, a feature, a camera's rig, a texture's source, a task.
type Type struct {
	// Name is the value of "type" in the document.
	Name string
	// Zero is a nil pointer of the type, such as (*standard.Material)(nil).
	Zero any
	// Check, where set, says what is wrong with a value.
	Check func(v any) error
	// Pack and Unpack, where set, translate a value of the type to and from a
	// pointer of Plain's type, whose fields are all exported.
	Plain  any
	Pack   func(v any) (any, error)
	Unpack func(plain any) (any, error)
}

func types() []Type {
	return []Type{
		{Name: "standard", Zero: (*standard.Material)(nil)},
		{Name: "pbr", Zero: (*pbr.Material)(nil)},
		{Name: "grid", Zero: (*grid.Material)(nil)},
		{Name: "effect", Zero: (*effect.Effect)(nil)},

		{Name: "instances", Zero: (*instances.Thin)(nil), Check: checkInstances},
		{Name: "skin", Zero: (*skin.Skin)(nil)},
		{Name: "bakedSkin", Zero: (*skin.Player)(nil)},
		{Name: "morph", Zero: (*morph.Morph)(nil), Plain: (*plainMorph)(nil), Pack: packMorph, Unpack: unpackMorph},
		{Name: "shadowMap", Zero: (*shadow.Map)(nil), Plain: (*plainMap)(nil), Pack: packMap, Unpack: unpackMap},
		{Name: "exponentialShadowMap", Zero: (*shadow.Exponential)(nil), Plain: (*plainExponential)(nil), Pack: packExponential, Unpack: unpackExponential},
		{Name: "cascades", Zero: (*shadow.Cascades)(nil), Plain: (*plainCascades)(nil), Pack: packCascades, Unpack: unpackCascades},

		{Name: "arcRotate", Zero: (*scenes.ArcRotate)(nil)},
		{Name: "free", Zero: (*scenes.Free)(nil)},
		{Name: "fixed", Zero: (*scenes.Fixed)(nil)},
		{Name: "mounted", Zero: (*scenes.Mounted)(nil)},
		{Name: "geospatial", Zero: (*scenes.Geospatial)(nil)},

		{Name: "pixels", Zero: (*texture.Pixels)(nil), Plain: (*texture.Pixels)(nil), Pack: packPixels, Unpack: func(plain any) (any, error) { return plain, nil }},
		{Name: "target", Zero: (*texture.Target)(nil)},

		{Name: "scenePass", Zero: (*scenes.ScenePass)(nil)},
		{Name: "effectPass", Zero: (*scenes.EffectPass)(nil), Plain: (*plainEffectPass)(nil), Pack: packEffectPass, Unpack: unpackEffectPass},
		{Name: "copyPass", Zero: (*scenes.CopyPass)(nil)},
	}
}

// packPixels leaves out where the picture's file lies: that is this machine's affair.
func packPixels(v any) (any, error) {
	p := *v.(*texture.Pixels)
	if p.Path != "" {
		p.Path = path.Base(filepath.ToSlash(p.Path))
	}
	return &p, nil
}

// refusals say of types that are known, and that no document holds, why.
func refusals() map[reflect.Type]string {
	return map[reflect.Type]string{
		reflect.TypeFor[*shader.Material]():    "it is WGSL of the user's own for this project's composer; Babylon.js lacks such a fragment, so nothing else can draw it",
		reflect.TypeFor[*plugin.Material]():    "it is a material with WGSL of the user's own put in by this project's composer; Babylon.js lacks such a fragment, so nothing else can draw it",
		reflect.TypeFor[*texture.Frames]():     "it shows the frames of a video that Go code decodes, and a document holds data only",
		reflect.TypeFor[*scenes.ComputePass](): "it is a compute shader of the user's own, which Babylon.js lacks; nothing else can run it",
	}
}

// table is a list of the document whose entries are referred to by number,
// since several places may share one.
type table struct {
	name string
	// of is the pointer type of the entries, or the interface that they implement.
	of reflect.Type
}

// tables in the order in which they are filled when a document is read.
func tables() []table {
	return []table{
		{"buffers", reflect.TypeFor[*material.Buffer]()},
		{"textures", reflect.TypeFor[*texture.Texture]()},
		{"geometries", reflect.TypeFor[*mesh.Geometry]()},
		{"lights", reflect.TypeFor[*scenes.Light]()},
		{"materials", reflect.TypeFor[material.Material]()},
		{"nodes", reflect.TypeFor[*scenes.Node]()},
		{"cameras", reflect.TypeFor[*scenes.Camera]()},
		{"features", reflect.TypeFor[material.Feature]()},
	}
}

// enums are the names of the values of small types, by value.
func enums() map[reflect.Type][]string {
	return map[reflect.Type][]string{
		reflect.TypeFor[scenes.LightKind]():           {"point", "directional", "spot", "hemispheric"},
		reflect.TypeFor[scenes.Falloff]():             {"default", "physical", "gltf", "standard"},
		reflect.TypeFor[scenes.FogMode]():             {"none", "exp", "exp2", "linear"},
		reflect.TypeFor[scenes.Interpolation]():       {"linear", "step", "cubic"},
		reflect.TypeFor[scenes.Loop]():                {"repeat", "once"},
		reflect.TypeFor[standard.ReflectionMapping](): {"cubic", "spherical", "planar", "skybox"},
		reflect.TypeFor[pbr.AlphaMode]():              {"opaque", "mask", "blend"},
	}
}

// registry is what encoder, decoder and schema know of types.
type registry struct {
	types  []Type
	byType map[reflect.Type]*Type
	byName map[string]*Type
	tables []table
	enums  map[reflect.Type][]string
}

func newRegistry(more []Type) (*registry, error) {
	r := &registry{types: append(types(), more...), byType: map[reflect.Type]*Type{}, byName: map[string]*Type{}, tables: tables(), enums: enums()}
	for i := range r.types {
		t := &r.types[i]
		rt := reflect.TypeOf(t.Zero)
		switch {
		case rt == nil || rt.Kind() != reflect.Pointer || rt.Elem().Kind() != reflect.Struct:
			return nil, fmt.Errorf("export: type %q: its Zero is a %v, want a nil pointer to a struct", t.Name, rt)
		case t.Name == "" || r.byName[t.Name] != nil:
			return nil, fmt.Errorf("export: type %q (%v): the name is empty or taken", t.Name, rt)
		case r.byType[rt] != nil:
			return nil, fmt.Errorf("export: %v is declared twice", rt)
		}
		r.byType[rt], r.byName[t.Name] = t, t
	}
	return r, nil
}

// table returns the number of the table that holds values of pointer type t.
func (r *registry) table(t reflect.Type) (int, bool) {
	for i, tab := range r.tables {
		if tab.of == t {
			return i, true
		}
		if tab.of.Kind() == reflect.Interface && r.byType[t] != nil && t.Implements(tab.of) {
			return i, true
		}
	}
	return 0, false
}

// fields are the exported fields of a struct by their names in the document;
// those of an embedded struct are its own.
type field struct {
	name  string
	index []int
	typ   reflect.Type
}

func fields(t reflect.Type) []field {
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			for _, in := range fields(f.Type) {
				out = append(out, field{in.name, append([]int{i}, in.index...), in.typ})
			}
		case f.IsExported() && f.Tag.Get("hash") != "-":
			out = append(out, field{lower(f.Name), []int{i}, f.Type})
		}
	}
	return out
}

// lower spells a Go name as JSON names are spelt: FOV is fov, UScale uScale.
func lower(name string) string {
	if name == "UVs" {
		return "uvs"
	}
	r := []rune(name)
	n := 0
	for n < len(r) && unicode.IsUpper(r[n]) {
		n++
	}
	if n > 1 && n < len(r) && unicode.IsLower(r[n]) {
		n--
	}
	return strings.ToLower(string(r[:n])) + string(r[n:])
}

// values are the types that an `any` may hold, by name.
func values() map[string]reflect.Type {
	return map[string]reflect.Type{
		"f32": reflect.TypeFor[float64](), "list": reflect.TypeFor[[]float64](), "i32": reflect.TypeFor[int32](), "u32": reflect.TypeFor[uint32](), "int": reflect.TypeFor[int](),
		"vec2": reflect.TypeFor[[2]float64](), "vec3": reflect.TypeFor[[3]float64](), "vec4": reflect.TypeFor[[4]float64](), "mat4": reflect.TypeFor[[16]float64](),
	}
}
