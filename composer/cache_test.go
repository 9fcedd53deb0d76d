package composer

import (
	"errors"
	"strconv"
	"sync"
	"testing"
)

// cacheTemplate is a small template with one slot a stage.
func cacheTemplate() *Template {
	return &Template{
		ID:       "cached",
		Vertex:   "/*VO*/\n@vertex fn vs() -> VertexOutput {\n  var output: VertexOutput;\n  /*VB*/\n  return output;\n}\n",
		Fragment: "/*FI*/\n/*FO*/\n@fragment fn fs(input: FragmentInput) /*FR*/ {\n  /*BC*/\n  /*FW*/\n}\n",
		Outputs:  []Output{{"color", "vec4<f32>"}, {"normal", "vec3<f32>"}},
	}
}

func cacheFragments(n int) []*Fragment {
	list := make([]*Fragment, n)
	for i := range list {
		id := "part" + strconv.Itoa(i)
		list[i] = &Fragment{ID: id, Slots: map[Slot]string{SlotBeforeColor: "let " + id + " = 1.0;"}}
	}
	return list
}

func mustCache(t testing.TB, c *Cache, tm *Template, fragments []*Fragment, o Options) *Shader {
	t.Helper()
	sh, err := c.Compose(tm, fragments, o)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

func TestCacheKnowsAgain(t *testing.T) {
	var c Cache
	tm, fragments := cacheTemplate(), cacheFragments(3)
	locations := map[string]int{"color": 0}
	first := mustCache(t, &c, tm, fragments, Options{OutputLocations: locations})

	// The caller's slice and map are its own to reuse.
	list := append([]*Fragment(nil), fragments...)
	again := mustCache(t, &c, tm, list, Options{OutputLocations: map[string]int{"color": 0}})
	list[0] = list[1]
	locations["color"] = 1
	third := mustCache(t, &c, tm, fragments, Options{OutputLocations: map[string]int{"color": 0}})
	if again != first || third != first || c.Len() != 1 {
		t.Fatalf("the same composition was composed again: %d entries", c.Len())
	}

	// Each of these is another composition.
	others := map[string]*Shader{
		"template":   mustCache(t, &c, &Template{ID: "other", Vertex: tm.Vertex + "// other\n"}, nil, Options{}),
		"fragments":  mustCache(t, &c, tm, fragments[:2], Options{OutputLocations: map[string]int{"color": 0}}),
		"locations":  mustCache(t, &c, tm, fragments, Options{OutputLocations: locations}),
		"nil map":    mustCache(t, &c, tm, fragments, Options{}),
		"empty map":  mustCache(t, &c, tm, fragments, Options{OutputLocations: map[string]int{}}),
		"vertexOnly": mustCache(t, &c, tm, fragments, Options{OutputLocations: map[string]int{"color": 0}, VertexOnly: true}),
	}
	seen := map[*Shader]string{first: "the first"}
	for name, sh := range others {
		if other, ok := seen[sh]; ok {
			t.Errorf("another %s gave the shader of %s", name, other)
		}
		seen[sh] = name
	}
}

func TestCacheSharesEqualShaders(t *testing.T) {
	var c Cache
	tm, fragments := cacheTemplate(), cacheFragments(2)
	a := mustCache(t, &c, tm, fragments, Options{})
	// The composer sorts, so the other order composes to the same bytes.
	b := mustCache(t, &c, tm, []*Fragment{fragments[1], fragments[0]}, Options{})
	// And so does a template of the same text.
	d := mustCache(t, &c, cacheTemplate(), cacheFragments(2), Options{})
	if a != b || a != d {
		t.Error("equal bytes gave different shaders")
	}
	if c.Len() != 3 {
		t.Errorf("%d entries, want 3", c.Len())
	}
}

func TestCacheRemembersErrors(t *testing.T) {
	var c Cache
	tm := cacheTemplate()
	bad := []*Fragment{{ID: "a", Dependencies: []string{"b"}}}
	_, err1 := c.Compose(tm, bad, Options{})
	_, err2 := c.Compose(tm, bad, Options{})
	if !errors.Is(err1, ErrDependency) || err1 != err2 {
		t.Errorf("got %v, then %v", err1, err2)
	}
	if sh, err := c.Compose(nil, nil, Options{}); sh != nil || err == nil {
		t.Error("a nil template composed")
	}
}

func TestCacheIsBounded(t *testing.T) {
	c := Cache{Limit: 16}
	tm, fragments := cacheTemplate(), cacheFragments(100)
	kept := mustCache(t, &c, tm, fragments[:1], Options{})
	for i := range fragments {
		mustCache(t, &c, tm, fragments[i:i+1], Options{})
		if sh := mustCache(t, &c, tm, fragments[:1], Options{}); sh != kept {
			t.Fatalf("what is used all the time was dropped at %d", i)
		}
		if c.Len() > 16 {
			t.Fatalf("%d entries of at most 16", c.Len())
		}
		if len(c.byKey) > 17 {
			t.Fatalf("%d shaders by key", len(c.byKey))
		}
	}
	// What was dropped composes again to the same bytes.
	if sh := mustCache(t, &c, tm, fragments[1:2], Options{}); sh.Fragments[0] != "part1" {
		t.Error("wrong shader after the drop")
	}
}

func TestCacheConcurrent(t *testing.T) {
	c := Cache{Limit: 8}
	tm, fragments := cacheTemplate(), cacheFragments(12)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 300 {
				n := (i*7+g)%len(fragments) + 1
				sh, err := c.Compose(tm, fragments[:n], Options{})
				if err != nil || len(sh.Fragments) != n {
					t.Errorf("%d fragments: %v", n, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestCacheHitDoesNotAllocate(t *testing.T) {
	var c Cache
	tm, fragments := cacheTemplate(), cacheFragments(20)
	o := Options{OutputLocations: map[string]int{"color": 0, "normal": 1}}
	mustCache(t, &c, tm, fragments, o)
	if n := testing.AllocsPerRun(100, func() { mustCache(t, &c, tm, fragments, o) }); n != 0 {
		t.Errorf("%v allocations a hit", n)
	}
}

func BenchmarkCacheHit(b *testing.B) {
	var c Cache
	tm, fragments := cacheTemplate(), cacheFragments(20)
	o := Options{OutputLocations: map[string]int{"color": 0, "normal": 1}}
	mustCache(b, &c, tm, fragments, o)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Compose(tm, fragments, o); err != nil {
			b.Fatal(err)
		}
	}
}
