// Package goldens keeps the pictures that scenes are held against: where each lies, what it came from, whether it still belongs to its scene, and
// how a new one takes its place. It knows files and never renders.
//
// # Layout
//
//	ROOT/SCENE/KEY.png    the picture, with its provenance in an iTXt chunk
//	ROOT/SCENE/KEY.json   the manifest: the provenance again, the digest of the pixels and that of the PNG file
//	ROOT/limits.json      the tolerance ledger
//	ROOT/SCENE.png        flat mode: a picture without a manifest, as other engines' suites keep them
//
// One manifest a golden, and not one for all: two branches that bless pictures of different adapters then merge without a conflict.
//
// # Which golden is used
//
// The first that exists of: the adapter's own with its driver ("nvidia-h200+570.86"), its class ("nvidia", "llvmpipe"), the reference
// ("babylonjs"), the flat file. Golden.Source says which it was; a limit that fits one may not fit the next.
//
// # What a golden can prove
//
// A manifest holds the SHA-256 of its PNG file, so a golden whose file is unchanged is known by the digest of its pixels without being decoded.
// A file that does not match its manifest is refused: one of the two was edited, or merged, without the other. A golden whose scene hash is not
// that of the scene today is stale, which is not the same as a picture that differs.
package goldens
