package composer

import (
	"strings"
	"testing"
)

// TestDesign is the test specification of the shader-composition design that
// the package follows, point by point. The other tests go further.
func TestDesign(t *testing.T) {
	slot := func(id, code string, deps ...string) *Fragment {
		return &Fragment{ID: id, Dependencies: deps, Slots: map[Slot]string{SlotAmbient: code}}
	}
	refused := func(t *testing.T, kind error, fs ...*Fragment) {
		t.Helper()
		_, err := Compose(bareTemplate(SlotAmbient), fs, Options{})
		wantError(t, err, kind)
	}
	t.Run("1 topological sort of a diamond", func(t *testing.T) {
		sh := mustCompose(t, bareTemplate(SlotAmbient), slot("a", "{ }", "b", "c"), slot("b", "{ }", "d"), slot("c", "{ }", "d"), slot("d", "{ }"))
		if got := strings.Join(sh.Fragments, " "); got != "d b c a" {
			t.Errorf("order %s", got)
		}
	})
	t.Run("2 cycle", func(t *testing.T) { refused(t, ErrCycle, slot("a", "", "b"), slot("b", "", "a")) })
	t.Run("3 duplicate id", func(t *testing.T) { refused(t, ErrDuplicate, slot("a", ""), slot("a", "")) })
	t.Run("4 unknown dependency", func(t *testing.T) { refused(t, ErrDependency, slot("a", "", "b")) })
	t.Run("5 slot injection in dependency order", func(t *testing.T) {
		sh := mustCompose(t, bareTemplate(SlotAmbient), slot("a", "let x = y;", "b"), slot("b", "let y = 1;"))
		wantOrder(t, sh.FragmentWGSL, "let y = 1;\n  let x = y;\n")
	})
	t.Run("6 mesh bindings count from 1", func(t *testing.T) {
		tm := bareTemplate()
		tm.MeshFields = []Field{{"world", "mat4x4<f32>"}}
		sh := mustCompose(t, tm, &Fragment{ID: "a", Textures: []string{"one", "two"}})
		for i, e := range sh.Mesh {
			if e.Binding != i {
				t.Errorf("%s has binding %d, want %d", e.Decl.Name, e.Binding, i)
			}
		}
		if len(sh.Mesh) != 5 || sh.Mesh[0].Decl.Name != "mesh" || sh.Mesh[1].Decl.Name != "oneTexture" {
			t.Errorf("bindings %+v", sh.Mesh)
		}
	})
	t.Run("7 vec3 aligned to 16, struct rounded to 16", func(t *testing.T) {
		u, err := Layout([]Field{{"a", "f32"}, {"b", "vec3<f32>"}, {"c", "vec2<f32>"}}, nil)
		if err != nil || offset(&u, "b") != 16 || offset(&u, "c") != 32 || u.Size != 48 {
			t.Errorf("layout %+v, %v", u, err)
		}
	})
	t.Run("8 a buffer group is one layout", func(t *testing.T) {
		sh := mustCompose(t, bareTemplate(SlotVertexWorld), pick("thin-instances")...)
		if len(sh.Buffers) != 1 || sh.Buffers[0].Stride != 64 || len(sh.Buffers[0].Attributes) != 4 || sh.Buffers[0].Step != StepInstance {
			t.Errorf("buffers %+v", sh.Buffers)
		}
	})
	t.Run("9 one attribute and varying of a name", func(t *testing.T) {
		uv := func(id string) *Fragment {
			return &Fragment{ID: id, Attributes: []Attribute{{Name: "uv", Type: "vec2<f32>"}}, Varyings: []Varying{{Name: "uv", Type: "vec2<f32>"}}}
		}
		sh := mustCompose(t, bareTemplate(), uv("a"), uv("b"))
		if len(sh.Buffers) != 1 || strings.Count(sh.VertexWGSL, " uv: ") != 2 || strings.Count(sh.FragmentWGSL, " uv: ") != 1 {
			t.Errorf("uv is not declared once:\n%s", sh.VertexWGSL)
		}
	})
	t.Run("10 deterministic key", func(t *testing.T) {
		k := mustCompose(t, litTemplate(), pick("albedo", "uv")...).Key
		if k != mustCompose(t, litTemplate(), pick("uv", "albedo")...).Key || k == mustCompose(t, litTemplate(), pick("uv")...).Key {
			t.Error("the key does not follow the shader")
		}
	})
}
