package catalogue

import (
	"archive/zip"
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io/fs"
	"math"

	"darkroom/material/shader"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/video"
)

// ownVideo shows an animated GIF, a Y4M file, a sequence of PNG files and a
// function of time, each on a screen of its own, at a time.
func ownVideo(at float64) *Entry {
	name := fmt.Sprintf("own-video-%gs", at)
	return &Entry{
		Name: name, Description: fmt.Sprintf("a GIF, a Y4M file, PNG files and a function as video on four screens, at %g s", at), Tags: []string{"own", "shader", "video"},
		Width: 640, Height: 360, Time: at, MaxMAD: 0.05, Source: "scenes/catalogue/own_video.go",
		Build: func(Assets) (*scenes.Scene, error) {
			b := &bench{Scene: scenes.New(name)}
			b.Camera = scenes.NewArcRotate("camera", -math.Pi/2.2, 1.45, 4.3, linalg.Vec3{}).Clip(0.1, 100)
			clip, err := video.ReadGIF(sampleGIF())
			if err != nil {
				return nil, err
			}
			clip.Loop = true
			data := sampleY4M()
			raw, err := video.OpenY4M(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				return nil, err
			}
			frames, err := samplePNGs()
			if err != nil {
				return nil, err
			}
			still, err := video.OpenPNGs(frames, "frames/*.png", 1)
			if err != nil {
				return nil, err
			}
			ramp := shader.FrameFunc{Width: 8, Height: 4, Func: func(t float64) ([]byte, error) {
				pix := make([]byte, 0, 8*4*4)
				for i := range 8 * 4 {
					pix = append(pix, byte(i%8*36), byte(i/8*85), byte(255*t/2), 255)
				}
				return pix, nil
			}}
			for i, src := range []shader.FrameSource{clip, raw, still, ramp} {
				x, err := shader.NewExternal(fmt.Sprint("screen ", i), src)
				if err != nil {
					return nil, err
				}
				m := b.shader(shader.Options{
					Name: "screen", Attributes: []string{"position", "uv"}, System: []shader.System{shader.WorldViewProjection}, Externals: []string{"video"}, TwoSided: true,
					Vertex: uvVertex,
					Fragment: uvStruct + `@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    // A margin shows that the edges are clamped; a picture's first row is the top.
    let at = (vec2<f32>(input.uv.x, 1.0 - input.uv.y) - 0.5) * 1.1 + 0.5;
    return textureSampleBaseClampToEdge(video, videoSampler, at);
}`,
				})
				if b.err != nil {
					return nil, b.err
				}
				if err := m.SetExternal("video", x); err != nil {
					return nil, err
				}
				b.put(fmt.Sprint("screen ", i), m, 1.15*float64(2*(i%2)-1), 0.85*float64(1-i/2*2), 0)(mesh.CreatePlane(mesh.PlaneOptions{Width: 2.1, Height: 1.5}))
			}
			return b.Scene, b.err
		},
	}
}

// sampleGIF is an animation of four frames of half a second: a board, then a
// bar that wanders over it and leaves it as it was.
func sampleGIF() []byte {
	p := color.Palette{color.NRGBA{}, color.NRGBA{30, 60, 90, 255}, color.NRGBA{240, 200, 40, 255}, color.NRGBA{200, 60, 60, 255}}
	g := &gif.GIF{Config: image.Config{Width: 16, Height: 12, ColorModel: p}}
	for i := range 4 {
		r := image.Rect(0, 0, 16, 12)
		if i > 0 {
			r = image.Rect(5*i-3, 0, 5*i+1, 12)
		}
		m := image.NewPaletted(r, p)
		for y := range 12 {
			for x := r.Min.X; x < r.Max.X; x++ {
				c := uint8(1 + (x/2+y/2)%2*2)
				if i > 0 {
					c = 2
				}
				m.SetColorIndex(x, y, c)
			}
		}
		g.Image, g.Delay, g.Disposal = append(g.Image, m), append(g.Delay, 50), append(g.Disposal, gif.DisposalPrevious)
	}
	g.Disposal[0] = gif.DisposalNone
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		return nil // the reader says that it is empty
	}
	return b.Bytes()
}

// sampleY4M is a 4:2:0 video of three frames, one a second, whose chroma turns.
func sampleY4M() []byte {
	var b bytes.Buffer
	b.WriteString("YUV4MPEG2 W16 H12 F1:1 Ip A1:1 C420jpeg\n")
	for i := range 3 {
		b.WriteString("FRAME\n")
		for y := range 12 {
			for x := range 16 {
				b.WriteByte(byte(60 + x*8 + y*4))
			}
		}
		for plane := range 2 {
			for y := range 6 {
				for x := range 8 {
					b.WriteByte(byte(128 + 90*math.Cos(float64(i)*2+float64(plane)*1.5+float64(x+y)/6)))
				}
			}
		}
	}
	return b.Bytes()
}

// samplePNGs are three pictures, one a second: a disc that sinks, with a soft
// edge. Their numbers do not sort as text.
func samplePNGs() (fs.FS, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i, name := range []string{"frames/8.png", "frames/9.png", "frames/10.png"} {
		m := image.NewNRGBA(image.Rect(0, 0, 24, 18))
		for y := range 18 {
			for x := range 24 {
				d := math.Hypot(float64(x)-11.5, float64(y)-4-4.5*float64(i))
				in := uint8(255 * min(1, max(0, (6-d)/3)))
				m.SetNRGBA(x, y, color.NRGBA{in, 80 + in/2, uint8(10 * x), 255})
			}
		}
		f, err := w.Create(name)
		if err != nil {
			return nil, err
		}
		if err := png.Encode(f, m); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
}
