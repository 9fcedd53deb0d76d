package catalogue

import (
	"context"
	"encoding/binary"
	"math"

	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/texture"
	"darkroom/scenes/env"
	"darkroom/scenes/mesh"
)

// under is a row of metal and paint under an environment, with the environment
// as a blurred sky.
func under(name, description string, light func() (*material.Environment, error)) *Entry {
	return ownPBRIn("own_pbr_environment.go", "environment-"+name, description, func(b *bench) {
		var err error
		if b.Environment, err = light(); err != nil {
			b.err = err
			return
		}
		b.two(func(i int, lower bool) *pbr.Material {
			m := plain("sample", 0.25*float64(i), 0.9, 0.9, 0.9)
			if lower {
				m.Metallic = 1
			}
			return m
		})
		sky := pbr.New("sky")
		sky.Backdrop, sky.Roughness = true, 0.35
		eye := b.Camera.Rig.Eye()
		b.put("sky", sky, eye[0], eye[1], eye[2])(mesh.CreateBox(mesh.BoxOptions{Size: 90}))
	})
}

func ownEnvironmentTurned() *Entry {
	return under("turned", "the studio turned by a radian and dimmed, and its blurred sky", func() (*material.Environment, error) {
		e, err := studio()
		if err == nil {
			e.RotationY, e.Intensity = 1, 0.6
		}
		return e, err
	})
}

// ownEnvironmentHDR goes through a Radiance file: the panorama as RGBE in runs.
func ownEnvironmentHDR() *Entry {
	return under("hdr", "the studio by way of a Radiance .hdr file", func() (*material.Environment, error) {
		p := studioPanorama()
		file := []byte("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 64 +X 128\n")
		for y := range p.Height {
			file = append(file, 2, 2, 0, byte(p.Width))
			var planes [4][]byte
			for x := range p.Width {
				c := p.Pix[(y*p.Width+x)*4:][:3]
				fraction, exponent := math.Frexp(float64(max(c[0], c[1], c[2])))
				scale := fraction * 256 / float64(max(c[0], c[1], c[2]))
				for k := range 3 {
					planes[k] = append(planes[k], byte(float64(c[k])*scale))
				}
				planes[3] = append(planes[3], byte(exponent+128))
			}
			for _, plane := range planes {
				file = append(append(file, byte(p.Width)), plane...) // one dump of 128 bytes
			}
		}
		return env.ParseWith(context.Background(), file, env.Options{Size: 64, Samples: 64, Supersample: true})
	})
}

// ownEnvironmentDDS goes through a .dds file: the prefiltered cube in half
// floats. Its harmonics are those of the cube.
func ownEnvironmentDDS() *Entry {
	return under("dds", "the studio by way of a half-float .dds cube", func() (*material.Environment, error) {
		e, err := studio()
		if err != nil {
			return nil, err
		}
		cube := e.Specular.Source.(*texture.Pixels)
		head := make([]byte, 128)
		copy(head, "DDS ")
		for at, v := range map[int]uint32{
			1: 124, 2: 0x21007, 3: uint32(cube.Height), 4: uint32(cube.Width), 7: uint32(len(cube.Levels)), // size, flags, height, width, mips
			19: 32, 20: 4, 21: 113, // pixel format: a four-character code, D3DFMT_A16B16G16R16F
			27: 0x401008, 28: 0xfe00, // caps: complex, mips, texture; a cube with all faces
		} {
			binary.LittleEndian.PutUint32(head[at*4:], v)
		}
		file := head
		for side := range 6 {
			for mip, level := range cube.Levels {
				n := max(1, cube.Width>>mip)
				file = append(file, level[side*n*n*8:][:n*n*8]...)
			}
		}
		return env.Parse(file)
	})
}
