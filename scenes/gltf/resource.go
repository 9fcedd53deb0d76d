package gltf

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"
)

// resource returns the bytes that a uri names: those of a data URI, or of a
// file in or below the folder of the glTF file. At most limit bytes are read
// of a file; a negative limit means as many as the loader's memory allows.
func (l *loader) resource(object, uri string, limit int64) ([]byte, error) {
	if isData(uri) {
		data, err := dataURI(uri)
		if err != nil {
			return nil, because(ErrResource, object, "its data URI %s", err)
		}
		return data, nil
	}
	name, err := localName(uri)
	if err != nil {
		return nil, because(errAbsent, object, "uri %s %s", quote(uri), err)
	}
	if l.o.FS == nil {
		return nil, because(errAbsent, object, "it is the file %s beside the glTF, and no folder was given to look in; load by path or set Options.FS", quote(name))
	}
	// Looked at first: opening a pipe waits for somebody who writes it.
	if st, err := fs.Stat(l.o.FS, name); err == nil && !st.Mode().IsRegular() {
		return nil, because(ErrResource, object, "%s is not a file", quote(name))
	}
	f, err := l.o.FS.Open(name)
	if err != nil {
		return nil, because(errAbsent, object, "file %s: %s", quote(name), reason(err))
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, because(errAbsent, object, "file %s: %s", quote(name), reason(err))
	}
	if !st.Mode().IsRegular() {
		return nil, because(ErrResource, object, "%s is not a file", quote(name))
	}
	size := st.Size()
	if limit >= 0 && size > limit {
		size = limit
	}
	if err := l.spend(object, size); err != nil {
		return nil, err
	}
	// A file that grows meanwhile is cut off; one that shrinks is found too short by who uses it.
	data, err := io.ReadAll(io.LimitReader(f, size))
	if err != nil {
		return nil, because(errAbsent, object, "file %s: %s", quote(name), reason(err))
	}
	return data, nil
}

// reason is an error of the file system without the path, which the caller names.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return err.Error()
}

// quote shortens what a file says before it goes into an error.
func quote(s string) string {
	if len(s) > 100 {
		s = s[:100] + "…"
	}
	return fmt.Sprintf("%q", s)
}

func isData(uri string) bool {
	return len(uri) >= 5 && strings.EqualFold(uri[:5], "data:")
}

// dataURI decodes a data URI (RFC 2397).
func dataURI(uri string) ([]byte, error) {
	head, body, ok := strings.Cut(uri[5:], ",")
	if !ok {
		return nil, errors.New("has no comma, so no data")
	}
	params := strings.Split(head, ";")
	if !strings.EqualFold(strings.TrimSpace(params[len(params)-1]), "base64") {
		text, err := url.PathUnescape(body)
		if err != nil {
			return nil, errors.New("is not well percent-encoded")
		}
		return []byte(text), nil
	}
	if strings.Contains(body, "%") {
		text, err := url.PathUnescape(body)
		if err != nil {
			return nil, errors.New("is not well percent-encoded")
		}
		body = text
	}
	body = strings.TrimRight(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == ' ' || r == '\t' {
			return -1
		}
		return r
	}, body), "=")
	data, err := base64.RawStdEncoding.DecodeString(body)
	if err != nil {
		var at base64.CorruptInputError
		if errors.As(err, &at) {
			return nil, fmt.Errorf("is not base64 at character %d", int64(at))
		}
		return nil, err
	}
	return data, nil
}

// localName is the slash-separated path of a file that a relative uri names.
// It never leaves the folder: no scheme, no host, no root, no "..", however
// encoded.
func localName(uri string) (string, error) {
	if uri == "" {
		return "", errors.New("is empty")
	}
	name := uri
	if i := strings.IndexByte(name, ':'); i > 0 && isScheme(name[:i]) {
		return "", fmt.Errorf("has the scheme %s; only files beside the glTF and data URIs are read", quote(name[:i]))
	}
	// A reference's query and fragment are no part of the path, unless there is such a file's name.
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	switch {
	case strings.IndexByte(name, 0) >= 0:
		return "", errors.New("holds a NUL byte")
	case strings.Contains(name, `\`):
		return "", errors.New("holds a backslash; write paths with /")
	case strings.HasPrefix(name, "/"):
		return "", errors.New("is an absolute path; only files in or below the glTF's folder are read")
	case len(name) >= 2 && name[1] == ':':
		return "", errors.New("names a drive; only files in or below the glTF's folder are read")
	}
	for _, part := range strings.Split(name, "/") {
		if part == ".." {
			return "", errors.New(`holds ".."; only files in or below the glTF's folder are read`)
		}
	}
	name = path.Clean(name)
	if name == "." || !fs.ValidPath(name) {
		return "", errors.New("is not the path of a file")
	}
	return name, nil
}

// isScheme reports whether s is the scheme of a URI (RFC 3986, section 3.1).
// One letter is taken for a drive.
func isScheme(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !(r >= '0' && r <= '9' || r == '+' || r == '-' || r == '.')) {
			return false
		}
	}
	return len(s) > 0
}
