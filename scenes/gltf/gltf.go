package gltf

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/qmuntal/gltf"

	"darkroom/material/instances"
	"darkroom/material/morph"
	"darkroom/scenes"
	"darkroom/scenes/files"
	"darkroom/scenes/gltf/draco"
	"darkroom/scenes/linalg"
	"darkroom/scenes/transmission"
)

// Options say how a file is loaded. The zero value suits files that need no
// others beside them.
type Options struct {
	// Name stands in errors; Load sets it to the file's name.
	Name string
	// FS holds the files that the glTF names; Load sets it to the file's folder.
	// Without it only data URIs and the GLB's own chunk are read.
	FS fs.FS
	// MaxBytes limits the memory of what is read and decoded; zero means 1 GiB.
	MaxBytes int64
	// MaxPixels limits the size of an image; zero means 32 Mpx, and up to 64 Mpx
	// for one whose file has a byte for every 64 of them.
	MaxPixels int
	// Variant is the name of the material variant to show; empty: none.
	Variant string
	// Tangents computes the tangents that a normal map needs and a mesh lacks by
	// MikkTSpace, as section 3.7.2.1 recommends. Without it they follow from the
	// derivatives of the texture coordinates, as in the reference engine.
	Tangents bool
}

const defaultMaxBytes = 1 << 30

// Asset is a loaded file.
type Asset struct {
	Name string
	// Scenes are the file's; Default is the index of the one to show, -1 where
	// there is none.
	Scenes  []*Scene
	Default int
	// Nodes are the file's, by its index. A skinned mesh is not drawn by the node
	// that names it but by one under the scene's root, since only its joints
	// place it (section 3.7.3.3).
	Nodes []*scenes.Node
	// Cameras look from the nodes that carry them, in the order of the nodes.
	Cameras    []*scenes.Camera
	Animations []*scenes.Animation
	Skeletons  []*scenes.Skeleton
	// Variants are the names of KHR_materials_variants.
	Variants []string
	// Metadata are the packets of KHR_xmp_json_ld; Packet is the asset's own, or -1.
	Metadata []json.RawMessage
	Packet   int
	// Warnings say what of the file is not drawn as it asks.
	Warnings []string
	// Bounds is the box of the default scene at rest, under its mirrored root.
	Bounds linalg.AABB
	// Document is the file's JSON.
	Document *gltf.Document

	variants []variantUse

	path    string // of the file; empty where it was given as bytes
	data    []byte // the file where there is no path
	variant string
}

// Scene is one of a file's scenes.
type Scene struct {
	Name string
	// Root is "__root__", scaled (-1, 1, 1).
	Root *scenes.Node
}

// Load reads the file at path.
func Load(path string, o Options) (*Asset, error) {
	if o.Name == "" {
		o.Name = filepath.Base(path)
	}
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("glTF %s: %w", o.Name, err)
	}
	if err := files.Regular(path, st); err != nil {
		return nil, fmt.Errorf("glTF %s: %w", o.Name, err)
	}
	if limit := o.limit(); st.Size() > limit {
		return nil, fmt.Errorf("glTF %s: the file has %d bytes, the limit is %d: %w", o.Name, st.Size(), limit, ErrTooLarge)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("glTF %s: %w", o.Name, err)
	}
	if o.FS == nil {
		// A Root keeps symbolic links inside the folder as well.
		root, err := os.OpenRoot(filepath.Dir(path))
		if err != nil {
			return nil, fmt.Errorf("glTF %s: %w", o.Name, err)
		}
		defer root.Close()
		o.FS = root.FS()
	}
	a, err := LoadBytes(data, o)
	if err != nil {
		return nil, err
	}
	a.path, a.data = path, nil
	return a, nil
}

func (o *Options) limit() int64 {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return defaultMaxBytes
}

// LoadBytes reads a file's content.
func LoadBytes(data []byte, o Options) (*Asset, error) {
	if o.Name == "" {
		o.Name = "(unnamed)"
	}
	a, err := load(data, o)
	if err != nil {
		return nil, fmt.Errorf("glTF %s: %w", o.Name, err)
	}
	a.data, a.variant = data, o.Variant
	return a, nil
}

func load(data []byte, o Options) (*Asset, error) {
	c, err := open(data)
	if err != nil {
		return nil, err
	}
	d, err := parse(c)
	if err != nil {
		return nil, err
	}
	l := &loader{o: o, doc: d, left: o.limit(), asset: &Asset{Name: o.Name, Document: d.Document, Default: -1, Packet: -1}}
	for _, n := range d.notes {
		l.warn("%s", n)
	}
	if err := l.checkExtensions(); err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	l.buffers = make([][]byte, len(d.Buffers))
	l.views = make([][]byte, len(d.BufferViews))
	l.floatCache, l.intCache = map[int][]float32{}, map[int][]uint32{}
	steps := []func() error{l.metadata, l.lights, l.variantNames, l.buildNodes, l.buildScenes, l.hideLost, l.buildMeshes, l.buildSkins, l.buildAnimations, l.verify, l.buildBounds}
	if err := firstError(steps...); err != nil {
		return nil, err
	}
	if o.Variant != "" {
		if err := l.asset.Select(o.Variant); err != nil {
			return nil, err
		}
	}
	return l.asset, nil
}

// loader is the state of one load.
type loader struct {
	o     Options
	doc   *document
	asset *Asset
	left  int64 // bytes that may still be allocated

	buffers     [][]byte
	views       [][]byte
	floatCache  map[int][]float32
	intCache    map[int][]uint32
	images      map[int]*image
	textures    map[textureKey]*textureEntry
	materials   map[int]*pbrMaterial
	meshes      map[int][]*primitive
	punctual    []punctual
	parents     []int
	rootOf      map[int][]*Scene // the scenes that a node is at the top of
	reachable   []bool           // nodes in some scene
	weights     map[int][]*morph.Morph
	skins       []skinUse
	places      map[int]*scenes.Node // what draws the skinned mesh of a node
	skeletonOf  map[int]*scenes.Skeleton
	thin        map[int]*instances.Thin
	warned      map[string]bool
	dracoMeshes map[int]*draco.Mesh
	coords      []coordinates         // of the material that is being read
	uses        map[int][]coordinates // by material
	emissions   map[int]*emission
	parts       []part          // of a material
	moved       map[string]bool // parts that animations point into, by their paths
	dry         bool            // textures are looked at, not decoded
}

// spend takes n bytes off what may be allocated.
func (l *loader) spend(object string, n int64) error {
	if n < 0 || n > l.left {
		return because(ErrTooLarge, object, "it needs %d bytes, %d of the limit of %d are left", n, l.left, l.o.limit())
	}
	l.left -= n
	return nil
}

// warn records, once, that something is not drawn as the file asks.
func (l *loader) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if l.warned == nil {
		l.warned = map[string]bool{}
	}
	if !l.warned[text] && len(l.warned) < 1000 {
		l.warned[text] = true
		l.asset.Warnings = append(l.asset.Warnings, text)
	}
}

// AddTo puts the default scene, its skeletons and its animations into s. As in
// the reference engine, the first animation plays and the others are stopped.
func (a *Asset) AddTo(s *scenes.Scene) { a.AddScene(s, a.Default) }

// AddScene is AddTo for the i-th scene. With no such scene it does nothing.
func (a *Asset) AddScene(s *scenes.Scene, i int) {
	if i < 0 || i >= len(a.Scenes) {
		return
	}
	s.Add(a.Scenes[i].Root)
	s.Animations = append(s.Animations, a.Animations...)
	s.Skeletons = append(s.Skeletons, a.Skeletons...)
	transmission.Add(s)
	s.Models = append(s.Models, &scenes.Model{
		Name: a.Name, Path: a.path, Data: a.data, Scene: i, Variant: a.variant,
		Root: a.Scenes[i].Root, Animations: a.Animations, Skeletons: a.Skeletons,
	})
}

// Play starts the i-th animation alone; -1 stops all.
func (a *Asset) Play(i int) error {
	if i < -1 || i >= len(a.Animations) {
		return fmt.Errorf("glTF %s: there is no animation %d, the file has %s", a.Name, i, count(len(a.Animations), "animation"))
	}
	for k, x := range a.Animations {
		x.Stopped = k != i
	}
	return nil
}

// AutoFrame is scenes.AutoFrame.
func AutoFrame(b linalg.AABB) *scenes.Camera { return scenes.AutoFrame(b) }
