// Package verdict is the vocabulary of judgement: the one set of verdicts, the result of one scene, the document of one run, and the exit
// code that follows from it. The exit code of the command, the JSON document, the JUnit type, the ginkgo report entry and the HTML page all
// take their words from here, so that a scene cannot fail in one of them and pass in another.
//
// The package imports nothing of this module and touches no file, so any layer may speak it.
//
// # Exit codes
//
// The plain contract (Run.ExitCode), stable:
//
//	0  every scene of the run was judged and passed
//	1  a picture differs from its golden (mismatch, blank, non-finite)
//	2  something could not be judged (every other verdict, an empty run, a usage error)
//
// Where both 1 and 2 apply, 2 wins, as in diff(1): a run that is not complete has not shown what it was asked to show.
//
// The fine contract (Run.FineExitCode) gives each verdict its own code, from 10 to 22 (Verdict.Code), 30 for a flaky pass and 31 for a run in
// which nothing was judged; the worst one wins. The bisect contract (Run.BisectExitCode) is 0, 1 and 125, the last of which "git bisect run"
// takes as "skip this commit". No contract ever returns a code above 125, nor a count that could wrap to 0 at 256.
package verdict
