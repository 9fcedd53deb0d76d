package minimise

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/scenes"
)

// filtered is a material some of whose fragments are left out. It answers
// everything else as the material does, for what a shader lacks is ignored.
type filtered struct {
	material.Material
	label   string          // unique in its scene
	without map[string]bool // fragments
	seen    *[]Key          // nil, or where the fragments are noted
}

// Shader implements material.Material.
func (m *filtered) Shader(c *material.Context) (*composer.Template, []*composer.Fragment, error) {
	t, list, err := m.Material.Shader(c)
	if err != nil {
		return nil, nil, err
	}
	if m.seen != nil {
		for _, f := range list {
			if k := (Key{Kind: Fragment, Name: m.label + ": " + f.ID}); !slices.Contains(*m.seen, k) {
				*m.seen = append(*m.seen, k)
			}
		}
	}
	return t, leaveOut(list, m.without), nil
}

// leaveOut returns the fragments without the code of those named, and of what
// depends on them. Their declarations stay: other fragments may read the values.
func leaveOut(list []*composer.Fragment, without map[string]bool) []*composer.Fragment {
	if len(without) == 0 {
		return list
	}
	gone := maps.Clone(without)
	for n := -1; n != len(gone); {
		n = len(gone)
		for _, f := range list {
			if slices.ContainsFunc(f.Dependencies, func(id string) bool { return gone[id] }) {
				gone[f.ID] = true
			}
		}
	}
	out := slices.Clone(list)
	for i, f := range out {
		if gone[f.ID] {
			hollow := *f
			hollow.Slots = nil
			out[i] = &hollow
		}
	}
	return out
}

// ShaderVersion implements material.Versioned.
func (m *filtered) ShaderVersion() uint64 {
	if v, ok := m.Material.(material.Versioned); ok {
		return v.ShaderVersion()
	}
	return 0
}

// ReadsScene implements material.SceneReader.
func (m *filtered) ReadsScene() bool {
	r, ok := m.Material.(material.SceneReader)
	return ok && r.ReadsScene()
}

// filter leaves the fragments among keys out of the scene's materials; those
// that are drawn are noted in seen, where it is not nil. A material is named by
// its label, with a number where several have it.
func filter(s *scenes.Scene, keys []Key, seen *[]Key) {
	without := map[string]map[string]bool{}
	for _, k := range keys {
		if k.Kind != Fragment {
			continue
		}
		i := strings.LastIndex(k.Name, ": ")
		if i < 0 {
			continue
		}
		if without[k.Name[:i]] == nil {
			without[k.Name[:i]] = map[string]bool{}
		}
		without[k.Name[:i]][k.Name[i+2:]] = true
	}
	if len(without) == 0 && seen == nil {
		return
	}
	wrapped := map[material.Material]*filtered{}
	labels := map[string]int{}
	for _, n := range s.Nodes() {
		if n.Mesh == nil || n.Mesh.Material == nil {
			continue
		}
		m := n.Mesh.Material
		if _, ok := m.(*filtered); ok {
			continue // two nodes with one mesh
		}
		if wrapped[m] == nil {
			label := m.Label()
			if labels[label]++; labels[label] > 1 {
				label = fmt.Sprintf("%s #%d", label, labels[label])
			}
			wrapped[m] = &filtered{Material: m, label: label, without: without[label], seen: seen}
		}
		n.Mesh.Material = wrapped[m]
	}
}
