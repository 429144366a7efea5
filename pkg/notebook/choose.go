package notebook

import (
	"fmt"

	"pagetouch/pkg/result"
)

// part is a table or a figure of a result.
type part struct {
	table  *result.Table
	figure *result.Figure
}

// choose is the parts of those names in the order named, or all parts, tables first. A table and a figure may share a
// name, and then come together.
func choose(r *result.Result, names []string) (parts []part, err error) {
	if len(names) == 0 {
		for i := range r.Tables {
			parts = append(parts, part{table: &r.Tables[i]})
		}
		for i := range r.Figures {
			parts = append(parts, part{figure: &r.Figures[i]})
		}
		return parts, nil
	}
	for _, name := range names {
		t, isTable := r.Table(name)
		f, isFigure := r.Figure(name)
		if isTable {
			parts = append(parts, part{table: t})
		}
		if isFigure {
			parts = append(parts, part{figure: f})
		}
		if !isTable && !isFigure {
			return nil, fmt.Errorf("the result has no table and no figure called %q; it has tables %q and figures %q", name, tables(r), figures(r))
		}
	}
	return parts, nil
}

func tables(r *result.Result) (names []string) {
	for _, t := range r.Tables {
		names = append(names, t.Name)
	}
	return names
}

func figures(r *result.Result) (names []string) {
	for _, f := range r.Figures {
		names = append(names, f.Name)
	}
	return names
}
