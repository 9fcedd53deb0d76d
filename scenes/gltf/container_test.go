package gltf

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// glb packs chunks, each a type and a body.
func glb(chunks ...any) []byte {
	var body []byte
	for i := 0; i < len(chunks); i += 2 {
		b := chunks[i+1].([]byte)
		body = binary.LittleEndian.AppendUint32(body, uint32(len(b)))
		body = binary.LittleEndian.AppendUint32(body, uint32(chunks[i].(int)))
		body = append(body, b...)
	}
	head := []byte("glTF\x02\x00\x00\x00")
	head = binary.LittleEndian.AppendUint32(head, uint32(12+len(body)))
	return append(head, body...)
}

func TestGLB(t *testing.T) {
	empty := []byte(`{"asset":{"version":"2.0"}}`)
	lie := func(at int, v uint32) []byte {
		b := glb(chunkJSON, empty)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	for _, c := range []struct {
		name string
		data []byte
		want string // part of the error; empty: it opens
		kind error
	}{
		{"json alone", glb(chunkJSON, empty), "", nil},
		{"with binary", glb(chunkJSON, empty, chunkBIN, []byte{1, 2, 3, 4}), "", nil},
		{"unknown chunks are skipped", glb(chunkJSON, empty, 0x12345678, []byte{1}, 0x87654321, []byte{2}), "", nil},
		{"bytes after the file's length", append(glb(chunkJSON, empty), "more"...), "", nil},
		{"binary first", glb(chunkBIN, []byte{1}, chunkJSON, empty), "GLB chunk 0: the first chunk is of type", ErrFormat},
		{"binary third", glb(chunkJSON, empty, 1, []byte{1}, chunkBIN, []byte{1}), "GLB chunk 2: a second JSON chunk, or a BIN chunk", ErrFormat},
		{"two json chunks", glb(chunkJSON, empty, chunkJSON, empty), "GLB chunk 1", ErrFormat},
		{"no chunk", glb(), "there is no JSON chunk", ErrFormat},
		{"short header", []byte("glTF\x02\x00\x00"), "GLB header: the file has 7 bytes", ErrFormat},
		{"old version", lie(4, 1), "the container's version is 1", ErrVersion},
		{"length beyond the file", lie(8, 4294967295), "GLB header: it says that the file has 4294967295 bytes", ErrFormat},
		{"length below the header", lie(8, 4), "GLB header: it says that the file has 4 bytes", ErrFormat},
		{"chunk beyond the file", lie(12, 4294967292), "GLB chunk 0: it says that it has 4294967292 bytes", ErrFormat},
		{"cut in a chunk header", append(lie(8, uint32(len(glb(chunkJSON, empty))+3)), 1, 2, 3), "a chunk's header has 8", ErrFormat},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := LoadBytes(c.data, Options{})
			switch {
			case c.want == "" && err != nil:
				t.Errorf("got %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want an error with %q", err, c.want)
			case !errors.Is(err, c.kind):
				t.Errorf("%v is no %v", err, c.kind)
			}
		})
	}
}

func TestJSON(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		kind             error
	}{
		{"byte order mark", "\xEF\xBB\xBF{\"asset\":{\"version\":\"2.0\"}}", "", nil},
		{"numbers with a fraction of 0 are integers", `{"asset":{"version":"2.0"},"scene":0.0,"scenes":[{"nodes":[0.0]}],"nodes":[{"children":[1e0]},{}]}`, "", nil},
		{"UTF-16", "\xFF\xFE{\x00", "it is not UTF-8", ErrFormat},
		{"not UTF-8", "{\"a\":\"\xC3\"}", "bytes that are not UTF-8", ErrFormat},
		{"empty", " \n", "it is empty", ErrFormat},
		{"null", "null", "it is null", ErrFormat},
		{"list", "[]", "it is a list, want an object", ErrFormat},
		{"cut off", `{"asset":`, "JSON: line 1", ErrFormat},
		{"more text", `{"asset":{"version":"2.0"}} x`, "after top-level value", ErrFormat},
		{"deep", strings.Repeat(`{"a":`, 100000), "depth", ErrFormat},
		{"no asset", `{}`, "asset: it is missing", ErrFormat},
		{"glTF 1", `{"asset":{"version":"1.0"},"nodes":{}}`, "version is 1.0, want 2.0", ErrVersion},
		{"glTF 3", `{"asset":{"version":"3.0"}}`, "version is 3.0", ErrVersion},
		{"needs 2.1", `{"asset":{"version":"2.1","minVersion":"2.1"}}`, "minVersion is 2.1", ErrVersion},
		{"made for 2.1", `{"asset":{"version":"2.1"}}`, "", nil},
		{"no version", `{"asset":{}}`, "version is missing", ErrVersion},
		{"odd version", `{"asset":{"version":"two"}}`, "is not of the form 2.0", nil},
		{"nodes of the wrong kind", `{"asset":{"version":"2.0"},"nodes":{}}`, "nodes: it is an object, want a list", nil},
		{"null node", `{"asset":{"version":"2.0"},"nodes":[{},null]}`, "node 1: it is null, want an object", nil},
		{"null primitive", `{"asset":{"version":"2.0"},"meshes":[{"primitives":[null]}]}`, "mesh 0 primitive 0: it is null", nil},
		{"null channel", `{"asset":{"version":"2.0"},"animations":[{"channels":[null],"samplers":[null]}]}`, "animation 0 sampler 0: it is null", nil},
		{"fraction as index", `{"asset":{"version":"2.0"},"nodes":[{"mesh":0.5}]}`, "node 0: mesh is the number 0.5, want an integer", nil},
		{"short vector", `{"asset":{"version":"2.0"},"nodes":[{"translation":[1,2]}]}`, "node 0: translation has 2 numbers, want 3", nil},
		{"infinite number", `{"asset":{"version":"2.0"},"nodes":[{"translation":[1e400,0,0]}]}`, "node 0: translation is the number 1e400", nil},
		{"required extension", `{"asset":{"version":"2.0"},"extensionsRequired":["ACME_x"]}`, `"ACME_x"`, ErrExtension},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := LoadBytes([]byte(c.text), Options{Name: "x.gltf"})
			switch {
			case c.want == "" && err != nil:
				t.Errorf("got %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want an error with %q", err, c.want)
			case c.kind != nil && !errors.Is(err, c.kind):
				t.Errorf("%v is no %v", err, c.kind)
			}
		})
	}
}

func TestExtensionsThatAreNotHereAreWarnings(t *testing.T) {
	a, err := LoadBytes([]byte(`{"asset":{"version":"2.0"},"extensionsUsed":["ACME_x","KHR_lights_punctual"]}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "ACME_x") {
		t.Errorf("warnings %q, want one about ACME_x", a.Warnings)
	}
}

func TestLocalName(t *testing.T) {
	for _, c := range []struct{ uri, name, want string }{
		{"a.bin", "a.bin", ""},
		{"sub/a%20b.bin", "sub/a b.bin", ""},
		{"./a.bin", "a.bin", ""},
		{"a%2Fb.bin", "a/b.bin", ""},
		{"Unicode ❤.bin", "Unicode ❤.bin", ""},
		{"100%.png", "100%.png", ""},
		{"../a.bin", "", `".."`},
		{"x/../../a.bin", "", `".."`},
		{"%2e%2e/a.bin", "", `".."`},
		{"%2E%2E%2Fa.bin", "", `".."`},
		{`..\a.bin`, "", "backslash"},
		{"..%5Ca.bin", "", "backslash"},
		{"/etc/passwd", "", "absolute"},
		{"%2fetc/passwd", "", "absolute"},
		{"//host/a.bin", "", "absolute"},
		{"file:///etc/passwd", "", "scheme"},
		{"http://127.0.0.1/x", "", "scheme"},
		{"C:/x.bin", "", "scheme"},
		{"%43:/x.bin", "", "drive"},
		{"a%00b", "", "NUL"},
		{"", "", "empty"},
		{".", "", "not the path of a file"},
	} {
		got, err := localName(c.uri)
		switch {
		case c.want == "" && (err != nil || got != c.name):
			t.Errorf("%q: got %q, %v, want %q", c.uri, got, err, c.name)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q: got %q, %v, want an error with %q", c.uri, got, err, c.want)
		}
	}
}

func TestDataURI(t *testing.T) {
	for _, c := range []struct{ uri, want string }{
		{"data:application/octet-stream;base64,AQID", "\x01\x02\x03"},
		{"data:;base64,AQI=", "\x01\x02"},
		{"data:;base64,AQI", "\x01\x02"},
		{"DATA:application/gltf-buffer;BASE64,AQ%3D%3D", "\x01"},
		{"data:text/plain,a%20b", "a b"},
		{"data:;base64,", ""},
	} {
		if got, err := dataURI(c.uri); err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.uri, got, err, c.want)
		}
	}
	for _, uri := range []string{"data:;base64,@@", "data:", "data:text/plain,%zz"} {
		if got, err := dataURI(uri); err == nil {
			t.Errorf("%s: got %q, want an error", uri, got)
		}
	}
}

func TestFilesBesideTheGLTF(t *testing.T) {
	doc := `{"asset":{"version":"2.0"},"buffers":[{"uri":"sub/a%20b.bin","byteLength":4}],"bufferViews":[{"buffer":0,"byteLength":4}],
		"accessors":[{"type":"SCALAR","componentType":5121,"count":4,"bufferView":0}]}`
	files := fstest.MapFS{"sub/a b.bin": {Data: []byte{1, 2, 3, 4, 5}}}
	a, err := LoadBytes([]byte(doc), Options{FS: files})
	if err != nil || len(a.Warnings) > 0 {
		t.Errorf("got %v, warnings %v", err, a)
	}
	_, err = LoadBytes([]byte(doc), Options{FS: fstest.MapFS{"sub/a b.bin": {Data: []byte{1, 2, 3}}}})
	if !errors.Is(err, ErrResource) || !strings.Contains(err.Error(), "byteLength is 4, there are 3 bytes") {
		t.Errorf("short file: got %v", err)
	}
	a, err = LoadBytes([]byte(doc), Options{FS: fstest.MapFS{"sub": {Mode: fs.ModeDir}}})
	if err != nil || len(a.Warnings) == 0 || !strings.Contains(a.Warnings[0], `file "sub/a b.bin"`) {
		t.Errorf("missing file that nothing uses: got %v, warnings %v", err, a.Warnings)
	}
}
