package env

import (
	"encoding/binary"
	"fmt"
	"math"

	"darkroom/material/texel"
)

// Values of a DDS header (Microsoft, "DDS_HEADER", "DDS_HEADER_DXT10").
const (
	ddsFourCC      = 0x4     // of the pixel format's flags
	ddsMipCount    = 0x20000 // of the header's flags
	ddsCubeMap     = 0x200   // of caps2
	ddsAllFaces    = 0xfc00  // of caps2
	ddsDX10        = 0x30315844
	d3dRGBA16Float = 113
	d3dRGBA32Float = 116
	dxgiRGBA32     = 2
	dxgiRGBA16     = 10
	dxgiCube       = 0x4 // of miscFlag
)

// decodeDDS reads a cube map of half or single floats with its mips, face after
// face.
func decodeDDS(data []byte) (*Cube, error) {
	const head = 128
	if len(data) < head {
		return nil, fmt.Errorf("its header has %d bytes, want %d", len(data), head)
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(data[i*4:]) }
	height, width := word(3), word(4)
	mips := 1
	if word(2)&ddsMipCount != 0 {
		mips = int(max(1, min(word(7), 32)))
	}
	body := data[head:]
	cube := word(28)&ddsCubeMap != 0 && word(28)&ddsAllFaces == ddsAllFaces
	if word(20)&ddsFourCC == 0 {
		return nil, fmt.Errorf("its pixel format (flags %#x) is not read; half and single float RGBA are", word(20))
	}
	size := 0 // of a texel
	switch word(21) {
	case d3dRGBA16Float:
		size = 8
	case d3dRGBA32Float:
		size = 16
	case ddsDX10:
		if len(body) < 20 {
			return nil, fmt.Errorf("its extended header is cut off")
		}
		switch f := word(32); f {
		case dxgiRGBA16:
			size = 8
		case dxgiRGBA32:
			size = 16
		default:
			return nil, fmt.Errorf("its DXGI format %d is not read; %d and %d (half and single float RGBA) are", f, dxgiRGBA16, dxgiRGBA32)
		}
		cube = cube || word(34)&dxgiCube != 0 && word(35) == 1
		body = body[20:]
	default:
		return nil, fmt.Errorf("its pixel format %q is not read; half and single float RGBA are", data[84:88])
	}
	if !cube {
		return nil, fmt.Errorf("it is not a cube map with six faces")
	}
	if width != height || width < 1 || width > maxSize || width&(width-1) != 0 {
		return nil, fmt.Errorf("its faces are %dx%d, want a square with a power of two up to %d", width, height, maxSize)
	}
	c := &Cube{Size: int(width)}
	mips = min(mips, mipLevels(c.Size))
	texels := 0
	for mip := range mips {
		texels += (c.Size >> mip) * (c.Size >> mip)
	}
	if need := texels * 6 * size; len(body) < need {
		return nil, fmt.Errorf("its faces need %d bytes, %d are there", need, len(body))
	}
	c.Levels = make([][]byte, mips)
	for range faces {
		for mip := range mips {
			n := (c.Size >> mip) * (c.Size >> mip)
			c.Levels[mip] = appendHalves(c.Levels[mip], body[:n*size], size)
			body = body[n*size:]
		}
	}
	return c, nil
}

// appendHalves appends texels of 8 or 16 bytes as half floats; what is no
// number becomes 0 and what is infinite the largest half.
func appendHalves(dst, src []byte, size int) []byte {
	for i := 0; i < len(src); i += size / 4 {
		var h uint16
		if size == 8 {
			h = texel.Half(texel.FromHalf(binary.LittleEndian.Uint16(src[i:])))
		} else {
			h = texel.Half(math.Float32frombits(binary.LittleEndian.Uint32(src[i:])))
		}
		dst = append(dst, byte(h), byte(h>>8))
	}
	return dst
}
