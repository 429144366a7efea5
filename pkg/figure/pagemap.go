package figure

import (
	"fmt"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"pagetouch/pkg/result"
)

const (
	panelGap    = 24 // px between panels
	leastSquare = 6  // px of a touched page, which may be more than the page itself has
	mostSquare  = 16
	mostRows    = 420 // px that the rows of a panel take at most
)

// mapPlan is where the panels lie. A page is the same size in all of them, so that files can be compared.
type mapPlan struct {
	across   int     // panels side by side
	slot     int     // px of a panel's place, of which its file may take less
	page     float64 // px of a page
	headline int     // px over a panel for its name
}

func (s sheet) mapPlan() mapPlan {
	p := mapPlan{across: 1}
	if !s.narrow {
		p.across = min(len(s.figure.Panels), 3)
		if len(s.figure.Panels) == 4 {
			p.across = 2
		}
	}
	p.slot = (s.width - 2*edge - (p.across-1)*panelGap) / p.across
	p.page = mostSquare
	lines := 1
	for _, panel := range s.figure.Panels {
		p.page = min(p.page, float64(p.slot-leastSquare)/float64(panel.Columns), mostRows/float64(rows(panel)))
		lines = max(lines, len(wrap(panel.Name, p.slot, s.font)))
	}
	p.headline = (lines + 1) * (s.font + 4)
	return p
}

func rows(p result.Panel) int64 { return (p.Pages + p.Columns - 1) / p.Columns }

func touchedOf(p result.Panel) string {
	return fmt.Sprintf("%s of %s pages touched", result.Format(float64(len(p.Touched)), 0), result.Format(float64(p.Pages), 0))
}

// place is the rectangle of the panel of that number.
func (s sheet) place(i int) (left, top, width, height int) {
	plan := s.mapPlan()
	top = edge
	for row := 0; row <= i/plan.across; row++ {
		if row > 0 {
			top += s.rowHeight(plan, row-1) + panelGap
		}
	}
	top += plan.headline
	panel := s.figure.Panels[i]
	width, height = int(plan.page*float64(panel.Columns)), int(plan.page*float64(rows(panel)))
	left = edge + (i%plan.across)*(plan.slot+panelGap) + (plan.slot-width)/2
	return left, top, max(width, 1), max(height, 1)
}

// rowHeight is the height of a row of panels, names included.
func (s sheet) rowHeight(plan mapPlan, row int) int {
	highest := 0.0
	for i, panel := range s.figure.Panels {
		if i/plan.across == row {
			highest = max(highest, plan.page*float64(rows(panel)))
		}
	}
	return plan.headline + int(highest)
}

func (s sheet) pagemapHeight() int {
	if len(s.figure.Panels) == 0 {
		return s.height
	}
	plan := s.mapPlan()
	last := (len(s.figure.Panels) - 1) / plan.across
	height := 2*edge + last*panelGap
	for row := 0; row <= last; row++ {
		height += s.rowHeight(plan, row)
	}
	return height
}

// pagemap draws each file as a rectangle of its pages, faint, and every touched page as a square that can be seen even
// where a page is smaller than a pixel.
func (s sheet) pagemap() chart {
	plan := s.mapPlan()
	c := charts.NewScatter()
	c.SetGlobalOptions(s.global()...)
	for i, panel := range s.figure.Panels {
		left, top, width, height := s.place(i)
		c.SetGlobalOptions(charts.WithGridOpts(opts.Grid{Left: px(left), Top: px(top), Width: px(width), Height: px(height)}))
		x, y := s.mapAxes(panel, i, plan)
		if i > 0 {
			c.ExtendXAxis(x)
			c.ExtendYAxis(y)
		} else {
			c.SetGlobalOptions(charts.WithXAxisOpts(x), charts.WithYAxisOpts(y))
		}
		data := []opts.ScatterData{}
		for _, page := range panel.Touched {
			data = append(data, opts.ScatterData{
				Name:  plain(fmt.Sprintf("%s\npage %s of %s", panel.Name, result.Format(float64(page), 0), result.Format(float64(panel.Pages), 0))),
				Value: []any{float64(page%panel.Columns) + 0.5, float64(page/panel.Columns) + 0.5},
			})
		}
		c.AddSeries(panel.Name, data,
			charts.WithScatterChartOpts(opts.ScatterChart{XAxisIndex: i, YAxisIndex: i, Symbol: "rect", SymbolSize: max(leastSquare, plan.page-1)}),
			charts.WithItemStyleOpts(opts.ItemStyle{Opacity: opts.Float(0.85)}),
			filePages(panel))
	}
	return c
}

// mapAxes are a panel's axes: they count columns and rows and show nothing but the panel's name on top.
func (s sheet) mapAxes(p result.Panel, i int, plan mapPlan) (opts.XAxis, opts.YAxis) {
	name := s.axisName(result.Axis{Name: p.Name}, plan.slot) + "\n" + touchedOf(p)
	bare := opts.XAxis{Type: "value", Min: 0, GridIndex: i, AxisLabel: &opts.AxisLabel{Show: opts.Bool(false)},
		AxisLine: &opts.AxisLine{Show: opts.Bool(false)}, AxisTick: &opts.AxisTick{Show: opts.Bool(false)},
		SplitLine: &opts.SplitLine{Show: opts.Bool(false)}}
	x, y := bare, bare
	x.Name, x.NameLocation, x.NameGap, x.Position, x.Max = name, "middle", 6, "top", p.Columns
	y.Show, y.Inverse, y.Max = opts.Bool(false), opts.Bool(true), rows(p)
	return x, asY(y)
}

// filePages paints all pages of a file: its full rows, and the rest of them in the last row.
func filePages(p result.Panel) charts.SeriesOpts {
	full, rest := p.Pages/p.Columns, p.Pages%p.Columns
	faint := &opts.ItemStyle{Color: "rgba(128,128,128,0.18)"}
	var areas []opts.MarkAreaNameCoordItem
	if full > 0 {
		areas = append(areas, opts.MarkAreaNameCoordItem{ItemStyle: faint, Coordinate0: []any{0, 0}, Coordinate1: []any{p.Columns, full}})
	}
	if rest > 0 {
		areas = append(areas, opts.MarkAreaNameCoordItem{ItemStyle: faint, Coordinate0: []any{0, full}, Coordinate1: []any{rest, full + 1}})
	}
	return charts.WithMarkAreaNameCoordItemOpts(areas...)
}
