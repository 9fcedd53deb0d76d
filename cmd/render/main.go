// Command render draws scenes of the catalogue to PNG files.
package main

import (
	"fmt"
	"math"
	"path/filepath"

	"darkroom/parity/cli"
	"darkroom/renderer"
	"darkroom/scenes/catalogue"
)

// commands is the command line.
type commands struct {
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

func main() {
	var c commands
	cli.Main("render", "Draws scenes off screen on a GPU adapter and writes PNG files.", &c)
}

func select1(names []string) (catalogue.Catalogue, error) {
	return catalogue.All().Select(names...)
}

// finite refuses a number that draws nothing.
func finite(flag string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s is %v; give a finite number", flag, v)
	}
	return nil
}

func output(dir, name string) string { return filepath.Join(dir, name+".png") }
