package scenes

import "darkroom/scenes/linalg"

// LightKind is the kind of a light. The numbers are those of scene.wgsl.
type LightKind uint8

// Light kinds.
const (
	PointLight       LightKind = 0
	DirectionalLight LightKind = 1
	SpotLight        LightKind = 2
	HemisphericLight LightKind = 3
)

// Falloff says how a point or spot light weakens with distance.
type Falloff uint8

// Falloffs.
const (
	FalloffDefault  Falloff = iota // the material family's own
	FalloffPhysical                // inverse square
	FalloffGLTF                    // KHR_lights_punctual
	FalloffStandard                // linear to the range
)

// Light is a light of any kind.
type Light struct {
	Name     string
	Kind     LightKind
	Position linalg.Vec3
	// Direction is where the light shines; of a hemispheric light, where the sky is.
	Direction linalg.Vec3
	Diffuse   Color3
	Specular  Color3
	Ground    Color3  // hemispheric: the light from below
	Intensity float64 // a factor
	Range     float64 // scene units; zero means without end
	Angle     float64 // spot: the full cone in radians
	Inner     float64 // spot: the inner cone in radians, for the glTF falloff
	Exponent  float64 // spot: how fast the cone weakens to its edge
	Radius    float64
	Falloff   Falloff
	Off       bool
}

func newLight(name string, k LightKind) *Light {
	return &Light{Name: name, Kind: k, Diffuse: Color3{1, 1, 1}, Specular: Color3{1, 1, 1}, Intensity: 1, Radius: 0.00001}
}

// Hemispheric returns a light that comes from all sides, most from direction.
func Hemispheric(name string, direction linalg.Vec3) *Light {
	l := newLight(name, HemisphericLight)
	l.Direction = direction
	return l
}

// Directional returns a light that shines along direction from everywhere.
func Directional(name string, direction linalg.Vec3) *Light {
	l := newLight(name, DirectionalLight)
	l.Direction = direction
	return l
}

// Point returns a light that shines in all directions from position.
func Point(name string, position linalg.Vec3) *Light {
	l := newLight(name, PointLight)
	l.Position = position
	return l
}

// Spot returns a light cone of the given full angle in radians.
func Spot(name string, position, direction linalg.Vec3, angle, exponent float64) *Light {
	l := newLight(name, SpotLight)
	l.Position, l.Direction, l.Angle, l.Exponent = position, direction, angle, exponent
	return l
}
