package catalogue

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// A scene's Source is what reports put their findings on: the file of the
// function that All calls for it.
func TestSources(t *testing.T) {
	places := token.NewFileSet()
	folder, err := parser.ParseDir(places, ".", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	file := map[string]string{}
	var calls []string
	for _, f := range folder["catalogue"].Files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil {
				continue
			}
			file[fn.Name.Name] = "scenes/catalogue/" + places.Position(fn.Pos()).Filename
			if fn.Name.Name != "All" {
				continue
			}
			for _, e := range fn.Body.List[0].(*ast.ReturnStmt).Results[0].(*ast.CompositeLit).Elts {
				calls = append(calls, e.(*ast.CallExpr).Fun.(*ast.Ident).Name)
			}
		}
	}
	list := All()
	if len(calls) != len(list) {
		t.Fatalf("All calls %d functions and has %d scenes", len(calls), len(list))
	}
	for i, e := range list {
		if want := file[calls[i]]; e.Source != want {
			t.Errorf("%s: its source is said to be %s, and %s is in %s", e.Name, e.Source, calls[i], want)
		}
	}
}
