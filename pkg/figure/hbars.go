package figure

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"pagetouch/pkg/result"
)

// lying reports whether the categories run down the side.
func (s sheet) lying() bool { return s.figure.Kind == result.HBars }

// layHBars gives each bar its height, and the names up to two fifths of the width, in lines.
func (s *sheet) layHBars() {
	f := s.figure
	names, lines := s.sideNames(f.X.Categories)
	s.left += names + 8 + s.nameHeight(f.X, 300)
	if s.hasVerticalMark() {
		s.top += s.font + 6
	}
	for _, series := range f.Series {
		if series.Labels && series.Stack == "" {
			lo, hi := s.span("y")
			s.right = max(s.right, s.numberWidth(f.Y, lo, hi)+(f.Y.Decimals+1)*s.font*6/10+8)
		}
	}
	s.bottom += s.font + 8 + s.nameHeight(f.Y, s.plotWidth())
	slot := max(16*s.barsInSlot()+10, lines*lineHeight+6)
	s.height = s.top + s.bottom + slot*len(f.X.Categories)
}

// sideNames is the width of the names at the left and the most lines one of them takes.
func (s sheet) sideNames(names []string) (width, lines int) {
	for _, name := range names {
		width = max(width, textWidth(name, s.font))
	}
	return extent(names, min(width, s.width*2/5), s.font)
}

// sideAxis is an axis of categories at the left, the first on top.
func (s sheet) sideAxis(a result.Axis) opts.YAxis {
	width, _ := s.sideNames(a.Categories)
	return opts.YAxis{
		Type: "category", Data: broken(a.Categories, width, s.font), Inverse: opts.Bool(true),
		Name: s.axisName(a, s.plotHeight()), NameLocation: "middle", NameGap: width + 14,
		AxisLabel: &opts.AxisLabel{FontSize: s.font, Interval: "0"},
	}
}

// hbars are bars lying down, for categories with long names.
func (s sheet) hbars() chart {
	f := s.figure
	c := charts.NewBar()
	c.SetGlobalOptions(s.global()...)
	c.SetGlobalOptions(
		charts.WithGridOpts(s.grid()),
		charts.WithXAxisOpts(s.valueAxis("y", f.Y, s.plotWidth(), s.font+16, true)),
		charts.WithYAxisOpts(s.sideAxis(f.X)))
	c.SetXAxis(s.sideAxis(f.X).Data)
	c.XYReversal()
	s.addBars(c, "right", s.plotHeight()/len(f.X.Categories))
	return c
}
