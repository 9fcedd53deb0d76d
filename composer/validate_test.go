package composer

import (
	"math"
	"testing"
)

func targets(fs ...TextureFormat) []ColorTarget {
	var t []ColorTarget
	for _, f := range fs {
		t = append(t, ColorTarget{Format: f})
	}
	return t
}

func TestValidateState(t *testing.T) {
	blend := func(b Blend) *Blend { return &b }
	color := func(c BlendComponent) *Blend { return &Blend{Color: c} }
	colorAndDepth := func(outputs ...Output) *Shader { return &Shader{FragmentWGSL: "x", Outputs: outputs} }
	dual := color(BlendComponent{"", FactorSrc1, FactorOneMinusSrc1Alpha})
	depth := func(d DepthStencil) *DepthStencil { return &d }
	for _, c := range []struct {
		name string
		sh   *Shader
		s    State
		l    Limits
		kind error // nil: accepted
	}{
		{"one target", nil, State{Targets: targets(RGBA8Unorm)}, Limits{}, nil},
		{"null entry", nil, State{Targets: targets("", RGBA8Unorm)}, Limits{}, nil},
		{"depth alone", nil, State{DepthStencil: &DepthStencil{Format: Depth32Float, Write: true, Compare: CompareGreaterEqual}}, Limits{}, nil},
		{"nothing", nil, State{}, Limits{}, ErrState},
		{"null entries alone", nil, State{Targets: targets("", "")}, Limits{}, ErrState},
		{"blend on a null entry", nil, State{Targets: []ColorTarget{{Blend: blend(BlendAlphaState())}, {Format: RGBA8Unorm}}}, Limits{}, ErrState},
		{"nine targets", nil, State{Targets: targets(R8Unorm, R8Unorm, R8Unorm, R8Unorm, R8Unorm, R8Unorm, R8Unorm, R8Unorm, R8Unorm)}, Limits{}, ErrLimit},
		{"bytes per sample", nil, State{Targets: targets(RGBA32Float, RGBA32Float, R8Unorm)}, Limits{}, ErrLimit},
		{"bytes per sample, at the limit", nil, State{Targets: targets(RGBA32Float, RGBA32Float)}, Limits{}, nil},
		// WebGPU's own example of the alignment of costs: 1 + 4 with padding to 8, then 4 x 16...
		{"bytes per sample, aligned", nil, State{Targets: targets(R8Unorm, R32Float, RGBA8Unorm, RGBA32Float)}, Limits{}, nil},
		{"bytes per sample, aligned beyond", nil, State{Targets: targets(R8Unorm, R32Float, RGBA8Unorm, RGBA32Float, R8Unorm)}, Limits{}, ErrLimit},
		{"unknown format", nil, State{Targets: targets("rgb8unorm")}, Limits{}, ErrType},
		{"not renderable", nil, State{Targets: targets(RGBA8Snorm)}, Limits{}, ErrState},
		{"compressed", nil, State{Targets: targets(BC7RGBAUnorm)}, Limits{}, ErrState},
		{"depth as color", nil, State{Targets: targets(Depth32Float)}, Limits{}, ErrState},
		{"write mask", nil, State{Targets: []ColorTarget{{Format: RG8Unorm, Write: WriteRed | WriteGreen}}}, Limits{}, nil},
		{"write mask beyond", nil, State{Targets: []ColorTarget{{Format: RG8Unorm, Write: 16}}}, Limits{}, ErrState},

		{"alpha", nil, State{Targets: []ColorTarget{{Format: BGRA8Unorm, Blend: blend(BlendAlphaState())}}}, Limits{}, nil},
		{"premultiplied", nil, State{Targets: []ColorTarget{{Format: RGBA16Float, Blend: blend(BlendPremultipliedState())}}}, Limits{}, nil},
		{"additive", nil, State{Targets: []ColorTarget{{Format: RGBA8UnormSRGB, Blend: blend(BlendAdditiveState())}}}, Limits{}, nil},
		{"zero blend", nil, State{Targets: []ColorTarget{{Format: RGBA8Unorm, Blend: &Blend{}}}}, Limits{}, nil},
		{"min ignores factors", nil, State{Targets: []ColorTarget{{Format: RGBA8Unorm, Blend: color(BlendComponent{BlendMin, FactorSrc, FactorDst})}}}, Limits{}, nil},
		{"constant", nil, State{Targets: []ColorTarget{{Format: RGBA8Unorm, Blend: color(BlendComponent{BlendReverseSubtract, FactorConstant, FactorOneMinusConstant})}}}, Limits{}, nil},
		{"blend of integers", nil, State{Targets: []ColorTarget{{Format: RGBA8Uint, Blend: &Blend{}}}}, Limits{}, ErrState},
		{"blend of 32 bit floats", nil, State{Targets: []ColorTarget{{Format: RGBA32Float, Blend: &Blend{}}}}, Limits{}, ErrState},
		{"unknown operation", nil, State{Targets: []ColorTarget{{Format: RGBA8Unorm, Blend: color(BlendComponent{"multiply", "", ""})}}}, Limits{}, ErrState},
		{"unknown factor", nil, State{Targets: []ColorTarget{{Format: RGBA8Unorm, Blend: color(BlendComponent{"", "half", ""})}}}, Limits{}, ErrState},
		{"unknown alpha factor", nil, State{Targets: []ColorTarget{{Format: RGBA8Unorm, Blend: &Blend{Alpha: BlendComponent{"", "", "half"}}}}}, Limits{}, ErrState},
		{"dual source without the feature", nil, State{Targets: []ColorTarget{{Format: RGBA8Unorm, Blend: dual}}}, Limits{}, ErrLimit},
		{"dual source with it", nil, State{Targets: []ColorTarget{{Format: RGBA8Unorm, Blend: dual}}}, Limits{DualSourceBlending: true}, nil},
		{"dual source beside another", nil, State{Targets: []ColorTarget{{Format: RGBA8Unorm, Blend: dual}, {Format: RGBA8Unorm}}}, Limits{DualSourceBlending: true}, ErrState},

		{"output fits", colorAndDepth(Output{"c", "vec4<f32>"}), State{Targets: targets(RGBA8Unorm)}, Limits{}, nil},
		{"more than the target takes", colorAndDepth(Output{"c", "vec4<f32>"}), State{Targets: targets(R16Float)}, Limits{}, nil},
		{"output unused", colorAndDepth(Output{"c", "vec4<f32>"}, Output{"d", "f32"}), State{Targets: targets(RGBA8Unorm)}, Limits{}, nil},
		{"too few components", colorAndDepth(Output{"c", "vec3<f32>"}), State{Targets: targets(RGBA8Unorm)}, Limits{}, ErrState},
		{"integer for float", colorAndDepth(Output{"c", "vec4<u32>"}), State{Targets: targets(RGBA8Unorm)}, Limits{}, ErrState},
		{"unsigned for signed", colorAndDepth(Output{"c", "vec4<u32>"}), State{Targets: targets(RGBA8Sint)}, Limits{}, ErrState},
		{"unsigned", colorAndDepth(Output{"c", "u32"}), State{Targets: targets(R32Uint)}, Limits{}, nil},
		{"no output", colorAndDepth(), State{Targets: targets(RGBA8Unorm)}, Limits{}, ErrState},
		{"gap", colorAndDepth(Output{}, Output{"c", "vec4f"}), State{Targets: targets(RGBA8Unorm, RGBA8Unorm)}, Limits{}, ErrState},
		{"gap with a null entry", colorAndDepth(Output{}, Output{"c", "vec4f"}), State{Targets: targets("", RGBA8Unorm)}, Limits{}, nil},
		{"gap masked", colorAndDepth(Output{}, Output{"c", "vec4f"}), State{Targets: []ColorTarget{{Format: RGBA8Unorm, NoWrite: true}, {Format: RGBA8Unorm}}}, Limits{}, nil},
		{"blend wants alpha", colorAndDepth(Output{"c", "vec3f"}), State{Targets: []ColorTarget{{Format: RG11B10UFloat, Blend: blend(BlendAlphaState())}}}, Limits{}, ErrState},

		{"stencil", nil, State{DepthStencil: depth(DepthStencil{Format: Depth24PlusStencil8, Front: StencilFace{Compare: CompareEqual, Pass: StencilIncrementWrap}, ReadMask: 1})}, Limits{}, nil},
		{"stencil without one", nil, State{DepthStencil: depth(DepthStencil{Format: Depth32Float, Front: StencilFace{Compare: CompareEqual}})}, Limits{}, ErrState},
		{"stencil operation without one", nil, State{DepthStencil: depth(DepthStencil{Format: Depth32Float, Back: StencilFace{Fail: StencilInvert}})}, Limits{}, ErrState},
		{"depth of a stencil", nil, State{DepthStencil: depth(DepthStencil{Format: Stencil8, Write: true})}, Limits{}, ErrState},
		{"color as depth", nil, State{DepthStencil: depth(DepthStencil{Format: RGBA8Unorm})}, Limits{}, ErrType},
		{"unknown compare", nil, State{DepthStencil: depth(DepthStencil{Format: Depth32Float, Compare: "sometimes"})}, Limits{}, ErrState},
		{"unknown face compare", nil, State{DepthStencil: depth(DepthStencil{Format: Depth24PlusStencil8, Front: StencilFace{Compare: "x"}})}, Limits{}, ErrState},
		{"unknown stencil operation", nil, State{DepthStencil: depth(DepthStencil{Format: Depth24PlusStencil8, Front: StencilFace{Pass: "x"}})}, Limits{}, ErrState},
		{"bias", nil, State{DepthStencil: depth(DepthStencil{Format: Depth32Float, Bias: 2, BiasSlope: 1.5})}, Limits{}, nil},
		{"bias of lines", nil, State{Topology: LineList, DepthStencil: depth(DepthStencil{Format: Depth32Float, Bias: 2})}, Limits{}, ErrState},
		{"bias not finite", nil, State{DepthStencil: depth(DepthStencil{Format: Depth32Float, BiasSlope: float32(math.NaN())})}, Limits{}, ErrState},

		{"samples", nil, State{Targets: targets(RGBA8Unorm), Samples: 4}, Limits{}, nil},
		{"eight samples", nil, State{Targets: targets(RGBA8Unorm), Samples: 8}, Limits{}, ErrState},
		{"samples of a wide format", nil, State{Targets: targets(RGBA32Float), Samples: 4}, Limits{}, ErrState},
		{"alpha to coverage", nil, State{Targets: targets(RGBA8Unorm), Samples: 4, AlphaToCoverage: true}, Limits{}, nil},
		{"alpha to coverage of one sample", nil, State{Targets: targets(RGBA8Unorm), AlphaToCoverage: true}, Limits{}, ErrState},
		{"alpha to coverage without alpha", nil, State{Targets: targets(RG8Unorm), Samples: 4, AlphaToCoverage: true}, Limits{}, ErrState},
		{"alpha to coverage without a target", nil, State{Targets: targets("", RGBA8Unorm), Samples: 4, AlphaToCoverage: true}, Limits{}, ErrState},
		{"topology", nil, State{Targets: targets(RGBA8Unorm), Topology: "fan"}, Limits{}, ErrState},
		{"cull", nil, State{Targets: targets(RGBA8Unorm), Cull: "both"}, Limits{}, ErrState},
		{"winding", nil, State{Targets: targets(RGBA8Unorm), FrontFace: "left"}, Limits{}, ErrState},
		{"vertex buffers", &Shader{Buffers: []VertexBuffer{{Stride: 6}}}, State{Targets: targets(RGBA8Unorm)}, Limits{}, ErrState},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := ValidateState(c.sh, c.s, c.l)
			if c.kind == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantError(t, err, c.kind)
		})
	}
}

func TestBlendNames(t *testing.T) {
	if got := (Blend{}).Normalized(); got != (Blend{BlendComponent{BlendAdd, FactorOne, FactorZero}, BlendComponent{BlendAdd, FactorOne, FactorZero}}) {
		t.Errorf("zero blend %+v", got)
	}
	if got := (BlendComponent{BlendMax, FactorSrcAlpha, FactorDst}).Normalized(); got != (BlendComponent{BlendMax, FactorOne, FactorOne}) {
		t.Errorf("max %+v", got)
	}
	constant := Blend{Alpha: BlendComponent{"", FactorOneMinusConstant, ""}}
	if !constant.UsesConstant() || BlendAlphaState().UsesConstant() {
		t.Error("UsesConstant")
	}
	// The factors of min and max are ignored, dual source ones as well.
	ignored := Blend{Color: BlendComponent{BlendMin, FactorSrc1, FactorConstant}}
	if ignored.UsesConstant() || ignored.DualSource() {
		t.Error("ignored factors count")
	}
	for target, want := range map[ColorTarget]WriteMask{{}: WriteAll, {Write: WriteRed}: WriteRed, {Write: WriteRed, NoWrite: true}: 0} {
		if got := target.Mask(); got != want {
			t.Errorf("%+v: mask %d", target, got)
		}
	}
}

func TestStateKey(t *testing.T) {
	k := Key{1}
	alpha := BlendAlphaState()
	same := [][2]State{
		{{}, {Topology: TriangleList, Cull: CullNone, FrontFace: FrontCCW, Samples: 1}},
		{{Targets: []ColorTarget{{Format: RGBA8Unorm}}}, {Targets: []ColorTarget{{Format: RGBA8Unorm, Write: WriteAll}}}},
		{{DepthStencil: &DepthStencil{Format: Stencil8}}, {DepthStencil: &DepthStencil{Format: Stencil8, Compare: CompareAlways, Front: StencilFace{CompareAlways, StencilKeep, StencilKeep, StencilKeep}}}},
		{{Targets: []ColorTarget{{Format: RGBA8Unorm, Blend: &Blend{Color: BlendComponent{BlendMin, FactorSrc, FactorDst}}}}},
			{Targets: []ColorTarget{{Format: RGBA8Unorm, Blend: &Blend{Color: BlendComponent{BlendMin, "", ""}, Alpha: BlendComponent{BlendAdd, FactorOne, FactorZero}}}}}},
	}
	for _, s := range same {
		if k.With(s[0]) != k.With(s[1]) {
			t.Errorf("%+v and %+v mean the same and have two keys", s[0], s[1])
		}
	}
	states := []State{
		{}, {Targets: targets("")}, {Targets: targets(RGBA8Unorm)}, {Targets: targets(RGBA8Unorm, RGBA8Unorm)},
		{Targets: []ColorTarget{{Format: RGBA8Unorm, Blend: &alpha}}}, {Targets: []ColorTarget{{Format: RGBA8Unorm, Blend: &Blend{}}}},
		{Targets: []ColorTarget{{Format: RGBA8Unorm, NoWrite: true}}}, {Topology: LineList}, {Cull: CullBack}, {FrontFace: FrontCW}, {Samples: 4}, {Samples: 4, AlphaToCoverage: true},
		{DepthStencil: &DepthStencil{Format: Depth32Float}}, {DepthStencil: &DepthStencil{Format: Depth32Float, Write: true}}, {DepthStencil: &DepthStencil{Format: Depth32Float, Compare: CompareLess}},
		{DepthStencil: &DepthStencil{Format: Depth32Float, Bias: 1}}, {DepthStencil: &DepthStencil{Format: Depth32Float, BiasSlope: 1}}, {DepthStencil: &DepthStencil{Format: Depth32Float, BiasClamp: 1}},
		{DepthStencil: &DepthStencil{Format: Stencil8, ReadMask: 1}}, {DepthStencil: &DepthStencil{Format: Stencil8, WriteMask: 1}},
		{DepthStencil: &DepthStencil{Format: Stencil8, Front: StencilFace{Pass: StencilZero}}}, {DepthStencil: &DepthStencil{Format: Stencil8, Back: StencilFace{Pass: StencilZero}}},
	}
	seen := make(map[Key]int)
	for i, s := range states {
		if j, dup := seen[k.With(s)]; dup {
			t.Errorf("states %d and %d share a key", j, i)
		}
		seen[k.With(s)] = i
	}
	if (Key{1}).With(State{}) == (Key{2}).With(State{}) {
		t.Error("the shader does not count")
	}
}
