package picture

import "encoding/binary"

// exifOrientation reads tag 0x0112 of the first directory of a TIFF structure
// (EXIF 2.3, section 4.6.4): 1 to 8, 1 where it is absent or broken.
func exifOrientation(tiff []byte) int {
	if len(tiff) < 14 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(tiff[:4]) {
	case "II*\x00":
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 1
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 1
	}
	n := int(order.Uint16(tiff[at:]))
	for dir := tiff[at+2:]; n > 0 && len(dir) >= 12; n, dir = n-1, dir[12:] {
		if order.Uint16(dir) == 0x0112 && order.Uint16(dir[2:]) == 3 {
			if v := int(order.Uint16(dir[8:])); v >= 1 && v <= 8 {
				return v
			}
			return 1
		}
	}
	return 1
}

// orient turns and mirrors the picture as EXIF says, so that it stands upright.
func (p *Picture) orient(o int) *Picture {
	if o <= 1 || o > 8 {
		return p
	}
	w, h := p.Width, p.Height
	// Pixel (x, y) of the file goes to origin + x·dx + y·dy.
	var origin, dx, dy int
	ow, oh := w, h
	if o >= 5 {
		ow, oh = h, w
	}
	switch o {
	case 2: // mirrored
		origin, dx, dy = w-1, -1, w
	case 3: // upside down
		origin, dx, dy = w*h-1, -1, -w
	case 4: // mirrored top to bottom
		origin, dx, dy = (h-1)*w, 1, -w
	case 5: // transposed
		origin, dx, dy = 0, h, 1
	case 6: // to be turned clockwise
		origin, dx, dy = h-1, h, -1
	case 7: // transposed along the other diagonal
		origin, dx, dy = h*w-1, -h, -1
	case 8: // to be turned counter-clockwise
		origin, dx, dy = (w-1)*h, -h, 1
	}
	out := &Picture{Width: ow, Height: oh, Format: p.Format, Exposure: p.Exposure}
	if p.Pix != nil {
		out.Pix = make([]byte, len(p.Pix))
	} else {
		out.Float = make([]float32, len(p.Float))
	}
	for y := range h {
		for x := range w {
			s, d := (y*w+x)*4, (origin+x*dx+y*dy)*4
			if p.Pix != nil {
				copy(out.Pix[d:d+4], p.Pix[s:s+4])
			} else {
				copy(out.Float[d:d+4], p.Float[s:s+4])
			}
		}
	}
	return out
}
