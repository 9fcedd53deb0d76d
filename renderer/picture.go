package renderer

import (
	"context"

	"darkroom/composer"
	"darkroom/scenes"
)

// Picture draws a scene once in the given format and returns its rows, tight
// and the top one first. With Name it makes the renderer a device for what
// wants to compute in pictures (package env).
func (r *Renderer) Picture(ctx context.Context, s *scenes.Scene, width, height int, format composer.TextureFormat) ([]byte, error) {
	f, err := r.Render(ctx, s, Settings{Width: width, Height: height, Samples: 1, Format: format})
	if err != nil {
		return nil, err
	}
	return f.Pix, nil
}

// Name tells the adapter and its driver apart from others.
func (r *Renderer) Name() string {
	a := r.Adapter()
	return a.Name + ", " + a.Driver + " " + a.DriverInfo
}
