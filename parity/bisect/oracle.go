package bisect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"darkroom/parity/metrics"
)

// Exit codes of "git bisect run".
const (
	OracleGood = 0
	OracleBad  = 1
	OracleSkip = 125
	// OracleAbort is above 127, which makes git stop instead of blaming the revision.
	OracleAbort = 128
)

// OracleOptions for Oracle.
type OracleOptions struct {
	Dir     string // the checkout to judge; empty: the current folder
	Scene   string
	Golden  string // PNG file that the picture is held against
	Limits  metrics.Limits
	Repeats int // zero means once
	// OwnLimit judges by the MAD limit that the revision sets itself.
	OwnLimit bool
	Builder  Builder
	Runner   Runner
}

// Oracle judges the checkout as it is, for "git bisect run": it returns 0 where
// the scene is good, 1 where it is bad, 125 where that cannot be told, 128 where
// the question itself is wrong, and a line that says why. It writes nothing to
// the checkout.
func Oracle(ctx context.Context, o OracleOptions) (code int, why string) {
	if o.Scene == "" || o.Golden == "" || o.Builder == nil || o.Runner == nil {
		return OracleAbort, "a scene and a golden are needed"
	}
	if o.Limits == nil {
		o.Limits = metrics.DefaultLimits()
	}
	if err := o.Limits.Check(); err != nil {
		return OracleAbort, err.Error()
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return OracleAbort, err.Error()
	}
	j := judge{reference: o.Golden, limits: o.Limits, own: o.OwnLimit}
	if err := j.load(); err != nil {
		return OracleAbort, err.Error()
	}
	tmp, err := os.MkdirTemp("", "darkroom-oracle-")
	if err != nil {
		return OracleAbort, err.Error()
	}
	defer os.RemoveAll(tmp)
	skip := func(err error) (int, string) {
		if ctx.Err() == nil && (errors.Is(err, ErrBuild) || errors.Is(err, ErrDraw) || errors.Is(err, ErrNoScene)) {
			return OracleSkip, err.Error()
		}
		return OracleAbort, err.Error()
	}
	bin := filepath.Join(tmp, "program")
	if err := o.Builder.Build(ctx, dir, bin); err != nil {
		return skip(err)
	}
	worst := 0.0
	for n := range max(1, o.Repeats) {
		out := filepath.Join(tmp, fmt.Sprint(n, ".png"))
		shot, err := o.Runner.Render(ctx, bin, dir, o.Scene, out)
		if err != nil {
			return skip(err)
		}
		ok, mad, _, reason, err := j.judge(out, shot)
		if err != nil {
			return skip(err)
		}
		if !ok {
			return OracleBad, reason
		}
		worst = max(worst, mad)
	}
	return OracleGood, fmt.Sprintf("good: MAD %.5f", worst)
}
