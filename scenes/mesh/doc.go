// Package mesh is geometry as data: vertex streams, indices, and builders that
// make them.
//
// The builders are Babylon.js's MeshBuilder, number for number: vertex order,
// index order, winding (front faces counter-clockwise seen from outside in the
// left-handed world), texture coordinates and defaults. They compute in
// float64 and round once, into the float32 streams, as the engine does with
// its Float32Array; the few places where the engine goes by way of a
// single-precision matrix do so here too. Indices are equal to the engine's;
// positions, normals and texture coordinates are equal as float32 save where
// the last bit of a sine differs between math libraries and the rounding
// happens to fall on the other side.
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
