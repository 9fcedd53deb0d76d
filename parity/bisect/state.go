package bisect

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"darkroom/scenes/files"
)

// state is what a search has found out, as it is kept on disk.
type state struct {
	Version int    `json:"version"`
	Search  string `json:"search"` // what is searched, so that another search's state is not taken
	// Reference is the picture of the good end.
	Reference string `json:"reference,omitempty"`
	// Verdicts by commit, in the order in which they were given.
	Verdicts []Verdict `json:"verdicts"`

	path string
}

const stateVersion = 1

// digest is a short name for texts.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))[:24]
}

// loadState reads the state of a search, or begins a new one.
func loadState(path, search string, resume bool) (*state, error) {
	s := &state{Version: stateVersion, Search: search, path: path}
	if !resume {
		return s, nil
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	var old state
	if err := json.Unmarshal(b, &old); err != nil {
		return nil, fmt.Errorf("state %s: %w; remove it, or leave --resume out", path, err)
	}
	if old.Version != stateVersion || old.Search != search {
		return nil, fmt.Errorf("state %s is of another search (scene, ends, limits, adapter or program differ); leave --resume out to begin anew", path)
	}
	old.path = path
	return &old, nil
}

// add records a verdict; when it returns the file is on disk.
func (s *state) add(v Verdict) error {
	s.Verdicts = append(s.Verdicts, v)
	return s.save()
}

func (s *state) save() error {
	b, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	return files.Write(s.path, append(b, '\n'))
}

func (s *state) find(commit string) *Verdict {
	for i := range s.Verdicts {
		if s.Verdicts[i].Commit == commit {
			return &s.Verdicts[i]
		}
	}
	return nil
}

func oneLine(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	return s
}
