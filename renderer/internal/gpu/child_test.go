package gpu

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"darkroom/composer"
)

// childRole names the environment variable that makes the test binary act out
// something in a process of its own: what limits or ends a process, or what a
// fresh one must show.
const childRole = "DARKROOM_GPU_CHILD"

// runChild runs the role in a child, with ulimit set by a shell, and returns what it printed.
func runChild(role, limit string, env ...string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	script := `exec "$0" -test.run '^TestGPU$' -test.count=1`
	if limit != "" {
		script = limit + " && " + script
	}
	c := exec.Command("sh", "-c", script, self)
	c.Env = append(append(os.Environ(), childRole+"="+role), env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

// child acts out a role. What it prints is what the parent looks at.
func child(role string) {
	switch role {
	case "quiet":
		// Prints nothing itself: what is there comes from drivers.
		if all, err := Adapters(); err == nil && len(all) > 0 {
			if d, err := Open(Options{}); err == nil {
				_, _ = d.CreateShader("bad", "fn f( {")
				d.Close()
			}
		}
	case "no-vulkan":
		_, err := Open(Options{})
		fmt.Println("default:", err)
		_, err = Open(Options{Adapter: "llvmpipe"})
		fmt.Println("by name:", err)
	case "memory":
		d, err := Open(Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		for err == nil {
			_, err = d.CreateBuffer(BufferDesc{Label: "big", Size: 1 << 30, Usage: UsageStorage})
		}
		fmt.Println("buffers:", unwrapped(err))
		for err = nil; err == nil; {
			_, err = d.CreateTexture(TextureDesc{Label: "big", Width: 8192, Height: 8192, Format: composer.RGBA8Unorm, Usage: TextureTarget})
		}
		fmt.Println("textures:", unwrapped(err))
		fmt.Println("then:", clearOne(d))
		d.Close()
	case "timeout":
		d, err := Open(Options{Timeout: 50 * time.Millisecond})
		if err != nil {
			fmt.Println(err)
			return
		}
		b, err := spin(d)
		if err == nil {
			_, err = d.ReadBuffer(b, 0, 4)
		}
		fmt.Println("read:", unwrapped(err))
		_, err = d.CreateBuffer(BufferDesc{Size: 4, Usage: UsageVertex})
		fmt.Println("then:", err)
		d.Close()
		if d, err = Open(Options{}); err != nil {
			fmt.Println("next:", err)
			return
		}
		fmt.Println("next:", clearOne(d))
		d.Close()
	}
}

// unwrapped is the message of the error that callers branch on.
func unwrapped(err error) string {
	for _, known := range []error{ErrTimeout, ErrOutOfMemory} {
		if s := fmt.Sprint(err); errors.Is(err, known) {
			return s[strings.Index(s, known.Error()):]
		}
	}
	return fmt.Sprint(err)
}

// clearOne draws a picture of one pixel and says how it went.
func clearOne(d *Device) string {
	t, err := d.CreateTexture(TextureDesc{Width: 1, Height: 1, Format: composer.RGBA8Unorm, Usage: TextureTarget | TextureCopySrc})
	if err != nil {
		return err.Error()
	}
	v, err := d.CreateView(t, ViewDesc{})
	if err != nil {
		return err.Error()
	}
	e, err := d.NewEncoder("one")
	if err != nil {
		return err.Error()
	}
	p, err := e.BeginRenderPass(RenderPassDesc{Color: []ColorAttachment{{View: v, Clear: &[4]float64{1, 1, 1, 1}}}})
	if err != nil {
		return err.Error()
	}
	if err := errors.Join(p.End(), e.Submit()); err != nil {
		return err.Error()
	}
	if pix, err := d.ReadTexture(t, 0, 0); err != nil || pix[0] != 255 {
		return fmt.Sprint(pix, err)
	}
	return "drawn"
}

// spin submits work of about a second on a CPU and more on none.
func spin(d *Device) (*Buffer, error) {
	m, err := d.CreateShader("spin", `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(workgroup_id) g: vec3<u32>) {
  var x = g.x + 1u;
  for (var i = 0u; i < 20000u; i++) { x = (x << 1u) ^ (x >> 3u) ^ i; }
  if (x == 7u) { out[0] = x; }
}`)
	if err != nil {
		return nil, err
	}
	l, err := d.CreateBindGroupLayout("spin", []composer.BindGroupEntry{{Decl: composer.Binding{Name: "out", Kind: composer.BindStorage, Access: composer.AccessReadWrite, Visibility: composer.StageCompute}}})
	if err != nil {
		return nil, err
	}
	layout, err := d.CreatePipelineLayout("spin", []*BindGroupLayout{l})
	if err != nil {
		return nil, err
	}
	p, err := d.CreateComputePipeline("spin", layout, m)
	if err != nil {
		return nil, err
	}
	b, err := d.CreateBuffer(BufferDesc{Size: 16, Usage: UsageStorage | UsageCopySrc})
	if err != nil {
		return nil, err
	}
	g, err := d.CreateBindGroup(l, []BindEntry{{Buffer: b}})
	if err != nil {
		return nil, err
	}
	e, err := d.NewEncoder("spin")
	if err != nil {
		return nil, err
	}
	c, err := e.BeginComputePass("spin")
	if err != nil {
		return nil, err
	}
	c.Dispatch(p, []*BindGroup{g}, 6000, 1, 1)
	return b, errors.Join(c.End(), e.Submit())
}
