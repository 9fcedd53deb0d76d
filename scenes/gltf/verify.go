package gltf

import (
	"errors"

	"github.com/qmuntal/gltf"

	"darkroom/material/pbr"
	"darkroom/scenes/picture"
)

// verify looks at what no scene uses, so that a broken file is refused whatever
// it shows. What only is not there, such as a buffer without a uri, may be
// missing where nothing needs it.
func (l *loader) verify() error {
	l.dry = true
	defer func() { l.dry = false }()
	return firstError(l.verifyBuffers, l.verifyAccessors, l.verifyMeshes, l.verifyMaterials, l.verifyImages, l.verifySkins)
}

// unless drops errors about what may be missing.
func (l *loader) unless(err error) error {
	switch {
	case errors.Is(err, errNoURI), errors.Is(err, errNotUsable):
		return nil
	case errors.Is(err, errAbsent):
		l.warn("not used: %v", err)
		return nil
	}
	return err
}

// verifyBuffers reads the buffers that are named, used or not.
func (l *loader) verifyBuffers() error {
	for i := range l.doc.Buffers {
		if _, err := l.buffer(i); err != nil {
			if err := l.unless(err); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loader) verifyAccessors() error {
	for i, a := range l.doc.Accessors {
		if l.doc.unusable(i) != nil || a.BufferView == nil && a.Sparse == nil {
			continue
		}
		s, err := l.source(i)
		if err != nil {
			if err := l.unless(err); err != nil {
				return err
			}
			continue
		}
		if s.data == nil && s.sparse == nil || s.typ != typeFloat || l.floatCache[i] != nil {
			continue
		}
		n := s.elem.components()
		var buf [16]float32
		check := func(s *source, what string) error {
			if s.data == nil {
				return nil
			}
			for e := range s.count {
				s.element(e, buf[:n])
				for k, v := range buf[:n] {
					if notFinite(v) {
						return bad(named("accessor", i, a.Name), "component %d of %s %d is %v", k, what, e, v)
					}
				}
			}
			return nil
		}
		if err := check(&s, "element"); err != nil {
			return err
		}
		if s.sparse != nil {
			if err := check(&s.sparse.values, "sparse element"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loader) verifyMeshes() error {
	for i := range l.doc.Meshes {
		if _, ok := l.meshes[i]; ok {
			continue
		}
		before := l.left
		_, err := l.mesh(i)
		delete(l.meshes, i)
		l.left = before // it is let go
		if err := l.unless(err); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) verifyMaterials() error {
	for i := range l.doc.Materials {
		if l.materials[i] == nil {
			if err := l.unless(l.fill(pbr.New(""), i)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loader) verifyImages() error {
	for i, m := range l.doc.Images {
		if l.images[i] != nil || m.BufferView == nil && m.URI == "" {
			continue
		}
		o := named("image", i, m.Name)
		var data []byte
		var err error
		if m.BufferView != nil {
			data, err = l.view(*m.BufferView)
		} else {
			data, err = l.resource(o, m.URI, 64)
		}
		if err != nil {
			if err := l.unless(err); err != nil {
				return err
			}
			continue
		}
		switch f := picture.Sniff(data); f {
		case "png", "jpeg", "webp", "ktx2":
		default:
			l.warn("not used: %s: its %s are no PNG, JPEG, WebP or KTX2 file", o, count(len(data), "byte"))
		}
	}
	return nil
}

func (l *loader) verifySkins() error {
	for i, s := range l.doc.Skins {
		if s.InverseBindMatrices == nil {
			continue
		}
		_, _, err := l.floats(named("skin", i, s.Name)+" inverseBindMatrices", *s.InverseBindMatrices, gltf.AccessorMat4)
		if err := l.unless(err); err != nil {
			return err
		}
	}
	return nil
}
