package gltf

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// The numbers of the GLB container, section 4.4.
const (
	glbMagic     = 0x46546C67 // "glTF"
	glbVersion   = 2
	glbHeader    = 12
	chunkHeader  = 8
	chunkJSON    = 0x4E4F534A // "JSON"
	chunkBIN     = 0x004E4942 // "BIN\0"
	maxGLBChunks = 4096       // more than any writer makes
)

// container is a file taken apart: its JSON and, of a GLB, its binary chunk.
type container struct {
	json   []byte
	bin    []byte
	hasBin bool
	glb    bool
}

// open splits a file into JSON and binary chunk.
func open(data []byte) (container, error) {
	if len(data) >= 4 && binary.LittleEndian.Uint32(data) == glbMagic {
		return openGLB(data)
	}
	text, err := utf8JSON(data)
	if err != nil {
		return container{}, err
	}
	return container{json: text}, nil
}

func openGLB(data []byte) (container, error) {
	c := container{glb: true}
	if len(data) < glbHeader {
		return c, because(ErrFormat, "GLB header", "the file has %d bytes, the header alone has %d", len(data), glbHeader)
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != glbVersion {
		return c, because(ErrVersion, "GLB header", "the container's version is %d, want %d", v, glbVersion)
	}
	length := int64(binary.LittleEndian.Uint32(data[8:]))
	if length < glbHeader || length > int64(len(data)) {
		return c, because(ErrFormat, "GLB header", "it says that the file has %d bytes, there are %d", length, len(data))
	}
	rest := data[glbHeader:length]
	for i := 0; len(rest) > 0; i++ {
		chunk := nth("GLB chunk", i)
		if i == maxGLBChunks {
			return c, because(ErrFormat, chunk, "there are more than %d chunks", maxGLBChunks)
		}
		if len(rest) < chunkHeader {
			return c, because(ErrFormat, chunk, "%d bytes are left, a chunk's header has %d", len(rest), chunkHeader)
		}
		size, kind := int64(binary.LittleEndian.Uint32(rest)), binary.LittleEndian.Uint32(rest[4:])
		rest = rest[chunkHeader:]
		if size > int64(len(rest)) {
			return c, because(ErrFormat, chunk, "it says that it has %d bytes, %d are left", size, len(rest))
		}
		body := rest[:size:size]
		rest = rest[size:]
		switch {
		case i == 0 && kind != chunkJSON:
			return c, because(ErrFormat, chunk, "the first chunk is of type %#x, want JSON", kind)
		case i == 0:
			text, err := utf8JSON(body)
			if err != nil {
				return c, err
			}
			c.json = text
		case kind == chunkBIN && i == 1:
			c.bin, c.hasBin = body, true
		case kind == chunkBIN || kind == chunkJSON:
			return c, because(ErrFormat, chunk, "a second JSON chunk, or a BIN chunk that is not the second chunk")
		}
		// Chunks of other types are to be ignored, section 4.4.3.
	}
	if c.json == nil {
		return c, because(ErrFormat, "GLB", "there is no JSON chunk")
	}
	return c, nil
}

// utf8JSON checks the encoding and drops a byte order mark.
func utf8JSON(data []byte) ([]byte, error) {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	head := data[:min(len(data), 64)]
	switch {
	case len(bytes.TrimSpace(head)) == 0 && len(bytes.TrimSpace(data)) == 0:
		return nil, because(ErrFormat, "JSON", "it is empty")
	case bytes.HasPrefix(data, []byte("\xFE\xFF")), bytes.HasPrefix(data, []byte("\xFF\xFE")), bytes.IndexByte(head, 0) >= 0:
		return nil, because(ErrFormat, "JSON", "it is not UTF-8 text; glTF allows no other encoding")
	case !utf8.Valid(data):
		return nil, because(ErrFormat, "JSON", "it has bytes that are not UTF-8")
	}
	return data, nil
}
