package figure

import (
	"fmt"
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// bars are columns over categories: side by side, or on each other where series share a stack.
func (s sheet) bars() chart {
	f := s.figure
	c := charts.NewBar()
	c.SetGlobalOptions(s.global()...)
	c.SetGlobalOptions(
		charts.WithGridOpts(s.grid()),
		charts.WithXAxisOpts(s.categoryAxis(f.X)),
		charts.WithYAxisOpts(asY(s.valueAxis("y", f.Y, s.plotHeight(), s.numberGap(), true))))
	c.SetXAxis(s.categoryAxis(f.X).Data)
	s.addBars(c, "top", s.plotWidth()/len(f.X.Categories))
	return c
}

// addBars adds the series; slot is the pixels along the axis that one category has.
func (s sheet) addBars(c *charts.Bar, labels string, slot int) {
	for i, series := range s.figure.Series {
		var data []opts.BarData
		for _, p := range series.Points {
			v := s.value(series, p.Y, p.X, p.Y)
			if s.lying() {
				v[0], v[1] = v[1], v[0]
			}
			data = append(data, opts.BarData{Name: s.say(series, p), Value: v, Label: s.stackedLabel(i, p.X)})
		}
		label := opts.Label{Show: opts.Bool(series.Labels), Position: labels, Formatter: labelAt(2), FontSize: float32(s.font)}
		if series.Stack != "" {
			label.Position = "inside"
		}
		options := []charts.SeriesOpts{
			charts.WithBarChartOpts(opts.BarChart{Stack: series.Stack, BarGap: "8%", BarCategoryGap: s.barGap(slot)}),
			charts.WithLabelOpts(label),
		}
		if i == 0 {
			options = append(options, s.marks())
		}
		c.AddSeries(series.Name, data, options...)
	}
}

// barGap is the space between categories: little in a histogram, more where a few bars would become slabs.
func (s sheet) barGap(slot int) string {
	gap := max(100-100*72*s.barsInSlot()/slot, 26)
	if len(s.figure.X.Categories) > 14 && len(s.figure.Series) == 1 {
		gap = 6
	}
	return fmt.Sprintf("%d%%", gap)
}

// barsInSlot counts the bars side by side at a category: a stack is one.
func (s sheet) barsInSlot() int {
	n, stacks := 0, make(map[string]bool)
	for _, series := range s.figure.Series {
		if series.Stack == "" || !stacks[series.Stack] {
			n++
		}
		stacks[series.Stack] = true
	}
	return n
}

// patterns tell series apart without colour; the first has none. go-echarts cannot say which.
func patterns() map[string]any {
	type m = map[string]any
	ink := "rgba(255,255,255,0.45)"
	return m{"enabled": true, "label": m{"enabled": false}, "decal": m{"show": true, "decals": []m{
		{"color": "transparent"},
		{"color": ink, "dashArrayX": []int{1, 0}, "dashArrayY": []int{2, 5}, "symbolSize": 1, "rotation": -math.Pi / 4},
		{"color": ink, "symbol": "circle", "dashArrayX": [][]int{{8, 8}, {0, 8, 8, 0}}, "dashArrayY": []int{6, 0}, "symbolSize": 0.6},
		{"color": ink, "dashArrayX": []int{1, 0}, "dashArrayY": []int{2, 5}, "symbolSize": 1, "rotation": math.Pi / 4},
	}}}
}

func (s sheet) numberGap() int {
	lo, hi := s.span("y")
	return s.numberWidth(s.figure.Y, lo, hi) + 14
}
