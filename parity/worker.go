package parity

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"darkroom/parity/verdict"
	"darkroom/renderer"
	"darkroom/scenes/catalogue"
)

// The protocol between supervisor and worker is one JSON object a line: the
// supervisor sends a Judging first, then job after job; the worker answers
// the Judging with a hello, and each job with a result.

// start is the first line: how to judge, and whether to draw the canary first.
type start struct {
	Judging
	Canary bool `json:"canary,omitempty"`
}

type hello struct {
	Adapter verdict.Adapter `json:"adapter"`
	Canary  *verdict.Canary `json:"canary,omitempty"`
	Error   string          `json:"error,omitempty"`
	// NoAdapter: the error is that the adapter asked for is not there.
	NoAdapter bool `json:"no_adapter,omitempty"`
}

// job asks for one scene; with Noise also for its repeats, between which the
// scenes in After are drawn.
type job struct {
	Scene string   `json:"scene"`
	Noise bool     `json:"noise,omitempty"`
	After []string `json:"after,omitempty"`
}

// ServeWorker is the whole life of a worker process: it reads jobs from in
// and writes results to out until in ends.
func ServeWorker(ctx context.Context, c catalogue.Catalogue, in io.Reader, out io.Writer) error {
	dec, enc := json.NewDecoder(in), json.NewEncoder(out)
	var how start
	if err := dec.Decode(&how); err != nil {
		return fmt.Errorf("worker: the first line is not a judging: %w", err)
	}
	j, err := NewJudge(how.Judging)
	if err != nil {
		return enc.Encode(hello{Error: err.Error(), NoAdapter: errors.Is(err, renderer.ErrNoAdapter)})
	}
	defer j.Close()
	h := hello{Adapter: j.Adapter()}
	if how.Canary {
		if h.Canary, err = j.Canary(ctx); err != nil {
			h.Error = err.Error()
		}
	}
	if err := enc.Encode(h); err != nil {
		return err
	}
	for {
		var next job
		if err := dec.Decode(&next); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("worker: %w", err)
		}
		r, err := j.serve(ctx, c, next)
		if err != nil {
			return err
		}
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
}

// serve does one job.
func (j *Judge) serve(ctx context.Context, c catalogue.Catalogue, next job) (verdict.Result, error) {
	e, err := c.Find(next.Scene)
	if err != nil {
		return verdict.Result{}, err
	}
	r := j.Scene(ctx, e)
	if !next.Noise || !r.Verdict.Judged() && r.Verdict != verdict.MissingGolden && r.Verdict != verdict.StaleGolden {
		return r, nil // without a picture there is nothing to repeat
	}
	var between []*catalogue.Entry
	for _, name := range next.After {
		o, err := c.Find(name)
		if err != nil {
			return verdict.Result{}, err
		}
		between = append(between, o)
	}
	if r.Noise, err = j.Noise(ctx, e, between); err != nil {
		failed(&r, "noise: ", err)
		return r, nil
	}
	judgeNoise(&r)
	return r, nil
}

// worker is a worker process as its supervisor sees it.
type worker struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	enc     *json.Encoder
	lines   chan []byte // closed when the process ends
	log     *lastWords
	adapter verdict.Adapter
	canary  *verdict.Canary
	jobs    int
}

// startWorker starts command and waits for its hello.
func startWorker(ctx context.Context, command []string, how start, timeout time.Duration) (*worker, error) {
	w := &worker{cmd: exec.CommandContext(ctx, command[0], command[1:]...), lines: make(chan []byte), log: &lastWords{}}
	w.cmd.Stderr = w.log
	var err error
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := w.cmd.Start(); err != nil {
		return nil, fmt.Errorf("worker %s: %w", command[0], err)
	}
	go func() {
		defer close(w.lines)
		r := bufio.NewReaderSize(out, 1<<16)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			w.lines <- line
		}
	}()
	w.enc = json.NewEncoder(w.in)
	if err := w.enc.Encode(how); err != nil {
		w.kill()
		return nil, fmt.Errorf("worker died at its start: %s", w.log)
	}
	line, err := w.receive(timeout)
	if err != nil {
		w.kill()
		return nil, fmt.Errorf("worker did not open its adapter: %w: %s", err, w.log)
	}
	var h hello
	if err := json.Unmarshal(line, &h); err != nil {
		w.kill()
		return nil, fmt.Errorf("worker said something else than hello: %.80q", line)
	}
	if h.Error != "" {
		w.kill()
		if h.NoAdapter {
			return nil, &noAdapterError{h.Error}
		}
		return nil, errors.New(h.Error)
	}
	w.adapter, w.canary = h.Adapter, h.Canary
	return w, nil
}

// noAdapterError is a worker's renderer.ErrNoAdapter.
type noAdapterError struct{ text string }

func (e *noAdapterError) Error() string        { return e.text }
func (e *noAdapterError) Is(target error) bool { return target == renderer.ErrNoAdapter }

var (
	errDied = errors.New("the process died")
	errSlow = errors.New("no answer in time")
)

func (w *worker) receive(timeout time.Duration) ([]byte, error) {
	t := time.NewTimer(timeout)
	defer t.Stop()
	select {
	case line, ok := <-w.lines:
		if !ok {
			return nil, errDied
		}
		return line, nil
	case <-t.C:
		return nil, errSlow
	}
}

// noiseTime is how many times the time of a scene its repeats may take.
const noiseTime = 8

// judge has the worker judge one scene. After an error the worker is dead.
func (w *worker) judge(e *catalogue.Entry, ask job, timeout time.Duration) (verdict.Result, error) {
	if ask.Noise {
		timeout *= noiseTime
	}
	start := time.Now()
	w.jobs++
	fail := func(v verdict.Verdict, reason string) (verdict.Result, error) {
		w.kill()
		return verdict.Result{Scene: e.Name, Tags: e.Tags, Source: e.Source, Verdict: v, Reason: reason, Log: w.log.String(), MS: float64(time.Since(start).Microseconds()) / 1000}, errDied
	}
	if err := w.enc.Encode(ask); err != nil {
		return fail(verdict.Crash, "the worker process died before it could render: "+w.exit())
	}
	line, err := w.receive(timeout)
	switch {
	case errors.Is(err, errSlow):
		return fail(verdict.Timeout, fmt.Sprintf("no picture within %s", timeout))
	case err != nil:
		exit := w.exit()
		v := verdict.Crash
		if w.log.deviceLost() {
			v = verdict.DeviceLost
		}
		return fail(v, "the worker process died while it rendered: "+exit)
	}
	var r verdict.Result
	if err := json.Unmarshal(line, &r); err != nil || r.Scene != e.Name {
		return fail(verdict.Crash, fmt.Sprintf("the worker answered with something else than a result of %s: %.80q", e.Name, line))
	}
	return r, nil
}

func (w *worker) exit() string {
	w.cmd.Process.Kill()
	if err := w.cmd.Wait(); err != nil {
		return err.Error()
	}
	return "exit status 0"
}

func (w *worker) kill() {
	w.in.Close()
	w.cmd.Process.Kill()
	go func() {
		for range w.lines { // let the reader end
		}
	}()
	w.cmd.Wait()
}

// stop ends the worker in peace, or by force after a moment.
func (w *worker) stop() {
	w.in.Close()
	done := make(chan struct{})
	go func() {
		for range w.lines {
		}
		w.cmd.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		w.cmd.Process.Kill()
		<-done
	}
}

// WorkerCommand is this program with the argument that makes it a worker.
func WorkerCommand() ([]string, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("this program's own file is not known, so no worker can be started: %w", err)
	}
	return []string{exe, "worker"}, nil
}
