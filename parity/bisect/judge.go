package bisect

import (
	"fmt"
	"image"

	"darkroom/goldens/png"
	"darkroom/parity/metrics"
)

// judge holds pictures against a reference.
type judge struct {
	reference string // file
	limits    metrics.Limits
	own       bool // the revision's own MAD limit replaces ours
	img       image.Image
}

func (j *judge) load() error {
	if j.img != nil {
		return nil
	}
	img, _, err := png.Read(j.reference, png.Caps{})
	if err != nil {
		return err
	}
	j.img = img
	return nil
}

// judge returns whether the picture in file passes, its MAD, the MAD limit, and why it does not pass.
func (j *judge) judge(file string, shot Shot) (ok bool, mad, limit float64, reason string, err error) {
	if err := j.load(); err != nil {
		return false, 0, 0, "", err
	}
	img, _, err := png.Read(file, png.Caps{})
	if err != nil {
		return false, 0, 0, "", &outcome{ErrDraw, fmt.Sprintf("its picture cannot be read: %v", err)}
	}
	l := j.limits
	if j.own && shot.Limit >= 0 {
		l = l.With(metrics.Limits{metrics.MAD: shot.Limit})
	}
	m, err := metrics.Measure(j.img, img, metrics.Options{})
	if err != nil {
		// Another size is a difference, not a picture that cannot be judged.
		return false, 255, l[metrics.MAD], fmt.Sprintf("another size than the reference: %v", err), nil
	}
	g := metrics.Gate(l, m)
	return g.OK, m.MAD, l[metrics.MAD], g.Reason, nil
}
