package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// Coder are commands some of which serve a program that takes Failed for
// something else: FailedCode is the exit code for what cannot be done or judged.
type Coder interface {
	FailedCode(args []string) int
}

// Main runs the command line that the struct commands describes and ends the
// program where it fails. The Run methods of commands may take what is in
// bind, a [context.Context] that an interrupt ends, the [Output] and the parser.
// Commands that are a [Coder] choose the code that replaces Failed.
func Main(name, description string, commands any, bind ...any) {
	failed := Failed
	if c, ok := commands.(Coder); ok {
		failed = c.FailedCode(os.Args[1:])
	}
	fail := func(err error) {
		if text := Text(err); text != "" {
			fmt.Fprintln(os.Stderr, name+":", text)
		}
		code := Code(err)
		if code == Failed {
			code = failed
		}
		os.Exit(code)
	}
	// A reader that went away is an error of writing, not a silent end.
	signal.Ignore(syscall.SIGPIPE)
	parser, err := kong.New(commands, kong.Name(name), kong.Description(description),
		kong.UsageOnError(), kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Exit(func(code int) {
			if code != 0 {
				code = failed
			}
			os.Exit(code)
		}))
	if err != nil {
		fail(err)
	}
	k, err := parser.Parse(os.Args[1:])
	if err != nil {
		fail(fmt.Errorf("%w; %s --help explains", err, name))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	out := &Output{Writer: os.Stdout}
	k.BindTo(ctx, (*context.Context)(nil))
	k.Bind(append(bind, parser, out)...)
	if err := out.End(k.Run()); err != nil {
		fail(err)
	}
}
