//go:build !linux

package gpu

import (
	"fmt"
	"time"

	"github.com/cogentcore/webgpu/wgpu"
)

// native is empty where weak symbols cannot be relied on: a lack of memory ends
// the process there.
type native struct{}

func (*native) init(*wgpu.Device) error { return nil }
func (*native) caught() error           { return nil }

// mapRead maps size bytes of b for reading. The binding leaves the address of a
// Go variable in C until the callback has run. Here the map is asked for only
// when the device is idle, and polled at once, so that the first poll runs the
// callback; that makes the window in which a collection can free the variable
// short, but does not close it. Under a collection every fourth of 4,000 maps
// one run in three still failed on Linux, which is why Linux has its own way.
func (d *Device) mapRead(b *wgpu.Buffer, size uint64) error {
	if err := d.idle(); err != nil {
		return err
	}
	done, status := false, wgpu.BufferMapAsyncStatusUnknown
	if err := b.MapAsync(wgpu.MapModeRead, 0, size, func(s wgpu.BufferMapAsyncStatus) { done, status = true, s }); err != nil {
		return clean(err)
	}
	start := time.Now()
	for look := 0; ; look++ {
		d.raw.Poll(false, nil)
		if done {
			break
		}
		if time.Since(start) > d.timeout {
			return d.lost(fmt.Errorf("%w of %v: %s does not map a buffer", ErrTimeout, d.timeout, d.Info.Name))
		}
		time.Sleep(backoff(look))
	}
	if status != wgpu.BufferMapAsyncStatusSuccess {
		return fmt.Errorf("mapping a buffer ended with %s", status)
	}
	return nil
}
