package composer

import "strconv"

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

// source names what the line comes from, without the line: `fragment "skin"`.
func (o Origin) source() string {
	if o.Template {
		return "template " + strconv.Quote(o.ID)
	}
	return "fragment " + strconv.Quote(o.ID)
}

// String is the whole origin: `fragment "skin", VW line 3`.
func (o Origin) String() string {
	return o.source() + ", " + o.Part + " line " + strconv.Itoa(o.Line)
}
