package goldens

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"darkroom/goldens/picture"
	"darkroom/goldens/png"
)

var (
	// ErrMissing: no golden under any key of the chain.
	ErrMissing = errors.New("golden is missing")
	// ErrUnreadable: a golden is there and cannot be used: corrupt, too large, of a foreign colour encoding, or not the file its manifest describes.
	ErrUnreadable = errors.New("golden cannot be used")
	// ErrStale: the golden was made from another version of the scene.
	ErrStale = errors.New("golden is stale")
)

// Store is a folder of goldens. Its zero value is not useful; set Root.
type Store struct {
	Root string
	Caps png.Caps
}

// Provenance says where a golden comes from. It is written into the PNG and into the manifest.
type Provenance struct {
	Scene      string             `json:"scene"`
	Key        string             `json:"key"`
	SceneHash  string             `json:"scene_hash,omitempty"`  // of the scene's description
	ShaderHash string             `json:"shader_hash,omitempty"` // of the composed shaders
	Commit     string             `json:"commit,omitempty"`      // of the code that drew it
	Adapter    Adapter            `json:"adapter"`
	Binding    string             `json:"binding,omitempty"` // name and version of the WebGPU binding
	Limits     map[string]float64 `json:"limits,omitempty"`  // at blessing, by metric
	Noise      map[string]float64 `json:"noise,omitempty"`   // largest difference between repeats at blessing, by metric
	// CaptureMAD is the MAD from a capture of another origin, such as the reference engine on a GPU: what the picture itself is worth.
	CaptureMAD *float64 `json:"capture_mad,omitempty"`
	// CostMS is the time in milliseconds that the scene took at blessing, verdict and all; shards are balanced by it.
	CostMS  float64   `json:"cost_ms,omitempty"`
	Blessed time.Time `json:"blessed,omitzero"`
	Reason  string    `json:"reason,omitempty"` // why the former golden was replaced
	Pixels  string    `json:"pixels"`           // picture.Digest
}

// Manifest is the JSON file beside a golden.
type Manifest struct {
	Provenance
	File  string `json:"file"` // SHA-256 of the PNG file
	Bytes int64  `json:"bytes"`
}

// Keyword of the iTXt chunk that holds a golden's Provenance as JSON.
const Keyword = "darkroom"

// Source says which link of the chain a golden is.
type Source string

const (
	SourceExact     Source = "exact"     // this adapter with this driver
	SourceClass     Source = "class"     // this kind of adapter
	SourceReference Source = "reference" // another engine
	SourceFlat      Source = "flat"      // ROOT/SCENE.png
)

// Golden is one that was found.
type Golden struct {
	Scene  string
	Key    string // empty for a flat one
	Source Source
	Path   string
	// From is what is known of its origin: from the manifest, or else from the PNG; nil where neither says anything.
	From *Provenance
	// Digest of its pixels where the manifest vouches for the file; empty otherwise.
	Digest string
	// Notes are what one should know and what is no reason to refuse it.
	Notes []string

	file []byte
	caps png.Caps
}

// Same reports whether a picture with this digest is the golden to the byte, as far as can be told without decoding the golden.
func (g *Golden) Same(digest string) bool { return digest != "" && g.Digest == digest }

// Picture decodes the golden.
func (g *Golden) Picture() (image.Image, error) {
	m, info, err := png.Decode(g.file, g.caps)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrUnreadable, g.Path, err)
	}
	if f := info.Foreign(); f != "" {
		return nil, fmt.Errorf("%w: %s declares %s, so its numbers are no sRGB; convert it and take the chunk away", ErrUnreadable, g.Path, f)
	}
	if g.From != nil && g.From.Pixels != "" {
		d, err := picture.Digest(m)
		if err != nil {
			return nil, err
		}
		if d != g.From.Pixels {
			return nil, fmt.Errorf("%w: %s: its pixels are not those it was blessed with; restore the file or approve it again", ErrUnreadable, g.Path)
		}
	}
	return m, nil
}

// Find is the golden of a scene for an adapter. sceneHash and shaderHash are those of today; an empty one is not compared.
//
// The error wraps ErrMissing, ErrUnreadable or ErrStale. With ErrStale the golden is returned as well, for the report.
func (s *Store) Find(scene string, a Adapter, sceneHash, shaderHash string) (*Golden, error) {
	if err := CheckName(scene); err != nil {
		return nil, err
	}
	return s.first(scene, s.chain(scene, a), sceneHash, shaderHash)
}

// FindKey is the golden of a scene under one key alone, for runs that judge against a chosen witness. Errors are those of Find.
func (s *Store) FindKey(scene, key, sceneHash, shaderHash string) (*Golden, error) {
	if err := CheckName(scene); err != nil {
		return nil, err
	}
	if err := CheckName(key); err != nil {
		return nil, err
	}
	source := SourceExact
	if key == Reference {
		source = SourceReference
	}
	return s.first(scene, []Golden{{Scene: scene, Key: key, Source: source, Path: s.Path(scene, key)}}, sceneHash, shaderHash)
}

// first is the first golden of a chain that is there.
func (s *Store) first(scene string, chain []Golden, sceneHash, shaderHash string) (*Golden, error) {
	var tried []string
	for _, c := range chain {
		b, err := s.read(c.Path)
		if errors.Is(err, fs.ErrNotExist) {
			tried = append(tried, c.Path)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
		g := c
		g.file, g.caps = b, s.Caps
		if err := g.identify(); err != nil {
			return nil, err
		}
		return &g, g.stale(sceneHash, shaderHash)
	}
	if _, err := os.Stat(s.Root); err != nil {
		return nil, fmt.Errorf("%w: scene %s: the folder %s cannot be read: %w", ErrMissing, scene, s.Root, err)
	}
	return nil, fmt.Errorf("%w: scene %s: none of %s exists; look at the picture and approve it", ErrMissing, scene, strings.Join(tried, ", "))
}

func (s *Store) chain(scene string, a Adapter) []Golden {
	at := func(key string, source Source) Golden {
		return Golden{Scene: scene, Key: key, Source: source, Path: s.Path(scene, key)}
	}
	return []Golden{at(a.Exact(), SourceExact), at(a.Class(), SourceClass), at(Reference, SourceReference),
		{Scene: scene, Source: SourceFlat, Path: filepath.Join(s.Root, scene+".png")}}
}

// Path of the picture of a scene under a key.
func (s *Store) Path(scene, key string) string { return filepath.Join(s.Root, scene, key+".png") }

func manifestPath(pngPath string) string { return strings.TrimSuffix(pngPath, ".png") + ".json" }

func (s *Store) read(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	limit := s.Caps.Bytes
	if limit == 0 {
		limit = 1 << 30
	}
	if !st.Mode().IsRegular() || st.Size() > limit {
		return nil, fmt.Errorf("%s is not a regular file of at most %d bytes", path, limit)
	}
	return os.ReadFile(path)
}

// identify reads the manifest, or failing that the PNG's own text, and checks that it speaks of this file.
func (g *Golden) identify() error {
	b, err := os.ReadFile(manifestPath(g.Path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		info, err := png.DecodeInfo(g.file, g.caps)
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrUnreadable, g.Path, err)
		}
		text := info.Get(Keyword)
		if text == "" {
			g.Notes = append(g.Notes, "the golden has no provenance, so whether it belongs to this version of the scene is not known")
			return nil
		}
		var p Provenance
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			return fmt.Errorf("%w: %s: its provenance is no JSON: %w", ErrUnreadable, g.Path, err)
		}
		g.From = &p
		if g.Source != SourceFlat {
			g.Notes = append(g.Notes, "the manifest is missing; the provenance was taken from the PNG")
		}
	case err != nil:
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	default:
		m, err := parseManifest(b)
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrUnreadable, manifestPath(g.Path), err)
		}
		sum := sha256.Sum256(g.file)
		if hex.EncodeToString(sum[:]) != m.File {
			return fmt.Errorf("%w: %s is not the file that its manifest describes; restore both from one commit, or approve it again", ErrUnreadable, g.Path)
		}
		g.From, g.Digest = &m.Provenance, m.Pixels
	}
	if g.Source != SourceFlat && (g.From.Scene != g.Scene || g.From.Key != g.Key) {
		return fmt.Errorf("%w: %s was blessed as scene %s, key %s; it was copied or renamed", ErrUnreadable, g.Path, g.From.Scene, g.From.Key)
	}
	return nil
}

func parseManifest(b []byte) (*Manifest, error) {
	var m Manifest
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	if len(m.File) != 64 || len(m.Pixels) != 64 {
		return nil, errors.New("manifest: a digest is missing")
	}
	return &m, nil
}

func (g *Golden) stale(sceneHash, shaderHash string) error {
	if g.From == nil {
		return nil
	}
	if shaderHash != "" && g.From.ShaderHash != "" && shaderHash != g.From.ShaderHash {
		g.Notes = append(g.Notes, "the composed shaders are not those of the blessing")
	}
	if sceneHash != "" && g.From.SceneHash != "" && sceneHash != g.From.SceneHash {
		return fmt.Errorf("%w: scene %s has hash %s, golden %s was made from %s; look at the new picture and approve it",
			ErrStale, g.Scene, short(sceneHash), g.Path, short(g.From.SceneHash))
	}
	return nil
}

func short(hash string) string { return hash[:min(12, len(hash))] }
