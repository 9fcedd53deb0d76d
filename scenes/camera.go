package scenes

import (
	"fmt"
	"math"

	"darkroom/scenes/linalg"
)

// Camera looks at the scene. Its pose comes from a rig.
type Camera struct {
	Name string
	Rig  Rig
	// FOV is the vertical field of view in radians; zero means 0.8. Horizontal
	// makes it the horizontal one.
	FOV        float64
	Horizontal bool
	Near, Far  float64 // scene units; Far 0 means infinitely far
	// Ortho, where set, makes the projection orthographic.
	Ortho *Ortho
	// Viewport is the part of the target that the camera draws to; zero means all.
	Viewport Viewport
	// Layers the camera sees; zero means all.
	Layers uint32
}

// Ortho are the bounds of an orthographic view in scene units. A zero Right
// keeps the target's aspect ratio from Top and Bottom.
type Ortho struct{ Left, Right, Bottom, Top float64 }

// Viewport is a rectangle in fractions of the target, origin at the lower left
// as in the reference engine.
type Viewport struct{ X, Y, Width, Height float64 }

// Rig gives a camera its place and direction.
type Rig interface {
	// Eye is the camera's position.
	Eye() linalg.Vec3
	// View is the world-to-camera matrix, left-handed.
	View() linalg.Mat4
}

// ArcRotate orbits a target.
type ArcRotate struct {
	Alpha, Beta float64 // longitude and latitude in radians
	Radius      float64
	Target      linalg.Vec3
	Up          linalg.Vec3 // zero means +Y
}

// Eye implements Rig.
func (a *ArcRotate) Eye() linalg.Vec3 {
	// Babylon.js ArcRotateCamera: beta 0 is bent away from the pole.
	sinB := math.Sin(a.Beta)
	if sinB == 0 {
		sinB = 0.0001
	}
	return linalg.Vec3{
		a.Target[0] + a.Radius*math.Cos(a.Alpha)*sinB,
		a.Target[1] + a.Radius*math.Cos(a.Beta),
		a.Target[2] + a.Radius*math.Sin(a.Alpha)*sinB,
	}
}

// View implements Rig.
func (a *ArcRotate) View() linalg.Mat4 {
	return linalg.LookAtLH(a.Eye(), a.Target, upOr(a.Up))
}

func upOr(up linalg.Vec3) linalg.Vec3 {
	if up == (linalg.Vec3{}) {
		return linalg.Vec3{0, 1, 0}
	}
	return up
}

// Free stands at Position and looks along its rotation, or at Target where set.
type Free struct {
	Position linalg.Vec3
	Rotation linalg.Vec3 // pitch (x), yaw (y), roll (z) in radians
	Target   *linalg.Vec3
	Up       linalg.Vec3
}

// Eye implements Rig.
func (f *Free) Eye() linalg.Vec3 { return f.Position }

// View implements Rig.
func (f *Free) View() linalg.Mat4 {
	if f.Target != nil {
		return linalg.LookAtLH(f.Position, *f.Target, upOr(f.Up))
	}
	r := linalg.FromEuler(f.Rotation)
	dir := r.TransformNormal(linalg.Vec3{0, 0, 1})
	up := r.TransformNormal(upOr(f.Up))
	return linalg.LookAtLH(f.Position, f.Position.Add(dir), up)
}

// Fixed has its view matrix given, for example by a glTF camera node.
type Fixed struct {
	World linalg.Mat4 // camera-to-world, the camera looking along +Z
}

// Eye implements Rig.
func (f *Fixed) Eye() linalg.Vec3 { return linalg.Vec3{f.World[12], f.World[13], f.World[14]} }

// View implements Rig.
func (f *Fixed) View() linalg.Mat4 {
	inv, ok := f.World.Inverse()
	if !ok {
		return linalg.Identity()
	}
	return inv
}

// NewArcRotate returns an orbiting camera with the composer scenes' defaults:
// field of view 0.8, near 0.1, far 1000.
func NewArcRotate(name string, alpha, beta, radius float64, target linalg.Vec3) *Camera {
	return &Camera{Name: name, Rig: &ArcRotate{Alpha: alpha, Beta: beta, Radius: radius, Target: target}, FOV: 0.8, Near: 0.1, Far: 1000}
}

// NewFree returns a free camera that looks along +Z: near 1, far 10000.
func NewFree(name string, position linalg.Vec3) *Camera {
	return &Camera{Name: name, Rig: &Free{Position: position}, FOV: 0.8, Near: 1, Far: 10000}
}

// Clip sets the near and far plane and returns c.
func (c *Camera) Clip(near, far float64) *Camera { c.Near, c.Far = near, far; return c }

// Projection is the camera's projection for a target of the given aspect
// ratio (width / height), with clip Z 0…1; reverse swaps near and far.
func (c *Camera) Projection(aspect float64, reverse bool) (linalg.Mat4, error) {
	if c.Ortho != nil {
		o := *c.Ortho
		if o.Right == 0 && o.Left == 0 {
			o.Right = o.Top * aspect
			o.Left = o.Bottom * aspect
		}
		if !(o.Right != o.Left && o.Top != o.Bottom && c.Far > c.Near) {
			return linalg.Mat4{}, fmt.Errorf("camera %s: the orthographic bounds %+v with near %g and far %g are empty", c.Name, o, c.Near, c.Far)
		}
		if reverse {
			return linalg.OrthoOffCenterLHReverseZ(o.Left, o.Right, o.Bottom, o.Top, c.Near, c.Far, true), nil
		}
		return linalg.OrthoOffCenterLH(o.Left, o.Right, o.Bottom, o.Top, c.Near, c.Far, true), nil
	}
	fov := c.FOV
	if fov == 0 {
		fov = 0.8
	}
	if c.Horizontal {
		fov = 2 * math.Atan(math.Tan(fov/2)/aspect)
	}
	if !(fov > 0 && fov < math.Pi && c.Near > 0 && (c.Far == 0 || c.Far > c.Near)) {
		return linalg.Mat4{}, fmt.Errorf("camera %s: a field of view of %g rad with near %g and far %g is no projection; want 0 < fov < pi and 0 < near < far", c.Name, fov, c.Near, c.Far)
	}
	if reverse {
		return linalg.PerspectiveFovLHReverseZ(fov, aspect, c.Near, c.Far, true), nil
	}
	return linalg.PerspectiveFovLH(fov, aspect, c.Near, c.Far, true), nil
}

// Geospatial looks at a point of a globe about the origin whose north pole is +Z.
type Geospatial struct {
	Center linalg.Vec3 // on the globe
	Radius float64     // distance from Center
	// Yaw is clockwise from north, Pitch from straight down to the horizon, radians.
	Yaw, Pitch float64
}

// axes are the line of sight and the upward direction.
func (g *Geospatial) axes() (look, up linalg.Vec3) {
	radial := g.Center.Normalize()
	east := radial.Cross(linalg.Vec3{0, 0, 1})
	if east.Dot(east) < 1e-7 {
		east = radial.Cross(linalg.Vec3{1, 0, 0}) // at a pole
	}
	east = east.Normalize()
	north := east.Cross(radial).Normalize()
	ahead := north.Scale(math.Cos(g.Yaw)).Add(east.Scale(math.Sin(g.Yaw)))
	look = ahead.Scale(math.Sin(g.Pitch)).Sub(radial.Scale(math.Cos(g.Pitch))).Normalize()
	right := radial.Cross(look)
	if right.Dot(right) < 1e-7 {
		right = ahead.Cross(look) // straight down
	}
	return look, look.Cross(right.Normalize()).Normalize()
}

// Eye implements Rig.
func (g *Geospatial) Eye() linalg.Vec3 {
	look, _ := g.axes()
	return g.Center.Sub(look.Scale(g.Radius))
}

// View implements Rig.
func (g *Geospatial) View() linalg.Mat4 {
	look, up := g.axes()
	eye := g.Eye()
	return linalg.LookAtLH(eye, eye.Add(look), up)
}
