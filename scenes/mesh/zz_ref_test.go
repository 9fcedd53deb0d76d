package mesh

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"testing"
)

func mk[O any](f func(O) (*Geometry, error)) func(json.RawMessage) (*Geometry, error) {
	return func(r json.RawMessage) (*Geometry, error) {
		var o O
		d := json.NewDecoder(bytes.NewReader(r))
		d.DisallowUnknownFields()
		if err := d.Decode(&o); err != nil {
			return nil, err
		}
		g, err := f(o)
		if err == nil {
			b, e := json.Marshal(g.Builder.Options)
			if e != nil {
				return nil, e
			}
			var o2 O
			if e := json.Unmarshal(b, &o2); e != nil {
				return nil, e
			}
			g2, e := f(o2)
			if e != nil || fmt.Sprint(g2.Positions) != fmt.Sprint(g.Positions) {
				return nil, fmt.Errorf("round trip %v %s", e, b)
			}
		}
		return g, err
	}
}

func TestZZRef(t *testing.T) {
	b, err := os.ReadFile("/tmp/meshref/cases.json")
	if err != nil {
		t.Skip()
	}
	var cases []struct {
		Builder                                  string
		Options                                  json.RawMessage
		Positions, Normals, Uvs, Colors, Indices *string
		MapW, MapH                               int
		MapData                                  string
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	type stat struct {
		n, idx, exact        int
		values, pos, nor, uv int
		posD, norD, uvD      float64
		errs                 int
	}
	stats := map[string]*stat{}
	dec := func(s *string) []byte {
		if s == nil {
			return nil
		}
		b, _ := base64.StdEncoding.DecodeString(*s)
		return b
	}
	f32 := func(s *string) []float32 {
		b := dec(s)
		if b == nil {
			return nil
		}
		o := make([]float32, len(b)/4)
		binary.Decode(b, binary.LittleEndian, o)
		return o
	}
	bs := map[string]func(json.RawMessage) (*Geometry, error){
		"CreateSphere": mk(CreateSphere), "CreateBox": mk(CreateBox), "CreatePlane": mk(CreatePlane), "CreateGround": mk(CreateGround), "CreateTiledGround": mk(CreateTiledGround),
		"CreateDisc": mk(CreateDisc), "CreateTorus": mk(CreateTorus), "CreateTorusKnot": mk(CreateTorusKnot), "CreateCylinder": mk(CreateCylinder), "CreatePolyhedron": mk(CreatePolyhedron),
		"CreateIcoSphere": mk(CreateIcoSphere), "CreateCapsule": mk(CreateCapsule), "CreateRibbon": mk(CreateRibbon), "CreateTube": mk(CreateTube), "ExtrudeShape": mk(ExtrudeShape), "ExtrudeShapeCustom": mk(ExtrudeShapeCustom),
		"CreateLathe": mk(CreateLathe), "CreateLines": mk(CreateLines), "CreateLineSystem": mk(CreateLineSystem), "CreateDashedLines": mk(CreateDashedLines),
	}
	for _, c := range cases {
		s := stats[c.Builder]
		if s == nil {
			s = &stat{}
			stats[c.Builder] = s
		}
		s.n++
		f := bs[c.Builder]
		if c.Builder == "CreateGroundFromHeightMap" {
			px, _ := base64.StdEncoding.DecodeString(c.MapData)
			f = mk(func(o HeightMapGroundOptions) (*Geometry, error) {
				return CreateGroundFromHeightMap(HeightMap{c.MapW, c.MapH, 4, px}, o)
			})
		}
		opt := string(c.Options)
		if len(opt) > 200 {
			opt = opt[:200]
		}
		g, err := f(c.Options)
		if err != nil {
			s.errs++
			t.Logf("%s %s: %v", c.Builder, opt, err)
			continue
		}
		exact := true
		cmp := func(what string, got, want []float32, cnt *int, worst *float64) {
			if len(got) != len(want) {
				t.Errorf("%s %s: %s length %d want %d", c.Builder, opt, what, len(got), len(want))
				exact = false
				return
			}
			bad := 0
			for i := range got {
				s.values++
				if math.Float32bits(got[i]) != math.Float32bits(want[i]) && want[i] == want[i] {
					bad++
					*cnt++
					exact = false
					if d := math.Abs(float64(got[i]) - float64(want[i])); !(d <= *worst) {
						*worst = d
						if math.IsNaN(d) || d > 1e-6 {
							t.Logf("%s %s: %s[%d] got %v want %v", c.Builder, opt, what, i, got[i], want[i])
						}
					}
				}
			}
			_ = bad
		}
		cmp("pos", g.Positions, f32(c.Positions), &s.pos, &s.posD)
		cmp("nor", g.Normals, f32(c.Normals), &s.nor, &s.norD)
		cmp("uv", g.UVs[0], f32(c.Uvs), &s.uv, &s.uvD)
		var dummy int
		var dd float64
		if want := f32(c.Colors); len(want) == len(g.Colors) {
			cmp("col", g.Colors, want, &dummy, &dd)
		} else {
			t.Logf("%s %s: colours %d, engine %d", c.Builder, opt, len(g.Colors), len(want))
		}
		ib := dec(c.Indices)
		wi := make([]uint32, len(ib)/4)
		binary.Decode(ib, binary.LittleEndian, wi)
		same := len(wi) == len(g.Indices)
		for i := range wi {
			if same && wi[i] != g.Indices[i] {
				same = false
			}
		}
		if same {
			s.idx++
		} else {
			t.Errorf("%s %s: indices differ (%d, want %d)", c.Builder, opt, len(g.Indices), len(wi))
		}
		if exact {
			s.exact++
		}
	}
	var names []string
	for n := range stats {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		s := stats[n]
		t.Logf("%-26s cases %3d errs %d indices equal %3d all bits equal %3d values %8d differ pos %d (max %.2g) nor %d (max %.2g) uv %d (max %.2g)", n, s.n, s.errs, s.idx, s.exact, s.values, s.pos, s.posD, s.nor, s.norD, s.uv, s.uvD)
	}
}
