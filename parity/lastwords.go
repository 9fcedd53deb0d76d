package parity

import (
	"bytes"
	"strings"
	"sync"
)

// lastWords is the standard error of a worker: its beginning, where a driver
// says what happened, and its end, behind which a runtime's dump may be long.
type lastWords struct {
	mu   sync.Mutex
	head []byte
	tail []byte
	cut  bool // something between the two was dropped
	lost bool
}

const (
	headSize = 2048
	tailSize = 4096
)

// lossPhrases are how drivers and wgpu name a device that is gone.
var lossPhrases = [][]byte{[]byte("device lost"), []byte("devicelost"), []byte("device is lost"), []byte("error_device_lost")}

// Write implements io.Writer.
func (w *lastWords) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(p)
	if !w.lost {
		// A phrase may begin in what was written before.
		before := w.tail[max(0, len(w.tail)-32):]
		if len(w.tail) == 0 {
			before = w.head[max(0, len(w.head)-32):]
		}
		text := bytes.ToLower(append(bytes.Clone(before), p...))
		for _, phrase := range lossPhrases {
			w.lost = w.lost || bytes.Contains(text, phrase)
		}
	}
	if room := headSize - len(w.head); room > 0 {
		k := min(room, len(p))
		w.head = append(w.head, p[:k]...)
		p = p[k:]
	}
	w.tail = append(w.tail, p...)
	if over := len(w.tail) - tailSize; over > 0 {
		w.tail = append(w.tail[:0], w.tail[over:]...)
		w.cut = true
	}
	return n, nil
}

// deviceLost reports whether the text, dropped parts included, speaks of a lost device.
func (w *lastWords) deviceLost() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lost
}

func (w *lastWords) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := string(w.head)
	if w.cut {
		s += "\n…\n"
	}
	return strings.TrimSpace(s + string(w.tail))
}
