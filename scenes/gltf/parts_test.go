package gltf

import (
	"slices"
	"strings"
	"testing"

	"darkroom/material/pbr"
	"darkroom/scenes"
)

// movable are the properties of a material that KHR_animation_pointer may
// point at, as the extensions' specifications name them, and their widths.
var movable = map[string]int{
	"pbrMetallicRoughness/baseColorFactor": 4, "pbrMetallicRoughness/metallicFactor": 1, "pbrMetallicRoughness/roughnessFactor": 1,
	"alphaCutoff": 1, "emissiveFactor": 3, "normalTexture/scale": 1, "occlusionTexture/strength": 1,
	"KHR_materials_emissive_strength/emissiveStrength": 1, "KHR_materials_ior/ior": 1, "KHR_materials_dispersion/dispersion": 1,
	"KHR_materials_specular/specularFactor": 1, "KHR_materials_specular/specularColorFactor": 3,
	"KHR_materials_clearcoat/clearcoatFactor": 1, "KHR_materials_clearcoat/clearcoatRoughnessFactor": 1, "KHR_materials_clearcoat/clearcoatNormalTexture/scale": 1,
	"KHR_materials_sheen/sheenColorFactor": 3, "KHR_materials_sheen/sheenRoughnessFactor": 1,
	"KHR_materials_anisotropy/anisotropyStrength": 1, "KHR_materials_anisotropy/anisotropyRotation": 1,
	"KHR_materials_iridescence/iridescenceFactor": 1, "KHR_materials_iridescence/iridescenceIor": 1,
	"KHR_materials_iridescence/iridescenceThicknessMinimum": 1, "KHR_materials_iridescence/iridescenceThicknessMaximum": 1,
	"KHR_materials_transmission/transmissionFactor": 1,
	"KHR_materials_volume/thicknessFactor":          1, "KHR_materials_volume/attenuationDistance": 1, "KHR_materials_volume/attenuationColor": 3,
	"KHR_materials_diffuse_transmission/diffuseTransmissionFactor": 1, "KHR_materials_diffuse_transmission/diffuseTransmissionColorFactor": 3,
}

// textured are the textures of a material, whose KHR_texture_transform moves.
var textured = []string{
	"pbrMetallicRoughness/baseColorTexture", "pbrMetallicRoughness/metallicRoughnessTexture", "normalTexture", "occlusionTexture", "emissiveTexture",
	"KHR_materials_specular/specularTexture", "KHR_materials_specular/specularColorTexture",
	"KHR_materials_clearcoat/clearcoatTexture", "KHR_materials_clearcoat/clearcoatRoughnessTexture", "KHR_materials_clearcoat/clearcoatNormalTexture",
	"KHR_materials_sheen/sheenColorTexture", "KHR_materials_sheen/sheenRoughnessTexture", "KHR_materials_anisotropy/anisotropyTexture",
	"KHR_materials_iridescence/iridescenceTexture", "KHR_materials_iridescence/iridescenceThicknessTexture",
	"KHR_materials_transmission/transmissionTexture", "KHR_materials_volume/thicknessTexture",
	"KHR_materials_diffuse_transmission/diffuseTransmissionTexture", "KHR_materials_diffuse_transmission/diffuseTransmissionColorTexture",
}

// moving is a triangle whose material has all that is given, with an animation
// that moves each of the paths from 0 to 0.5 in a second.
func moving(material obj, paths map[string]int) []byte {
	names := make([]string, 0, len(paths))
	for p := range paths {
		names = append(names, p)
	}
	slices.Sort(names)
	channels := arr{}
	for _, p := range names {
		pointer := "/materials/0/" + strings.Replace(p, "KHR_materials_", "extensions/KHR_materials_", 1)
		channels = append(channels, obj{"sampler": paths[p] - 1, "target": obj{"path": "pointer", "extensions": obj{"KHR_animation_pointer": obj{"pointer": pointer}}}})
	}
	buffer := le([]float32{0, 0, 0, 1, 0, 0, 0, 1, 0}, []float32{0, 1}, []float32{0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5}, []float32{0, 0.5}, []float32{0, 0, 0.5, 0.5}, []float32{0, 0, 0, 0.5, 0.5, 0.5})
	view := func(offset, length int) obj { return obj{"buffer": 0, "byteOffset": offset, "byteLength": length} }
	values := func(kind string, view int) obj {
		return obj{"type": kind, "componentType": 5126, "count": 2, "bufferView": view}
	}
	return file(buffer, obj{
		"scene": 0, "scenes": arr{obj{"nodes": arr{0}}}, "nodes": arr{obj{"mesh": 0}},
		"meshes":    arr{obj{"primitives": arr{obj{"attributes": obj{"POSITION": 0}, "material": 0}}}},
		"materials": arr{material}, "textures": arr{obj{"source": 0}}, "images": arr{obj{"uri": pixel}},
		"bufferViews": arr{view(0, 36), view(36, 8), view(44, 32), view(76, 8), view(84, 16), view(100, 24)},
		"accessors": arr{
			obj{"type": "VEC3", "componentType": 5126, "count": 3, "bufferView": 0}, values("SCALAR", 1),
			values("SCALAR", 3), values("VEC2", 4), values("VEC3", 5), values("VEC4", 2),
		},
		"animations": arr{obj{"channels": channels, "samplers": arr{
			obj{"input": 1, "output": 2}, obj{"input": 1, "output": 3}, obj{"input": 1, "output": 4}, obj{"input": 1, "output": 5},
		}}},
	})
}

// put sets the value at a path of an object, making what is on the way.
func put(o obj, path string, v any) {
	at := strings.Split(path, "/")
	for _, p := range at[:len(at)-1] {
		if o[p] == nil {
			o[p] = obj{}
		}
		o = o[p].(obj)
	}
	o[at[len(at)-1]] = v
}

// Every property is read from its place and moved by its pointer.
func TestEveryPropertyOfAMaterialMoves(t *testing.T) {
	material, extensions := obj{"alphaMode": "MASK"}, obj{}
	material["extensions"] = extensions
	target := func(path string) obj {
		if strings.HasPrefix(path, "KHR_") {
			return extensions
		}
		return material
	}
	paths := map[string]int{}
	for _, p := range textured {
		put(target(p), p, obj{"index": 0})
		for property, width := range map[string]int{"offset": 2, "scale": 2, "rotation": 1} {
			paths[p+"/extensions/KHR_texture_transform/"+property] = width
		}
	}
	for p, width := range movable {
		paths[p] = width
		var v any = 1.25
		if width > 1 {
			list := make(arr, width)
			for i := range list {
				list[i] = 1.25
			}
			v = list
		}
		put(target(p), p, v)
	}
	a := mustLoad(t, moving(material, paths))
	for _, w := range a.Warnings {
		if strings.Contains(w, "animated") {
			t.Error(w)
		}
	}
	if len(a.Animations) != 1 || len(a.Animations[0].Tracks) != len(paths) {
		t.Fatalf("there are %d animations; want one with %d tracks", len(a.Animations), len(paths))
	}
	m := a.Nodes[0].Mesh.Material.(*pbr.Material)
	fields := func() map[string]float64 {
		return map[string]float64{
			"base colour": m.BaseColor[3], "metallic": m.Metallic, "roughness": m.Roughness, "alpha cutoff": m.AlphaCutoff, "normal scale": m.NormalScale, "occlusion": m.OcclusionStrength,
			"ior": m.IOR, "dispersion": m.Dispersion, "specular": m.Specular.Factor, "specular colour": m.Specular.Color[2],
			"coat": m.Clearcoat.Factor, "coat roughness": m.Clearcoat.Roughness, "coat normal scale": m.Clearcoat.NormalScale, "sheen": m.Sheen.Color[1], "sheen roughness": m.Sheen.Roughness,
			"anisotropy": m.Anisotropy.Strength, "rotation": m.Anisotropy.Rotation, "iridescence": m.Iridescence.Factor, "film ior": m.Iridescence.IOR,
			"thinnest": m.Iridescence.ThicknessMinimum, "thickest": m.Iridescence.ThicknessMaximum, "transmission": m.Transmission.Factor,
			"thickness": m.Volume.Thickness, "attenuation": m.Volume.AttenuationDistance, "attenuation colour": m.Volume.AttenuationColor[0],
			"diffuse transmission": m.DiffuseTransmission.Factor, "its colour": m.DiffuseTransmission.Color[2],
		}
	}
	for name, x := range fields() {
		if x != 1.25 {
			t.Errorf("%s is %g, the file says 1.25", name, x)
		}
	}
	if m.Emissive != [3]float64{1.25 * 1.25, 1.25 * 1.25, 1.25 * 1.25} {
		t.Errorf("emission is %v, the file says 1.25 times 1.25", m.Emissive)
	}
	s := scenes.New("moving")
	a.AddTo(s)
	if err := s.Seek(0.5); err != nil {
		t.Fatal(err)
	}
	for name, x := range fields() {
		if x != 0.25 {
			t.Errorf("%s is %g after half a second, want 0.25", name, x)
		}
	}
	if m.Emissive != [3]float64{0.0625, 0.0625, 0.0625} {
		t.Errorf("emission is %v after half a second", m.Emissive)
	}
	for _, c := range []*pbr.Channel{
		m.BaseColorTexture, m.MetallicRoughnessTexture, m.NormalTexture, m.OcclusionTexture, m.EmissiveTexture, m.Specular.Texture, m.Specular.ColorTexture,
		m.Clearcoat.Texture, m.Clearcoat.RoughnessTexture, m.Clearcoat.NormalTexture, m.Sheen.ColorTexture, m.Sheen.RoughnessTexture, m.Anisotropy.Texture,
		m.Iridescence.Texture, m.Iridescence.ThicknessTexture, m.Transmission.Texture, m.Volume.ThicknessTexture, m.DiffuseTransmission.Texture, m.DiffuseTransmission.ColorTexture,
	} {
		if c == nil || c.Offset != [2]float64{0.25, 0.25} || c.Scale != [2]float64{0.25, 0.25} || c.Rotation != 0.25 {
			t.Errorf("a texture is %+v after half a second", c)
		}
	}
}

// A material that lets nothing through is opaque, unless an animation changes that.
func TestTransmissionOfZero(t *testing.T) {
	material := obj{"extensions": obj{"KHR_materials_transmission": obj{"transmissionFactor": 0}}}
	still := mustLoad(t, moving(material, map[string]int{"pbrMetallicRoughness/metallicFactor": 1}))
	if m := still.Nodes[0].Mesh.Material.(*pbr.Material); m.Transmission != nil {
		t.Errorf("transmission %+v, want none", m.Transmission)
	}
	moved := mustLoad(t, moving(material, map[string]int{"KHR_materials_transmission/transmissionFactor": 1}))
	s := scenes.New("moving")
	moved.AddTo(s)
	if err := s.Seek(1 - 1e-9); err != nil {
		t.Fatal(err)
	}
	if m := moved.Nodes[0].Mesh.Material.(*pbr.Material); m.Transmission == nil || m.Transmission.Factor < 0.49 {
		t.Errorf("transmission %+v after a second, want 0.5", m.Transmission)
	}
}
