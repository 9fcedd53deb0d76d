package basisu

import (
	"encoding/binary"
	"fmt"
	"math"
)

// codec turns the stored texels of an image into RGBA.
type codec struct {
	name   string
	block  int // edge of a block in texels, 1 or 4
	bytes  int // of a block
	alpha  bool
	float  bool
	decode func(out, data []byte, w, h int) error
}

// Colour models of the Khronos Data Format Specification.
const (
	modelETC1S = 163
	modelUASTC = 166
)

// blocks makes a decoder of images of 4x4 blocks.
func blocks(size int, decode func(out *[64]byte, block []byte) error) func(out, data []byte, w, h int) error {
	return func(out, data []byte, w, h int) error {
		var texels [64]byte
		for y := 0; y < h; y += 4 {
			for x := 0; x < w; x += 4 {
				if err := decode(&texels, data[:size]); err != nil {
					return fmt.Errorf("block at %d,%d: %w", x, y, err)
				}
				data = data[size:]
				place(out, &texels, x, y, w, h)
			}
		}
		return nil
	}
}

// place copies a block into an image of w × h, as far as it lies inside.
func place(out []byte, texels *[64]byte, x, y, w, h int) {
	n := min(4, w-x) * 4
	for r := range min(4, h-y) {
		copy(out[((y+r)*w+x)*4:][:n], texels[r*16:])
	}
}

// plain makes a decoder of channels of some bytes each; order says where red,
// green, blue and alpha are, -1 for what is not there.
func plain(name string, channels, size int, float bool, order [4]int) *codec {
	c := &codec{name: name, block: 1, bytes: channels * size, alpha: order[3] >= 0, float: float}
	c.decode = func(out, data []byte, w, h int) error {
		for i := range w * h {
			texel := data[i*c.bytes:]
			for k, o := range order {
				if float {
					v := float32(0)
					switch {
					case o < 0 && k == 3:
						v = 1
					case o < 0:
					case size == 2:
						v = fromHalf(binary.LittleEndian.Uint16(texel[o*2:]))
					default:
						v = math.Float32frombits(binary.LittleEndian.Uint32(texel[o*4:]))
					}
					binary.LittleEndian.PutUint32(out[(i*4+k)*4:], math.Float32bits(v))
					continue
				}
				v := byte(0)
				switch {
				case o < 0 && k == 3:
					v = 255
				case o < 0:
				case size == 2:
					v = byte((uint32(binary.LittleEndian.Uint16(texel[o*2:]))*255 + 32767) / 65535)
				default:
					v = texel[o]
				}
				out[i*4+k] = v
			}
		}
		return nil
	}
	return c
}

// fromHalf is the value of a half float.
func fromHalf(h uint16) float32 {
	sign, exp, m := uint32(h&0x8000)<<16, uint32(h>>10&31), uint32(h&1023)
	switch exp {
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | m<<13)
	case 0:
		return math.Float32frombits(sign | math.Float32bits(float32(m)/(1<<24)))
	}
	return math.Float32frombits(sign | (exp+112)<<23 | m<<13)
}

// codec finds the decoder for the file's VkFormat and colour model.
func (f *file) codec() (*codec, error) {
	if f.format == 0 {
		switch {
		case f.model == modelETC1S && f.scheme == schemeBasisLZ:
			return &codec{name: "ETC1S", block: 4, bytes: 8}, nil
		case f.model == modelUASTC && f.scheme != schemeBasisLZ:
			// Kinds 3 (RGBA) and 5 (RRRG) have alpha.
			alpha := len(f.channels) > 0 && (f.channels[0] == 3 || f.channels[0] == 5)
			return &codec{name: "UASTC", block: 4, bytes: 16, alpha: alpha, decode: blocks(16, uastc)}, nil
		}
		return nil, fmt.Errorf("colour model %d with supercompression %d: %w", f.model, f.scheme, ErrFormat)
	}
	if f.scheme == schemeBasisLZ {
		return nil, fmt.Errorf("BasisLZ with VkFormat %d: %w", f.format, ErrBroken)
	}
	r, rg, rgb, rgba := [4]int{0, -1, -1, -1}, [4]int{0, 1, -1, -1}, [4]int{0, 1, 2, -1}, [4]int{0, 1, 2, 3}
	switch f.format {
	case 9, 15:
		return plain("R8", 1, 1, false, r), nil
	case 16, 22:
		return plain("R8G8", 2, 1, false, rg), nil
	case 23, 29:
		return plain("R8G8B8", 3, 1, false, rgb), nil
	case 30, 36:
		return plain("B8G8R8", 3, 1, false, [4]int{2, 1, 0, -1}), nil
	case 37, 43:
		return plain("R8G8B8A8", 4, 1, false, rgba), nil
	case 44, 50:
		return plain("B8G8R8A8", 4, 1, false, [4]int{2, 1, 0, 3}), nil
	case 70:
		return plain("R16", 1, 2, false, r), nil
	case 77:
		return plain("R16G16", 2, 2, false, rg), nil
	case 84:
		return plain("R16G16B16", 3, 2, false, rgb), nil
	case 91:
		return plain("R16G16B16A16", 4, 2, false, rgba), nil
	case 76:
		return plain("R16 float", 1, 2, true, r), nil
	case 83:
		return plain("R16G16 float", 2, 2, true, rg), nil
	case 90:
		return plain("R16G16B16 float", 3, 2, true, rgb), nil
	case 97:
		return plain("R16G16B16A16 float", 4, 2, true, rgba), nil
	case 100:
		return plain("R32 float", 1, 4, true, r), nil
	case 103:
		return plain("R32G32 float", 2, 4, true, rg), nil
	case 106:
		return plain("R32G32B32 float", 3, 4, true, rgb), nil
	case 109:
		return plain("R32G32B32A32 float", 4, 4, true, rgba), nil
	case 131, 132:
		return &codec{name: "BC1", block: 4, bytes: 8, decode: blocks(8, func(out *[64]byte, b []byte) error { bc1(out, b, false, false); return nil })}, nil
	case 133, 134:
		return &codec{name: "BC1 with alpha", block: 4, bytes: 8, alpha: true, decode: blocks(8, func(out *[64]byte, b []byte) error { bc1(out, b, true, false); return nil })}, nil
	case 137, 138:
		return &codec{name: "BC3", block: 4, bytes: 16, alpha: true, decode: blocks(16, bc3)}, nil
	case 145, 146:
		return &codec{name: "BC7", block: 4, bytes: 16, alpha: true, decode: blocks(16, bc7)}, nil
	}
	return nil, fmt.Errorf("VkFormat %d: %w; Basis Universal, BC1, BC3, BC7 and plain formats of 8, 16 and 32 bits are", f.format, ErrFormat)
}
