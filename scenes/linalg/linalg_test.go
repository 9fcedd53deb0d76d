package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

const eps = 1e-12

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= tol) {
			t.Errorf("%s: got %v, want %v (component %d differs by %g)", what, got, want, i, d)
			return
		}
	}
}

func nearM(t *testing.T, what string, got, want Mat4, tol float64) {
	t.Helper()
	near(t, what, got[:], want[:], tol)
}

func randVec(r *rand.Rand, scale float64) Vec3 {
	return Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(scale)
}

func randQuat(r *rand.Rand) Quat {
	return Quat{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalize()
}

// randScale keeps away from zero, where rotation is lost.
func randScale(r *rand.Rand) Vec3 {
	return Vec3{0.2 + 3*r.Float64(), 0.2 + 3*r.Float64(), 0.2 + 3*r.Float64()}
}

func TestVec3(t *testing.T) {
	v, w := Vec3{1, 2, 3}, Vec3{4, -5, 6}
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"Add", v.Add(w), Vec3{5, -3, 9}},
		{"Sub", v.Sub(w), Vec3{-3, 7, -3}},
		{"Scale", v.Scale(2), Vec3{2, 4, 6}},
		{"Mul", v.Mul(w), Vec3{4, -10, 18}},
		{"Div", w.Div(v), Vec3{4, -2.5, 2}},
		{"Neg", w.Neg(), Vec3{-4, 5, -6}},
		{"Dot", v.Dot(w), 12.0},
		{"Cross", v.Cross(w), Vec3{27, 6, -13}},
		{"X cross Y", Vec3{1, 0, 0}.Cross(Vec3{0, 1, 0}), Vec3{0, 0, 1}},
		{"Length", Vec3{2, 3, 6}.Length(), 7.0},
		{"Distance", Vec3{3, 4, 7}.Distance(Vec3{1, 1, 1}), 7.0},
		{"Normalize", Vec3{0, 0, -4}.Normalize(), Vec3{0, 0, -1}},
		{"Normalize zero", Vec3{}.Normalize(), Vec3{}},
		{"Lerp", v.Lerp(w, 0.5), Vec3{2.5, -1.5, 4.5}},
		{"Min", v.Min(w), Vec3{1, -5, 3}},
		{"Max", v.Max(w), Vec3{4, 2, 6}},
		{"Vec4", v.Vec4(1), Vec4{1, 2, 3, 1}},
		{"Float32", Vec3{0.1, 1, 2}.Float32(), [3]float32{0.1, 1, 2}},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.what, c.got, c.want)
		}
	}
}

func TestVec2Vec4(t *testing.T) {
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"2 Add", Vec2{1, 2}.Add(Vec2{3, 5}), Vec2{4, 7}},
		{"2 Sub", Vec2{1, 2}.Sub(Vec2{3, 5}), Vec2{-2, -3}},
		{"2 Length", Vec2{3, 4}.Length(), 5.0},
		{"2 Normalize", Vec2{0, -2}.Normalize(), Vec2{0, -1}},
		{"2 Normalize zero", Vec2{}.Normalize(), Vec2{}},
		{"2 Lerp", Vec2{0, 4}.Lerp(Vec2{2, 0}, 0.25), Vec2{0.5, 3}},
		{"2 Min", Vec2{1, 5}.Min(Vec2{3, 2}), Vec2{1, 2}},
		{"2 Max", Vec2{1, 5}.Max(Vec2{3, 2}), Vec2{3, 5}},
		{"4 Add", Vec4{1, 2, 3, 4}.Add(Vec4{5, 6, 7, 8}), Vec4{6, 8, 10, 12}},
		{"4 Sub", Vec4{1, 2, 3, 4}.Sub(Vec4{5, 6, 7, 9}), Vec4{-4, -4, -4, -5}},
		{"4 Dot", Vec4{1, 2, 3, 4}.Dot(Vec4{5, 6, 7, 8}), 70.0},
		{"4 Length", Vec4{1, 1, 1, 1}.Length(), 2.0},
		{"4 Normalize", Vec4{0, 0, 0, -3}.Normalize(), Vec4{0, 0, 0, -1}},
		{"4 Lerp", Vec4{0, 0, 0, 8}.Lerp(Vec4{4, 2, 0, 0}, 0.5), Vec4{2, 1, 0, 4}},
		{"4 Min", Vec4{1, 5, 0, 0}.Min(Vec4{3, 2, -1, 1}), Vec4{1, 2, -1, 0}},
		{"4 Max", Vec4{1, 5, 0, 0}.Max(Vec4{3, 2, -1, 1}), Vec4{3, 5, 0, 1}},
		{"4 Vec3", Vec4{1, 2, 3, 4}.Vec3(), Vec3{1, 2, 3}},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.what, c.got, c.want)
		}
	}
}

// The sense of each rotation is what a left-handed picture hangs on.
func TestRotationSense(t *testing.T) {
	half := math.Pi / 2
	x, y, z := Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}
	for _, c := range []struct {
		what     string
		m        Mat4
		in, want Vec3
	}{
		{"X: y to z", RotationX(half), y, z},
		{"Y: z to x", RotationY(half), z, x},
		{"Z: x to y", RotationZ(half), x, y},
		{"axis X", RotationAxis(Vec3{3, 0, 0}, half), y, z},
		{"axis Y", RotationAxis(Vec3{0, 3, 0}, half), z, x},
		{"quat X", FromQuat(QuatFromAxisAngle(x, half)), y, z},
		{"quat Y", FromQuat(QuatFromAxisAngle(Vec3{0, 2, 0}, half)), z, x},
		{"quat Z", FromQuat(QuatFromAxisAngle(z, half)), x, y},
		{"euler roll first, then pitch", FromEuler(Vec3{half, 0, half}), x, z},
		{"euler pitch before yaw", FromEuler(Vec3{half, half, 0}), y, x},
		{"translation leaves directions", Translation(Vec3{5, 6, 7}), x, x},
	} {
		got := c.m.TransformNormal(c.in)
		near(t, c.what, got[:], c.want[:], eps)
	}
	p := Translation(Vec3{5, 6, 7}).Mul(Scaling(Vec3{2, 3, 4})).TransformPoint(Vec3{1, 1, 1})
	near(t, "scale, then move", p[:], []float64{7, 9, 11}, 0)
}

func TestEulerIsYawPitchRoll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		e := randVec(r, 1)
		want := RotationY(e[1]).Mul(RotationX(e[0])).Mul(RotationZ(e[2]))
		nearM(t, "FromEuler", FromEuler(e), want, eps)

		e[0] = math.Mod(e[0], 1.5) // away from the gimbal
		back := QuatFromEuler(e).Euler()
		nearM(t, "Euler and back", FromEuler(back), FromEuler(e), 1e-9)
	}
	for _, pitch := range []float64{math.Pi / 2, -math.Pi / 2} {
		e := QuatFromEuler(Vec3{pitch, 0.7, 0}).Euler()
		near(t, "gimbal", e[:], []float64{pitch, 0.7, 0}, 1e-9)
	}
}

func TestComposeDecompose(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		s, q, tr := randScale(r), randQuat(r), randVec(r, 10)
		m := Compose(s, q, tr)
		nearM(t, "Compose", m, Translation(tr).Mul(FromQuat(q)).Mul(Scaling(s)), 1e-11)

		s2, q2, tr2, ok := m.Decompose()
		if !ok {
			t.Fatalf("Decompose(%v) failed", m)
		}
		near(t, "scale", s2[:], s[:], 1e-11)
		near(t, "translation", tr2[:], tr[:], 0)
		if d := math.Abs(q.Dot(q2)); d < 1-1e-11 {
			t.Errorf("rotation %v came back as %v", q, q2)
		}

		// A mirrored axis comes back as a mirrored Y with another rotation, and the same matrix.
		s[r.IntN(3)] *= -1
		m = Compose(s, q, tr)
		s2, q2, tr2, ok = m.Decompose()
		if !ok || s2[0] <= 0 || s2[1] >= 0 || s2[2] <= 0 {
			t.Fatalf("mirror %v: Decompose gave scale %v, ok %v", s, s2, ok)
		}
		nearM(t, "mirror", Compose(s2, q2, tr2), m, 1e-10)
	}
}

func TestDecomposeSingular(t *testing.T) {
	s, q, tr, ok := Compose(Vec3{0, 2, 3}, QuatFromEuler(Vec3{1, 2, 3}), Vec3{4, 5, 6}).Decompose()
	if ok || s[0] != 0 || q != QuatIdentity() || tr != (Vec3{4, 5, 6}) {
		t.Errorf("got scale %v, rotation %v, translation %v, ok %v", s, q, tr, ok)
	}
}

func TestDecompose32(t *testing.T) {
	m := Compose(Vec3{1, 2, 3}, QuatFromEuler(Vec3{0.1, 0.2, 0.3}), Vec3{}).Round32()
	_, full, _, _ := m.Decompose()
	_, single, _, _ := m.Decompose32()
	if full == single {
		t.Error("Decompose32 did not round")
	}
	near(t, "Decompose32", single[:], full[:], 1e-7)
}

func TestInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var m Mat4
		for i := range m {
			m[i] = r.NormFloat64()
		}
		if math.Abs(m.Determinant()) < 1e-2 {
			continue
		}
		inv, ok := m.Inverse()
		if !ok {
			t.Fatalf("Inverse(%v) failed", m)
		}
		nearM(t, "m*inverse", m.Mul(inv), Identity(), 1e-9)
		nearM(t, "inverse*m", inv.Mul(m), Identity(), 1e-9)
		if d := m.Determinant() * inv.Determinant(); math.Abs(d-1) > 1e-9 {
			t.Errorf("determinants multiply to %g", d)
		}
		if m.Transpose().Transpose() != m {
			t.Error("Transpose twice is not the identity")
		}
	}
	m := Scaling(Vec3{1, 0, 1})
	if got, ok := m.Inverse(); ok || got != m {
		t.Errorf("singular: got %v, %v", got, ok)
	}
	if d := Scaling(Vec3{2, 3, -4}).Determinant(); d != -24 {
		t.Errorf("Determinant: got %g, want -24", d)
	}
}

func TestNormalMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		m := Compose(randScale(r), randQuat(r), randVec(r, 3))
		a, b := randVec(r, 1), randVec(r, 1)
		n := m.NormalMatrix().TransformNormal(a.Cross(b)).Normalize()
		if d := n.Dot(m.TransformNormal(a).Normalize()); math.Abs(d) > 1e-10 {
			t.Errorf("normal is off its surface by a cosine of %g", d)
		}
	}
	if got := (Mat4{0: 1, 12: 9}).NormalMatrix(); got[12] != 0 || got[0] != 1 || got[15] != 1 {
		t.Errorf("singular: got %v", got)
	}
}

func TestQuat(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 100 {
		a, b := randQuat(r), randQuat(r)
		nearM(t, "Mul", FromQuat(a.Mul(b)), FromQuat(a).Mul(FromQuat(b)), eps)
		id := a.Mul(a.Conjugate())
		near(t, "Conjugate", id[:], []float64{0, 0, 0, 1}, eps)

		// Through the matrix and back; the sign of a quaternion is free.
		c := QuatFromMat4(FromQuat(a))
		if d := math.Abs(a.Dot(c)); d < 1-eps {
			t.Errorf("QuatFromMat4: %v came back as %v", a, c)
		}
		v := randVec(r, 1).Normalize()
		w := randVec(r, 1).Normalize()
		turned := QuatFromUnitVectors(v, w).Rotate(v)
		near(t, "QuatFromUnitVectors", turned[:], w[:], 1e-10)
	}
	for _, v := range []Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
		w := v.Neg()
		turned := QuatFromUnitVectors(v, w).Rotate(v)
		near(t, "opposite", turned[:], w[:], eps)
	}
	if m := FromAxes(Vec3{0, 0, -1}, Vec3{0, 1, 0}, Vec3{1, 0, 0}); m.TransformNormal(Vec3{0, 0, 2}) != (Vec3{2, 0, 0}) {
		t.Errorf("FromAxes: got %v", m)
	}
	if q := (Quat{1, 2, 3, 4}).Add(Quat{1, 1, 1, 1}).Scale(2); q != (Quat{4, 6, 8, 10}) {
		t.Errorf("Add and Scale: got %v", q)
	}
	// Each branch of QuatFromMat4: half turns about an axis have trace -1.
	for _, q := range []Quat{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}} {
		if got := QuatFromMat4(FromQuat(q)); got != q {
			t.Errorf("QuatFromMat4(%v) = %v", q, got)
		}
	}
}

func TestSlerp(t *testing.T) {
	axis := Vec3{1, 2, -1}
	at := func(a float64) Quat { return QuatFromAxisAngle(axis, a) }
	for _, c := range []struct {
		what    string
		a, b    Quat
		t       float64
		want    Quat
		epsilon float64
	}{
		{"middle", at(0), at(1), 0.5, at(0.5), eps},
		{"start", at(0.3), at(1), 0, at(0.3), eps},
		{"end", at(0.3), at(1), 1, at(1), eps},
		{"quarter", at(0.2), at(2.2), 0.25, at(0.7), eps},
		{"the shorter arc", at(0), at(1).Scale(-1), 0.5, at(0.5), eps},
		{"nearly equal", at(0), at(0.001), 0.5, at(0.0005), 1e-7},
	} {
		got := c.a.Slerp(c.b, c.t)
		near(t, c.what, got[:], c.want[:], c.epsilon)
	}
}

func TestLookAtLH(t *testing.T) {
	m := LookAtLH(Vec3{0, 0, -10}, Vec3{}, Vec3{0, 1, 0})
	if want := Translation(Vec3{0, 0, 10}); m != want {
		t.Errorf("from -Z: got %v, want %v", m, want)
	}
	r := rand.New(rand.NewPCG(11, 12))
	for range 50 {
		eye, target := randVec(r, 5), randVec(r, 5)
		m := LookAtLH(eye, target, Vec3{0, 1, 0})
		o := m.TransformPoint(eye)
		near(t, "eye", o[:], []float64{0, 0, 0}, 1e-10)
		p := m.TransformPoint(target)
		near(t, "target", p[:], []float64{0, 0, eye.Distance(target)}, 1e-10)
		if up := m.TransformNormal(Vec3{0, 1, 0}); math.Abs(up[0]) > 1e-10 || up[1] < 0 {
			t.Errorf("up is %v in camera space", up)
		}
	}
	// Straight down: the camera's X stays the world's.
	m = LookAtLH(Vec3{0, 5, 0}, Vec3{}, Vec3{0, 1, 0})
	p := m.TransformPoint(Vec3{2, 0, 3})
	near(t, "straight down", p[:], []float64{2, 3, 5}, eps)
}

func TestProjections(t *testing.T) {
	const fov, aspect, n, f = 0.8, 16.0 / 9, 0.1, 1000.0
	depth := func(m Mat4, z float64) float64 { return m.TransformPoint(Vec3{0, 0, z})[2] }
	ortho := func(f func(l, r, b, t, n, f float64, h bool) Mat4, h bool) Mat4 { return f(-2, 6, -1, 3, n, 1000, h) }
	for _, c := range []struct {
		what           string
		m              Mat4
		atNear, atFar  float64
		unboundedDepth bool
	}{
		{"perspective", PerspectiveFovLH(fov, aspect, n, f, true), 0, 1, false},
		{"perspective, GL", PerspectiveFovLH(fov, aspect, n, f, false), -1, 1, false},
		{"reverse", PerspectiveFovLHReverseZ(fov, aspect, n, f, true), 1, 0, false},
		{"reverse, GL", PerspectiveFovLHReverseZ(fov, aspect, n, f, false), 1, -1, false},
		{"infinite", PerspectiveInfiniteLH(fov, aspect, n, true), 0, 1, true},
		{"infinite reverse", PerspectiveInfiniteLHReverseZ(fov, aspect, n, true), 1, 0, true},
		{"infinite reverse, GL", PerspectiveInfiniteLHReverseZ(fov, aspect, n, false), 1, -1, true},
		{"ortho", ortho(OrthoOffCenterLH, true), 0, 1, false},
		{"ortho, GL", ortho(OrthoOffCenterLH, false), -1, 1, false},
		{"ortho reverse", ortho(OrthoOffCenterLHReverseZ, true), 1, 0, false},
	} {
		far := f
		if c.unboundedDepth {
			far = 1e15
		}
		near(t, c.what, []float64{depth(c.m, n), depth(c.m, far)}, []float64{c.atNear, c.atFar}, 1e-9)
	}

	m := PerspectiveFovLH(fov, aspect, n, f, true)
	top := m.TransformPoint(Vec3{0, 5 * math.Tan(fov/2), 5})
	side := m.TransformPoint(Vec3{5 * math.Tan(fov/2) * aspect, 0, 5})
	near(t, "edges", []float64{top[1], side[0]}, []float64{1, 1}, eps)

	m = OrthoOffCenterLH(-2, 6, -1, 3, 0.1, 1000, true)
	a, b := m.TransformPoint(Vec3{-2, -1, 1}), m.TransformPoint(Vec3{6, 3, 1})
	near(t, "ortho corners", []float64{a[0], a[1], b[0], b[1]}, []float64{-1, -1, 1, 1}, eps)
	if OrthoLH(8, 4, 1, 2, true) != OrthoOffCenterLH(-4, 4, -2, 2, 1, 2, true) {
		t.Error("OrthoLH is not the centred OrthoOffCenterLH")
	}

	// Babylon.js's single-precision projection for the default camera (fov .8, 1280x720, 1 … 10000).
	single := PerspectiveFovLH(0.8, 1280.0/720, 1, 10000, false).Round32().HalfZ().Round32()
	want := Mat4{0: 1.3304376602172852, 5: 2.365222454071045, 10: 1.000100016593933, 11: 1, 14: -1.000100016593933}
	nearM(t, "engine numbers", single, want, 0)
}

func TestRound32(t *testing.T) {
	m := Mat4{0: 0.1, 5: 1, 12: 5000000.3}.Round32()
	if m[0] != float64(float32(0.1)) || m[5] != 1 || m[12] != 5000000.5 {
		t.Errorf("got %v", m)
	}
	if f := m.Float32(); f[0] != 0.1 || f[12] != 5000000.5 {
		t.Errorf("Float32: got %v", f)
	}
}

func TestHermite(t *testing.T) {
	// x³ on 1…3: values 1 and 27, slopes 3 and 27 per unit, times the length 2.
	for _, s := range []float64{0, 0.25, 0.5, 0.9, 1} {
		x := 1 + 2*s
		if got := Hermite(1, 6, 27, 54, s); math.Abs(got-x*x*x) > eps {
			t.Errorf("Hermite at %g: got %g, want %g", s, got, x*x*x)
		}
		v := HermiteVec3(Vec3{1, 0, 1}, Vec3{6, 0, 0}, Vec3{27, 0, 1}, Vec3{54, 0, 0}, s)
		near(t, "HermiteVec3", v[:], []float64{x * x * x, 0, 1}, eps)
		q := HermiteQuat(Quat{1, 0, 1, 5}, Quat{6}, Quat{27, 0, 1, 5}, Quat{54}, s)
		near(t, "HermiteQuat", q[:], []float64{x * x * x, 0, 1, 5}, eps)
		c := CatmullRom(Vec3{0}, Vec3{1}, Vec3{4}, Vec3{9}, s) // x² is reproduced
		near(t, "CatmullRom", c[:], []float64{(1 + s) * (1 + s), 0, 0}, eps)
	}
}

func TestAABB(t *testing.T) {
	if !EmptyAABB().Empty() || !EmptyAABB().Transform(Translation(Vec3{1, 1, 1})).Empty() {
		t.Error("the empty box is not empty")
	}
	b := EmptyAABB().Extend(Vec3{1, -2, 3}).Extend(Vec3{-1, 4, 3})
	want := AABB{Vec3{-1, -2, 3}, Vec3{1, 4, 3}}
	if b != want || b.Empty() {
		t.Fatalf("Extend: got %v", b)
	}
	if b.Center() != (Vec3{0, 1, 3}) || b.Size() != (Vec3{2, 6, 0}) || b.Diagonal() != math.Sqrt(40) {
		t.Errorf("Center %v, Size %v, Diagonal %v", b.Center(), b.Size(), b.Diagonal())
	}
	if !b.Contains(Vec3{1, 4, 3}) || b.Contains(Vec3{1, 4, 3.1}) {
		t.Error("Contains is wrong at a corner")
	}
	if u := b.Union(AABB{Vec3{0, 0, 0}, Vec3{0, 9, 0}}); u != (AABB{Vec3{-1, -2, 0}, Vec3{1, 9, 3}}) {
		t.Errorf("Union: got %v", u)
	}
	turned := AABB{Vec3{-1, -1, -1}, Vec3{1, 1, 1}}.Transform(Translation(Vec3{5, 0, 0}).Mul(RotationY(math.Pi / 4)))
	near(t, "Transform", append(turned.Min[:], turned.Max[:]...),
		[]float64{5 - math.Sqrt2, -1, -math.Sqrt2, 5 + math.Sqrt2, 1, math.Sqrt2}, eps)

	s := AABB{Vec3{-1, -1, -1}, Vec3{1, 1, 1}}.Sphere()
	if s.Center != (Vec3{}) || s.Radius != math.Sqrt(12)/2 {
		t.Errorf("Sphere: got %v", s)
	}
	big := s.Transform(Compose(Vec3{1, 3, 2}, QuatFromEuler(Vec3{1, 2, 3}), Vec3{7, 8, 9}))
	near(t, "Sphere.Transform", append(big.Center[:], big.Radius), []float64{7, 8, 9, 3 * s.Radius}, eps)
}

func TestFrustum(t *testing.T) {
	view := LookAtLH(Vec3{0, 0, -10}, Vec3{}, Vec3{0, 1, 0})
	for name, proj := range map[string]Mat4{
		"standard":         PerspectiveFovLH(math.Pi/2, 1, 1, 100, true),
		"reverse":          PerspectiveFovLHReverseZ(math.Pi/2, 1, 1, 100, true),
		"infinite reverse": PerspectiveInfiniteLHReverseZ(math.Pi/2, 1, 1, true),
	} {
		f := FrustumFromViewProj(proj.Mul(view))
		far := name == "infinite reverse" // what lies past z = 90 is still seen
		for _, c := range []struct {
			at   Vec3
			want bool
		}{
			{Vec3{0, 0, 0}, true},
			{Vec3{9.9, 0, 0}, true},
			{Vec3{10.1, 0, 0}, false},
			{Vec3{-10.1, 0, 0}, false},
			{Vec3{0, 10.1, 0}, false},
			{Vec3{0, -10.1, 0}, false},
			{Vec3{0, 0, -9.1}, false}, // nearer than the near plane
			{Vec3{0, 0, -11}, false},  // behind
			{Vec3{0, 0, 91}, far},
		} {
			if got := f.ContainsPoint(c.at); got != c.want {
				t.Errorf("%s: ContainsPoint(%v) = %v", name, c.at, got)
			}
			// A box and a sphere about the point that reach just over the edge are seen.
			half := Vec3{0.2, 0.2, 0.2}
			if c.want && !f.IntersectsAABB(AABB{c.at.Sub(half), c.at.Add(half)}) {
				t.Errorf("%s: box at %v is culled", name, c.at)
			}
			if c.want && !f.IntersectsSphere(Sphere{c.at, 0.2}) {
				t.Errorf("%s: sphere at %v is culled", name, c.at)
			}
		}
		if !f.IntersectsAABB(AABB{Vec3{10.05, -0.1, -0.1}, Vec3{12, 0.1, 0.1}}) {
			t.Errorf("%s: a box that reaches in is culled", name)
		}
		if f.IntersectsAABB(AABB{Vec3{12, -0.1, -0.1}, Vec3{13, 0.1, 0.1}}) {
			t.Errorf("%s: a box outside is kept", name)
		}
		if !f.IntersectsSphere(Sphere{Vec3{10.1, 0, 0}, 0.2}) || f.IntersectsSphere(Sphere{Vec3{12, 0, 0}, 0.2}) {
			t.Errorf("%s: sphere test is wrong", name)
		}
		if f.IntersectsAABB(EmptyAABB()) {
			t.Errorf("%s: the empty box is seen", name)
		}
	}
}

func BenchmarkMul(b *testing.B) {
	m, n := FromEuler(Vec3{1, 2, 3}), Compose(Vec3{1, 2, 3}, QuatFromEuler(Vec3{3, 2, 1}), Vec3{4, 5, 6})
	for b.Loop() {
		n = m.Mul(n)
	}
}

func BenchmarkInverse(b *testing.B) {
	m := Compose(Vec3{1, 2, 3}, QuatFromEuler(Vec3{3, 2, 1}), Vec3{4, 5, 6})
	for b.Loop() {
		m, _ = m.Inverse()
	}
}

func BenchmarkCompose(b *testing.B) {
	q := QuatFromEuler(Vec3{3, 2, 1})
	for b.Loop() {
		Compose(Vec3{1, 2, 3}, q, Vec3{4, 5, 6})
	}
}

func BenchmarkFrustumAABB(b *testing.B) {
	f := FrustumFromViewProj(PerspectiveFovLH(0.8, 1.5, 1, 100, true))
	box := AABB{Vec3{-1, -1, 4}, Vec3{1, 1, 6}}
	for b.Loop() {
		f.IntersectsAABB(box)
	}
}
