package composer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkIdent tells whether name can be an identifier of WGSL.
func checkIdent(what, name string) error {
	switch {
	case name == "":
		return errorf(ErrName, "%s has no name", what)
	case name == "_":
		return errorf(ErrName, "%s: \"_\" is not a name in WGSL", what)
	case strings.HasPrefix(name, "__"):
		return errorf(ErrName, "%s %q: names that start with two underscores are not allowed in WGSL", what, name)
	case !utf8.ValidString(name):
		return errorf(ErrName, "%s %q is not valid UTF-8", what, name)
	}
	for i, r := range name {
		if r < utf8.RuneSelf {
			if isNameByte(byte(r)) && (i > 0 || r < '0' || r > '9') {
				continue
			}
		} else if unicode.IsLetter(r) || i > 0 && unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd) {
			continue
		}
		return errorf(ErrName, "%s %q: %q cannot stand there in a WGSL name", what, name, r)
	}
	if reserved(name) {
		return errorf(ErrName, "%s %q is a reserved word of WGSL; choose another name", what, name)
	}
	return nil
}

// checkGlobal is checkIdent for a name at module scope, where it would also
// hide a type or function of the language from every other fragment.
func checkGlobal(what, name string) error {
	if err := checkIdent(what, name); err != nil {
		return err
	}
	if predeclared(name) {
		return errorf(ErrName, "%s %q would hide the WGSL builtin of that name; choose another", what, name)
	}
	return nil
}

// isNameByte reports an ASCII byte that can stand in an identifier.
func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// reservedWords are the keywords and reserved words of WGSL: the union of the
// W3C draft (section "Keyword and Token Summary") and of the words that older
// compilers, naga 0.19 among them, also refuse. Read only.
var reservedWords = newWordSet(`
	alias break case const const_assert continue continuing default diagnostic discard else enable false
	fn for if let loop override requires return struct switch true var while

	NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become
	binding_array cast catch class co_await co_return co_yield coherent column_major common compile
	compile_fragment concept const_cast consteval constexpr constinit crate debugger decltype delete
	demote demote_to_helper do dynamic_cast enum explicit export extends extern external fallthrough
	filter final finally friend from fxgroup get goto groupshared highp impl implements import inline
	instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut mutable
	namespace new nil noexcept noinline nointerpolation non_coherent noncoherent noperspective null
	nullptr of operator package packoffset partial pass patch pixelfragment precise precision premerge
	priv protected pub public readonly ref regardless register reinterpret_cast require resource
	restrict self set shared sizeof smooth snorm static static_assert static_cast std subroutine super
	target template this thread_local throw trait try type typedef typeid typename typeof union unless
	unorm unsafe unsized use using varying virtual volatile wgsl where with writeonly yield

	CompileShader ComputeShader DomainShader GeometryShader Hullshader bitcast handle inout partition
	signed

	array atomic bool f16 f32 i32 i64 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 ptr
	sampler sampler_comparison texture_1d texture_2d texture_2d_array texture_3d texture_cube
	texture_cube_array texture_depth_2d texture_depth_2d_array texture_depth_cube
	texture_depth_cube_array texture_depth_multisampled_2d texture_external texture_multisampled_2d
	texture_storage_1d texture_storage_2d texture_storage_2d_array texture_storage_3d u32 u64 vec2 vec3
	vec4
`)

// reserved reports the words that no declaration can have.
func reserved(s string) bool { return reservedWords.has(s, hashName(s)) }

// predeclaredWords are the functions that WGSL declares (W3C draft, section
// "Built-in Functions"), but for textureSampleBaseClampToEdge: naga 0.19 lacks
// it, so shaders may bring theirs. Read only.
var predeclaredWords = newWordSet(`
	abs acos acosh all any arrayLength asin asinh atan atan2 atanh ceil clamp cos cosh countLeadingZeros
	countOneBits countTrailingZeros cross degrees determinant distance dot dot4I8Packed dot4U8Packed exp
	exp2 extractBits faceForward firstLeadingBit firstTrailingBit floor fma fract frexp insertBits
	inverseSqrt ldexp length log log2 max min mix modf normalize pow quantizeToF16 radians reflect
	refract reverseBits round saturate select sign sin sinh smoothstep sqrt step tan tanh transpose
	trunc

	dpdx dpdxCoarse dpdxFine dpdy dpdyCoarse dpdyFine fwidth fwidthCoarse fwidthFine

	pack2x16float pack2x16snorm pack2x16unorm pack4x8snorm pack4x8unorm pack4xI8 pack4xI8Clamp pack4xU8
	pack4xU8Clamp unpack2x16float unpack2x16snorm unpack2x16unorm unpack4x8snorm unpack4x8unorm
	unpack4xI8 unpack4xU8

	textureDimensions textureGather textureGatherCompare textureLoad textureNumLayers textureNumLevels
	textureNumSamples textureSample textureSampleBias textureSampleCompare textureSampleCompareLevel
	textureSampleGrad textureSampleLevel textureStore

	atomicAdd atomicAnd atomicCompareExchangeWeak atomicExchange atomicLoad atomicMax atomicMin atomicOr
	atomicStore atomicSub atomicXor storageBarrier textureBarrier workgroupBarrier workgroupUniformLoad
`)

// predeclared reports the functions and type aliases that WGSL declares.
func predeclared(s string) bool { return predeclaredHash(s, hashName(s)) }

// predeclaredHash is predeclared for a word of hash h.
func predeclaredHash(s string, h uint64) bool {
	if predeclaredWords.has(s, h) {
		return true
	}
	// vec3f, mat4x4f and their kin (section "Predeclared Types").
	if n := len(s); n > 3 {
		switch s[n-1] {
		case 'f', 'i', 'u', 'h':
			if base := s[:n-1]; strings.HasPrefix(base, "vec") || strings.HasPrefix(base, "mat") {
				return reserved(base)
			}
		}
	}
	return false
}

// wordSet is a set of words that tells most others apart by 12 bits of their hash.
type wordSet struct {
	words map[string]bool
	bits  [64]uint64
}

func newWordSet(list string) *wordSet {
	w := &wordSet{words: make(map[string]bool)}
	for s := range strings.FieldsSeq(list) {
		w.words[s] = true
		h := hashName(s)
		w.bits[h>>58] |= 1 << (h >> 52 & 63)
	}
	return w
}

// has reports whether s, which has the hash h, is in the set.
func (w *wordSet) has(s string, h uint64) bool {
	return w.bits[h>>58]>>(h>>52&63)&1 != 0 && w.words[s]
}
