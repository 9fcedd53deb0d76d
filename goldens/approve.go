package goldens

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"darkroom/scenes/files"

	"darkroom/goldens/picture"
	"darkroom/goldens/png"
)

// ErrRefused is wrapped by every refusal to approve.
var ErrRefused = errors.New("approval is refused")

// Candidate is a picture that may become a golden.
type Candidate struct {
	Picture image.Image
	// From is what is known of its origin. Scene and Key must be set; Pixels is filled in.
	From Provenance
	// Passes: the run judged it within the limits of the present golden.
	Passes bool
	// Fault says why the run that drew it could not bless it, such as a crash; empty where there is nothing against it.
	Fault string
	// NonFinite is the number of texels with NaN or Inf in the float target it was made from.
	NonFinite int
	// BlankOK: the scene says that it may be of one colour.
	BlankOK bool
}

// ApproveOptions for Plan.
type ApproveOptions struct {
	// All replaces goldens of pictures that pass, too. Without it only what fails is touched, so that a change in one scene does not rewrite
	// the last bit of a hundred others.
	All bool
	// Dirty says why the adapter that drew the candidates cannot be trusted (its canary differs from the record, say); empty where it can.
	Dirty string
	// Getenv is os.Getenv where nil. Approval is refused where CI is set: what a machine blesses by itself nobody has looked at.
	Getenv func(string) string
}

// Action is what a plan does with one candidate.
type Action string

const (
	Add     Action = "add"     // there is no golden under this key
	Replace Action = "replace" // there is one and it differs
	Keep    Action = "keep"    // nothing to do
	Refuse  Action = "refuse"  // it must not become a golden
)

// Item is one line of a plan.
type Item struct {
	Scene     string
	Key       string
	Path      string
	Action    Action
	Reason    string // of a refusal, or why nothing is to be done
	OldDigest string // of the pixels, where known
	NewDigest string

	old       string // SHA-256 of the present PNG file, empty where there is none
	candidate Candidate
}

// Plan is what an approval will change. It changes nothing until Apply.
type Plan struct {
	Items []Item
	root  string
}

// Plan works out what approving the candidates would do.
func (s *Store) Plan(cs []Candidate, opt ApproveOptions) (*Plan, error) {
	getenv := opt.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	if v := getenv("CI"); v != "" && v != "false" && v != "0" {
		return nil, fmt.Errorf("%w: CI is set (%q); approve on a machine where somebody looks at the pictures, and commit them", ErrRefused, v)
	}
	if opt.Dirty != "" {
		return nil, fmt.Errorf("%w: the adapter is not in its recorded state: %s", ErrRefused, opt.Dirty)
	}
	p := &Plan{root: s.Root}
	seen := map[string]bool{}
	for _, c := range cs {
		it, err := s.item(c, opt)
		if err != nil {
			return nil, err
		}
		if seen[it.Path] {
			return nil, fmt.Errorf("%w: scene %s has two candidates for key %s", ErrRefused, it.Scene, it.Key)
		}
		seen[it.Path] = true
		p.Items = append(p.Items, it)
	}
	slices.SortFunc(p.Items, func(a, b Item) int { return strings.Compare(a.Path, b.Path) })
	return p, nil
}

func (s *Store) item(c Candidate, opt ApproveOptions) (Item, error) {
	for _, n := range []string{c.From.Scene, c.From.Key} {
		if err := CheckName(n); err != nil {
			return Item{}, err
		}
	}
	it := Item{Scene: c.From.Scene, Key: c.From.Key, Path: s.Path(c.From.Scene, c.From.Key), candidate: c}
	refuse := func(format string, args ...any) (Item, error) {
		it.Action, it.Reason = Refuse, fmt.Sprintf(format, args...)
		return it, nil
	}
	if c.Fault != "" {
		return refuse("%s", c.Fault)
	}
	if c.Picture == nil {
		return refuse("there is no picture")
	}
	var err error
	if it.NewDigest, err = picture.Digest(c.Picture); err != nil {
		return it, fmt.Errorf("scene %s: %w", it.Scene, err)
	}
	it.candidate.From.Pixels = it.NewDigest
	if c.NonFinite > 0 {
		return refuse("%d texels were NaN or Inf before tone mapping", c.NonFinite)
	}
	if why, err := picture.Blank(c.Picture); err != nil {
		return it, err
	} else if why != "" && !c.BlankOK {
		return refuse("the picture is blank: %s", why)
	}

	old, err := os.ReadFile(it.Path)
	if errors.Is(err, fs.ErrNotExist) {
		it.Action = Add
		return it, nil
	}
	if err != nil {
		return it, err
	}
	it.old = fileDigest(old)
	it.Action = Replace
	if m, _, err := png.Decode(old, s.Caps); err == nil { // one that cannot be read may be replaced
		if it.OldDigest, err = picture.Digest(m); err != nil {
			return it, err
		}
	}
	same := it.OldDigest == it.NewDigest
	switch {
	case same && s.upToDate(it):
		it.Action, it.Reason = Keep, "the pixels are the same"
	case same:
		it.Reason = "the pixels are the same; provenance is renewed"
	case c.Passes && !opt.All:
		it.Action, it.Reason = Keep, "the picture passes; its golden stays"
	}
	return it, nil
}

// upToDate reports whether the golden with the same pixels was made from the same scene by the same shaders, and says what is known of its limits and noise.
func (s *Store) upToDate(it Item) bool {
	b, err := os.ReadFile(manifestPath(it.Path))
	if err != nil {
		return false
	}
	m, err := parseManifest(b)
	if err != nil || m.File != it.old {
		return false
	}
	from := it.candidate.From
	return m.SceneHash == from.SceneHash && (from.ShaderHash == "" || m.ShaderHash == from.ShaderHash) &&
		(m.Limits != nil || from.Limits == nil) && (m.Noise != nil || from.Noise == nil)
}

func fileDigest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Changes are the items that Apply will write.
func (p *Plan) Changes() []Item {
	return slices.DeleteFunc(slices.Clone(p.Items), func(it Item) bool { return it.Action != Add && it.Action != Replace })
}

// Refused are the items that stand in the way of Apply.
func (p *Plan) Refused() []Item {
	return slices.DeleteFunc(slices.Clone(p.Items), func(it Item) bool { return it.Action != Refuse })
}

// String is the plan for a person, a line an item.
func (p *Plan) String() string {
	var b strings.Builder
	for _, it := range p.Items {
		fmt.Fprintf(&b, "%-7s %s", it.Action, it.Path)
		if it.Action == Replace && it.OldDigest != it.NewDigest {
			fmt.Fprintf(&b, " (%s → %s)", orNone(short(it.OldDigest)), short(it.NewDigest))
		}
		if it.Reason != "" {
			fmt.Fprintf(&b, ": %s", it.Reason)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func orNone(s string) string {
	if s == "" {
		return "unreadable"
	}
	return s
}

// Apply carries a plan out: all of it, or none. Every file is written and synced under a temporary name before the first one is renamed into
// place; when a rename fails, those before it are taken back. A golden that changed since the plan was made is an error, and so is a plan with
// refusals: name the scenes that are meant.
func (p *Plan) Apply() error {
	if r := p.Refused(); len(r) > 0 {
		return fmt.Errorf("%w: %d of %d pictures, first %s: %s", ErrRefused, len(r), len(p.Items), r[0].Scene, r[0].Reason)
	}
	var moves []move
	defer func() {
		for _, m := range moves {
			os.Remove(m.tmp)
			if m.backup != "" {
				os.Remove(m.backup)
			}
		}
	}()
	for _, it := range p.Changes() {
		now := ""
		if b, err := os.ReadFile(it.Path); err == nil {
			now = fileDigest(b)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if now != it.old {
			return fmt.Errorf("%w: %s changed since the plan was made; plan again", ErrRefused, it.Path)
		}
		picture, manifest, err := it.files()
		if err != nil {
			return err
		}
		// The picture first: a manifest that is ahead of its picture is refused by Find, and the picture alone carries its provenance.
		for _, f := range []struct {
			path string
			b    []byte
		}{{it.Path, picture}, {manifestPath(it.Path), manifest}} {
			tmp, err := files.Stage(f.path, f.b)
			if err != nil {
				return err
			}
			moves = append(moves, move{tmp: tmp, path: f.path})
		}
	}
	for i := range moves {
		if err := moves[i].do(); err != nil {
			for j := i - 1; j >= 0; j-- {
				err = errors.Join(err, moves[j].undo())
			}
			return fmt.Errorf("approval was taken back: %w", err)
		}
	}
	return nil
}

// files are the PNG and the manifest of an item.
func (it *Item) files() (picture, manifest []byte, err error) {
	from := it.candidate.From
	text, err := json.Marshal(from)
	if err != nil {
		return nil, nil, fmt.Errorf("scene %s: provenance: %w", it.Scene, err)
	}
	var b bytes.Buffer
	err = png.Encode(&b, it.candidate.Picture, png.Options{Effort: png.Small, Text: []png.Text{{Keyword: Keyword, Text: string(text)}}})
	if err != nil {
		return nil, nil, fmt.Errorf("scene %s: %w", it.Scene, err)
	}
	m := Manifest{Provenance: from, File: fileDigest(b.Bytes()), Bytes: int64(b.Len())}
	manifest, err = json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, nil, fmt.Errorf("scene %s: manifest: %w", it.Scene, err)
	}
	return b.Bytes(), append(manifest, '\n'), nil
}

// move is a staged file on its way, and the former one to go back to.
type move struct {
	tmp, path, backup string
	existed           bool
}

func (m *move) do() error {
	if _, err := os.Lstat(m.path); err == nil {
		m.existed = true
		m.backup = filepath.Join(filepath.Dir(m.path), "."+filepath.Base(m.path)+".old.tmp")
		os.Remove(m.backup)
		if err := os.Link(m.path, m.backup); err != nil { // no hard links here: copy
			b, err := os.ReadFile(m.path)
			if err != nil {
				return err
			}
			if err := os.WriteFile(m.backup, b, 0o644); err != nil {
				return err
			}
		}
	}
	return files.Commit(m.tmp, m.path)
}

func (m *move) undo() error {
	if m.existed {
		return os.Rename(m.backup, m.path)
	}
	return os.Remove(m.path)
}
