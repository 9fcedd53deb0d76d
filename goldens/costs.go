package goldens

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Costs are the milliseconds that scenes took when their goldens were blessed, by scene: the longest of all adapters, so that every machine with the
// same store has the same numbers. A store that is not there, or has none, gives an empty map.
func (s *Store) Costs() (map[string]float64, error) {
	out := map[string]float64{}
	err := s.manifests(func(m *Manifest) {
		if m.CostMS > out[m.Scene] {
			out[m.Scene] = m.CostMS
		}
	})
	return out, err
}

// manifests hands every manifest of the store to f, in order of the paths.
func (s *Store) manifests(f func(*Manifest)) error {
	scenes, err := os.ReadDir(s.Root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("goldens: %w", err)
	}
	for _, d := range scenes {
		if !d.IsDir() {
			continue
		}
		dir := filepath.Join(s.Root, d.Name())
		found, err := os.ReadDir(dir)
		if err != nil {
			return fmt.Errorf("goldens: %w", err)
		}
		for _, e := range found {
			stem, isJSON := strings.CutSuffix(e.Name(), ".json")
			if _, err := os.Stat(filepath.Join(dir, stem+".png")); !isJSON || err != nil {
				continue // not a golden
			}
			b, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return fmt.Errorf("goldens: %w", err)
			}
			m, err := parseManifest(b)
			if err != nil {
				return fmt.Errorf("%w: %s: %w", ErrUnreadable, filepath.Join(dir, e.Name()), err)
			}
			f(m)
		}
	}
	return nil
}
