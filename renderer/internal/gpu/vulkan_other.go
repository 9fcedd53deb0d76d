//go:build !linux

package gpu

// vulkanDriver is what Vulkan itself says of a device.
type vulkanDriver struct {
	name           string
	vendor, device uint32
	virtual        bool
	driver, info   string
}

func vulkanDrivers() []vulkanDriver { return nil }
