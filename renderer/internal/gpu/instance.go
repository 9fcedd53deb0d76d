package gpu

import (
	"os"
	"sync"

	"github.com/cogentcore/webgpu/wgpu"
)

// instance is the process's one connection to the drivers. It is shared, and
// never released, because the drivers' loaders are: a second one costs 20 to
// 50 ms, and loaders are not safe to tear down and bring up again. It is made
// without a descriptor, which the binding would allocate and not clear.
var instance = sync.OnceValue(func() *wgpu.Instance {
	wgpu.SetLogLevel(wgpu.LogLevelOff) // it writes to C's stderr; errors carry the same text
	return wgpu.CreateInstance(nil)
})

// environment makes one goroutine at a time change the environment.
var environment sync.Mutex

// withRuntimeDir calls f with XDG_RUNTIME_DIR set, which EGL wants, and
// complains about on stderr, whenever it looks for displays. The folder is
// private, empty and removed again.
func withRuntimeDir(f func()) {
	environment.Lock()
	defer environment.Unlock()
	const name = "XDG_RUNTIME_DIR"
	if os.Getenv(name) == "" {
		if dir, err := os.MkdirTemp("", "darkroom-xdg-"); err == nil { // 0700
			os.Setenv(name, dir)
			defer os.RemoveAll(dir)
			defer os.Unsetenv(name)
		}
	}
	f()
}
