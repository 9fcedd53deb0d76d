package png

import (
	"bytes"
	"fmt"
	"image"

	"darkroom/scenes/files"
)

// Write encodes a picture to a file, whole or not at all.
func Write(path string, m image.Image, opt Options) error {
	var b bytes.Buffer
	if err := Encode(&b, m, opt); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return files.Write(path, b.Bytes())
}
