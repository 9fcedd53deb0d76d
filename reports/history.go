package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"darkroom/parity/verdict"
	"darkroom/scenes/files"
)

// historyLine is one scene of one run in the history file.
type historyLine struct {
	Adapter string `json:"adapter"`
	Scene   string `json:"scene"`
	verdict.Point
}

// History holds the measures of earlier runs, by adapter and scene, oldest first.
type History map[string]map[string][]verdict.Point

// historyLength is how many runs of a scene on an adapter are kept.
const historyLength = 60

// LoadHistory reads a history file: one JSON object a line. A file that is not there is an empty history. Lines that cannot be read are left out;
// history is for looking at, and no verdict depends on it.
func LoadHistory(path string) (History, error) {
	b, err := files.Read(path, maxDocument)
	if errors.Is(err, fs.ErrNotExist) {
		return History{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	h := History{}
	in := bufio.NewScanner(bytes.NewReader(b))
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var l historyLine
		if json.Unmarshal(in.Bytes(), &l) == nil && l.Scene != "" && l.Verdict != verdict.Unset {
			h.add(l)
		}
	}
	// Saving replaces the file, and must not replace somebody's other one.
	if len(h) == 0 && len(bytes.TrimSpace(b)) > 0 {
		return nil, fmt.Errorf("history: %s has something in it, but no line of a history; name another file with --history", path)
	}
	return h, nil
}

func (h History) add(l historyLine) {
	if h[l.Adapter] == nil {
		h[l.Adapter] = map[string][]verdict.Point{}
	}
	ps := append(h[l.Adapter][l.Scene], l.Point)
	h[l.Adapter][l.Scene] = ps[max(0, len(ps)-historyLength):]
}

// Fill gives every result of a run its history.
func (h History) Fill(r *verdict.Run) {
	for i := range r.Results {
		x := &r.Results[i]
		x.History = slices.Clone(h[adapterOf(r, x).String()][x.Scene])
	}
}

// Add puts a finished run at the end of the history. Scenes that were not run leave no point.
func (h History) Add(r *verdict.Run) {
	for i := range r.Results {
		x := &r.Results[i]
		if x.Verdict == verdict.NotRun {
			continue
		}
		h.add(historyLine{Adapter: adapterOf(r, x).String(), Scene: x.Scene,
			Point: verdict.Point{Time: r.Started.UTC(), Commit: r.Commit, Verdict: x.Verdict, MAD: x.MAD}})
	}
}

// Save writes the history file, sorted, whole or not at all.
func (h History) Save(path string) error {
	var b bytes.Buffer
	for _, adapter := range sortedKeys(h) {
		for _, scene := range sortedKeys(h[adapter]) {
			for _, p := range h[adapter][scene] {
				line, err := json.Marshal(historyLine{adapter, scene, p})
				if err != nil {
					return fmt.Errorf("history: %w", err)
				}
				b.Write(append(line, '\n'))
			}
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	return files.Write(path, b.Bytes())
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func adapterOf(r *verdict.Run, x *verdict.Result) verdict.Adapter {
	if x.Adapter != nil {
		return *x.Adapter
	}
	return r.Adapter
}
