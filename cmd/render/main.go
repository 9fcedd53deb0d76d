// Command render draws scenes of the catalogue to PNG files.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"darkroom/renderer"
	"darkroom/scenes/catalogue"
)

// cli is the command line.
type cli struct {
	List     listCmd     `cmd:"" help:"List the scenes of the catalogue."`
	Adapters adaptersCmd `cmd:"" help:"List the GPU adapters of this machine."`
	Scene    sceneCmd    `cmd:"" help:"Render scenes by name."`
	Gltf     gltfCmd     `cmd:"" help:"Render glTF files or folders of them."`
	Export   exportCmd   `cmd:"" help:"Write scenes as documents for another engine."`
	Wgsl     wgslCmd     `cmd:"" help:"Print the composed shaders of a scene with the origin of every line."`
	Complete completeCmd `cmd:"" help:"Print a shell completion script."`
}

// shared are the flags of every command that draws.
type shared struct {
	Adapter string   `help:"Adapter: an index, or part of a name, driver or backend." env:"DARKROOM_ADAPTER"`
	Backend string   `help:"Backend: vulkan, gl, metal or dx12." enum:",vulkan,gl,metal,dx12" default:""`
	Assets  []string `help:"Folders with third-party files." env:"DARKROOM_ASSETS" sep:":" type:"path"`
	JSON    bool     `name:"json" help:"Print JSON on standard output."`
}

func (s *shared) open() (*renderer.Renderer, error) {
	return renderer.Open(renderer.Options{Adapter: s.Adapter, Backend: s.Backend})
}

// size is a WIDTHxHEIGHT flag.
type size struct{ w, h int }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *size) UnmarshalText(b []byte) error {
	if n, err := fmt.Sscanf(strings.ToLower(string(b)), "%dx%d", &s.w, &s.h); n != 2 || err != nil || s.w < 1 || s.h < 1 || fmt.Sprintf("%dx%d", s.w, s.h) != strings.ToLower(string(b)) {
		return fmt.Errorf("%q is no size; write it as 1280x720", b)
	}
	return nil
}

// exit codes: 0 all pictures were written; 2 something was not.
const exitFailed = 2

func main() {
	var c cli
	parser, err := kong.New(&c, kong.Name("render"), kong.Description("Draws scenes off screen on a GPU adapter and writes PNG files."),
		kong.UsageOnError(), kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Exit(func(code int) {
			if code != 0 {
				code = exitFailed
			}
			os.Exit(code)
		}))
	if err != nil {
		fail(err)
	}
	k, err := parser.Parse(os.Args[1:])
	if err != nil {
		fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	k.BindTo(ctx, (*context.Context)(nil))
	k.Bind(parser)
	if err := k.Run(); err != nil {
		fail(err)
	}
}

// fail prints one line and ends the program.
func fail(err error) {
	fmt.Fprintln(os.Stderr, "render:", strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "\n  "))
	os.Exit(exitFailed)
}

func select1(names []string) (catalogue.Catalogue, error) {
	return catalogue.All().Select(names...)
}

// checkFolder makes sure that pictures can be written to dir before anything is drawn.
func checkFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w; choose another with --out", dir, errors.Unwrap(err))
	}
	f, err := os.CreateTemp(dir, ".darkroom-*")
	if err != nil {
		return fmt.Errorf("the folder %s cannot be written to: %w; choose another with --out", dir, errors.Unwrap(err))
	}
	f.Close()
	return os.Remove(f.Name())
}

func output(dir, name string) string { return filepath.Join(dir, name+".png") }
