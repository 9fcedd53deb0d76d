package scenes

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"reflect"
	"sort"
)

// Hash identifies what a scene describes: equal scenes have equal hashes in
// every process. A function in a scene counts only as being there, since Go
// gives it no identity that outlives the process.
func Hash(s *Scene) string {
	h := hasher{w: sha256.New(), seen: map[uintptr]int{}}
	h.value(reflect.ValueOf(s))
	return hex.EncodeToString(h.w.Sum(nil))
}

type hasher struct {
	w    hash.Hash
	seen map[uintptr]int // pointers in the order in which they were met
}

func (h *hasher) word(tag byte, v uint64) {
	var b [9]byte
	b[0] = tag
	binary.LittleEndian.PutUint64(b[1:], v)
	h.w.Write(b[:])
}

func (h *hasher) text(s string) {
	h.word('s', uint64(len(s)))
	h.w.Write([]byte(s))
}

func (h *hasher) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		h.word('0', 0)
	case reflect.Bool:
		n := uint64(0)
		if v.Bool() {
			n = 1
		}
		h.word('b', n)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		h.word('i', uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		h.word('u', v.Uint())
	case reflect.Float32, reflect.Float64:
		h.word('f', math.Float64bits(v.Float()))
	case reflect.String:
		h.text(v.String())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		h.word('F', 0)
	case reflect.Pointer:
		if v.IsNil() {
			h.word('0', 0)
			return
		}
		// A shared or cyclic pointer is hashed once, and then by its number.
		if n, ok := h.seen[v.Pointer()]; ok {
			h.word('p', uint64(n))
			return
		}
		h.seen[v.Pointer()] = len(h.seen)
		h.text(v.Type().String())
		h.value(v.Elem())
	case reflect.Interface:
		if v.IsNil() {
			h.word('0', 0)
			return
		}
		h.text(v.Elem().Type().String())
		h.value(v.Elem())
	case reflect.Slice, reflect.Array:
		h.word('[', uint64(v.Len()))
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
			h.w.Write(v.Bytes())
			return
		}
		for i := range v.Len() {
			h.value(v.Index(i))
		}
	case reflect.Map:
		h.word('m', uint64(v.Len()))
		// The sum of the entries' own hashes does not depend on their order. They
		// are visited in the order of their keys, so that pointers in them get
		// the same numbers every time.
		keys := v.MapKeys()
		sort.Slice(keys, func(i, j int) bool { return before(keys[i], keys[j]) })
		var sums [][]byte
		for _, k := range keys {
			e := hasher{w: sha256.New(), seen: h.seen}
			e.value(k)
			if k.Kind() != reflect.Pointer {
				e.value(v.MapIndex(k))
			}
			sums = append(sums, e.w.Sum(nil))
		}
		sort.Slice(sums, func(i, j int) bool { return string(sums[i]) < string(sums[j]) })
		for _, s := range sums {
			h.w.Write(s)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).IsZero() || v.Type().Field(i).Tag.Get("hash") == "-" {
				continue // a field that is new to the model and unused changes no hash
			}
			h.text(v.Type().Field(i).Name)
			h.value(v.Field(i))
		}
	}
}

// before orders the keys of a map. Pointers have no order that outlives the process.
func before(a, b reflect.Value) bool {
	switch {
	case a.Kind() == reflect.String:
		return a.String() < b.String()
	case a.CanInt():
		return a.Int() < b.Int()
	case a.CanUint():
		return a.Uint() < b.Uint()
	case a.CanFloat():
		return a.Float() < b.Float()
	}
	return false
}
