package composer

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestHostile composes input that is out to break something: each must be
// refused with an error of one line that is short enough to read.
func TestHostile(t *testing.T) {
	code := func(c string) *Fragment { return &Fragment{ID: "f", Slots: map[Slot]string{SlotAmbient: c}} }
	field := func(name, typ string) *Fragment { return &Fragment{ID: "f", Fields: []Field{{name, typ}}} }
	attribute := func(a Attribute) *Fragment { return &Fragment{ID: "f", Attributes: []Attribute{a}} }
	long := strings.Repeat("x", 1<<20)
	for name, c := range map[string]struct {
		f    *Fragment
		kind error
		want string
	}{
		// Line breaks of WGSL that are none for editors: they end comments and shift the lines that compilers tell.
		"carriage return":     {code("// c\rlet x = 1;"), ErrSource, "U+000D"},
		"vertical tab":        {code("let\vx = 1;"), ErrSource, "U+000B"},
		"form feed":           {code("let x = 1;\f"), ErrSource, "U+000C"},
		"next line":           {code("let\u0085x = 1;"), ErrSource, "U+0085"},
		"line separator":      {code("// c\u2028let x = 1;"), ErrSource, "U+2028"},
		"paragraph separator": {code("\n// c\u2029"), ErrSource, `"f", AI line 2`},
		"byte order mark":     {code("\ufefflet x = 1;"), ErrSource, "byte order mark"},
		"zero byte":           {code("let x = 1;\x00"), ErrSource, "zero byte"},
		"not UTF-8":           {code("// \xc3("), ErrSource, "UTF-8"},

		"open comment":          {code("let x = 1; /* open"), ErrSource, "never closed"},
		"open nested comment":   {code("let x = 1; /* /* */"), ErrSource, "never closed"},
		"open brace":            {code("if (true) {"), ErrSource, "never closed"},
		"slot in small letters": {&Fragment{ID: "f", Slots: map[Slot]string{"ai": "let x = 1;"}}, ErrSlot, `"ai"`},
		"slot without a name":   {&Fragment{ID: "f", Slots: map[Slot]string{"": "let x = 1;"}}, ErrSlot, `""`},
		"slot of another name":  {&Fragment{ID: "f", Slots: map[Slot]string{"AI*/ let x = 1; /*AI": "let x = 1;"}}, ErrSlot, "no name of a slot"},

		"id of two lines":       {&Fragment{ID: "a\nb"}, ErrName, `a\nb`},
		"id with a separator":   {&Fragment{ID: "a\u2028b"}, ErrName, `a\u2028b`},
		"id not UTF-8":          {&Fragment{ID: "a\xff"}, ErrName, "UTF-8"},
		"long id":               {&Fragment{ID: long, Fields: []Field{{"1", "f32"}}}, ErrName, "…"},
		"long name":             {field(long+"-", "f32"), ErrName, "…"},
		"long type":             {field("a", long), ErrType, "…"},
		"long dependency":       {&Fragment{ID: "f", Dependencies: []string{long}}, ErrDependency, "…"},
		"deep type":             {field("a", strings.Repeat("array<", 1000)+"vec4f"+strings.Repeat(",2>", 1000)), ErrType, "deep"},
		"emoji":                 {field("a😀", "f32"), ErrName, "😀"},
		"enclosing mark":        {field("a\u20dd", "f32"), ErrName, "WGSL name"},
		"joiner":                {field("a\u200db", "f32"), ErrName, `\u200d`},
		"superscript":           {field("a²", "f32"), ErrName, "²"},
		"mark first":            {field("\u0301a", "f32"), ErrName, "WGSL name"},
		"declaration in a name": {field("a: f32, b", "f32"), ErrName, "':'"},
		"declaration in a type": {field("a", "f32, b: f32"), ErrType, `", b: f32"`},
		"comment in a type":     {field("a", "array<vec4f/*,4>*/,4>"), ErrType, `"/*,4>*/,4>"`},
		"no count":              {field("a", "array<vec4f, -1>"), ErrType, "element count"},
		"count beyond int64":    {field("a", "array<vec4f, 99999999999999999999>"), ErrType, "element count"},
		"gigabytes":             {field("a", "array<array<vec4f, 65536>, 65536>"), ErrType, "larger"},

		"two lines in a buffer's name": {attribute(Attribute{Name: "a", Type: "f32", Buffer: "x\ny", Stride: 3}), ErrState, `x\ny`},
		"two lines in a format":        {attribute(Attribute{Name: "a", Type: "f32", Format: "float32\n"}), ErrType, `float32\n`},
		"two lines in interpolation":   {&Fragment{ID: "f", Varyings: []Varying{{"a", "f32", "flat\n"}, {"a", "f32", "linear"}}}, ErrConflict, "flat"},
		"offset beyond int":            {attribute(Attribute{Name: "a", Type: "f32", Buffer: "b", Offset: 1<<63 - 4}), ErrState, "9223372036854775804"},
		"offset below zero":            {attribute(Attribute{Name: "a", Type: "f32", Buffer: "b", Offset: -4}), ErrState, "-4"},
		"stride beyond int32":          {attribute(Attribute{Name: "a", Type: "f32", Stride: 1 << 62}), ErrLimit, "2048"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Compose(litTemplate(), []*Fragment{c.f}, Options{})
			wantError(t, err, c.kind, c.want)
			if s := err.Error(); len(s) > 2000 || !utf8.ValidString(s) || strings.ContainsFunc(s, invisible) {
				t.Errorf("an error of %d bytes: %.300q", len(s), s)
			}
		})
	}
	for name, change := range map[string]func(*Template){
		"mesh variable":     func(t *Template) { t.MeshVar = "mesh: u32; var<private> x" },
		"material variable": func(t *Template) { t.MaterialVar = "max" },
	} {
		tm := litTemplate()
		change(tm)
		_, err := Compose(tm, nil, Options{})
		if !errors.Is(err, ErrName) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A cycle through thousands of fragments is told by a few of them.
func TestLongCycle(t *testing.T) {
	fs := make([]*Fragment, 5000)
	for i := range fs {
		fs[i] = &Fragment{ID: "f" + itoa(i), Dependencies: []string{"f" + itoa((i+1)%len(fs))}}
	}
	_, err := Compose(bareTemplate(), fs, Options{})
	wantError(t, err, ErrCycle, "f0 → f1 → ", "… 4985 more …", "f4999 → f0")
	if len(err.Error()) > 300 {
		t.Errorf("%d bytes", len(err.Error()))
	}
}

// Sizes that no shader has are composed or refused, in little more than the time that they take to copy.
func TestHuge(t *testing.T) {
	big := "let x = 1;" + strings.Repeat("\n// a line of a comment", 1<<20) + "\nlet y = x;"
	sh := mustCompose(t, bareTemplate(SlotAmbient), &Fragment{ID: "f", Slots: map[Slot]string{SlotAmbient: big}})
	if n := strings.Count(sh.FragmentWGSL, "\n"); sh.FragmentMap.Len() != n || sh.FragmentMap.At(n-1).Line != 1<<20+2 {
		t.Errorf("%d lines, the last of the fragment from %v", n, sh.FragmentMap.At(n-1))
	}
	_, err := Compose(bareTemplate(SlotAmbient, SlotAmbient, SlotAmbient), []*Fragment{{ID: "f", Slots: map[Slot]string{SlotAmbient: big}}}, Options{})
	wantError(t, err, ErrLimit, "MB")

	many := &Fragment{ID: "f"}
	for i := range 50000 {
		many.Attributes = append(many.Attributes, Attribute{Name: "a" + itoa(i), Type: "f32"})
	}
	_, err = Compose(bareTemplate(), []*Fragment{many}, Options{})
	wantError(t, err, ErrLimit, `"f"`, `"a16"`, "16 attributes")
}

// White space in types and line ends in code are not the composer's to keep:
// however they are written, the shader is the same to the last byte.
func TestSpellingsComposeAlike(t *testing.T) {
	spell := func(typ, eol string) *Shader {
		tm := litTemplate()
		tm.Vertex, tm.Fragment, tm.SceneUniforms = lines(tm.Vertex, eol), lines(tm.Fragment, eol), lines(tm.SceneUniforms, eol)
		return mustCompose(t, tm, &Fragment{
			ID: "f", Fields: []Field{{"bones", typ}}, FragmentHelpers: lines("fn f() {\n}\n", eol),
			Slots: map[Slot]string{SlotAmbient: lines("\nlet a = 1.0; // β\n\n  let b = a;\n", eol), SlotVertexAfter: lines("f();\n", eol)},
		})
	}
	want := spell("array<vec4<u32>, 4>", "\n")
	for _, typ := range []string{"array<vec4<u32>,4>", " array\t<\n vec4 < u32 > ,\r\n 4 >\n", "array<vec4u,4u>", "array<vec4<u32,>, 0x4,>", "array<vec4<u32>,\t4i>"} {
		for _, eol := range []string{"\n", "\r\n"} {
			if got := spell(typ, eol); !reflect.DeepEqual(got, want) {
				t.Errorf("%q with %q gives\n%q\nwant\n%q", typ, eol, got.FragmentWGSL, want.FragmentWGSL)
			}
		}
	}
}

func lines(s, eol string) string { return strings.ReplaceAll(s, "\n", eol) }

// Code that looks like a marker is code, and comments that look like markers are comments.
func TestCommentsLikeSlots(t *testing.T) {
	tm := bareTemplate(SlotAmbient, SlotBeforeColor)
	const comments = "// /*AI*/\n/* /*AI*/ */\n/*ai*/ /* AI */ /*AI */ /**/ /*A-I*/\n///*AI*/\n/* // */ "
	tm.Fragment = comments + "/*AFTER*/\n" + tm.Fragment
	text := "/*BC*/ /*MU*/ $& $1 ${x} \\1 %s %[1]d"
	sh := mustCompose(t, tm, &Fragment{ID: "f", Slots: map[Slot]string{SlotAmbient: "// " + text, "AFTER": "const after = 1;", SlotBeforeColor: "{ }"}})
	wantOrder(t, sh.FragmentWGSL, comments+"const after = 1;\n", "  // "+text+"\n  { }\n")
	if strings.Count(sh.FragmentWGSL, "{ }") != 1 {
		t.Errorf("a marker in a comment was filled:\n%s", sh.FragmentWGSL)
	}
}
