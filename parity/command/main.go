// Package command is the command line of parity over any catalogue: a program
// of three lines has every verb for its own scenes.
//
//	func main() { command.Main("judge", mine.Catalogue()) }
package command

import (
	"context"
	"os"
	"slices"

	"darkroom/parity"
	"darkroom/parity/bisect"
	"darkroom/parity/cli"
	"darkroom/scenes/catalogue"
)

// commands is the command line.
type commands struct {
	Run       runCmd       `cmd:"" help:"Render scenes and judge them against goldens."`
	Diff      diffCmd      `cmd:"" help:"Compare two PNG files."`
	Approve   approveCmd   `cmd:"" help:"Make today's pictures the goldens of this adapter."`
	Reference referenceCmd `cmd:"" help:"Have Babylon.js draw scenes and refresh the reference goldens."`
	Models    modelsCmd    `cmd:"" help:"Hold glTF files against Babylon.js's own loader."`
	Report    reportCmd    `cmd:"" help:"Rebuild the reports of a run from its journal."`
	Merge     mergeCmd     `cmd:"" help:"Join the JSON documents of all shards into one run."`
	Table     tableCmd     `cmd:"" help:"Print runs side by side as a Markdown table."`
	Limits    limitsCmd    `cmd:"" help:"Print the tolerance ledger and check it."`
	Bisect    bisectCmd    `cmd:"" help:"Find the commit, or the setting, that broke a scene."`
	Explain   explainCmd   `cmd:"" help:"Find the pass in which two adapters, revisions or a golden part."`
	Trace     traceCmd     `cmd:"" hidden:"" help:"Draw a scene and keep every target."`
	Minimise  minimiseCmd  `cmd:"" help:"Cut a scene down to what two adapters draw differently."`
	Scene     sceneCmd     `cmd:"" hidden:"" help:"Draw a scene to a file."`
	List      listCmd      `cmd:"" hidden:"" help:"List the scenes."`
	Draw      drawCmd      `cmd:"" hidden:"" help:"Draw parts of a scene for minimise."`
	Mutate    mutateCmd    `cmd:"" help:"Make faults on purpose and list which scenes notice."`
	Orphans   orphansCmd   `cmd:"" help:"List golden files that no scene uses."`
	Worker    workerCmd    `cmd:"" hidden:"" help:"Serve as a worker process."`
}

// FailedCode implements cli.Coder. To git bisect run, which asks the oracle, a
// plain failure would mean that the revision is bad.
func (*commands) FailedCode(args []string) int {
	if len(args) > 0 && args[0] == "bisect" && slices.Contains(args, "--oracle") {
		return bisect.OracleAbort
	}
	return cli.Failed
}

// Main runs the command line called name over a catalogue and does not return
// on an error. Exit codes: 0 all passed, 1 a picture differs, 2 something could
// not be judged.
func Main(name string, cat catalogue.Catalogue) {
	var c commands
	cli.Main(name, "Renders a catalogue of scenes and holds the pictures against goldens.\n\nExit codes: 0 all passed, 1 a picture differs, 2 something could not be judged.", &c, cat)
}

type workerCmd struct{}

// Run serves as a worker until standard input ends.
func (workerCmd) Run(ctx context.Context, cat catalogue.Catalogue) error {
	return parity.ServeWorker(ctx, cat, os.Stdin, os.Stdout)
}
