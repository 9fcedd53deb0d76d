package cli

import (
	"os"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// Bar is a progress bar on standard error where that is a terminal, and nothing elsewhere.
type Bar struct {
	p *mpb.Progress
	b *mpb.Bar
}

// Progress starts a bar of n steps.
func Progress(n int) *Bar {
	if !term.IsTerminal(int(os.Stderr.Fd())) || n < 2 {
		return &Bar{}
	}
	p := mpb.New(mpb.WithOutput(os.Stderr), mpb.WithWidth(40))
	return &Bar{p, p.AddBar(int64(n), mpb.PrependDecorators(decor.CountersNoUnit("%d/%d ")), mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO)))}
}

// Step says that one step is done.
func (b *Bar) Step() {
	if b.b != nil {
		b.b.Increment()
	}
}

// Done ends the bar, however many steps were done.
func (b *Bar) Done() {
	if b.p != nil {
		b.b.Abort(false)
		b.p.Wait()
	}
}
