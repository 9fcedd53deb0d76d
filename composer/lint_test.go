package composer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// lintOf lints src as if each line came from fragment "fN", N its number.
func lintOf(src, entry string) error {
	m := make([]Origin, strings.Count(src, "\n")+1)
	for i := range m {
		m[i] = Origin{ID: "f" + strconv.Itoa(i+1), Part: "AI", Line: 1}
	}
	var l linter
	return l.lint(src, mapOf(m...), entry, nil)
}

func TestLintAccepts(t *testing.T) {
	tests := map[string]string{
		"empty":                  "",
		"same local in two fns":  "fn a() { let x = 1.0; }\nfn b() { let x = 2.0; }",
		"shadowing in a block":   "fn a() { let x = 1.0; if (true) { let x = 2.0; } }",
		"for variable":           "fn a() { for (var i = 0; i < 3; i++) { let i = 2; } for (var i = 0; i < 3; i++) {} let i = 3; }",
		"comment":                "// fn a() {}\nfn a() {}\n/* fn a() {} /* nested */ fn a() {} */",
		"comment ends the text":  "fn a() {} // the end",
		"address space":          "var<private> a: f32;\nvar<storage, read> b: array<f32>;\n@group(0) @binding(0) var c: sampler;",
		"keyword inside a word":  "fn letter() { let constant = 1; let variable = fnord(constant); structure(variable); }",
		"member like a keyword":  "fn a() { let x = b.var1 + b.let_ + c.fn2; }",
		"local hides a builtin":  "fn a() { let length = 1.0; let step = 2.0; }",
		"attributes":             "@vertex fn vs(@builtin(vertex_index) i: u32, @location(0) p: vec3<f32>) -> @builtin(position) vec4<f32> { let j = i; }",
		"switch":                 "fn a() { switch (x) { case 1u: { let y = 1; } default: { let y = 2; } } }",
		"struct":                 "struct S { @size(16) a: f32, b: array<vec4<f32>, 4>, }\nstruct T { a: f32, b: S }",
		"params of two fns":      "fn a(x: f32, y: vec2<f32>) {}\nfn b(x: f32) { let y = x; }",
		"const in a body":        "fn a() { const k = 2; var v = k; }",
		"division is no comment": "fn a() { let x = 4 / 2; let y = x/x; }",
		"unicode name":           "fn δ() { let λ = 1; }",
		"enable as a suffix":     "fn a() { let enabled = 1; let requires_ = 2; }",
		"alias":                  "alias Color = vec4<f32>;\nfn a(c: Color) {}",
	}
	for name, src := range tests {
		if err := lintOf(src, ""); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLintRefuses(t *testing.T) {
	tests := []struct {
		name, src string
		kind      error
		want      []string // parts of the message
	}{
		{"function twice", "fn a() {}\nfn a() {}", ErrConflict, []string{`function "a"`, `"f1"`, `"f2"`, "Requires"}},
		{"function and struct", "fn a() {}\nstruct a { x: f32 }", ErrConflict, []string{`"a"`, `"f1"`, `"f2"`}},
		{"variable and binding", "const mesh = 1;\n@group(1) @binding(0) var<uniform> mesh: M;", ErrConflict, []string{`"mesh"`, `"f2"`}},
		{"local twice", "fn a() {\nlet n = 1;\nvar n = 2;\n}", ErrConflict, []string{`"n"`, `"f2"`, `"f3"`, "braces"}},
		{"local twice after a block", "fn a() {\nlet n = 1;\nif (b) {}\nlet n = 2;\n}", ErrConflict, []string{`"f2"`, `"f4"`}},
		{"local hides its parameter", "fn a(n: f32) {\nlet n = 1;\n}", ErrConflict, []string{`"n"`, `"f1"`, `"f2"`}},
		{"parameter twice", "fn a(n: f32,\n@location(0) n: f32) {}", ErrConflict, []string{`"n"`, `"f2"`}},
		{"member twice", "struct S {\na: f32,\n@align(16) a: f32 }", ErrConflict, []string{`"a"`, `"f2"`, `"f3"`}},
		{"after a comment", "fn a() {\nlet n = 1; // note\n /* more */ let n = 2;\n}", ErrConflict, []string{`"f2"`, `"f3"`}},
		{"after a comment inside a statement", "fn a() {\nlet n = 1 /* one */ + 2 / 3; let\nn = 2;\n}", ErrConflict, []string{`"f2"`, `"f3"`}},
		{"in a loop", "fn a() { for (var i = 0; i < 3; i++) {\nlet n = 1;\nlet n = 2; } }", ErrConflict, []string{`"f2"`, `"f3"`}},
		{"in a case", "fn a() { switch (x) { case 1: {\nlet n = 1;\nlet n = 2; } default: {} } }", ErrConflict, []string{`"f2"`, `"f3"`}},
		{"spread declaration", "fn a() {}\nfn\n a() {}", ErrConflict, []string{`"f1"`, `"f3"`}},
		{"many", strings.Repeat("fn pad() { let a = 1; let b = 2; let c = 3; }\n", 1) + manyFunctions(500) + "fn g3() {}", ErrConflict, []string{`"g3"`, `"f5"`, `"f502"`}},
		{"reserved local", "fn a() { let target = 1; }", ErrName, []string{`"target"`, "reserved"}},
		{"reserved parameter", "fn a(filter: f32) {}", ErrName, []string{`"filter"`}},
		{"reserved member", "struct S { sampler: f32 }", ErrName, []string{`"sampler"`}},
		{"reserved for variable", "fn a() { for (var final = 0; ; ) {} }", ErrName, []string{`"final"`}},
		{"hides a builtin", "fn b() {}\nfn reflect(x: f32) {}", ErrName, []string{`"reflect"`, `"f2"`, "hides"}},
		{"override", "override k: f32 = 1.0;", ErrSource, []string{"Constant", `"f1"`}},
		{"directive", "enable f16;", ErrSource, []string{"enable"}},
		{"requires", "requires packed_4x8_integer_dot_product;", ErrSource, []string{"requires"}},
		{"diagnostic", "diagnostic(off, derivative_uniformity);", ErrSource, []string{"diagnostic"}},
		{"diagnostic attribute", "@diagnostic(off, derivative_uniformity) fn a() {}", ErrSource, []string{"@diagnostic"}},
		{"const_assert", "fn a() { const_assert 1 < 2; }", ErrSource, []string{"const_assert"}},
		{"open comment", "fn a() {}\n/* the rest\n is lost", ErrSource, []string{`"f2"`, "comment"}},
		{"open brace", "fn a() {\n if (b) {\n", ErrSource, []string{`"f2"`, "never closed"}},
		{"extra brace", "fn a() {}\n}", ErrSource, []string{`"f2"`, "not open"}},
		{"zero byte", "fn a() {}\n\x00", ErrSource, []string{`"f2"`, "zero byte"}},
		{"not UTF-8", "fn a() {}\n// \xff", ErrSource, []string{`"f2"`, "UTF-8"}},
		{"no entry", "fn a() {}\nstruct fs { x: f32 }", ErrSource, []string{`"fs"`, "entry point"}},
	}
	for _, tt := range tests {
		entry := ""
		if tt.name == "no entry" {
			entry = "fs"
		}
		err := lintOf(tt.src, entry)
		if !errors.Is(err, tt.kind) {
			t.Errorf("%s: got %v, want a %v", tt.name, err, tt.kind)
			continue
		}
		for _, part := range tt.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not name %s", tt.name, err, part)
			}
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the message has several lines: %q", tt.name, err)
		}
	}
}

// Names that differ in few places must still spread, or scans go quadratic.
func TestHashNameSpreads(t *testing.T) {
	for _, form := range []string{"%d", "h%d", "helper%04d", "helper%04dDirect", "sample%dFromTheTexture", "aVeryLongPrefixForNames%06d"} {
		slots := make(map[uint64]int)
		for i := range 4096 {
			slots[hashName(fmt.Sprintf(form, i))>>32&4095]++
		}
		// A random hash leaves 37% of the slots empty.
		if len(slots) < 4096*45/100 {
			t.Errorf("%q: 4096 names in %d slots", form, len(slots))
		}
	}
}

func manyFunctions(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("fn g" + strconv.Itoa(i) + "() { let a = 1; }\n")
	}
	return b.String()
}

func FuzzLint(f *testing.F) {
	f.Add("fn a(x: f32) -> f32 { let y = x; return y; }")
	f.Add("struct S { a: f32 }\n/* c */ var<private> s: S; // d")
	f.Add("fn a() { for (var i = 0; i < 3; i++) { if (i == 1) { continue; } } }")
	f.Add("@ var< fn struct : { } ( ) /* */ \x00\xff")
	f.Fuzz(func(t *testing.T, src string) {
		err := lintOf(src, "")
		if err != nil && !errors.Is(err, ErrConflict) && !errors.Is(err, ErrName) && !errors.Is(err, ErrSource) {
			t.Fatalf("unexpected kind of error: %v", err)
		}
		// What is accepted stays so with a declaration ahead of it.
		if err == nil && lintOf("const fuzzed = 1;\n"+src, "") != nil && !strings.Contains(src, "fuzzed") {
			t.Fatalf("refused after another declaration:\n%s", src)
		}
	})
}

func BenchmarkLint(b *testing.B) {
	var src strings.Builder
	for src.Len() < 25<<10 {
		n := strconv.Itoa(src.Len())
		src.WriteString("// Distribution of the half vector, Trowbridge and Reitz 1975.\nfn distribution" + n + "(ndoth: f32, alpha: f32) -> f32 {\n" +
			"  let a2 = alpha * alpha;\n  let d = ndoth * ndoth * (a2 - 1.0) + 1.0;\n  var sum = vec3<f32>(0.0, 0.0, 0.0);\n" +
			"  for (var i = 0u; i < lights.count; i++) {\n    let light = lights.items[i];\n" +
			"    sum += light.color.rgb * max(dot(input.normal, -light.direction.xyz), 0.0) * material.baseColor.rgb;\n  }\n  return a2 / (PI * d * d) + sum.x;\n}\n\n")
	}
	text := src.String()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var l linter
		if err := l.lint(text, SourceMap{}, "distribution0", nil); err != nil {
			b.Fatal(err)
		}
	}
}
