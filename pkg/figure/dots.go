package figure

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// dots are a scatter of the points, a symbol for each series.
func (s sheet) dots() chart {
	c := charts.NewScatter()
	c.SetGlobalOptions(s.global()...)
	c.SetGlobalOptions(s.numericAxes()...)
	for i, series := range s.figure.Series {
		var data []opts.ScatterData
		for _, p := range series.Points {
			data = append(data, opts.ScatterData{Name: s.say(series, p), Value: s.value(series, p.Y, p.X, p.Y)})
		}
		options := []charts.SeriesOpts{
			charts.WithScatterChartOpts(opts.ScatterChart{Symbol: symbol(i), SymbolSize: s.dotSize(len(series.Points))}),
			charts.WithItemStyleOpts(opts.ItemStyle{Opacity: opts.Float(0.75)}),
			charts.WithLabelOpts(opts.Label{Show: opts.Bool(series.Labels), Position: "top", Formatter: labelAt(2), FontSize: float32(s.font)}),
		}
		if i == 0 {
			options = append(options, s.marks())
		}
		c.AddSeries(series.Name, data, options...)
	}
	return c
}

func (s sheet) dotSize(points int) int {
	if points > 200 {
		return 5
	}
	return 8
}
