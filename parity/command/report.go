package command

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"darkroom/scenes/files"

	"darkroom/parity/cli"
	"darkroom/parity/verdict"
	"darkroom/reports"
)

// reportFiles are the files of a report folder.
var reportFiles = []string{"journal.jsonl", "run.json", "junit.xml", "summary.md", "index.html"}

// writeReports writes every report of a run into dir: the page, the JSON
// document, JUnit and a Markdown summary; on GitHub the summary and the
// annotations go where it shows them. A history file gives the measures of
// earlier runs and takes this run's.
func writeReports(out *cli.Output, dir, history string, run *verdict.Run, policy verdict.Policy) error {
	if history != "" {
		h, err := reports.LoadHistory(history)
		if err != nil {
			return err
		}
		h.Fill(run)
		h.Add(run)
		if err := h.Save(history); err != nil {
			return err
		}
	}
	o := reports.Options{Title: "darkroom parity", Policy: policy}
	if err := reports.WriteJSON(filepath.Join(dir, "run.json"), run); err != nil {
		return err
	}
	if err := reports.WriteJUnit(filepath.Join(dir, "junit.xml"), run, o); err != nil {
		return err
	}
	if err := files.Write(filepath.Join(dir, "summary.md"), []byte(reports.Markdown(run, o, reports.SummaryLimit))); err != nil {
		return err
	}
	if summary := os.Getenv("GITHUB_STEP_SUMMARY"); summary != "" {
		f, err := os.OpenFile(summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return fmt.Errorf("the job summary cannot be written: %w", err)
		}
		defer f.Close()
		if _, err := f.WriteString(reports.Markdown(run, o, reports.SummaryLimit)); err != nil {
			return err
		}
	}
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		fmt.Fprint(out, reports.Annotations(run, o))
	}
	return reports.WriteHTML(filepath.Join(dir, "index.html"), run, reports.HTMLOptions{Options: o})
}

// binding is the name and version of the WebGPU binding in this program.
func binding() string {
	const module = "github.com/cogentcore/webgpu"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == module {
				return d.Path + " " + d.Version
			}
		}
	}
	return module
}
