package figure

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"pagetouch/pkg/result"
)

// lines are polylines, or steps that hold each value until the next X. Colour, dashes and symbols all tell series apart.
func (s sheet) lines() chart {
	f := s.figure
	c := charts.NewLine()
	c.SetGlobalOptions(s.global()...)
	c.SetGlobalOptions(s.numericAxes()...)
	for i, series := range f.Series {
		var data []opts.LineData
		for _, p := range series.Points {
			data = append(data, opts.LineData{Name: s.say(series, p), Value: s.value(series, p.Y, p.X, p.Y)})
		}
		look := opts.LineChart{Symbol: symbol(i), SymbolSize: s.symbolSize(len(series.Points)), ShowSymbol: opts.Bool(true)}
		if f.Kind == result.Steps {
			look.Step = "end"
		}
		options := []charts.SeriesOpts{
			charts.WithLineChartOpts(look),
			charts.WithLineStyleOpts(opts.LineStyle{Width: 2, Type: []string{"solid", "dashed", "dotted"}[i%3]}),
			charts.WithLabelOpts(opts.Label{Show: opts.Bool(series.Labels), Position: "top", Formatter: labelAt(2), FontSize: float32(s.font)}),
		}
		if i == 0 {
			options = append(options, s.marks())
		}
		c.AddSeries(series.Name, data, options...)
	}
	return c
}

// numericAxes are the axes of lines, steps and dots.
func (s sheet) numericAxes() []charts.GlobalOpts {
	f := s.figure
	return []charts.GlobalOpts{
		charts.WithGridOpts(s.grid()),
		charts.WithXAxisOpts(s.valueAxis("x", f.X, s.plotWidth(), s.font+16, false)),
		charts.WithYAxisOpts(asY(s.valueAxis("y", f.Y, s.plotHeight(), s.numberGap(), true))),
	}
}

func symbol(i int) string { return []string{"circle", "rect", "triangle", "diamond"}[i%4] }

// symbolSize shrinks symbols that would hide their line.
func (s sheet) symbolSize(points int) int {
	return min(max(s.plotWidth()/points/3, 3), 8)
}
