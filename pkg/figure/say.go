package figure

import (
	"fmt"
	"strings"

	"pagetouch/pkg/result"
)

// withUnit prints a value of an axis: "1,234.50 pages".
func withUnit(v float64, a result.Axis) string {
	text := result.Format(v, a.Decimals)
	if a.Unit != "" {
		text += " " + a.Unit
	}
	return text
}

// say is the tooltip of a datum: the series, where it stands, and its value.
func (s sheet) say(series result.Series, p result.Point) string {
	f := s.figure
	var lines []string
	if series.Name != "" {
		lines = append(lines, series.Name)
	}
	switch {
	case f.Kind == result.Heat:
		lines = append(lines, named(f.X.Name, f.X.Categories[int(p.X)]), named(f.Y.Name, f.Y.Categories[int(p.Y)]),
			result.Format(p.Z, f.Y.Decimals))
	case len(f.X.Categories) > 0:
		lines = append(lines, named(f.X.Name, f.X.Categories[int(p.X)]), withUnit(p.Y, f.Y))
	default:
		lines = append(lines, named(f.X.Name, withUnit(p.X, f.X)), named(f.Y.Name, withUnit(p.Y, f.Y)))
	}
	return plain(strings.Join(lines, "\n"))
}

func named(name, value string) string {
	if name == "" {
		return value
	}
	return name + ": " + value
}

// plain keeps ECharts from reading a template or a style in a text: both are written in braces.
func plain(text string) string { return strings.NewReplacer("{", "(", "}", ")").Replace(text) }

// value is a datum's numbers in ECharts' order, and behind them the label to print beside it if the series wants one.
func (s sheet) value(series result.Series, label float64, numbers ...float64) []any {
	var out []any
	for _, n := range numbers {
		out = append(out, n)
	}
	if series.Labels {
		out = append(out, result.Format(label, s.figure.Y.Decimals))
	}
	return out
}

// labelAt is the template that prints the datum's element of that number.
func labelAt(i int) string { return fmt.Sprintf("{@[%d]}", i) }
