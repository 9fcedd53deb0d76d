package minimise

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"darkroom/scenes"
)

// ErrUndrawable is wrapped where a side cannot draw a scene, which says nothing
// of the side itself.
var ErrUndrawable = errors.New("cannot be drawn")

// request is a line that Serve reads: draw the scene without some elements.
type request struct {
	Drop []Key `json:"drop"`
	// Out is the file for the pixels, four bytes each; empty asks for the elements.
	Out string `json:"out,omitempty"`
	// Note asks for the fragments that were drawn.
	Note bool `json:"note,omitempty"`
}

// answer is the line that it writes back.
type answer struct {
	Elements   []Key  `json:"elements,omitempty"`
	Fragments  []Key  `json:"fragments,omitempty"`
	Width      int    `json:"width,omitempty"`
	Height     int    `json:"height,omitempty"`
	Undrawable string `json:"undrawable,omitempty"`
	Error      string `json:"error,omitempty"`
}

// Serve draws a scene again and again for a Process: it reads requests from in
// and answers each on out, until in ends.
func Serve(ctx context.Context, build func() (*scenes.Scene, error), draw func(context.Context, *scenes.Scene) (*image.NRGBA, error), in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20) // a scene may have a hundred thousand elements
	enc := json.NewEncoder(out)
	for lines.Scan() {
		var q request
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return fmt.Errorf("a request is no JSON: %w", err)
		}
		if err := enc.Encode(serve(ctx, build, draw, q)); err != nil {
			return err
		}
	}
	return lines.Err()
}

func serve(ctx context.Context, build func() (*scenes.Scene, error), draw func(context.Context, *scenes.Scene) (*image.NRGBA, error), q request) answer {
	s, err := build()
	if err != nil {
		return answer{Error: err.Error()}
	}
	if q.Out == "" {
		return answer{Elements: Keys(s)}
	}
	Drop(s, q.Drop)
	var fragments []Key
	if q.Note {
		filter(s, nil, &fragments)
	}
	img, err := draw(ctx, s)
	if err != nil {
		return answer{Undrawable: err.Error()}
	}
	if err := os.WriteFile(q.Out, img.Pix, 0o644); err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Width: img.Rect.Dx(), Height: img.Rect.Dy(), Fragments: fragments}
}

// Process is a side that another program draws, one that Serves: the program of
// another revision. It is started when it is first asked, and again after it ended.
type Process struct {
	// Command makes the command that serves.
	Command func(ctx context.Context) *exec.Cmd
	// Dir is a folder for the pixels.
	Dir string

	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// Elements asks for the elements of the scene.
func (p *Process) Elements(ctx context.Context) ([]Key, error) {
	a, err := p.ask(ctx, request{})
	if err != nil {
		return nil, err
	}
	return a.Elements, nil
}

// Fragments asks for the fragments of the materials that are drawn in the scene
// without the elements dropped.
func (p *Process) Fragments(ctx context.Context, dropped []Key) ([]Key, error) {
	a, err := p.ask(ctx, request{Drop: dropped, Out: filepath.Join(p.Dir, "picture.rgba"), Note: true})
	if err == nil && a.Undrawable != "" {
		err = fmt.Errorf("%w: %s", ErrUndrawable, a.Undrawable)
	}
	return a.Fragments, err
}

// Draw asks for a picture of the scene without the elements dropped. A program
// that ends on it cannot draw it, and neither can one that says so: the error
// wraps ErrUndrawable.
func (p *Process) Draw(ctx context.Context, dropped []Key) (*image.NRGBA, error) {
	file := filepath.Join(p.Dir, "picture.rgba")
	a, err := p.ask(ctx, request{Drop: dropped, Out: file})
	switch {
	case err != nil:
		return nil, err
	case a.Undrawable != "":
		return nil, fmt.Errorf("%w: %s", ErrUndrawable, a.Undrawable)
	}
	pix, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if a.Width < 1 || a.Height < 1 || a.Width > 1<<15 || a.Height > 1<<15 || len(pix) != 4*a.Width*a.Height {
		return nil, fmt.Errorf("the program's picture of %d×%d has %d bytes", a.Width, a.Height, len(pix))
	}
	return &image.NRGBA{Pix: pix, Stride: 4 * a.Width, Rect: image.Rect(0, 0, a.Width, a.Height)}, nil
}

func (p *Process) ask(ctx context.Context, q request) (a answer, err error) {
	fresh := p.cmd == nil
	if fresh {
		if err := p.start(ctx); err != nil {
			return a, err
		}
	}
	b, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	if _, err = p.in.Write(append(b, '\n')); err == nil {
		var line []byte
		if line, err = p.out.ReadBytes('\n'); err == nil {
			err = json.Unmarshal(line, &a)
		}
	}
	switch {
	case ctx.Err() != nil:
		p.Close()
		return a, ctx.Err()
	case err != nil:
		p.Close()
		why := strings.TrimSpace(p.stderr.String())
		if i := strings.LastIndexByte(why, '\n'); i >= 0 {
			why = why[i+1:]
		}
		if q.Out == "" {
			return a, fmt.Errorf("the program ended without an answer: %s", why)
		}
		return a, fmt.Errorf("%w: the program ended: %s", ErrUndrawable, why)
	case a.Error != "":
		return a, errors.New(a.Error)
	}
	return a, nil
}

func (p *Process) start(ctx context.Context) (err error) {
	p.stderr.Reset()
	cmd := p.Command(ctx)
	cmd.Stderr = &p.stderr
	if p.in, err = cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = bufio.NewReader(out)
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd = cmd
	return nil
}

// Close ends the program.
func (p *Process) Close() {
	if p.cmd == nil {
		return
	}
	p.in.Close()
	_ = p.cmd.Process.Kill() // it has nothing to lose
	_ = p.cmd.Wait()
	p.cmd = nil
}
