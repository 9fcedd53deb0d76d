package plugin

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"darkroom/material/pbr"
)

// Without plugins, and with disabled ones, shaders are the bytes that the host
// composes by itself.
func TestPluginFree(t *testing.T) {
	for name, host := range families() {
		for _, depth := range []bool{false, true} {
			c := context()
			c.DepthOnly = depth
			want := mustCompose(t, host, c)
			for _, m := range []*Material{wrap(t, host), wrap(t, host, &Plugin{Name: "off", Disabled: true, Code: map[Point]string{FragmentMainBegin: "broken"}})} {
				if got := mustCompose(t, m, c); got.VertexWGSL != want.VertexWGSL || got.FragmentWGSL != want.FragmentWGSL || got.Key != want.Key {
					t.Errorf("%s, depth only %t: other shaders", name, depth)
				}
			}
		}
		if sh := mustCompose(t, host, context()); strings.Contains(sh.VertexWGSL+sh.FragmentWGSL, "CUSTOM_") {
			t.Errorf("%s: a marker is left in the shader", name)
		}
	}
}

// Programs with and without this package compose materials without plugins to
// the same bytes.
func TestLinked(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	digest := func(with string, args ...string) string {
		c := exec.Command("go", append(append([]string{"run"}, args...), "./testdata/linked")...)
		c.Env = append(os.Environ(), "CGO_ENABLED=0")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		words := strings.Fields(string(out))
		if len(words) != 3 || words[0] != with || words[1] != "40" {
			t.Fatalf("%s", out)
		}
		return words[2]
	}
	if a, b := digest("without"), digest("with", "-tags", "plugins"); a != b {
		t.Errorf("without the package the shaders are %s, with it %s", a, b)
	}
}

// Every point is in both families, in the order of the stage.
func TestPoints(t *testing.T) {
	for name, host := range families() {
		p := &Plugin{Name: "all", Code: map[Point]string{}}
		for i, point := range Points() {
			p.Code[point] = fmt.Sprintf("// point %d", i)
		}
		sh := mustCompose(t, wrap(t, host, p), context())
		for _, x := range []struct {
			wgsl string
			from int
			to   int
		}{{sh.VertexWGSL, 0, 3}, {sh.FragmentWGSL, 3, 10}} {
			at := 0
			for i := x.from; i < x.to; i++ {
				n := strings.Index(x.wgsl[at:], fmt.Sprintf("// point %d", i))
				if n < 0 {
					t.Fatalf("%s: %s does not follow the point before it", name, Points()[i])
				}
				at += n
			}
		}
		// What the point's code may rely on.
		for _, order := range [][]string{
			{"var positionLocal", "// point 0", "var finalWorld", "var worldPosition", "// point 1", "out.position = ", "// point 2", "return out"},
			{"// point 3", "fn fs(", "// point 4", "// point 5", "// point 6", "// point 7", "for (var i", "// point 8", "var color", "// point 9", "outputs.color = color"},
		} {
			text := sh.VertexWGSL
			if order[0] == "// point 3" {
				text = sh.FragmentWGSL
			}
			at := 0
			for _, s := range order {
				n := strings.Index(text[at:], s)
				if n < 0 {
					t.Fatalf("%s: %q does not follow in\n%s", name, s, text)
				}
				at += n
			}
		}
	}
}

// Of the alpha points, one is before the alpha test and one after it.
func TestAlphaPoints(t *testing.T) {
	host := pbr.New("p")
	host.AlphaMode = pbr.Mask
	sh := mustCompose(t, wrap(t, host, &Plugin{Name: "a", Code: map[Point]string{FragmentUpdateAlpha: "// alpha", FragmentUpdateDiffuse: "// diffuse"}}), context())
	a, d, test := strings.Index(sh.FragmentWGSL, "// alpha"), strings.Index(sh.FragmentWGSL, "// diffuse"), strings.Index(sh.FragmentWGSL, "discard")
	if !(0 < a && a < test && test < d) {
		t.Errorf("alpha at %d, test at %d, diffuse at %d", a, test, d)
	}
}

func TestPriority(t *testing.T) {
	p := func(name string, priority int) *Plugin {
		return &Plugin{Name: name, Priority: priority, Code: map[Point]string{FragmentMainBegin: "// " + name + "."}}
	}
	for _, x := range []struct {
		list []*Plugin
		want string
	}{
		{[]*Plugin{p("a", 0), p("b", 0), p("c", 0)}, "a b c"},
		{[]*Plugin{p("c", 0), p("a", 0)}, "c a"},
		{[]*Plugin{p("late", 501), p("usual", 0), p("early", 499), p("first", -1)}, "first early usual late"},
	} {
		m := wrap(t, pbr.New("p"), x.list...)
		if got := strings.Join(m.Active(), " "); got != x.want {
			t.Errorf("%s, want %s", got, x.want)
		}
		sh, at := mustCompose(t, m, context()), 0
		for _, name := range strings.Fields(x.want) {
			n := strings.Index(sh.FragmentWGSL[at:], "// "+name+".")
			if n < 0 {
				t.Errorf("%s: %s comes too early", x.want, name)
			}
			at += max(n, 0)
		}
	}
}
