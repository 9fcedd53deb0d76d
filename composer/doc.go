// Package composer turns a template and a list of fragments into WGSL, bind
// group and vertex buffer layouts, a pipeline key and a source map. It is
// pure: the same input gives the same bytes. It knows no material, no scene
// and no device.
package composer
