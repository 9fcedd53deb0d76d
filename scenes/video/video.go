// Package video reads moving pictures whose frame follows from a time alone:
// animated GIF, Y4M and sequences of PNG files. Each is a shader.FrameSource:
// a picture for t seconds is the frame shown then, the first before the
// beginning and, unless Loop is set, the last after the end.
package video

import (
	"errors"
	"fmt"
	"math"
	"sort"
)

// ErrFormat is returned for data that is not what its reader reads.
var ErrFormat = errors.New("not this video format")

// maxPixels bounds a frame, and maxTotal the frames that are kept in memory.
const (
	maxPixels = 64 << 20
	maxTotal  = 256 << 20
)

// clock turns times into frames.
type clock struct {
	// Loop starts anew after the last frame.
	Loop bool
	ends []float64 // when each frame ends, seconds
}

// steady is the clock of n frames at a rate.
func steady(n int, fps float64) clock {
	c := clock{ends: make([]float64, n)}
	for i := range c.ends {
		c.ends[i] = float64(i+1) / fps
	}
	return c
}

// Frames is the number of frames.
func (c *clock) Frames() int { return len(c.ends) }

// Duration is the time of one run in seconds.
func (c *clock) Duration() float64 { return c.ends[len(c.ends)-1] }

// Frame is the number of the frame that is shown at t seconds. A frame begins
// at its very time, also where that is no exact binary fraction.
func (c *clock) Frame(t float64) int {
	const slack = 1e-9 // times are sums and quotients of small numbers
	if d := c.Duration(); c.Loop && t >= 0 && !math.IsInf(t, 1) {
		if t = math.Mod(t+slack, d) - slack; t < 0 {
			t = 0
		}
	}
	i := sort.Search(len(c.ends), func(i int) bool { return c.ends[i] > t+slack })
	return min(i, len(c.ends)-1)
}

// checkSize refuses frames that are empty or too large.
func checkSize(w, h int) error {
	if w < 1 || h < 1 || w > maxPixels || h > maxPixels || w*h > maxPixels {
		return fmt.Errorf("frames of %dx%d; want 1 to %d pixels", w, h, maxPixels)
	}
	return nil
}
