package metrics

import (
	"encoding/binary"
	"fmt"
	"math"

	"darkroom/parity/verdict"
)

// Float is the format of a colour target of floats as it is read back, four channels a texel, little-endian.
type Float uint8

const (
	Float16 Float = 2 // rgba16float
	Float32 Float = 4 // rgba32float
)

// firstTexels is how many places a census remembers.
const firstTexels = 8

var channelNames = [4]string{"R", "G", "B", "A"}

// Census counts NaN and Inf in a float target. data holds height rows of width texels, stride bytes apart (a GPU read-back pads rows to 256
// bytes; the padding is not looked at). The first places come in reading order, from the top left. An 8-bit picture made from such a target
// shows nothing: conversion turns NaN into 0 and Inf into 255.
func Census(data []byte, width, height, stride int, format Float) (verdict.Census, error) {
	var c verdict.Census
	row := width * 4 * int(format)
	switch {
	case format != Float16 && format != Float32:
		return c, fmt.Errorf("census: format of %d bytes a channel is neither Float16 nor Float32", format)
	case width <= 0 || height <= 0:
		return c, fmt.Errorf("census: the target is %d×%d, there is nothing to count", width, height)
	case stride < row:
		return c, fmt.Errorf("census: stride of %d bytes is less than a row of %d texels (%d bytes)", stride, width, row)
	case len(data) < (height-1)*stride+row:
		return c, fmt.Errorf("census: %d bytes are too few for %d rows of %d", len(data), height, stride)
	}
	for y := range height {
		r := data[y*stride : y*stride+row]
		if format == Float16 {
			census16(&c, r, y)
		} else {
			census32(&c, r, y)
		}
	}
	return c, nil
}

// census16 looks at a texel a word: a half is not finite when all five bits of its exponent are set, and then adding one to the exponent
// carries into the bit above it.
func census16(c *verdict.Census, row []byte, y int) {
	const exponent = 0x7c007c007c007c00
	for i := 0; i+8 <= len(row); i += 8 {
		w := binary.LittleEndian.Uint64(row[i:])
		if (w&exponent+0x0400040004000400)&0x8000800080008000 == 0 {
			continue
		}
		c.Texel++
		for k := range 4 {
			h := uint16(w >> (16 * k))
			if h&0x7c00 == 0x7c00 {
				note(c, i/8, y, k, h&0x03ff != 0, h>>15 == 1)
			}
		}
	}
}

func census32(c *verdict.Census, row []byte, y int) {
	const exponent = 0x7f8000007f800000
	for i := 0; i+16 <= len(row); i += 16 {
		u, v := binary.LittleEndian.Uint64(row[i:]), binary.LittleEndian.Uint64(row[i+8:])
		if ((u&exponent+0x0080000000800000)|(v&exponent+0x0080000000800000))&0x8000000080000000 == 0 {
			continue
		}
		c.Texel++
		for k := range 4 {
			f := math.Float32frombits(binary.LittleEndian.Uint32(row[i+4*k:]))
			nan := f != f
			if nan || math.IsInf(float64(f), 0) {
				note(c, i/16, y, k, nan, math.Signbit(float64(f)))
			}
		}
	}
}

func note(c *verdict.Census, x, y, channel int, nan, negative bool) {
	value := "+Inf"
	switch {
	case nan:
		value = "NaN"
		c.NaN++
	case negative:
		value = "-Inf"
		c.Inf++
	default:
		c.Inf++
	}
	if len(c.First) < firstTexels {
		c.First = append(c.First, verdict.Texel{X: x, Y: y, Channel: channelNames[channel], Value: value})
	}
}

// CensusReason says in one line what a census found, or "" where every value is finite.
func CensusReason(c verdict.Census) string {
	if c.Texel == 0 {
		return ""
	}
	texels := "texels hold"
	if c.Texel == 1 {
		texels = "texel holds"
	}
	f := c.First[0]
	return fmt.Sprintf("%d %s values that are not finite before tone mapping (%d NaN, %d Inf), first %s in %s at (%d, %d)", c.Texel, texels, c.NaN, c.Inf, f.Value, f.Channel, f.X, f.Y)
}
