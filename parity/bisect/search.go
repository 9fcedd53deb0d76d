package bisect

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"darkroom/parity/metrics"
)

// Run searches for the first bad commit.
func Run(ctx context.Context, o Options) (*Result, error) {
	s, err := prepare(ctx, o)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.run(ctx)
}

// search is a search under way.
type search struct {
	Options
	git   git
	good  []string
	bad   string
	cache *cache
	state *state
	judge judge
	tree  *worktree // nil until something has to be built or drawn
	at    string    // the commit that tree is at
	lock  *os.File
	hold  *os.File // on the cache
	notes []string
	// builds and renders are those of commits that got no verdict.
	builds, renders int
}

func prepare(ctx context.Context, o Options) (s *search, err error) {
	switch {
	case o.Builder == nil || o.Runner == nil:
		return nil, fmt.Errorf("bisect: a Builder and a Runner are needed")
	case o.Scene == "":
		return nil, fmt.Errorf("bisect: no scene is named; give one")
	case len(o.Good) == 0:
		return nil, fmt.Errorf("bisect: no good revision is named; give one where the scene looked right")
	case o.OwnLimit && o.Golden == "":
		return nil, fmt.Errorf("bisect: judging by the revisions' own limits needs a golden to measure from; name one")
	}
	s = &search{Options: o}
	if s.Repeats < 1 {
		s.Repeats = 1
	}
	if s.Bad == "" {
		s.Bad = "HEAD"
	}
	if s.Limits == nil {
		s.Limits = metrics.DefaultLimits()
	}
	if err := s.Limits.Check(); err != nil {
		return nil, err
	}
	top, err := git{o.Repo}.run(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("%s is no git repository: %w", o.Repo, err)
	}
	s.git = git{top}
	for _, r := range o.Good {
		h, err := s.git.resolve(ctx, r)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(s.good, h) {
			s.good = append(s.good, h)
		}
	}
	if s.bad, err = s.git.resolve(ctx, s.Bad); err != nil {
		return nil, err
	}
	if slices.Contains(s.good, s.bad) {
		return nil, fmt.Errorf("%s is named both good and bad", short(s.bad))
	}
	if s.Cache == "" {
		if s.Cache, err = cacheDir(); err != nil {
			return nil, err
		}
	}
	if s.Cache, err = filepath.Abs(s.Cache); err != nil {
		return nil, err
	}
	// What has not been of use for long goes first, unless others are at work.
	if _, err := Prune(ctx, s.Cache, DefaultKeep()); err != nil && !errors.Is(err, ErrBusy) {
		return nil, err
	}
	if s.hold, err = holdCache(s.Cache, false); err != nil {
		return nil, err
	}
	defer func(hold *os.File) {
		if err != nil {
			hold.Close()
		}
	}(s.hold)
	s.cache = newCache(s.Cache, o.Builder, o.Runner, o.NoCache)
	golden := ""
	if o.Golden != "" {
		b, err := os.ReadFile(o.Golden)
		if err != nil {
			return nil, err
		}
		golden = digest(string(b))
	}
	limits := ""
	for _, k := range slices.Sorted(maps.Keys(s.Limits)) {
		limits += fmt.Sprintf("%s=%g ", k, s.Limits[k])
	}
	name := digest(top, s.Scene, strings.Join(s.good, " "), s.bad, golden, limits, fmt.Sprint(s.OwnLimit, s.Repeats, s.FirstParent, s.BelieveBad, s.Paths), o.Builder.Key(), o.Runner.Key())
	home := filepath.Join(s.Cache, "searches", name)
	if s.State == "" {
		s.State = filepath.Join(home, "state.json")
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, fmt.Errorf("the cache folder cannot be made: %w; name another", err)
	}
	// The worktree and the state are one process's at a time.
	if s.lock, err = os.OpenFile(filepath.Join(home, "lock"), os.O_CREATE|os.O_RDWR, 0o644); err != nil {
		return nil, err
	}
	if err := lock(s.lock); err != nil {
		s.lock.Close()
		return nil, fmt.Errorf("another process is at this search; wait for it, or end it")
	}
	if s.state, err = loadState(s.State, name, o.Resume); err != nil {
		s.lock.Close()
		return nil, err
	}
	return s, nil
}

func (s *search) close() {
	if s.tree != nil {
		s.tree.close()
	}
	s.lock.Close()
	s.hold.Close()
}

// checkout brings the worktree to a commit.
func (s *search) checkout(ctx context.Context, commit string) func() error {
	return func() error {
		if s.tree == nil {
			t, err := openWorktree(ctx, s.git, s.dir(), commit)
			if err != nil {
				return err
			}
			s.tree, s.at = t, commit
			return nil
		}
		if s.at == commit {
			return nil
		}
		if err := s.tree.checkout(ctx, commit); err != nil {
			return err
		}
		s.at = commit
		return nil
	}
}

func (s *search) dir() string { return filepath.Join(filepath.Dir(s.lock.Name()), "worktree") }

// test gives the verdict on a commit: from the state, the cache, or by drawing.
func (s *search) test(ctx context.Context, commit string) (*Verdict, error) {
	if v := s.state.find(commit); v != nil {
		return v, nil
	}
	start := time.Now()
	v := Verdict{Commit: commit, Limit: s.Limits[metrics.MAD]}
	v.Author, v.Date, v.Subject = s.git.about(ctx, commit)
	err := s.draw(ctx, &v)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, ErrBuild) || errors.Is(err, ErrDraw) || errors.Is(err, ErrNoScene):
		v.Status, v.Reason, v.NoScene = Skip, err.Error(), errors.Is(err, ErrNoScene)
	case err != nil:
		return nil, fmt.Errorf("commit %s: %w", short(commit), err)
	}
	v.MS = milliseconds(time.Since(start))
	if err := s.state.add(v); err != nil {
		return nil, fmt.Errorf("the state cannot be written: %w", err)
	}
	return s.state.find(commit), nil
}

// draw draws a commit's pictures until one is bad or the repeats are through.
func (s *search) draw(ctx context.Context, v *Verdict) error {
	tree, err := s.git.run(ctx, "rev-parse", v.Commit+"^{tree}")
	if err != nil {
		return err
	}
	checkout := s.checkout(ctx, v.Commit)
	start := time.Now()
	bin, built, err := s.cache.build(ctx, tree, s.dir(), checkout)
	v.BuildMS = milliseconds(time.Since(start))
	if built {
		v.Builds = 1
	}
	if err != nil {
		return err
	}
	content, err := s.content(ctx, tree, bin)
	if err != nil {
		return err
	}
	for n := range s.Repeats {
		start := time.Now()
		file, shot, drawn, err := s.cache.picture(ctx, content, bin, s.dir(), s.Scene, n, checkout)
		if drawn {
			v.Renders++
			v.RenderMS += milliseconds(time.Since(start))
		}
		if err != nil {
			return err
		}
		v.Repeats = n + 1
		if s.judge.reference == "" {
			s.judge.reference, s.state.Reference = file, file // the first picture of the first good revision
		}
		ok, mad, limit, reason, err := s.judge.judge(file, shot)
		if err != nil {
			return err
		}
		if n == 0 || mad >= v.MAD || !ok {
			v.MAD, v.Picture = mad, file
		}
		v.Limit = limit
		if !ok {
			v.Status, v.Reason = Bad, reason
			return nil
		}
	}
	v.Status = Good
	return nil
}

// content names all that the pictures of a tree depend on besides the Runner's
// key: the program, and the files that it may read when it runs. Trees of one
// content draw alike, so that only one of them has to.
func (s *search) content(ctx context.Context, tree, bin string) (string, error) {
	files, err := s.git.data(ctx, tree)
	if err != nil {
		return "", err
	}
	program, err := s.cache.programDigest(bin)
	if err != nil {
		return "", err
	}
	return digest(program, files), nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (s *search) run(ctx context.Context) (*Result, error) {
	s.judge = judge{reference: s.Golden, limits: s.Limits, own: s.OwnLimit}
	if s.Golden == "" {
		s.judge.reference = s.state.Reference
	}
	if err := s.findStart(ctx); err != nil {
		return nil, err
	}
	if err := s.proveEnds(ctx); err != nil {
		return nil, err
	}
	list, err := s.git.suspects(ctx, s.good, s.bad, s.FirstParent, s.Paths)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no commit between %s and %s touches %s; the fault came with something else", short(s.good[0]), short(s.bad), strings.Join(s.Paths, ", "))
	}
	res := &Result{Scene: s.Scene, Good: s.good[0], Bad: s.bad, Range: len(list)}
	// Verdicts of an interrupted search are in the state; the same questions are
	// asked again, and answered from there.
	g, a := newGraph(list), newAsked()
	if !s.BelieveBad {
		a.tell(s.bad)
	}
	for {
		next := g.next(a)
		if next == "" {
			break
		}
		v, err := s.test(ctx, next)
		if err != nil {
			return nil, err
		}
		switch v.Status {
		case Bad:
			g = g.bad(next)
			a.tell(next)
			res.Steps++
		case Good:
			g = g.good(next)
			a.tell(next)
			res.Steps++
		default:
			a.skip(next)
			res.Skipped++
		}
		if s.Progress != nil {
			s.Progress(*v, len(g.list), steps(g.outcomes(a)))
		}
		if len(g.list) == 0 {
			return nil, s.allGood(ctx)
		}
	}
	if s.BelieveBad && s.state.find(s.bad) == nil {
		s.notes = append(s.notes, fmt.Sprintf("the bad end %s was believed and not drawn; a commit before it is bad", short(s.bad)))
	}
	for _, c := range g.list {
		res.Suspects = append(res.Suspects, c.hash)
	}
	return s.finish(ctx, res)
}

// allGood is the error where no suspect is bad.
func (s *search) allGood(ctx context.Context) error {
	// A bad end that was believed is only now looked at, if it was no suspect itself.
	v, err := s.test(ctx, s.bad)
	if err != nil {
		return err
	}
	if v.Status != Bad {
		return s.badEnd(v)
	}
	return fmt.Errorf("every commit that touches %s is good, yet %s is bad; the fault came with a commit that does not touch them", strings.Join(s.Paths, ", "), short(s.bad))
}

// badEnd is the error where the bad end is not bad.
func (s *search) badEnd(v *Verdict) error {
	if v.Status == Skip {
		return fmt.Errorf("the bad end %s cannot be tested: %s; name another bad revision", short(s.bad), oneLine(v.Reason))
	}
	return fmt.Errorf("the bad end %s is good: MAD %.5f against %s; nothing is to be found (lower the limit, or draw more repeats where the fault comes and goes)", short(s.bad), v.MAD, s.against())
}

// against says what pictures are held against.
func (s *search) against() string {
	if s.Golden != "" {
		return s.Golden
	}
	return "the picture of " + short(s.good[0])
}

// findStart takes the first revision that has the scene for the good one where
// the named one does not have it.
func (s *search) findStart(ctx context.Context) error {
	v, err := s.test(ctx, s.good[0])
	if err != nil {
		return err
	}
	if !v.NoScene {
		return nil
	}
	list, err := s.git.suspects(ctx, s.good[:1], s.bad, true, nil)
	if err != nil {
		return err
	}
	// The same search, for a simpler question, along the first parents: is the
	// scene there? end is the first commit known to have it, lo the last known
	// not to; hi shrinks past revisions that cannot be asked.
	if has, _, err := s.exists(ctx, s.bad); err != nil {
		return err
	} else if !has {
		return fmt.Errorf("scene %s is neither at %s nor can the bad end %s draw it; check its name", s.Scene, short(s.good[0]), short(s.bad))
	}
	end := len(list) - 1
	for lo, hi := -1, end; hi-lo > 1; {
		mid := (lo + hi) / 2
		i, has, ok := mid, false, false
		for ; i < hi; i++ {
			if has, ok, err = s.exists(ctx, list[i].hash); err != nil {
				return err
			}
			if ok {
				break
			}
		}
		switch {
		case !ok:
			hi = mid
		case has:
			hi, end = i, i
		default:
			lo = i
		}
	}
	first := list[end].hash
	s.notes = append(s.notes, fmt.Sprintf("scene %s does not exist at %s; it is younger: the first commit that draws it is %s, which is taken for the good end", s.Scene, short(s.good[0]), short(first)))
	if first == s.bad {
		return fmt.Errorf("scene %s does not exist before %s, the bad end: it never looked otherwise", s.Scene, short(s.bad))
	}
	s.good[0] = first
	return nil
}

// exists says whether a commit has the scene; ok is false where that cannot be told.
func (s *search) exists(ctx context.Context, commit string) (has, ok bool, err error) {
	tree, err := s.git.run(ctx, "rev-parse", commit+"^{tree}")
	if err != nil {
		return false, false, err
	}
	checkout := s.checkout(ctx, commit)
	bin, built, err := s.cache.build(ctx, tree, s.dir(), checkout)
	if built {
		s.builds++
	}
	if err == nil {
		var content string
		if content, err = s.content(ctx, tree, bin); err == nil {
			var drawn bool
			if _, _, drawn, err = s.cache.picture(ctx, content, bin, s.dir(), s.Scene, 0, checkout); drawn {
				s.renders++
			}
		}
	}
	switch {
	case ctx.Err() != nil:
		return false, false, ctx.Err()
	case err == nil:
		return true, true, nil
	case errors.Is(err, ErrNoScene):
		return false, true, nil
	case errors.Is(err, ErrBuild) || errors.Is(err, ErrDraw):
		return false, false, nil
	}
	return false, false, err
}

// proveEnds draws both ends and what they have in common: a search between ends
// that are not what they are said to be finds an innocent commit. A bad end that
// is to be believed is not drawn here.
func (s *search) proveEnds(ctx context.Context) error {
	proveGood := func(c, what string) error {
		v, err := s.test(ctx, c)
		if err != nil {
			return err
		}
		switch v.Status {
		case Skip:
			return fmt.Errorf("%s %s cannot be tested: %s; name another good revision", what, short(c), oneLine(v.Reason))
		case Bad:
			if s.Golden == "" && c == s.good[0] {
				return fmt.Errorf("%s %s does not repeat: %s; raise the limit above its noise", what, short(c), v.Reason)
			}
			return fmt.Errorf("%s %s is not good: %s against %s", what, short(c), v.Reason, s.against())
		}
		return nil
	}
	for _, c := range s.good {
		if err := proveGood(c, "the good end"); err != nil {
			return err
		}
	}
	if s.Golden == "" {
		s.judge.reference = s.state.Reference
		if _, err := os.Stat(s.judge.reference); err != nil {
			return fmt.Errorf("the good end's picture left the cache; begin anew without --resume")
		}
	}
	if !s.BelieveBad {
		v, err := s.test(ctx, s.bad)
		if err != nil {
			return err
		}
		if v.Status != Bad {
			return s.badEnd(v)
		}
	}
	// As git does: where a good end is no ancestor of the bad one, the fault
	// can only be searched for if their common ancestors are good.
	for _, c := range slices.Clone(s.good) {
		if s.git.ancestor(ctx, c, s.bad) {
			continue
		}
		if s.git.ancestor(ctx, s.bad, c) {
			return fmt.Errorf("the bad end %s is an ancestor of the good end %s: the picture was mended, not broken; swap them to find the mend", short(s.bad), short(c))
		}
		out, err := s.git.run(ctx, "merge-base", "--all", c, s.bad)
		if err != nil {
			return fmt.Errorf("%s and %s have no common ancestor", short(c), short(s.bad))
		}
		for _, b := range strings.Fields(out) {
			if slices.Contains(s.good, b) {
				continue
			}
			if err := proveGood(b, "the merge base"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *search) finish(ctx context.Context, res *Result) (*Result, error) {
	res.Reference, res.Notes = s.judge.reference, s.notes
	pos := map[string]int{}
	if list, err := s.git.run(ctx, "rev-list", "--topo-order", "--reverse", s.bad, "^"+s.good[0]); err == nil {
		for i, h := range strings.Fields(list) {
			pos[h] = i + 1
		}
	}
	res.Builds, res.Renders = s.builds, s.renders
	for _, v := range s.state.Verdicts {
		res.Renders += v.Renders
		res.Builds += v.Builds
		res.Tested = append(res.Tested, v)
	}
	slices.SortStableFunc(res.Tested, func(a, b Verdict) int { return pos[a.Commit] - pos[b.Commit] })
	if len(res.Suspects) == 1 {
		res.First = res.Suspects[0]
		res.Author, res.Date, res.Subject = s.git.about(ctx, res.First)
		// The first parent is what a merge was merged into.
		if stat, err := s.git.run(ctx, "show", "--no-show-signature", "--format=", "--stat=100", "--first-parent", "-m", res.First); err == nil {
			res.Stat = stat
		}
	} else {
		res.Notes = append(res.Notes, fmt.Sprintf("%d commits cannot be told apart, for those between them do not build or draw", len(res.Suspects)))
	}
	return res, nil
}

func short(h string) string { return h[:min(12, len(h))] }
