package composer

import (
	"strconv"
	"strings"
)

// typeKind is the shape of a host-shareable type.
type typeKind uint8

const (
	kindScalar typeKind = iota + 1
	kindVector
	kindMatrix
	kindArray
	kindStruct
	kindAtomic
)

// wgslType is a host-shareable type of WGSL with its layout.
type wgslType struct {
	text        string // canonical spelling
	kind        typeKind
	scalar      byte // 'f', 'i' or 'u': what the leaves are made of; 0 for a struct
	rows        int  // components of a vector, or of a column of a matrix
	cols        int  // columns of a matrix
	count       int  // elements of an array; 0: sized at run time
	elem        *wgslType
	members     []member // of a struct
	align, size int      // bytes; the size of a runtime-sized array is that of one element
	stride      int      // of an array's elements or of a matrix's columns
	// native is the alignment that follows from the components alone. naga
	// 0.19 takes it for that of a struct, whatever @align its members have.
	native int
	depth  int // nesting, bounded
}

// member is a resolved field of a struct or buffer.
type member struct {
	name   string
	typ    *wgslType
	offset int
	align  int // an explicit @align, or 0
}

// components is the number of scalars in a value of the type, tightly packed; 0 for structs.
func (t *wgslType) components() int {
	switch t.kind {
	case kindScalar, kindAtomic:
		return 1
	case kindVector:
		return t.rows
	case kindMatrix:
		return t.rows * t.cols
	case kindArray:
		return t.count * t.elem.components()
	}
	return 0
}

// innermost is what an array of arrays is made of.
func (t *wgslType) innermost() *wgslType {
	for t.kind == kindArray {
		t = t.elem
	}
	return t
}

// unsized reports a runtime-sized array.
func (t *wgslType) unsized() bool { return t.kind == kindArray && t.count == 0 }

// maxTypeDepth bounds nesting and maxTypeSize the bytes of one type, so that
// hostile input can neither exhaust the stack nor overflow an offset.
const (
	maxTypeDepth = 32
	maxTypeSize  = 1 << 30
)

// structDecl is a struct that types may refer to.
type structDecl struct {
	Struct
	// aligned structs are aligned to 16 bytes, as the uniform address space
	// asks of members and array elements.
	aligned bool
	typ     *wgslType
	busy    bool
}

// types resolves type names. It knows the structs and constants of one composition.
type types struct {
	structs map[string]*structDecl
	consts  map[string]int64
	memo    decls[*wgslType]
}

func newTypes(structs []Struct) (*types, error) {
	ts := &types{}
	for _, s := range structs {
		if ts.structs[s.Name] != nil {
			return nil, errorf(ErrConflict, "struct %q is declared twice", s.Name)
		}
		ts.declare(s)
	}
	return ts, nil
}

func (ts *types) declare(s Struct) {
	if ts.structs == nil {
		ts.structs = make(map[string]*structDecl)
	}
	ts.structs[s.Name] = &structDecl{Struct: s}
}

// The types that most declarations have. They are read only.
var (
	typeF32  = newScalar('f')
	typeI32  = newScalar('i')
	typeU32  = newScalar('u')
	typeVec2 = newVector('f', 2)
	typeVec3 = newVector('f', 3)
	typeVec4 = newVector('f', 4)
	typeMat4 = matrixType(4, 4)
)

// commonType is the type of a common canonical spelling, or nil.
func commonType(text string) *wgslType {
	switch text {
	case "f32":
		return typeF32
	case "i32":
		return typeI32
	case "u32":
		return typeU32
	case "vec2<f32>":
		return typeVec2
	case "vec3<f32>":
		return typeVec3
	case "vec4<f32>":
		return typeVec4
	case "mat4x4<f32>":
		return typeMat4
	}
	return nil
}

// resolve parses a type. White space does not matter, and the predeclared
// aliases (vec3f) mean what they stand for.
func (ts *types) resolve(text string) (*wgslType, error) { return ts.resolveAt(text, 0) }

// resolveAt is resolve for a type that is nested depth deep.
func (ts *types) resolveAt(text string, depth int) (*wgslType, error) {
	if t := commonType(text); t != nil {
		return t, nil
	}
	if d := ts.memo.find(text); d != nil {
		return d.v, nil
	}
	p := typeParser{ts: ts, src: text}
	t, err := p.parse(depth)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.pos < len(p.src) {
		return nil, p.fail("unexpected %q", p.src[p.pos:])
	}
	ts.memo.append(text, t, ownTemplate)
	return t, nil
}

// typeParser is a recursive descent parser of WGSL's type syntax.
type typeParser struct {
	ts  *types
	src string
	pos int
}

func (p *typeParser) fail(format string, args ...any) error {
	return within("type "+quote(p.src), errorf(ErrType, format, args...))
}

func (p *typeParser) space() {
	for p.pos < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.pos]) >= 0 {
		p.pos++
	}
}

// word reads an identifier or number.
func (p *typeParser) word() string {
	p.space()
	start := p.pos
	for p.pos < len(p.src) && (isNameByte(p.src[p.pos]) || p.src[p.pos] >= 0x80) {
		p.pos++
	}
	return p.src[start:p.pos]
}

func (p *typeParser) accept(c byte) bool {
	p.space()
	if p.pos < len(p.src) && p.src[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *typeParser) expect(c byte) error {
	if p.accept(c) {
		return nil
	}
	if p.pos < len(p.src) {
		return p.fail("want %q before %q", string(c), p.src[p.pos:])
	}
	return p.fail("want %q at the end", string(c))
}

func (p *typeParser) parse(depth int) (*wgslType, error) {
	if depth > maxTypeDepth {
		return nil, p.fail("nested more than %d deep", maxTypeDepth)
	}
	w := p.word()
	switch w {
	case "":
		if p.pos < len(p.src) {
			return nil, p.fail("want a type before %q", p.src[p.pos:])
		}
		return nil, p.fail("is incomplete")
	case "f32":
		return scalarType('f'), nil
	case "i32":
		return scalarType('i'), nil
	case "u32":
		return scalarType('u'), nil
	case "bool":
		return nil, p.fail("bool cannot be shared with the host; use u32")
	case "f16":
		return nil, p.fail("f16 is not available in the backend; use f32")
	case "array":
		return p.array(depth)
	case "atomic":
		t, err := p.scalarArgument(depth)
		if err != nil {
			return nil, err
		}
		if t.scalar == 'f' {
			return nil, p.fail("an atomic holds i32 or u32")
		}
		return &wgslType{text: "atomic<" + t.text + ">", kind: kindAtomic, scalar: t.scalar, align: 4, native: 4, size: 4}, nil
	}
	if rows, cols, suffix, ok := shape(w); ok {
		return p.vector(rows, cols, suffix, depth)
	}
	if s := p.ts.structs[w]; s != nil {
		return p.ts.structType(s, depth)
	}
	return nil, p.fail("%q is no host-shareable type and no declared struct", w)
}

// vector parses the rest of a vector's or matrix's type.
func (p *typeParser) vector(rows, cols int, suffix string, depth int) (*wgslType, error) {
	var scalar byte
	switch suffix {
	case "h":
		return nil, p.fail("f16 is not available in the backend; use f32")
	case "":
		t, err := p.scalarArgument(depth)
		if err != nil {
			return nil, err
		}
		scalar = t.scalar
	default:
		scalar = suffix[0]
	}
	if cols == 0 {
		return vectorType(scalar, rows), nil
	}
	if scalar != 'f' {
		return nil, p.fail("a matrix holds f32")
	}
	return matrixType(cols, rows), nil
}

// scalarArgument parses "<f32>".
func (p *typeParser) scalarArgument(depth int) (*wgslType, error) {
	if err := p.expect('<'); err != nil {
		return nil, err
	}
	t, err := p.parse(depth + 1)
	if err != nil {
		return nil, err
	}
	if t.kind != kindScalar {
		return nil, p.fail("want a scalar, not %s", t.text)
	}
	p.accept(',')
	return t, p.expect('>')
}

func (p *typeParser) array(depth int) (*wgslType, error) {
	if err := p.expect('<'); err != nil {
		return nil, err
	}
	elem, err := p.parse(depth + 1)
	if err != nil {
		return nil, err
	}
	if elem.unsized() {
		return nil, p.fail("an array of runtime-sized arrays is not allowed")
	}
	if elem.kind == kindArray && elem.innermost().kind == kindMatrix {
		// naga 0.19 leaves the matrix stride out of what it makes of this, and
		// columns of fewer than four rows are read from the wrong place.
		return nil, p.fail("the backend misreads matrices in arrays of arrays; put the inner array or the matrix in a struct")
	}
	t := &wgslType{
		kind: kindArray, scalar: elem.scalar, elem: elem, align: elem.align, native: elem.native,
		stride: roundUp(elem.size, elem.align), depth: elem.depth + 1,
	}
	if t.depth > maxTypeDepth {
		return nil, p.fail("nested more than %d deep", maxTypeDepth)
	}
	closed := p.accept('>')
	if !closed {
		if !p.accept(',') {
			return nil, p.expect('>')
		}
		closed = p.accept('>')
	}
	if closed {
		t.size = t.stride
		t.text = "array<" + elem.text + ">"
		return t, nil
	}
	count, err := p.count(t)
	if err != nil {
		return nil, err
	}
	p.accept(',')
	if err := p.expect('>'); err != nil {
		return nil, err
	}
	t.size = t.count * t.stride
	t.text = "array<" + elem.text + ", " + count + ">"
	return t, nil
}

// count parses an element count, a literal or an integer constant, into
// t.count and returns its spelling.
func (p *typeParser) count(t *wgslType) (string, error) {
	w := p.word()
	if w == "" {
		return "", p.fail("want an element count before %q", p.src[p.pos:])
	}
	n, named := p.ts.consts[w]
	if !named {
		digits, base := strings.TrimRight(w, "iu"), 10
		if len(w)-len(digits) > 1 {
			digits = ""
		}
		if hex, ok := strings.CutPrefix(strings.ToLower(digits), "0x"); ok {
			digits, base = hex, 16
		}
		v, err := strconv.ParseInt(digits, base, 64)
		if err != nil || base == 10 && len(digits) > 1 && digits[0] == '0' {
			return "", p.fail("%q is no element count; use a number or a declared integer constant", w)
		}
		n, w = v, strconv.FormatInt(v, 10)
	}
	if n < 1 {
		return "", p.fail("an array has at least one element, not %d", n)
	}
	if n > int64(maxTypeSize/t.stride) {
		return "", p.fail("is larger than %d bytes", maxTypeSize)
	}
	t.count = int(n)
	return w, nil
}

// shape splits "vec3f" or "mat4x3" into its rows, columns (0 for a vector) and suffix.
func shape(w string) (rows, cols int, suffix string, ok bool) {
	dim := func(c byte) bool { return '2' <= c && c <= '4' }
	switch {
	case len(w) >= 4 && w[:3] == "vec" && dim(w[3]):
		rows, suffix = int(w[3]-'0'), w[4:]
	case len(w) >= 6 && w[:3] == "mat" && dim(w[3]) && w[4] == 'x' && dim(w[5]):
		cols, rows, suffix = int(w[3]-'0'), int(w[5]-'0'), w[6:]
	default:
		return 0, 0, "", false
	}
	switch suffix {
	case "", "f", "i", "u", "h":
		return rows, cols, suffix, true
	}
	return 0, 0, "", false
}

func scalarType(c byte) *wgslType {
	switch c {
	case 'f':
		return typeF32
	case 'i':
		return typeI32
	}
	return typeU32
}

func newScalar(c byte) *wgslType {
	return &wgslType{text: scalarName(c), kind: kindScalar, scalar: c, align: 4, native: 4, size: 4}
}

func vectorType(scalar byte, n int) *wgslType {
	if scalar == 'f' {
		return [...]*wgslType{typeVec2, typeVec3, typeVec4}[n-2]
	}
	return newVector(scalar, n)
}

func newVector(scalar byte, n int) *wgslType {
	return &wgslType{
		text: "vec" + strconv.Itoa(n) + "<" + scalarName(scalar) + ">",
		kind: kindVector, scalar: scalar, rows: n, align: vectorAlign(n), native: vectorAlign(n), size: 4 * n,
	}
}

func matrixType(cols, rows int) *wgslType {
	stride := vectorAlign(rows)
	return &wgslType{
		text: "mat" + strconv.Itoa(cols) + "x" + strconv.Itoa(rows) + "<f32>",
		kind: kindMatrix, scalar: 'f', rows: rows, cols: cols, align: stride, native: stride, stride: stride, size: cols * stride,
	}
}

// vectorAlign is the alignment of a vector of n 32 bit components: its size
// rounded up to a power of two (WGSL, "Alignment and Size"), so that a vec3
// has size 12 and alignment 16.
func vectorAlign(n int) int {
	if n == 2 {
		return 8
	}
	return 16
}

func scalarName(c byte) string {
	switch c {
	case 'f':
		return "f32"
	case 'i':
		return "i32"
	}
	return "u32"
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }
