package plugin

import (
	"testing"

	"darkroom/material/internal/promises"
)

func TestTableOfPromises(t *testing.T) {
	promises.Check(t, 40, ".", "../../renderer", "../../scenes/plugins", "../../cmd/render")
}
