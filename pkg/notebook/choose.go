package notebook

import (
	"fmt"
	"strings"

	"pagetouch/pkg/result"
)

// part is a table or a figure of a result.
type part struct {
	table  *result.Table
	figure *result.Figure
}

// choose is the parts in the order asked for, each "chart NAME" or "table NAME" as in the report's texts; or all parts,
// tables first, if none is asked for.
func choose(r *result.Result, asked []string) (parts []part, err error) {
	if len(asked) == 0 {
		for i := range r.Tables {
			parts = append(parts, part{table: &r.Tables[i]})
		}
		for i := range r.Figures {
			parts = append(parts, part{figure: &r.Figures[i]})
		}
		return parts, nil
	}
	for _, a := range asked {
		kind, name, _ := strings.Cut(a, " ")
		t, isTable := r.Table(name)
		f, isFigure := r.Figure(name)
		switch {
		case kind == "table" && isTable:
			parts = append(parts, part{table: t})
		case kind == "chart" && isFigure:
			parts = append(parts, part{figure: f})
		default:
			return nil, fmt.Errorf("there is nothing called %q in the result; it has:\n%s", a, strings.Join(offered(r), "\n"))
		}
	}
	return parts, nil
}

// offered is all that can be asked for.
func offered(r *result.Result) (all []string) {
	for _, f := range r.Figures {
		all = append(all, "chart "+f.Name)
	}
	for _, t := range r.Tables {
		all = append(all, "table "+t.Name)
	}
	return all
}
