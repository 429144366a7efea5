package figure

import (
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"pagetouch/pkg/result"
)

// markLine is one reference line; go-echarts' own has no label of its own.
type markLine struct {
	XAxis any         `json:"xAxis,omitempty"`
	YAxis any         `json:"yAxis,omitempty"`
	Name  string      `json:"name"`
	Label *opts.Label `json:"label"`
}

// marks draws the figure's reference lines with a series, which should be the first only. A label stands inside the plot
// beside a level line if it can, and above the plot over an upright one, towards the middle, so that neither is cut off.
func (s sheet) marks() charts.SeriesOpts {
	return func(series *charts.SingleSeries) {
		if len(s.figure.Marks) == 0 {
			return
		}
		series.MarkLines = &opts.MarkLines{MarkLineStyle: opts.MarkLineStyle{
			Symbol:    []string{"none", "none"},
			LineStyle: &opts.LineStyle{Type: "dashed", Width: 1.5},
		}}
		for _, m := range s.figure.Marks {
			line := markLine{Name: plain(m.Label),
				Label: &opts.Label{Show: opts.Bool(true), Formatter: "{b}", FontSize: float32(s.font), Position: "insideEndTop"}}
			if s.upright(m.Axis) {
				line.XAxis = m.At
				line.Label.Position, line.Label.Align = s.upperEnd(), "left"
				if s.beyondMiddle(m.Axis, m.At) {
					line.Label.Align = "right"
				}
			} else {
				line.YAxis = m.At
				text, place := s.labelOf(m)
				line.Name, line.Label.Position = plain(text), place
			}
			series.MarkLines.Data = append(series.MarkLines.Data, line)
		}
	}
}

// upright reports whether a mark on that axis is a vertical line: in bars that lie down, the value axis is level.
func (s sheet) upright(axis string) bool { return (axis == "x") != s.lying() }

func (s sheet) hasVerticalMark() bool {
	return slices.ContainsFunc(s.figure.Marks, func(m result.Mark) bool { return s.upright(m.Axis) })
}

// upperEnd is the end of an upright line that is at the top: in bars that lie down the first category is, and there the
// line starts.
func (s sheet) upperEnd() string {
	if s.lying() {
		return "start"
	}
	return "end"
}

func (s sheet) beyondMiddle(axis string, at float64) bool {
	a := s.figure.X
	if axis == "y" {
		a = s.figure.Y
	}
	lo, hi := s.span(axis)
	if len(a.Categories) > 0 {
		lo, hi = 0, float64(len(a.Categories)-1)
	}
	if s.lying() {
		lo = min(lo, 0)
	}
	if a.Log {
		return float64(at*at) > float64(lo*hi)
	}
	return at > lo+float64((hi-lo)/2)
}
