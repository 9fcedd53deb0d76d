package gltf

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"darkroom/scenes"
)

// crowd is a file with n of something.
func crowd(kind string, n int) []byte {
	var nodes, meshes, materials, channels, skins []string
	roots := make([]string, n)
	for i := range n {
		roots[i] = fmt.Sprint(i)
	}
	mesh := `{"primitives":[{"attributes":{"POSITION":0}}]}`
	meshes = []string{mesh}
	var list []string // of scenes
	for i := range n {
		node := fmt.Sprintf(`{"mesh":0,"translation":[%d,0,0]}`, i%100)
		switch kind {
		case "chain":
			node = fmt.Sprintf(`{"children":[%d]}`, i+1)
			if i == n-1 {
				node = `{"mesh":0}`
			}
			roots = []string{"0"}
		case "meshes":
			node = fmt.Sprintf(`{"mesh":%d}`, i)
			if i > 0 {
				meshes = append(meshes, mesh)
			}
		case "materials":
			node = fmt.Sprintf(`{"mesh":%d}`, i)
			if i == 0 {
				meshes = nil
			}
			meshes = append(meshes, fmt.Sprintf(`{"primitives":[{"attributes":{"POSITION":0},"material":%d}]}`, i))
			materials = append(materials, `{"pbrMetallicRoughness":{"metallicFactor":0.5}}`)
		case "animated":
			channels = append(channels, fmt.Sprintf(`{"sampler":0,"target":{"node":%d,"path":"translation"}}`, i))
		case "skinned":
			node = fmt.Sprintf(`{"mesh":0,"skin":%d}`, i)
			meshes = []string{`{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":3,"WEIGHTS_0":4}}]}`}
			skins = append(skins, fmt.Sprintf(`{"joints":[%d]}`, i))
		case "scenes":
			list = append(list, fmt.Sprintf(`{"nodes":[%d]}`, i))
		}
		nodes = append(nodes, node)
	}
	if list == nil {
		list = []string{`{"nodes":[` + strings.Join(roots, ",") + `]}`}
	}
	text := `{"asset":{"version":"2.0"},"scene":0,"scenes":[` + strings.Join(list, ",") + `],"nodes":[` + strings.Join(nodes, ",") + `],"meshes":[` + strings.Join(meshes, ",") + `],
"buffers":[{"byteLength":128}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":8},{"buffer":0,"byteOffset":44,"byteLength":24},{"buffer":0,"byteOffset":68,"byteLength":12},{"buffer":0,"byteOffset":80,"byteLength":48}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},{"bufferView":1,"componentType":5126,"count":2,"type":"SCALAR"},{"bufferView":2,"componentType":5126,"count":2,"type":"VEC3"},
{"bufferView":3,"componentType":5121,"count":3,"type":"VEC4"},{"bufferView":4,"componentType":5126,"count":3,"type":"VEC4"}]`
	if materials != nil {
		text += `,"materials":[` + strings.Join(materials, ",") + `]`
	}
	if skins != nil {
		text += `,"skins":[` + strings.Join(skins, ",") + `]`
	}
	if channels != nil {
		text += `,"animations":[{"samplers":[{"input":1,"output":2}],"channels":[` + strings.Join(channels, ",") + `]}]`
	}
	text += "}"
	if !json.Valid([]byte(text)) {
		panic("the crowd of " + kind + " is no JSON")
	}
	bin := le([]float32{0, 0, 0, 1, 0, 0, 0, 1, 0}, []float32{0, 1}, []float32{0, 0, 0, 1, 0, 0}, // a triangle; times; translations
		make([]byte, 12), []float32{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}) // joints, all 0; weights
	return glb(chunkJSON, []byte(text), chunkBIN, bin)
}

var crowds = []string{"nodes", "chain", "meshes", "materials", "animated", "skinned", "scenes"}

// BenchmarkCrowd loads files with many of one thing; ns/item is to be about the
// same for both sizes.
func BenchmarkCrowd(b *testing.B) {
	for _, kind := range crowds {
		for _, n := range []int{2000, 20000} {
			data := crowd(kind, n)
			b.Run(fmt.Sprintf("%s/%d", kind, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					a, err := LoadBytes(data, Options{})
					if err != nil {
						b.Fatal(err)
					}
					s := scenes.New("crowd")
					a.AddTo(s)
					if err := s.Seek(0.5); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/item")
			})
		}
	}
}
