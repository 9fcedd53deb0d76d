// Package models holds glTF files against Babylon.js's own loader: the same
// file, camera, light and rasteriser on both sides, a distance for each file.
package models

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"darkroom/material"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/env"
	"darkroom/scenes/viewer"
)

// Near and Far are the MADs that the shares of a table are counted by; a file
// within Near counts as drawn alike.
const (
	Near = 0.5
	Far  = 2
)

// AlphaStep is the largest difference of alpha of a file that counts; MAD is of
// red, green and blue alone.
const AlphaStep = 2

// Stage is how every file is shown: as `render gltf` does by default.
type Stage struct {
	// Environment is the path of the image-based light; empty: none.
	Environment   string
	Width, Height int
}

// Find lists the glTF files in folders, and files, each under a name of its
// own: the path within the folder with -- for /, cut to what a golden's name
// may be.
func Find(paths []string) (catalogue.Catalogue, error) {
	var out catalogue.Catalogue
	taken := map[string]string{}
	add := func(name, path string) error {
		name = safe(strings.ReplaceAll(filepath.ToSlash(name), "/", "--"))
		if other := taken[name]; other != "" {
			return fmt.Errorf("%s and %s would both be called %s; give their folder instead", other, path, name)
		}
		taken[name] = path
		out = append(out, &catalogue.Entry{Name: name, Source: path})
		return nil
	}
	for _, root := range paths {
		st, err := os.Stat(root)
		if err != nil {
			return nil, err
		}
		if !st.IsDir() {
			if err := add(filepath.Base(root), root); err != nil {
				return nil, err
			}
			continue
		}
		err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if ext := strings.ToLower(filepath.Ext(p)); ext != ".gltf" && ext != ".glb" {
				return nil
			}
			name, err := filepath.Rel(root, p)
			if err != nil {
				return err
			}
			return add(name, p)
		})
		if err != nil {
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no .gltf or .glb file in %s", strings.Join(paths, ", "))
	}
	slices.SortFunc(out, func(a, b *catalogue.Entry) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// safe makes a name that a golden may have: letters, digits and . _ + -, and 80
// bytes at most. What is cut off at the front is made up for by a digest.
func safe(name string) string {
	out := strings.Map(func(r rune) rune {
		if r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._+-", r)) {
			return r
		}
		return '_'
	}, name)
	if len(out) <= 80 && out == name {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	digest := hex.EncodeToString(sum[:4])
	return digest + "-" + out[max(0, len(out)-(80-len(digest)-1)):]
}

// Catalogue is Find with what draws each file on the stage.
func Catalogue(paths []string, st Stage) (catalogue.Catalogue, error) {
	list, err := Find(paths)
	if err != nil {
		return nil, err
	}
	light := sync.OnceValues(func() (*material.Environment, error) {
		if st.Environment == "" {
			return nil, nil
		}
		return env.Load(st.Environment)
	})
	for _, e := range list {
		path := e.Source
		e.Width, e.Height, e.MaxMAD, e.MayBeBlank = st.Width, st.Height, Near, true
		e.Build = func(catalogue.Assets) (*scenes.Scene, error) {
			l, err := light()
			if err != nil {
				return nil, err
			}
			s, _, err := (&viewer.Stage{Environment: l, Camera: -1}).Show(path)
			return s, err
		}
	}
	return list, nil
}
