package figure

import (
	"fmt"

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
		charts.WithYAxisOpts(asY(s.valueAxis("y", f.Y, s.plotHeight(), s.numberGap(), true))),
		charts.WithAriaOpts(s.patterns()))
	c.SetXAxis(f.X.Categories)
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
			data = append(data, opts.BarData{Name: s.say(series, p), Value: v})
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

// patterns tell series apart without colour. One series needs none.
func (s sheet) patterns() *opts.Aria {
	several := opts.Bool(len(s.figure.Series) > 1)
	return &opts.Aria{Enabled: several, Label: &opts.AriaLabel{Enabled: opts.Bool(false)}, Decal: &opts.AriaDecal{Show: several}}
}

func (s sheet) numberGap() int {
	lo, hi := s.span("y")
	return s.numberWidth(s.figure.Y, lo, hi) + 14
}
