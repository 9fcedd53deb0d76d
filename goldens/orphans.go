package goldens

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Orphan is a file of the store that no scene of the catalogue uses.
type Orphan struct {
	Path   string
	Reason string
}

// Orphans lists what lies in the store for no scene of the catalogue, manifests without a picture, and temporary files that a killed process
// left. Folders with Go files are packages and are passed over.
func (s *Store) Orphans(scenes []string) ([]Orphan, error) {
	known := map[string]bool{}
	for _, n := range scenes {
		known[n] = true
	}
	top, err := os.ReadDir(s.Root)
	if err != nil {
		return nil, err
	}
	var out []Orphan
	add := func(path, reason string) { out = append(out, Orphan{path, reason}) }
	for _, e := range top {
		path := filepath.Join(s.Root, e.Name())
		if !e.IsDir() {
			switch scene, isPNG := strings.CutSuffix(e.Name(), ".png"); {
			case temporary(e.Name()):
				add(path, "left by a process that was killed")
			case isPNG && !known[scene]:
				add(path, "no scene of the catalogue has this name")
			}
			continue
		}
		files, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		names := map[string]bool{}
		isPackage := false
		for _, f := range files {
			names[f.Name()] = true
			isPackage = isPackage || strings.HasSuffix(f.Name(), ".go")
		}
		if isPackage || e.Name() == "testdata" {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			file := filepath.Join(path, name)
			switch stem := strings.TrimSuffix(name, filepath.Ext(name)); {
			case temporary(name):
				add(file, "left by a process that was killed")
			case !known[e.Name()]:
				add(file, "no scene of the catalogue has this name")
			case filepath.Ext(name) == ".json" && !names[stem+".png"]:
				add(file, "a manifest without its picture")
			case filepath.Ext(name) != ".json" && filepath.Ext(name) != ".png":
				add(file, "neither a picture nor a manifest")
			}
		}
	}
	return out, nil
}

// temporary reports whether a name is one that files.Stage makes.
func temporary(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".tmp")
}
