// Command judge renders and judges this module's scenes: run, approve, report, merge.
package main

import (
	"darkroom/parity/command"

	"example.com/ownscenes"
)

func main() { command.Main("judge", ownscenes.Catalogue()) }
