package parity

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"darkroom/parity/journal"
	"darkroom/parity/verdict"
	"darkroom/renderer"
	"darkroom/scenes/catalogue"
)

// Options of a run.
type Options struct {
	Judging
	Catalogue catalogue.Catalogue // the scenes to run, in order
	// Workers is the number of worker processes; zero runs the scenes in this
	// process, where one that ends the process ends the run.
	Workers int
	// Worker is the command of a worker process; empty: this program with "worker".
	Worker []string
	// Recycle replaces a worker after so many scenes; zero means 50.
	Recycle int
	// Timeout is the time that one scene may take; zero means two minutes.
	Timeout time.Duration
	// Journal is the path of the run's journal; empty: none is kept. Resume
	// goes on with the one that is there and repeats nothing that it judged.
	Journal string
	Resume  bool
	// Shard is "i/n" for the document; the catalogue is that of the shard already.
	Shard, CatalogueDigest string
	// Progress is told of every result, one at a time.
	Progress func(done, total int, r verdict.Result)
	// NoCanary leaves the canary out.
	NoCanary bool
	// Noise is the number of scenes that are drawn again, also after others and
	// on fresh devices, to measure how far repeats are apart; negative means all.
	Noise int
	// Command, Commit and Binding go into the document.
	Command, Commit, Binding string
}

// Run judges the scenes and returns the finished run. The error says why no
// run took place at all; what happened to single scenes is in the results.
func Run(ctx context.Context, o Options) (*verdict.Run, error) {
	if len(o.Catalogue) == 0 {
		return nil, verdict.ErrNothingJudged
	}
	if o.Timeout == 0 {
		o.Timeout = 2 * time.Minute
	}
	if o.Recycle == 0 {
		o.Recycle = 50
	}
	run := &verdict.Run{Schema: verdict.Schema, Tool: "darkroom", Started: time.Now().UTC().Truncate(time.Second), Command: o.Command, Commit: o.Commit, Binding: o.Binding, Settings: o.settings(), Shard: o.Shard, Catalogue: o.CatalogueDigest, Results: make([]verdict.Result, len(o.Catalogue))}
	start := time.Now()
	c := &collector{o: &o, run: run, noisy: noisy(o.Catalogue, o.Noise)}
	if err := c.resume(); err != nil {
		return nil, err
	}
	var err error
	if o.Workers > 0 {
		err = c.supervise(ctx)
	} else {
		err = c.here(ctx)
	}
	if errors.Is(err, renderer.ErrNoAdapter) && (o.Adapter != "" || o.Backend != "") {
		err = c.wrongAdapter(err)
	}
	run.MS = float64(time.Since(start).Microseconds()) / 1000
	if c.journal != nil {
		if err == nil && ctx.Err() == nil {
			err = c.journal.End()
		} else {
			c.journal.Close()
		}
	}
	if err != nil {
		return nil, err
	}
	for i := range run.Results {
		if r := &run.Results[i]; r.Verdict == verdict.Unset {
			e := o.Catalogue[i]
			*r = verdict.Result{Scene: e.Name, Tags: e.Tags, Source: e.Source, Verdict: verdict.NotRun, Reason: "the run ended before its turn"}
			if run.Incomplete == "" {
				run.Incomplete = "the run was interrupted"
			}
		}
	}
	return run, nil
}

// collector gathers results by their place in the catalogue.
type collector struct {
	o    *Options
	run  *verdict.Run
	mu   sync.Mutex
	done int
	err  error

	journal *journal.Journal
	noisy   map[string]bool
	earlier map[string]verdict.Result // of the run that is resumed
	before  *verdict.Adapter          // its adapter
}

// resume reads the journal of an interrupted run.
func (c *collector) resume() error {
	if c.o.Journal == "" || !c.o.Resume {
		return nil
	}
	if _, err := os.Stat(c.o.Journal); errors.Is(err, os.ErrNotExist) {
		return nil // nothing to resume: begin
	}
	j, rec, err := journal.Resume(c.o.Journal)
	if err != nil {
		return fmt.Errorf("the run cannot be resumed: %w", err)
	}
	if why := c.other(rec); why != "" {
		j.Close()
		return fmt.Errorf("the run in %s cannot be resumed: it %s; give the same flags, or leave out --resume to begin anew", c.o.Journal, why)
	}
	c.journal, c.earlier, c.before = j, rec.Results, &rec.Head.Adapter
	return nil
}

// other says in what the run of a journal is another one than this, whose
// results would stand side by side as if they were of one run.
func (c *collector) other(rec *journal.Record) string {
	h := &rec.Head
	switch {
	case !slices.Equal(rec.Scenes, c.names()):
		return fmt.Sprintf("is of %d other scenes", len(rec.Scenes))
	case h.Shard != c.run.Shard:
		return fmt.Sprintf("is shard %q and not %q", h.Shard, c.run.Shard)
	case h.Commit != c.run.Commit:
		return fmt.Sprintf("is of commit %q, and this program of %q", h.Commit, c.run.Commit)
	case h.Settings != c.run.Settings:
		return fmt.Sprintf("has the settings %q and not %q", h.Settings, c.run.Settings)
	}
	return ""
}

// settings are what verdicts depend on, as a text to compare and to read.
func (o *Options) settings() string {
	j := o.Judging
	return fmt.Sprintf("size %dx%d, samples %d, goldens %s, against %q, census %t, noise %d, assets %s",
		j.Width, j.Height, j.Samples, j.Goldens, j.Against, j.Census, o.Noise, strings.Join(j.Assets, ":"))
}

func (c *collector) names() []string {
	names := make([]string, len(c.o.Catalogue))
	for i, e := range c.o.Catalogue {
		names[i] = e.Name
	}
	return names
}

// begin notes the adapter and opens the journal.
func (c *collector) begin(a verdict.Adapter) error {
	c.run.Adapter = a
	if c.before != nil && *c.before != a {
		return fmt.Errorf("the run in %s cannot be resumed: it is of %s, and this is %s; choose that with --adapter, or leave out --resume to begin anew", c.o.Journal, *c.before, a)
	}
	if c.journal != nil || c.o.Journal == "" {
		return nil
	}
	// A journal that is not resumed belongs to a run that is over.
	start := journal.Replace
	if c.o.Resume {
		start = journal.Create
	}
	var err error
	c.journal, err = start(c.o.Journal, c.run, c.names())
	return err
}

func (c *collector) add(i int, r verdict.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run.Results[i] = r
	c.done++
	if c.journal != nil {
		if err := c.journal.Result(&r); err != nil && c.err == nil {
			c.err = fmt.Errorf("the journal cannot be written: %w", err)
		}
	}
	if c.o.Progress != nil {
		c.o.Progress(c.done, len(c.run.Results), r)
	}
}

func (c *collector) pending() []int {
	var out []int
	for i, e := range c.o.Catalogue {
		if r, ok := c.earlier[e.Name]; ok {
			c.run.Results[i] = r
			c.done++
			continue
		}
		out = append(out, i)
	}
	return out
}

func (c *collector) here(ctx context.Context) error {
	j, err := NewJudge(c.o.Judging)
	if err != nil {
		return err
	}
	defer j.Close()
	if !c.o.NoCanary {
		if c.run.Canary, err = j.Canary(ctx); err != nil {
			return err
		}
	}
	if err := c.begin(j.Adapter()); err != nil {
		return err
	}
	for _, i := range c.pending() {
		if ctx.Err() != nil {
			return nil
		}
		ask := c.job(i, 1, 0)
		timeout := c.o.Timeout
		if ask.Noise {
			timeout *= noiseTime
		}
		sctx, cancel := context.WithTimeout(ctx, timeout)
		r, err := j.serve(sctx, c.o.Catalogue, ask)
		cancel()
		if err != nil {
			return err
		}
		c.add(i, r)
		if r.Verdict == verdict.DeviceLost {
			// There is no second device in this process that could be trusted: the rest is not run.
			c.run.Incomplete = "the device was lost in scene " + r.Scene
			return nil
		}
	}
	return c.err
}

// job is what a worker is asked for the i-th scene; the journal notes that it
// was begun.
func (c *collector) job(i, attempt, worker int) job {
	e := c.o.Catalogue[i]
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.journal != nil {
		if err := c.journal.Begin(e.Name, attempt, worker); err != nil && c.err == nil {
			c.err = fmt.Errorf("the journal cannot be written: %w", err)
		}
	}
	ask := job{Scene: e.Name}
	if c.noisy[e.Name] {
		ask.Noise, ask.After = true, others(c.o.Catalogue, i)
	}
	return ask
}

// wrongAdapter gives every scene that has no result yet the verdict that the
// adapter asked for is not there, so that no report of the run is empty or green.
func (c *collector) wrongAdapter(why error) error {
	if err := c.begin(verdict.Adapter{}); err != nil {
		return err
	}
	for _, i := range c.pending() {
		e := c.o.Catalogue[i]
		c.add(i, verdict.Result{Scene: e.Name, Tags: e.Tags, Source: e.Source, Verdict: verdict.WrongAdapter, Reason: why.Error()})
	}
	return c.err
}

// supervise hands the scenes to worker processes.
func (c *collector) supervise(ctx context.Context) error {
	command := c.o.Worker
	if len(command) == 0 {
		var err error
		if command, err = WorkerCommand(); err != nil {
			return err
		}
	}
	// The first worker tells the adapter, or why there is none.
	first, err := startWorker(ctx, command, start{Judging: c.o.Judging, Canary: !c.o.NoCanary}, c.o.Timeout)
	if err != nil {
		return err
	}
	c.run.Canary = first.canary
	if err := c.begin(first.adapter); err != nil {
		first.stop()
		return err
	}
	queue := make(chan int)
	go func() {
		defer close(queue)
		for _, i := range c.pending() {
			select {
			case queue <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	n := min(c.o.Workers, len(c.o.Catalogue), 4*runtime.NumCPU())
	var wg sync.WaitGroup
	for k := range n {
		var w *worker
		if k == 0 {
			w = first
		}
		wg.Go(func() { c.work(ctx, command, w, k+1, queue) })
	}
	wg.Wait()
	return c.err
}

func (c *collector) work(ctx context.Context, command []string, w *worker, number int, queue <-chan int) {
	defer func() {
		if w != nil {
			w.stop()
		}
	}()
	for i := range queue {
		e := c.o.Catalogue[i]
		var r verdict.Result
		for attempt := range 2 {
			var earlier []verdict.Attempt
			if attempt > 0 {
				earlier = append(earlier, verdict.Attempt{Verdict: r.Verdict, Reason: r.Reason, MS: r.MS, Worker: number})
			}
			r = c.attempt(ctx, command, &w, e, c.job(i, attempt+1, number))
			if earlier != nil {
				r.Attempts = earlier
				// A second success is no pass: something is wrong, if not every time.
				r.Flaky = r.Passed() || r.Verdict == verdict.Pass
			}
			if ctx.Err() != nil {
				return
			}
			if r.Verdict != verdict.Crash && r.Verdict != verdict.Timeout && r.Verdict != verdict.DeviceLost {
				break
			}
		}
		c.add(i, r)
	}
}

// attempt judges e in *w, starting or replacing the worker as needed.
func (c *collector) attempt(ctx context.Context, command []string, w **worker, e *catalogue.Entry, ask job) verdict.Result {
	if *w != nil && (*w).jobs >= c.o.Recycle {
		(*w).stop()
		*w = nil
	}
	if *w == nil {
		fresh, err := startWorker(ctx, command, start{Judging: c.o.Judging}, c.o.Timeout)
		if errors.Is(err, renderer.ErrNoAdapter) {
			return verdict.Result{Scene: e.Name, Tags: e.Tags, Source: e.Source, Verdict: verdict.WrongAdapter, Reason: err.Error()}
		}
		if err != nil {
			return verdict.Result{Scene: e.Name, Tags: e.Tags, Source: e.Source, Verdict: verdict.Crash, Reason: "no worker could be started: " + err.Error()}
		}
		*w = fresh
		if fresh.adapter != c.run.Adapter {
			r := verdict.Result{Scene: e.Name, Tags: e.Tags, Source: e.Source, Verdict: verdict.WrongAdapter, Reason: fmt.Sprintf("this worker got %s, the run began on %s", fresh.adapter, c.run.Adapter)}
			fresh.stop()
			*w = nil
			return r
		}
	}
	r, err := (*w).judge(e, ask, c.o.Timeout)
	switch {
	case err != nil:
		*w = nil
	case r.Verdict == verdict.DeviceLost || r.Verdict == verdict.Timeout:
		// The process lives, its device does not.
		(*w).stop()
		*w = nil
	}
	return r
}
