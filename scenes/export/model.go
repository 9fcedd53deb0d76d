package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"

	"darkroom/scenes"
	load "darkroom/scenes/gltf"
)

// A model that is in the scene as its file has it is handed over as the file,
// so that the other engine's own loader reads it. One that the scene changed
// after loading is written out like everything else.

// models takes the models that are as their files have them out of s.
func (e *encoder) models(s *scenes.Scene) ([]any, error) {
	var out []any
	list := s.Models
	s.Models = nil
	e.inModel = map[*scenes.Node][2]int{}
	for _, m := range list {
		if !slices.Contains(s.Roots, m.Root) {
			continue
		}
		asset, err := again(m)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", m.Name, err)
		}
		if !e.untouched(m, asset) {
			continue
		}
		n := len(out)
		folder := fmt.Sprintf("model%d", n)
		main, err := e.modelFiles(m, folder)
		if errors.Is(err, ErrRefused) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", m.Name, err)
		}
		o := object{"name": m.Name, "file": main, "scene": m.Scene}
		if m.Variant != "" {
			o["variant"] = m.Variant
		}
		playing := []any{}
		for i, a := range m.Animations {
			if !a.Stopped {
				playing = append(playing, i)
			}
		}
		o["playing"] = playing
		out = append(out, o)
		for i, node := range walk(m.Root) {
			e.inModel[node] = [2]int{n, i}
		}
		s.Animations = slices.DeleteFunc(slices.Clone(s.Animations), func(a *scenes.Animation) bool { return slices.Contains(m.Animations, a) })
		s.Skeletons = slices.DeleteFunc(slices.Clone(s.Skeletons), func(k *scenes.Skeleton) bool { return slices.Contains(m.Skeletons, k) })
	}
	return out, nil
}

// again loads a model's file anew.
func again(m *scenes.Model) (*load.Asset, error) {
	o := load.Options{Name: m.Name, Variant: m.Variant}
	if m.Path == "" {
		return load.LoadBytes(m.Data, o)
	}
	return load.Load(m.Path, o)
}

// walk lists a node and those below it, parents first.
func walk(n *scenes.Node) []*scenes.Node {
	out := []*scenes.Node{}
	open := []*scenes.Node{n}
	for len(open) > 0 {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		out = append(out, n)
		for i := len(n.Children) - 1; i >= 0; i-- {
			open = append(open, n.Children[i])
		}
	}
	return out
}

// untouched reports whether the scene has the model as its file has it, which
// of its animations play aside.
func (e *encoder) untouched(m *scenes.Model, a *load.Asset) bool {
	if m.Scene >= len(a.Scenes) || len(a.Animations) != len(m.Animations) {
		return false
	}
	look := func(root *scenes.Node, animations []*scenes.Animation, skeletons []*scenes.Skeleton) any {
		in := newEncoder(e.reg)
		in.looks = true
		clips := make([]scenes.Animation, len(animations))
		for i, x := range animations {
			clips[i] = *x
			clips[i].Stopped = false
		}
		v, err := in.value(reflect.ValueOf(struct {
			Root       *scenes.Node
			Animations []scenes.Animation
			Skeletons  []*scenes.Skeleton
		}{root, clips, skeletons}), "")
		if err != nil {
			return err
		}
		return []any{v, in.lists, in.data}
	}
	is, was := look(m.Root, m.Animations, m.Skeletons), look(a.Scenes[m.Scene].Root, a.Animations, a.Skeletons)
	_, failed := is.(error)
	return !failed && reflect.DeepEqual(is, was)
}

// modelFiles puts a model's file and those that it names beside the document.
func (e *encoder) modelFiles(m *scenes.Model, folder string) (string, error) {
	data := m.Data
	dir := ""
	if m.Path != "" {
		var err error
		if data, err = os.ReadFile(m.Path); err != nil {
			return "", err
		}
		dir = filepath.Dir(m.Path)
	}
	main := folder + "/" + path.Base(filepath.ToSlash(m.Name))
	found := []file{{main, data}}
	for _, uri := range uris(data) {
		name, err := url.PathUnescape(uri)
		if err != nil || dir == "" || !fs.ValidPath(name) {
			return "", refuse("model "+m.Name, "its resource %q cannot be put beside it", uri)
		}
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		found = append(found, file{folder + "/" + name, b})
	}
	for _, f := range found {
		if !slices.ContainsFunc(e.files, func(x file) bool { return x.name == f.name }) {
			e.files = append(e.files, f)
		}
	}
	return main, nil
}

// uris are the files that a glTF file names.
func uris(data []byte) []string {
	var doc gltf.Document
	if err := gltf.NewDecoder(strings.NewReader(string(data))).Decode(&doc); err != nil {
		if json.Unmarshal(data, &doc) != nil {
			return nil
		}
	}
	var out []string
	add := func(uri string) {
		if uri != "" && !strings.HasPrefix(uri, "data:") {
			out = append(out, uri)
		}
	}
	for _, b := range doc.Buffers {
		add(b.URI)
	}
	for _, i := range doc.Images {
		add(i.URI)
	}
	return out
}

// model is one that was read with a document.
type model struct {
	asset *load.Asset
	scene int
	nodes []*scenes.Node
}

func (d *decoder) loadModels(j any) error {
	if j == nil {
		return nil
	}
	list, ok := j.([]any)
	if !ok {
		return bad("scene.models", "it is no list")
	}
	for i, x := range list {
		at := fmt.Sprintf("scene.models[%d]", i)
		var m struct {
			Name, File, Variant string
			Scene               int
			Playing             []int
		}
		if err := d.value(reflect.ValueOf(&m).Elem(), x, at); err != nil {
			return err
		}
		data, ok := d.files[m.File]
		if !ok {
			return bad(at+".file", "%q is not in the list of files", m.File)
		}
		sub, err := fs.Sub(d.fsys, path.Dir(m.File))
		if err != nil {
			return bad(at+".file", "%v", err)
		}
		a, err := load.LoadBytes(data, load.Options{Name: m.Name, Variant: m.Variant, FS: sub})
		if err != nil {
			return bad(at, "%v", err)
		}
		if m.Scene < 0 || m.Scene >= len(a.Scenes) {
			return bad(at+".scene", "it is %d, the file has %d scenes", m.Scene, len(a.Scenes))
		}
		for k, c := range a.Animations {
			c.Stopped = !slices.Contains(m.Playing, k)
		}
		d.models = append(d.models, &model{a, m.Scene, walk(a.Scenes[m.Scene].Root)})
	}
	return nil
}

// modelNode is the node of a model that an entry stands for.
func (d *decoder) modelNode(o object, at string) (*scenes.Node, error) {
	var n struct {
		Name        string
		Model, Node int
	}
	if err := d.value(reflect.ValueOf(&n).Elem(), o, at); err != nil {
		return nil, err
	}
	if n.Model < 0 || n.Model >= len(d.models) || n.Node < 0 || n.Node >= len(d.models[n.Model].nodes) {
		return nil, bad(at, "there is no node %d of model %d", n.Node, n.Model)
	}
	return d.models[n.Model].nodes[n.Node], nil
}

// addModels puts the models' skeletons and animations into s.
func (d *decoder) addModels(s *scenes.Scene) {
	var animations []*scenes.Animation
	var skeletons []*scenes.Skeleton
	for _, m := range d.models {
		animations = append(animations, m.asset.Animations...)
		skeletons = append(skeletons, m.asset.Skeletons...)
	}
	s.Animations = append(animations, s.Animations...)
	s.Skeletons = append(skeletons, s.Skeletons...)
}
