package command

import (
	"errors"
	"fmt"
	"os"

	"darkroom/goldens/png"
	"darkroom/parity/cli"
	"darkroom/reports"
	"darkroom/scenes/files"
)

type tableCmd struct {
	Files   []string `arg:"" type:"path" help:"JSON documents of runs, a column each."`
	Out     string   `short:"o" help:"Write the table here; otherwise on standard output." type:"path"`
	Title   string   `help:"Text above the table."`
	Section string   `help:"Replace the section of --out that has this heading, or add it; the rest of the file stays."`
	Witness []string `help:"What parity reference --json wrote: the table is of runs against that engine's pictures, with its times. Given twice, the pictures of the two runs are compared, too." type:"path"`
}

// Run prints runs side by side.
func (c *tableCmd) Run(out *cli.Output) error {
	if c.Out != "" {
		if err := files.Target(c.Out, "--out"); err != nil {
			return err
		}
	} else if c.Section != "" {
		return fmt.Errorf("--section needs --out, the file whose section it is")
	}
	runs, err := readRuns(c.Files)
	if err != nil {
		return err
	}
	text := ""
	if len(c.Witness) == 0 {
		text = reports.Table(runs)
	} else {
		if len(c.Witness) > 2 {
			return fmt.Errorf("--witness takes one or two documents, there are %d", len(c.Witness))
		}
		var w [2]*reports.Witness
		for i, path := range c.Witness {
			if w[i], err = reports.ReadWitness(path); err != nil {
				return err
			}
		}
		text = reports.WitnessTable(w[0], w[1], runs)
	}
	if c.Title != "" {
		text = c.Title + "\n\n" + text
	}
	if c.Out == "" {
		fmt.Fprint(out, text)
		return nil
	}
	if c.Section != "" {
		was, err := os.ReadFile(c.Out)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		text = reports.Section(string(was), c.Section, text)
	}
	return png.WriteFile(c.Out, []byte(text))
}
