// Package surfaces draws what a scene's surfaces are instead of how they look:
// depth, normals, positions, albedo, velocity and more, each into a texture of
// its own, in one pass. Effects read them: ambient occlusion, reflections,
// motion blur. The lit families store them; see material/surface.
package surfaces

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// Kind is something that is stored of a surface.
type Kind string

// Kinds. Positions, normals and velocity are rgba16float unless Formats says otherwise.
const (
	// Irradiance is the diffuse light that leaves the surface, linear; black for
	// the standard family, which does not keep it apart.
	Irradiance Kind = "irradiance"
	// WorldPosition and LocalPosition are in scene units; the latter is before
	// the world matrix and after morph targets.
	WorldPosition Kind = "worldPosition"
	LocalPosition Kind = "localPosition"
	// Reflectivity is the linear reflectance at normal incidence; its alpha is the gloss.
	Reflectivity Kind = "reflectivity"
	// ViewDepth is the distance along the line of sight in scene units,
	// NormalizedViewDepth that from 0 at the near plane to 1 at the far one, and
	// ScreenDepth what the depth buffer holds.
	ViewDepth           Kind = "viewDepth"
	NormalizedViewDepth Kind = "normalizedViewDepth"
	ScreenDepth         Kind = "screenDepth"
	// ViewNormal is in the camera's space; WorldNormal is scaled to 0…1.
	ViewNormal  Kind = "viewNormal"
	WorldNormal Kind = "worldNormal"
	// Albedo is the texture's and the vertices' colour, of the physically based
	// family the diffuse part of it.
	Albedo Kind = "albedo"
	// Velocity is half the way in clip space (x right, y up) from where the
	// surface is to where it was in the frame before, with the instances' matrices
	// and the joints that moved it, baked or not; morph targets are taken to stand
	// still, as in Babylon.js.
	// It needs Scene.Frames of 2 or more.
	Velocity Kind = "velocity"
)

// Format is the format of a kind's texture; Babylon.js, GeometryTextureDescriptions.
func (k Kind) Format() composer.TextureFormat {
	switch k {
	case Reflectivity, Albedo:
		return composer.RGBA8Unorm
	case ViewDepth:
		return composer.R32Float
	case NormalizedViewDepth, ScreenDepth:
		return composer.R16Float
	}
	return composer.RGBA16Float
}

// Options are what Draw may be told besides the kinds.
type Options struct {
	Name string // of the pass; empty means "surfaces"
	// Camera and Only are those of the pass.
	Camera *scenes.Camera
	Only   []*scenes.Node
	// Width and Height in pixels; zero means the canvas's.
	Width, Height int
	// Samples of the targets; zero means 1. More are averaged, which depths and
	// normals do not bear well.
	Samples int
	// Depth, where set, keeps the depth.
	Depth *texture.Texture
	// Color, where set, takes the lit colour along.
	Color *texture.Texture
	// Formats replace those of kinds.
	Formats map[Kind]composer.TextureFormat
}

// Draw returns the pass that stores kinds, and where.
func Draw(o Options, kinds ...Kind) (*scenes.ScenePass, map[Kind]*texture.Texture, error) {
	if o.Name == "" {
		o.Name = "surfaces"
	}
	p := &scenes.ScenePass{Name: o.Name, Camera: o.Camera, Only: o.Only}
	p.Depth, p.Outputs, p.Samples = o.Depth, map[string]int{}, o.Samples
	out := map[Kind]*texture.Texture{}
	for _, k := range kinds {
		if !slices.Contains(surface.Outputs(), string(k)) {
			return nil, nil, fmt.Errorf("pass %s: %q is nothing that can be stored of a surface; want one of %s", o.Name, k, strings.Join(surface.Outputs(), ", "))
		}
		if out[k] != nil {
			return nil, nil, fmt.Errorf("pass %s: %s is asked for twice", o.Name, k)
		}
		f := k.Format()
		if own := o.Formats[k]; own != "" {
			f = own
		}
		clamp, nearest := composer.AddressClamp, composer.FilterNearest
		t := &texture.Texture{
			Name: o.Name + " " + string(k), Format: f, Source: &texture.Target{Width: o.Width, Height: o.Height, Samples: o.Samples},
			Sampler: texture.Sampler{AddressU: clamp, AddressV: clamp, AddressW: clamp, Mag: nearest, Min: nearest, Mip: nearest},
		}
		clear := scenes.Color4{}
		if k == NormalizedViewDepth {
			clear = scenes.Color4{1, 1, 1, 1}
		}
		p.Outputs[string(k)] = len(p.Color)
		p.Color, p.Clears = append(p.Color, t), append(p.Clears, &clear)
		out[k] = t
	}
	if len(kinds) == 0 {
		return nil, nil, fmt.Errorf("pass %s: nothing is to be stored; name a kind", o.Name)
	}
	if o.Color != nil {
		p.Outputs["color"] = len(p.Color)
		p.Color = append(p.Color, o.Color)
	}
	p.Views = make([]material.View, len(p.Color))
	return p, out, nil
}
