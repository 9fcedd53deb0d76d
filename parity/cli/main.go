package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// Main runs the command line that the struct commands describes and ends the
// program where it fails. The Run methods of commands may take what is in
// bind, a [context.Context] that an interrupt ends, the [Output] and the parser.
func Main(name, description string, commands any, bind ...any) {
	fail := func(err error) {
		if text := Text(err); text != "" {
			fmt.Fprintln(os.Stderr, name+":", text)
		}
		os.Exit(Code(err))
	}
	// A reader that went away is an error of writing, not a silent end.
	signal.Ignore(syscall.SIGPIPE)
	parser, err := kong.New(commands, kong.Name(name), kong.Description(description),
		kong.UsageOnError(), kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Exit(func(code int) {
			if code != 0 {
				code = Failed
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
