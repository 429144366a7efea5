package notebook

import (
	"fmt"
	"strings"

	"pagetouch/pkg/result"
)

// table is a table as HTML, a row a line. Columns whose cells are all numbers (or nothing) stand at the right.
func table(t result.Table) (string, error) {
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return "", fmt.Errorf("table %q: row %d has %d cells, but there are %d columns", t.Name, i+1, len(row), len(t.Columns))
		}
	}
	align := make([]string, len(t.Columns))
	var b strings.Builder
	b.WriteString(open + "\n<p><strong>" + escape(t.Title) + "</strong></p>\n<table>\n<thead><tr>")
	for i, c := range t.Columns {
		align[i] = alignment(t.Rows, i)
		head := escape(c.Name)
		if c.Unit != "" {
			head += " [" + escape(c.Unit) + "]"
		}
		fmt.Fprintf(&b, `<th align="%s" style="text-align:%[1]s">%s</th>`, align[i], head)
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows {
		b.WriteString("<tr>")
		for i, c := range row {
			fmt.Fprintf(&b, `<td align="%s" style="text-align:%[1]s">%s</td>`, align[i], escape(c.String()))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>\n")
	if t.Caption != "" {
		b.WriteString("<p>" + escape(t.Caption) + "</p>\n")
	}
	return b.String() + close, nil
}

func alignment(rows [][]result.Cell, column int) string {
	numbers := false
	for _, row := range rows {
		_, number := row[column].Number()
		if !number && !row[column].IsEmpty() {
			return "left"
		}
		numbers = numbers || number
	}
	if numbers {
		return "right"
	}
	return "left"
}
