// Package cli is what the command lines have in common: exit codes, how an
// error is printed, standard output whose errors are not lost, and flags.
package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Exit codes: 0 all passed, 1 a picture differs, 2 it could not be done or judged.
const (
	Differs = 1
	Failed  = 2
)

// Exit ends the program with a code of its own; an empty text prints nothing.
type Exit struct {
	Code int
	Text string
}

func (e *Exit) Error() string { return e.Text }

// Code is the exit code of err, however it is wrapped.
func Code(err error) int {
	var e *Exit
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		return e.Code
	}
	return Failed
}

// Text is err as it is printed: every line once, those after the first indented.
func Text(err error) string {
	seen := map[string]bool{}
	var out []string
	for l := range strings.SplitSeq(strings.TrimSpace(err.Error()), "\n") {
		if l = strings.TrimSpace(l); l != "" && !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n  ")
}

// Output is standard output. It keeps the first error, so that a program whose
// output went nowhere does not end as if all were well.
type Output struct {
	io.Writer
	err error
}

// Write implements io.Writer. After an error nothing more is written.
func (o *Output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.Writer.Write(p)
	if err != nil {
		o.err = fmt.Errorf("standard output cannot be written: %w; nothing after it was printed, files that were asked for are whole", err)
	}
	return n, o.err
}

// End is the error that a program ends with: its own, or the output's where its
// own was none or only that a picture differs, which nobody was told.
func (o *Output) End(err error) error {
	if o.err != nil && Code(err) <= Differs {
		return o.err
	}
	return err
}

// Count is a number with its noun, "1 scene" or "2 scenes".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Amount is a flag that takes a number from 0 up, or the word all, which is -1.
type Amount int

// UnmarshalText implements encoding.TextUnmarshaler.
func (a *Amount) UnmarshalText(b []byte) error {
	if string(b) == "all" {
		*a = -1
		return nil
	}
	n, err := strconv.ParseUint(string(b), 10, 31)
	if err != nil {
		return fmt.Errorf("%q is no amount; give a number from 0 up, or all", b)
	}
	*a = Amount(n)
	return nil
}

// Size is a WIDTHxHEIGHT flag in pixels; zero where it was not given.
type Size struct{ W, H int }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Size) UnmarshalText(b []byte) error {
	bad := fmt.Errorf("%q is no size; write it as 1280x720", b)
	width, height, _ := strings.Cut(strings.ToLower(string(b)), "x")
	w, err1 := strconv.ParseUint(width, 10, 31)
	h, err2 := strconv.ParseUint(height, 10, 31)
	if err1 != nil || err2 != nil || w == 0 || h == 0 {
		return bad
	}
	s.W, s.H = int(w), int(h)
	return nil
}
