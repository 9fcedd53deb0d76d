package main

import (
	"path/filepath"
	"runtime/debug"

	"darkroom/parity/verdict"
)

// writeReports writes every report of a run into dir.
func writeReports(dir string, run *verdict.Run) error {
	return writeJSON(filepath.Join(dir, "run.json"), run)
}

// binding is the name and version of the WebGPU binding in this program.
func binding() string {
	const module = "github.com/cogentcore/webgpu"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == module {
				return d.Path + " " + d.Version
			}
		}
	}
	return module
}
