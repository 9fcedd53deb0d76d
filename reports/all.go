package reports

import (
	"path/filepath"

	"darkroom/scenes/files"

	"darkroom/parity/verdict"
)

// The names of the files that WriteAll writes.
const (
	FileJSON     = "run.json"
	FileJUnit    = "junit.xml"
	FileMarkdown = "summary.md"
	FileHTML     = "index.html"
)

// WriteAll writes every report of a run into a folder. The JSON document comes first: the others can be made again from it.
func WriteAll(dir string, r *verdict.Run, o HTMLOptions) error {
	if err := WriteJSON(filepath.Join(dir, FileJSON), r); err != nil {
		return err
	}
	if o.Link == nil {
		o.Link = linkFrom(dir, o.Root)
	}
	if err := WriteJUnit(filepath.Join(dir, FileJUnit), r, o.Options); err != nil {
		return err
	}
	if err := files.Write(filepath.Join(dir, FileMarkdown), []byte(Markdown(r, o.Options, SummaryLimit))); err != nil {
		return err
	}
	return WriteHTML(filepath.Join(dir, FileHTML), r, o)
}
