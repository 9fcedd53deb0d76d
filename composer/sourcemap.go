package composer

// SourceMap tells, for each line of composed WGSL, where it came from.
type SourceMap []Origin

// Origin is the source of one line: a fragment's or the template's id, the
// slot or part, and the 1-based line in it.
type Origin struct {
	ID   string
	Part string
	Line int
	// Template says that ID is the template's.
	Template bool
}
