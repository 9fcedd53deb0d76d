package renderer

import (
	"os"
	"testing"

	"darkroom/composer"
	"darkroom/composer/layoutgen"
	"darkroom/renderer/internal/gpu"
)

// The device bears witness to the composer's offsets: a compute shader copies
// every scalar of a few hundred random layouts, and each must come from where
// the layout says it lies.
func TestLayoutsOnDevice(t *testing.T) {
	dev, err := gpu.Open(gpu.Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		t.Fatal(err) // no adapter is a failure, never a skip
	}
	defer dev.Close()
	t.Log("adapter:", dev.Info)
	words := 0
	for _, space := range []layoutgen.Space{layoutgen.Uniform, layoutgen.Storage} {
		for seed := range uint64(150) {
			fields, structs := layoutgen.Random(seed, space)
			e, err := layoutgen.NewEcho(fields, structs, space)
			if err != nil {
				t.Fatalf("space %d, seed %d: %v", space, seed, err)
			}
			got, err := echo(dev, e)
			if err != nil {
				t.Fatalf("space %d, seed %d: %v\n%s", space, seed, err, e.WGSL)
			}
			if err := e.Check(got); err != nil {
				t.Errorf("space %d, seed %d: %v\n%s", space, seed, err, e.WGSL)
			}
			words += e.Words
		}
	}
	t.Logf("%d scalars were where the layouts say", words)
}

func echo(dev *gpu.Device, e *layoutgen.Echo) ([]byte, error) {
	kind, usage := composer.BindUniform, gpu.UsageUniform
	if e.Space == layoutgen.Storage {
		kind, usage = composer.BindStorage, gpu.UsageStorage
	}
	layout, err := dev.CreateBindGroupLayout("echo", []composer.BindGroupEntry{
		{Binding: 0, Decl: composer.Binding{Name: "source", Kind: kind, Access: composer.AccessRead, Visibility: composer.StageCompute}},
		{Binding: 1, Decl: composer.Binding{Name: "copied", Kind: composer.BindStorage, Access: composer.AccessReadWrite, Visibility: composer.StageCompute}},
	})
	if err != nil {
		return nil, err
	}
	defer layout.Release()
	pl, err := dev.CreatePipelineLayout("echo", []*gpu.BindGroupLayout{layout})
	if err != nil {
		return nil, err
	}
	defer pl.Release()
	module, err := dev.CreateShader("echo", e.WGSL)
	if err != nil {
		return nil, err
	}
	defer module.Release()
	pipeline, err := dev.CreateComputePipeline("echo", pl, module)
	if err != nil {
		return nil, err
	}
	defer pipeline.Release()
	in, err := dev.CreateBuffer(gpu.BufferDesc{Label: "source", Size: uint64(len(e.Input())), Usage: usage | gpu.UsageCopyDst})
	if err != nil {
		return nil, err
	}
	defer in.Release()
	if err := dev.WriteBuffer(in, 0, e.Input()); err != nil {
		return nil, err
	}
	out, err := dev.CreateBuffer(gpu.BufferDesc{Label: "copied", Size: uint64(e.Words) * 4, Usage: gpu.UsageStorage | gpu.UsageCopySrc})
	if err != nil {
		return nil, err
	}
	defer out.Release()
	group, err := dev.CreateBindGroup(layout, []gpu.BindEntry{{Binding: 0, Buffer: in}, {Binding: 1, Buffer: out}})
	if err != nil {
		return nil, err
	}
	defer group.Release()
	enc, err := dev.NewEncoder("echo")
	if err != nil {
		return nil, err
	}
	pass, err := enc.BeginComputePass("echo")
	if err != nil {
		return nil, err
	}
	pass.Dispatch(pipeline, []*gpu.BindGroup{group}, 1, 1, 1)
	if err := pass.End(); err != nil {
		return nil, err
	}
	if err := enc.Submit(); err != nil {
		return nil, err
	}
	return dev.ReadBuffer(out, 0, uint64(e.Words)*4)
}
