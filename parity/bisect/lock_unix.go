//go:build unix && !solaris && !aix

package bisect

import (
	"os"
	"syscall"
)

// lock takes the file for this process until it is closed or the process ends, however it ends.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// share takes the file together with others; it waits for one that has it alone.
func share(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_SH) }
