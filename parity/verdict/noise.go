package verdict

import (
	"fmt"
	"strings"
)

// Cause says why a scene does not repeat.
type Cause string

const (
	Repeats          Cause = ""                // it does
	Nondeterministic Cause = "nondeterminism"  // two draws in a row on a warm device differ
	ColdStart        Cause = "cold start"      // the first draw on a fresh device differs from those after it
	LeakedState      Cause = "leaked state"    // it differs after other scenes were drawn on the same device
	DeviceDependent  Cause = "device creation" // each device repeats itself, and two fresh ones differ
)

// Noise is what repeats of one scene measured when nothing was changed between them: on two fresh devices, warm and cold, before and after other
// scenes.
type Noise struct {
	Draws int   `json:"draws"`
	Cause Cause `json:"cause,omitempty"` // empty where every draw has the same pixels
	// Text says which draws differ and by how much.
	Text string `json:"text,omitempty"`
	// Worst is the largest measure between any two draws, by metric; all 0 where the pixels are the same.
	Worst map[string]float64 `json:"worst"`
}

// NoiseFloor says in one line what the repeats of a run showed; empty where none were drawn.
func (r *Run) NoiseFloor() string {
	n := 0
	var bad []string
	for i := range r.Results {
		x := &r.Results[i]
		if x.Noise == nil {
			continue
		}
		n++
		if x.Noise.Cause != Repeats {
			bad = append(bad, x.Scene+": "+x.Noise.Text)
		}
	}
	switch {
	case n == 0:
		return ""
	case len(bad) == 0:
		return fmt.Sprintf("repeated %d of %d scenes, warm, cold, after others and on another device: every draw has the same pixels", n, len(r.Results))
	}
	return fmt.Sprintf("%d of %d repeated scenes do not repeat: %s", len(bad), n, strings.Join(bad, "; "))
}
