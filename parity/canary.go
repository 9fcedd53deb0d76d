package parity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"path/filepath"
	"sort"
	"strings"

	"darkroom/goldens/picture"
	"darkroom/parity/verdict"
	"darkroom/renderer"
	"darkroom/scenes"
	"darkroom/scenes/canary"
	"darkroom/scenes/files"
)

// The canary is a tiny set of scenes that never change. Their digests are
// recorded for each adapter with its driver; where they differ from the
// record, the driver or the adapter changed, not the code under test.

// canaryFile is the record in the golden store: adapter key to scene to digest.
const canaryFile = "canary.json"

type canaryRecord map[string]map[string]string

func readCanary(root string) (canaryRecord, error) {
	b, err := files.Read(filepath.Join(root, canaryFile), 64<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return canaryRecord{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("canary: %w", err)
	}
	rec := canaryRecord{}
	if err := json.Unmarshal(b, &rec); err != nil {
		return nil, fmt.Errorf("canary: %s is not JSON: %w; remove it and approve again", canaryFile, err)
	}
	return rec, nil
}

// drawCanary draws the set and returns a digest a scene.
func (j *Judge) drawCanary(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	list, err := canary.Scenes()
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		d, err := j.digest(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("canary: %w", err)
		}
		out[s.Name] = d
	}
	return out, nil
}

func (j *Judge) digest(ctx context.Context, s *scenes.Scene) (string, error) {
	f, err := j.r.Render(ctx, s, renderer.Settings{Width: canary.Size, Height: canary.Size})
	if err != nil {
		return "", err
	}
	return picture.Digest(&image.NRGBA{Pix: f.Pix, Stride: f.Width * 4, Rect: image.Rect(0, 0, f.Width, f.Height)})
}

// Canary draws the canary set and holds it against the adapter's record.
func (j *Judge) Canary(ctx context.Context) (*verdict.Canary, error) {
	rec, err := readCanary(j.Goldens)
	if err != nil {
		return nil, err
	}
	now, err := j.drawCanary(ctx)
	if err != nil {
		return nil, err
	}
	key := j.key().Exact()
	c := &verdict.Canary{Scenes: len(now), OK: true, Key: key, Digests: now}
	was, known := rec[key]
	if !known {
		c.Text = "this adapter with this driver (" + key + ") has no canary record yet; parity approve makes one"
		return c, nil
	}
	var changed []string
	for name, digest := range now {
		if was[name] != digest {
			changed = append(changed, name)
		}
	}
	if len(changed) > 0 {
		sort.Strings(changed)
		c.OK = false
		c.Text = "driver or adapter changed, not the code: the canary draws " + strings.Join(changed, ", ") + " otherwise than recorded"
	}
	return c, nil
}

// RecordCanary writes what a run's canary drew into the record of a store.
func RecordCanary(root string, c *verdict.Canary) error {
	if c == nil || c.Key == "" || len(c.Digests) == 0 {
		return fmt.Errorf("canary: the run drew none, so there is nothing to record for its adapter; run again with this program")
	}
	rec, err := readCanary(root)
	if err != nil {
		return err
	}
	rec[c.Key] = c.Digests
	b, err := json.MarshalIndent(rec, "", "  ")
	if err != nil {
		return err
	}
	return files.Write(filepath.Join(root, canaryFile), append(b, '\n'))
}
