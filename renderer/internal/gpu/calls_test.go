package gpu

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"darkroom/composer"
)

// Programs of random calls. wgpu-native ends the process on misuse, so whatever
// a program does, the process must live on, nothing may panic, and afterwards
// the device must still draw what it is told and own nothing.

// FuzzCalls runs the program that its input spells.
func FuzzCalls(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 64 {
		f.Add(randomProgram(r, 2048))
	}
	m := newMachine(f)
	f.Fuzz(func(t *testing.T, program []byte) { m.run(t, program) })
}

// TestCalls runs random programs, as many as DARKROOM_CALLS says, from the seed
// DARKROOM_CALLS_SEED. The calls that it must have seen both succeed and be
// refused show that the programs reach what they are to try.
func TestCalls(t *testing.T) {
	env := func(name string, n uint64) uint64 {
		if s := os.Getenv(name); s != "" {
			var err error
			if n, err = strconv.ParseUint(s, 10, 64); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		return n
	}
	m := newMachine(t)
	r := rand.New(rand.NewPCG(3, env("DARKROOM_CALLS_SEED", 4)))
	for range env("DARKROOM_CALLS", 40) {
		m.run(t, randomProgram(r, 1<<14))
	}
	t.Logf("succeeded: %v", m.succeeded)
	t.Logf("refused: %v", m.refused)
	for what := range m.refused {
		if m.succeeded[what] == 0 && !strings.HasSuffix(what, " late") {
			t.Errorf("%s never succeeded, so nothing was tried with it", what)
		}
	}
	for what := range m.succeeded {
		if m.refused[what] == 0 && what != "encoder" && what != "sync" {
			t.Errorf("%s was never refused", what)
		}
	}
}

// TestUnclearable is what random programs found: the backend clears memory that
// was never written before it is used, and ends the process where that does not
// start at a multiple of 4.
func TestUnclearable(t *testing.T) {
	m := newMachine(t)
	if err := m.stock(); err != nil {
		t.Fatal(err)
	}
	b, err := m.d.CreateBuffer(BufferDesc{Label: "indices", Size: 64, Usage: usageAll})
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.d.CreateTexture(TextureDesc{Label: "red", Width: 5, Height: 1, Format: composer.R8Unorm, Usage: TextureCopySrc | TextureCopyDst})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		try  func(*Encoder) error
		ok   bool
	}{
		{"uint16 indices at 2", func(e *Encoder) error { return m.indexed(e, b, 2) }, false},
		{"uint16 indices at 4", func(e *Encoder) error { return m.indexed(e, b, 4) }, true},
		{"r8unorm to a buffer at 1", func(e *Encoder) error { return e.CopyTextureToBuffer(TexturePlace{Texture: r}, "", b, 1, 256, 5, 1) }, false},
		{"r8unorm to a buffer at 4", func(e *Encoder) error { return e.CopyTextureToBuffer(TexturePlace{Texture: r}, "", b, 4, 256, 5, 1) }, true},
		{"r8unorm from a buffer at 2", func(e *Encoder) error { return e.CopyBufferToTexture(b, 2, 256, TexturePlace{Texture: r}, 5, 1) }, false},
		{"r8unorm from a buffer at 16", func(e *Encoder) error { return e.CopyBufferToTexture(b, 16, 256, TexturePlace{Texture: r}, 5, 1) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := m.d.NewEncoder(c.name)
			if err != nil {
				t.Fatal(err)
			}
			err = c.try(e)
			if err == nil {
				err = e.Submit()
			}
			e.Release()
			switch {
			case c.ok && err != nil:
				t.Error(err)
			case !c.ok && (err == nil || !strings.Contains(err.Error(), "no multiple of 4")):
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestReleasedInPass is another find: a pass keeps names, which the backend looks
// up when the pass ends.
func TestReleasedInPass(t *testing.T) {
	for _, c := range []struct {
		name    string
		release func(*machine)
	}{
		{"view", func(m *machine) { m.views[0].Release() }},
		{"texture", func(m *machine) { m.textures[0].Release() }},
		{"pipeline", func(m *machine) { m.pipelines[4].Release() }},
		{"bind group", func(m *machine) { m.groups[2].Release() }},
		{"view in a bind group", func(m *machine) { m.views[1].Release() }},
		{"sampler in a bind group", func(m *machine) { m.samplers[0].Release() }},
		{"vertex buffer", func(m *machine) { m.buffers[0].Release() }},
		{"index buffer", func(m *machine) { m.buffers[3].Release() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t)
			if err := m.stock(); err != nil {
				t.Fatal(err)
			}
			bound, err := m.d.CreateBindGroup(m.layouts[2], []BindEntry{{Binding: 1, View: m.views[1]}, {Binding: 2, Sampler: m.samplers[0]}})
			if err != nil {
				t.Fatal(err)
			}
			m.groups[2].Release()
			m.groups[2] = bound
			e, err := m.d.NewEncoder("e")
			if err != nil {
				t.Fatal(err)
			}
			p, err := e.BeginRenderPass(RenderPassDesc{Label: "shadows", Color: []ColorAttachment{{View: m.views[0]}}})
			if err != nil {
				t.Fatal(err)
			}
			p.SetPipeline(m.pipelines[4])
			p.SetBindGroup(0, m.groups[2])
			p.SetVertexBuffer(0, m.buffers[0], 0, 0)
			p.SetIndexBuffer(m.buffers[3], "uint32", 0, 0)
			p.DrawIndexed(3, 1, 0, 0, 0)
			c.release(m)
			if err := p.End(); !errors.Is(err, ErrReleased) || !strings.Contains(err.Error(), "shadows") {
				t.Errorf("End: %v", err)
			}
			if err := e.Submit(); !errors.Is(err, ErrReleased) {
				t.Errorf("Submit: %v", err)
			}
			m.clear()
			bound.Release()
			if err := m.works(); err != nil {
				t.Error(err)
			}
		})
	}
}

// indexed draws with the indices in b at offset.
func (m *machine) indexed(e *Encoder, b *Buffer, offset uint64) error {
	p, err := e.BeginRenderPass(RenderPassDesc{Color: []ColorAttachment{{View: m.views[0]}}})
	if err != nil {
		return err
	}
	p.SetPipeline(m.pipelines[0])
	p.SetBindGroup(0, m.groups[0])
	p.SetIndexBuffer(b, "uint16", offset, 6)
	p.DrawIndexed(3, 1, 0, 0, 0)
	return p.End()
}

func randomProgram(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// machine runs programs. It keeps every object that a program made, alive or
// released, in pools that later calls draw from.
type machine struct {
	d, other *Device
	foreign  struct { // objects of the other device
		buffer  *Buffer
		texture *Texture
		view    *View
		sampler *Sampler
		shader  *ShaderModule
		layout  *BindGroupLayout
	}
	in []byte

	buffers   []*Buffer
	textures  []*Texture
	views     []*View
	samplers  []*Sampler
	shaders   []*ShaderModule
	layouts   []*BindGroupLayout
	groups    []*BindGroup
	pipelays  []*PipelineLayout
	pipelines []*RenderPipeline
	computes  []*ComputePipeline
	encoders  []*Encoder
	passes    []*Pass
	cpasses   []*ComputePass
	rings     []*Readback
	tickets   []*Ticket

	succeeded, refused map[string]int
}

func newMachine(t testing.TB) *machine {
	open := func() *Device {
		d, err := Open(Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
		if err != nil {
			t.Fatalf("this test needs a Vulkan driver; on Debian or Ubuntu install mesa-vulkan-drivers and libvulkan1: %v", err)
		}
		return d
	}
	m := &machine{d: open(), other: open(), succeeded: map[string]int{}, refused: map[string]int{}}
	t.Cleanup(func() { m.d.Close(); m.other.Close() })
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	o, f := m.other, &m.foreign
	var err error
	f.buffer, err = o.CreateBuffer(BufferDesc{Label: "foreign", Size: 256, Usage: usageAll})
	must(err)
	f.texture, err = o.CreateTexture(TextureDesc{Label: "foreign", Width: 4, Height: 4, Format: composer.RGBA8Unorm, Usage: TextureSampled | TextureTarget | TextureCopySrc | TextureCopyDst})
	must(err)
	f.view, err = o.CreateView(f.texture, ViewDesc{})
	must(err)
	f.sampler, err = o.CreateSampler(SamplerDesc{Label: "foreign"})
	must(err)
	f.shader, err = o.CreateShader("foreign", programShaders[0])
	must(err)
	f.layout, err = o.CreateBindGroupLayout("foreign", nil)
	must(err)
	return m
}

// next is the next byte of the program, 0 at its end.
func (m *machine) next() int {
	if len(m.in) == 0 {
		return 0
	}
	b := m.in[0]
	m.in = m.in[1:]
	return int(b)
}

// odd is true for one byte in sixteen.
func (m *machine) odd() bool { return m.next()%16 == 15 }

// of picks one of the values.
func of[T any](m *machine, values ...T) T { return values[m.next()%len(values)] }

// pick takes an object from a pool, the newest ones more often; now and then
// none, or one of another device.
func pick[T any](m *machine, pool []*T, foreign *T) *T {
	k := m.next()
	switch {
	case k >= 252 || len(pool) == 0:
		return nil
	case k >= 248:
		return foreign
	case k >= 192:
		return pool[max(0, len(pool)-1-k%4)]
	case k >= 64: // what stock made comes first
		return pool[k%min(len(pool), stocked)]
	}
	return pool[k%len(pool)]
}

// note counts what calls come to.
func (m *machine) note(what string, err error) bool {
	if err != nil {
		m.refused[what]++
		return false
	}
	m.succeeded[what]++
	return true
}

// number is mostly small, now and then at or beyond a limit.
func (m *machine) number() int {
	if m.odd() {
		return of(m, -1, math.MinInt, math.MaxInt, math.MaxInt32, math.MaxUint32, math.MaxUint32+1, 1<<31, 16384, 16385)
	}
	return of(m, 0, 1, 2, 3, 4, 5, 6, 7, 8, 16)
}

func (m *machine) offset() uint64 {
	if m.odd() {
		return of(m, uint64(math.MaxUint64), math.MaxUint64-3, 1<<63, 1<<32, 1<<32-4, 4096, 4100)
	}
	return of(m, uint64(0), 0, 0, 4, 8, 16, 64, 256, 1, 2)
}

func (m *machine) run(t *testing.T, program []byte) {
	m.in = program
	for len(m.in) > 0 {
		if err := m.stock(); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 200 && len(m.in) > 0; i++ {
			m.step()
		}
		m.clear()
	}
	m.clear()
	if live := m.d.Live(); len(live) != 0 {
		t.Fatalf("after everything was released there are %v", live)
	}
	if err := m.works(); err != nil {
		t.Fatal(err)
	}
}

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

// encoder is mostly a new one, for the first error spends one.
func (m *machine) encoder() *Encoder {
	if m.odd() {
		return pick(m, m.encoders, nil)
	}
	e, err := m.d.NewEncoder("e")
	keep(m, "encoder", &m.encoders, e, err)
	return e
}

// fresh submits mostly, and at once.
func (m *machine) fresh(e *Encoder) {
	if !m.odd() {
		m.note("submit", e.Submit())
	}
}

// works clears a picture and reads it back.
func (m *machine) works() (err error) {
	d := m.d
	x, err := d.CreateTexture(TextureDesc{Label: "probe", Width: 3, Height: 2, Format: composer.RGBA8Unorm, Usage: TextureTarget | TextureCopySrc})
	if err != nil {
		return err
	}
	defer x.Release()
	v, err := d.CreateView(x, ViewDesc{})
	if err != nil {
		return err
	}
	defer v.Release()
	e, err := d.NewEncoder("probe")
	if err != nil {
		return err
	}
	p, err := e.BeginRenderPass(RenderPassDesc{Label: "probe", Color: []ColorAttachment{{View: v, Clear: &[4]float64{1, 0, 1, 0}}}})
	if err != nil {
		return err
	}
	if err := p.End(); err != nil {
		return err
	}
	if err := e.Submit(); err != nil {
		return err
	}
	pix, err := d.ReadTexture(x, 0, 0)
	if err != nil {
		return err
	}
	for i, b := range pix {
		if want := byte(255 * (1 - i%2)); b != want {
			return fmt.Errorf("the probe picture is %v", pix)
		}
	}
	return nil
}

// clear releases everything, in no particular order, and some of it twice.
func (m *machine) clear() {
	release(&m.textures, (*Texture).Release)
	release(&m.buffers, (*Buffer).Release)
	release(&m.encoders, (*Encoder).Release)
	release(&m.views, (*View).Release)
	release(&m.layouts, (*BindGroupLayout).Release)
	release(&m.samplers, (*Sampler).Release)
	release(&m.groups, (*BindGroup).Release)
	release(&m.shaders, (*ShaderModule).Release)
	release(&m.pipelays, (*PipelineLayout).Release)
	release(&m.pipelines, (*RenderPipeline).Release)
	release(&m.computes, (*ComputePipeline).Release)
	release(&m.rings, (*Readback).Release)
	m.passes, m.cpasses, m.tickets = nil, nil, nil
}

func release[T any](pool *[]*T, f func(*T)) {
	for _, x := range *pool {
		f(x)
	}
	*pool = nil
}

func keep[T any](m *machine, what string, pool *[]*T, x *T, err error) {
	if m.note(what, err) {
		*pool = append(*pool, x)
	}
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

func (m *machine) format() composer.TextureFormat { return of(m, programFormats...) }

// step makes one call, more often those that later calls need.
func (m *machine) step() {
	switch k := m.next() % 64; {
	case k < 3:
		m.makeBuffer()
	case k < 8:
		m.makeTexture()
	case k < 13:
		v := ViewDesc{Dimension: of(m, programDimensions...), Aspect: of(m, Aspect(""), "", "", DepthOnly, StencilOnly, "all")}
		if m.odd() {
			v.BaseMip, v.Mips, v.BaseLayer, v.Layers = m.number(), m.number(), m.number(), m.number()
		}
		x, err := m.d.CreateView(pick(m, m.textures, m.foreign.texture), v)
		keep(m, "view", &m.views, x, err)
	case k < 15:
		m.makeSampler()
	case k < 18:
		x, err := m.d.CreateShader(of(m, "s", "", "\x00", "\xff"), of(m, programShaders...))
		keep(m, "shader", &m.shaders, x, err)
	case k < 21:
		m.makeLayout()
	case k < 23:
		var l []*BindGroupLayout
		for range of(m, 0, 1, 1, 1, 2, 5, 9) {
			l = append(l, pick(m, m.layouts, m.foreign.layout))
		}
		x, err := m.d.CreatePipelineLayout("pl", l)
		keep(m, "pipeline layout", &m.pipelays, x, err)
	case k < 27:
		m.makeGroup()
	case k < 32:
		m.makePipeline()
	case k < 34:
		x, err := m.d.CreateComputePipeline("cp", pick(m, m.pipelays, nil), pick(m, m.shaders, m.foreign.shader))
		keep(m, "compute pipeline", &m.computes, x, err)
	case k < 37:
		m.write()
	case k < 39:
		m.read()
	case k < 42:
		e, err := m.d.NewEncoder(of(m, "e", "", "\x00", "\xff"))
		keep(m, "encoder", &m.encoders, e, err)
	case k < 48:
		m.pass()
	case k < 51:
		m.computePass()
	case k < 54:
		m.copy()
	case k < 57:
		m.note("submit", pick(m, m.encoders, nil).Submit())
	case k < 59:
		m.ring()
	case k < 60:
		m.straggler()
	case k < 63:
		if m.next()%2 == 0 {
			m.releaseOne()
		}
	default:
		m.note("sync", m.d.Sync())
	}
}

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

// bytes are words of small numbers, so that indirect draws and indices made of
// them are small too.
func (m *machine) bytes(n int) []byte {
	b := make([]byte, n)
	for i := 0; i < n; i += 4 {
		b[i] = byte(m.next() % 4)
	}
	return b
}

func (m *machine) write() {
	if m.next()%2 == 0 {
		b := pick(m, m.buffers, m.foreign.buffer)
		n := of(m, 0, 1, 4, 16, 64, 17, 5000)
		if b != nil && m.next()%2 == 0 {
			n = int(b.Size)
		}
		m.note("write buffer", m.d.WriteBuffer(b, m.offset(), m.bytes(n)))
		return
	}
	t := pick(m, m.textures, m.foreign.texture)
	mip, layer, w, h := 0, 0, 1, 1
	if t != nil {
		w, h = t.Desc.Width, t.Desc.Height
		if m.odd() {
			mip = m.number()
			w, h = max(1, w>>min(max(0, mip), 31)), max(1, h>>min(max(0, mip), 31))
		}
	}
	if m.odd() {
		layer, w, h = m.number(), m.number(), m.number()
	}
	m.note("write texture", m.d.WriteTexture(t, mip, layer, m.bytes(of(m, 1<<15, 0, 1, 1<<10)), of(m, 0, 0, 0, 256, 1024, 1, -1, math.MaxInt), w, h))
}

func (m *machine) read() {
	switch m.next() % 3 {
	case 0:
		b := pick(m, m.buffers, m.foreign.buffer)
		_, err := m.d.ReadBuffer(b, m.offset(), of(m, uint64(0), 4, 16, 3, math.MaxUint64))
		m.note("read buffer", err)
	case 1:
		_, err := m.d.ReadAspect(pick(m, m.textures, m.foreign.texture), 0, 0, of(m, Aspect(""), DepthOnly, StencilOnly, "all"))
		m.note("read aspect", err)
	default:
		mip, layer := 0, 0
		if m.odd() {
			mip, layer = m.number(), m.number()
		}
		_, err := m.d.ReadTexture(pick(m, m.textures, m.foreign.texture), mip, layer)
		m.note("read texture", err)
	}
}

func (m *machine) pass() {
	e := m.encoder()
	if e == nil {
		return
	}
	defer m.fresh(e)
	var desc RenderPassDesc
	targets := 1
	if m.odd() {
		targets = of(m, 0, 2, 3, 9)
	}
	for range targets {
		c := ColorAttachment{View: m.views[0], Discard: m.odd()}
		if m.next()%4 == 0 {
			c.View, c.Resolve = m.views[3], m.views[0]
		}
		if m.next()%8 == 0 {
			c.View = pick(m, m.views, m.foreign.view)
		}
		if m.odd() {
			c.Resolve = pick(m, m.views, m.foreign.view)
		}
		if m.next()%2 == 0 {
			c.Clear = &[4]float64{1, math.NaN(), math.Inf(1), -1}
		}
		desc.Color = append(desc.Color, c)
	}
	if m.next()%8 == 0 {
		z := &DepthAttachment{View: m.views[2], DepthReadOnly: m.odd(), Discard: m.odd()}
		if m.odd() {
			z.View = pick(m, m.views, m.foreign.view)
		}
		if m.next()%2 == 0 {
			clear := of(m, float32(0), 1, 2, float32(math.NaN()))
			z.ClearDepth = &clear
		}
		if m.odd() {
			clear := uint32(m.next())
			z.ClearStencil = &clear
		}
		desc.Depth = z
	}
	p, err := e.BeginRenderPass(desc)
	keep(m, "render pass", &m.passes, p, err)
	if err != nil {
		return
	}
	if m.next()%4 != 0 {
		i := m.next() % 3
		samples := 0 // the second of a pair of pipelines draws 4 samples
		if v := desc.Color; len(v) > 0 && v[0].View != nil && v[0].View.Texture.Desc.Samples == 4 {
			samples = 1
		}
		p.SetPipeline(m.pipelines[2*i+samples])
		p.SetBindGroup(0, m.groups[i])
		p.SetVertexBuffer(0, m.buffers[0], 0, 0)
		p.SetIndexBuffer(m.buffers[0], "uint16", 0, 0)
	}
	for range m.next() % 6 {
		m.passCall(p)
	}
	if !m.odd() {
		m.note("end", p.End())
	}
}

func (m *machine) passCall(p *Pass) {
	count := func() int {
		if m.odd() {
			return of(m, -1, math.MinInt, math.MaxInt, math.MaxUint32+1)
		}
		return of(m, 3, 3, 6, 1, 0, 100)
	}
	switch m.next() % 16 {
	case 0, 1, 2:
		p.SetPipeline(pick(m, m.pipelines, nil))
	case 3, 4:
		var offsets []uint32
		if m.odd() {
			offsets = append(offsets, of(m, uint32(0), 256, 4, math.MaxUint32))
		}
		i := of(m, 0, 0, 0, 1)
		if m.odd() {
			i = m.number()
		}
		p.SetBindGroup(i, pick(m, m.groups, nil), offsets...)
	case 5, 6:
		p.SetVertexBuffer(m.number(), pick(m, m.buffers, m.foreign.buffer), m.offset(), of(m, 0, 0, 0, m.offset()))
	case 7:
		p.SetIndexBuffer(pick(m, m.buffers, m.foreign.buffer), of(m, "uint16", "uint32", "", "uint8"), m.offset(), of(m, 0, 0, 0, m.offset()))
	case 8, 9:
		p.Draw(count(), of(m, 1, 1, 0, 2, -1), of(m, 0, 0, 1, m.number()), of(m, 0, 0, 1, m.number()))
	case 10, 11:
		p.DrawIndexed(count(), of(m, 1, 1, 0, 2, -1), of(m, 0, 0, m.number()), of(m, 0, 0, m.number()), of(m, 0, 0, m.number()))
	case 12:
		p.DrawIndirect(pick(m, m.buffers, m.foreign.buffer), m.offset())
	case 13:
		p.DrawIndexedIndirect(pick(m, m.buffers, m.foreign.buffer), m.offset())
	case 14:
		f := func() float32 {
			return of(m, float32(0), 0, 1, 1, 4, 16, -1, float32(math.NaN()), float32(math.Inf(1)), 1e-30, 1e30)
		}
		p.SetViewport(f(), f(), f(), f(), f(), f())
	default:
		p.SetScissor(m.number(), m.number(), m.number(), m.number())
		p.SetBlendConstant([4]float64{math.NaN(), math.Inf(-1), 1e308, 0})
		p.SetStencilReference(uint32(m.number()))
	}
}

func (m *machine) computePass() {
	e := m.encoder()
	if e == nil {
		return
	}
	defer m.fresh(e)
	p, err := e.BeginComputePass("c")
	keep(m, "compute pass", &m.cpasses, p, err)
	if err != nil {
		return
	}
	if m.next()%4 != 0 {
		i := m.next() % 2
		p.Dispatch(m.computes[i], []*BindGroup{m.groups[3+i]}, 4, 1, 1)
	}
	for range m.next() % 4 {
		m.computeCall(p)
	}
	if !m.odd() {
		m.note("end compute", p.End())
	}
}

func (m *machine) computeCall(p *ComputePass) {
	x, y, z := of(m, 1, 0, 4, 100), of(m, 1, 0, 2, 3), of(m, 1, 0, 2)
	if m.odd() {
		x, y, z = of(m, -1, math.MinInt, 65536, math.MaxInt), 1, 1
	}
	switch m.next() % 4 {
	case 0:
		p.SetPipeline(pick(m, m.computes, nil))
	case 1:
		p.SetBindGroup(of(m, 0, 0, 0, 1, m.number()), pick(m, m.groups, nil))
	case 2:
		p.Dispatch(pick(m, m.computes, nil), []*BindGroup{pick(m, m.groups, nil)}, x, y, z)
	default:
		p.DispatchWorkgroups(x, y, z)
	}
}

// target is a buffer to copy texels to: no indirect one, for a color is a large number.
func (m *machine) target() *Buffer {
	b := pick(m, m.buffers, m.foreign.buffer)
	if b != nil && b.usage&(UsageIndirect|UsageIndex|UsageCopySrc) != 0 {
		return m.buffers[2] // CopyDst alone
	}
	return b
}

func (m *machine) copy() {
	e := m.encoder()
	if e == nil {
		return
	}
	defer m.fresh(e)
	place := func() (p TexturePlace) {
		p.Texture = pick(m, m.textures, m.foreign.texture)
		if m.odd() {
			p.Mip, p.X, p.Y, p.Z = m.number(), m.number(), m.number(), m.number()
		}
		return p
	}
	w, h, n := of(m, 16, 8, 4, 1), of(m, 16, 8, 4, 1), 1
	if m.odd() {
		w, h, n = m.number(), m.number(), m.number()
	}
	row := of(m, 256, 256, 512, 0, 400, -256, math.MaxInt)
	switch m.next() % 5 {
	case 0:
		m.note("copy buffer", e.CopyBuffer(pick(m, m.buffers, m.foreign.buffer), m.offset(), pick(m, m.buffers, m.foreign.buffer), m.offset(), m.offset()))
	case 1:
		m.note("copy texture", e.CopyTexture(pick(m, m.textures, m.foreign.texture), pick(m, m.textures, m.foreign.texture)))
	case 2:
		m.note("copy region", e.CopyTextureRegion(place(), place(), w, h, n))
	case 3:
		m.note("copy out", e.CopyTextureToBuffer(place(), of(m, Aspect(""), "", DepthOnly, StencilOnly), m.target(), m.offset(), row, w, h))
	default:
		m.note("copy in", e.CopyBufferToTexture(pick(m, m.buffers, m.foreign.buffer), m.offset(), row, place(), w, h))
	}
}

func (m *machine) ring() {
	switch m.next() % 4 {
	case 0:
		r, err := m.d.NewReadback(of(m, 2, 1, 3, 0, -1, 65))
		keep(m, "ring", &m.rings, r, err)
	case 1, 2:
		k, err := pick(m, m.rings, nil).Start(pick(m, m.textures, m.foreign.texture))
		keep(m, "ring start", &m.tickets, k, err)
	default:
		_, err := pick(m, m.tickets, nil).Wait()
		m.note("ring wait", err)
	}
}

// straggler uses a pass that may have ended, or whose encoder is gone.
func (m *machine) straggler() {
	switch m.next() % 4 {
	case 0:
		if p := pick(m, m.passes, nil); p != nil {
			m.passCall(p)
		}
	case 1:
		m.note("end late", pick(m, m.passes, nil).End())
	case 2:
		if p := pick(m, m.cpasses, nil); p != nil {
			m.computeCall(p)
		}
	default:
		m.note("end compute late", pick(m, m.cpasses, nil).End())
	}
}

func (m *machine) releaseOne() {
	switch m.next() % 12 {
	case 0:
		pick(m, m.buffers, nil).Release()
	case 1:
		pick(m, m.textures, nil).Release()
	case 2:
		pick(m, m.views, nil).Release()
	case 3:
		pick(m, m.samplers, nil).Release()
	case 4:
		pick(m, m.shaders, nil).Release()
	case 5:
		pick(m, m.layouts, nil).Release()
	case 6:
		pick(m, m.groups, nil).Release()
	case 7:
		pick(m, m.pipelays, nil).Release()
	case 8:
		pick(m, m.pipelines, nil).Release()
	case 9:
		pick(m, m.computes, nil).Release()
	case 10:
		pick(m, m.encoders, nil).Release()
	default:
		pick(m, m.rings, nil).Release()
	}
}
