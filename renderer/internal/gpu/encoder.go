package gpu

import (
	"fmt"

	"github.com/cogentcore/webgpu/wgpu"
)

// Encoder records commands. The first thing that goes wrong in it is kept, and
// Submit returns it.
type Encoder struct {
	object
	raw    *wgpu.CommandEncoder
	number uint64
	open   *passBase // the pass that was begun and not ended
	err    error
	sent   bool
	uses   []*object
}

func (e *Encoder) base() *object {
	if e == nil {
		return nil
	}
	return &e.object
}

// Release gives up what was recorded. After Submit, or a second time, it does nothing.
func (e *Encoder) Release() { e.base().release() }

// NewEncoder begins to record. The encoder must be submitted or released.
func (d *Device) NewEncoder(label string) (*Encoder, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	return d.newEncoder(label)
}

func (d *Device) newEncoder(label string) (*Encoder, error) {
	raw, err := d.raw.CreateCommandEncoder(&wgpu.CommandEncoderDescriptor{Label: text(label)})
	if err = d.result(err); err != nil {
		if raw != nil {
			raw.Release()
		}
		return nil, fmt.Errorf("encoder %q: %w", label, err)
	}
	d.encoders++
	e := &Encoder{raw: raw, number: d.encoders}
	e.object = d.track(kindEncoder, label, e.abandon)
	d.add(&e.object)
	return e, nil
}

// abandon frees the encoder and the pass that is open in it.
func (e *Encoder) abandon() {
	if e.open != nil {
		e.open.ended = true
		e.open.free()
		e.open = nil
	}
	e.raw.Release()
}

// fail keeps the first error.
func (e *Encoder) fail(err error) error {
	if e.err == nil {
		e.err = err
	}
	return err
}

// ready says why nothing can be recorded outside a pass, if so.
func (e *Encoder) ready() error {
	switch {
	case e.sent:
		return fmt.Errorf("encoder %q was already submitted", e.label)
	case e.gone:
		return fmt.Errorf("encoder %q %w", e.label, ErrReleased)
	case e.err != nil:
		return e.err
	case e.open != nil:
		return fmt.Errorf("encoder %q: pass %q was not ended", e.label, e.open.label)
	}
	return e.dev.ok()
}

// note remembers that what is recorded uses o and what o needs, once each.
func (e *Encoder) note(o *object) {
	if o.marked == e.number {
		return
	}
	o.marked = e.number
	e.uses = append(e.uses, o)
}

// intact says which of the objects that the commands use is gone, if one is.
func (e *Encoder) intact(before string) error {
	for _, o := range e.uses {
		if err := o.alive(); err != nil {
			return fmt.Errorf("%w before %s", err, before)
		}
	}
	return nil
}

// Submit hands what was recorded to the device and spends the encoder, whether
// it succeeds or not. What the commands use must be alive until then; it may be
// released right after.
func (e *Encoder) Submit() error {
	if e == nil || e.dev == nil {
		return fmt.Errorf("the encoder is missing")
	}
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	return e.submit()
}

func (e *Encoder) submit() error {
	if err := e.ready(); err != nil {
		e.drop()
		return err
	}
	defer e.drop()
	if err := e.intact("its commands were submitted"); err != nil {
		return fmt.Errorf("encoder %q: %w", e.label, err)
	}
	cb, err := e.raw.Finish(&wgpu.CommandBufferDescriptor{Label: text(e.label)})
	if err = e.dev.result(err); err != nil {
		if cb != nil {
			cb.Release()
		}
		return fmt.Errorf("encoder %q: %w", e.label, err)
	}
	e.sent = true
	e.dev.queue.Submit(cb)
	e.dev.written = 0
	cb.Release()
	if err := e.dev.result(nil); err != nil {
		return fmt.Errorf("encoder %q: %w", e.label, err)
	}
	return nil
}
