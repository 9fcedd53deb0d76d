package mesh

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"darkroom/scenes/linalg"
)

func TestBadOptions(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	line := []linalg.Vec3{{0, 0, 0}, {0, 1, 0}}
	for _, c := range []struct {
		name string
		make func() (*Geometry, error)
		want string // part of the error
	}{
		{"negative segments", made(CreateSphere, SphereOptions{Segments: -1}), "segments is -1"},
		{"NaN diameter", made(CreateSphere, SphereOptions{DiameterY: nan}), "diameterY is NaN"},
		{"infinite diameter", made(CreateSphere, SphereOptions{Diameter: inf}), "diameter is +Inf"},
		{"diameter past float32", made(CreateSphere, SphereOptions{Diameter: 1e39}), "diameter is 1e+39"},
		{"arc", made(CreateSphere, SphereOptions{Arc: 1.5}), "arc is 1.5"},
		{"NaN slice", made(CreateSphere, SphereOptions{Slice: nan}), "slice is NaN"},
		{"side", made(CreateSphere, SphereOptions{SideOrientation: 3}), "sideOrientation is 3"},
		{"NaN UVs", made(CreateSphere, SphereOptions{BackUVs: &linalg.Vec4{nan}}), "backUVs"},
		{"absurd sphere", made(CreateSphere, SphereOptions{Segments: 1 << 40}), "GiB"},
		{"absurd doubled sphere", made(CreateSphere, SphereOptions{Segments: 1800, SideOrientation: DoubleSide}), "GiB"},
		{"largest int", made(CreateTorus, TorusOptions{Tessellation: math.MaxInt}), "GiB"},
		{"absurd ground", made(CreateGround, GroundOptions{SubdivisionsX: math.MaxInt, SubdivisionsY: math.MaxInt}), "GiB"},
		{"absurd tiles", made(CreateTiledGround, TiledGroundOptions{Subdivisions: TileCount{1 << 20, 1 << 20}}), "GiB"},
		{"no area", made(CreateTiledGround, TiledGroundOptions{XMin: new(2.0)}), "no area"},
		{"negative tiles", made(CreateTiledGround, TiledGroundOptions{Precision: TileCount{W: -2}}), "precision.w is -2"},
		{"negative width", made(CreateBox, BoxOptions{Width: -1}), "width is -1"},
		{"seven faces", made(CreateBox, BoxOptions{FaceUV: rects(7)}), "faceUV has 7"},
		{"NaN colour", made(CreateBox, BoxOptions{FaceColors: []linalg.Vec4{{0, nan}}}), "faceColors[0] is NaN"},
		{"plane", made(CreatePlane, PlaneOptions{Height: nan}), "height is NaN"},
		{"disc", made(CreateDisc, DiscOptions{Tessellation: 1}), "tessellation is 1"},
		{"knot", made(CreateTorusKnot, TorusKnotOptions{Q: inf}), "q is +Inf"},
		{"absurd knot", made(CreateTorusKnot, TorusKnotOptions{RadialSegments: 1 << 20, TubularSegments: 1 << 20}), "GiB"},
		{"cylinder cap", made(CreateCylinder, CylinderOptions{Cap: 9}), "cap is 9"},
		{"cylinder top", made(CreateCylinder, CylinderOptions{DiameterTop: new(-0.5)}), "diameterTop is -0.5"},
		{"cylinder faces", made(CreateCylinder, CylinderOptions{FaceColors: rects(4)}), "faceColors has 4 entries, want at most 3"},
		{"absurd cylinder", made(CreateCylinder, CylinderOptions{Tessellation: 1 << 30, Subdivisions: 1 << 30}), "GiB"},
		{"icosphere", made(CreateIcoSphere, IcoSphereOptions{Subdivisions: -3}), "subdivisions is -3"},
		{"absurd icosphere", made(CreateIcoSphere, IcoSphereOptions{Subdivisions: 1 << 32}), "GiB"},
		{"capsule", made(CreateCapsule, CapsuleOptions{Tessellation: 2}), "tessellation is 2"},
		{"capsule radii", made(CreateCapsule, CapsuleOptions{RadiusTop: 2, RadiusBottom: 0.5}), "differ by 1.5"},
		{"polyhedron type", made(CreatePolyhedron, PolyhedronOptions{Type: 15}), "type is 15"},
		{"polyhedron face", made(CreatePolyhedron, PolyhedronOptions{Custom: &Polyhedron{square(), [][]int{{0, 1, 4}}}}), "custom.face[0] names vertex 4"},
		{"polyhedron edge", made(CreatePolyhedron, PolyhedronOptions{Custom: &Polyhedron{square(), [][]int{{0, 1}}}}), "2 corners"},
		{"empty polyhedron", made(CreatePolyhedron, PolyhedronOptions{Custom: &Polyhedron{}}), "custom.vertex has 0 points"},
		{"no paths", made(CreateRibbon, RibbonOptions{}), "pathArray is empty"},
		{"short path", made(CreateRibbon, RibbonOptions{PathArray: [][]linalg.Vec3{line, line[:1]}}), "has 1 points"},
		{"single path", made(CreateRibbon, RibbonOptions{PathArray: [][]linalg.Vec3{line}}), "want at least 3"},
		{"negative offset", made(CreateRibbon, RibbonOptions{PathArray: wave()[:1], Offset: -1}), "offset is -1"},
		{"uneven paths", made(CreateRibbon, RibbonOptions{PathArray: [][]linalg.Vec3{line, square()}}), "give UVs for all 6"},
		{"ribbon UVs", made(CreateRibbon, RibbonOptions{PathArray: wave(), UVs: make([]linalg.Vec2, 3)}), "3 UVs for 54"},
		{"ribbon colours", made(CreateRibbon, RibbonOptions{PathArray: wave(), Colors: rects(2)}), "2 colours for 54"},
		{"NaN point", made(CreateRibbon, RibbonOptions{PathArray: [][]linalg.Vec3{line, {{0, nan, 0}, {}}}}), "NaN"},
		{"tube path", made(CreateTube, TubeOptions{Path: line[:1]}), "path has 1 points"},
		{"tube radii", made(CreateTube, TubeOptions{Path: line, Radii: []float64{1}}), "radii has 1 entries, want one for each of the 2"},
		{"tube function", made(CreateTube, TubeOptions{Path: line, RadiusFunc: func(int, float64) float64 { return nan }}), "radii[0] is NaN"},
		{"absurd tube", made(CreateTube, TubeOptions{Path: line, Tessellation: 1 << 40}), "GiB"},
		{"extrusion shape", made(ExtrudeShape, ExtrudeOptions{Path: line}), "shape has 0 points"},
		{"extrusion rotation", made(ExtrudeShape, ExtrudeOptions{Path: line, Shape: line, Rotation: inf}), "rotation is +Inf"},
		{"extrusion scales", made(ExtrudeShapeCustom, ExtrudeCustomOptions{Path: line, Shape: line, Scales: []float64{1, 2, 3}}), "scales has 3"},
		{"extrusion vectors", made(ExtrudeShapeCustom, ExtrudeCustomOptions{Path: line, Shape: line, ScaleVectors: line[:1]}), "scaleVectors has 1"},
		{"lathe clip", made(CreateLathe, LatheOptions{Shape: profile(), Clip: 64}), "clip is 64"},
		{"absurd lathe", made(CreateLathe, LatheOptions{Shape: profile(), Tessellation: math.MaxInt}), "GiB"},
		{"absurd tiled plane", made(CreateTiledPlane, TiledPlaneOptions{Size: 1e6, TileSize: 1e-3}), "GiB"},
		{"tile", made(CreateTiledPlane, TiledPlaneOptions{TileHeight: -1}), "tileHeight is -1"},
		{"pattern", made(CreateTiledPlane, TiledPlaneOptions{Pattern: 7}), "pattern is 7"},
		{"horizontal", made(CreateTiledPlane, TiledPlaneOptions{AlignHorizontal: AlignTop}), "alignHorizontal is 3"},
		{"vertical", made(CreateTiledPlane, TiledPlaneOptions{AlignVertical: AlignLeft}), "alignVertical is 1"},
		{"tiled box", made(CreateTiledBox, TiledBoxOptions{Depth: nan}), "CreateTiledBox: depth is NaN"},
		{"tiled box align", made(CreateTiledBox, TiledBoxOptions{AlignVertical: AlignRight}), "CreateTiledBox: alignVertical is 2"},
		{"absurd tiled box", made(CreateTiledBox, TiledBoxOptions{TileSize: 1e-5}), "GiB"},
		{"no lines", made(CreateLines, LinesOptions{Points: line[:1]}), "empty line-list"},
		{"line colours", made(CreateLineSystem, LineSystemOptions{Lines: [][]linalg.Vec3{line, line}, Colors: [][]linalg.Vec4{rects(2)}}), "line 1"},
		{"dashes", made(CreateDashedLines, DashedLinesOptions{Points: line, DashNb: 1e12}), "GiB"},
		{"dashes on the spot", made(CreateDashedLines, DashedLinesOptions{Points: []linalg.Vec3{{}, {}}}), "empty line-list"},
		{"height map", made(ground, HeightMapGroundOptions{Subdivisions: -1}), "subdivisions is -1"},
		{"height map alpha", made(ground, HeightMapGroundOptions{AlphaFilter: 2}), "alphaFilter is 2"},
		{"NaN height", made(ground, HeightMapGroundOptions{MinHeight: nan}), "minHeight is NaN"},
		{"pixels", func() (*Geometry, error) {
			return CreateGroundFromHeightMap(HeightMap{2, 2, 4, make([]byte, 15)}, HeightMapGroundOptions{})
		}, "15 bytes, want 16"},
		{"no pixels", func() (*Geometry, error) {
			return CreateGroundFromHeightMap(HeightMap{0, 2, 1, nil}, HeightMapGroundOptions{})
		}, "0x2 pixels"},
		{"channels", func() (*Geometry, error) {
			return CreateGroundFromHeightMap(HeightMap{2, 2, 3, make([]byte, 12)}, HeightMapGroundOptions{})
		}, "3 channels"},
	} {
		g, err := c.make()
		if err == nil {
			t.Errorf("%s: made %d vertices", c.name, g.VertexCount())
		} else if msg := err.Error(); !strings.Contains(msg, c.want) || !strings.HasPrefix(msg, "mesh: ") || strings.Contains(msg, "\n") {
			t.Errorf("%s: %q does not say %q", c.name, msg, c.want)
		}
	}
}

// solids are meshes that close about the origin, by radius from it convex.
func solids() map[string]func() (*Geometry, error) {
	out := map[string]func() (*Geometry, error){
		"sphere":      made(CreateSphere, SphereOptions{}),
		"ellipsoid":   made(CreateSphere, SphereOptions{DiameterX: 3}),
		"box":         made(CreateBox, BoxOptions{}),
		"wrapped box": made(CreateBox, BoxOptions{Wrap: true}),
		"tiled box":   made(CreateTiledBox, TiledBoxOptions{Size: 2.5}),
		"cylinder":    made(CreateCylinder, CylinderOptions{}),
		"cone":        made(CreateCylinder, CylinderOptions{DiameterTop: new(0.0)}),
		"icosphere":   made(CreateIcoSphere, IcoSphereOptions{}),
		"capsule":     made(CreateCapsule, CapsuleOptions{}),
		"lathe":       made(CreateLathe, LatheOptions{Shape: []linalg.Vec3{{0, -1, 0}, {1, 0, 0}, {0, 1, 0}}}),
	}
	for kind := range polyhedra {
		out["polyhedron "+string(rune('a'+kind))] = made(CreatePolyhedron, PolyhedronOptions{Type: PolyhedronType(kind)})
	}
	return out
}

// Front faces must wind alike and normals point out, or culling and lighting
// go wrong.
func TestSolidsFaceOutwards(t *testing.T) {
	for name, make := range solids() {
		g, err := make()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		at := func(s []float32, i uint32) linalg.Vec3 {
			return linalg.Vec3{float64(s[3*i]), float64(s[3*i+1]), float64(s[3*i+2])}
		}
		center := g.Bounds().Center()
		g.triangles(func(i, j, k uint32) {
			a, b, c := at(g.Positions, i), at(g.Positions, j), at(g.Positions, k)
			facet := a.Sub(b).Cross(c.Sub(b)) // towards the front, as ComputeNormals has it
			if facet.Length() < 1e-9 {
				return
			}
			if facet.Dot(a.Add(b).Add(c).Scale(1.0/3).Sub(center)) <= 0 {
				t.Errorf("%s: triangle %d %d %d faces inwards", name, i, j, k)
			}
			for _, v := range []uint32{i, j, k} {
				if facet.Normalize().Dot(at(g.Normals, v)) < 0.1 {
					t.Errorf("%s: the normal of vertex %d leaves its triangle", name, v)
				}
			}
		})
	}
}

func TestSides(t *testing.T) {
	front, err := CreatePlane(PlaneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	back, err := CreatePlane(PlaneOptions{SideOrientation: BackSide})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back.Indices, []uint32{2, 1, 0, 3, 2, 0}) || back.Normals[2] != 1 {
		t.Errorf("back: indices %v, normals %v", back.Indices, back.Normals)
	}
	if !reflect.DeepEqual(front.UVs, back.UVs) || !reflect.DeepEqual(front.Positions, back.Positions) {
		t.Error("turning a side changed more than its winding and normals")
	}
	both, err := CreateCylinder(CylinderOptions{SideOrientation: DoubleSide, FaceColors: rects(3), BackUVs: &half})
	if err != nil {
		t.Fatal(err)
	}
	n := both.VertexCount() / 2
	if len(both.Colors) != 8*n || !reflect.DeepEqual(both.Colors[:4*n], both.Colors[4*n:]) {
		t.Error("the colours of the back are not those of the front")
	}
	for i := range n {
		if both.Normals[3*i] != -both.Normals[3*(n+i)] || both.UVs[0][2*i] != 2*both.UVs[0][2*(n+i)] {
			t.Fatalf("vertex %d and its back have normals %v and %v, UVs %v and %v", i,
				both.Normals[3*i:3*i+3], both.Normals[3*(n+i):3*(n+i)+3], both.UVs[0][2*i:2*i+2], both.UVs[0][2*(n+i):2*(n+i)+2])
		}
	}
}

func TestGreyHeightMap(t *testing.T) {
	grey := HeightMap{Width: 3, Height: 2, Channels: 1, Pixels: []byte{0, 51, 255, 102, 204, 153}}
	color := HeightMap{Width: 3, Height: 2, Channels: 4}
	for _, v := range grey.Pixels {
		color.Pixels = append(color.Pixels, v, v, v, 255)
	}
	o := HeightMapGroundOptions{Subdivisions: 4, AlphaFilter: 1, ColorFilter: &linalg.Vec3{1, 0, 0}}
	g, err := CreateGroundFromHeightMap(grey, o)
	if err != nil {
		t.Fatal(err)
	}
	want, err := CreateGroundFromHeightMap(color, o)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(g, want) {
		t.Error("grey and the same grey in colour make different grounds")
	}
	if g.Positions[1] != 0 || g.Positions[3*4+1] != 1 || g.Positions[3*24+1] != 0.6 {
		t.Errorf("corner heights are %g, %g and %g, want 0, 1 and 0.6", g.Positions[1], g.Positions[3*4+1], g.Positions[3*24+1])
	}
}

func TestRibbonGivenStreams(t *testing.T) {
	uneven := [][]linalg.Vec3{square(), square()[:3]}
	uvs := []linalg.Vec2{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 1}, {1, 1}, {2, 1}}
	g, err := CreateRibbon(RibbonOptions{PathArray: uneven, UVs: uvs, Colors: rects(7)})
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint32{0, 4, 1, 5, 1, 4, 1, 5, 2, 6, 2, 5}; !reflect.DeepEqual(g.Indices, want) {
		t.Errorf("indices %v, want %v", g.Indices, want)
	}
	if g.UVs[0][6] != 3 || g.Colors[4*6] != 6./16 {
		t.Errorf("UVs %v, colours %v", g.UVs[0], g.Colors)
	}
}

// Where a path turns back on itself its frame turns over unless told to adjust.
func TestExtrudeAdjustFrame(t *testing.T) {
	path := []linalg.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {-1, 0, 0}}
	end := func(adjust bool) float32 {
		g, err := ExtrudeShape(ExtrudeOptions{
			Shape: []linalg.Vec3{{0, 1, 0}, {0.5, 1, 0}}, Path: path,
			AdjustFrame: adjust, FirstNormal: &linalg.Vec3{0, 1, 0},
		})
		if err != nil {
			t.Fatal(err)
		}
		return g.Positions[len(g.Positions)-1]
	}
	if a, b := end(false), end(true); a != -1 || b != 1 {
		t.Errorf("the last corner is at z %g without and %g with AdjustFrame, want -1, turned over, and 1", a, b)
	}
	vectors, err := ExtrudeShapeCustom(ExtrudeCustomOptions{
		Shape: square(), Path: path[:2],
		ScaleVectors: []linalg.Vec3{{1, 1, 1}, {1, 2, 3}},
		Rotations:    []float64{0, 0},
		FirstNormal:  &linalg.Vec3{0, 1, 0},
	})
	if err != nil {
		t.Fatal(err)
	}
	// The corner (1, 1, 0.3) is 0.3 along X, 1 along Y (the normal) and 1 along Z (the binormal).
	if got := vectors.Positions[3*6 : 3*7]; math.Abs(float64(got[0]-1.3))+math.Abs(float64(got[1]-2))+math.Abs(float64(got[2]-3)) > 1e-6 {
		t.Errorf("the scaled corner is at %v, want 1.3, 2, 3", got)
	}
}

// Options written to JSON and read again make the same mesh, functions included.
func TestOptionsJSON(t *testing.T) {
	for _, c := range builderCases {
		g, err := c.make()
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(g.Builder.Options)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		again := reflect.New(reflect.TypeOf(g.Builder.Options))
		if err := json.Unmarshal(data, again.Interface()); err != nil {
			t.Errorf("%s: %s: %v", c.name, data, err)
		} else if !reflect.DeepEqual(again.Elem().Interface(), g.Builder.Options) {
			t.Errorf("%s: %s came back as %+v", c.name, data, again.Elem())
		}
	}
	data, err := json.Marshal(CylinderOptions{Height: 3, DiameterTop: new(0.0), Cap: NoCap, SideOrientation: DoubleSide})
	if want := `{"height":3,"diameterTop":0,"cap":0,"sideOrientation":2}`; err != nil || string(data) != want {
		t.Errorf("got %s, %v, want %s", data, err, want)
	}
	for _, bad := range []string{"4", "-1", `"all"`} {
		var c Cap
		if json.Unmarshal([]byte(bad), &c) == nil {
			t.Errorf("cap %s was read as %d", bad, c)
		}
	}
	if _, err := json.Marshal(Cap(7)); err == nil {
		t.Error("an unknown cap was written")
	}
}

// Whatever sizes a builder is given, it returns a valid mesh or an error.
func TestStrangeSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := []float64{0, 1, 0.5, -1, 1e-320, 5e-324, 3 * 5e-324, 1e-30, 1e30, 3.4e38, 1e308, math.NaN(), math.Inf(1), math.Inf(-1), 0.1}
	size := func() float64 { return values[r.IntN(len(values))] }
	count := func() int { return []int{0, 1, 2, 3, 5, -1, 17}[r.IntN(7)] }
	vec := func() linalg.Vec3 { return linalg.Vec3{size(), size(), size()} }
	path := func() []linalg.Vec3 {
		p := make([]linalg.Vec3, r.IntN(5))
		for i := range p {
			if i == 0 || r.IntN(3) > 0 {
				p[i] = vec()
			} else {
				p[i] = p[i-1]
			}
		}
		return p
	}
	side := func() Side { return Side(r.IntN(3)) }
	var ok int
	for range 1000 {
		first := vec()
		for _, make := range []func() (*Geometry, error){
			made(CreateSphere, SphereOptions{Segments: count(), DiameterX: size(), Diameter: size(), Arc: size(), Slice: size(), SideOrientation: side()}),
			made(CreateBox, BoxOptions{Width: size(), Wrap: r.IntN(2) == 0, TopBaseAt: new(count()), BottomBaseAt: count()}),
			made(CreateGround, GroundOptions{Width: size(), Height: size(), SubdivisionsX: count(), SubdivisionsY: count()}),
			made(CreateTiledGround, TiledGroundOptions{XMin: new(size()), XMax: new(size()), Precision: TileCount{count(), count()}}),
			made(ground, HeightMapGroundOptions{Width: size(), Height: size(), Subdivisions: count(), MinHeight: size(), MaxHeight: size(), AlphaFilter: size()}),
			made(CreateDisc, DiscOptions{Radius: size(), Tessellation: count(), Arc: size()}),
			made(CreateTorus, TorusOptions{Diameter: size(), Thickness: size(), Tessellation: count()}),
			made(CreateTorusKnot, TorusKnotOptions{Radius: size(), Tube: size(), RadialSegments: count(), TubularSegments: count(), P: size(), Q: size()}),
			made(CreateCylinder, CylinderOptions{Height: size(), DiameterTop: new(size()), Tessellation: count(), Subdivisions: count(), Arc: size(), Enclose: true, HasRings: r.IntN(2) == 0}),
			made(CreateIcoSphere, IcoSphereOptions{Radius: size(), RadiusY: size(), Subdivisions: count(), Flat: new(r.IntN(2) == 0)}),
			made(CreateCapsule, CapsuleOptions{Height: size(), Radius: size(), RadiusTop: size(), Tessellation: count(), CapSubdivisions: count(), Orientation: &first}),
			made(CreatePolyhedron, PolyhedronOptions{Type: PolyhedronType(count()), Size: size(), SizeX: size()}),
			made(CreateTiledPlane, TiledPlaneOptions{Size: size(), Width: size(), TileSize: max(size(), 0.1), Pattern: TilePattern(r.IntN(8)), AlignHorizontal: Align(r.IntN(4))}),
			made(CreateTiledBox, TiledBoxOptions{Size: size(), Width: size(), TileSize: max(size(), 0.1), SideOrientation: side()}),
			made(CreateRibbon, RibbonOptions{PathArray: [][]linalg.Vec3{path(), path()}, ClosePath: r.IntN(2) == 0, CloseArray: r.IntN(2) == 0}),
			made(CreateTube, TubeOptions{Path: path(), Radius: size(), Tessellation: count(), Cap: Cap(r.IntN(5)), Arc: size()}),
			made(ExtrudeShape, ExtrudeOptions{Shape: path(), Path: path(), Scale: size(), Rotation: size(), FirstNormal: &first, AdjustFrame: true}),
			made(CreateLathe, LatheOptions{Shape: path(), Radius: size(), Tessellation: count(), Clip: count()}),
			made(CreateDashedLines, DashedLinesOptions{Points: path(), DashSize: size(), GapSize: size(), DashNb: min(size(), 1000)}),
		} {
			g, err := make()
			if err != nil {
				continue
			}
			ok++
			if err := g.Validate(); err != nil {
				t.Errorf("%+v: %v", g.Builder, err)
			}
		}
	}
	if ok < 500 {
		t.Errorf("only %d meshes were made, the test has lost its bite", ok)
	}
}
