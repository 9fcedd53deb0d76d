package gltf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"

	"darkroom/material"
	"darkroom/scenes"
)

const variantsName = "KHR_materials_variants"

// variantMapping is the material of a primitive in some variants.
type variantMapping struct {
	material int
	variants []int
}

// variantUse is what a mesh looks like in some variants, and without any.
type variantUse struct {
	mesh            *scenes.Mesh
	plain, material material.Material
	variants        []int
}

// variantNames reads the file's list of variants.
func (l *loader) variantNames() error {
	var root struct {
		Variants []struct {
			Name *string `json:"name"`
		} `json:"variants"`
	}
	ok, err := extension(l.doc.Extensions, variantsName, "file", &root)
	if err != nil || !ok {
		return err
	}
	for i, v := range root.Variants {
		if v.Name == nil {
			return missing(nth("variant", i), "name")
		}
		l.asset.Variants = append(l.asset.Variants, *v.Name)
	}
	return nil
}

// mappings reads a primitive's materials by variant.
func (l *loader) mappings(o string, p *gltf.Primitive) ([]variantMapping, error) {
	var x struct {
		Mappings []struct {
			Material *int  `json:"material"`
			Variants []int `json:"variants"`
		} `json:"mappings"`
	}
	ok, err := extension(p.Extensions, variantsName, o, &x)
	if err != nil || !ok {
		return nil, err
	}
	var out []variantMapping
	for i, m := range x.Mappings {
		o := o + " " + nth("variant mapping", i)
		if m.Material == nil {
			return nil, missing(o, "material")
		}
		if err := ref(o, "material", *m.Material, len(l.doc.Materials), "material"); err != nil {
			return nil, err
		}
		for _, v := range m.Variants {
			if err := ref(o, "variant", v, len(l.asset.Variants), "variant"); err != nil {
				return nil, err
			}
		}
		out = append(out, variantMapping{*m.Material, m.Variants})
	}
	return out, nil
}

// Select shows the variant of the given name; the empty name shows the meshes
// with the materials that they have without variants.
func (a *Asset) Select(name string) error {
	v := -1
	if name != "" {
		if v = slices.Index(a.Variants, name); v < 0 {
			have := "it has none"
			if len(a.Variants) > 0 {
				have = "it has " + strings.Join(a.Variants, ", ")
			}
			return fmt.Errorf("glTF %s: there is no variant %s; %s", a.Name, quote(name), have)
		}
	}
	for _, u := range a.variants {
		u.mesh.Material = u.plain
	}
	for _, u := range a.variants {
		if v >= 0 && slices.Contains(u.variants, v) {
			u.mesh.Material = u.material
		}
	}
	return nil
}
