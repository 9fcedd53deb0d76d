package gltf

import (
	"encoding/json"
	"slices"
)

// supported lists the extensions that are drawn, or that ask for nothing to be drawn.
var supported = []string{
	"EXT_mesh_gpu_instancing",
	"EXT_meshopt_compression",
	"EXT_texture_webp",
	"KHR_animation_pointer",
	dracoName,
	"KHR_lights_punctual",
	"KHR_materials_anisotropy",
	"KHR_materials_clearcoat",
	"KHR_materials_diffuse_transmission",
	"KHR_materials_dispersion",
	"KHR_materials_emissive_strength",
	"KHR_materials_ior",
	"KHR_materials_iridescence",
	"KHR_materials_pbrSpecularGlossiness",
	"KHR_materials_sheen",
	"KHR_materials_specular",
	"KHR_materials_transmission",
	"KHR_materials_unlit",
	"KHR_materials_variants",
	"KHR_materials_volume",
	"KHR_mesh_quantization",
	"KHR_meshopt_compression",
	"KHR_node_visibility",
	"KHR_texture_basisu",
	"KHR_texture_transform",
	"KHR_xmp_json_ld",
}

// checkExtensions refuses files that require what is not here and warns of
// the rest.
func (l *loader) checkExtensions() error {
	for _, name := range l.doc.ExtensionsRequired {
		if !slices.Contains(supported, name) {
			return because(ErrExtension, "extensionsRequired", "%s", quote(name))
		}
	}
	for _, name := range l.doc.ExtensionsUsed {
		if !slices.Contains(supported, name) {
			l.warn("extension %s is ignored: not supported", quote(name))
		}
	}
	return nil
}

// metadata reads KHR_xmp_json_ld.
func (l *loader) metadata() error {
	const name = "KHR_xmp_json_ld"
	var root struct {
		Packets []json.RawMessage `json:"packets"`
	}
	ok, err := extension(l.doc.Extensions, name, "file", &root)
	if err != nil || !ok {
		return err
	}
	for i, p := range root.Packets {
		if len(p) == 0 || p[0] != '{' {
			return bad(nth("XMP packet", i), "it is %s, want an object", jsonKind(p))
		}
	}
	l.asset.Metadata = root.Packets
	var use struct {
		Packet *int `json:"packet"`
	}
	ok, err = extension(l.doc.Asset.Extensions, name, "asset", &use)
	if err != nil || !ok {
		return err
	}
	if use.Packet == nil {
		return missing("asset", name+".packet")
	}
	if err := ref("asset", name+".packet", *use.Packet, len(root.Packets), "packet"); err != nil {
		return err
	}
	l.asset.Packet = *use.Packet
	return nil
}
