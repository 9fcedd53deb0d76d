package composer

import (
	"slices"
	"strings"
	"testing"
)

func ids(fs []*Fragment) string {
	var s []string
	for _, f := range fs {
		s = append(s, f.ID)
	}
	return strings.Join(s, " ")
}

// graphOf builds fragments from "id<dep,dep" and "id!required".
func graphOf(spec ...string) []*Fragment {
	byID := make(map[string]*Fragment)
	get := func(id string) *Fragment {
		if byID[id] == nil {
			byID[id] = &Fragment{ID: id}
		}
		return byID[id]
	}
	var out []*Fragment
	for _, s := range spec {
		id := s[:strings.IndexAny(s+"<", "<!")]
		f := get(id)
		for rest := s[len(id):]; rest != ""; {
			n := strings.IndexAny(rest[1:]+"<", "<!") + 1
			for _, d := range strings.Split(rest[1:n], ",") {
				if rest[0] == '<' {
					f.Dependencies = append(f.Dependencies, d)
				} else {
					f.Requires = append(f.Requires, get(d))
				}
			}
			rest = rest[n:]
		}
		if !strings.HasPrefix(id, "_") { // pulled in only
			out = append(out, f)
		}
	}
	return out
}

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []string
		want string
	}{
		{"alphabetical without needs", []string{"c", "a", "b"}, "a b c"},
		{"chain against the alphabet", []string{"a<b", "b<c", "c"}, "c b a"},
		{"diamond", []string{"d<b,c", "b<a", "c<a", "a"}, "a b c d"},
		{"ties wait for what becomes ready first", []string{"z", "m<z", "a<m", "b"}, "b z m a"},
		{"required just ahead of its user, not first", []string{"a", "b", "c!_aa"}, "a b _aa c"},
		{"required once, ahead of the first", []string{"a", "b!_lib", "c!_lib"}, "a _lib b c"},
		{"required transitively", []string{"a!_x", "_x!_y", "_y!_z"}, "_z _y _x a"},
		{"required in their order", []string{"a!_y,_x"}, "_y _x a"},
		{"a listed fragment can be required", []string{"a!z", "z"}, "z a"},
		{"a required fragment's dependency comes first", []string{"a!_lib", "_lib<z", "z"}, "z _lib a"},
		{"a dependency on a required fragment", []string{"a<_lib", "b!_lib"}, "_lib a b"},
		{"the same need twice", []string{"a<b,b!b", "b"}, "b a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			permutations(graphOf(c.in...), func(in []*Fragment) {
				got, err := new(graph).order(in, false)
				if err != nil {
					t.Fatal(err)
				}
				if ids(got) != c.want {
					t.Errorf("order of %s: got %s, want %s", ids(in), ids(got), c.want)
				}
			})
		})
	}
}

func TestOrderErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		in    []string
		kind  error
		names []string
	}{
		{"duplicate", []string{"a", "b", "a"}, ErrDuplicate, []string{`"a"`}},
		{"unknown dependency", []string{"a<ghost"}, ErrDependency, []string{`"a"`, `"ghost"`}},
		{"dependency of a required fragment", []string{"a!_lib", "_lib<ghost"}, ErrDependency, []string{`"_lib"`, `"ghost"`}},
		{"self", []string{"a<a"}, ErrCycle, []string{"a → a"}},
		{"cycle of two", []string{"b<a", "a<b"}, ErrCycle, []string{"a → b → a"}},
		{"cycle behind a tail", []string{"t<x", "x<y", "y<z", "z<x", "u"}, ErrCycle, []string{"x → y → z → x"}},
		{"cycle through a requirement", []string{"a!_b", "_b<a"}, ErrCycle, []string{"_b → a → _b"}},
		{"cycle of requirements", []string{"a!_b", "_b!_c", "_c!_b"}, ErrCycle, []string{"_b → _c → _b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := new(graph).order(graphOf(c.in...), false)
			wantError(t, err, c.kind, c.names...)
			_, err = new(graph).order(graphOf(c.in...), true)
			wantError(t, err, c.kind, c.names...)
		})
	}
	_, err := new(graph).order([]*Fragment{{}}, false)
	wantError(t, err, ErrName)
	_, err = new(graph).order([]*Fragment{{ID: "a\nb"}}, false)
	wantError(t, err, ErrName)
}

func TestOrderKept(t *testing.T) {
	for _, c := range []struct {
		in   []string
		want string
	}{
		{[]string{"c", "a", "b"}, "c a b"},
		{[]string{"c!_lib", "a!_lib"}, "_lib c a"},
		{[]string{"b", "a<b"}, "b a"},
		{[]string{"a!z", "b", "z"}, "z a b"}, // required ones move ahead
	} {
		got, err := new(graph).order(graphOf(c.in...), true)
		if err != nil {
			t.Fatal(err)
		}
		if ids(got) != c.want {
			t.Errorf("%v: got %s, want %s", c.in, ids(got), c.want)
		}
	}
	_, err := new(graph).order(graphOf("a<b", "b"), true)
	wantError(t, err, ErrDependency, `"a"`, `"b"`, "put it ahead")
}

func TestRequiredCopies(t *testing.T) {
	lib := func(code string) *Fragment {
		return &Fragment{
			ID: "lib", FragmentHelpers: code, Requires: []*Fragment{{ID: "base"}},
			Constants: []Constant{{"N", "i32", 1}}, Slots: map[Slot]string{"AI": "x"},
		}
	}
	user := func(id string, r ...*Fragment) *Fragment { return &Fragment{ID: id, Requires: r} }

	got, err := new(graph).order([]*Fragment{user("b", lib("fn f() {}"), nil), nil, user("a", lib("fn f() {}"))}, false)
	if err != nil {
		t.Fatal(err)
	}
	if ids(got) != "base lib a b" {
		t.Errorf("got %s", ids(got))
	}
	_, err = new(graph).order([]*Fragment{user("a", lib("fn f() {}")), user("b", lib("fn f() { return; }"))}, false)
	wantError(t, err, ErrDuplicate, `"lib"`, `"b"`)

	// Uncomparable constant values must not panic.
	bad := lib("")
	bad.Constants[0].Value = []int{1}
	other := lib("")
	other.Constants[0].Value = []int{1}
	_, err = new(graph).order([]*Fragment{user("a", bad), user("b", other)}, false)
	wantError(t, err, ErrDuplicate, `"lib"`)
}

func TestOrderDeepChain(t *testing.T) {
	const n = 20000
	var in []*Fragment
	last := &Fragment{ID: "f0"}
	for i := 1; i < n; i++ {
		last = &Fragment{ID: "f" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + itoa(i), Requires: []*Fragment{last}}
	}
	in = append(in, last)
	got, err := new(graph).order(in, false)
	if err != nil || len(got) != n || got[0].ID != "f0" {
		t.Fatalf("%d fragments, %v", len(got), err)
	}
}

func itoa(i int) string {
	var b []byte
	for ; i > 0 || len(b) == 0; i /= 10 {
		b = append(b, byte('0'+i%10))
	}
	slices.Reverse(b)
	return string(b)
}
