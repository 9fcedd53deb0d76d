//go:build unix

package gltf

import (
	"syscall"
	"time"
)

// processorTime is what this process has had of the processors, which the load
// of the machine does not change.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
