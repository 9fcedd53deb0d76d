// Package mesh is geometry as data: vertex streams, indices, and builders that
// make them.
//
// The builders are Babylon.js's MeshBuilder, number for number: vertex order,
// index order, winding (front faces counter-clockwise seen from outside in the
// left-handed world), texture coordinates and defaults. They compute in
// float64 and round once, into the float32 streams, as the engine does with
// its Float32Array; the few places where the engine goes by way of a
// single-precision matrix do so here too. Indices are equal to the engine's, and
// so are positions, normals and texture coordinates as float32, save for
// numbers that are a rounding error away from zero: Go's and V8's sine, cosine
// and tangent differ in the last bit or two of a float64 for about a quarter of
// all arguments, which the rounding hides everywhere else.
//
// Options are plain structs. A zero field means the engine's default, so a
// field whose zero is a choice of its own is a pointer; Go's new takes a value,
// as in CylinderOptions{DiameterTop: new(0.0)} for a cone. The JSON names are
// the engine's option names, vectors being arrays; what the engine takes as a
// function is a list of its values. A builder returns an error for options
// that make no mesh or one of more than about a gibibyte.
//
// Lengths are scene units, angles radians, arcs fractions of a turn.
package mesh
