package picture

// The inverse transform is libjpeg's accurate integer one, the default of every
// browser: Loeffler, Ligtenberg and Moschytz, "Practical Fast 1-D DCT Algorithms
// with 11 Multiplications" (ICASSP 1989), with 13-bit constants and 2 bits kept
// between the passes. Another order of the same sums rounds differently in one
// sample of seven.
const (
	fix0298 = 2446  // 0.298631336 · 2^13
	fix0390 = 3196  // 0.390180644
	fix0541 = 4433  // 0.541196100
	fix0765 = 6270  // 0.765366865
	fix0899 = 7373  // 0.899976223
	fix1175 = 9633  // 1.175875602
	fix1501 = 12299 // 1.501321110
	fix1847 = 15137 // 1.847759065
	fix1961 = 16069 // 1.961570560
	fix2053 = 16819 // 2.053119869
	fix2562 = 20995 // 2.562915447
	fix3072 = 25172 // 3.072711026
)

// butterfly is the one-dimensional transform, scaled by 2^13·√8.
func butterfly(c [8]int32) [8]int32 {
	z := (c[2] + c[6]) * fix0541
	even2, even3 := z-c[6]*fix1847, z+c[2]*fix0765
	even0, even1 := (c[0]+c[4])<<13, (c[0]-c[4])<<13
	e0, e3, e1, e2 := even0+even3, even0-even3, even1+even2, even1-even2

	z1, z2, z3, z4 := c[7]+c[1], c[5]+c[3], c[7]+c[3], c[5]+c[1]
	z5 := (z3 + z4) * fix1175
	z1, z2 = -z1*fix0899, -z2*fix2562
	z3, z4 = z5-z3*fix1961, z5-z4*fix0390
	o3 := c[7]*fix0298 + z1 + z3
	o2 := c[5]*fix2053 + z2 + z4
	o1 := c[3]*fix3072 + z2 + z3
	o0 := c[1]*fix1501 + z1 + z4
	return [8]int32{e0 + o0, e1 + o1, e2 + o2, e3 + o3, e3 - o3, e2 - o2, e1 - o1, e0 - o0}
}

// inverseDCT dequantises a block (in rows) and writes its 64 samples.
func inverseDCT(block *[64]int16, quant *[64]int32, dst []byte, stride int) {
	var work [64]int32
	for x := range 8 {
		var c [8]int32
		flat := true
		for y := range 8 {
			c[y] = int32(block[y*8+x]) * quant[y*8+x]
			flat = flat && (y == 0 || c[y] == 0)
		}
		if flat {
			for y := range 8 {
				work[y*8+x] = c[0] << 2
			}
			continue
		}
		for y, v := range butterfly(c) {
			work[y*8+x] = (v + 1<<10) >> 11
		}
	}
	for y := range 8 {
		row := dst[y*stride:][:8]
		for x, v := range butterfly([8]int32(work[y*8 : y*8+8])) {
			row[x] = clampByte((v+1<<17)>>18 + 128)
		}
	}
}

func clampByte(v int32) byte {
	if uint32(v) <= 255 {
		return byte(v)
	}
	if v < 0 {
		return 0
	}
	return 255
}
