// Command parity renders the project's catalogue and judges the pictures.
package main

import (
	"darkroom/parity/command"
	"darkroom/scenes/catalogue"
)

func main() { command.Main("parity", catalogue.All()) }
