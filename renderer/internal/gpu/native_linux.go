//go:build linux

package gpu

// The calls of wgpu-native that the binding gets wrong or does not offer. The
// library is linked by the binding; its symbols are weak here because cgo links
// each package for itself once.

/*
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void (*darkroom_map_fn)(int status, void *userdata);
typedef void (*darkroom_error_fn)(int type, char const *message, void *userdata);

__attribute__((weak)) extern void wgpuBufferMapAsync(void *buffer, uint32_t mode, size_t offset, size_t size, darkroom_map_fn fn, void *userdata);
__attribute__((weak)) extern void wgpuDevicePushErrorScope(void *device, int filter);
__attribute__((weak)) extern void wgpuDevicePopErrorScope(void *device, darkroom_error_fn fn, void *userdata);

enum { FILTER_VALIDATION = 0, FILTER_OUT_OF_MEMORY = 1, MODE_READ = 1, PENDING = -1 };

typedef struct { int type; char *message; } darkroom_error;

static void keep_error(int type, char const *message, void *userdata) {
	darkroom_error *e = userdata;
	e->type = type;
	e->message = type != 0 && message != NULL ? strdup(message) : NULL;
}

static void push_scopes(void *device) {
	wgpuDevicePushErrorScope(device, FILTER_OUT_OF_MEMORY);
	wgpuDevicePushErrorScope(device, FILTER_VALIDATION);
}

static void pop_scopes(void *device, darkroom_error *validation, darkroom_error *memory) {
	wgpuDevicePopErrorScope(device, keep_error, validation);
	wgpuDevicePopErrorScope(device, keep_error, memory);
}

static void keep_status(int status, void *userdata) { *(int *)userdata = status; }

// map_read asks for a map whose outcome is written to status.
static void map_read(void *device, void *buffer, size_t size, int *status, darkroom_error *e) {
	*status = PENDING;
	wgpuDevicePushErrorScope(device, FILTER_VALIDATION);
	wgpuBufferMapAsync(buffer, MODE_READ, 0, size, keep_status, status);
	wgpuDevicePopErrorScope(device, keep_error, e);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"github.com/cogentcore/webgpu/wgpu"
)

// native is the C side of a device.
type native struct{ device unsafe.Pointer }

// init puts two error scopes under everything: without one, a call that finds
// no memory, or an error that the binding opens no scope for, ends the process.
func (n *native) init(d *wgpu.Device) (err error) {
	if n.device, err = ref(d); err == nil {
		C.push_scopes(n.device)
	}
	return err
}

// caught returns and forgets what the scopes underneath caught.
func (n *native) caught() error {
	var validation, memory C.darkroom_error
	C.pop_scopes(n.device, &validation, &memory)
	C.push_scopes(n.device)
	err := take(&validation)
	if take(&memory) != nil {
		err = ErrOutOfMemory
	}
	return err
}

// take returns an error and frees its message.
func take(e *C.darkroom_error) error {
	if e._type == 0 {
		return nil
	}
	text := "unknown error"
	if e.message != nil {
		text = C.GoString(e.message)
		C.free(unsafe.Pointer(e.message))
	}
	return errors.New(text)
}

// mapRead maps size bytes of b for reading, after all submitted work that
// writes it. The binding's MapAsync keeps the address of a Go variable in C
// after it has returned, where the collector may free it before the callback
// reads it. Here the status word is C's, and no callback enters Go.
func (d *Device) mapRead(b *wgpu.Buffer, size uint64) error {
	buffer, err := ref(b)
	if err != nil {
		return err
	}
	status := (*C.int)(C.malloc(C.sizeof_int))
	var e C.darkroom_error
	C.map_read(d.native.device, buffer, C.size_t(size), status, &e)
	if err := take(&e); err != nil {
		C.free(unsafe.Pointer(status))
		return clean(err)
	}
	start := time.Now()
	for look := 0; ; look++ {
		d.raw.Poll(false, nil)
		if *status != C.PENDING {
			break
		}
		if time.Since(start) > d.timeout {
			// The word stays allocated: the callback may yet come.
			return d.lost(fmt.Errorf("%w of %v: %s does not finish what was submitted", ErrTimeout, d.timeout, d.Info.Name))
		}
		time.Sleep(backoff(look))
	}
	s := wgpu.BufferMapAsyncStatus(*status)
	C.free(unsafe.Pointer(status))
	if s != wgpu.BufferMapAsyncStatusSuccess {
		return fmt.Errorf("mapping a buffer ended with %s", s)
	}
	return nil
}
