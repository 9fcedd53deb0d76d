package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"darkroom/goldens"
	"darkroom/parity/cli"
	"darkroom/parity/verdict"
	"darkroom/reports"
	"darkroom/scenes/files"
)

type tableCmd struct {
	Files   []string `arg:"" type:"path" help:"JSON documents of runs, a column each."`
	Out     string   `short:"o" help:"Write the table here; otherwise on standard output." type:"path"`
	Title   string   `help:"Text above the table."`
	Section string   `help:"Replace the section of --out that has this heading, or add it; the rest of the file stays."`
	Causes  string   `help:"Lines of scene, adapter and cause, apart by tabs: the table is followed by every miss with its cause, and a miss without one or a cause without a miss is an error." type:"path"`
	Keep    string   `help:"Also write the runs into this folder, reduced to what the table needs, as llvmpipe.json and the like." type:"path"`
	Check   bool     `help:"Write nothing; fail where --out is not what would be written."`
	Witness []string `help:"What parity reference --json wrote: the table is of runs against that engine's pictures, with its times. Given twice, the pictures of the two runs are compared, too." type:"path"`
}

// Run prints runs side by side.
func (c *tableCmd) Run(out *cli.Output) error {
	if c.Out != "" {
		if err := files.Target(c.Out, "--out"); err != nil {
			return err
		}
	} else if c.Check {
		return fmt.Errorf("--check needs --out, the file that is checked")
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
	if c.Causes != "" {
		data, err := os.ReadFile(c.Causes)
		if err != nil {
			return err
		}
		causes, err := reports.ParseCauses(string(data))
		if err != nil {
			return fmt.Errorf("%s: %w", c.Causes, err)
		}
		misses, err := reports.Misses(runs, causes)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Causes, err)
		}
		text += "\n" + misses
	}
	if c.Keep != "" {
		if err := c.keep(runs); err != nil {
			return err
		}
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
	if c.Check {
		was, err := os.ReadFile(c.Out)
		if err == nil && string(was) != text {
			err = fmt.Errorf("%s is not what these runs and causes give; write it anew, without --check", c.Out)
		}
		return err
	}
	return files.Write(c.Out, []byte(text))
}

// keep writes the runs, named after their adapters' classes.
func (c *tableCmd) keep(runs []*verdict.Run) error {
	for _, r := range runs {
		a := r.Adapter
		name := goldens.Adapter{Name: a.Name, Backend: a.Backend, Driver: a.Driver, Type: a.Type}.Class() + ".json"
		if err := reports.WriteJSON(filepath.Join(c.Keep, name), reports.Reduced(r)); err != nil {
			return err
		}
	}
	return nil
}
