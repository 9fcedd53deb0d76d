package reports

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// browser runs browser/page.mjs on a page. It needs node, a Chromium and the packages of browser/package-lock.json, which it installs itself where CI
// or DARKROOM_BROWSER is set. Where something is missing it skips, or fails when DARKROOM_BROWSER is set. REPORT_SHOTS names a folder for
// screenshots.
func browser(t *testing.T, page, mode string) map[string]float64 {
	t.Helper()
	must := os.Getenv("DARKROOM_BROWSER") != ""
	missing := func(what string) {
		t.Helper()
		if must {
			t.Fatalf("%s is missing, and DARKROOM_BROWSER is set", what)
		}
		t.Skipf("%s is missing; with DARKROOM_BROWSER=1 this is an error", what)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		missing("node")
	}
	chromium := os.Getenv("CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil && chromium == "" {
			chromium = p
		}
	}
	if chromium == "" {
		missing("chromium")
	}
	if _, err := os.Stat("browser/node_modules/playwright-core"); err != nil {
		if !must && os.Getenv("CI") == "" {
			missing("browser/node_modules (npm ci)")
		}
		cmd := exec.Command("npm", "ci", "--no-audit", "--no-fund")
		cmd.Dir = "browser"
		if out, err := cmd.CombinedOutput(); err != nil {
			missing(fmt.Sprintf("what npm ci installs (%v: %s)", err, out))
		}
	}
	args := []string{"page.mjs", page}
	if dir := os.Getenv("REPORT_SHOTS"); dir != "" {
		args = append(args, dir)
	}
	cmd := exec.Command(node, args...)
	cmd.Dir = "browser"
	cmd.Env = append(os.Environ(), "CHROMIUM="+chromium, "REPORT_MODE="+mode)
	out, err := cmd.Output()
	if err != nil {
		text := ""
		if e, ok := err.(*exec.ExitError); ok {
			text = string(e.Stderr)
		}
		t.Fatalf("%v\n%s%s", err, out, text)
	}
	t.Logf("%s", out)
	var m map[string]float64
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestBrowserUsesThePage(t *testing.T) {
	dir := t.TempDir()
	r := fixture(t, dir, 24, 320, 180)
	path := filepath.Join(dir, "report.html")
	if err := WriteHTML(path, r, HTMLOptions{Options: Options{Root: dir}}); err != nil {
		t.Fatal(err)
	}
	browser(t, path, "full")
}

// A thousand results with as many pictures in the page as it takes. How long the page takes to be usable is logged; it is an error only where it was
// asked for with DARKROOM_BROWSER, as a busy machine says nothing about the page.
func TestBrowserOpensAThousandResults(t *testing.T) {
	if testing.Short() {
		t.Skip("makes two thousand pictures")
	}
	dir := t.TempDir()
	r := fixture(t, dir, 1000, 640, 360)
	path := filepath.Join(dir, "report.html")
	if err := WriteHTML(path, r, HTMLOptions{Options: Options{Root: dir}}); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	m := browser(t, path, "speed")
	t.Logf("%d MB: usable after %.0f ms, loaded after %.0f ms", st.Size()>>20, m["usable_ms"], m["load_ms"])
	if m["cards"] != 1000 {
		t.Errorf("%.0f cards", m["cards"])
	}
	if m["usable_ms"] > 2000 && os.Getenv("DARKROOM_BROWSER") != "" {
		t.Errorf("usable after %.0f ms", m["usable_ms"])
	}
}
