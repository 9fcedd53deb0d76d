package picture

// colour brings the components to full size and converts them to RGBA.
func (d *jpegDecoder) colour() ([]byte, error) {
	w, h := d.width, d.height
	out := make([]byte, w*h*4)
	rows := make([][]byte, len(d.comps))
	for i := range d.comps {
		rows[i] = make([]byte, (w+d.maxH)*2+8)
	}
	convert := d.conversion()
	for y := range h {
		for i := range d.comps {
			d.comps[i].row(rows[i], y, d.maxH, d.maxV, w)
		}
		convert(out[y*w*4:][:w*4], rows)
	}
	return out, nil
}

// conversion picks the colour space by libjpeg's rules: JFIF means YCbCr,
// Adobe's segment says which, and otherwise the components' numbers hint at it.
func (d *jpegDecoder) conversion() func(dst []byte, rows [][]byte) {
	switch len(d.comps) {
	case 1:
		return func(dst []byte, rows [][]byte) {
			for x := 0; x*4 < len(dst); x++ {
				v := rows[0][x]
				dst[x*4], dst[x*4+1], dst[x*4+2], dst[x*4+3] = v, v, v, 255
			}
		}
	case 4:
		ycck := d.adobe > 0
		return func(dst []byte, rows [][]byte) {
			for x := 0; x*4 < len(dst); x++ {
				c, m, y, k := rows[0][x], rows[1][x], rows[2][x], int(rows[3][x])
				if ycck {
					c, m, y = ycc(c, m, y)
					c, m, y = 255-c, 255-m, 255-y
				}
				// The inks are stored inverted, as Adobe does; browsers assume it always.
				dst[x*4], dst[x*4+1], dst[x*4+2], dst[x*4+3] = byte(int(c)*k/255), byte(int(m)*k/255), byte(int(y)*k/255), 255
			}
		}
	}
	rgb := !d.jfif && (d.adobe == 0 || d.adobe < 0 && d.comps[0].id == 'R' && d.comps[1].id == 'G' && d.comps[2].id == 'B')
	return func(dst []byte, rows [][]byte) {
		for x := 0; x*4 < len(dst); x++ {
			r, g, b := rows[0][x], rows[1][x], rows[2][x]
			if !rgb {
				r, g, b = ycc(r, g, b)
			}
			dst[x*4], dst[x*4+1], dst[x*4+2], dst[x*4+3] = r, g, b, 255
		}
	}
}

// ycc is JFIF's conversion with 16-bit factors, rounded as libjpeg does: 1.40200, 1.77200, 0.34414 and 0.71414.
func ycc(y, cb, cr byte) (r, g, b byte) {
	l, u, v := int32(y), int32(cb)-128, int32(cr)-128
	return clampByte(l + (91881*v+1<<15)>>16), clampByte(l + (-22554*u-46802*v+1<<15)>>16), clampByte(l + (116130*u+1<<15)>>16)
}

// row writes row y of the picture into dst, upsampled as libjpeg's "fancy"
// upsampling does: a triangle filter for factors of two, across where the
// component has more than two columns, and repetition for all other factors.
func (c *jpegComponent) row(dst []byte, y, maxH, maxV, width int) {
	stride := c.bw * 8
	line := func(i int) []byte { return c.samples[min(max(i, 0), c.dh-1)*stride:][:c.dw] }
	twiceH, twiceV := maxH == 2*c.h, maxV == 2*c.v
	switch {
	case maxH == c.h && maxV == c.v:
		copy(dst, line(y))
	case twiceH && maxV == c.v && c.dw > 2:
		in := line(y)
		last := c.dw - 1
		dst[0], dst[2*last+1] = in[0], in[last]
		for i := range last {
			a, b := int32(in[i]), int32(in[i+1])
			dst[2*i+1] = byte((3*a + b + 2) >> 2)
			dst[2*i+2] = byte((a + 3*b + 1) >> 2)
		}
	case maxH == c.h && twiceV:
		near, far, bias := line(y/2), line(y/2-1), int32(1)
		if y&1 == 1 {
			far, bias = line(y/2+1), 2
		}
		for i := range near {
			dst[i] = byte((3*int32(near[i]) + int32(far[i]) + bias) >> 2)
		}
	case twiceH && twiceV && c.dw > 2:
		near, far := line(y/2), line(y/2-1)
		if y&1 == 1 {
			far = line(y/2 + 1)
		}
		sum := func(i int) int32 { return 3*int32(near[i]) + int32(far[i]) }
		last := c.dw - 1
		a := sum(0)
		dst[0] = byte((4*a + 8) >> 4)
		for i := range last {
			b := sum(i + 1)
			dst[2*i+1] = byte((3*a + b + 7) >> 4)
			dst[2*i+2] = byte((a + 3*b + 8) >> 4)
			a = b
		}
		dst[2*last+1] = byte((4*a + 7) >> 4)
	default:
		in := line(y * c.v / maxV)
		for x := range width {
			dst[x] = in[min(x*c.h/maxH, c.dw-1)]
		}
	}
}
