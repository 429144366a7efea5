package figure

import (
	"math"
	"strings"

	"github.com/go-echarts/go-echarts/v2/opts"

	"pagetouch/pkg/result"
)

// layPlot makes room for a value axis at the left and the X axis at the bottom.
func (s *sheet) layPlot() {
	f := s.figure
	if s.hasVerticalMark() {
		s.top += s.font + 6
	} else {
		s.top += 12
	}
	lo, hi := s.span("y")
	s.left += s.nameHeight(f.Y, s.height-s.top-60) + s.numberWidth(f.Y, lo, hi) + 8
	labels := s.font + 8
	if len(f.X.Categories) > 0 {
		labels = s.categoryLabels(f.X.Categories, s.plotWidth()).height + 8
		s.height += labels - s.font - 8 // names do not cost the plot its height
	} else {
		lo, hi := s.span("x")
		s.right += s.numberWidth(f.X, lo, hi) / 3 // half of the last label stands beyond the plot
	}
	s.bottom += labels + s.nameHeight(f.X, s.plotWidth())
}

// axisName is the name with the unit, broken into lines that fit.
func (s sheet) axisName(a result.Axis, room int) string {
	name := a.Name
	if a.Unit != "" && !strings.Contains(strings.ToLower(name), strings.ToLower(a.Unit)) {
		name += " (" + a.Unit + ")"
	}
	return strings.Join(wrap(name, room, s.font), "\n")
}

func (s sheet) nameHeight(a result.Axis, room int) int {
	name := s.axisName(a, room)
	if name == "" {
		return 0
	}
	return (strings.Count(name, "\n")+1)*(s.font+3) + 4
}

// span is the range of values on an axis, marks included: ECharts does not stretch an axis for a mark.
func (s sheet) span(axis string) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	stacks := make(map[[2]any]float64)
	for _, series := range s.figure.Series {
		for _, p := range series.Points {
			v := p.X
			if axis == "y" {
				v = p.Y
				if series.Stack != "" {
					key := [2]any{series.Stack, p.X}
					stacks[key] += p.Y
					v = stacks[key]
				}
			}
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	for _, m := range s.figure.Marks {
		if m.Axis == axis {
			lo, hi = min(lo, m.At), max(hi, m.At)
		}
	}
	return lo, hi
}

// valueAxis is a linear or logarithmic axis, long px long, with lines across the plot if lined.
func (s sheet) valueAxis(name string, a result.Axis, long, gap int, lined bool) opts.XAxis {
	lo, hi := s.span(name)
	axis := opts.XAxis{
		Type: "value", Name: s.axisName(a, long), NameLocation: "middle", NameGap: gap,
		AxisLabel:   &opts.AxisLabel{FontSize: s.font, HideOverlap: opts.Bool(true)},
		SplitLine:   &opts.SplitLine{Show: opts.Bool(lined)},
		SplitNumber: max(2, long/70),
		Scale:       opts.Bool(name == "x" && len(s.figure.X.Categories) == 0), // a time need not start at 0, a height must
	}
	if s.narrow {
		axis.SplitNumber = max(2, long/60)
	}
	if a.Log {
		axis.Type = "log"
		axis.Min, axis.Max = powerBelow(lo), powerAbove(hi)
		if name == "x" { // half a decade of nothing is wasted width
			axis.Min, axis.Max = lo, hi
			axis.AxisLabel.ShowMinLabel, axis.AxisLabel.ShowMaxLabel = opts.Bool(lo == powerBelow(lo)), opts.Bool(hi == powerBelow(hi))
			if lo == hi {
				axis.Min, axis.Max = powerBelow(lo), powerAbove(2*hi)
			}
		}
	} else if s.marked(name) {
		axis.Max = niceAbove(hi)
	}
	if a.Min != nil {
		axis.Min = *a.Min
	}
	if a.Max != nil {
		axis.Max = *a.Max
	}
	return axis
}

func (s sheet) marked(axis string) bool {
	for _, m := range s.figure.Marks {
		if m.Axis == axis {
			return true
		}
	}
	return false
}

// numberWidth is how wide the labels of a value axis become.
func (s sheet) numberWidth(a result.Axis, lo, hi float64) int {
	if a.Max != nil {
		hi = *a.Max
	}
	text := result.Format(niceAbove(max(hi, -lo)), 0)
	switch {
	case a.Log && lo < 1:
		least := result.Format(powerBelow(lo), -exponent(lo))
		return max(textWidth(text, s.font), textWidth(least, s.font))
	case hi < 1:
		text += ".00"
	case hi < 5:
		text += ".0"
	}
	return textWidth(text, s.font)
}

// asY is the same axis for the other side: go-echarts has two types for one thing.
func asY(a opts.XAxis) opts.YAxis {
	return opts.YAxis{Name: a.Name, NameLocation: a.NameLocation, NameGap: a.NameGap, Type: a.Type, Show: a.Show, Inverse: a.Inverse,
		Data: a.Data, SplitNumber: a.SplitNumber, Scale: a.Scale, Min: a.Min, Max: a.Max, GridIndex: a.GridIndex,
		SplitLine: a.SplitLine, SplitArea: a.SplitArea, AxisLabel: a.AxisLabel, AxisLine: a.AxisLine}
}
