package gpu

import (
	"fmt"
	"strings"

	"github.com/cogentcore/webgpu/wgpu"
)

// ShaderModule is compiled WGSL.
type ShaderModule struct {
	object
	raw *wgpu.ShaderModule
}

func (s *ShaderModule) base() *object {
	if s == nil {
		return nil
	}
	return &s.object
}

// Release gives the module back; pipelines made from it stay. A second call does nothing.
func (s *ShaderModule) Release() { s.base().release() }

// CreateShader compiles WGSL. The text of the error is the compiler's own, over
// several lines, with places like "┌─ wgsl:LINE:COLUMN" (of a syntax error) or
// "┌─ label:LINE:COLUMN".
func (d *Device) CreateShader(label, wgsl string) (*ShaderModule, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	bad := func(err error) (*ShaderModule, error) { return nil, fmt.Errorf("shader %q: %w", label, err) }
	if err := checkWGSL(wgsl); err != nil {
		return bad(err)
	}
	raw, err := d.raw.CreateShaderModule(&wgpu.ShaderModuleDescriptor{Label: text(label), WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: wgsl}})
	if caught := d.native.caught(); err == nil {
		err = caught
	}
	if err != nil {
		if raw != nil {
			raw.Release()
		}
		return nil, &ShaderError{Label: label, Text: shaderText(message(err))}
	}
	s := &ShaderModule{object: d.track(kindShader, label, raw.Release), raw: raw}
	d.add(&s.object)
	return s, nil
}

// ShaderError is a shader that does not compile.
type ShaderError struct {
	Label string
	Text  string // the compiler's, over several lines
}

func (e *ShaderError) Error() string {
	return fmt.Sprintf("shader %q does not compile:\n%s", e.Label, e.Text)
}

// shaderText drops the lines in front that name the C function and the label.
func shaderText(s string) string {
	lines := strings.Split(s, "\n")
	for len(lines) > 1 {
		l := strings.TrimSpace(lines[0])
		if l != "" && !strings.HasPrefix(l, "In wgpu") && !strings.HasPrefix(l, "note: label = ") {
			break
		}
		lines = lines[1:]
	}
	return strings.TrimRight(strings.Join(lines, "\n"), " \n")
}
