package verdict

import "fmt"

// Verdict says how one scene fared. The values are in order of severity: of two verdicts the greater is the worse one.
//
// The order within a class follows how much of the machine was at fault. A picture that differs is the plain case; a golden that is absent or
// out of date says nothing about the picture; a render that failed has no picture; a lost device or the wrong adapter puts every other result
// of the run in doubt.
type Verdict uint8

const (
	// Unset is the zero value and never a legal result; it is worse than every verdict so that a forgotten assignment cannot pass.
	Unset Verdict = iota
	// Pass: the picture is within every limit of its golden.
	Pass
	// Mismatch: at least one gate failed.
	Mismatch
	// Blank: the picture is of one colour and the scene does not say that it may be.
	Blank
	// NonFinite: the float target held NaN or Inf before tone mapping.
	NonFinite
	// Size: picture and golden have different sizes; nothing was compared.
	Size
	// MissingGolden: there is no golden to compare with, or none that can be read.
	MissingGolden
	// StaleGolden: the golden belongs to another version of the scene.
	StaleGolden
	// NotRun: the scene was not rendered; the reason says why.
	NotRun
	// RenderError: rendering returned an error.
	RenderError
	// Timeout: rendering did not end within its time.
	Timeout
	// Crash: the process that rendered the scene died.
	Crash
	// DeviceLost: the device was lost while the scene was rendered.
	DeviceLost
	// WrongAdapter: the adapter is not the one that was asked for.
	WrongAdapter

	count
)

// names holds the published name of each verdict (JSON value, JUnit type, HTML class, ginkgo label) and the words for people.
var names = [count]struct{ id, title string }{
	Unset:         {"unset", "no verdict"},
	Pass:          {"pass", "pass"},
	Mismatch:      {"mismatch", "mismatch"},
	Blank:         {"blank", "blank"},
	NonFinite:     {"non-finite", "non-finite"},
	Size:          {"size", "size differs"},
	MissingGolden: {"missing-golden", "missing golden"},
	StaleGolden:   {"stale-golden", "stale golden"},
	NotRun:        {"not-run", "not run"},
	RenderError:   {"render-error", "render error"},
	Timeout:       {"timeout", "timeout"},
	Crash:         {"crash", "crash"},
	DeviceLost:    {"device-lost", "device lost"},
	WrongAdapter:  {"wrong-adapter", "wrong adapter"},
}

// All lists every verdict from the mildest to the worst.
func All() []Verdict {
	all := make([]Verdict, 0, count-1)
	for v := Pass; v < count; v++ {
		all = append(all, v)
	}
	return all
}

// String is the published name: lower case with hyphens, stable, and the same in JSON, JUnit and HTML.
func (v Verdict) String() string {
	if v >= count {
		return fmt.Sprintf("verdict(%d)", uint8(v))
	}
	return names[v].id
}

// Title is the name for people, with spaces.
func (v Verdict) Title() string {
	if v >= count {
		return v.String()
	}
	return names[v].title
}

// Parse is the inverse of String.
func Parse(s string) (Verdict, error) {
	for v := Pass; v < count; v++ {
		if names[v].id == s {
			return v, nil
		}
	}
	return Unset, fmt.Errorf("verdict: %q is none of the verdicts %v", s, All())
}

// MarshalText makes the published name the JSON value. A verdict that was never set is an error, not a word in a document.
func (v Verdict) MarshalText() ([]byte, error) {
	if v == Unset || v >= count {
		return nil, fmt.Errorf("verdict: %s has no name in a document; set the result's verdict", v)
	}
	return []byte(v.String()), nil
}

// UnmarshalText reads the published name.
func (v *Verdict) UnmarshalText(b []byte) error {
	p, err := Parse(string(b))
	if err != nil {
		return err
	}
	*v = p
	return nil
}

// Class says what a verdict means for the exit code.
type Class uint8

const (
	Passed   Class = 0 // judged, within limits
	Differs  Class = 1 // judged, the picture is wrong
	Unjudged Class = 2 // could not be judged
)

// Class of the verdict. Unset is Unjudged.
func (v Verdict) Class() Class {
	switch v {
	case Pass:
		return Passed
	case Mismatch, Blank, NonFinite:
		return Differs
	}
	return Unjudged
}

// Judged reports whether a picture was held against something and a yes or no came out.
func (v Verdict) Judged() bool { return v.Class() != Unjudged }

// Code is the verdict's own exit code under the fine contract: 0 for pass, else 10 to 22. The numbers are fixed by this switch and not by the
// order of the constants, so that a verdict added later moves none of them.
func (v Verdict) Code() int {
	switch v {
	case Pass:
		return 0
	case Mismatch:
		return 10
	case Blank:
		return 11
	case NonFinite:
		return 12
	case Size:
		return 13
	case MissingGolden:
		return 14
	case StaleGolden:
		return 15
	case NotRun:
		return 16
	case RenderError:
		return 17
	case Timeout:
		return 18
	case Crash:
		return 19
	case DeviceLost:
		return 20
	case WrongAdapter:
		return 21
	}
	return 22
}

// Worse reports whether v is worse than u. Unset is worse than all.
func (v Verdict) Worse(u Verdict) bool { return v.rank() > u.rank() }

func (v Verdict) rank() Verdict {
	if v == Unset {
		return count
	}
	return v
}

// Worst of several verdicts; Unset when there are none.
func Worst(vs ...Verdict) Verdict {
	if len(vs) == 0 {
		return Unset
	}
	w := vs[0]
	for _, v := range vs[1:] {
		if v.Worse(w) {
			w = v
		}
	}
	return w
}
