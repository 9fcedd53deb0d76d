package mesh

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"runtime"
	"testing"

	"darkroom/scenes/linalg"
)

// Inputs of the table below.
func helix() []linalg.Vec3 {
	path := make([]linalg.Vec3, 40)
	for i := range path {
		s, c := math.Sincos(float64(i) * 0.3)
		path[i] = linalg.Vec3{c * 2, float64(i) * 0.1, s * 2}
	}
	return path
}

func wave() [][]linalg.Vec3 {
	paths := make([][]linalg.Vec3, 6)
	for i := range paths {
		for j := range 9 {
			paths[i] = append(paths[i], linalg.Vec3{float64(j) - 4, math.Sin(float64(i+j)) * 0.5, float64(i) * 1.1})
		}
	}
	return paths
}

func square() []linalg.Vec3 {
	return []linalg.Vec3{{0, 0, 0}, {1, 0, 0}, {1, 1, 0.3}, {0, 1, 0}}
}

func profile() []linalg.Vec3 {
	return []linalg.Vec3{{0.2, 0, 0}, {1, 0.5, 0}, {0.7, 1.2, 0}, {0.9, 2, 0}}
}

func heights() HeightMap {
	m := HeightMap{Width: 64, Height: 48, Channels: 4}
	for y := range m.Height {
		for x := range m.Width {
			m.Pixels = append(m.Pixels, byte(x*4), byte(y*5), byte(x*y), byte(x*13+y*29))
		}
	}
	return m
}

func rects(n int) []linalg.Vec4 {
	out := make([]linalg.Vec4, n)
	for i := range out {
		f := float64(i) / 16
		out[i] = linalg.Vec4{f, f / 2, f + 0.25, f + 0.5}
	}
	return out
}

// made pairs an options value with its builder.
func made[O any](f func(O) (*Geometry, error), o O) func() (*Geometry, error) {
	return func() (*Geometry, error) { return f(o) }
}

func ground(o HeightMapGroundOptions) (*Geometry, error) {
	return CreateGroundFromHeightMap(heights(), o)
}

var half = linalg.Vec4{0, 0, 0.5, 1}

// builderCases are one mesh for each path through a builder. Sums, counts and
// samples are our own, of meshes that were equal to the engine's (9.35): its
// indices, and its float32 positions, normals and UVs but for last bits near zero.
var builderCases = []struct {
	name              string
	make              func() (*Geometry, error)
	vertices, indices int
	sum               string // start of the SHA-256 of positions, normals, UVs, colours and indices
	vertex            int    // a sample …
	position          [3]float32
	normal            [3]float32
	uv                [2]float32
}{
	{"sphere", made(CreateSphere, SphereOptions{}),
		2415, 13872, "2f00d45471bb7d55", 1610, [3]float32{-0.22379082, -0.26321608, -0.3614346}, [3]float32{-0.44758165, -0.52643216, -0.7228692}, [2]float32{0.3382353, 0.6764706}},
	{"sphere of 16 segments", made(CreateSphere, SphereOptions{Segments: 16, Diameter: 2}),
		703, 3888, "eeb97f3ab636a5bd", 468, [3]float32{-0.4330127, -0.5, 0.75}, [3]float32{-0.4330127, -0.5, 0.75}, [2]float32{0.6666667, 0.6666667}},
	{"ellipsoid, doubled", made(CreateSphere, SphereOptions{DiameterX: 1, DiameterY: 2, DiameterZ: 3.3, SideOrientation: DoubleSide, FrontUVs: &half}),
		4830, 27744, "f45232af682bcab1", 3220, [3]float32{-0.18948719, 0.52643216, 1.2557873}, [3]float32{0.73466855, -0.5102629, -0.44709495}, [2]float32{0.6764706, 0.32352942}},
	{"part of a sphere", made(CreateSphere, SphereOptions{Arc: 0.4, Slice: 0.3, Segments: 9, SideOrientation: BackSide}),
		276, 1452, "8b0cc5d694d33dd1", 184, [3]float32{0.31650624, 0.3870708, 0}, [3]float32{-0.6330125, -0.7741416, -0}, [2]float32{0, 0.72727275}},
	{"sphere without pole triangles", made(CreateSphere, SphereOptions{Segments: 5, DedupTopBottomIndices: true}),
		120, 504, "a0c29a0542148026", 80, [3]float32{-0.24373198, -0.3117449, -0.30563024}, [3]float32{-0.48746395, -0.6234898, -0.6112605}, [2]float32{0.35714287, 0.71428573}},
	{"box", made(CreateBox, BoxOptions{}),
		24, 36, "c87fee135ce78c71", 16, [3]float32{-0.5, 0.5, 0.5}, [3]float32{0, 1, 0}, [2]float32{1, 1}},
	{"box with faces, doubled", made(CreateBox, BoxOptions{Width: 1, Height: 2, Depth: 3.7, FaceUV: rects(3), FaceColors: rects(4), SideOrientation: DoubleSide}),
		48, 72, "67d9c0220b9b3b26", 32, [3]float32{0.5, 1, -1.85}, [3]float32{-1, -0, -0}, [2]float32{0.375, 0.625}},
	{"wrapped box", made(CreateBox, BoxOptions{Wrap: true, FaceUV: rects(6)}),
		24, 36, "b5b64f9e852c4b53", 16, [3]float32{0.5, 0.5, 0.5}, [3]float32{0, 1, 0}, [2]float32{0.5, 0.75}},
	{"wrapped box, bases turned", made(CreateBox, BoxOptions{Wrap: true, Width: 1.1, TopBaseAt: new(-1), BottomBaseAt: 2}),
		24, 36, "c9ee3b2488e07e9a", 16, [3]float32{0.55, 0.5, -0.5}, [3]float32{0, 1, 0}, [2]float32{1, 1}},
	{"plane", made(CreatePlane, PlaneOptions{Width: 2, Height: 0.3}),
		4, 6, "53ec2083550ee17f", 2, [3]float32{1, 0.15, 0}, [3]float32{0, 0, -1}, [2]float32{1, 1}},
	{"plane, doubled", made(CreatePlane, PlaneOptions{Size: 3, SideOrientation: DoubleSide, BackUVs: &half}),
		8, 12, "78c32f61c66a148a", 5, [3]float32{1.5, -1.5, 0}, [3]float32{-0, -0, 1}, [2]float32{0.5, 0}},
	{"ground", made(CreateGround, GroundOptions{Width: 10, Height: 3, Subdivisions: 7}),
		64, 294, "ed7606dd74e06f17", 42, [3]float32{-2.142857, 0, -0.64285713}, [3]float32{0, 1, 0}, [2]float32{0.2857143, 0.2857143}},
	{"tiled ground", made(CreateTiledGround, TiledGroundOptions{XMin: new(-3.0), ZMax: new(7.0), Subdivisions: TileCount{3, 4}, Precision: TileCount{2, 5}}),
		216, 720, "1698d350d7ebb9c2", 144, [3]float32{-0.33333334, 0, 3}, [3]float32{0, 1, 0}, [2]float32{0, 0}},
	{"height map", made(ground, HeightMapGroundOptions{Width: 100, Height: 100, Subdivisions: 40, MaxHeight: 10}),
		1681, 9600, "56d2ef18025cc88d", 1120, [3]float32{-17.5, 4.9933333, -17.5}, [3]float32{-0.14268233, 0.9865546, 0.07969783}, [2]float32{0.325, 0.325}},
	{"height map, inverted with holes", made(ground, HeightMapGroundOptions{Subdivisions: 20, MinHeight: 3, AlphaFilter: 0.3, ColorFilter: &linalg.Vec3{1, 0, 0}}),
		441, 675, "af826def72c335bb", 294, [3]float32{-5, 3, -2}, [3]float32{0.18498655, 0.98274106, 0}, [2]float32{0, 0.3}},
	{"disc", made(CreateDisc, DiscOptions{}),
		66, 192, "9478f335b774239f", 44, [3]float32{-0.23569837, -0.44096065, 0}, [3]float32{0, 0, -1}, [2]float32{0.26430163, 0.94096065}},
	{"sector", made(CreateDisc, DiscOptions{Radius: 1.3, Tessellation: 17, Arc: 0.3, SideOrientation: DoubleSide}),
		36, 96, "6476769be96aef2b", 24, [3]float32{1.0809104, 0.7222413, 0}, [3]float32{-0, -0, 1}, [2]float32{0.9157348, 0.22221488}},
	{"torus", made(CreateTorus, TorusOptions{Diameter: 2, Thickness: 0.45, Tessellation: 64}),
		4225, 25350, "619378c1a956d849", 2816, [3]float32{-0.9754616, -0.19843228, -0.5213951}, [3]float32{-0.41573483, -0.8819213, -0.22221489}, [2]float32{0.671875, 0.671875}},
	{"torus knot", made(CreateTorusKnot, TorusKnotOptions{}),
		1056, 6144, "41d22b6f328fc310", 704, [3]float32{-1.6823174, 1.7623078, 0.29049414}, [3]float32{0.7630519, -0.6204047, -0.18124492}, [2]float32{0.6875, 0}},
	{"torus knot (3, 5)", made(CreateTorusKnot, TorusKnotOptions{Radius: 1, Tube: 0.3, RadialSegments: 200, TubularSegments: 12, P: 3, Q: 5}),
		2412, 14400, "cc5b3683f4488b76", 1608, [3]float32{0.5354457, -0.19329815, 0.33466697}, [3]float32{-0.57657117, -0.7843123, -0.22895402}, [2]float32{0.67, 0}},
	{"cylinder", made(CreateCylinder, CylinderOptions{}),
		102, 288, "db21c419a309bb00", 68, [3]float32{-0.12940952, -1, 0.4829629}, [3]float32{0, -1, 0}, [2]float32{0.37059048, 0.9829629}},
	{"cone", made(CreateCylinder, CylinderOptions{Height: 3, DiameterTop: new(0.0), DiameterBottom: new(2.0)}),
		102, 288, "e8e4f5e8a7f5ea91", 68, [3]float32{-0.25881904, -1.5, 0.9659258}, [3]float32{0, -1, 0}, [2]float32{0.37059048, 0.9829629}},
	{"prism without caps", made(CreateCylinder, CylinderOptions{Diameter: 3, Tessellation: 6, Subdivisions: 4, Cap: NoCap}),
		35, 144, "42bed76040e09c6e", 23, [3]float32{-0.75, 0.5, -1.299038}, [3]float32{-0.5, 0, -0.8660254}, [2]float32{0.33333334, 0.75}},
	{"enclosed arc with rings", made(CreateCylinder, CylinderOptions{Arc: 0.7, Enclose: true, HasRings: true, Subdivisions: 3, FaceUV: rects(11), FaceColors: rects(11)}),
		226, 612, "3e4b16370c364b05", 150, [3]float32{0.3043807, 1, -0.39667666}, [3]float32{0.6087614, 0, -0.7933533}, [2]float32{0.48958334, 0.9375}},
	{"cylinder with one cap", made(CreateCylinder, CylinderOptions{Arc: 0.25, FaceUV: rects(3), Cap: CapStart, SideOrientation: DoubleSide}),
		152, 432, "8696c3f0e5f92e4f", 101, [3]float32{0.5, 1, -0}, [3]float32{-1, -0, 0}, [2]float32{0.0625, 0.5625}},
	{"icosphere", made(CreateIcoSphere, IcoSphereOptions{}),
		960, 960, "a5a5018301d880a2", 640, [3]float32{0.23885565, -0.44286272, 0.86418784}, [3]float32{0.26967233, -0.57868934, 0.76967233}, [2]float32{0.2553711, 0.45336914}},
	{"icosphere, smooth", made(CreateIcoSphere, IcoSphereOptions{RadiusX: 1, RadiusY: 2, RadiusZ: 0.5, Subdivisions: 5, Flat: new(false)}),
		1500, 1500, "43ba7b4c3e7ade57", 1000, [3]float32{0, -1.0514622, 0.4253254}, [3]float32{0, -0.1526966, 0.98827314}, [2]float32{0.2890625, 0.51171875}},
	{"capsule", made(CreateCapsule, CapsuleOptions{}),
		255, 1344, "a61120e3db16441f", 170, [3]float32{0, -0.375, 0.21650635}, [3]float32{0, -0.5, 0.8660254}, [2]float32{0, -0.21995042}},
	{"capsule of two radii", made(CreateCapsule, CapsuleOptions{Height: 2, RadiusTop: 0.2, RadiusBottom: 0.5, Tessellation: 9, Subdivisions: 5, TopCapSubdivisions: 2, BottomCapSubdivisions: 4}),
		120, 594, "d46a82dd806c230d", 80, [3]float32{0, -0.78806865, 0.48055908}, [3]float32{0, -0.27613735, 0.96111816}, [2]float32{0, -0.14813918}},
	{"capsule along X", made(CreateCapsule, CapsuleOptions{Orientation: &linalg.Vec3{1, 0, 0}}),
		255, 1344, "abd6f448d0006933", 170, [3]float32{0.375, -8.326673e-17, 0.21650635}, [3]float32{0, -0.5, 0.8660254}, [2]float32{0, -0.21995042}},
	{"ribbon", made(CreateRibbon, RibbonOptions{PathArray: wave()}),
		54, 240, "51673e019816b925", 36, [3]float32{-4, -0.37840125, 4.4}, [3]float32{-0.19837978, -0.9633904, -0.18034525}, [2]float32{0, 0.80742425}},
	{"ribbon, closed both ways", made(CreateRibbon, RibbonOptions{PathArray: wave(), CloseArray: true, ClosePath: true, InvertUV: true}),
		70, 324, "02aa86798d668752", 46, [3]float32{2, -0.27201056, 4.4}, [3]float32{-0.31265897, -0.9063413, -0.28423542}, [2]float32{0.41176438, 0.3863163}},
	{"ribbon of one path", made(CreateRibbon, RibbonOptions{PathArray: wave()[:1], Offset: 3, SideOrientation: DoubleSide}),
		24, 60, "1f2223db07feffa3", 16, [3]float32{0, -0.37840125, 0}, [3]float32{-0, -0, -1}, [2]float32{0.8088434, 0}},
	{"tube", made(CreateTube, TubeOptions{Path: helix(), Radius: 0.3, Tessellation: 8}),
		360, 1872, "390c8fd0606a7925", 240, [3]float32{0.08822762, 2.4100504, 2.228456}, [3]float32{-0.05252766, -0.6363233, 0.76963204}, [2]float32{0.75, 0.6548703}},
	{"tube with caps and radii", made(CreateTube, TubeOptions{Path: helix(), RadiusFunc: func(i int, d float64) float64 { return 0.1 + d/100 }, Tessellation: 12, Cap: CapAll}),
		572, 3096, "86391f11b34cdcf9", 381, [3]float32{-0.41739047, 2.7375684, 1.6883143}, [3]float32{0.27314946, 0.14126529, -0.9515427}, [2]float32{0.33333334, 0.69757015}},
	{"extrusion", made(ExtrudeShape, ExtrudeOptions{Shape: square(), Path: helix(), Scale: 0.5, Rotation: 0.1, Cap: CapEnd}),
		168, 738, "e5a8c9b18ba2d0ff", 112, [3]float32{-1.0385773, 2.8, 1.7091978}, [3]float32{0.35342744, 0.84135526, -0.4089136}, [2]float32{0, 0.7073094}},
	{"extrusion, closed", made(ExtrudeShape, ExtrudeOptions{Shape: square(), Path: helix(), CloseShape: true, ClosePath: true, AdjustFrame: true, FirstNormal: &linalg.Vec3{0.1, 0.9, 0.3}}),
		205, 960, "29bfd43b49112e22", 136, [3]float32{-0.22997856, 2.7886825, 0.9774751}, [3]float32{0.30407193, 0.74211365, -0.5973338}, [2]float32{0.24461472, 0.6428487}},
	{"custom extrusion", made(ExtrudeShapeCustom, ExtrudeCustomOptions{Shape: square(), Path: helix(), ScaleFunc: func(i int, d float64) float64 { return 1 / (1 + d) }, RotationFunc: func(i int, d float64) float64 { return 0.05 }, CloseShape: true, Cap: CapStart}),
		210, 984, "928df443643b09a3", 140, [3]float32{0.10791084, 2.6, 1.9970866}, [3]float32{0.031265482, -0.18069115, 0.98304284}, [2]float32{0, 0.6764018}},
	{"lathe", made(CreateLathe, LatheOptions{Shape: profile()}),
		264, 1170, "527fd1d9a51f7ccb", 176, [3]float32{-0.076536685, 0, -0.1847759}, [3]float32{-0.21083228, -0.8479664, -0.48631552}, [2]float32{0, 0.6875}},
	{"lathe, part of a turn", made(CreateLathe, LatheOptions{Shape: profile(), Tessellation: 20, Clip: 5, Arc: 0.9, Radius: 2.5, Closed: new(false), Cap: CapAll}),
		128, 630, "230ac9484c0e92aa", 85, [3]float32{-2.139877, 2, 0.69528824}, [3]float32{-0.818264, -0.5295706, 0.22360463}, [2]float32{0.6681839, 0.6666667}},
	{"lines", made(CreateLines, LinesOptions{Points: helix()}),
		40, 78, "76371d008c52aa52", 26, [3]float32{0.10791084, 2.6, 1.9970866}, [3]float32{0, 0, 0}, [2]float32{0, 0}},
	{"line system", made(CreateLineSystem, LineSystemOptions{Lines: [][]linalg.Vec3{profile(), square()}, Colors: [][]linalg.Vec4{rects(4), rects(4)}}),
		8, 12, "55aacf101432f8bc", 5, [3]float32{1, 0, 0}, [3]float32{0, 0, 0}, [2]float32{0, 0}},
	{"dashed lines", made(CreateDashedLines, DashedLinesOptions{Points: helix(), DashSize: 2, GapSize: 3, DashNb: 55}),
		78, 78, "0e6d95aeb82a5d63", 52, [3]float32{0.10791084, 2.6, 1.9970866}, [3]float32{0, 0, 0}, [2]float32{0, 0}},
	{"Tetrahedron", made(CreatePolyhedron, PolyhedronOptions{Type: Tetrahedron, Size: 0.5}),
		12, 12, "d9424e043fb00922", 8, [3]float32{0.8164965, 0, -0.28867516}, [3]float32{0.47140464, -0.8164965, 0.33333334}, [2]float32{0.5, -1.5}},
	{"Octahedron", made(CreatePolyhedron, PolyhedronOptions{Type: Octahedron, Size: 0.5}),
		24, 24, "1610393130725cbb", 16, [3]float32{0, 0, -0.707107}, [3]float32{0.57735026, 0.57735026, -0.57735026}, [2]float32{-0.36602542, 0}},
	{"Dodecahedron", made(CreatePolyhedron, PolyhedronOptions{Type: Dodecahedron, Size: 0.5}),
		60, 108, "4af2e7912956014b", 40, [3]float32{-0.4670862, 0.190983, 0.17841105}, [3]float32{-0.98224694, 1.8140838e-08, -0.18759254}, [2]float32{0.86327124, 0}},
	{"Icosahedron", made(CreatePolyhedron, PolyhedronOptions{Type: Icosahedron, Size: 0.5}),
		60, 60, "a71727405f6b14c9", 40, [3]float32{-0.16245985, -0.5, -0.26286554}, [3]float32{-0.303531, -0.93417233, 0.18759248}, [2]float32{-0.36602542, 0}},
	{"Rhombicuboctahedron", made(CreatePolyhedron, PolyhedronOptions{Type: Rhombicuboctahedron, Size: 0.5}),
		96, 132, "79d6d3c0d4722552", 64, [3]float32{-0.17870335, 0.5, 0.0683868}, [3]float32{-0.13677363, 0.92387956, -0.35740674}, [2]float32{1, 0}},
	{"TriangularPrism", made(CreatePolyhedron, PolyhedronOptions{Type: TriangularPrism, Size: 0.5}),
		18, 24, "65d6f5c59d7aac1d", 12, [3]float32{-0.40915856, -0.21650635, -0.4724556}, [3]float32{-0.8183171, -0.43301272, 0.37796444}, [2]float32{0, -1}},
	{"PentagonalPrism", made(CreatePolyhedron, PolyhedronOptions{Type: PentagonalPrism, Size: 0.5}),
		30, 48, "df8d06652c6c2178", 20, [3]float32{0, 0, 0.5799765}, [3]float32{0.29784948, -0.80901694, 0.506732}, [2]float32{0.86327124, 0}},
	{"HexagonalPrism", made(CreatePolyhedron, PolyhedronOptions{Type: HexagonalPrism, Size: 0.5}),
		36, 60, "ce4d8b69d0198bb4", 24, [3]float32{0, 0, 0.559017}, [3]float32{0.22360678, -0.8660254, 0.44721362}, [2]float32{0.7886751, 0}},
	{"SquarePyramid", made(CreatePolyhedron, PolyhedronOptions{Type: SquarePyramid, Size: 0.5}),
		16, 18, "a6a01bdb9a474a2c", 10, [3]float32{0.351098, 0.2978455, 0.2425935}, [3]float32{0.74357057, -0.47140408, 0.4742162}, [2]float32{-0.36602542, 0}},
	{"PentagonalPyramid", made(CreatePolyhedron, PolyhedronOptions{Type: PentagonalPyramid, Size: 0.5}),
		20, 24, "a434cc8844bbae59", 13, [3]float32{-0.164729, 0.4880495, 0.14039}, [3]float32{-0.84772485, 0.28745896, -0.44579127}, [2]float32{-0.36602542, 0}},
	{"TriangularDipyramid", made(CreatePolyhedron, PolyhedronOptions{Type: TriangularDipyramid, Size: 0.5}),
		18, 18, "98652b01f2c3728f", 12, [3]float32{-0.3051945, 0.1219875, 0.2656065}, [3]float32{0.15713504, 0.8164966, 0.5555554}, [2]float32{1.3660254, 0}},
	{"PentagonalDipyramid", made(CreatePolyhedron, PolyhedronOptions{Type: PentagonalDipyramid, Size: 0.5}),
		30, 30, "93cd9bd0ee2ff330", 20, [3]float32{0.515836, 0.0785315, -0.1770825}, [3]float32{0.20679726, -0.10569208, -0.9726583}, [2]float32{0.5, -1.5}},
	{"ElongatedSquareDipyramid", made(CreatePolyhedron, PolyhedronOptions{Type: ElongatedSquareDipyramid, Size: 0.5}),
		40, 48, "1612a0b0e937d06d", 26, [3]float32{0.1674665, 0.3349335, -0.264788}, [3]float32{0.9486831, 0.31622833, 0}, [2]float32{0, -1}},
	{"ElongatedPentagonalDipyramid", made(CreatePolyhedron, PolyhedronOptions{Type: ElongatedPentagonalDipyramid, Size: 0.5}),
		50, 60, "48ca2e6b4b8a2316", 33, [3]float32{0.1591765, 0.318353, 0.346408}, [3]float32{0.9022516, 0.30075052, 0.30901653}, [2]float32{1, -1}},
	{"ElongatedPentagonalCupola", made(CreatePolyhedron, PolyhedronOptions{Type: ElongatedPentagonalCupola, Size: 0.5}),
		90, 138, "792c00715fed9c4a", 60, [3]float32{0.0627915, -0.2663645, 0.242992}, [3]float32{-0.025271202, -0.4036843, 0.9145493}, [2]float32{5.551115e-17, 0}},
	{"polyhedron with faces", made(CreatePolyhedron, PolyhedronOptions{Type: Dodecahedron, SizeY: 2, FaceUV: rects(4), FaceColors: rects(3)}),
		60, 108, "367a46fc36b18709", 40, [3]float32{-0.9341724, 0.763932, 0.3568221}, [3]float32{-0.98224694, 9.070419e-09, -0.18759254}, [2]float32{0.86327124, 0}},
	{"polyhedron, smooth", made(CreatePolyhedron, PolyhedronOptions{Type: HexagonalPrism, Flat: new(false), SideOrientation: BackSide}),
		12, 60, "456db9bcf5043edf", 8, [3]float32{0.7826238, 0.4330127, -0.6708204}, [3]float32{-0.6241964, -0.59761095, 0.50322956}, [2]float32{0, 0}},
	{"tiled plane", made(CreateTiledPlane, TiledPlaneOptions{Width: 7.3, Height: 5.2, TileSize: 2, Pattern: FlipTile}),
		80, 120, "cd8a9141da4f85b7", 53, [3]float32{-1, 2, 0}, [3]float32{0, 0, -1}, [2]float32{1, 0}},
	{"tiled plane, aligned", made(CreateTiledPlane, TiledPlaneOptions{Width: 4.3, Height: 7.2, TileWidth: 1.5, Pattern: RotateTile, AlignHorizontal: AlignRight, AlignVertical: AlignBottom, SideOrientation: DoubleSide}),
		192, 288, "e84b41c74c5dfef6", 128, [3]float32{-0.85, 0.4, 0}, [3]float32{-0, -0, 1}, [2]float32{0, 0}},
	{"tiled plane by rows", made(CreateTiledPlane, TiledPlaneOptions{Width: 4.3, Height: 7.2, TileWidth: 1.5, Pattern: FlipAndRotateRow, AlignHorizontal: AlignLeft, AlignVertical: AlignTop}),
		96, 144, "ca79d07d39c2e4d1", 64, [3]float32{-0.65, -3.6, 0}, [3]float32{0, 0, -1}, [2]float32{0, 0.2}},
	{"tiled box", made(CreateTiledBox, TiledBoxOptions{Width: 3.3, Height: 5.2, Depth: 2.1, TileSize: 1.1, Pattern: RotateRow, AlignVertical: AlignTop, FaceUV: rects(4), FaceColors: rects(6)}),
		344, 516, "4f77edbba2d8eb90", 229, [3]float32{-1.65, 0.4, -0.55}, [3]float32{-1, 0, -6.123234e-17}, [2]float32{0.4375, 0.09375}},
	{"tiled box, doubled", made(CreateTiledBox, TiledBoxOptions{Size: 2.5, SideOrientation: DoubleSide, FaceColors: rects(2)}),
		768, 1152, "058968ad010301d8", 512, [3]float32{-1, 1.25, -1}, [3]float32{0, 1, -6.123234e-17}, [2]float32{0, 0}},
}

// sum hashes the little-endian streams of g.
func sum(g *Geometry) string {
	h := sha256.New()
	for _, s := range []any{g.Positions, g.Normals, g.UVs[0], g.Colors, g.Indices} {
		if err := binary.Write(h, binary.LittleEndian, s); err != nil {
			panic(err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func TestBuilders(t *testing.T) {
	for _, c := range builderCases {
		t.Run(c.name, func(t *testing.T) {
			g, err := c.make()
			if err != nil {
				t.Fatal(err)
			}
			if g.VertexCount() != c.vertices || len(g.Indices) != c.indices {
				t.Errorf("%d vertices and %d indices, want %d and %d", g.VertexCount(), len(g.Indices), c.vertices, c.indices)
			}
			sample := func(what string, got, want []float32) {
				for i := range want {
					if got == nil || math.Abs(float64(got[i]-want[i])) > 1e-6 {
						t.Errorf("%s of vertex %d is %v, want %v", what, c.vertex, got, want)
						return
					}
				}
			}
			sample("position", g.Positions[3*c.vertex:][:3], c.position[:])
			if g.Normals != nil {
				sample("normal", g.Normals[3*c.vertex:][:3], c.normal[:])
			}
			if g.UVs[0] != nil {
				sample("uv", g.UVs[0][2*c.vertex:][:2], c.uv[:])
			}
			// Elsewhere the compiler may fuse, and the last bit is free.
			if got := sum(g); runtime.GOARCH == "amd64" && got != c.sum {
				t.Errorf("the streams hash to %s, want %s", got, c.sum)
			}
		})
	}
}
