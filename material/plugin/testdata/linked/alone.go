//go:build !plugins

package main

func linked() string { return "without" }
