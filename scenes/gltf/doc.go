// Package gltf loads glTF 2.0 files (.gltf and .glb) into scenes.
//
// Nothing of a file is believed before it was checked: every index, offset,
// stride and count is compared with the bytes that are really there, and what a
// file asks for in memory is limited by what it holds. A file that cannot be
// drawn as it says gives an error that names the object ("accessor 3", "node 12
// \"arm\""); what can be drawn, but not in full, is in [Asset.Warnings].
//
// The data stays right-handed. Each scene hangs under a root node scaled
// (-1, 1, 1), which mirrors it into the left-handed world, as Babylon.js does.
//
// Beside the core, package variable supported lists the extensions that are
// read. Not drawn, with a warning: vertex colours beyond COLOR_0, texture
// coordinates beyond six sets, joints beyond eight to a vertex, and morph
// targets' deltas of texture coordinates and colours.
//
// Section numbers in comments are those of the glTF 2.0 specification,
// revision 2.0.1.
package gltf
