package gpu

import (
	"fmt"
	"reflect"
	"time"
	"unsafe"
)

// ref is the C handle of an object of the binding, which it keeps in an
// unexported field of that name. Found by name, not by offset, so a release of
// the binding that moves it is noticed and not misread.
func ref(object any) (unsafe.Pointer, error) {
	f := reflect.ValueOf(object).Elem().FieldByName("ref")
	if !f.IsValid() || f.Kind() != reflect.Pointer || f.IsNil() {
		return nil, fmt.Errorf("the wgpu binding keeps %T in another way than v0.23.0; this build needs that version", object)
	}
	return f.UnsafePointer(), nil
}

// backoff is the sleep between two looks at a fence: short while a small frame
// may be about to finish, then growing, so that a CPU driver has the cores.
func backoff(look int) time.Duration {
	const least, most = 20 * time.Microsecond, 2 * time.Millisecond
	if look > 12 {
		return most
	}
	return min(least<<(look/2), most)
}

// idle waits until the device has done all that was submitted.
func (d *Device) idle() error {
	start := time.Now()
	for look := 0; !d.raw.Poll(false, nil); look++ {
		if time.Since(start) > d.timeout {
			return d.lost(fmt.Errorf("%w of %v: %s does not finish what was submitted", ErrTimeout, d.timeout, d.Info.Name))
		}
		time.Sleep(backoff(look))
	}
	return nil
}

// lost makes the device refuse further work.
func (d *Device) lost(err error) error {
	if d.dead == nil {
		d.dead = err
	}
	return err
}
