package gpu

import (
	"maps"
	"math"
	"slices"

	"darkroom/composer"
)

// stocked is about how many objects of a kind stock makes.
const stocked = 4

// stock makes what programs have a hard time to make by chance: objects that
// fit each other.
func (m *machine) stock() error {
	var failed error
	must := func(err error) {
		if failed == nil {
			failed = err
		}
	}
	d := m.d
	texture := func(t TextureDesc) {
		x, err := d.CreateTexture(t)
		must(err)
		m.textures = append(m.textures, x)
		v, err := d.CreateView(x, ViewDesc{})
		must(err)
		m.views = append(m.views, v)
	}
	const plain = TextureSampled | TextureTarget | TextureCopySrc | TextureCopyDst
	texture(TextureDesc{Label: "color", Width: 16, Height: 16, Format: composer.RGBA8Unorm, Usage: textureAll})
	texture(TextureDesc{Label: "copy", Width: 16, Height: 16, Format: composer.RGBA8Unorm, Usage: plain})
	texture(TextureDesc{Label: "depth", Width: 16, Height: 16, Format: composer.Depth32Float, Usage: plain})
	texture(TextureDesc{Label: "samples", Width: 16, Height: 16, Samples: 4, Format: composer.RGBA8Unorm, Usage: TextureSampled | TextureTarget})
	for _, usage := range []BufferUsage{usageAll, usageAll, UsageCopyDst, UsageVertex | UsageIndex} {
		b, err := d.CreateBuffer(BufferDesc{Label: "stock", Size: 4096, Usage: usage})
		must(err)
		m.buffers = append(m.buffers, b)
	}
	sampler, err := d.CreateSampler(SamplerDesc{Label: "stock"})
	must(err)
	m.samplers = append(m.samplers, sampler)
	for _, s := range programShaders[:5] {
		x, err := d.CreateShader("stock", s)
		must(err)
		m.shaders = append(m.shaders, x)
	}
	const all = composer.StageVertex | composer.StageFragment | composer.StageCompute
	entry := func(b int, k composer.BindingKind, stage composer.Stage, access composer.Access) composer.BindGroupEntry {
		return composer.BindGroupEntry{Binding: b, Decl: composer.Binding{Name: "stock", Kind: k, Visibility: stage, Access: access, Format: composer.RGBA8Unorm}}
	}
	for _, e := range [][]composer.BindGroupEntry{
		{},
		{entry(0, composer.BindUniform, all, "")},
		{entry(1, composer.BindTexture, all, ""), entry(2, composer.BindSampler, all, "")},
		{entry(0, composer.BindStorage, composer.StageCompute, composer.AccessReadWrite)},
		{entry(3, composer.BindStorageTexture, composer.StageCompute, composer.AccessWrite)},
	} {
		l, err := d.CreateBindGroupLayout("stock", e)
		must(err)
		m.layouts = append(m.layouts, l)
		var bound []BindEntry
		for _, x := range e {
			bound = append(bound, BindEntry{Binding: x.Binding, Buffer: m.buffers[0], View: m.views[0], Sampler: sampler})
		}
		g, err := d.CreateBindGroup(l, bound)
		must(err)
		m.groups = append(m.groups, g)
		pl, err := d.CreatePipelineLayout("stock", []*BindGroupLayout{l})
		must(err)
		m.pipelays = append(m.pipelays, pl)
	}
	if failed != nil {
		return failed
	}
	buffers := []composer.VertexBuffer{{Name: "p", Stride: 16, Attributes: []composer.VertexBufferAttribute{
		{Attribute: composer.Attribute{Name: "p", Format: composer.Float32x4}},
		{Attribute: composer.Attribute{Name: "q", Format: composer.Float32x2}, Location: 1},
	}}}
	for i, b := range [][]composer.VertexBuffer{nil, buffers, buffers} {
		for _, samples := range []int{1, 4} {
			p, err := d.CreateRenderPipeline(RenderPipelineDesc{
				Label: "stock", Layout: m.pipelays[i], Vertex: m.shaders[i], Fragment: m.shaders[i], Buffers: b,
				Targets: []composer.ColorTarget{{Format: composer.RGBA8Unorm}}, Samples: samples,
			})
			must(err)
			m.pipelines = append(m.pipelines, p)
		}
	}
	for i := range 2 {
		p, err := d.CreateComputePipeline("stock", m.pipelays[3+i], m.shaders[3+i])
		must(err)
		m.computes = append(m.computes, p)
	}
	ring, err := d.NewReadback(2)
	must(err)
	m.rings = append(m.rings, ring)
	return failed
}

var programShaders = []string{
	`@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> { return vec4<f32>(f32(i & 1u) * 2.0 - 1.0, f32(i >> 1u) - 1.0, 0.5, 1.0); }
@fragment fn fs() -> @location(0) vec4<f32> { return vec4<f32>(1.0, 0.5, 0.25, 1.0); }`,
	`@vertex fn vs(@location(0) p: vec4<f32>, @location(1) q: vec2<f32>) -> @builtin(position) vec4<f32> { return p + q.xyxy; }
@group(0) @binding(0) var<uniform> u: vec4<f32>;
@fragment fn fs() -> @location(0) vec4<f32> { return u; }`,
	`@group(0) @binding(1) var t: texture_2d<f32>; @group(0) @binding(2) var s: sampler;
@vertex fn vs(@location(0) p: vec4<f32>) -> @builtin(position) vec4<f32> { return p; }
@fragment fn fs(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> { return textureSample(t, s, p.xy / 16.0); }`,
	`@group(0) @binding(0) var<storage, read_write> o: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) g: vec3<u32>) { if (g.x < arrayLength(&o)) { o[g.x] = 1u; } }`,
	`@group(0) @binding(3) var o: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) g: vec3<u32>) { textureStore(o, vec2<i32>(g.xy), vec4<f32>(1.0)); }`,
	`@compute @workgroup_size(1) fn main() {}`,
	`@vertex fn vs() -> @builtin(position) vec4<f32> { return vec4<f32>(0.0); }
@fragment fn fs() -> @builtin(frag_depth) f32 { return 0.5; }`,
	"", " \n", "fn", "\x00", "\xff\xfe", "@vertex fn vs() -> @builtin(position) vec4<f32> { return 1; }", "struct S { s: S }", "// nothing",
	"@group(0) @binding(0) var<uniform> u: array<f32, 0>;", "@compute @workgroup_size(0) fn main() {}", "@compute @workgroup_size(99999) fn main() {}",
}

var (
	programFormats = []composer.TextureFormat{
		composer.RGBA8Unorm, composer.RGBA8Unorm, composer.RGBA8Unorm, composer.RGBA8UnormSRGB, composer.BGRA8Unorm, composer.R8Unorm, composer.RG8Snorm,
		composer.RGBA16Float, composer.RGBA32Float, composer.R32Uint, composer.RGB10A2Unorm, composer.RG11B10UFloat, composer.RGB9E5UFloat,
		composer.Depth32Float, composer.Depth24Plus, composer.Depth24PlusStencil8, composer.Depth32FloatStencil8, composer.Depth16Unorm, composer.Stencil8,
		composer.BC1RGBAUnorm, composer.BC7RGBAUnorm, "", "undefined", "nonsense", "astc-4x4-unorm",
	}
	programDimensions = []composer.ViewDimension{"", "", "", composer.View1D, composer.View2D, composer.View2DArray, composer.ViewCube, composer.ViewCubeArray, composer.View3D, "4d"}
)

func (m *machine) makeBuffer() {
	size := of(m, uint64(16), 64, 256, 1024, 4096, 1, 3, 17)
	usage := BufferUsage(m.next()|m.next()) & usageAll
	if m.odd() {
		size = of(m, 0, m.d.MaxBufferSize()+1, math.MaxUint64, math.MaxUint64-2, 1<<40)
	}
	if m.odd() {
		usage = of(m, BufferUsage(0), usageAll, usageAll+1, math.MaxUint32)
	}
	b, err := m.d.CreateBuffer(BufferDesc{Label: "b", Size: size, Usage: usage})
	keep(m, "buffer", &m.buffers, b, err)
}

func (m *machine) makeTexture() {
	t := TextureDesc{Label: "t", Width: of(m, 16, 16, 16, 8, 4, 1, 5, 33), Format: m.format(), Usage: TextureUsage(m.next()|m.next()) & textureAll}
	t.Height = t.Width
	switch m.next() % 16 {
	case 0:
		t.Height = of(m, 0, 1, 2, 7, 100)
	case 1, 2:
		t.Layers = of(m, 2, 6, 7, 12)
	case 3:
		t.Dimension, t.Depth = composer.View3D, of(m, 1, 2, 5, 16)
	case 4:
		t.Dimension, t.Height = composer.View1D, 1
	case 5, 6:
		t.Mips = of(m, 2, 3, 4, 5)
	case 7, 8, 9:
		t.Samples = 4
	case 10:
		t.Width, t.Height, t.Layers, t.Depth, t.Mips, t.Samples = m.number(), m.number(), m.number(), m.number(), m.number(), m.number()
		t.Width = min(t.Width, 64) // no memory for the largest
	case 11:
		t.Dimension = of(m, programDimensions...)
		t.Usage = of(m, TextureUsage(0), textureAll, textureAll+1, math.MaxUint32)
	}
	x, err := m.d.CreateTexture(t)
	keep(m, "texture", &m.textures, x, err)
}

func (m *machine) makeSampler() {
	address := []composer.AddressMode{"", composer.AddressClamp, composer.AddressMirror, composer.AddressRepeat, "undefined", "border"}
	filter := []composer.FilterMode{"", composer.FilterLinear, composer.FilterNearest, "undefined", "cubic"}
	s := SamplerDesc{Label: "s"}
	if m.next()%2 == 0 {
		s.AddressU, s.AddressV, s.AddressW = of(m, address...), of(m, address...), of(m, address...)
		s.Mag, s.Min, s.Mip = of(m, filter...), of(m, filter...), of(m, filter...)
		s.Anisotropy = of(m, 0, 1, 4, 16, 17, -1, math.MaxInt)
		s.Compare = of(m, composer.CompareFunction(""), composer.CompareLess, "undefined", "sometimes")
		s.LodMin = of(m, float32(0), 1, -1, float32(math.NaN()), float32(math.Inf(1)))
		s.LodMax = of(m, float32(0), 1, -1, float32(math.NaN()), float32(math.Inf(1)))
	}
	x, err := m.d.CreateSampler(s)
	keep(m, "sampler", &m.samplers, x, err)
}

func (m *machine) makeLayout() {
	var entries []composer.BindGroupEntry
	var dynamic []int
	stage := of(m, composer.StageVertex|composer.StageFragment|composer.StageCompute, composer.StageFragment, composer.StageCompute, 0, 255)
	for range of(m, 0, 1, 1, 2, 3, 4) {
		e := composer.BindGroupEntry{Decl: composer.Binding{Name: "b", Visibility: stage}}
		switch m.next() % 8 {
		case 0, 1:
			e.Decl.Kind, e.MinSize = composer.BindUniform, of(m, 0, 16, 64, -1, math.MaxInt)
		case 2:
			e.Decl.Kind, e.Decl.Access = composer.BindStorage, of(m, composer.AccessReadWrite, "", composer.AccessRead, "none")
		case 3, 4:
			e.Binding, e.Decl.Kind = 1, composer.BindTexture
			e.Decl.Type = of(m, "texture_2d<f32>", "texture_2d<u32>", "texture_depth_2d", "texture_cube<f32>", "texture_multisampled_2d<f32>", "texture_3d<f32>", "", "<")
			e.Decl.Sample = of(m, composer.SampleType(""), "", composer.SampleUnfilterableFloat, composer.SampleDepth, "undefined")
			e.Dimension = of(m, programDimensions...)
		case 5:
			e.Binding, e.Decl.Kind, e.Decl.Sampler = 2, composer.BindSampler, of(m, composer.SamplerKind(""), composer.SamplerComparison, composer.SamplerNonFiltering, "undefined")
		case 6:
			e.Binding, e.Decl.Kind, e.Decl.Format = 3, composer.BindStorageTexture, m.format()
			e.Decl.Access = of(m, composer.AccessWrite, "", composer.AccessRead, composer.AccessReadWrite, "none")
			e.Dimension = of(m, programDimensions...)
		case 7:
			e.Decl.Kind = composer.BindingKind(m.next())
		}
		if m.odd() {
			e.Binding = m.number()
		}
		if m.odd() {
			dynamic = append(dynamic, e.Binding)
		}
		entries = append(entries, e)
	}
	x, err := m.d.CreateBindGroupLayout("l", entries, dynamic...)
	keep(m, "bind group layout", &m.layouts, x, err)
}

func (m *machine) makeGroup() {
	l := pick(m, m.layouts, m.foreign.layout)
	var entries []BindEntry
	if l != nil {
		for _, b := range slices.Sorted(maps.Keys(l.entries)) {
			e := BindEntry{Binding: b, Buffer: pick(m, m.buffers, m.foreign.buffer), View: pick(m, m.views, m.foreign.view), Sampler: pick(m, m.samplers, m.foreign.sampler)}
			if m.odd() {
				e.Offset, e.Size = m.offset(), m.offset()
			}
			entries = append(entries, e)
		}
	}
	if m.odd() {
		entries = append(entries, BindEntry{Binding: m.number()})
	}
	if m.odd() && len(entries) > 1 {
		entries[0] = entries[1]
	}
	x, err := m.d.CreateBindGroup(l, entries)
	keep(m, "bind group", &m.groups, x, err)
}

func (m *machine) makePipeline() {
	p := RenderPipelineDesc{
		Label: "rp", Layout: pick(m, m.pipelays, nil), Vertex: pick(m, m.shaders, m.foreign.shader),
		Samples: of(m, 0, 0, 0, 1, 1, 4, 4, 2, -1), AlphaToCoverage: m.odd(),
	}
	if i := m.next(); i%2 == 0 { // a pair that fits
		p.Layout, p.Vertex = m.pipelays[i%3], m.shaders[i%3]
	}
	p.Fragment = p.Vertex
	if m.odd() {
		p.Fragment = pick(m, m.shaders, m.foreign.shader)
	}
	for range of(m, 1, 1, 1, 1, 1, 1, 0, 2, 9) {
		t := composer.ColorTarget{Format: composer.RGBA8Unorm}
		if m.next()%4 == 0 {
			t.Format = m.format()
		}
		if m.odd() {
			t.Write, t.NoWrite = composer.WriteMask(m.next()), m.odd()
		}
		if m.odd() {
			t.Blend = &composer.Blend{Color: composer.BlendComponent{
				Operation: of(m, composer.BlendAdd, composer.BlendMin, "", "undefined"), Src: of(m, composer.FactorSrc1, "", composer.FactorSrcAlpha, "none"),
			}}
		}
		p.Targets = append(p.Targets, t)
	}
	if m.next()%3 == 0 {
		p.DepthStencil = &composer.DepthStencil{
			Format: m.format(), Write: true, Compare: of(m, composer.CompareFunction(""), composer.CompareLess, "undefined"),
			Front: composer.StencilFace{Pass: of(m, composer.StencilOperation(""), composer.StencilReplace, "undefined")}, BiasSlope: of(m, 0, float32(math.NaN())),
		}
	}
	for i := range of(m, 0, 1, 1, 1, 1, 2, 17) {
		a := composer.VertexBufferAttribute{Attribute: composer.Attribute{Name: "a", Format: of(m, composer.Float32x4, composer.Float32x4, composer.Float32x4, composer.Float32x2, composer.Uint8x4, composer.Uint8, "", "f")}, Location: i}
		if m.odd() {
			a.Offset, a.Location = m.number(), m.number()
		}
		p.Buffers = append(p.Buffers, composer.VertexBuffer{
			Name: "v", Stride: of(m, 16, 16, 16, 0, 0, 4, 8, 3, -4, 1<<20), Step: of(m, composer.StepMode(""), "", "", composer.StepInstance, composer.StepInstance, "never"),
			Attributes: []composer.VertexBufferAttribute{a},
		})
	}
	if m.odd() {
		p.VertexEntry, p.FragmentEntry = of(m, "vs", "fs", "main", "\x00", "\xff", "none"), of(m, "vs", "fs", "main", "\x00", "\xff", "none")
	}
	if m.odd() {
		p.Topology, p.StripIndex = of(m, composer.LineStrip, composer.PointList, "undefined", composer.TriangleStrip), of(m, "", "uint16", "uint32", "uint8")
		p.Cull, p.FrontFace = of(m, composer.CullBack, "", "undefined"), of(m, composer.FrontCW, "", "undefined")
	}
	x, err := m.d.CreateRenderPipeline(p)
	keep(m, "render pipeline", &m.pipelines, x, err)
}
