//go:build plugins

package main

import (
	"darkroom/material/pbr"
	"darkroom/material/plugin"
)

// linked uses the package, so that it is not only imported.
func linked() string {
	if _, err := plugin.Wrap(pbr.New("other"), &plugin.Plugin{Name: "grey", Code: map[plugin.Point]string{plugin.FragmentMainBegin: "// grey"}}); err != nil {
		return err.Error()
	}
	return "with"
}
