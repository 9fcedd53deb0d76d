// Package linalg is the vector, matrix and quaternion arithmetic of scenes.
//
// Space is left-handed with Y up; clip-space Z runs from 0 to 1; angles are
// radians. Every type is a plain array of float64, so values compare with ==,
// copy by assignment and encode to JSON as flat arrays.
//
// # Matrices
//
// A [Mat4] is column-major and multiplies column vectors: the element in row r
// and column c is m[c*4+r], the translation is m[12], m[13], m[14]. Babylon.js
// writes row vectors on the left of a row-major matrix, which puts the same 16
// numbers in the same places; only the order of a product turns round: its
// A.multiply(B), "first A, then B", is B.Mul(A) here. View and projection
// therefore combine as projection.Mul(view).Mul(world).
//
// # Precision
//
// Arithmetic is float64, as in JavaScript, and sums are taken in the order in
// which Babylon.js takes them. Babylon.js keeps matrices in a Float32Array
// unless its high-precision mode is on, so each matrix that it stores is
// rounded. Who wants the engine's default numbers calls [Mat4.Round32] after
// every matrix operation:
//
//	world := linalg.Compose(scale, rotation, position).Round32()
//	wvp := proj.Mul(view).Round32().Mul(world).Round32()
//
// and who wants the high-precision mode leaves the calls out.
//
// A compiler may fuse x*y+z into one rounding on architectures that have the
// instruction (arm64, ppc64, s390x); it does not on amd64, where results are
// reproducible to the last bit.
package linalg
