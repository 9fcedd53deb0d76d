// Package hostile is a catalogue of scenes that misbehave in every way that a
// harness has a verdict for, between scenes that do not. The tests of package
// parity run it; by hand:
//
//	go run ./parity/testdata/hostile/judge run --goldens EMPTY-FOLDER --timeout 5s
package hostile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"darkroom/material/effect"
	"darkroom/parity/verdict"
	"darkroom/renderer"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
)

// Folder is the variable with a folder for scenes that behave otherwise the
// second time.
const Folder = "DARKROOM_HOSTILE_FOLDER"

// Ramp is the shader of every scene that is not wrong.
const Ramp = "color = vec4<f32>(uv, 0.5, 1.0);"

// Size of the pictures in pixels.
const Size = 32

// Case is a scene and the verdict that it must get where the ramp is its golden.
type Case struct {
	*catalogue.Entry
	Want verdict.Verdict
	// Flaky: the first attempt fails and the second passes.
	Flaky bool
	// Retried: it fails twice, in two workers.
	Retried bool
}

// Cases lists the scenes.
func Cases() []Case {
	return []Case{
		{Entry: Flat("good-1", Ramp), Want: verdict.Pass},
		{Entry: before("aborts", abort), Want: verdict.Crash, Retried: true},
		{Entry: Flat("good-2", Ramp), Want: verdict.Pass},
		{Entry: before("panics", func() { panic("on purpose") }), Want: verdict.Crash, Retried: true},
		{Entry: before("leaves", func() { os.Exit(0) }), Want: verdict.Crash, Retried: true},
		{Entry: before("babbles", func() { fmt.Println("hello, world") }), Want: verdict.Crash, Retried: true},
		{Entry: before("hangs", func() { time.Sleep(time.Hour) }), Want: verdict.Timeout, Retried: true},
		{Entry: fails("loses-the-device", fmt.Errorf("submit: %w", renderer.ErrLost)), Want: verdict.DeviceLost, Retried: true},
		{Entry: before("driver-loses-the-device", func() { fmt.Fprintln(os.Stderr, "driver: Device Lost"); abort() }), Want: verdict.DeviceLost, Retried: true},
		{Entry: Flat("good-3", Ramp), Want: verdict.Pass},
		{Entry: Flat("blank", "color = vec4<f32>(0.5, 0.5, 0.5, 1.0);"), Want: verdict.Blank},
		{Entry: Flat("transparent", "color = vec4<f32>(0.0);"), Want: verdict.Blank},
		{Entry: Flat("nan", "let zero = uv.x - uv.x;\ncolor = vec4<f32>(zero / zero, uv.y, uv.x, 1.0);"), Want: verdict.NonFinite},
		{Entry: Flat("infinite", "let zero = uv.x - uv.x;\ncolor = vec4<f32>(uv, select(0.5, 1.0 / zero, uv.x > 0.9 && uv.y > 0.9), 1.0);"), Want: verdict.NonFinite},
		{Entry: fails("fails", errors.New("no such luck")), Want: verdict.RenderError},
		{Entry: fails("lacks-a-file", fmt.Errorf("%w: model.glb", catalogue.ErrNoAsset)), Want: verdict.NotRun},
		{Entry: Flat("wrong", "color = vec4<f32>(1.0 - uv, 0.5, 1.0);"), Want: verdict.Mismatch},
		{Entry: Flat(Unknown, Ramp), Want: verdict.MissingGolden},
		{Entry: Flat(Stale, Ramp), Want: verdict.StaleGolden},
		{Entry: Flat(Resized, Ramp), Want: verdict.Size},
		{Entry: before("crashes-once", func() { once("crashes-once", abort) }), Want: verdict.Pass, Flaky: true},
		{Entry: before("loses-the-device-once", func() {
			once("loses-the-device-once", func() { fmt.Fprintln(os.Stderr, "driver: device lost"); abort() })
		}), Want: verdict.Pass, Flaky: true},
		{Entry: Flat("good-4", Ramp), Want: verdict.Pass},
	}
}

// Scenes whose fault is in their golden.
const (
	Unknown = "has-no-golden"
	Stale   = "has-a-stale-golden"
	Resized = "has-a-golden-of-another-size"
)

// Catalogue is Cases with harmless scenes behind them.
func Catalogue() (out catalogue.Catalogue) {
	for _, c := range Cases() {
		out = append(out, c.Entry)
	}
	return append(out, Harmless(60)...)
}

// Harmless are n scenes for runs that are killed.
func Harmless(n int) (out catalogue.Catalogue) {
	for i := range n {
		// Slow enough that a run of them is still going when it is killed.
		out = append(out, before(fmt.Sprintf("harmless-%02d", i), func() { time.Sleep(60 * time.Millisecond) }))
	}
	return out
}

// Flat is a scene of one full-screen effect.
func Flat(name, body string) *catalogue.Entry {
	return &catalogue.Entry{Name: name, Width: Size, Height: Size, MaxMAD: 0.01, Build: func(catalogue.Assets) (*scenes.Scene, error) {
		s := scenes.New(name)
		s.Samples = 1
		s.Graph = []scenes.Task{&scenes.EffectPass{Name: "picture", Material: &effect.Effect{Name: name, Body: body}}}
		return s, nil
	}}
}

// before is a ramp that does something first.
func before(name string, f func()) *catalogue.Entry {
	e := Flat(name, Ramp)
	build := e.Build
	e.Build = func(a catalogue.Assets) (*scenes.Scene, error) { f(); return build(a) }
	return e
}

func fails(name string, err error) *catalogue.Entry {
	e := Flat(name, Ramp)
	e.Build = func(catalogue.Assets) (*scenes.Scene, error) { return nil, err }
	return e
}

// abort ends the process as wgpu-native and drivers do.
func abort() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		p.Signal(syscall.SIGABRT)
	}
	time.Sleep(time.Minute)
}

// once calls f the first time that any process asks.
func once(name string, f func()) {
	mark := filepath.Join(os.Getenv(Folder), name+".mark")
	if _, err := os.Stat(mark); err == nil {
		return
	}
	if err := os.WriteFile(mark, nil, 0o644); err == nil {
		f()
	}
}
