package catalogue

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/effect"
	"darkroom/material/shader"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/video"
)

// ownShader is a scene of the project's own for one part of the shader material.
func ownShader(name, description string, build func(b *bench)) *Entry {
	return &Entry{
		Name: name, Description: description, Tags: []string{"own", "shader"}, Width: 640, Height: 360,
		MaxMAD: 0.05, Source: "scenes/catalogue/own_shader.go",
		Build: func(Assets) (*scenes.Scene, error) {
			b := &bench{Scene: scenes.New(name)}
			b.Camera = scenes.NewArcRotate("camera", -math.Pi/2, 1.3, 7, linalg.Vec3{}).Clip(0.1, 100)
			build(b)
			return b.Scene, b.err
		},
	}
}

// shader makes a material, remembering the first error.
func (b *bench) shader(o shader.Options) *shader.Material {
	m, err := shader.New(o)
	if err != nil && b.err == nil {
		b.err = err
	}
	return m
}

// clipVertex takes x and y of a mesh for clip coordinates.
const clipVertex = uvStruct + `@vertex
fn mainVertex(input: VertexInput) -> VertexOutput {
    var out: VertexOutput;
    out.position = vec4<f32>(input.position.xy, 0.5, 1.0);
    out.uv = input.uv;
    return out;
}`

// clipQuad covers a rectangle of clip coordinates.
func clipQuad(x0, y0, x1, y1 float64) *mesh.Geometry {
	g := &mesh.Geometry{Name: "quad", Indices: []uint32{0, 1, 2, 0, 2, 3}}
	for _, p := range [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		g.Positions = append(g.Positions, float32(x0+(x1-x0)*p[0]), float32(y0+(y1-y0)*p[1]), 0)
		g.UVs[0] = append(g.UVs[0], float32(p[0]), float32(p[1]))
	}
	return g
}

// blends are the operations and factors of a blend state, one at a time.
func blends() []*composer.Blend {
	both := func(op composer.BlendOperation, src, dst composer.BlendFactor) *composer.Blend {
		c := composer.BlendComponent{Operation: op, Src: src, Dst: dst}
		return &composer.Blend{Color: c, Alpha: c}
	}
	pre, add := composer.BlendPremultipliedState(), composer.BlendAdditiveState()
	list := []*composer.Blend{nil, nil, &pre, &add, nil}
	for _, op := range []composer.BlendOperation{composer.BlendSubtract, composer.BlendReverseSubtract, composer.BlendMin, composer.BlendMax} {
		list = append(list, both(op, composer.FactorOne, composer.FactorOne))
	}
	for _, f := range []composer.BlendFactor{
		composer.FactorZero, composer.FactorOne, composer.FactorSrc, composer.FactorOneMinusSrc, composer.FactorSrcAlpha, composer.FactorOneMinusSrcAlpha,
		composer.FactorDst, composer.FactorOneMinusDst, composer.FactorDstAlpha, composer.FactorOneMinusDstAlpha, composer.FactorSrcAlphaSaturated,
	} {
		list = append(list, both(composer.BlendAdd, f, composer.FactorOneMinusSrcAlpha))
	}
	return list
}

// ownShaderBlendModes shows, row by row: no blend, alpha, premultiplied, add
// and the material's additive mode; subtract, reverse subtract, min, max and the
// source factors zero …; over a backdrop whose alpha grows to the right.
func ownShaderBlendModes() *Entry {
	return ownShader("own-shader-blend-modes", "every blend operation and source factor over one backdrop", func(b *bench) {
		b.Samples = 1
		b.Clear = scenes.Color4{0, 0, 0, 0}
		draw := func(name string, g *mesh.Geometry, o shader.Options) *scenes.Node {
			o.Name, o.Vertex, o.Attributes, o.TwoSided = name, clipVertex, []string{"position", "uv"}, true
			return b.put(name, b.shader(o), 0, 0, 0)(g, nil)
		}
		draw("backdrop", clipQuad(-1, -1, 1, 1), shader.Options{Fragment: uvStruct + `@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    let cell = fract(input.uv * vec2<f32>(5.0, 4.0));
    let light = select(0.25, 0.75, (cell.y > 0.5) != (cell.x > 0.5));
    return vec4<f32>(light, 0.5, 1.0 - light, cell.x);
}`})
		const source = uvStruct + `@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    let color = vec4<f32>(0.9, 0.9 * input.uv.y, 0.2, 0.15 + 0.7 * input.uv.x);
    return vec4<f32>(color.rgb * select(1.0, color.a, PREMULTIPLIED), color.a);
}`
		for i, blend := range blends() {
			x, y := -1+0.4*float64(i%5), 1-0.5*float64(i/5)
			o := shader.Options{Fragment: source, Blend: blend, Defines: map[string]any{"PREMULTIPLIED": i == 2}}
			switch i {
			case 1:
				o.AlphaBlending = true
			case 4:
				o.AlphaBlending, o.BlendMode = true, shader.Additive
			}
			draw(fmt.Sprint("cell ", i), clipQuad(x+0.05, y-0.45, x+0.35, y-0.05), o).Mesh.Order = 1
		}
		// What is looked at is colour: the picture's own alpha becomes 1.
		over := draw("alpha", clipQuad(-1, -1, 1, 1), shader.Options{
			AlphaBlending: true, Blend: &composer.Blend{Color: composer.BlendComponent{Src: composer.FactorOne, Dst: composer.FactorZero}},
			Write: composer.WriteAlpha, Fragment: uvStruct + "@fragment\nfn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {\n    return vec4<f32>(input.uv, 0.0, 1.0);\n}",
		})
		over.Mesh.Order = 2
	})
}

const litStruct = `struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) uv: vec2<f32>,
};
`

const litVertex = litStruct + `@vertex
fn mainVertex(input: VertexInput) -> VertexOutput {
    var out: VertexOutput;
    out.position = shaderSystem.worldViewProjection * vec4<f32>(input.position, 1.0);
    out.normal = (shaderSystem.world * vec4<f32>(input.normal, 0.0)).xyz;
    out.uv = input.uv;
    return out;
}`

// lit are options of a material that shows normals.
func lit(name string) shader.Options {
	return shader.Options{
		Name: name, Attributes: []string{"position", "normal", "uv"}, System: []shader.System{shader.WorldViewProjection, shader.World}, Vertex: litVertex,
		Fragment: litStruct + `@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    let stripe = step(0.5, fract(input.uv.x * 8.0));
    return vec4<f32>((normalize(input.normal) * 0.5 + 0.5) * mix(0.6, 1.0, stripe), 1.0);
}`,
	}
}

func ownShaderTopologies() *Entry {
	return ownShader("own-shader-topologies", "one sphere as triangles, lines and points", func(b *bench) {
		for i, t := range []composer.Topology{composer.TriangleList, composer.LineList, composer.PointList} {
			o := lit(string(t))
			o.Topology = t
			b.ball(string(t), b.shader(o), float64(i-1)*2.2, 0, 0)
		}
	})
}

func ownShaderStencil() *Entry {
	return ownShader("own-shader-stencil", "a star cut out of one sphere's picture by the stencil and kept of another's", func(b *bench) {
		mask := b.shader(shader.Options{
			Name: "mask", Vertex: clipVertex, Attributes: []string{"position", "uv"}, TwoSided: true, Write: composer.WriteAlpha, DepthCompare: composer.CompareAlways,
			DepthWrite: new(bool), AlphaTesting: true,
			Stencil: &material.Stencil{Front: replaceStencil(), Back: replaceStencil(), ReadMask: 255, WriteMask: 255, Reference: 1},
			Fragment: uvStruct + `@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    let p = (input.uv - 0.5) * vec2<f32>(3.56, 2.0);
    if (length(p) > 0.55 + 0.2 * cos(5.0 * atan2(p.x, p.y))) {
        discard;
    }
    return vec4<f32>(1.0);
}`,
		})
		b.put("mask", mask, 0, 0, 0)(clipQuad(-1, -1, 1, 1), nil)
		for _, x := range []struct {
			name    string
			compare composer.CompareFunction
			x, size float64
		}{{"inside", composer.CompareEqual, 0, 2.2}, {"outside", composer.CompareNotEqual, 0, 3.2}} {
			o := lit(x.name)
			face := composer.StencilFace{Compare: x.compare}
			o.Stencil = &material.Stencil{Front: face, Back: face, ReadMask: 255, Reference: 1}
			n := b.ball(x.name, b.shader(o), x.x, 0, 0)
			n.Scaling = linalg.Vec3{x.size / 1.8, x.size / 1.8, x.size / 1.8}
			if x.name == "outside" {
				n.Rotation = linalg.Vec3{0, 0, 1.2}
			}
		}
	})
}

func replaceStencil() composer.StencilFace {
	return composer.StencilFace{Compare: composer.CompareAlways, Pass: composer.StencilReplace}
}

func ownShaderOutputs() *Entry {
	return ownShader("own-shader-outputs", "colour, normal and texture coordinates of one drawing, side by side", func(b *bench) {
		o := lit("outputs")
		o.Outputs = []composer.Output{{Name: "color", Type: "vec4<f32>"}, {Name: "normal", Type: "vec4<f32>"}, {Name: "coords", Type: "vec4<f32>"}, {Name: "unused", Type: "vec4<f32>"}}
		o.Fragment = litStruct + `@fragment
fn mainFragment(input: VertexOutput) -> FragmentOutput {
    let n = normalize(input.normal);
    outputs.color = vec4<f32>(vec3<f32>(0.9, 0.6, 0.2) * (0.2 + 0.8 * max(0.0, dot(n, normalize(vec3<f32>(-0.4, 0.8, -0.6))))), 1.0);
    outputs.normal = vec4<f32>(n * 0.5 + 0.5, 1.0);
    outputs.coords = vec4<f32>(input.uv, 0.0, 1.0);
    outputs.unused = vec4<f32>(1.0);
    return fragmentOutputs();
}`
		m := b.shader(o)
		b.put("knot", m, 0, 0, 0)(mesh.CreateTorusKnot(mesh.TorusKnotOptions{Radius: 1.2, Tube: 0.4, RadialSegments: 96, TubularSegments: 24}))
		target := func(name string) *texture.Texture {
			return &texture.Texture{Name: name, Source: &texture.Target{Width: 360, Height: 360, Samples: 4}, Sampler: texture.Sampler{AddressU: composer.AddressClamp, AddressV: composer.AddressClamp, NoMips: true}}
		}
		colors, normals, coords := target("colour"), target("normal"), target("coordinates")
		b.Graph = []scenes.Task{
			&scenes.ScenePass{Name: "geometry", Attachments: scenes.Attachments{
				Color: []*texture.Texture{coords, colors, normals}, Samples: 4, Outputs: map[string]int{"color": 1, "normal": 2, "coords": 0},
			}},
			&scenes.EffectPass{Name: "show", Material: &effect.Effect{
				Name:     "side by side",
				Textures: map[string]effect.Input{"colours": {Texture: colors}, "normals": {Texture: normals}, "coords": {Texture: coords}},
				Body: `let third = floor(st.x * 3.0);
let at = vec2<f32>(fract(st.x * 3.0), clamp((st.y - 0.5) * 1.6875 + 0.5, 0.0, 1.0));
let a = textureSample(colours, coloursSampler, at);
let b = textureSample(normals, normalsSampler, at);
let c = textureSample(coords, coordsSampler, at);
color = select(select(c, b, third == 1.0), a, third == 0.0);`,
			}},
		}
	})
}

// ownVideo shows an animated GIF, a Y4M file and a function of time, each on a
// screen of its own, at a time.
func ownVideo(at float64) *Entry {
	name := fmt.Sprintf("own-video-%gs", at)
	return &Entry{
		Name: name, Description: fmt.Sprintf("a GIF, a Y4M file and a function as video on three screens, at %g s", at), Tags: []string{"own", "shader", "video"},
		Width: 640, Height: 360, Time: at, MaxMAD: 0.05, Source: "scenes/catalogue/own_shader.go",
		Build: func(Assets) (*scenes.Scene, error) {
			b := &bench{Scene: scenes.New(name)}
			b.Camera = scenes.NewArcRotate("camera", -math.Pi/2.4, 1.35, 7, linalg.Vec3{}).Clip(0.1, 100)
			clip, err := video.ReadGIF(sampleGIF())
			if err != nil {
				return nil, err
			}
			clip.Loop = true
			data := sampleY4M()
			raw, err := video.OpenY4M(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				return nil, err
			}
			ramp := shader.FrameFunc{Width: 8, Height: 4, Func: func(t float64) ([]byte, error) {
				pix := make([]byte, 0, 8*4*4)
				for i := range 8 * 4 {
					pix = append(pix, byte(i%8*36), byte(i/8*85), byte(255*t/2), 255)
				}
				return pix, nil
			}}
			for i, src := range []shader.FrameSource{clip, raw, ramp} {
				x, err := shader.NewExternal(fmt.Sprint("screen ", i), src)
				if err != nil {
					return nil, err
				}
				m := b.shader(shader.Options{
					Name: "screen", Attributes: []string{"position", "uv"}, System: []shader.System{shader.WorldViewProjection}, Externals: []string{"video"}, TwoSided: true,
					Vertex: uvVertex,
					Fragment: uvStruct + `@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    // A margin shows that the edges are clamped; a picture's first row is the top.
    let at = (vec2<f32>(input.uv.x, 1.0 - input.uv.y) - 0.5) * 1.1 + 0.5;
    return textureSampleBaseClampToEdge(video, videoSampler, at);
}`,
				})
				if b.err != nil {
					return nil, b.err
				}
				if err := m.SetExternal("video", x); err != nil {
					return nil, err
				}
				b.put(fmt.Sprint("screen ", i), m, float64(i-1)*2.2, 0, 0)(mesh.CreatePlane(mesh.PlaneOptions{Width: 2, Height: 1.5}))
			}
			return b.Scene, b.err
		},
	}
}

// sampleGIF is an animation of four frames of half a second: a board, then a
// bar that wanders over it and leaves it as it was.
func sampleGIF() []byte {
	p := color.Palette{color.NRGBA{}, color.NRGBA{30, 60, 90, 255}, color.NRGBA{240, 200, 40, 255}, color.NRGBA{200, 60, 60, 255}}
	g := &gif.GIF{Config: image.Config{Width: 16, Height: 12, ColorModel: p}}
	for i := range 4 {
		r := image.Rect(0, 0, 16, 12)
		if i > 0 {
			r = image.Rect(5*i-3, 0, 5*i+1, 12)
		}
		m := image.NewPaletted(r, p)
		for y := range 12 {
			for x := r.Min.X; x < r.Max.X; x++ {
				c := uint8(1 + (x/2+y/2)%2*2)
				if i > 0 {
					c = 2
				}
				m.SetColorIndex(x, y, c)
			}
		}
		g.Image, g.Delay, g.Disposal = append(g.Image, m), append(g.Delay, 50), append(g.Disposal, gif.DisposalPrevious)
	}
	g.Disposal[0] = gif.DisposalNone
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		return nil // the reader says that it is empty
	}
	return b.Bytes()
}

// sampleY4M is a 4:2:0 video of three frames, one a second, whose chroma turns.
func sampleY4M() []byte {
	var b bytes.Buffer
	b.WriteString("YUV4MPEG2 W16 H12 F1:1 Ip A1:1 C420jpeg\n")
	for i := range 3 {
		b.WriteString("FRAME\n")
		for y := range 12 {
			for x := range 16 {
				b.WriteByte(byte(60 + x*8 + y*4))
			}
		}
		for plane := range 2 {
			for y := range 6 {
				for x := range 8 {
					b.WriteByte(byte(128 + 90*math.Cos(float64(i)*2+float64(plane)*1.5+float64(x+y)/6)))
				}
			}
		}
	}
	return b.Bytes()
}
