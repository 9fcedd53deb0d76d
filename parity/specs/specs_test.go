// Package specs is the catalogue as ginkgo specs: every scene against the
// project's own goldens, and against the reference suite's where it is on
// this machine.
package specs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"darkroom/parity"
	"darkroom/renderer"
	"darkroom/scenes/catalogue"
)

func TestSpecs(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "catalogue")
}

// The adapter is printed and its absence is a failure, never a skip.
var _ = BeforeSuite(func() {
	r, err := renderer.Open(renderer.Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
	Expect(err).NotTo(HaveOccurred())
	GinkgoWriter.Println("adapter:", r.Adapter())
	r.Close()
})

// shared is the folder of third-party material beside the checkout, if any.
func shared() string {
	dir, _ := os.Getwd()
	for range 6 {
		dir = filepath.Dir(dir)
		if p := filepath.Join(dir, "shared", "babylon"); isDir(p) {
			return filepath.Dir(p)
		}
	}
	return ""
}

func isDir(p string) bool {
	st, err := os.Stat(p)
	return err == nil && st.IsDir()
}

func assets() catalogue.Assets {
	if a := os.Getenv("DARKROOM_ASSETS"); a != "" {
		return strings.Split(a, ":")
	}
	if s := shared(); s != "" {
		return catalogue.Assets{filepath.Join(s, "babylon", "assets"), filepath.Join(s, "assets")}
	}
	return nil
}

func pictures() string {
	if p := os.Getenv("DARKROOM_PICTURES"); p != "" {
		return p
	}
	return filepath.Join(os.TempDir(), "darkroom-pictures")
}

var _ = parity.Suite("own goldens", catalogue.All(), parity.Judging{
	Goldens: "../../goldens", Assets: assets(), Pictures: filepath.Join(pictures(), "own"), Adapter: os.Getenv("DARKROOM_ADAPTER"), Census: true,
})

// The reference suite's own pictures, drawn by Babylon.js on a desktop GPU.
var _ = Describe("reference", Label("shared"), func() {
	root := filepath.Join(shared(), "babylon", "goldens")
	if !isDir(root) {
		It("has its pictures", func() {
			if os.Getenv("CI") != "" {
				Fail("the reference pictures are not on this machine; put them in ../shared/babylon/goldens")
			}
			Skip("the reference pictures are not on this machine")
		})
		return
	}
	var withGolden catalogue.Catalogue
	for _, e := range catalogue.All() {
		if _, err := os.Stat(filepath.Join(root, e.Name+".png")); err == nil {
			withGolden = append(withGolden, e)
		}
	}
	parity.Suite("Babylon.js on a GPU", withGolden, parity.Judging{
		Goldens: root, Assets: assets(), Pictures: filepath.Join(pictures(), "reference"), Adapter: os.Getenv("DARKROOM_ADAPTER"),
	})
})
