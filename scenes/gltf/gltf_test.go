package gltf

import (
	"math"
	"slices"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material/pbr"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// merge overwrites fields of a file's JSON.
func merge(base, over obj) obj {
	for k, v := range over {
		base[k] = v
	}
	return base
}

// triangle is a file of one triangle, with fields added or replaced.
func triangle(over obj) []byte {
	buffer := le([]float32{0, 0, 0, 1, 0, 0, 0, 1, 0}, []uint16{0, 1, 2, 0})
	return file(buffer, merge(obj{
		"scene": 0, "scenes": arr{obj{"nodes": arr{0}}}, "nodes": arr{obj{"mesh": 0, "name": "tri"}},
		"meshes":      arr{obj{"primitives": arr{obj{"attributes": obj{"POSITION": 0}, "indices": 1}}}},
		"bufferViews": arr{obj{"buffer": 0, "byteLength": 36}, obj{"buffer": 0, "byteOffset": 36, "byteLength": 8}},
		"accessors": arr{
			obj{"type": "VEC3", "componentType": 5126, "count": 3, "bufferView": 0, "min": arr{0, 0, 0}, "max": arr{1, 1, 0}},
			obj{"type": "SCALAR", "componentType": 5123, "count": 3, "bufferView": 1},
		},
	}, over))
}

func mustLoad(t *testing.T, data []byte) *Asset {
	t.Helper()
	a, err := LoadBytes(data, Options{Name: "test.gltf"})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestTriangle(t *testing.T) {
	a := mustLoad(t, triangle(nil))
	n := a.Nodes[0]
	if n.Name != "tri" || n.Mesh == nil || len(a.Warnings) != 0 {
		t.Fatalf("node %+v, warnings %v", n, a.Warnings)
	}
	g := n.Mesh.Geometry
	if !slices.Equal(g.Positions, []float32{0, 0, 0, 1, 0, 0, 0, 1, 0}) || !slices.Equal(g.Indices, []uint32{0, 1, 2}) || g.Normals != nil {
		t.Errorf("geometry %+v", g)
	}
	m := n.Mesh.Material.(*pbr.Material)
	if m.Metallic != 1 || m.Roughness != 1 || m.FrontFace != composer.FrontCW || m.BaseColor != [4]float64{1, 1, 1, 1} {
		t.Errorf("default material %+v", m)
	}
	root := a.Scenes[a.Default].Root
	if root.Name != "__root__" || root.Scaling != (linalg.Vec3{-1, 1, 1}) || root.Children[0] != n {
		t.Errorf("root %+v", root)
	}
	// The mirrored root turns x round.
	if want := (linalg.AABB{Min: linalg.Vec3{-1, 0, 0}, Max: linalg.Vec3{0, 1, 0}}); a.Bounds != want {
		t.Errorf("bounds %v, want %v", a.Bounds, want)
	}
}

func TestAutoFrame(t *testing.T) {
	c := AutoFrame(linalg.AABB{Min: linalg.Vec3{-1, 0, 2}, Max: linalg.Vec3{3, 2, 6}})
	r := c.Rig.(*scenes.ArcRotate)
	if r.Alpha != -math.Pi/2 || r.Beta != math.Pi/2 || r.Radius != 9 || r.Target != (linalg.Vec3{1, 1, 4}) || c.Near != 0.09 || c.Far != 9000 {
		t.Errorf("camera %+v, rig %+v", c, r)
	}
	for _, b := range []linalg.AABB{linalg.EmptyAABB(), {}, {Max: linalg.Vec3{math.Inf(1), 0, 0}}} {
		if c := AutoFrame(b); c.Rig.(*scenes.ArcRotate).Radius != 1 {
			t.Errorf("%v: radius %v, want 1", b, c.Rig.(*scenes.ArcRotate).Radius)
		}
	}
}

func TestModes(t *testing.T) {
	l := &loader{left: 1 << 20, asset: &Asset{}}
	five := []uint32{4, 3, 2, 1, 0}
	for _, c := range []struct {
		name     string
		mode     int
		indices  []uint32
		vertices int
		want     []uint32 // nil: no indices
		topology composer.Topology
	}{
		{"points", modePoints, five, 5, five, composer.PointList},
		{"lines", modeLines, five, 5, []uint32{4, 3, 2, 1}, composer.LineList},
		{"loop", modeLineLoop, five, 5, []uint32{4, 3, 2, 1, 0, 4}, composer.LineStrip},
		{"loop without indices", modeLineLoop, nil, 3, []uint32{0, 1, 2, 0}, composer.LineStrip},
		{"line strip", modeLineStrip, nil, 3, nil, composer.LineStrip},
		{"line strip of one", modeLineStrip, nil, 1, []uint32{}, composer.LineStrip},
		{"triangles", modeTriangles, five, 5, []uint32{4, 3, 2}, ""},
		{"strip", modeTriangleStrip, five, 5, five, composer.TriangleStrip},
		{"strip of two", modeTriangleStrip, nil, 2, []uint32{}, composer.TriangleStrip},
		{"fan", modeTriangleFan, five, 5, []uint32{3, 2, 4, 2, 1, 4, 1, 0, 4}, ""},
		{"fan without indices", modeTriangleFan, nil, 4, []uint32{1, 2, 0, 2, 3, 0}, ""},
	} {
		got, topology, err := l.topology("test", c.mode, c.indices, c.vertices)
		if err != nil || !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) || topology != c.topology {
			t.Errorf("%s: got %v, %s, %v, want %v, %s", c.name, got, topology, err, c.want, c.topology)
		}
	}
}

func TestFilesThatAreRefused(t *testing.T) {
	type over = obj
	prim := func(p obj) obj { return obj{"meshes": arr{obj{"name": "m", "primitives": arr{p}}}} }
	for _, c := range []struct {
		name string
		over over
		want string
	}{
		{"mesh of a node", obj{"nodes": arr{obj{"mesh": 4}}}, "node 0: mesh is 4, the file has 1 mesh"},
		{"child", obj{"nodes": arr{obj{"children": arr{9}}}}, "node 0: child is 9, the file has 1 node"},
		{"own child", obj{"nodes": arr{obj{"children": arr{0}}}}, "node 0: it is its own child"},
		{"cycle", obj{"nodes": arr{obj{"children": arr{1}}, obj{"children": arr{0}}}}, "it is its own ancestor"},
		{"two parents", obj{"nodes": arr{obj{"children": arr{2}}, obj{"children": arr{2}}, obj{}}}, "node 2: it has two parents, nodes 0 and 1"},
		{"twice a child", obj{"nodes": arr{obj{"children": arr{1, 1}}, obj{}}}, "node 0: node 1 is twice among its children"},
		{"scene of a child", obj{"nodes": arr{obj{"children": arr{1}}, obj{}}, "scenes": arr{obj{"nodes": arr{1}}}}, "scene 0: node 1 is the child of node 0"},
		{"default scene", obj{"scene": 3}, "scene: index is 3, the file has 1 scene"},
		{"node of a scene", obj{"scenes": arr{obj{"nodes": arr{5}}}}, "scene 0: node is 5, the file has 1 node"},
		{"attribute", prim(obj{"attributes": obj{"POSITION": 9}}), `mesh 0 "m" primitive 0: attribute POSITION is 9, the file has 2 accessors`},
		{"no attributes", prim(obj{}), "primitive 0: attributes is missing"},
		{"mode", prim(obj{"attributes": obj{"POSITION": 0}, "mode": 7}), "primitive 0: mode is 7, want 0 to 6"},
		{"positions of the wrong type", prim(obj{"attributes": obj{"POSITION": 1}}), "attribute POSITION: accessor 1 is of type SCALAR, want VEC3"},
		{"indices of the wrong type", prim(obj{"attributes": obj{"POSITION": 0}, "indices": 0}), "indices: accessor 0 is of type VEC3, want SCALAR"},
		{"material", prim(obj{"attributes": obj{"POSITION": 0}, "material": 0}), "primitive 0: material is 0, the file has no materials"},
		{"joints alone", prim(obj{"attributes": obj{"POSITION": 0, "JOINTS_0": 0}}), "it has one of JOINTS_0 and WEIGHTS_0, want both"},
		{"no primitives", obj{"meshes": arr{obj{"primitives": arr{}}}}, "mesh 0: primitives is missing"},
		{"texture", obj{"materials": arr{obj{"normalTexture": obj{"index": 1}}}}, "material 0: normalTexture is 1, the file has no textures"},
		{"texture without index", obj{"materials": arr{obj{"emissiveTexture": obj{}}}}, "material 0: emissiveTexture.index is missing"},
		{"texture of an extension", obj{"materials": arr{obj{"extensions": obj{"KHR_materials_sheen": obj{"sheenColorTexture": obj{"index": 2}}}}}}, "material 0: sheenColorTexture is 2"},
		{"alpha mode", obj{"materials": arr{obj{"alphaMode": "HALF"}}}, `material 0: alphaMode is "HALF"`},
		{"base colour", obj{"materials": arr{obj{"pbrMetallicRoughness": obj{"baseColorFactor": arr{1, 1, 1}}}}}, "baseColorFactor has 3 numbers, want 4"},
		{"index of refraction", obj{"materials": arr{obj{"extensions": obj{"KHR_materials_ior": obj{"ior": 0.5}}}}}, "KHR_materials_ior.ior is 0.5"},
		{"extension of the wrong kind", obj{"materials": arr{obj{"extensions": obj{"KHR_materials_ior": 3}}}}, "extension KHR_materials_ior is a number, want an object"},
		{"image of a texture", obj{"textures": arr{obj{"source": 0}}}, "texture 0: source is 0, the file has no images"},
		{"filter", obj{"samplers": arr{obj{"magFilter": 1}}}, "sampler 0: magFilter is 1"},
		{"camera", obj{"cameras": arr{obj{"type": "fisheye"}}}, `camera 0: type is "fisheye"`},
		{"camera without depth", obj{"cameras": arr{obj{"type": "perspective", "perspective": obj{"yfov": 1, "znear": 2, "zfar": 1}}}}, "camera 0: perspective.zfar is 1"},
		{"joint", obj{"skins": arr{obj{"joints": arr{8}}}}, "skin 0: joint is 8, the file has 1 node"},
		{"too few matrices", obj{"skins": arr{obj{"joints": arr{0}, "inverseBindMatrices": 0}}}, "skin 0: inverseBindMatrices: accessor 0 is not of type MAT4"},
		{"sampler of a channel", obj{"animations": arr{obj{"channels": arr{obj{"sampler": 1, "target": obj{"path": "scale"}}}, "samplers": arr{}}}}, "animation 0 channel 0: sampler is 1"},
		{"path", obj{"animations": arr{obj{"channels": arr{obj{"sampler": 0, "target": obj{"node": 0, "path": "size"}}}, "samplers": arr{obj{"input": 1, "output": 1}}}}}, `target.path is "size"`},
		{"interpolation", obj{"animations": arr{obj{"channels": arr{}, "samplers": arr{obj{"input": 1, "output": 1, "interpolation": "FAST"}}}}}, `animation 0 sampler 0: interpolation is "FAST"`},
		{"light", obj{"nodes": arr{obj{"extensions": obj{"KHR_lights_punctual": obj{"light": 0}}}}}, "node 0: KHR_lights_punctual.light is 0, the file has no lights"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := LoadBytes(triangle(c.over), Options{Name: "test.gltf"})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "glTF test.gltf: ") {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestIndexOutOfRange(t *testing.T) {
	buffer := le([]float32{0, 0, 0, 1, 0, 0, 0, 1, 0}, []uint16{0, 1, 3, 0})
	over := obj{"buffers": arr{obj{"byteLength": len(buffer), "uri": uri(buffer)}}}
	_, err := LoadBytes(triangle(over), Options{})
	if want := "index 2 (of accessor 1) is 3, there are 3 vertices"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestNumbersThatAreNotFinite(t *testing.T) {
	buffer := le([]float32{0, 0, 0, 1, float32(math.NaN()), 0, 0, 1, 0}, []uint16{0, 1, 2, 0})
	over := obj{"buffers": arr{obj{"byteLength": len(buffer), "uri": uri(buffer)}}}
	_, err := LoadBytes(triangle(over), Options{})
	if want := "accessor 0: component 1 of element 1 is NaN"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestMemoryIsLimited(t *testing.T) {
	_, err := LoadBytes(triangle(nil), Options{MaxBytes: 530})
	if err == nil || !strings.Contains(err.Error(), "of the limit of 530 are left: content too large") {
		t.Errorf("got %v", err)
	}
}

func TestFilesWithoutScenes(t *testing.T) {
	a := mustLoad(t, []byte(`{"asset":{"version":"2.0"},"nodes":[{"children":[1]},{},{}]}`))
	if a.Default != 0 || len(a.Scenes[0].Root.Children) != 2 || len(a.Warnings) != 1 {
		t.Errorf("asset %+v", a)
	}
	a = mustLoad(t, []byte(`{"asset":{"version":"2.0"}}`))
	s := scenes.New("empty")
	a.AddTo(s)
	if a.Default != -1 || len(s.Roots) != 0 || !a.Bounds.Empty() {
		t.Errorf("asset %+v", a)
	}
}

func TestDeepHierarchy(t *testing.T) {
	const n = 20000
	nodes := make(arr, n)
	for i := range nodes {
		nodes[i] = obj{"children": arr{i + 1}, "translation": arr{0, 1, 0}}
	}
	nodes[n-1] = obj{"mesh": 0}
	a := mustLoad(t, triangle(obj{"nodes": nodes}))
	if y := a.Bounds.Min[1]; y != n-1 {
		t.Errorf("the triangle is at y %g, want %d", y, n-1)
	}
}

func TestVariants(t *testing.T) {
	a := mustLoad(t, triangle(obj{
		"extensions": obj{"KHR_materials_variants": obj{"variants": arr{obj{"name": "red"}, obj{"name": "blue"}, obj{"name": "plain"}}}},
		"materials":  arr{obj{"name": "base"}, obj{"name": "r"}, obj{"name": "b"}},
		"meshes": arr{obj{"primitives": arr{obj{"attributes": obj{"POSITION": 0}, "material": 0, "extensions": obj{
			"KHR_materials_variants": obj{"mappings": arr{obj{"material": 1, "variants": arr{0}}, obj{"material": 2, "variants": arr{1}}}}}}}}},
	}))
	for _, c := range []struct{ variant, material string }{{"red", "r"}, {"blue", "b"}, {"plain", "base"}, {"red", "r"}, {"", "base"}} {
		if err := a.Select(c.variant); err != nil {
			t.Fatal(err)
		}
		if got := a.Nodes[0].Mesh.Material.(*pbr.Material).Name; got != c.material {
			t.Errorf("variant %q shows %s, want %s", c.variant, got, c.material)
		}
	}
	if err := a.Select("green"); err == nil || !strings.Contains(err.Error(), "it has red, blue, plain") {
		t.Errorf("got %v", err)
	}
}

func TestMaterialExtensions(t *testing.T) {
	a := mustLoad(t, triangle(obj{
		"materials": arr{obj{"emissiveFactor": arr{1, 0.5, 0}, "alphaMode": "MASK", "alphaCutoff": 0, "doubleSided": true, "extensions": obj{
			"KHR_materials_emissive_strength":     obj{"emissiveStrength": 4},
			"KHR_materials_clearcoat":             obj{"clearcoatFactor": 0.25},
			"KHR_materials_sheen":                 obj{"sheenColorFactor": arr{1, 0, 0}},
			"KHR_materials_iridescence":           obj{"iridescenceFactor": 1},
			"KHR_materials_specular":              obj{},
			"KHR_materials_anisotropy":            obj{"anisotropyStrength": 0.5, "anisotropyRotation": 1},
			"KHR_materials_transmission":          obj{"transmissionFactor": 0.5},
			"KHR_materials_volume":                obj{"thicknessFactor": 2, "attenuationColor": arr{1, 1, 0}},
			"KHR_materials_dispersion":            obj{"dispersion": 0.1},
			"KHR_materials_diffuse_transmission":  obj{"diffuseTransmissionFactor": 0.5},
			"KHR_materials_ior":                   obj{"ior": 1.3},
			"KHR_materials_pbrSpecularGlossiness": obj{"diffuseFactor": arr{0, 1, 0, 0.5}},
		}}},
		"meshes": arr{obj{"primitives": arr{obj{"attributes": obj{"POSITION": 0}, "material": 0}}}},
	}))
	m := a.Nodes[0].Mesh.Material.(*pbr.Material)
	if m.Emissive != [3]float64{4, 2, 0} || m.AlphaMode != pbr.Mask || m.AlphaCutoff != -1 || !m.TwoSided || m.IOR != 1.3 || m.Dispersion != 0.1 {
		t.Errorf("material %+v", m)
	}
	if *m.Clearcoat != (pbr.Clearcoat{Factor: 0.25, NormalScale: 1}) || *m.Sheen != (pbr.Sheen{Color: [3]float64{1, 0, 0}}) || *m.Anisotropy != (pbr.Anisotropy{Strength: 0.5, Rotation: 1}) {
		t.Errorf("clearcoat %+v, sheen %+v, anisotropy %+v", m.Clearcoat, m.Sheen, m.Anisotropy)
	}
	if *m.Iridescence != (pbr.Iridescence{Factor: 1, IOR: 1.3, ThicknessMinimum: 100, ThicknessMaximum: 400}) || *m.Specular != (pbr.Specular{Factor: 1, Color: [3]float64{1, 1, 1}}) {
		t.Errorf("iridescence %+v, specular %+v", m.Iridescence, m.Specular)
	}
	if *m.Transmission != (pbr.Transmission{Factor: 0.5}) || *m.Volume != (pbr.Volume{Thickness: 2, AttenuationColor: [3]float64{1, 1, 0}}) || *m.DiffuseTransmission != (pbr.DiffuseTransmission{Factor: 0.5, Color: [3]float64{1, 1, 1}}) {
		t.Errorf("transmission %+v, volume %+v, diffuse transmission %+v", m.Transmission, m.Volume, m.DiffuseTransmission)
	}
	if *m.SpecularGlossiness != (pbr.SpecularGlossiness{Specular: [3]float64{1, 1, 1}, Glossiness: 1}) || m.BaseColor != [4]float64{0, 1, 0, 0.5} {
		t.Errorf("specular-glossiness %+v, base colour %v", m.SpecularGlossiness, m.BaseColor)
	}
}

func TestLights(t *testing.T) {
	a := mustLoad(t, triangle(obj{
		"extensions": obj{"KHR_lights_punctual": obj{"lights": arr{
			obj{"type": "spot", "color": arr{1, 0.5, 0}, "intensity": 3, "range": 7, "spot": obj{"innerConeAngle": 0.1, "outerConeAngle": 0.2}},
			obj{"type": "directional"}, obj{"type": "point"}, obj{"type": "spot"},
		}}},
		"nodes": arr{
			obj{"children": arr{1, 2, 3}, "extensions": obj{"KHR_lights_punctual": obj{"light": 0}}},
			obj{"extensions": obj{"KHR_lights_punctual": obj{"light": 1}}},
			obj{"extensions": obj{"KHR_lights_punctual": obj{"light": 2}}},
			obj{"extensions": obj{"KHR_lights_punctual": obj{"light": 3}}},
		},
	}))
	x := a.Nodes[0].Light
	if x.Kind != scenes.SpotLight || x.Diffuse != (scenes.Color3{1, 0.5, 0}) || x.Intensity != 3 || x.Range != 7 || x.Inner != 0.2 || x.Angle != 0.4 || x.Direction != (linalg.Vec3{0, 0, -1}) || x.Falloff != scenes.FalloffGLTF {
		t.Errorf("spot %+v", x)
	}
	if x := a.Nodes[1].Light; x.Kind != scenes.DirectionalLight || x.Intensity != 1 || x.Diffuse != (scenes.Color3{1, 1, 1}) {
		t.Errorf("directional %+v", x)
	}
	if x := a.Nodes[2].Light; x.Kind != scenes.PointLight || x.Range != 0 {
		t.Errorf("point %+v", x)
	}
	if x := a.Nodes[3].Light; x.Inner != 0 || x.Angle != math.Pi/2 {
		t.Errorf("default spot %+v", x)
	}
}

func TestCameras(t *testing.T) {
	a := mustLoad(t, triangle(obj{
		"cameras": arr{
			obj{"type": "perspective", "perspective": obj{"yfov": 0.7, "znear": 0.1}},
			obj{"type": "orthographic", "orthographic": obj{"xmag": 2, "ymag": 3, "znear": 0, "zfar": 10}},
		},
		// A quarter turn about Y: the camera that looked along -Z looks along -X.
		"nodes": arr{obj{"camera": 0, "translation": arr{1, 2, 3}, "rotation": arr{0, math.Sqrt2 / 2, 0, math.Sqrt2 / 2}, "children": arr{1}}, obj{"camera": 1}},
	}))
	s := scenes.New("cameras")
	a.AddTo(s)
	s.Camera = a.Cameras[0]
	if err := s.Seek(0); err != nil {
		t.Fatal(err)
	}
	if s.Camera.FOV != 0.7 || s.Camera.Near != 0.1 || s.Camera.Far != 0 {
		t.Errorf("camera %+v", s.Camera)
	}
	// Under the mirrored root it stands at x -1 and looks along +X.
	view := s.Camera.Rig.View()
	if eye := s.Camera.Rig.Eye(); eye != (linalg.Vec3{-1, 2, 3}) {
		t.Errorf("eye %v", eye)
	}
	if p := view.TransformPoint(linalg.Vec3{4, 2, 3}); p.Sub(linalg.Vec3{0, 0, 5}).Length() > 1e-6 {
		t.Errorf("a point 5 ahead is at %v in view space", p)
	}
	if p := view.TransformPoint(linalg.Vec3{-1, 3, 3}); p.Sub(linalg.Vec3{0, 1, 0}).Length() > 1e-6 {
		t.Errorf("a point 1 above is at %v in view space", p)
	}
	if o := a.Cameras[1].Ortho; o == nil || *o != (scenes.Ortho{Left: -2, Right: 2, Bottom: -3, Top: 3}) || a.Cameras[1].Far != 10 {
		t.Errorf("orthographic camera %+v", a.Cameras[1])
	}
}

func TestSkin(t *testing.T) {
	// A strip of two points: the first follows joint 1, the second both joints by halves.
	buffer := le([]float32{0, 0, 0, 0, 2, 0, 0, 2, 0}, []byte{0, 9, 9, 9, 0, 1, 9, 9, 1, 0, 0, 0}, []byte{255, 0, 0, 0, 51, 204, 0, 0, 255, 0, 0, 0})
	for len(buffer)%4 != 0 {
		buffer = append(buffer, 0)
	}
	a := mustLoad(t, file(buffer, obj{
		"scenes": arr{obj{"nodes": arr{0, 1}}},
		"nodes": arr{
			obj{"mesh": 0, "skin": 0, "translation": arr{100, 0, 0}},
			obj{"children": arr{2}},
			obj{"translation": arr{0, 1, 0}, "rotation": arr{0, 0, math.Sqrt2 / 2, math.Sqrt2 / 2}},
		},
		"skins":       arr{obj{"joints": arr{1, 2}}},
		"meshes":      arr{obj{"primitives": arr{obj{"attributes": obj{"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}}}},
		"bufferViews": arr{obj{"buffer": 0, "byteLength": 36}, obj{"buffer": 0, "byteOffset": 36, "byteLength": 12}, obj{"buffer": 0, "byteOffset": 48, "byteLength": 12}},
		"accessors": arr{
			obj{"type": "VEC3", "componentType": 5126, "count": 3, "bufferView": 0},
			obj{"type": "VEC4", "componentType": 5121, "count": 3, "bufferView": 1},
			obj{"type": "VEC4", "componentType": 5121, "count": 3, "bufferView": 2, "normalized": true},
		},
	}))
	if a.Nodes[0].Mesh != nil {
		t.Error("the node of a skinned mesh draws it, and so moves it")
	}
	if len(a.Skeletons) != 1 || len(a.Skeletons[0].Joints) != 2 {
		t.Fatalf("skeletons %+v", a.Skeletons)
	}
	g := a.Skeletons[0].Mesh.Mesh.Geometry
	if !slices.Equal(g.Joints[0][:8], []uint32{0, 0, 0, 0, 0, 1, 0, 0}) {
		t.Errorf("joints %v: those without weight must be 0", g.Joints[0])
	}
	// Point 3 under joint 1: turned to (-2, 0, 0), moved to (-2, 1, 0), mirrored to (2, 1, 0).
	if b := a.Bounds; math.Abs(b.Max[0]-2) > 1e-6 || math.Abs(b.Min[0]) > 1e-6 {
		t.Errorf("bounds %v", b)
	}
	m := linalg.Mat4(a.Skeletons[0].Skin.Matrix(1))
	if p := m.TransformPoint(linalg.Vec3{0, 2, 0}); p.Sub(linalg.Vec3{-2, 1, 0}).Length() > 1e-6 {
		t.Errorf("joint 1 takes the point to %v", p)
	}
}

func TestSkinWithTooManyJoints(t *testing.T) {
	buffer := le([]float32{0, 0, 0, 0, 2, 0, 0, 2, 0}, []byte{7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, []byte{255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0})
	_, err := LoadBytes(file(buffer, obj{
		"scenes": arr{obj{"nodes": arr{0, 1}}}, "nodes": arr{obj{"mesh": 0, "skin": 0}, obj{}}, "skins": arr{obj{"joints": arr{1}, "name": "s"}},
		"meshes":      arr{obj{"primitives": arr{obj{"attributes": obj{"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}}}},
		"bufferViews": arr{obj{"buffer": 0, "byteLength": 36}, obj{"buffer": 0, "byteOffset": 36, "byteLength": 12}, obj{"buffer": 0, "byteOffset": 48, "byteLength": 12}},
		"accessors": arr{
			obj{"type": "VEC3", "componentType": 5126, "count": 3, "bufferView": 0},
			obj{"type": "VEC4", "componentType": 5121, "count": 3, "bufferView": 1},
			obj{"type": "VEC4", "componentType": 5121, "count": 3, "bufferView": 2, "normalized": true},
		},
	}), Options{})
	if want := `mesh 0 primitive 0: joint 7 is out of range, skin 0 "s" has 1 joint`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestInstancing(t *testing.T) {
	buffer := le([]float32{0, 0, 0, 1, 0, 0, 0, 1, 0}, []float32{0, 0, 0, 10, 0, 0})
	a := mustLoad(t, triangle(obj{
		"buffers":     arr{obj{"byteLength": len(buffer), "uri": uri(buffer)}},
		"bufferViews": arr{obj{"buffer": 0, "byteLength": 36}, obj{"buffer": 0, "byteOffset": 36, "byteLength": 24}},
		"accessors":   arr{obj{"type": "VEC3", "componentType": 5126, "count": 3, "bufferView": 0}, obj{"type": "VEC3", "componentType": 5126, "count": 2, "bufferView": 1}},
		"meshes":      arr{obj{"primitives": arr{obj{"attributes": obj{"POSITION": 0}}}}},
		"nodes":       arr{obj{"mesh": 0, "extensions": obj{"EXT_mesh_gpu_instancing": obj{"attributes": obj{"TRANSLATION": 1}}}}},
	}))
	if n := a.Nodes[0].Mesh.Instances; n != 2 {
		t.Errorf("%d instances, want 2", n)
	}
	if want := (linalg.AABB{Min: linalg.Vec3{-11, 0, 0}, Max: linalg.Vec3{0, 1, 0}}); a.Bounds != want {
		t.Errorf("bounds %v, want %v", a.Bounds, want)
	}
}

func TestMetadata(t *testing.T) {
	a := mustLoad(t, []byte(`{"asset":{"version":"2.0","extensions":{"KHR_xmp_json_ld":{"packet":1}}},
		"extensions":{"KHR_xmp_json_ld":{"packets":[{},{"dc:title":"cube"}]}}}`))
	if a.Packet != 1 || len(a.Metadata) != 2 || string(a.Metadata[1]) != `{"dc:title":"cube"}` {
		t.Errorf("packet %d of %s", a.Packet, a.Metadata)
	}
}

func TestGeometriesAreShared(t *testing.T) {
	a := mustLoad(t, triangle(obj{"nodes": arr{obj{"mesh": 0}, obj{"mesh": 0}}, "scenes": arr{obj{"nodes": arr{0, 1}}}}))
	var list []*mesh.Geometry
	for _, n := range a.Nodes {
		list = append(list, n.Mesh.Geometry)
	}
	if list[0] != list[1] {
		t.Error("two nodes with one mesh have two geometries")
	}
}

func TestTangents(t *testing.T) {
	// Two triangles that share an edge and mirror the texture across it.
	buffer := le(
		[]float32{0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0}, []float32{0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1},
		[]float32{0, 1, 1, 1, 0, 0, 1, 1}, []uint16{0, 1, 2, 0, 2, 3},
	)
	view := func(offset, length int) obj { return obj{"buffer": 0, "byteOffset": offset, "byteLength": length} }
	data := file(buffer, obj{
		"scenes": arr{obj{"nodes": arr{0}}}, "nodes": arr{obj{"mesh": 0}},
		"materials": arr{obj{"normalTexture": obj{"index": 0}}}, "textures": arr{obj{"source": 0}}, "images": arr{obj{"uri": pixel}},
		"meshes":      arr{obj{"primitives": arr{obj{"attributes": obj{"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}, "indices": 3, "material": 0, "targets": arr{obj{"POSITION": 0}}}}}},
		"bufferViews": arr{view(0, 48), view(48, 48), view(96, 32), view(128, 12)},
		"accessors": arr{
			obj{"type": "VEC3", "componentType": 5126, "count": 4, "bufferView": 0}, obj{"type": "VEC3", "componentType": 5126, "count": 4, "bufferView": 1},
			obj{"type": "VEC2", "componentType": 5126, "count": 4, "bufferView": 2}, obj{"type": "SCALAR", "componentType": 5123, "count": 6, "bufferView": 3},
		},
	})
	if g := mustLoad(t, data).Nodes[0].Mesh.Geometry; g.Tangents != nil {
		t.Error("tangents that nobody asked for")
	}
	a, err := LoadBytes(data, Options{Tangents: true})
	if err != nil {
		t.Fatal(err)
	}
	g := a.Nodes[0].Mesh.Geometry
	if g.VertexCount() != 6 || g.Validate() != nil {
		t.Fatalf("%d vertices, want 6: the edge's two are split; %v", g.VertexCount(), g.Validate())
	}
	at := func(corner int) [4]float32 { i := g.Indices[corner] * 4; return [4]float32(g.Tangents[i : i+4]) }
	// U grows to the right in the first triangle, with V downwards: a right-handed frame.
	if got := at(1); got != [4]float32{1, 0, 0, 1} {
		t.Errorf("tangent of the right triangle %v", got)
	}
	if got := at(5); got != [4]float32{-1, 0, 0, -1} {
		t.Errorf("tangent of the mirrored triangle %v", got)
	}
}

// pixel is a PNG of one white pixel.
const pixel = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII="

func TestTextures(t *testing.T) {
	a := mustLoad(t, triangle(obj{
		"materials": arr{
			obj{"pbrMetallicRoughness": obj{"baseColorTexture": obj{"index": 0}}, "emissiveTexture": obj{"index": 0},
				"occlusionTexture": obj{"index": 0, "strength": 0, "texCoord": 1, "extensions": obj{"KHR_texture_transform": obj{"offset": arr{0.5, 0.25}, "rotation": 1, "scale": arr{2, 0}, "texCoord": 3}}}},
		},
		"textures": arr{obj{"source": 0, "sampler": 0}}, "images": arr{obj{"uri": pixel, "name": "dot"}},
		"samplers": arr{obj{"magFilter": 9728, "minFilter": 9984, "wrapS": 33071, "wrapT": 33648}},
		"meshes":   arr{obj{"primitives": arr{obj{"attributes": obj{"POSITION": 0}, "material": 0}}}},
	}))
	m := a.Nodes[0].Mesh.Material.(*pbr.Material)
	if m.BaseColorTexture.Texture != m.EmissiveTexture.Texture {
		t.Error("one colour texture in two roles is two textures")
	}
	base, data := m.BaseColorTexture.Texture, m.OcclusionTexture.Texture
	if base.Format != composer.RGBA8UnormSRGB || data.Format != composer.RGBA8Unorm || base.Source != data.Source || base.Name != "dot" {
		t.Errorf("base %+v, occlusion %+v: want one image in two formats", base, data)
	}
	s := base.Sampler
	if s.Mag != composer.FilterNearest || s.Min != composer.FilterNearest || s.Mip != composer.FilterNearest || s.NoMips || s.AddressU != composer.AddressClamp || s.AddressV != composer.AddressMirror || !base.Mips {
		t.Errorf("sampler %+v", s)
	}
	if c := m.OcclusionTexture; c.UV != 3 || c.Offset != [2]float64{0.5, 0.25} || c.Rotation != 1 || c.Scale[0] != 2 || c.Scale[1] == 0 || m.OcclusionStrength == 0 || m.OcclusionStrength > 1e-20 {
		t.Errorf("occlusion %+v, strength %g", c, m.OcclusionStrength)
	}
	if len(a.Warnings) != 3 || !strings.Contains(strings.Join(a.Warnings, ";"), "occlusionTexture of material 0 is not seen: the mesh has no TEXCOORD_3") {
		t.Errorf("warnings %q", a.Warnings)
	}
}

func TestImagesThatAreNone(t *testing.T) {
	_, err := LoadBytes(triangle(obj{
		"materials": arr{obj{"emissiveTexture": obj{"index": 0}}}, "textures": arr{obj{"source": 0}}, "images": arr{obj{"uri": "data:image/png;base64,AAAA"}},
		"meshes": arr{obj{"primitives": arr{obj{"attributes": obj{"POSITION": 0}, "material": 0}}}},
	}), Options{})
	if err == nil || !strings.Contains(err.Error(), "material 0: emissiveTexture: texture 0: image 0: unknown image format") {
		t.Errorf("got %v", err)
	}
}
