package figure

import "encoding/json"

// Theme is the colours of a picture; its zero value is Light. ECharts takes it, as JSON, beside the option.
type Theme int

const (
	Light Theme = iota
	Dark
)

// Paper is the background that the theme's colours are chosen for.
func (t Theme) Paper() string {
	if t == Dark {
		return "#14171a"
	}
	return "#ffffff"
}

// JSON is the theme for echarts.init. The background is transparent: the page or the SVG file has its own.
func (t Theme) JSON() json.RawMessage {
	c := lightColours
	if t == Dark {
		c = darkColours
	}
	type m = map[string]any
	axis := m{
		"axisLine":      m{"lineStyle": m{"color": c.line}},
		"axisTick":      m{"lineStyle": m{"color": c.line}},
		"axisLabel":     m{"color": c.text, "lineHeight": lineHeight},
		"nameTextStyle": m{"color": c.text, "lineHeight": lineHeight},
		"splitLine":     m{"lineStyle": m{"color": c.grid}},
	}
	theme, err := json.Marshal(m{
		"color":           c.series,
		"backgroundColor": "transparent",
		"darkMode":        t == Dark,
		"textStyle":       m{"color": c.text, "fontFamily": fonts},
		"categoryAxis":    axis,
		"valueAxis":       axis,
		"logAxis":         axis,
		"legend":          m{"textStyle": m{"color": c.text}},
		"visualMap":       m{"textStyle": m{"color": c.text}, "inRange": m{"color": c.heat}},
		"tooltip":         m{"backgroundColor": c.tooltip, "borderColor": c.line, "textStyle": m{"color": c.text}},
		"markLine":        m{"lineStyle": m{"color": c.text}, "label": m{"color": c.text, "lineHeight": lineHeight, "textBorderColor": t.Paper(), "textBorderWidth": 3}}, // some stand on a grid line
		"bar":             m{"label": m{"color": c.text, "textBorderColor": t.Paper(), "textBorderWidth": 3}},                                                            // some stand on a bar
		"line":            m{"label": m{"color": c.text}},
		"scatter":         m{"label": m{"color": c.text}},
	})
	if err != nil {
		panic(err) // strings and booleans only
	}
	return theme
}

// lineHeight is said, because ECharts otherwise takes it from the width of a Chinese character, which a reader's typeface
// may lack.
const lineHeight = 16 // px

const fonts = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"

type colours struct {
	text, line, grid, tooltip string
	series                    []string // told apart with every common colour blindness, each at least 3:1 on the paper
	heat                      []string // from little to much: away from the paper
}

var lightColours = colours{
	text: "#33383d", line: "#8a9096", grid: "#e4e7ea", tooltip: "#ffffff",
	series: []string{"#0072b2", "#d55e00", "#009e73", "#aa4499", "#b87a00", "#3c97cf", "#6b6b6b", "#8c510a"},
	heat:   []string{"#eaf3fa", "#9cc8e6", "#3f8fc4", "#0b5a92", "#04304f"},
}

var darkColours = colours{
	text: "#d5d9dd", line: "#7b828a", grid: "#2e3338", tooltip: "#22262a",
	series: []string{"#56b4e9", "#ff8c42", "#2fc79b", "#e08fd0", "#f0c24b", "#a6d8f5", "#a8a8a8", "#d0a070"},
	heat:   []string{"#1c2a36", "#1f4e75", "#2f83ba", "#7cc0ea", "#e6f4fd"},
}
