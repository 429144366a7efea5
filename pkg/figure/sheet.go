package figure

import (
	"strconv"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"pagetouch/pkg/result"
)

// sheet is the paper one figure is laid out on. ECharts places axes and legends where it is told, not where they fit, so
// the room that names and labels need is reckoned here.
type sheet struct {
	figure        result.Figure
	narrow        bool
	width, height int
	font          int
	// room around the plot
	top, right, bottom, left int
	outside                  []result.Mark // whose labels stand at the right of the plot
}

const edge = 10 // px that stay free at the sheet's edges

func newSheet(f result.Figure, w Width) sheet {
	s := sheet{figure: f, width: 680, height: 400, font: 13}
	if w == Narrow {
		s.narrow, s.width, s.height, s.font = true, 360, 330, 12
	}
	s.top, s.right, s.bottom, s.left = edge, 18, edge, edge
	if s.hasLegend() {
		rows := s.legendRows()
		s.top += rows * s.legendRow()
		s.height += (rows - 1) * s.legendRow() // names do not cost the plot its height
	}
	switch f.Kind {
	case result.HBars:
		s.layHBars()
	case result.PageMap:
		s.height = s.pagemapHeight()
	case result.Heat:
		s.layHeat()
	default:
		s.layPlot()
		s.layMarks()
	}
	return s
}

// grid is the rectangle between the axes.
func (s sheet) grid() opts.Grid {
	return opts.Grid{Left: px(s.left), Right: px(s.right), Top: px(s.top), Bottom: px(s.bottom)}
}

func (s sheet) plotWidth() int  { return max(1, s.width-s.left-s.right) }
func (s sheet) plotHeight() int { return max(1, s.height-s.top-s.bottom) }

// global are the options of every chart.
func (s sheet) global() []charts.GlobalOpts {
	legend := opts.Legend{Show: opts.Bool(s.hasLegend()), Top: px(4), Left: "center", Type: "plain", Data: s.legendNames(),
		ItemWidth: legendIcon, ItemHeight: 12, TextStyle: &opts.TextStyle{FontSize: s.font}}
	tooltip := opts.Tooltip{Show: opts.Bool(true), Trigger: "item", Formatter: "{b}"} // the datum's name is what it says
	return []charts.GlobalOpts{charts.WithAnimation(false), charts.WithLegendOpts(legend), charts.WithTooltipOpts(tooltip)}
}

// complete adds what ECharts knows and go-echarts does not.
func (s sheet) complete(option map[string]any) map[string]any {
	delete(option, "title") // the page prints it
	delete(option, "toolbox")
	delete(option, "color") // the theme has it
	option["textStyle"] = map[string]any{"fontSize": s.font}
	option["tooltip"] = struct {
		opts.Tooltip
		RenderMode string `json:"renderMode"` // HTML tooltips need inline styles, which a strict page forbids
		Confine    bool   `json:"confine"`
	}{option["tooltip"].(opts.Tooltip), "richText", true}
	option["legend"] = struct {
		opts.Legend
		ItemGap int `json:"itemGap"`
	}{option["legend"].(opts.Legend), s.legendGap()}
	if len(s.figure.Series) > 1 && (s.figure.Kind == result.Bars || s.lying()) {
		option["aria"] = patterns()
	}
	return option
}

func px(n int) string { return strconv.Itoa(n) }

// textWidth is a generous guess of a text's width in pixels.
func textWidth(text string, font int) int { return len([]rune(text)) * font * 60 / 100 }
