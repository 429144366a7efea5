package figure

import (
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"pagetouch/pkg/result"
)

// layHeat makes room for the scale on top, names at the left and names below.
func (s *sheet) layHeat() {
	f := s.figure
	s.top += s.font + 22
	names, lines := s.sideNames(f.Y.Categories)
	s.left += names + 8 + s.nameHeight(f.Y, 240)
	s.bottom += s.categoryLabels(f.X.Categories, s.plotWidth()).height + 8 + s.nameHeight(f.X, s.plotWidth())
	row := max(26, lines*(s.font+3)+4)
	s.height = s.top + s.bottom + row*len(f.Y.Categories)
}

// heat is a grid over two axes of categories, coloured by each point's Z. Its decimals are those of the Y axis, whose own
// values are names; what Z is, the series' name says.
func (s sheet) heat() chart {
	f, series := s.figure, s.figure.Series[0]
	lo, hi := math.Inf(1), math.Inf(-1)
	var data []opts.HeatMapData
	for _, p := range series.Points {
		lo, hi = min(lo, p.Z), max(hi, p.Z)
		data = append(data, opts.HeatMapData{Name: s.say(series, p), Value: s.value(series, p.Z, p.X, p.Y, p.Z)})
	}
	labels := series.Labels && max(s.labelWidth(lo), s.labelWidth(hi)) < s.plotWidth()/len(f.X.Categories)
	c := charts.NewHeatMap()
	c.SetGlobalOptions(s.global()...)
	c.SetGlobalOptions(
		charts.WithGridOpts(s.grid()),
		charts.WithXAxisOpts(s.categoryAxis(f.X)), // SetXAxis does nothing on a heat map
		charts.WithYAxisOpts(s.sideAxis(f.Y)))
	c.AddSeries(series.Name, data,
		charts.WithLabelOpts(opts.Label{Show: opts.Bool(labels), Formatter: labelAt(3), FontSize: float32(s.font - 1)}),
		charts.WithItemStyleOpts(opts.ItemStyle{BorderColor: "rgba(128,128,128,0.35)", BorderWidth: 1}))
	return heatChart{c, s, lo, hi}
}

func (s sheet) labelWidth(v float64) int {
	return textWidth(result.Format(v, s.figure.Y.Decimals), s.font-1) + 2
}

// heatChart adds the colour scale: go-echarts' own leaves out a limit that is 0 and rounds to float32.
type heatChart struct {
	*charts.HeatMap
	sheet  sheet
	lo, hi float64
}

func (h heatChart) JSON() map[string]any {
	option := h.HeatMap.JSON()
	f := h.sheet.figure
	hi := h.hi
	if hi == h.lo {
		hi++ // a scale needs two ends
	}
	name := f.Series[0].Name
	if name != "" {
		name += "  "
	}
	option["visualMap"] = struct {
		opts.VisualMap
		Min        float64 `json:"min"`
		Max        float64 `json:"max"`
		Dimension  int     `json:"dimension"`
		ItemWidth  int     `json:"itemWidth"`
		ItemHeight int     `json:"itemHeight"`
		TextGap    int     `json:"textGap"`
	}{
		VisualMap: opts.VisualMap{Type: "continuous", Calculable: opts.Bool(false), Orient: "horizontal", Left: "center", Top: px(4),
			Text:      []string{result.Format(h.hi, f.Y.Decimals), name + result.Format(h.lo, f.Y.Decimals)},
			TextStyle: &opts.TextStyle{FontSize: h.sheet.font}},
		Min: h.lo, Max: hi, Dimension: 2, ItemWidth: 12, ItemHeight: 120, TextGap: 8,
	}
	return option
}
