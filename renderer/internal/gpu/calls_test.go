package gpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
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
