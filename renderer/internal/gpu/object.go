package gpu

import "fmt"

// The kinds of object, as Live names them, in the order in which Close
// releases them: what refers to others goes first.
const (
	kindReadback        = "readback"
	kindEncoder         = "encoder"
	kindView            = "view"
	kindTexture         = "texture"
	kindBuffer          = "buffer"
	kindBindGroup       = "bind group"
	kindRenderPipeline  = "render pipeline"
	kindComputePipeline = "compute pipeline"
	kindPipelineLayout  = "pipeline layout"
	kindBindGroupLayout = "bind group layout"
	kindShader          = "shader"
	kindSampler         = "sampler"
)

var kinds = [...]string{
	kindReadback, kindEncoder, kindView, kindTexture, kindBuffer, kindBindGroup, kindRenderPipeline,
	kindComputePipeline, kindPipelineLayout, kindBindGroupLayout, kindShader, kindSampler,
}

// object is the part that all objects of a device share.
type object struct {
	dev   *Device
	kind  string
	label string
	gone  bool
	free  func() // releases it on the device
	// parent is what it needs to live: a view's texture.
	parent *object
	// marked is the number of the encoder that has noted the object last.
	marked uint64
}

// handle is any object; a nil pointer of an object type gives a nil base.
type handle interface{ base() *object }

func (d *Device) track(kind, label string, free func()) object {
	return object{dev: d, kind: kind, label: label, free: free}
}

// add counts an object that is complete.
func (d *Device) add(o *object) { d.live[o] = struct{}{} }

// drop releases o; the device must be locked.
func (o *object) drop() {
	if o.gone {
		return
	}
	o.gone = true
	delete(o.dev.live, o)
	o.free()
}

func (o *object) release() {
	if o == nil || o.dev == nil {
		return
	}
	o.dev.mu.Lock()
	defer o.dev.mu.Unlock()
	o.drop()
}

func (o *object) String() string { return fmt.Sprintf("%s %q", o.kind, o.label) }

// alive says why o cannot be used any more, if so.
func (o *object) alive() error {
	switch {
	case o.gone:
		return fmt.Errorf("%v %w", o, ErrReleased)
	case o.parent != nil && o.parent.gone:
		return fmt.Errorf("%v of %v: the %s %w", o, o.parent, o.parent.kind, ErrReleased)
	}
	return nil
}

// check says why h cannot be used on d as what, if so.
func (d *Device) check(what string, h handle) error {
	o := h.base()
	switch {
	case o == nil || o.dev == nil:
		return fmt.Errorf("the %s is missing", what)
	case o.dev != d:
		return fmt.Errorf("%v belongs to another device", o)
	}
	return o.alive()
}

// ok says why the device cannot be used, if so.
func (d *Device) ok() error {
	if d.closed {
		return fmt.Errorf("device %q %w", d.Info.Name, ErrReleased)
	}
	return d.dead
}
