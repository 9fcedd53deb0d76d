// Package env reads environments for image-based light and computes what the
// shading needs of them: a prefiltered cube map, irradiance as spherical
// harmonics and the split-sum table.
package env

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"strings"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
	"darkroom/scenes/picture"
)

// Load reads an environment file: .env (Babylon.js, version 1).
func Load(path string) (*material.Environment, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("environment: %w", err)
	}
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".env":
		e, err := Parse(data)
		if err != nil {
			return nil, fmt.Errorf("environment %s: %w", filepath.Base(path), err)
		}
		return e, nil
	default:
		return nil, fmt.Errorf("environment %s: files ending in %q are not read; .env is", filepath.Base(path), ext)
	}
}

var magic = []byte{0x86, 0x16, 0x87, 0x96, 0xf6, 0xd6, 0x96, 0x36}

// Parse reads a .env file: eight bytes, a JSON header that a NUL ends, and PNG
// faces, mip after mip, colours encoded as RGBD.
func Parse(data []byte) (*material.Environment, error) {
	if !bytes.HasPrefix(data, magic) {
		return nil, fmt.Errorf("it does not begin like a .env file")
	}
	end := bytes.IndexByte(data, 0)
	if end < 0 {
		return nil, fmt.Errorf("its header has no end")
	}
	var head struct {
		Version    int                  `json:"version"`
		Width      int                  `json:"width"`
		ImageType  string               `json:"imageType"`
		Irradiance map[string][]float64 `json:"irradiance"`
		Specular   struct {
			Mipmaps []struct {
				Position int `json:"position"`
				Length   int `json:"length"`
			} `json:"mipmaps"`
			LodScale float64 `json:"lodGenerationScale"`
		} `json:"specular"`
	}
	if err := json.Unmarshal(data[len(magic):end], &head); err != nil {
		return nil, fmt.Errorf("its header is not JSON: %w", err)
	}
	if head.Width < 1 || head.Width > 4096 || head.Width&(head.Width-1) != 0 {
		return nil, fmt.Errorf("its width %d is not a power of two up to 4096", head.Width)
	}
	mips := bits.Len(uint(head.Width))
	if len(head.Specular.Mipmaps) != mips*6 {
		return nil, fmt.Errorf("it has %d faces, want %d for a width of %d", len(head.Specular.Mipmaps), mips*6, head.Width)
	}
	body := data[end+1:]
	px := &texture.Pixels{Width: head.Width, Height: head.Width, Layers: 6, Dimension: composer.ViewCube}
	for mip := range mips {
		size := head.Width >> mip
		level := make([]byte, 0, size*size*8*6)
		for face := range 6 {
			m := head.Specular.Mipmaps[mip*6+face]
			if m.Position < 0 || m.Length < 0 || m.Position > len(body) || m.Length > len(body)-m.Position {
				return nil, fmt.Errorf("face %d of mip %d lies outside the file", face, mip)
			}
			p, err := picture.Decode(body[m.Position:m.Position+m.Length], picture.Options{MaxPixels: 4096 * 4096})
			if err != nil {
				return nil, fmt.Errorf("face %d of mip %d: %w", face, mip, err)
			}
			if p.Width != size || p.Height != size || p.Pix == nil {
				return nil, fmt.Errorf("face %d of mip %d is %dx%d, want %dx%d", face, mip, p.Width, p.Height, size, size)
			}
			level = append(level, rgbd(p)...)
		}
		px.Levels = append(px.Levels, level)
	}
	e := &material.Environment{
		Specular:  &texture.Texture{Name: "environment", Format: composer.RGBA16Float, Source: px, Sampler: texture.Sampler{AddressU: composer.AddressClamp, AddressV: composer.AddressClamp, AddressW: composer.AddressClamp}},
		Intensity: 1, LodScale: 0.8,
	}
	if head.Specular.LodScale > 0 {
		e.LodScale = head.Specular.LodScale
	}
	var poly [9][3]float64
	for i, k := range []string{"x", "y", "z", "xx", "yy", "zz", "yz", "zx", "xy"} {
		v := head.Irradiance[k]
		if len(v) != 3 {
			return nil, fmt.Errorf("its irradiance lacks %s", k)
		}
		copy(poly[i][:], v)
	}
	e.SH = harmonics(poly)
	e.BRDF = BRDF()
	return e, nil
}

// rgbd decodes a face to half floats: colour to the power 2.2 over the
// divisor in alpha, rows turned upside down as the engine uploads them.
func rgbd(p *picture.Picture) []byte {
	out := make([]byte, p.Width*p.Height*8)
	var linear [256]float64
	for i := range linear {
		linear[i] = math.Pow(float64(i)/255, 2.2)
	}
	for y := range p.Height {
		for x := range p.Width {
			s := p.Pix[(y*p.Width+x)*4:]
			d := math.Max(float64(s[3])/255, 1.0/255)
			putHalf(out[((p.Height-1-y)*p.Width+x)*8:], float32(linear[s[0]]/d), float32(linear[s[1]]/d), float32(linear[s[2]]/d), 1)
		}
	}
	return out
}

// harmonics turns an irradiance polynomial (x, y, z, xx, yy, zz, yz, zx, xy)
// into harmonics that are scaled for the shader's sum: Babylon.js,
// SphericalHarmonics.FromPolynomial and preScaleForRendering.
func harmonics(p [9][3]float64) (sh [9][3]float64) {
	c0 := math.Sqrt(1/(4*math.Pi)) * math.Pi
	c1 := math.Sqrt(3/(4*math.Pi)) * math.Pi
	c2 := math.Sqrt(15/(4*math.Pi)) * math.Pi
	c20 := math.Sqrt(5/(16*math.Pi)) * math.Pi
	c22 := math.Sqrt(15/(16*math.Pi)) * math.Pi
	for i := range 3 {
		x, y, z, xx, yy, zz, yz, zx, xy := p[0][i], p[1][i], p[2][i], p[3][i], p[4][i], p[5][i], p[6][i], p[7][i], p[8][i]
		sh[0][i] = (xx*0.376127 + yy*0.376127 + zz*0.376126) * c0
		sh[1][i] = y * 0.977204 * c1
		sh[2][i] = z * 0.977204 * c1
		sh[3][i] = x * 0.977204 * c1
		sh[4][i] = xy * 1.16538 * c2
		sh[5][i] = yz * 1.16538 * c2
		sh[6][i] = (zz*1.34567 - xx*0.672834 - yy*0.672834) * c20
		sh[7][i] = zx * 1.16538 * c2
		sh[8][i] = (xx*1.16538 - yy*1.16538) * c22
	}
	return sh
}
