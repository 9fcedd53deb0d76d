// Package gpu is the only package that touches the wgpu binding
// (github.com/cogentcore/webgpu v0.23.0 over wgpu-native with wgpu-core 0.19.4),
// and it holds every workaround for it. Above it there are plain descriptors
// with useful zero values, objects that know whether they were released, and
// errors instead of aborts.
//
// # Errors instead of aborts
//
// wgpu-native ends the process, without a chance to recover, on a zero enum, a
// zero stride, a missing reference, text that is not UTF-8, a submission of a
// mapped or destroyed buffer, and whenever memory runs out outside an error
// scope. So every enum is filled in, every range, alignment and limit is
// checked before the call, and a scope that catches lack of memory lies under
// everything the device does (see native.go).
//
// Commands are recorded first and validated when the pass ends. A Pass keeps
// the first thing that went wrong and End returns it with the pass's label; an
// Encoder whose pass failed, or was never ended, cannot be submitted.
//
// # One device, one goroutine
//
// A Device and all that it made belong to one goroutine at a time: error scopes
// are per device, so two goroutines would be told each other's errors. The
// methods take the device's lock, so a second goroutine is made to wait instead
// of corrupting anything, but what two goroutines record into one pass
// interleaves.
//
// # Waiting
//
// wgpu-core 0.19 gives up a blocking wait after five seconds and then behaves
// as if the work were done: it maps buffers that are still being written and
// frees what is in use. A CPU driver takes that long for a large picture.
// Nothing here waits by blocking; it asks for the fence's value and sleeps.
//
// # Lost devices
//
// A lost device cannot be observed through this binding: the callback of
// DeviceDescriptor panics in cgo, and after a loss objects are made without an
// error that are invalid. A wait that does not end within Options.Timeout
// returns ErrTimeout and the device refuses all further work; a submission to a
// lost device ends the process. Whoever must survive that renders in a worker
// process.
package gpu
