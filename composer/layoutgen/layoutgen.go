// Package layoutgen makes random buffer layouts and the compute shaders that
// read them back, so that a GPU can bear witness to the composer's offsets.
// It touches no device: the caller runs Echo.WGSL and hands the words it wrote
// to Echo.Check.
package layoutgen

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"darkroom/composer"
)

// Space is an address space whose layout rules are tried.
type Space int

// The address spaces.
const (
	Uniform Space = iota // one struct in a uniform buffer
	Storage              // elements of an array in a storage buffer
)

// maxWords bounds the 4-byte words of one layout, and so the statements of its shader.
const maxWords = 400

// Random returns fields, and the structs that they use, which are a valid
// layout in the space: scalars, vectors and matrices of every kind, arrays of
// them and of each other, and structs nested up to three deep. Left out are
// arrays of arrays of matrices, which the composer refuses. Spellings vary
// in white space and short forms. One seed always gives one layout.
func Random(seed uint64, space Space) ([]composer.Field, []composer.Struct) {
	g := generator{rng: rand.New(rand.NewPCG(seed, uint64(space))), space: space}
	for i := range g.rng.IntN(4) {
		fields, words := g.fields(1+g.rng.IntN(4), 60)
		g.structs = append(g.structs, composer.Struct{Name: "S" + strconv.Itoa(i), Fields: fields})
		g.words = append(g.words, words)
	}
	fields, _ := g.fields(1+g.rng.IntN(9), maxWords)
	return fields, g.structs
}

// generator is the state of one Random.
type generator struct {
	rng     *rand.Rand
	space   Space
	structs []composer.Struct // those that later types may use
	words   []int             // of each struct, without padding
}

// fields returns up to n fields of up to limit words together, at least one.
func (g *generator) fields(n, limit int) (fields []composer.Field, words int) {
	for i := range n {
		t, w := g.typ(0)
		if words+w > limit {
			if i > 0 {
				break
			}
			t, w = "f32", 1
		}
		words += w
		fields = append(fields, composer.Field{Name: "m" + strconv.Itoa(i), Type: t})
	}
	return fields, words
}

// typ returns a random type and its size in words, without padding.
func (g *generator) typ(depth int) (string, int) {
	switch k := g.rng.IntN(10); {
	case k < 2 && depth < 2:
		elem, words := g.element(depth + 1)
		n := 1 + g.rng.IntN(4)
		return "array" + g.gap() + "<" + g.gap() + elem + g.gap() + "," + g.gap() + g.count(n) + g.gap() + ">", n * words
	case k < 4 && len(g.structs) > 0:
		i := g.rng.IntN(len(g.structs))
		return g.structs[i].Name, g.words[i]
	case k < 6 && depth < 2:
		c, r := 2+g.rng.IntN(3), 2+g.rng.IntN(3)
		return g.matrix(c, r), c * r
	}
	n := 1 + g.rng.IntN(4)
	return g.vector(n), n
}

// element returns an element type for an array, in the uniform space one
// whose stride is a multiple of 16 bytes.
func (g *generator) element(depth int) (string, int) {
	if g.space == Storage {
		return g.typ(depth)
	}
	switch k := g.rng.IntN(8); {
	case k < 2 && depth < 2:
		elem, words := g.element(depth + 1)
		n := 1 + g.rng.IntN(3)
		return "array<" + elem + "," + g.gap() + g.count(n) + ">", n * words
	case k < 4 && len(g.structs) > 0:
		i := g.rng.IntN(len(g.structs))
		return g.structs[i].Name, g.words[i]
	case k < 6 && depth < 2:
		c, r := 2+g.rng.IntN(3), 2+g.rng.IntN(3)
		if c == 3 && r == 2 {
			r = 3 // mat3x2 has a stride of 24 bytes
		}
		return g.matrix(c, r), c * r
	}
	n := 3 + g.rng.IntN(2)
	return g.vector(n), n
}

// vector spells a vector, or for n 1 a scalar.
func (g *generator) vector(n int) string {
	scalar := [...]string{"f32", "i32", "u32"}[g.rng.IntN(3)]
	switch {
	case n == 1:
		return scalar
	case g.rng.IntN(3) == 0:
		return fmt.Sprintf("vec%d%c", n, scalar[0])
	}
	return fmt.Sprintf("vec%d%s<%s%s>", n, g.gap(), g.gap(), scalar)
}

func (g *generator) matrix(c, r int) string {
	if g.rng.IntN(3) == 0 {
		return fmt.Sprintf("mat%dx%df", c, r)
	}
	return fmt.Sprintf("mat%dx%d<f32%s>", c, r, g.gap())
}

// count spells an element count.
func (g *generator) count(n int) string {
	switch g.rng.IntN(6) {
	case 0:
		return strconv.Itoa(n) + "u"
	case 1:
		return fmt.Sprintf("0x%x", n)
	}
	return strconv.Itoa(n)
}

// gap is white space, mostly none.
func (g *generator) gap() string {
	return [...]string{"", "", "", " ", "\t ", "\n"}[g.rng.IntN(6)]
}
