// Package parity runs a catalogue: it renders scenes, holds the pictures
// against goldens and hands on finished results. Scenes run in this process or
// in worker processes, so that one that ends its process costs one verdict.
package parity
