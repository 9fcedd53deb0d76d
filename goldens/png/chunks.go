package png

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"unicode/utf8"
)

const signature = "\x89PNG\r\n\x1a\n"

// The colour types of the standard.
const (
	gray      = 0
	rgb       = 2
	palette   = 3
	grayAlpha = 4
	rgba      = 6
)

var colourNames = map[byte]string{gray: "gray", rgb: "rgb", palette: "palette", grayAlpha: "gray+alpha", rgba: "rgba"}

// depths allowed for each colour type.
var depths = map[byte][]byte{gray: {1, 2, 4, 8, 16}, rgb: {8, 16}, palette: {1, 2, 4, 8}, grayAlpha: {8, 16}, rgba: {8, 16}}

// file is a PNG whose chunks have been walked.
type file struct {
	info        Info
	colour      byte
	depth       byte
	palette     []byte // RGB
	transparent []byte // the tRNS chunk
	data        [][]byte
}

// channels in the file's rows.
func (f *file) channels() int {
	switch f.colour {
	case rgb:
		return 3
	case grayAlpha:
		return 2
	case rgba:
		return 4
	}
	return 1
}

// stages of a file; a chunk may come only in its own.
const (
	beforePalette = iota
	beforeData
	inData
	afterData
)

// parse walks the chunks. With headOnly it stops at the first IDAT, and what follows is not checked.
func parse(b []byte, caps Caps, headOnly bool) (*file, error) {
	if int64(len(b)) > caps.bytes() {
		return nil, tooLarge("file of %d bytes, the cap is %d", len(b), caps.bytes())
	}
	if len(b) < len(signature) || string(b[:len(signature)]) != signature {
		if len(b) == 0 {
			return nil, bad("the file is empty")
		}
		return nil, bad("the signature is missing")
	}
	f := new(file)
	stage, first := beforePalette, true
	seen := map[string]bool{}
	rest := b[len(signature):]
	for {
		if len(rest) < 12 {
			return nil, bad("the file ends without an IEND chunk")
		}
		n := binary.BigEndian.Uint32(rest)
		name := string(rest[4:8])
		if n > math.MaxInt32 || int(n) > len(rest)-12 {
			return nil, bad("chunk %q of %d bytes is cut off", name, n)
		}
		body := rest[8 : 8+n]
		if crc32.ChecksumIEEE(rest[4:8+n]) != binary.BigEndian.Uint32(rest[8+n:]) {
			return nil, bad("checksum of chunk %q is wrong", name)
		}
		rest = rest[12+n:]
		for _, c := range []byte(name) {
			if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
				return nil, bad("%q is no chunk name", name)
			}
		}
		if first != (name == "IHDR") {
			return nil, bad("chunk %q stands where IHDR must", name)
		}
		first = false
		if name != "IDAT" && stage == inData {
			stage = afterData
		}
		if seen[name] && single[name] {
			return nil, bad("there are two %q chunks", name)
		}
		seen[name] = true

		switch name {
		case "IHDR":
			if err := f.header(body, caps); err != nil {
				return nil, err
			}
		case "PLTE":
			if stage != beforePalette || seen["tRNS"] {
				return nil, bad("PLTE is out of order")
			}
			stage = beforeData
			if f.colour == gray || f.colour == grayAlpha {
				return nil, bad("a gray picture has a palette")
			}
			if len(body) == 0 || len(body)%3 != 0 || len(body)/3 > 256 || f.colour == palette && len(body)/3 > 1<<f.depth {
				return nil, bad("palette of %d bytes", len(body))
			}
			f.palette = body
		case "tRNS":
			if stage > beforeData {
				return nil, bad("tRNS is out of order")
			}
			if err := f.transparency(body); err != nil {
				return nil, err
			}
		case "IDAT":
			if stage == afterData {
				return nil, bad("the IDAT chunks are not together")
			}
			if f.colour == palette && f.palette == nil {
				return nil, bad("the palette is missing")
			}
			if headOnly {
				return f, nil
			}
			stage = inData
			f.data = append(f.data, body)
		case "IEND":
			if len(body) != 0 {
				return nil, bad("IEND holds %d bytes", len(body))
			}
			if stage < inData {
				return nil, bad("there is no IDAT chunk")
			}
			if len(rest) != 0 {
				return nil, bad("%d bytes follow the end", len(rest))
			}
			return f, nil
		case "gAMA":
			if len(body) != 4 || binary.BigEndian.Uint32(body) == 0 {
				return nil, bad("gAMA chunk is faulty")
			}
			f.info.Gamma = float64(binary.BigEndian.Uint32(body)) / 100000
		case "sRGB":
			if len(body) != 1 {
				return nil, bad("sRGB chunk is faulty")
			}
			f.info.SRGB = true
		case "iCCP":
			keyword, _, ok := bytes.Cut(body, []byte{0})
			if !ok || len(keyword) == 0 || len(keyword) > 79 {
				return nil, bad("iCCP chunk is faulty")
			}
			f.info.Profile = latin1(keyword)
		case "cICP":
			// BT.709 primaries and the sRGB transfer function, full range, are what darkroom's pictures are.
			if len(body) != 4 {
				return nil, bad("cICP chunk is faulty")
			}
			if string(body) != "\x01\x0d\x00\x01" {
				f.info.Profile = "cICP"
			} else {
				f.info.SRGB = true
			}
		case "tEXt":
			keyword, text, ok := bytes.Cut(body, []byte{0})
			if ok {
				f.info.Text = append(f.info.Text, Text{latin1(keyword), latin1(text)})
			}
		case "iTXt":
			if t, ok := international(body); ok {
				f.info.Text = append(f.info.Text, t)
			}
		default:
			if name[0] < 'a' {
				return nil, bad("unknown critical chunk %q", name)
			}
		}
	}
}

// single lists the chunks that may come once, of those that are read.
var single = map[string]bool{"IHDR": true, "PLTE": true, "tRNS": true, "gAMA": true, "sRGB": true, "iCCP": true, "cICP": true}

func (f *file) header(b []byte, caps Caps) error {
	if len(b) != 13 {
		return bad("IHDR holds %d bytes instead of 13", len(b))
	}
	w, h := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
	f.depth, f.colour = b[8], b[9]
	if w == 0 || h == 0 || w > math.MaxInt32 || h > math.MaxInt32 {
		return bad("the picture is %d×%d", w, h)
	}
	if bytes.IndexByte(depths[f.colour], f.depth) < 0 {
		return bad("colour type %d with %d bits does not exist", f.colour, f.depth)
	}
	if b[10] != 0 || b[11] != 0 || b[12] > 1 {
		return bad("unknown compression, filter or interlace method %d, %d, %d", b[10], b[11], b[12])
	}
	if int64(w) > int64(caps.side()) || int64(h) > int64(caps.side()) || int64(w)*int64(h) > int64(caps.pixels()) {
		return tooLarge("%d×%d, the caps are %d a side and %d pixels", w, h, caps.side(), caps.pixels())
	}
	f.info.Width, f.info.Height, f.info.Depth = int(w), int(h), int(f.depth)
	f.info.Colour, f.info.Interlaced = colourNames[f.colour], b[12] == 1
	f.info.Alpha = f.colour == grayAlpha || f.colour == rgba
	return nil
}

func (f *file) transparency(b []byte) error {
	ok := false
	switch f.colour {
	case gray:
		ok = len(b) == 2
	case rgb:
		ok = len(b) == 6
	case palette:
		ok = f.palette != nil && len(b) <= len(f.palette)/3
	}
	if !ok {
		return bad("tRNS of %d bytes does not fit a %s picture", len(b), f.info.Colour)
	}
	f.transparent = b
	f.info.Alpha = true
	return nil
}

func latin1(b []byte) string {
	r := make([]rune, len(b))
	for i, c := range b {
		r[i] = rune(c)
	}
	return string(r)
}

// international reads an iTXt chunk that is not compressed: keyword, 0, compression flag and method, language, 0, translated keyword, 0, UTF-8.
func international(b []byte) (Text, bool) {
	keyword, b, ok := bytes.Cut(b, []byte{0})
	if !ok || len(b) < 2 || b[0] != 0 {
		return Text{}, false
	}
	_, b, ok = bytes.Cut(b[2:], []byte{0})
	if !ok {
		return Text{}, false
	}
	_, text, ok := bytes.Cut(b, []byte{0})
	if !ok || !utf8.Valid(text) {
		return Text{}, false
	}
	return Text{latin1(keyword), string(text)}, true
}
