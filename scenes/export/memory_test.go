package export_test

import (
	"io/fs"
	"testing/fstest"
)

// memory is a folder in memory.
type memory map[string][]byte

// Open implements fs.FS.
func (m memory) Open(name string) (fs.File, error) {
	fsys := fstest.MapFS{}
	for k, v := range m {
		fsys[k] = &fstest.MapFile{Data: v}
	}
	return fsys.Open(name)
}
