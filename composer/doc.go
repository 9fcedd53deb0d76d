// Package composer builds shaders out of parts. A template is WGSL with
// marked places; a fragment is one feature (normal mapping, skinning, fog): the
// attributes, varyings, uniform fields, bindings and code that it adds.
// Compose puts them together into WGSL for the vertex and fragment stages,
// the layouts of bind groups, uniform buffers and vertex buffers that go with
// it, a key for pipeline caches, and a source map.
//
// The package is pure: the same input gives the same bytes. It knows no
// material, no scene and no device.
//
// # Templates
//
// A marker is a comment of capital letters, digits and underscores, such as
// /*MU*/. Some the composer fills itself, with the structs and declarations
// that it generates; Compose lists them. Every other marker is a slot, where
// the fragments' code for that slot goes, in their order. The slots of the
// built-in templates have constants (SlotAmbient is /*AI*/); a template may
// name more of its own. Contributions are text and nothing in them is replaced.
//
// # Order
//
// Fragments are sorted so that each follows what it depends on, and
// alphabetically where that leaves a choice; so the order of the list does
// not matter. A fragment's Dependencies must be in the list. Its Requires are
// pulled in, each once and just ahead of the first that needs it.
// Template.KeepOrder keeps the list's order instead.
//
// # Names
//
// The code reads attributes as input.NAME in the vertex stage and varyings as
// input.NAME in the fragment stage, uniform fields as mesh.NAME and
// material.NAME, per-instance fields as instance.NAME, and writes fragment
// outputs as outputs.NAME. Nothing is ever renamed and nothing silently
// dropped: the same declaration by two fragments is one, two declarations of
// one name are an error that names both fragments, and so are code for a slot
// that the template lacks, a function or variable declared twice in a scope,
// a word that WGSL reserves, an output that the template would lose, and line
// ends that compilers and editors count differently. What exceeds the device's limits is refused
// before the device sees it.
//
// # Bind groups
//
// Group 0 is the renderer's. Group 1 holds the mesh's uniform buffer at
// binding 0, the material's at binding 1 where the template has one, then the
// bindings of the template's vertex stage, the fragments' of theirs, the
// template's of the fragment stage and the fragments' of theirs. Group 2
// holds the bindings of GroupShadow.
//
// # Layouts
//
// Uniform buffers follow WGSL's rules for the uniform address space, with
// @align(16) written out where structs and arrays need it; a UniformWriter
// fills one by name. Package layoutgen lets a GPU check the offsets.
//
// # Errors
//
// An error is one line that says what is wrong, in which fragments, and what
// to do; match its kind with errors.Is. A compiler's report about composed
// WGSL goes through Shader.ExplainError, which finds the fragment and line that
// the composed line came from.
package composer
