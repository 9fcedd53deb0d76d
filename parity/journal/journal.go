// Package journal keeps the record of a run while it goes on, so that nothing that was judged is lost when the process is killed: one JSON object a
// line, appended and synced before the next scene is begun. The document of the run, and every report, can be rebuilt from it.
//
// A process that is killed can leave the last line torn. Reading stops before such a line, and opening for append cuts it off. A bad line anywhere
// else is an error: something other than a kill wrote it.
package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"darkroom/parity/verdict"
	"darkroom/scenes/files"
)

// The kinds of line.
const (
	kindRun    = "run"    // header: the run without results, and the scenes it was asked for
	kindBegin  = "begin"  // a scene was handed to a worker
	kindResult = "result" // a scene was judged
	kindEnd    = "end"    // the run ended by itself
)

type line struct {
	Kind    string          `json:"kind"`
	Time    time.Time       `json:"time"`
	Run     *verdict.Run    `json:"run,omitempty"`
	Scenes  []string        `json:"scenes,omitempty"`
	Scene   string          `json:"scene,omitempty"`
	Attempt int             `json:"attempt,omitempty"`
	Worker  int             `json:"worker,omitempty"`
	Result  *verdict.Result `json:"result,omitempty"`
	MS      float64         `json:"ms,omitempty"`
}

// ErrNotEmpty is returned by Create for a journal that has something in it; Resume goes on with it.
var ErrNotEmpty = errors.New("journal is there already")

// ErrBusy is returned for a journal that another process is writing.
var ErrBusy = errors.New("journal is being written by another process")

// Journal is open for writing. Its methods may be called from several goroutines.
type Journal struct {
	mu    sync.Mutex
	f     *os.File
	begun time.Time
	err   error // of the first write that failed; nothing is written after it
}

// Create starts the journal of a run: its header without results, and the names of all scenes that it was asked for.
func Create(path string, run *verdict.Run, scenes []string) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%w: %s; resume it, or remove it", ErrNotEmpty, path)
	}
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return begin(f, path, run, scenes)
}

// Replace is Create where the journal of a run that is over may be there; one that is being written is ErrBusy and stays as it is. The file is
// emptied and not removed: a lock belongs to the file, and two runs that each made one of their own would not see each other.
func Replace(path string, run *verdict.Run, scenes []string) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return begin(f, path, run, scenes)
}

// begin locks the file, empties it and writes the header.
func begin(f *os.File, path string, run *verdict.Run, scenes []string) (*Journal, error) {
	if err := lock(f); err != nil {
		f.Close()
		return nil, busy(path, err)
	}
	if err := f.Truncate(0); err != nil {
		f.Close()
		return nil, fmt.Errorf("journal: %w", err)
	}
	j := &Journal{f: f, begun: time.Now()}
	head := *run
	head.Results = nil
	if err := j.write(line{Kind: kindRun, Run: &head, Scenes: scenes}); err != nil {
		f.Close()
		return nil, err
	}
	// The name itself must survive, too.
	if d, err := os.Open(filepath.Dir(path)); err == nil {
		d.Sync()
		d.Close()
	}
	return j, nil
}

// Resume opens a journal to go on with it, and returns what is in it: scenes that have a result need not be run again. A torn last line is cut
// off.
func Resume(path string) (*Journal, *Record, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0o644)
	if err != nil {
		return nil, nil, fmt.Errorf("journal: %w", err)
	}
	rec, err := resume(f, path)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return &Journal{f: f, begun: time.Now()}, rec, nil
}

// resume locks before it reads, so that what it cuts off is not another process's line on its way.
func resume(f *os.File, path string) (*Record, error) {
	if err := lock(f); err != nil {
		return nil, busy(path, err)
	}
	rec, err := read(f)
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	if err := f.Truncate(rec.size); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return rec, nil
}

func busy(path string, err error) error {
	return fmt.Errorf("%w: %s: %w; wait for that run, or choose another folder", ErrBusy, path, err)
}

func (j *Journal) write(l line) error {
	l.Time = time.Now().UTC()
	b, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil {
		return j.err
	}
	// One write a line: lines of several goroutines do not mix, and a kill tears at most the last one.
	if _, err := j.f.Write(append(b, '\n')); err != nil {
		j.err = fmt.Errorf("journal: %w", err)
		return j.err
	}
	if err := j.f.Sync(); err != nil {
		j.err = fmt.Errorf("journal: %w", err)
	}
	return j.err
}

// Begin notes that a scene was handed to a worker; attempt counts from 1.
func (j *Journal) Begin(scene string, attempt, worker int) error {
	return j.write(line{Kind: kindBegin, Scene: scene, Attempt: attempt, Worker: worker})
}

// Result notes the final result of a scene. When it returns nil, the result is on disk.
func (j *Journal) Result(r *verdict.Result) error {
	return j.write(line{Kind: kindResult, Scene: r.Scene, Result: r})
}

// End notes that the run ended by itself, and closes the journal.
func (j *Journal) End() error {
	err := j.write(line{Kind: kindEnd, MS: float64(time.Since(j.begun)) / float64(time.Millisecond)})
	return errors.Join(err, j.Close())
}

// Close closes the journal of a run that did not end by itself.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.f == nil {
		return nil
	}
	err := j.f.Close()
	j.f = nil
	if j.err == nil {
		j.err = errors.New("journal: is closed")
	}
	return err
}

// Record is what a journal says.
type Record struct {
	// Head is the run without results.
	Head verdict.Run
	// Scenes are all that the run was asked for, in its order.
	Scenes []string
	// Results by scene.
	Results map[string]verdict.Result
	// InFlight are scenes that were begun and have no result, with the number of the last attempt.
	InFlight map[string]int
	// Ended reports whether the run ended by itself.
	Ended bool
	// Torn reports whether the last line was cut short.
	Torn bool

	ms   float64
	size int64 // of the whole lines
}

// maxLine bounds a line; a result with all its numbers and the tail of a worker's log is far below.
const maxLine = 16 << 20

// Read reads a journal.
func Read(path string) (*Record, error) {
	f, err := files.Open(path)
	if err != nil {
		return nil, fmt.Errorf("journal: %w; a run writes it into its report folder", err)
	}
	defer f.Close()
	rec, err := read(f)
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	return rec, nil
}

func read(r io.Reader) (*Record, error) {
	rec := &Record{Results: map[string]verdict.Result{}, InFlight: map[string]int{}}
	in := bufio.NewReaderSize(r, 1<<16)
	known := map[string]bool{}
	for n := 1; ; n++ {
		b, err := readLine(in)
		if err == io.EOF {
			rec.Torn = len(b) > 0
			break
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		var l line
		if err := json.Unmarshal(b, &l); err != nil {
			// A file system may have kept the length of a line whose bytes were lost with the power; then it is the last.
			if _, more := in.Peek(1); more == io.EOF {
				rec.Torn = true
				break
			}
			return nil, fmt.Errorf("line %d is damaged: %w", n, err)
		}
		if (l.Kind == kindRun) != (n == 1) {
			return nil, fmt.Errorf("line %d has kind %q; the header must be the first line and only that", n, l.Kind)
		}
		switch l.Kind {
		case kindRun:
			if l.Run == nil {
				return nil, fmt.Errorf("line %d: the header has no run", n)
			}
			rec.Head, rec.Scenes = *l.Run, l.Scenes
			for _, s := range l.Scenes {
				if known[s] {
					return nil, fmt.Errorf("line %d: scene %s is there twice", n, s)
				}
				known[s] = true
			}
		case kindBegin:
			if !known[l.Scene] {
				return nil, fmt.Errorf("line %d: scene %q is not in the header", n, l.Scene)
			}
			rec.InFlight[l.Scene] = l.Attempt
			rec.Ended = false
		case kindResult:
			if l.Result == nil || !known[l.Result.Scene] {
				return nil, fmt.Errorf("line %d: result of scene %q, which is not in the header", n, l.Scene)
			}
			if _, ok := rec.Results[l.Result.Scene]; ok {
				return nil, fmt.Errorf("line %d: scene %s has a second result", n, l.Result.Scene)
			}
			rec.Results[l.Result.Scene] = *l.Result
			delete(rec.InFlight, l.Result.Scene)
		case kindEnd:
			rec.Ended = true
			rec.ms += l.MS
		default:
			return nil, fmt.Errorf("line %d has the unknown kind %q", n, l.Kind)
		}
		rec.size += int64(len(b)) + 1
	}
	if rec.size == 0 {
		return nil, errors.New("there is no header; the run died before it began, so there is nothing to go on with: begin anew")
	}
	return rec, nil
}

// readLine returns a line without its end; with io.EOF what stands after the last one.
func readLine(in *bufio.Reader) ([]byte, error) {
	var out []byte
	for {
		part, err := in.ReadSlice('\n')
		out = append(out, part...)
		if len(out) > maxLine {
			return nil, fmt.Errorf("is longer than %d bytes", maxLine)
		}
		switch {
		case err == bufio.ErrBufferFull:
		case err != nil:
			return out, err
		default:
			return bytes.TrimSuffix(out, []byte{'\n'}), nil
		}
	}
}

// Todo are the scenes without a result, in the order of the run.
func (r *Record) Todo() []string {
	return slices.DeleteFunc(slices.Clone(r.Scenes), func(s string) bool { _, ok := r.Results[s]; return ok })
}

// Run is the document of the run as far as the journal tells. Every scene that the run was asked for has a result: one that was being rendered when
// the run died, or never begun, is "not run" and says so. A run without its end is Incomplete.
func (r *Record) Run() *verdict.Run {
	out := r.Head
	out.Results = make([]verdict.Result, 0, len(r.Scenes))
	out.MS = r.ms
	for _, s := range r.Scenes {
		if x, ok := r.Results[s]; ok {
			out.Results = append(out.Results, x)
			continue
		}
		reason := "the run ended before this scene was begun"
		if n, ok := r.InFlight[s]; ok {
			reason = fmt.Sprintf("the run ended while this scene was being rendered (attempt %d)", n)
		}
		out.Results = append(out.Results, verdict.Result{Scene: s, Verdict: verdict.NotRun, Reason: reason})
	}
	switch left := len(r.Todo()); {
	case !r.Ended:
		out.Incomplete = fmt.Sprintf("the process died; %d of %d scenes have a result", len(r.Results), len(r.Scenes))
	case left > 0:
		out.Incomplete = fmt.Sprintf("the run was stopped; %d of %d scenes have a result", len(r.Results), len(r.Scenes))
	}
	out.Sort()
	return &out
}
