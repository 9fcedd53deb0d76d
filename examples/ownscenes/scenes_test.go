package ownscenes

import (
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"darkroom/parity"
)

func TestScenes(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "own scenes")
}

// One spec a scene. Run with
//
//	go test ./...              all of them
//	ginkgo -p --label-filter example
//
// and bless a picture that you have looked at with
//
//	go run ./cmd/judge approve two-rings --yes
var _ = parity.Suite("own scenes", Catalogue(), parity.Judging{Goldens: "goldens", Pictures: filepath.Join(os.TempDir(), "ownscenes"), Adapter: os.Getenv("DARKROOM_ADAPTER")})
