package verdict

import (
	"math"
	"time"
)

// Result is what is known of one scene. Its JSON form is published (reports/schema); a field may be added but none renamed or removed.
//
// A number that was not measured is null in the document and nil here, never 0: a 0 that nobody measured reads as a perfect match. Colour
// differences are in units of 0…255, for 16-bit pictures too.
type Result struct {
	Scene   string  `json:"scene"`
	Verdict Verdict `json:"verdict"`
	// Flaky marks a scene whose verdict was reached only on a later attempt; see Attempts. A flaky pass is not counted as passed.
	Flaky bool `json:"flaky,omitempty"`
	// Skip marks a NotRun that the scene itself declared (an asset that this machine does not have, a feature that the adapter lacks), as against
	// one that a lost device or a killed run left over. Policy.AllowSkip forgives only these.
	Skip bool `json:"skip,omitempty"`
	// Reason says in one line why the verdict is not pass.
	Reason string `json:"reason,omitempty"`

	MAD         *float64 `json:"mad"`          // mean over pixels of (|dR|+|dG|+|dB|)/3
	Limit       *float64 `json:"limit"`        // the limit of MAD
	RegionMAD   *float64 `json:"region_mad"`   // MAD over the golden's pixels that are not background
	RegionLimit *float64 `json:"region_limit"` // the limit of RegionMAD
	MaxDiff     *float64 `json:"max_diff"`     // largest channel difference of R, G, B

	Width  int     `json:"width"`  // of the picture, pixels
	Height int     `json:"height"` // of the picture, pixels
	MS     float64 `json:"ms"`     // from the start of rendering to the verdict, milliseconds

	Identical  bool      `json:"identical,omitempty"`   // every byte equal
	TileMAD    *float64  `json:"tile_mad,omitempty"`    // largest MAD of any 16×16 window
	Tile       *Box      `json:"tile,omitempty"`        // that window
	Within     *Within   `json:"within,omitempty"`      // shares of pixels
	OverShare  *float64  `json:"over_share,omitempty"`  // share of pixels that differ by more than OverAbove
	OverAbove  *float64  `json:"over_above,omitempty"`  // the magnitude
	AlphaMax   *float64  `json:"alpha_max,omitempty"`   // largest alpha difference
	FLIP       *float64  `json:"flip,omitempty"`        // mean LDR-FLIP, advice
	SSIM       *float64  `json:"ssim,omitempty"`        // mean SSIM of luma, advice
	Gates      []Gate    `json:"gates,omitempty"`       // every gate with its value, limit and outcome
	Regions    []Region  `json:"regions,omitempty"`     // where the picture differs, worst first
	Kind       string    `json:"kind,omitempty"`        // none, edges, interior, mixed, everywhere
	Diagnosis  []Finding `json:"diagnosis,omitempty"`   // transforms of the golden that explain the picture, best first
	NonFinite  *Census   `json:"non_finite,omitempty"`  // of the float target before tone mapping
	Noise      *Noise    `json:"noise,omitempty"`       // of repeats, where they were drawn
	Golden     *Golden   `json:"golden,omitempty"`      // what the picture was held against
	Files      Files     `json:"files,omitzero"`        // pictures on disk
	Digest     string    `json:"digest,omitempty"`      // SHA-256 of the picture's pixels
	SceneHash  string    `json:"scene_hash,omitempty"`  // of the scene's description
	ShaderHash string    `json:"shader_hash,omitempty"` // of the composed shaders
	Adapter    *Adapter  `json:"adapter,omitempty"`     // where it differs from the run's
	Tags       []string  `json:"tags,omitempty"`        // of the scene
	Source     string    `json:"source,omitempty"`      // file:line of the scene, relative to the repository
	Attempts   []Attempt `json:"attempts,omitempty"`    // earlier attempts, oldest first
	History    []Point   `json:"history,omitempty"`     // earlier runs, oldest first
	Log        string    `json:"log,omitempty"`         // last lines of a worker that failed
	Shard      int       `json:"shard,omitempty"`       // 1-based index of the shard that ran the scene
}

// Box is a rectangle of pixels; X, Y is its top left corner.
type Box struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Within holds the shares (0…1) of pixels whose largest channel difference is at most 0, 1, 3 and 5.
type Within struct {
	Exact float64 `json:"exact"`
	One   float64 `json:"1"`
	Three float64 `json:"3"`
	Five  float64 `json:"5"`
}

// Gate is one limit and what it made of one measure.
type Gate struct {
	Name  string   `json:"name"`
	Value *float64 `json:"value"` // nil where the measure is not a number
	Limit float64  `json:"limit"`
	OK    bool     `json:"ok"`
	Text  string   `json:"text,omitempty"` // why it failed, or what there is to know of a pass
}

// Region is a connected place where the picture differs.
type Region struct {
	Box
	MAD    float64 `json:"mad"`    // over the box
	Pixels int     `json:"pixels"` // that differ at all
}

// Finding is a transform of the golden that brings it nearer to the picture.
type Finding struct {
	Name   string  `json:"name"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Text   string  `json:"text"`
}

// Census counts the values of a float target that are not finite.
type Census struct {
	NaN   int     `json:"nan"`
	Inf   int     `json:"inf"`
	Texel int     `json:"texels"` // texels with at least one of them
	First []Texel `json:"first,omitempty"`
}

// Texel is the place and kind of one value that is not finite.
type Texel struct {
	X       int    `json:"x"`
	Y       int    `json:"y"`
	Channel string `json:"channel"`
	Value   string `json:"value"` // NaN, +Inf or -Inf
}

// Golden says which golden was used and how far its origin is known.
type Golden struct {
	Path      string    `json:"path,omitempty"`
	Key       string    `json:"key,omitempty"`
	Source    string    `json:"source,omitempty"` // exact, class, reference or flat
	Digest    string    `json:"digest,omitempty"`
	Commit    string    `json:"commit,omitempty"`
	Driver    string    `json:"driver,omitempty"`
	SceneHash string    `json:"scene_hash,omitempty"`
	Blessed   time.Time `json:"blessed,omitzero"`
	Notes     []string  `json:"notes,omitempty"` // for example: composed shader differs from the one at blessing
}

// Files are paths of pictures, relative to the document where they can be.
type Files struct {
	Actual string `json:"actual,omitempty"`
	Golden string `json:"golden,omitempty"`
	Diff   string `json:"diff,omitempty"`
}

// Attempt is one earlier try of a scene that was tried again.
type Attempt struct {
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"`
	MS      float64 `json:"ms"`
	Worker  int     `json:"worker,omitempty"`
}

// Point is one earlier measure of a scene.
type Point struct {
	Time    time.Time `json:"time"`
	Commit  string    `json:"commit,omitempty"`
	Verdict Verdict   `json:"verdict"`
	MAD     *float64  `json:"mad"`
}

// Num is the published form of a measure: nil where it is NaN or infinite.
func Num(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// Value is the inverse of Num: NaN for nil, so that a comparison with it fails.
func Value(p *float64) float64 {
	if p == nil {
		return math.NaN()
	}
	return *p
}

// Passed reports whether the result counts as passed: verdict pass and not flaky.
func (r *Result) Passed() bool { return r.Verdict == Pass && !r.Flaky }
