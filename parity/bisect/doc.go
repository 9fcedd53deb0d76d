// Package bisect finds what broke a picture: the commit of a repository, or the
// one of several settings, at which a scene stops looking as it did.
//
// A revision is checked out to a disposable worktree, built there and made to
// draw the scene; the picture is held against the one of the good end, or
// against a golden. The user's own tree is never written to and may be dirty.
// What is known is kept twice: in a cache by content, so that a second search of
// the same range draws nothing, and neither does a revision whose program is the
// same to the byte as that of one before; and in a state file that is synced
// after each revision, so that a search that was killed goes on where it was.
//
// A search among n suspects takes at most the ceiling of log2(n) pictures, and
// one each for the proof of the good and the bad end. With Options.BelieveBad
// the bad end is one of the suspects: n+1 outcomes, and one picture for the good
// end. 64 commits in a row, the good end included, then take at most 7.
package bisect

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"darkroom/parity/metrics"
)

// Sentinels for what a revision cannot do. All of them skip the revision.
var (
	ErrBuild   = errors.New("does not build")
	ErrDraw    = errors.New("does not draw")
	ErrNoScene = errors.New("does not have the scene")
)

// Builder makes a program from a worktree.
type Builder interface {
	// Build builds the sources in dir into the file out. An error that wraps
	// ErrBuild is the revision's fault and skips it; any other ends the search.
	Build(ctx context.Context, dir, out string) error
	// Key tells builds of one tree apart: package, flags, toolchain.
	Key() string
}

// Runner makes a built program draw a scene.
type Runner interface {
	// Render draws scene to the PNG file out. dir is the worktree that bin was
	// built from. An error that wraps ErrDraw or ErrNoScene skips the revision.
	Render(ctx context.Context, bin, dir, scene, out string) (Shot, error)
	// Key tells pictures of one program apart: adapter, driver, arguments, environment.
	Key() string
}

// Shot is what a program says of the picture it drew.
type Shot struct {
	// Limit is the MAD limit that the revision itself sets for the scene; negative where it sets none.
	Limit float64 `json:"limit"`
}

// Status of a revision.
type Status string

// What a revision can be.
const (
	Good Status = "good"
	Bad  Status = "bad"
	Skip Status = "skip"
)

// Verdict is what was found out about a revision.
type Verdict struct {
	Commit string `json:"commit"`
	Status Status `json:"status"`
	Reason string `json:"reason,omitempty"`
	// NoScene: the revision builds, but does not have the scene.
	NoScene bool `json:"no_scene,omitempty"`
	// MAD of the worst repeat from the reference, and the limit it was held to.
	MAD   float64 `json:"mad"`
	Limit float64 `json:"limit"`
	// Picture is the worst repeat's file, Repeats how many were drawn or found in the cache.
	Picture string `json:"picture,omitempty"`
	Repeats int    `json:"repeats,omitempty"`
	// Renders and Builds count what was not in the cache.
	Renders int `json:"renders"`
	Builds  int `json:"builds"`
	// MS is the time for the verdict in milliseconds; BuildMS the part of it for
	// checking out and building, RenderMS for drawing.
	MS       float64 `json:"ms"`
	BuildMS  float64 `json:"build_ms,omitempty"`
	RenderMS float64 `json:"render_ms,omitempty"`
	// Subject, Author and Date are the commit's.
	Subject string `json:"subject,omitempty"`
	Author  string `json:"author,omitempty"`
	Date    string `json:"date,omitempty"`
}

// Cost says what the verdict took: a build, a picture, or nothing, where a
// program that is the same to the byte, or an earlier search, had it.
func (v *Verdict) Cost() string {
	var list []string
	if v.Builds > 0 {
		list = append(list, fmt.Sprintf("build %.1f s", v.BuildMS/1000))
	}
	switch {
	case v.Renders == 1:
		list = append(list, fmt.Sprintf("picture %.1f s", v.RenderMS/1000))
	case v.Renders > 1:
		list = append(list, fmt.Sprintf("%d pictures %.1f s", v.Renders, v.RenderMS/1000))
	case v.Status != Skip:
		list = append(list, "picture known")
	}
	return strings.Join(list, ", ")
}

// Options of a search through commits.
type Options struct {
	Repo  string // any folder of the repository
	Scene string
	Good  []string // revisions that are known good; the first gives the reference picture
	Bad   string   // empty: HEAD
	// Golden, where set, is the PNG file that pictures are held against instead
	// of the good end's.
	Golden string
	// Limits are the gates; nil means metrics.DefaultLimits, with a Golden a MAD gate must be given.
	Limits metrics.Limits
	// OwnLimit judges each revision by the MAD limit that it sets itself for the
	// scene, so that a change of a limit is found, too. It needs a Golden.
	OwnLimit bool
	// Repeats is how often a revision is drawn before it counts as good; one bad
	// picture makes it bad. Zero means once.
	Repeats     int
	FirstParent bool
	// BelieveBad draws the bad end only where every other suspect is good. It
	// saves a picture; without it both ends are proved before the search begins.
	BelieveBad bool
	Paths      []string // only commits that touch these
	// Cache is the folder of builds and pictures; empty: "darkroom/bisect" in the user's cache folder.
	Cache string
	// State is the state file; empty: beside the cache, named by the search.
	State string
	// Resume goes on with the search in State; without it the search starts anew
	// (with everything that the cache has).
	Resume bool
	// NoCache builds and draws everything again.
	NoCache bool

	Builder Builder
	Runner  Runner
	// Progress, where set, is called after each revision with the revisions that
	// are still suspect and an estimate of the steps to come.
	Progress func(v Verdict, left, steps int)
}

// Result of a search through commits.
type Result struct {
	Scene string `json:"scene"`
	Good  string `json:"good"`
	Bad   string `json:"bad"`
	// First is the first bad commit; empty where skipped revisions leave several.
	First string `json:"first,omitempty"`
	// Suspects are the commits among which the first bad one is; one where it was found.
	Suspects []string `json:"suspects"`
	Author   string   `json:"author,omitempty"`
	Date     string   `json:"date,omitempty"`
	Subject  string   `json:"subject,omitempty"`
	Stat     string   `json:"stat,omitempty"` // git's diff stat against the first parent
	// Range is the number of commits that were searched.
	Range int `json:"range"`
	// Steps are the revisions between the ends that were drawn and judged; Skipped those that could not be.
	Steps   int `json:"steps"`
	Skipped int `json:"skipped"`
	Renders int `json:"renders"` // pictures drawn, those of the ends included
	Builds  int `json:"builds"`
	// Reference is the picture that the others were held against.
	Reference string `json:"reference"`
	// Tested are the verdicts in the order of history, oldest first.
	Tested []Verdict `json:"tested"`
	// Notes say what a reader must know: a scene younger than the good end, …
	Notes []string `json:"notes,omitempty"`
}
