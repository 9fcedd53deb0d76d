package draco

// normals predicts each normal as that of the triangles about its vertex,
// weighed by their areas, turned round where a bit says so.
func (p *predictor) normals() error {
	for i, corner := range p.seq.corner {
		n, err := p.normalAt(corner)
		if err != nil {
			return err
		}
		// On the octahedron |x| + |y| + |z| = center.
		center := int64(p.center)
		sum := int64(magnitude(n[0]) + magnitude(n[1]) + magnitude(n[2]))
		if sum == 0 {
			n = [3]int64{center, 0, 0}
		} else {
			n[0], n[1] = n[0]*center/sum, n[1]*center/sum
			rest := center - int64(magnitude(n[0])) - int64(magnitude(n[1]))
			if n[2] < 0 {
				rest = -rest
			}
			n[2] = rest
		}
		if p.flips.bit() {
			n = [3]int64{-n[0], -n[1], -n[2]}
		}
		s, t := p.octahedral(int32(n[0]), int32(n[1]), int32(n[2]))
		p.predicted[0], p.predicted[1] = s, t
		p.correct(p.predicted[:2], i)
	}
	return nil
}

// normalAt adds the cross products of the triangles about a corner's vertex.
func (p *predictor) normalAt(corner int32) (sum [3]int64, err error) {
	t := p.seq.t
	position := func(c int32) (v [3]int64) {
		value := p.seq.value[t.vert[c]]
		ok := value >= 0
		if ok {
			v, ok = p.positionOf(int(value))
		}
		if !ok {
			err = ErrBroken
		}
		return v
	}
	at := position(corner)
	left := true
	for c := corner; c >= 0 && err == nil; {
		a, b := sub(position(next(c)), at), sub(position(prev(c)), at)
		sum[0] += a[1]*b[2] - a[2]*b[1]
		sum[1] += a[2]*b[0] - a[0]*b[2]
		sum[2] += a[0]*b[1] - a[1]*b[0]
		if left {
			if c = t.swingLeft(c); c == corner {
				break
			} else if c < 0 {
				left = false
				c = t.swingRight(corner)
			}
		} else {
			c = t.swingRight(c)
		}
	}
	const bound = 1 << 29
	if total := int64(magnitude(sum[0]) + magnitude(sum[1]) + magnitude(sum[2])); total > bound {
		for i := range sum {
			sum[i] /= total / bound
		}
	}
	for i := range sum {
		sum[i] = int64(int32(sum[i]))
	}
	return sum, err
}

// octahedral unfolds a vector of the octahedron to coordinates of 0…top-1, of
// which those that stand for the same vector are made one.
func (p *predictor) octahedral(x, y, z int32) (s, t int32) {
	most := p.top - 1
	abs := func(v int32) int32 { return max(v, -v) }
	if x >= 0 {
		s, t = y+p.center, z+p.center
	} else {
		s, t = most-abs(z), most-abs(y)
		if y < 0 {
			s = abs(z)
		}
		if z < 0 {
			t = abs(y)
		}
	}
	switch {
	case s == 0 && t == 0, s == 0 && t == most, s == most && t == 0:
		return most, most
	case s == 0 && t > p.center:
		t = p.center - (t - p.center)
	case s == most && t < p.center:
		t = p.center + (p.center - t)
	case t == most && s < p.center:
		s = p.center + (p.center - s)
	case t == 0 && s > p.center:
		s = p.center - (s - p.center)
	}
	return s, t
}

// rotate adds a correction to a prediction. Corrections are given for a
// prediction in the lower left of the inner diamond, into which it is mirrored
// and turned, and back again.
func (p *predictor) rotate(s, t, cs, ct int32) (int32, int32) {
	abs := func(v int32) int64 { return int64(magnitude(int64(v))) }
	s, t = s-p.center, t-p.center
	inside := abs(s)+abs(t) <= int64(p.center)
	if !inside {
		s, t = p.mirror(s, t)
	}
	turns := 0
	if low := s == 0 && t == 0 || s < 0 && t <= 0; !low {
		switch {
		case s == 0 && t > 0:
			turns = 3
		case s == 0:
			turns = 1
		case s > 0 && t >= 0:
			turns = 2
		case s > 0:
			turns = 1
		case t > 0:
			turns = 3
		}
		s, t = turn(s, t, turns)
	}
	s, t = p.modulo(s+cs), p.modulo(t+ct)
	s, t = turn(s, t, (4-turns)%4)
	if !inside {
		s, t = p.mirror(s, t)
	}
	return s + p.center, t + p.center
}

func turn(s, t int32, quarters int) (int32, int32) {
	switch quarters {
	case 1:
		return t, -s
	case 2:
		return -s, -t
	case 3:
		return -t, s
	}
	return s, t
}

func (p *predictor) modulo(v int32) int32 {
	if v > p.center {
		return v - p.top
	}
	if v < -p.center {
		return v + p.top
	}
	return v
}

// mirror swaps the inside of the diamond |s| + |t| = center with the outside,
// quadrant by quadrant.
func (p *predictor) mirror(s, t int32) (int32, int32) {
	signS, signT := int32(-1), int32(-1)
	switch {
	case s >= 0 && t >= 0:
		signS, signT = 1, 1
	case s <= 0 && t <= 0:
	default:
		if s > 0 {
			signS = 1
		}
		if t > 0 {
			signT = 1
		}
	}
	cs, ct := signS*p.center, signT*p.center
	s, t = 2*s-cs, 2*t-ct
	if signS*signT >= 0 {
		s, t = -t, -s
	} else {
		s, t = t, s
	}
	return (s + cs) / 2, (t + ct) / 2
}
