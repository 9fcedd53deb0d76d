package gltf

import (
	"fmt"

	"github.com/qmuntal/gltf"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/pbr"
)

type pbrMaterial = pbr.Material

// material makes a material, once; nil is the default one of section 3.9.6.
func (l *loader) material(i *int) (material.Material, error) {
	m, err := l.pbr(i)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (l *loader) pbr(i *int) (*pbr.Material, error) {
	key := -1
	if i != nil {
		key = *i
	}
	if m := l.materials[key]; m != nil {
		return m, nil
	}
	m := pbr.New("default")
	// The reference engine's loader asks for specular anti-aliasing, and the
	// mirrored root turns glTF's counter-clockwise faces round.
	m.SpecularAA, m.FrontFace = true, composer.FrontCW
	if i != nil {
		l.coords = nil
		if err := l.fill(m, *i); err != nil {
			return nil, err
		}
		if l.uses == nil {
			l.uses = map[int][]coordinates{}
		}
		l.uses[*i] = l.coords
	}
	if l.materials == nil {
		l.materials = map[int]*pbrMaterial{}
	}
	l.materials[key] = m
	return m, nil
}

// fill sets m from the file's material i.
func (l *loader) fill(m *pbr.Material, i int) error {
	g := l.doc.Materials[i]
	o := named("material", i, g.Name)
	m.Name = g.Name
	if m.Name == "" {
		m.Name = fmt.Sprintf("material%d", i)
	}
	m.TwoSided = g.DoubleSided
	switch g.AlphaMode {
	case gltf.AlphaMask:
		m.AlphaMode, m.AlphaCutoff = pbr.Mask, cutoff(g.AlphaCutoffOrDefault())
	case gltf.AlphaBlend:
		m.AlphaMode = pbr.Blend
	}
	m.Emissive = g.EmissiveFactor
	var err error
	channel := func(property string, t *textureInfo, srgb bool) *pbr.Channel {
		if err != nil {
			return nil
		}
		var c *pbr.Channel
		c, err = l.channel(o, property, t, srgb)
		return c
	}
	if p := g.PBRMetallicRoughness; p != nil {
		m.BaseColor = p.BaseColorFactorOrDefault()
		m.Metallic, m.Roughness = p.MetallicFactorOrDefault(), p.RoughnessFactorOrDefault()
		m.BaseColorTexture = channel("baseColorTexture", info(p.BaseColorTexture), true)
		m.MetallicRoughnessTexture = channel("metallicRoughnessTexture", info(p.MetallicRoughnessTexture), false)
	}
	if t := g.NormalTexture; t != nil {
		m.NormalTexture = channel("normalTexture", &textureInfo{t.Index, t.TexCoord, nil, t.Extensions}, false)
		m.NormalScale = some(t.ScaleOrDefault())
	}
	if t := g.OcclusionTexture; t != nil {
		m.OcclusionTexture = channel("occlusionTexture", &textureInfo{t.Index, t.TexCoord, nil, t.Extensions}, false)
		m.OcclusionStrength = some(t.StrengthOrDefault())
	}
	m.EmissiveTexture = channel("emissiveTexture", info(g.EmissiveTexture), true)
	if err != nil {
		return err
	}
	return l.materialExtensions(m, i, o)
}

func info(t *gltf.TextureInfo) *textureInfo {
	if t == nil {
		return nil
	}
	return &textureInfo{&t.Index, t.TexCoord, nil, t.Extensions}
}
