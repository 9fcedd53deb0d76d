package catalogue

import (
	"math"

	"darkroom/composer"
	"darkroom/material/shader"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

const paintedStruct = `struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) color: vec4<f32>,
};
`

// painted are options of a material that shows vertex colours.
func painted(name string, t composer.Topology) shader.Options {
	return shader.Options{
		Name: name, Topology: t, Attributes: []string{"position", "color"}, System: []shader.System{shader.WorldViewProjection},
		Vertex: paintedStruct + `@vertex
fn mainVertex(input: VertexInput) -> VertexOutput {
    var out: VertexOutput;
    out.position = shaderSystem.worldViewProjection * vec4<f32>(input.position, 1.0);
    out.color = input.color;
    return out;
}`,
		Fragment: paintedStruct + "@fragment\nfn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {\n    return input.color;\n}",
	}
}

// globe is a line for each parallel and meridian, coloured by its place.
func globe(radius float64) (*mesh.Geometry, error) {
	var o mesh.LineSystemOptions
	add := func(n int, at func(i int) linalg.Vec3) {
		line, colors := make([]linalg.Vec3, n+1), make([]linalg.Vec4, n+1)
		for i := range line {
			p := at(i)
			line[i], colors[i] = p.Scale(radius), linalg.Vec4{0.5 + p[0]/2, 0.5 + p[1]/2, 0.5 + p[2]/2, 1}
		}
		o.Lines, o.Colors = append(o.Lines, line), append(o.Colors, colors)
	}
	on := func(latitude, longitude float64) linalg.Vec3 {
		return linalg.Vec3{math.Cos(latitude) * math.Cos(longitude), math.Sin(latitude), math.Cos(latitude) * math.Sin(longitude)}
	}
	for k := range 9 {
		latitude := (float64(k) - 4) * math.Pi / 10
		add(48, func(i int) linalg.Vec3 { return on(latitude, float64(i)*math.Pi/24) })
	}
	for k := range 12 {
		longitude := float64(k) * math.Pi / 6
		add(32, func(i int) linalg.Vec3 { return on(float64(i)*math.Pi/32-math.Pi/2, longitude) })
	}
	return mesh.CreateLineSystem(o)
}

// cloud is n points spread evenly over a sphere, each turned on from the last
// by the golden angle.
func cloud(n int, radius float64) *mesh.Geometry {
	g := &mesh.Geometry{Name: "cloud", Topology: composer.PointList}
	for i := range n {
		y := 1 - 2*(float64(i)+0.5)/float64(n)
		r, a := math.Sqrt(1-y*y), float64(i)*math.Pi*(3-math.Sqrt(5))
		p := linalg.Vec3{r * math.Cos(a), y, r * math.Sin(a)}
		for _, x := range p {
			g.Positions = append(g.Positions, float32(radius*x))
		}
		g.Colors = append(g.Colors, float32(0.5+p[0]/2), float32(0.5+p[1]/2), float32(0.5-p[2]/2), 1)
	}
	return g
}

// ownShaderTopologies shows a ball of triangles, a globe of lines, a cloud of
// points, and a helix of lines around all three, which they hide in part. The
// globe's material names its topology, the others' take the mesh's.
func ownShaderTopologies() *Entry {
	return ownShader("own_shader_topology.go", "own-shader-topologies", "triangles, lines and points, and a line that winds in front of and behind them", func(b *bench) {
		b.Camera = scenes.NewArcRotate("camera", -math.Pi/2, 1.3, 4.6, linalg.Vec3{}).Clip(0.1, 100)
		b.ball("ball", b.shader(lit("triangles")), -2, 0, 0).Scaling = linalg.Vec3{1.05, 1.05, 1.05}
		b.put("globe", b.shader(painted("lines", composer.LineList)), 0, 0, 0)(globe(0.95))
		b.put("cloud", b.shader(painted("points", "")), 2, 0, 0)(cloud(4000, 0.95), nil)
		var helix mesh.LinesOptions
		for i := range 400 {
			t := float64(i) / 399
			a := t * 12 * math.Pi
			helix.Points = append(helix.Points, linalg.Vec3{-3 + 6*t, 1.15 * math.Sin(a), 1.15 * math.Cos(a)})
			helix.Colors = append(helix.Colors, linalg.Vec4{1, t, 0.2, 1})
		}
		b.put("helix", b.shader(painted("helix", "")), 0, 0, 0)(mesh.CreateLines(helix))
	})
}
