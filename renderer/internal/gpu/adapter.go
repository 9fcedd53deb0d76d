package gpu

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/cogentcore/webgpu/wgpu"
)

// AdapterInfo describes an adapter.
type AdapterInfo struct {
	Index    int    `json:"index"`
	Name     string `json:"name"`    // readable, e.g. "llvmpipe (LLVM 15.0.6, 256 bits)"
	Type     string `json:"type"`    // discrete, integrated, virtual, cpu, unknown
	Backend  string `json:"backend"` // vulkan, gl, metal, dx12
	Driver   string `json:"driver"`  // what the driver says of itself
	VendorID uint32 `json:"vendor_id"`
	DeviceID uint32 `json:"device_id"`
}

// String is the adapter in one line.
func (a AdapterInfo) String() string {
	return fmt.Sprintf("#%d %s (%s, %s, driver %s)", a.Index, a.Name, a.Type, a.Backend, a.Driver)
}

// ErrNoAdapter is returned where no adapter fits the request.
var ErrNoAdapter = errors.New("no adapter")

// instance is the process's one connection to the drivers. It is a global
// because the drivers are: a second instance costs 20 to 50 ms and their
// loaders are not safe to tear down and bring up again.
var instance = sync.OnceValue(func() *wgpu.Instance {
	wgpu.SetLogLevel(wgpu.LogLevelOff)
	if os.Getenv("XDG_RUNTIME_DIR") == "" {
		// EGL complains on stderr at every call without one.
		dir := filepath.Join(os.TempDir(), fmt.Sprintf("darkroom-runtime-%d", os.Getuid()))
		if err := os.Mkdir(dir, 0o700); err == nil || errors.Is(err, os.ErrExist) {
			os.Setenv("XDG_RUNTIME_DIR", dir)
		}
	}
	return wgpu.CreateInstance(nil) // a descriptor would be read uninitialised
})

type found struct {
	info    AdapterInfo
	adapter *wgpu.Adapter
}

// enumerate lists the adapters, natives first, GL last.
func enumerate() []found {
	var out []found
	for _, b := range []wgpu.InstanceBackend{wgpu.InstanceBackendPrimary, wgpu.InstanceBackendGL} {
		for _, a := range instance().EnumerateAdapters(&wgpu.InstanceEnumerateAdapterOptons{Backends: b}) {
			out = append(out, found{describe(a, len(out)), a})
		}
	}
	return out
}

func describe(a *wgpu.Adapter, index int) AdapterInfo {
	i := a.GetInfo()
	info := AdapterInfo{Index: index, Type: "unknown", VendorID: i.VendorId, DeviceID: i.DeviceId, Driver: i.DriverDescription}
	switch i.AdapterType {
	case wgpu.AdapterTypeDiscreteGPU:
		info.Type = "discrete"
	case wgpu.AdapterTypeIntegratedGPU:
		info.Type = "integrated"
	case wgpu.AdapterTypeCPU:
		info.Type = "cpu"
	}
	switch i.BackendType {
	case wgpu.BackendTypeVulkan:
		info.Backend = "vulkan"
	case wgpu.BackendTypeOpenGL, wgpu.BackendTypeOpenGLES:
		info.Backend = "gl"
	case wgpu.BackendTypeMetal:
		info.Backend = "metal"
	case wgpu.BackendTypeD3D12, wgpu.BackendTypeD3D11:
		info.Backend = "dx12"
	}
	// The binding's fields are shifted: the readable name may stand in any of
	// them, the ids as hexadecimal text in others.
	for _, s := range []string{i.Name, i.DriverDescription, i.Architecture, i.VendorName} {
		if s != "" && !strings.HasPrefix(s, "0x") {
			info.Name = s
			break
		}
	}
	if i.Architecture != "" && i.Architecture != info.Name && !strings.HasPrefix(i.Architecture, "0x") {
		info.Driver = i.Architecture
	}
	if info.Name == "" {
		info.Name = fmt.Sprintf("vendor %#x device %#x", i.VendorId, i.DeviceId)
	}
	if info.Driver == "" {
		info.Driver = info.Name
	}
	return info
}

// Adapters lists the adapters of this machine. An empty list is an error.
func Adapters() ([]AdapterInfo, error) {
	all := enumerate()
	var out []AdapterInfo
	for _, f := range all {
		out = append(out, f.info)
		f.adapter.Release()
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: this machine has no Vulkan, Metal, DX12 or GL driver; on Debian or Ubuntu install mesa-vulkan-drivers and libvulkan1", ErrNoAdapter)
	}
	return out, nil
}

// choose picks the adapter that o asks for and releases the others.
func choose(o Options) (*wgpu.Adapter, AdapterInfo, error) {
	all := enumerate()
	best, rank := -1, -1
	for i, f := range all {
		if !f.info.matches(o) {
			continue
		}
		if r := f.info.rank(o); r > rank {
			best, rank = i, r
		}
	}
	var names []string
	for i, f := range all {
		names = append(names, f.info.String())
		if i != best {
			f.adapter.Release()
		}
	}
	if best >= 0 {
		return all[best].adapter, all[best].info, nil
	}
	if len(all) == 0 {
		_, err := Adapters()
		return nil, AdapterInfo{}, err
	}
	asked := strings.TrimSpace(o.Adapter + " " + o.Backend)
	if asked == "" {
		asked = "with a native backend (GL must be asked for)"
	}
	return nil, AdapterInfo{}, fmt.Errorf("%w %s; this machine has: %s", ErrNoAdapter, asked, strings.Join(names, "; "))
}

func (a AdapterInfo) matches(o Options) bool {
	if o.Backend != "" && !strings.EqualFold(o.Backend, a.Backend) {
		return false
	}
	s := strings.ToLower(strings.TrimSpace(o.Adapter))
	if s == "" {
		return o.Backend != "" || a.Backend != "gl"
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(s, "#")); err == nil {
		return n == a.Index
	}
	return s == a.Backend || strings.Contains(strings.ToLower(a.Name), s) || strings.Contains(strings.ToLower(a.Driver), s) || s == a.Type
}

func (a AdapterInfo) rank(Options) int {
	r := map[string]int{"discrete": 8, "integrated": 6, "virtual": 4, "cpu": 2}[a.Type]
	if a.Backend != "gl" {
		r++
	}
	return r
}
