package viewer

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"darkroom/material"
	"darkroom/scenes"
	"darkroom/scenes/gltf"
	"darkroom/scenes/gltf/sample"
	"darkroom/scenes/linalg"
)

func column(t *testing.T) string {
	t.Helper()
	data, err := sample.Column()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "column.glb")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDefaults(t *testing.T) {
	path := column(t)
	dark, a, err := (&Stage{Camera: -1}).Show(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(dark.Lights) != 1 && !hasLight(dark) {
		t.Error("without an environment nothing lights the model")
	}
	if dark.ImageProcessing != (material.ImageProcessing{}) {
		t.Errorf("image processing %+v, want none", dark.ImageProcessing)
	}
	if want := (scenes.Color4{0x33 / 255.0, 0x33 / 255.0, 0x4d / 255.0, 1}); dark.Clear != want {
		t.Errorf("the background is %v, want %v", dark.Clear, want)
	}
	// The front of a model looks along +Z of the file, and the camera stands there:
	// in the mirrored world still at +Z.
	if eye := dark.Camera.Rig.Eye(); eye[2] < a.Bounds.Max[2] {
		t.Errorf("the camera stands at %v, the model reaches to %v", eye, a.Bounds.Max)
	}
	lit, _, err := (&Stage{Camera: -1, Environment: &material.Environment{}}).Show(path)
	if err != nil {
		t.Fatal(err)
	}
	if hasLight(lit) || len(lit.Lights) > 0 {
		t.Error("with an environment there is another light")
	}
	if want := (material.ImageProcessing{Exposure: 0.8, Contrast: 1.2, ToneMapping: material.ToneMapStandard}); lit.ImageProcessing != want {
		t.Errorf("image processing %+v, want %+v", lit.ImageProcessing, want)
	}
	own, _, err := (&Stage{Camera: -1, Environment: &material.Environment{}, Exposure: 2, Contrast: 1, ToneMapping: ToneMapOff}).Show(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := (material.ImageProcessing{Exposure: 2, Contrast: 1}); own.ImageProcessing != want {
		t.Errorf("image processing %+v, want %+v", own.ImageProcessing, want)
	}
}

func TestWhatCannotBeShown(t *testing.T) {
	path := column(t)
	for _, c := range []struct {
		stage Stage
		want  string
	}{
		{Stage{Camera: 0}, "there is no camera 0"},
		{Stage{Camera: -1, Animation: 7}, "no animation 7"},
		{Stage{Camera: -1, Variant: "x"}, "no variant"},
		{Stage{Camera: -1, Background: "ff00"}, "RRGGBB"},
		{Stage{Camera: -1, Background: BackgroundEnvironment}, "--env"},
	} {
		if _, _, err := c.stage.Show(path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want an error with %q", c.stage, err, c.want)
		}
	}
}

// The backdrop fills the view of any camera and is not cut by its planes.
func TestBackdropLiesBetweenThePlanes(t *testing.T) {
	for name, camera := range map[string]*scenes.Camera{
		"framed":       gltf.AutoFrame(linalg.AABB{Min: linalg.Vec3{-1, -2, -3}, Max: linalg.Vec3{1, 2, 3}}),
		"tiny":         gltf.AutoFrame(linalg.AABB{Min: linalg.Vec3{0, 0, 0}, Max: linalg.Vec3{1e-4, 1e-4, 1e-4}}),
		"huge":         gltf.AutoFrame(linalg.AABB{Min: linalg.Vec3{-1e6, 0, 0}, Max: linalg.Vec3{1e6, 1e6, 1e6}}),
		"without far":  {Near: 2, Rig: &scenes.Free{Position: linalg.Vec3{1, 2, 3}}},
		"short":        {Near: 1, Far: 3, Rig: &scenes.Free{}},
		"orthographic": {Near: 0.1, Far: 50, Ortho: &scenes.Ortho{Left: -30, Right: 30, Bottom: -5, Top: 5}, Rig: &scenes.Free{}},
	} {
		s := scenes.New("test")
		s.Camera = camera
		if err := addBackdrop(s, 0.3); err != nil {
			t.Fatal(err)
		}
		sky := s.Roots[0]
		if sky.Position != camera.Rig.Eye() {
			t.Errorf("%s: the box stands at %v, the camera at %v", name, sky.Position, camera.Rig.Eye())
		}
		var half linalg.Vec3
		for i, x := range sky.Mesh.Geometry.Positions {
			half[i%3] = max(half[i%3], math.Abs(float64(x)))
		}
		far := camera.Far
		if far == 0 {
			far = math.Inf(1)
		}
		if !(half[2] > camera.Near && half[2] < far) {
			t.Errorf("%s: its wall is %g away, the planes are %g and %g", name, half[2], camera.Near, camera.Far)
		}
		if o := camera.Ortho; o != nil && (half[0] <= o.Right || half[1] <= o.Top) {
			t.Errorf("%s: its half size is %v, the view's %g by %g", name, half, o.Right, o.Top)
		}
	}
}
