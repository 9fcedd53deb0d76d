// Command judge is the parity command line over the hostile catalogue.
package main

import (
	"darkroom/parity/command"
	"darkroom/parity/testdata/hostile"
)

func main() { command.Main("judge", hostile.Catalogue()) }
