package composer

import (
	"errors"
	"strings"
	"testing"
)

// The reports are what wgpu 0.19 and Tint wrote about the shaders that
// explainShader imitates: only their lines and columns matter.
const (
	nagaHead = "wgpu.(*Device).CreateShaderModule(): Validation Error\n\nCaused by:\n    In wgpuDeviceCreateShaderModule\n      note: label = `a:b.wgsl`\n    \n"

	nagaParse = nagaHead + `Shader 'a:b.wgsl' parsing error: no definition in scope for identifier: 'foo'
  ┌─ wgsl:4:10
  │
4 │   return foo(x);
  │          ^^^ unknown identifier


    no definition in scope for identifier: 'foo'
`
	nagaValidate = nagaHead + `Shader validation error: 
  ┌─ a:b.wgsl:2:1
  │  
2 │ ╭ fn f() -> vec3<f32> {
3 │ │   let x = vec3<f32>(1.0);
4 │ │   return x * vec2<f32>(1.0);
  │ │          ^^^^^^^^^^^^^^^^^^ naga::Expression [5]
  │ ╰────────────────────────────^ naga::Function [1]


    Function [1] 'f' is invalid
    Expression [5] is invalid
    Operation Multiply can't work with [2] and [4]
`
	nagaTwice = nagaHead + "Shader 'd.wgsl' parsing error: redefinition of `x`\n  ┌─ wgsl:3:7\n  │\n3 │   let x = 1.0;\n  │       ^ previous definition of `x`\n4 │   let x = 2.0;\n  │       ^ redefinition of `x`\n\n\n    redefinition of `x`\n"

	nagaTwiceInLine = nagaHead + "Shader 'd.wgsl' parsing error: redefinition of `a`\n  ┌─ wgsl:2:6\n  │\n2 │ fn f(a: f32) -> f32 { let a = 1.0; return a; } \n  │      ^                    ^ redefinition of `a`\n  │      │                     \n  │      previous definition of `a`\n\n\n    redefinition of `a`\n"

	tintParse = "Error while parsing WGSL: :4:10 error: unresolved value 'foo'\n  return foo(x);\n         ^^^\n\n - While validating [ShaderModuleDescriptor]\n"
)

// explainShader has a fragment stage of six lines, the middle of them a fragment's.
func explainShader() *Shader {
	return &Shader{
		FragmentWGSL: "struct FragmentInput { a: f32 }\nfn f() -> f32 {\n  let x = 1.0;\n  return foo(x);\n}\n// end\n",
		FragmentMap: mapOf(
			Origin{"pbr", "fragment", 1, true}, Origin{"coat", "HF", 2, false}, Origin{"coat", "HF", 3, false},
			Origin{"coat", "HF", 4, false}, Origin{"coat", "HF", 5, false}, Origin{"pbr", "fragment", 3, true},
		),
		VertexWGSL: "fn v() {}\n",
		VertexMap:  mapOf(Origin{"pbr", "vertex", 1, true}),
	}
}

func TestExplainError(t *testing.T) {
	tests := []struct {
		name, text   string
		line, column int
		msg          string
	}{
		{"naga parse", nagaParse, 4, 10, "no definition in scope for identifier: 'foo'"},
		{"naga validation", nagaValidate, 4, 10, "Function [1] 'f' is invalid: Expression [5] is invalid: Operation Multiply can't work with [2] and [4]"},
		{"naga twice", nagaTwice, 4, 7, "redefinition of `x`"},
		{"naga twice in a line", nagaTwiceInLine, 2, 27, "redefinition of `a`"},
		{"naga without causes", "Shader 'x' parsing error: expected ';'\n  ┌─ C:/x.wgsl:3:5\n", 3, 5, "expected ';'"},
		{"naga on Windows", strings.ReplaceAll(nagaParse, "\n", "\r\n"), 4, 10, "no definition in scope for identifier: 'foo'"},
		{"Tint", tintParse, 4, 10, "unresolved value 'foo'"},
		{"Tint with a name", "shader.wgsl:2:3 error: bad", 2, 3, "bad"},
		{"beyond the text", "  ┌─ wgsl:40:1\n", 0, 0, "does not compile"},
		{"no place", "device lost\n  for good", 0, 0, "device lost for good"},
		{"place without numbers", "  ┌─ wgsl:x:y\n    cause", 0, 0, "cause"},
	}
	for _, tt := range tests {
		err := explainShader().ExplainError(StageFragment, tt.text)
		var e *CompileError
		if !errors.As(err, &e) || !errors.Is(err, ErrCompile) {
			t.Errorf("%s: got %T", tt.name, err)
			continue
		}
		if e.Line != tt.line || e.Column != tt.column || e.Msg != tt.msg {
			t.Errorf("%s: got %d:%d %q, want %d:%d %q", tt.name, e.Line, e.Column, e.Msg, tt.line, tt.column, tt.msg)
		}
		if tt.line == 4 && e.Origin != (Origin{"coat", "HF", 4, false}) {
			t.Errorf("%s: origin %v", tt.name, e.Origin)
		}
	}
}

func TestExplainErrorText(t *testing.T) {
	got := explainShader().ExplainError(StageFragment, nagaParse).Error()
	want := `composer: template "pbr", fragment stage: fragment "coat", HF line 4: no definition in scope for identifier: 'foo'
  coat HF:2      2 | fn f() -> f32 {
  coat HF:3      3 |   let x = 1.0;
> coat HF:4      4 |   return foo(x);
                   |          ^
  coat HF:5      5 | }
  pbr fragment:3 6 | // end`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got = explainShader().ExplainError(StageVertex, "wgsl:1:1 error: no").Error()
	want = `composer: template "pbr", vertex stage: template "pbr", vertex line 1: no
> pbr vertex:1 1 | fn v() {}
                 | ^`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAnnotate(t *testing.T) {
	sh := explainShader()
	if got := Annotate(sh.FragmentWGSL, sh.FragmentMap, 7, "lost"); got != "lost" {
		t.Errorf("a line beyond the end: %q", got)
	}
	got := Annotate("a\n\tb\n", SourceMap{}, 2, "msg")
	if want := "msg\n   1 | a\n>  2 | \tb"; got != want {
		t.Errorf("without a map: got %q, want %q", got, want)
	}
}

func TestListing(t *testing.T) {
	sh := explainShader()
	got := Listing(sh.FragmentWGSL, sh.FragmentMap)
	want := `pbr fragment:1 1 | struct FragmentInput { a: f32 }
coat HF:2      2 | fn f() -> f32 {
               3 |   let x = 1.0;
               4 |   return foo(x);
               5 | }
pbr fragment:3 6 | // end
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Listing("", SourceMap{}); got != "" {
		t.Errorf("empty text: %q", got)
	}
}

// A composed shader's map leads every line back to its text.
func TestSourceMapLeadsBack(t *testing.T) {
	f := &Fragment{ID: "x", Slots: map[Slot]string{SlotBeforeColor: "\nlet a = 1.0;\n\nlet b = a;\n"}, FragmentHelpers: "fn help() {\n}"}
	tm := cacheTemplate()
	tm.Fragment = "/*HF*/\n" + tm.Fragment
	sh, err := Compose(tm, []*Fragment{f}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(wgsl string, m SourceMap, template string) {
		lines := splitLines(wgsl)
		if len(lines) != m.Len() {
			t.Fatalf("%d lines and %d origins", len(lines), m.Len())
		}
		for i := range lines {
			o := m.At(i + 1)
			var text string
			switch {
			case o.ID == "x" && o.Part == "HF":
				text = f.FragmentHelpers
			case o.ID == "x":
				text = f.Slots[Slot(o.Part)]
			case o.Part == "vertex" || o.Part == "fragment":
				text = template
			default:
				continue // generated
			}
			source := strings.Split(text, "\n")[o.Line-1]
			if !o.Template && strings.TrimSpace(lines[i]) != strings.TrimSpace(source) {
				t.Errorf("line %d is %q, its origin %v is %q", i+1, lines[i], o, source)
			}
			if o.Template && !strings.Contains(source, "/*") && lines[i] != source {
				t.Errorf("line %d is %q, its origin %v is %q", i+1, lines[i], o, source)
			}
		}
	}
	check(sh.FragmentWGSL, sh.FragmentMap, tm.Fragment)
	check(sh.VertexWGSL, sh.VertexMap, tm.Vertex)
	if !strings.Contains(Listing(sh.FragmentWGSL, sh.FragmentMap), "x BC:2") {
		t.Errorf("the fragment is not in the margin:\n%s", Listing(sh.FragmentWGSL, sh.FragmentMap))
	}
}

func FuzzExplainError(f *testing.F) {
	for _, s := range []string{nagaParse, nagaValidate, nagaTwice, nagaTwiceInLine, tintParse, "┌─ :1:1\n1 │ ^\n  │ ^", "a:9999999999999999999:1 error: "} {
		f.Add(s)
	}
	sh := explainShader()
	f.Fuzz(func(t *testing.T, text string) {
		var e *CompileError
		if err := sh.ExplainError(StageFragment, text); !errors.As(err, &e) || e.Line < 0 || e.Line > sh.FragmentMap.Len() || e.Text == "" {
			t.Fatalf("%#v", e)
		}
	})
}
