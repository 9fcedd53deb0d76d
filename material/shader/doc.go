// Package shader is a material of the user's own WGSL.
package shader
