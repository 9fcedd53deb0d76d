package parity

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"darkroom/goldens"
	"darkroom/goldens/picture"
	"darkroom/goldens/png"
	"darkroom/parity/metrics"
	"darkroom/parity/verdict"
	"darkroom/scenes/catalogue"
)

// Blessing says how candidates are made from a run.
type Blessing struct {
	Pictures string // folder with SCENE.png of every scene of the run
	Store    *goldens.Store
	Exact    bool   // for the adapter with its driver; otherwise for its class
	Reason   string // why, for the record
	Now      time.Time
}

// Candidates are the pictures of a run as candidates for goldens of its adapter.
// The run may be of another machine: what a golden must know of its origin is in
// the document, and each picture must be the one that the document speaks of.
// Scenes that lack a third-party file have no candidate; their names are skipped.
func Candidates(run *verdict.Run, list catalogue.Catalogue, b Blessing) (cands []goldens.Candidate, skipped []string, err error) {
	who := goldens.Adapter{Name: run.Adapter.Name, Backend: run.Adapter.Backend, Driver: run.Adapter.Driver, Type: run.Adapter.Type}
	if who == (goldens.Adapter{}) && len(run.Results) > 0 && run.Results[0].Verdict == verdict.WrongAdapter {
		return nil, nil, errors.New(run.Results[0].Reason)
	}
	if who == (goldens.Adapter{}) {
		return nil, nil, fmt.Errorf("the run names no adapter, so its pictures are nobody's; run it again")
	}
	key := who.Class()
	if b.Exact {
		key = who.Exact()
	}
	ledger, err := b.Store.Ledger()
	if err != nil {
		return nil, nil, err
	}
	for i := range run.Results {
		r := &run.Results[i]
		e, err := list.Find(r.Scene)
		if err != nil {
			continue // asked for others
		}
		if r.Verdict == verdict.NotRun && r.Skip {
			skipped = append(skipped, r.Scene)
			continue
		}
		c := goldens.Candidate{BlankOK: e.MayBeBlank, From: goldens.Provenance{
			Scene: r.Scene, Key: key, SceneHash: r.SceneHash, ShaderHash: r.ShaderHash, Commit: run.Commit, Adapter: who, Binding: run.Binding,
			Limits: plain(OwnLimits(ledger, r.Scene, key, who)), CostMS: r.MS, Blessed: b.Now.UTC().Truncate(time.Second), Reason: b.Reason,
		}}
		if r.Noise != nil {
			c.From.Noise = r.Noise.Worst
		}
		if r.NonFinite != nil {
			c.NonFinite = r.NonFinite.Texel
		}
		c.Fault = fault(r)
		if c.Fault == "" {
			if c.Picture, _, err = png.Read(filepath.Join(b.Pictures, r.Scene+".png"), png.Caps{}); errors.Is(err, os.ErrNotExist) {
				return nil, nil, fmt.Errorf("scene %s: its picture is not in %s; run with --keep, which keeps the pictures of scenes that pass, too", r.Scene, b.Pictures)
			} else if err != nil {
				return nil, nil, fmt.Errorf("scene %s: %w", r.Scene, err)
			}
			if d, err := picture.Digest(c.Picture); err != nil {
				return nil, nil, err
			} else if d != r.Digest {
				return nil, nil, fmt.Errorf("scene %s: the picture in %s is not the one that the run judged; a later run wrote it, so run again", r.Scene, b.Pictures)
			}
		}
		c.Passes = r.Passed() && r.Golden != nil && r.Golden.Key == key
		cands = append(cands, c)
	}
	return cands, skipped, nil
}

// fault says why a result's picture cannot be blessed, or that there is none.
func fault(r *verdict.Result) string {
	switch {
	case r.Flaky:
		return "it was drawn only on a later attempt"
	case r.Noise != nil && r.Noise.Cause != verdict.Repeats && r.Verdict == verdict.Mismatch && !gatesFailed(r):
		return r.Reason // it does not repeat
	}
	switch r.Verdict {
	case verdict.Pass, verdict.Mismatch, verdict.Blank, verdict.NonFinite, verdict.Size, verdict.MissingGolden, verdict.StaleGolden:
		return ""
	}
	return r.Verdict.Title() + ": " + r.Reason
}

func gatesFailed(r *verdict.Result) bool {
	for _, g := range r.Gates {
		if !g.OK {
			return true
		}
	}
	return false
}

func plain(l metrics.Limits) map[string]float64 {
	out := map[string]float64{}
	for k, v := range l {
		out[string(k)] = v
	}
	return out
}
