package bisect

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"strings"

	"darkroom/scenes/files"

	"darkroom/goldens/png"
	"darkroom/parity/metrics"
)

//go:embed film.html
var filmPage string

// FilmOptions for WriteFilm. The zero value is useful.
type FilmOptions struct {
	// Width is that of the small pictures in pixels; zero means 480.
	Width int
}

// filmFrame is a revision, or a setting, of the strip.
type filmFrame struct {
	Class, Status, Name, Subject, Date, Reason, MAD, Cost string
	Picture, Diff                                         template.URL
}

type filmCulprit struct{ Name, Subject, Author, Date, Stat string }

type filmData struct {
	Title, Headline, Facts string
	Culprit                *filmCulprit
	Notes                  []string
	Frames                 []filmFrame
}

// WriteFilm writes the film strip of a search: one HTML file that holds picture,
// MAD and difference of every revision that was tested.
func WriteFilm(path string, r *Result, o FilmOptions) error {
	d := filmData{
		Title: "bisect: " + r.Scene, Notes: r.Notes,
		Facts: fmt.Sprintf("%d commits between %s (good) and %s (bad) · %d steps, %d skipped · %d builds, %d renders", r.Range, short(r.Good), short(r.Bad), r.Steps, r.Skipped, r.Builds, r.Renders),
	}
	if r.First != "" {
		d.Headline = "first bad commit: " + short(r.First)
		d.Culprit = &filmCulprit{r.First, r.Subject, r.Author, r.Date, r.Stat}
	} else {
		var names []string
		for _, s := range r.Suspects {
			names = append(names, short(s))
		}
		d.Headline = "the first bad commit is one of " + strings.Join(names, ", ")
	}
	for _, v := range r.Tested {
		f, err := frame(r.Reference, v, o)
		if err != nil {
			return err
		}
		if v.Commit == r.First {
			f.Class += " first"
		}
		d.Frames = append(d.Frames, f)
	}
	return writeFilm(path, d)
}

func writeFilm(path string, d filmData) error {
	t, err := template.New("film").Parse(filmPage)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, d); err != nil {
		return err
	}
	return files.Write(path, b.Bytes())
}

// WriteJSON writes the result of a search as JSON.
func WriteJSON(path string, result any) error {
	b, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return err
	}
	return files.Write(path, append(b, '\n'))
}

func frame(reference string, v Verdict, o FilmOptions) (filmFrame, error) {
	f := filmFrame{Class: string(v.Status), Status: string(v.Status), Name: short(v.Commit), Subject: v.Subject, Date: v.Date, Reason: v.Reason, MAD: fmt.Sprintf("%.5f of %g", v.MAD, v.Limit), Cost: v.Cost()}
	if v.Picture == "" {
		return f, nil
	}
	img, _, err := png.Read(v.Picture, png.Caps{})
	if err != nil {
		f.Reason = "its picture left the cache"
		return f, nil
	}
	ref, _, err := png.Read(reference, png.Caps{})
	if err != nil {
		return f, err
	}
	if f.Picture, err = thumbnail(img, o.Width, false); err != nil {
		return f, err
	}
	if v.MAD > 0 || v.Status == Bad {
		if heat, err := metrics.Heat(ref, img, 0); err == nil { // other sizes have no difference picture
			if f.Diff, err = thumbnail(heat, o.Width, true); err != nil {
				return f, err
			}
		}
	}
	return f, nil
}

// thumbnail is a picture of at most the given width as a data URL. Of a
// difference the brightest pixel of a box is kept, so that single pixels stay
// visible; of a picture the mean.
func thumbnail(m image.Image, width int, brightest bool) (template.URL, error) {
	if width == 0 {
		width = 480
	}
	b := m.Bounds()
	step := max(1, (b.Dx()+width-1)/width)
	out := image.NewNRGBA(image.Rect(0, 0, (b.Dx()+step-1)/step, (b.Dy()+step-1)/step))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			var best color.NRGBA
			var sum [3]int
			most, n := -1, 0
			for j := y * step; j < min(b.Dy(), (y+1)*step); j++ {
				for i := x * step; i < min(b.Dx(), (x+1)*step); i++ {
					c := color.NRGBAModel.Convert(m.At(b.Min.X+i, b.Min.Y+j)).(color.NRGBA)
					sum[0], sum[1], sum[2], n = sum[0]+int(c.R), sum[1]+int(c.G), sum[2]+int(c.B), n+1
					if s := int(c.R) + int(c.G) + int(c.B); s > most {
						best, most = c, s
					}
				}
			}
			if !brightest {
				best = color.NRGBA{R: uint8(sum[0] / n), G: uint8(sum[1] / n), B: uint8(sum[2] / n)}
			}
			best.A = 255
			out.SetNRGBA(x, y, best)
		}
	}
	var buf bytes.Buffer
	if err := png.Encode(&buf, out, png.Options{}); err != nil {
		return "", err
	}
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(buf.Bytes())), nil
}
