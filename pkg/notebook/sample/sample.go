// Package sample is a result that needs no experiment, for the tests and measurements of what stands around notebooks.
package sample

import (
	"fmt"

	"pagetouch/pkg/result"
)

// Squares is the squares of 1 to n, as a table and a figure. Its text is of the kind that HTML, Markdown and MathJax
// would rather read in another way.
func Squares(n int) (*result.Result, error) {
	if n < 1 {
		return nil, fmt.Errorf("squares of %d numbers: at least 1 is needed", n)
	}
	t := result.Table{Name: "squares", Title: "Squares", Columns: []result.Column{{Name: "name"}, {Name: "n"}, {Name: "n²", Unit: "m²"}}}
	f := result.Figure{
		Name: "squares", Kind: result.Bars, Title: "Squares", Table: "squares", Alt: fmt.Sprintf("Columns that grow from 1 to %d.", n*n),
		X: result.Axis{Name: "n"}, Y: result.Axis{Name: "n²", Unit: "m²"}, Series: []result.Series{{Name: "n²"}},
	}
	for i := 1; i <= n; i++ {
		t.Rows = append(t.Rows, []result.Cell{result.Text(fmt.Sprintf("%d*%[1]d | <b>%d</b>", i, i*i)), result.Count(i), result.Number(float64(i*i), 1)})
		f.X.Categories = append(f.X.Categories, fmt.Sprint(i))
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: float64(i - 1), Y: float64(i * i)})
	}
	return &result.Result{
		Name: "squares", Title: "Squares", Headline: fmt.Sprintf("The largest of %d squares is %s.", n, result.Format(float64(n*n), 0)),
		Tables: []result.Table{t}, Figures: []result.Figure{f},
		Findings: []string{"A price of $1 and one of $2 are no formula, and neither is \\(x\\)."},
		Warnings: []result.Warning{{Text: "This result is a sample & says nothing."}},
	}, nil
}
