package gltf

import "github.com/qmuntal/gltf"

// unpacked is a primitive that KHR_draco_mesh_compression held.
type unpacked struct {
	indices []uint32
}

func (u *unpacked) floats(l *loader, object, name string, accessor int, types []gltf.AccessorType) ([]float32, int, bool, error) {
	return nil, 0, false, nil
}

func (u *unpacked) ints(l *loader, object, name string, accessor int) ([]uint32, bool, error) {
	return nil, false, nil
}

func (l *loader) draco(o string, p *gltf.Primitive, mode int) (*unpacked, error) { return nil, nil }

// meshopt decompresses a bufferView that EXT_meshopt_compression packed. It
// reports whether the view is packed.
func (l *loader) meshopt(i int) ([]byte, bool, error) { return nil, false, nil }
