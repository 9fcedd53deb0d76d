package scenes

import (
	"fmt"
	"math"

	"darkroom/material/skin"
)

// BakeSkeleton evaluates clips pose by pose, fps a second from each clip's
// first to its last key, as the reference engine's baker does, and returns the
// joints' matrices of them all. The scene is as before afterwards, but for the
// skeleton's pose, which is that of the last time that was sought.
func (s *Scene) BakeSkeleton(k *Skeleton, fps float64, clips ...*Animation) (*skin.Baked, error) {
	if !(fps > 0) || math.IsInf(fps, 1) || len(clips) == 0 {
		return nil, fmt.Errorf("skeleton %s: baking %d clips at %g frames a second; want at least one, and more than 0", k.Name, len(clips), fps)
	}
	animations, animate := s.Animations, s.Animate
	defer func() { s.Animations, s.Animate = animations, animate }()
	s.Animate = nil
	var rows [][][16]float64
	where := map[string]skin.Clip{}
	for _, a := range clips {
		if _, ok := where[a.Name]; ok {
			return nil, fmt.Errorf("skeleton %s: two clips are called %s; rename one", k.Name, a.Name)
		}
		c := *a
		c.Speed, c.Start, c.Loop, c.Weight, c.Stopped = 1, 0, LoopOnce, nil, false
		s.Animations = []*Animation{&c}
		frames := int(math.Round((c.end()-c.From)*fps)) + 1
		where[a.Name] = skin.Clip{First: len(rows), Frames: frames, FPS: fps}
		for i := range frames {
			if err := s.Seek(float64(i) / fps); err != nil {
				return nil, fmt.Errorf("skeleton %s: baking %s: %w", k.Name, a.Name, err)
			}
			row := make([][16]float64, k.Skin.Joints())
			for j := range row {
				row[j] = k.Skin.Matrix(j)
			}
			rows = append(rows, row)
		}
	}
	return skin.NewBaked(k.Name, rows, where)
}
