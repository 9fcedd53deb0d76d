// Package gpu is the only package that touches the wgpu binding, and holds
// every workaround for it. Above it there are plain descriptors with useful
// zero values, objects that know whether they were released, and errors
// instead of aborts: wgpu-native ends the process on many misuses, so what
// can be checked is checked before the call.
//
// A Device belongs to one goroutine at a time: error scopes of the binding
// are per device, and two goroutines would be told each other's errors.
// Methods lock the device, so misuse by several goroutines is slow, not wrong.
//
// A lost device cannot be observed through this binding: its callback cannot
// be registered and its default handler ends the process. Whoever must survive
// one renders in a worker process.
package gpu
