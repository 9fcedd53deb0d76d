package renderer

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"unsafe"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/renderer/internal/gpu"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// geometry is a mesh's streams on the device.
type geometry struct {
	vertices int
	indices  int // 0: not indexed
	topology composer.Topology
	streams  map[string]composer.VertexFormat
	layout   string // the streams as one string, for shader lookup
	buffers  map[string]*gpu.Buffer
	index    *gpu.Buffer
	bounds   linalg.AABB
	source   *mesh.Geometry
	users    int // sessions that draw it
}

func (g *geometry) release() {
	for _, b := range g.buffers {
		b.Release()
	}
	if g.index != nil {
		g.index.Release()
	}
}

func bytesOf[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

// geometry describes m, once a device: sessions share it until the last of them
// closes. Indices and streams reach the device when a draw first asks for them.
func (x *Session) geometry(m *mesh.Geometry) (*geometry, error) {
	if g := x.geometries[m]; g != nil {
		return g, nil
	}
	if g := x.r.geometries[m]; g != nil {
		g.users++
		x.geometries[m] = g
		return g, nil
	}
	if m == nil {
		return nil, fmt.Errorf("the mesh has no geometry")
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	g := &geometry{vertices: m.VertexCount(), indices: len(m.Indices), topology: m.Topology, streams: map[string]composer.VertexFormat{}, buffers: map[string]*gpu.Buffer{}, bounds: m.Bounds(), source: m}
	if g.topology == "" {
		g.topology = composer.TriangleList
	}
	for name := range standardStreams {
		if len(streamData(m, name)) > 0 {
			g.streams[name] = standardStreams[name]
		}
	}
	for name, s := range m.Streams {
		g.streams[name] = s.Format
	}
	names := make([]string, 0, len(g.streams))
	for n, f := range g.streams {
		names = append(names, n+":"+string(f))
	}
	sort.Strings(names)
	g.layout = strings.Join(names, " ") + " " + string(g.topology)
	g.users = 1
	x.geometries[m], x.r.geometries[m] = g, g
	return g, nil
}

// indexBuffer returns the index buffer, nil for a mesh without indices.
func (x *Session) indexBuffer(g *geometry) (*gpu.Buffer, error) {
	if g.index != nil || g.indices == 0 {
		return g.index, nil
	}
	var err error
	g.index, err = x.upload1(g.source.Name+" indices", bytesOf(g.source.Indices), gpu.UsageIndex)
	return g.index, err
}

var standardStreams = map[string]composer.VertexFormat{
	"position": "float32x3", "normal": "float32x3", "tangent": "float32x4", "color": "float32x4",
	"uv": "float32x2", "uv2": "float32x2", "uv3": "float32x2", "uv4": "float32x2", "uv5": "float32x2", "uv6": "float32x2",
	"joints": "uint32x4", "joints1": "uint32x4", "weights": "float32x4", "weights1": "float32x4",
}

func streamData(m *mesh.Geometry, name string) []byte {
	switch name {
	case "position":
		return bytesOf(m.Positions)
	case "normal":
		return bytesOf(m.Normals)
	case "tangent":
		return bytesOf(m.Tangents)
	case "color":
		return bytesOf(m.Colors)
	case "uv":
		return bytesOf(m.UVs[0])
	case "uv2", "uv3", "uv4", "uv5", "uv6":
		return bytesOf(m.UVs[name[2]-'1'])
	case "joints":
		return bytesOf(m.Joints[0])
	case "joints1":
		return bytesOf(m.Joints[1])
	case "weights":
		return bytesOf(m.Weights[0])
	case "weights1":
		return bytesOf(m.Weights[1])
	}
	return m.Streams[name].Data
}

// stream returns the vertex buffer of a named stream, nil if the mesh lacks it.
func (x *Session) stream(g *geometry, name string) (*gpu.Buffer, error) {
	if b := g.buffers[name]; b != nil {
		return b, nil
	}
	data := streamData(g.source, name)
	if len(data) == 0 {
		return nil, nil
	}
	b, err := x.upload1(g.source.Name+" "+name, data, gpu.UsageVertex)
	if err == nil {
		g.buffers[name] = b
	}
	return b, err
}

func (x *Session) upload1(label string, data []byte, usage gpu.BufferUsage) (*gpu.Buffer, error) {
	b, err := x.r.dev.CreateBuffer(gpu.BufferDesc{Label: label, Size: uint64(len(data)), Usage: usage | gpu.UsageCopyDst})
	if err != nil {
		return nil, err
	}
	if err := x.r.dev.WriteBuffer(b, 0, data); err != nil {
		b.Release()
		return nil, err
	}
	return b, nil
}

// gpuBuffer is a material.Buffer on the device.
type gpuBuffer struct {
	buf     *gpu.Buffer
	size    int
	version uint64
}

const bufferUsage = gpu.UsageUniform | gpu.UsageVertex | gpu.UsageStorage | gpu.UsageCopyDst | gpu.UsageCopySrc

// buffer returns the device buffer of b, uploading what changed.
func (x *Session) buffer(b *material.Buffer) (*gpu.Buffer, error) {
	if b != nil && b.Data == nil && b.Zeros > 0 {
		return x.blank(b)
	}
	if b == nil || len(b.Data) == 0 {
		return nil, fmt.Errorf("the buffer is empty")
	}
	g := x.buffers[b]
	if g != nil && g.size == len(b.Data) {
		if g.version == b.Version {
			return g.buf, nil
		}
		from, to := 0, len(b.Data)
		if b.DirtyTo > 0 && g.version+1 == b.Version {
			from, to = b.DirtyFrom&^3, min(len(b.Data), (b.DirtyTo+3)&^3)
		}
		g.version = b.Version
		x.uploads.Buffers += uint64(to - from)
		return g.buf, x.r.dev.WriteBuffer(g.buf, uint64(from), b.Data[from:to])
	}
	if g != nil {
		x.garbage = append(x.garbage, g.buf)
	}
	buf, err := x.upload1(b.Name, b.Data, bufferUsage)
	if err != nil {
		return nil, err
	}
	x.uploads.Buffers += uint64(len(b.Data))
	x.buffers[b] = &gpuBuffer{buf, len(b.Data), b.Version}
	return buf, nil
}

// blank returns the device buffer of b, which has no content of the host's.
func (x *Session) blank(b *material.Buffer) (*gpu.Buffer, error) {
	g := x.buffers[b]
	if g != nil && g.size == b.Zeros {
		return g.buf, nil
	}
	if g != nil {
		x.garbage = append(x.garbage, g.buf)
	}
	buf, err := x.r.dev.CreateBuffer(gpu.BufferDesc{Label: b.Name, Size: uint64(b.Zeros), Usage: bufferUsage | gpu.UsageIndirect})
	if err != nil {
		return nil, err
	}
	x.buffers[b] = &gpuBuffer{buf, b.Zeros, b.Version}
	return buf, nil
}

// arena hands out uniform memory for one task: every draw's uniform blocks
// are gathered and uploaded in one write.
type arena struct {
	dev    *gpu.Device
	wrote  uint64 // bytes so far
	chunks []*gpu.Buffer
	data   []byte
	chunk  int // index of the chunk being filled
}

const (
	arenaChunk     = 1 << 20
	arenaAlignment = 256 // minUniformBufferOffsetAlignment
)

func (a *arena) init(dev *gpu.Device) { a.dev = dev }

func (a *arena) reset() { a.data, a.chunk = a.data[:0], 0 }

// add stores a block and returns where it will be.
func (a *arena) add(block []byte) (*gpu.Buffer, uint64, error) {
	if len(block) > arenaChunk {
		return nil, 0, fmt.Errorf("a uniform block of %d bytes is larger than %d", len(block), arenaChunk)
	}
	off := (len(a.data) + arenaAlignment - 1) &^ (arenaAlignment - 1)
	if off+len(block) > arenaChunk {
		if err := a.flush(); err != nil {
			return nil, 0, err
		}
		a.chunk++
		a.data, off = a.data[:0], 0
	}
	if a.chunk == len(a.chunks) {
		b, err := a.dev.CreateBuffer(gpu.BufferDesc{Label: "uniforms", Size: arenaChunk, Usage: gpu.UsageUniform | gpu.UsageCopyDst})
		if err != nil {
			return nil, 0, err
		}
		a.chunks = append(a.chunks, b)
	}
	for len(a.data) < off {
		a.data = append(a.data, 0)
	}
	a.data = append(a.data, block...)
	return a.chunks[a.chunk], uint64(off), nil
}

// flush uploads the chunk being filled.
func (a *arena) flush() error {
	if len(a.data) == 0 {
		return nil
	}
	a.wrote += uint64(len(a.data))
	return a.dev.WriteBuffer(a.chunks[a.chunk], 0, a.data)
}

func (a *arena) release() {
	for _, b := range a.chunks {
		b.Release()
	}
}

func centre(b linalg.AABB) linalg.Vec3 {
	c := b.Min.Add(b.Max).Scale(0.5)
	for i := range c {
		if math.IsNaN(c[i]) || math.IsInf(c[i], 0) {
			c[i] = 0
		}
	}
	return c
}
