//go:build linux

package gpu

// The binding hands on neither the driver's name nor its version, which decide
// what a golden picture may be compared with. Vulkan is asked for them
// directly: VkPhysicalDeviceDriverProperties, core since Vulkan 1.2. The layouts
// are those of the Vulkan specification, chapters "Instances" and "Devices and
// Queues".

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	uint32_t version, vendor, device, type;
	char name[256], driver[256], info[256];
} darkroom_driver;

typedef struct { int32_t type; void const *next; char const *app; uint32_t app_version; char const *engine; uint32_t engine_version, api; } app_info;
typedef struct { int32_t type; void const *next; uint32_t flags; app_info const *app; uint32_t layers; void const *layer_names; uint32_t extensions; void const *extension_names; } instance_info;
typedef struct { int32_t type; void *next; int32_t id; char name[256], info[256]; uint8_t conformance[4]; } driver_properties;
// properties is VkPhysicalDeviceProperties: 824 bytes in Vulkan 1.3, with room.
typedef struct { int32_t type; void *next; union { uint64_t align; unsigned char bytes[4096]; } properties; } properties2;

typedef void *(*get_proc_fn)(void *instance, char const *name);
typedef int32_t (*create_instance_fn)(instance_info const *info, void const *alloc, void **instance);
typedef void (*destroy_instance_fn)(void *instance, void const *alloc);
typedef int32_t (*enumerate_fn)(void *instance, uint32_t *count, void **devices);
typedef void (*properties_fn)(void *device, properties2 *p);

static int vulkan_drivers(darkroom_driver *out, int max) {
	enum { APPLICATION_INFO = 0, INSTANCE_CREATE_INFO = 1, PROPERTIES_2 = 1000059001, DRIVER_PROPERTIES = 1000196000 };
	void *lib = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
	if (lib == NULL) return 0;
	int n = 0;
	get_proc_fn get = (get_proc_fn)dlsym(lib, "vkGetInstanceProcAddr");
	create_instance_fn create = get == NULL ? NULL : (create_instance_fn)get(NULL, "vkCreateInstance");
	app_info app = { .type = APPLICATION_INFO, .api = (1u << 22) | (2u << 12) };
	instance_info info = { .type = INSTANCE_CREATE_INFO, .app = &app };
	void *instance = NULL;
	if (create != NULL && create(&info, NULL, &instance) == 0) {
		destroy_instance_fn destroy = (destroy_instance_fn)get(instance, "vkDestroyInstance");
		enumerate_fn enumerate = (enumerate_fn)get(instance, "vkEnumeratePhysicalDevices");
		properties_fn properties = (properties_fn)get(instance, "vkGetPhysicalDeviceProperties2");
		void *devices[16];
		uint32_t count = sizeof devices / sizeof *devices;
		if (enumerate != NULL && properties != NULL && enumerate(instance, &count, devices) >= 0) {
			for (uint32_t i = 0; i < count && n < max; i++) {
				driver_properties d = { .type = DRIVER_PROPERTIES };
				properties2 p;
				memset(&p, 0, sizeof p);
				p.type = PROPERTIES_2;
				p.next = &d;
				properties(devices[i], &p);
				darkroom_driver *o = &out[n++];
				memset(o, 0, sizeof *o);
				memcpy(&o->version, p.properties.bytes + 4, 4);
				memcpy(&o->vendor, p.properties.bytes + 8, 4);
				memcpy(&o->device, p.properties.bytes + 12, 4);
				memcpy(&o->type, p.properties.bytes + 16, 4);
				memcpy(o->name, p.properties.bytes + 20, 255);
				memcpy(o->driver, d.name, 255);
				memcpy(o->info, d.info, 255);
			}
		}
		if (destroy != NULL) destroy(instance, NULL);
	}
	// The library stays loaded: wgpu uses it too.
	return n;
}
*/
import "C"

import (
	"fmt"
	"sync"
)

// vulkanDriver is what Vulkan itself says of a device.
type vulkanDriver struct {
	name           string
	vendor, device uint32
	virtual        bool
	driver, info   string
}

// vulkanDrivers asks once: drivers do not change while a process runs.
var vulkanDrivers = sync.OnceValue(func() []vulkanDriver {
	var all [16]C.darkroom_driver
	n := int(C.vulkan_drivers(&all[0], C.int(len(all))))
	out := make([]vulkanDriver, n)
	for i := range out {
		const virtualGPU = 3 // VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU
		v := &all[i]
		out[i] = vulkanDriver{
			name: C.GoString(&v.name[0]), vendor: uint32(v.vendor), device: uint32(v.device), virtual: v._type == virtualGPU,
			driver: C.GoString(&v.driver[0]), info: C.GoString(&v.info[0]),
		}
		if out[i].info == "" { // SwiftShader's is; the number is there always
			n := uint32(v.version)
			out[i].info = fmt.Sprintf("%d.%d.%d", n>>22, n>>12&0x3ff, n&0xfff)
		}
	}
	return out
})
