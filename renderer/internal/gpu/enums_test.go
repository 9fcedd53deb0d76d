package gpu

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"darkroom/composer"
)

// constants are the string constants of a type of package composer, by source.
func constants(t *testing.T, typ string) []string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "composer")
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, file.Name()), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				if id, ok := v.Type.(*ast.Ident); !ok || id.Name != typ || len(v.Values) != 1 {
					continue
				}
				if lit, ok := v.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					s, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Fatal(err)
					}
					out = append(out, s)
				}
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("package composer has no constants of type %s", typ)
	}
	return out
}

// Every name that package composer has must reach the backend, but for those
// that it is known to lack.
func TestEveryNameHasItsNumber(t *testing.T) {
	lacks := map[string]bool{
		"src1": true, "one-minus-src1": true, "src1-alpha": true, "one-minus-src1-alpha": true,
		"uint8": true, "sint8": true, "unorm8": true, "snorm8": true, "uint16": true, "sint16": true, "unorm16": true, "snorm16": true, "float16": true,
		"unorm10-10-10-2": true, "unorm8x4-bgra": true,
	}
	seen := map[string]string{}
	check := func(typ string, of func(string) (uint32, error)) {
		for _, name := range constants(t, typ) {
			n, err := of(name)
			if (err != nil) != lacks[name] {
				t.Errorf("%s %q: %v", typ, name, err)
			}
			if err != nil {
				continue
			}
			key := typ + " " + strconv.Itoa(int(n))
			if other, twice := seen[key]; twice {
				t.Errorf("%s %q and %q have the number %d", typ, name, other, n)
			}
			seen[key] = name
		}
	}
	check("TextureFormat", func(s string) (uint32, error) {
		v, err := formatOf(composer.TextureFormat(s))
		return uint32(v), err
	})
	check("VertexFormat", func(s string) (uint32, error) {
		v, err := vertexFormatOf(composer.VertexFormat(s))
		return uint32(v), err
	})
	check("CompareFunction", func(s string) (uint32, error) {
		v, err := compareOf(composer.CompareFunction(s))
		return uint32(v), err
	})
	check("ViewDimension", func(s string) (uint32, error) {
		v, err := viewDimensionOf(composer.ViewDimension(s))
		return uint32(v), err
	})
	check("AddressMode", func(s string) (uint32, error) {
		v, err := addressOf(composer.AddressMode(s))
		return uint32(v), err
	})
	check("FilterMode", func(s string) (uint32, error) {
		v, err := filterOf(composer.FilterMode(s))
		return uint32(v), err
	})
	check("StencilOperation", func(s string) (uint32, error) {
		v, err := stencilOf(composer.StencilOperation(s))
		return uint32(v), err
	})
	check("BlendFactor", func(s string) (uint32, error) {
		v, err := factorOf(composer.BlendFactor(s), "")
		return uint32(v), err
	})
	check("BlendOperation", func(s string) (uint32, error) {
		v, err := blend(composer.BlendComponent{Operation: composer.BlendOperation(s)})
		return uint32(v.Operation), err
	})
}

func TestTextureType(t *testing.T) {
	for _, c := range []struct {
		wgsl         string
		dimension    composer.ViewDimension
		multisampled bool
		sample       composer.SampleType
	}{
		{"", composer.View2D, false, composer.SampleFloat},
		{"texture_2d<f32>", composer.View2D, false, composer.SampleFloat},
		{"texture_1d<f32>", composer.View1D, false, composer.SampleFloat},
		{"texture_2d_array<u32>", composer.View2DArray, false, composer.SampleUint},
		{"texture_3d< i32 >", composer.View3D, false, composer.SampleSint},
		{"texture_cube<f32>", composer.ViewCube, false, composer.SampleFloat},
		{"texture_cube_array<f32>", composer.ViewCubeArray, false, composer.SampleFloat},
		{"texture_multisampled_2d<f32>", composer.View2D, true, composer.SampleFloat},
		{"texture_depth_2d", composer.View2D, false, composer.SampleDepth},
		{"texture_depth_cube_array", composer.ViewCubeArray, false, composer.SampleDepth},
		{"texture_depth_multisampled_2d", composer.View2D, true, composer.SampleDepth},
		{"texture_storage_2d_array<rgba8unorm, write>", composer.View2DArray, false, composer.SampleFloat},
	} {
		d, m, s := textureType(c.wgsl)
		if d != c.dimension || m != c.multisampled || s != c.sample {
			t.Errorf("%q: %s %t %s, want %s %t %s", c.wgsl, d, m, s, c.dimension, c.multisampled, c.sample)
		}
	}
}

func TestCheckWGSL(t *testing.T) {
	for _, c := range []struct {
		name, wgsl, want string
	}{
		{"plain", "fn f() {}", ""},
		{"open brackets in comments", strings.Repeat("// (((\n/* [[[ /* { */ */", 1000) + "fn f() {}", ""},
		{"a long table", "const t = array<f32, 5000>(" + strings.Repeat("-1.0 * 2.0,", 5000) + ");", ""},
		{"a long sum", "fn f() { let x = 1" + strings.Repeat("+1", 1001) + "; }", "operators"},
		{"many statements", "fn f() { " + strings.Repeat("x += 1 + 2;", 5000) + " }", ""},
		{"deep", "\n\n" + strings.Repeat("(", 257), "line 3: brackets"},
		{"many else", strings.Repeat("else ", 1001), "else"},
		{"many constants", strings.Repeat("const a = 1;\n", 4001), "constants"},
		{"a slash at the end", "fn f() {} /", ""},
		{"an open comment", "fn f() {} /* ((", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := checkWGSL(c.wgsl)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
