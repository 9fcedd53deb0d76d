// Package oracle holds no Go code. Its page draws scene documents (package
// export) with Babylon.js in headless Chromium: an independent witness for
// every picture.
//
//	render export NAME… -o DIR
//	node goldens/oracle/oracle.mjs --out PICTURES DIR/NAME…
//
// The picture of a scene is the same to the bit in every run: time stands
// still, nothing comes from outside, and SwiftShader draws.
package oracle
