package specs

import (
	"bytes"
	"context"
	"errors"
	"os"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"darkroom/renderer"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/export"
)

// A scene that was written as a document and read back draws the same picture,
// bit for bit. What is refused is refused with a sentence.
var _ = Describe("round trip", func() {
	var r *renderer.Renderer
	BeforeEach(func() {
		if r == nil {
			var err error
			r, err = renderer.Open(renderer.Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
			Expect(err).NotTo(HaveOccurred())
		}
	})
	for _, e := range catalogue.All() {
		It(e.Name, Label(e.Tags...), func(ctx context.Context) {
			s, err := e.Build(assets())
			if errors.Is(err, catalogue.ErrNoAsset) && os.Getenv("CI") == "" {
				Skip(err.Error())
			}
			Expect(err).NotTo(HaveOccurred())
			dir := GinkgoT().TempDir()
			err = export.Write(dir, &export.Picture{Scene: s, Width: e.Width, Height: e.Height, Time: e.Time})
			if errors.Is(err, export.ErrRefused) {
				AddReportEntry("refused", err.Error(), ReportEntryVisibilityFailureOrVerbose)
				return
			}
			Expect(err).NotTo(HaveOccurred())
			back, err := export.Read(dir)
			Expect(err).NotTo(HaveOccurred())
			draw := func(s *scenes.Scene, time float64) []byte {
				s.Frames = min(s.Frames, 8) // a gathered picture differs after a few, too
				f, err := r.Render(ctx, s, renderer.Settings{Width: e.Width, Height: e.Height, Time: time})
				Expect(err).NotTo(HaveOccurred())
				return f.Pix
			}
			was := draw(s, e.Time)
			is := draw(back.Scene, back.Time)
			Expect(bytes.Equal(was, is)).To(BeTrue(), "the picture of the scene that came back is another")
		}, NodeTimeout(2*time.Minute))
	}
})
