package parity

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"darkroom/parity/verdict"
	"darkroom/scenes/catalogue"
)

// Suite declares one spec a scene, labelled by the scene's tags, so that a
// catalogue runs under ginkgo with its filters and its parallel processes.
// Each process of the run opens its own device. Call it from a test file:
//
//	var _ = parity.Suite("catalogue", catalogue.All(), parity.Judging{Goldens: "../goldens"})
//
// A scene that lacks a third-party file is skipped with the reason, and fails
// where CI is set.
func Suite(name string, c catalogue.Catalogue, how Judging) bool {
	return ginkgo.Describe(name, func() {
		var j *Judge
		ginkgo.BeforeEach(func() {
			if j == nil {
				var err error
				j, err = NewJudge(how)
				gomega.Expect(err).NotTo(gomega.HaveOccurred())
			}
		})
		for _, e := range c {
			labels := ginkgo.Label(e.Tags...)
			ginkgo.It(e.Name, labels, func(ctx context.Context) {
				r := j.Scene(ctx, e)
				if r.Verdict == verdict.DeviceLost || r.Verdict == verdict.Timeout {
					// The next spec gets a device that works.
					j.Close()
					j = nil
				}
				ginkgo.AddReportEntry("verdict", r.Verdict.String())
				if r.Verdict == verdict.NotRun && r.Skip && os.Getenv("CI") == "" {
					ginkgo.Skip(r.Reason)
				}
				gomega.Expect(r).To(MatchGolden())
			}, ginkgo.NodeTimeout(2*time.Minute))
		}
	})
}

// MatchGolden succeeds for a verdict.Result that passed. Its failure message
// names the scene, the MAD and its limit, the worst region and the files.
func MatchGolden() types.GomegaMatcher { return matchGolden{} }

type matchGolden struct{}

func (matchGolden) Match(actual any) (bool, error) {
	switch r := actual.(type) {
	case verdict.Result:
		return r.Passed(), nil
	case *verdict.Result:
		return r.Passed(), nil
	}
	return false, errors.New("MatchGolden takes a verdict.Result")
}

func (matchGolden) FailureMessage(actual any) string {
	r, ok := actual.(verdict.Result)
	if p, isPointer := actual.(*verdict.Result); isPointer {
		r, ok = *p, true
	}
	if !ok {
		return "not a result"
	}
	s := fmt.Sprintf("scene %s: %s", r.Scene, r.Verdict)
	if r.MAD != nil {
		s += fmt.Sprintf("\n  MAD %.5f, limit %.5g", *r.MAD, verdict.Value(r.Limit))
	}
	if r.Reason != "" {
		s += "\n  " + r.Reason
	}
	if len(r.Regions) > 0 {
		b := r.Regions[0]
		s += fmt.Sprintf("\n  worst region %dx%d at %d,%d (MAD %.3f)", b.Width, b.Height, b.X, b.Y, b.MAD)
	}
	for _, d := range r.Diagnosis {
		s += "\n  " + d.Text
	}
	return s + fmt.Sprintf("\n  actual %s\n  golden %s\n  difference %s", r.Files.Actual, r.Files.Golden, r.Files.Diff)
}

func (matchGolden) NegatedFailureMessage(actual any) string {
	return fmt.Sprintf("expected %v not to match its golden", actual)
}
