// Package plugin adds WGSL, uniforms and textures to a material of another
// family and keeps that family's lighting.
package plugin
