package gpu

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cogentcore/webgpu/wgpu"
)

// AdapterInfo describes an adapter.
type AdapterInfo struct {
	Index      int    `json:"index"`       // in the list of Adapters
	Name       string `json:"name"`        // e.g. "llvmpipe (LLVM 15.0.6, 256 bits)"
	Vendor     string `json:"vendor"`      // e.g. "NVIDIA"; the id in hexadecimal where it is not a known one
	Type       string `json:"type"`        // discrete, integrated, virtual, cpu or unknown
	Backend    string `json:"backend"`     // vulkan, gl, metal or dx12
	Driver     string `json:"driver"`      // e.g. "llvmpipe", "NVIDIA"; the adapter's name where the driver gives none
	DriverInfo string `json:"driver_info"` // its version, e.g. "Mesa 22.3.6 (LLVM 15.0.6)"; may be empty
	VendorID   uint32 `json:"vendor_id"`
	DeviceID   uint32 `json:"device_id"`
}

// String is the adapter in one line.
func (a AdapterInfo) String() string {
	s := fmt.Sprintf("#%d %s (%s, %s", a.Index, a.Name, a.Type, a.Backend)
	if d := strings.TrimSpace(a.Driver + " " + a.DriverInfo); d != a.Name {
		s += ", driver " + d
	}
	return s + ")"
}

// found is an adapter that was enumerated and must be released.
type found struct {
	info AdapterInfo
	raw  *wgpu.Adapter
}

// enumerate lists the adapters, those of native backends first, GL last.
func enumerate() (all []found) {
	withRuntimeDir(func() {
		i := instance()
		for _, b := range []wgpu.InstanceBackend{wgpu.InstanceBackendPrimary, wgpu.InstanceBackendGL} {
			for _, a := range i.EnumerateAdapters(&wgpu.InstanceEnumerateAdapterOptons{Backends: b}) {
				all = append(all, found{describe(a.GetInfo(), len(all)), a})
			}
		}
	})
	drivers := vulkanDrivers()
	for i := range all {
		a := &all[i].info
		if a.Backend != "vulkan" {
			continue
		}
		for _, v := range drivers {
			if v.vendor == a.VendorID && v.device == a.DeviceID && v.name == a.Name {
				a.Driver, a.DriverInfo = or(v.driver, a.Driver), v.info
				if a.Type == "unknown" && v.virtual {
					a.Type = "virtual" // the binding has no such type
				}
				break
			}
		}
	}
	return all
}

// describe reads the binding's description. Its names are misleading: Name is
// the device id and VendorName the vendor id, both in hexadecimal, and
// DriverDescription is the name of the adapter.
func describe(i wgpu.AdapterInfo, index int) AdapterInfo {
	a := AdapterInfo{
		Index: index, Name: strings.TrimSpace(i.DriverDescription), Vendor: vendor(i.VendorId),
		Type: "unknown", VendorID: i.VendorId, DeviceID: i.DeviceId,
	}
	if a.Name == "" {
		a.Name = fmt.Sprintf("%s device %#x", a.Vendor, i.DeviceId)
	}
	a.Driver = a.Name
	switch i.AdapterType {
	case wgpu.AdapterTypeDiscreteGPU:
		a.Type = "discrete"
	case wgpu.AdapterTypeIntegratedGPU:
		a.Type = "integrated"
	case wgpu.AdapterTypeCPU:
		a.Type = "cpu"
	}
	switch i.BackendType {
	case wgpu.BackendTypeVulkan:
		a.Backend = "vulkan"
	case wgpu.BackendTypeOpenGL, wgpu.BackendTypeOpenGLES:
		a.Backend = "gl"
	case wgpu.BackendTypeMetal:
		a.Backend = "metal"
	case wgpu.BackendTypeD3D11, wgpu.BackendTypeD3D12:
		a.Backend = "dx12"
	default:
		a.Backend = i.BackendType.String()
	}
	return a
}

// vendor names a PCI or Khronos vendor id (Vulkan registry, VkVendorId).
func vendor(id uint32) string {
	switch id {
	case 0x1002:
		return "AMD"
	case 0x106b:
		return "Apple"
	case 0x10de:
		return "NVIDIA"
	case 0x13b5:
		return "ARM"
	case 0x1414:
		return "Microsoft"
	case 0x1ae0:
		return "Google"
	case 0x5143:
		return "Qualcomm"
	case 0x8086:
		return "Intel"
	case 0x10005:
		return "Mesa"
	}
	return fmt.Sprintf("%#x", id)
}

// Adapters lists the adapters of this machine; with options, those that fit
// them. An empty list is an ErrNoAdapter.
func Adapters(o ...Options) ([]AdapterInfo, error) {
	all := enumerate()
	var out []AdapterInfo
	for _, f := range all {
		fits := true
		for _, x := range o {
			fits = fits && f.info.fits(x)
		}
		if fits {
			out = append(out, f.info)
		}
		f.raw.Release()
	}
	if len(out) == 0 {
		asked := Options{}
		if len(o) > 0 {
			asked = o[0]
		}
		return nil, noAdapter(asked, all)
	}
	return out, nil
}

// choose opens the best adapter that fits o and releases the others.
func choose(o Options) (found, error) {
	all := enumerate()
	best := -1
	for i, f := range all {
		if !f.info.fits(o) || o.Adapter == "" && o.Backend == "" && f.info.Backend == "gl" {
			continue // GL never stands in silently for what was expected to be native
		}
		if best < 0 || f.info.rank() > all[best].info.rank() {
			best = i
		}
	}
	for i, f := range all {
		if i != best {
			f.raw.Release()
		}
	}
	if best < 0 {
		return found{}, noAdapter(o, all)
	}
	return all[best], nil
}

func noAdapter(o Options, all []found) error {
	if len(all) == 0 {
		return fmt.Errorf("%w: this machine has no Vulkan, Metal, DX12 or GL driver; on Debian or Ubuntu install mesa-vulkan-drivers and libvulkan1", ErrNoAdapter)
	}
	var asked []string
	if o.Adapter != "" {
		asked = append(asked, strconv.Quote(o.Adapter))
	}
	if o.Backend != "" {
		asked = append(asked, "with backend "+strconv.Quote(o.Backend))
	}
	if asked == nil {
		asked = []string{"with a native backend (GL must be asked for by name)"}
	}
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.info.String()
	}
	return fmt.Errorf("%w %s; there are: %s", ErrNoAdapter, strings.Join(asked, " "), strings.Join(names, "; "))
}

// fits reports whether the adapter is one that o asks for.
func (a AdapterInfo) fits(o Options) bool {
	if o.Backend != "" && !strings.EqualFold(strings.TrimSpace(o.Backend), a.Backend) {
		return false
	}
	want := strings.ToLower(strings.TrimSpace(o.Adapter))
	if want == "" {
		return true
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(want, "#")); err == nil {
		return n == a.Index
	}
	if want == a.Backend || want == a.Type {
		return true
	}
	for _, s := range []string{a.Name, a.Driver, a.DriverInfo} {
		// A part of a name may not be used to get at GL without naming it.
		if a.Backend != "gl" || strings.EqualFold(o.Backend, "gl") {
			if strings.Contains(strings.ToLower(s), want) {
				return true
			}
		}
	}
	return false
}

// rank orders adapters: discrete, integrated, virtual, CPU, and GL behind all
// others of its type.
func (a AdapterInfo) rank() int {
	r := 0
	switch a.Type {
	case "discrete":
		r = 8
	case "integrated":
		r = 6
	case "virtual":
		r = 4
	case "cpu":
		r = 2
	}
	if a.Backend != "gl" {
		r++
	}
	return r
}
