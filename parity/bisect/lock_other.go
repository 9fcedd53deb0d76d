//go:build !unix || solaris || aix

package bisect

import "os"

// lock does nothing where there is no flock.
func lock(*os.File) error { return nil }

func share(*os.File) error { return nil }
