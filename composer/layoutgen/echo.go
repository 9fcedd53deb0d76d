package layoutgen

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"darkroom/composer"
)

// Echo is a compute shader that copies every scalar of a buffer, by the
// compiler's idea of where it lies, to one word each of another.
//
// The entry point is "main", to be dispatched once. Binding 0 of group 0 is
// the buffer with the layout, uniform or read-only storage as Space says, filled
// with Input. Binding 1 is a storage buffer of Words 4-byte words.
type Echo struct {
	Space  Space
	WGSL   string
	Words  int
	Layout composer.UBO

	paths   []string // of each word written
	offsets []int    // where each should have been read
	base    int      // offset of the element that is read
}

// NewEcho lays the fields out and writes the shader that reads them.
func NewEcho(fields []composer.Field, structs []composer.Struct, space Space) (*Echo, error) {
	e := &Echo{Space: space}
	var b strings.Builder
	var err error
	variable := "source"
	switch space {
	case Uniform:
		if e.Layout, err = composer.Layout(fields, structs); err != nil {
			return nil, err
		}
		declared, err := composer.StructWGSL(fields, structs)
		if err != nil {
			return nil, err
		}
		b.WriteString(declared)
		fmt.Fprintf(&b, "struct Source {\n%s}\n@group(0) @binding(0) var<uniform> source: Source;\n", e.Layout.Body())
	case Storage:
		if e.Layout, err = composer.StorageLayout(fields, structs); err != nil {
			return nil, err
		}
		for _, s := range structs {
			fmt.Fprintf(&b, "struct %s {\n", s.Name)
			for _, f := range s.Fields {
				fmt.Fprintf(&b, "  %s: %s,\n", f.Name, f.Type)
			}
			b.WriteString("}\n")
		}
		fmt.Fprintf(&b, "struct Source {\n%s}\n@group(0) @binding(0) var<storage, read> source: array<Source>;\n", e.Layout.Body())
		// The second element shows that the stride is the size.
		variable, e.base = "source[1]", e.Layout.Size
	default:
		return nil, fmt.Errorf("layoutgen: there is no address space %d", space)
	}
	b.WriteString("@group(0) @binding(1) var<storage, read_write> copied: array<u32>;\n@compute @workgroup_size(1) fn main() {\n")
	for _, l := range e.Layout.Leaves() {
		for c := range l.Columns {
			for r := range l.Rows {
				path := l.Path
				if l.Columns > 1 {
					path += fmt.Sprintf("[%d]", c)
				}
				if l.Rows > 1 {
					path += "." + "xyzw"[r:r+1]
				}
				fmt.Fprintf(&b, "  copied[%d] = bitcast<u32>(%s.%s);\n", len(e.paths), variable, path)
				e.paths = append(e.paths, path)
				e.offsets = append(e.offsets, l.Offset+c*l.Stride+4*r)
			}
		}
	}
	b.WriteString("}\n")
	e.WGSL, e.Words = b.String(), len(e.paths)
	return e, nil
}

// Input is what to fill the buffer of binding 0 with: every word is different,
// and a normal number whatever type reads it.
func (e *Echo) Input() []byte {
	data := make([]byte, e.base+e.Layout.Size)
	for at := 0; at < len(data); at += 4 {
		binary.LittleEndian.PutUint32(data[at:], word(at))
	}
	return data
}

// word is the word at a byte offset of the input.
func word(at int) uint32 { return math.Float32bits(float32(1 + at/4)) }

// Check compares what the shader wrote with what the layout says. The error
// names the first scalar that was read from elsewhere, and from where.
func (e *Echo) Check(copied []byte) error {
	if len(copied) < 4*e.Words {
		return fmt.Errorf("layoutgen: %d bytes were read back, want %d", len(copied), 4*e.Words)
	}
	for i, path := range e.paths {
		got := binary.LittleEndian.Uint32(copied[4*i:])
		at := e.base + e.offsets[i]
		if got == word(at) {
			continue
		}
		where := fmt.Sprintf("holds %#x", got)
		if f := math.Float32frombits(got); f >= 1 && f <= float32((e.base+e.Layout.Size)/4) && f == float32(int(f)) {
			where = fmt.Sprintf("was read from offset %d", 4*(int(f)-1)-e.base)
		}
		return fmt.Errorf("layoutgen: %s should lie at offset %d but %s", path, e.offsets[i], where)
	}
	return nil
}
