package figure

import (
	"strings"

	"github.com/go-echarts/go-echarts/v2/opts"

	"pagetouch/pkg/result"
)

// stackedLabel is nil where the parts of a lying bar are wide enough for the digits in them. Elsewhere the parts of that
// bar go without, and the last of them says all behind the bar: "1.49 + 2.00"; or, where that has no room, only the narrow
// parts go without.
func (s sheet) stackedLabel(series int, x float64) *opts.Label {
	f := s.figure
	if !s.lying() || f.Series[series].Stack == "" || !f.Series[series].Labels {
		return nil
	}
	var digits []string
	var longest, length float64
	last, crowded, narrow := series, false, false
	for i := range f.X.Categories {
		sum := 0.0
		for _, part := range f.Series {
			sum += at(part, float64(i))
		}
		longest = max(longest, sum)
	}
	scale := float64(s.plotWidth()) / max(longest*1.2, 1e-300) // the axis ends at a round number beyond the longest
	for i, part := range f.Series {
		if part.Stack != f.Series[series].Stack || !part.Labels {
			continue
		}
		y := at(part, x)
		text := result.Format(y, f.Y.Decimals)
		digits, last = append(digits, text), i
		length += y * scale
		if y*scale < float64(textWidth(text, s.font)+6) {
			crowded, narrow = true, narrow || i == series
		}
	}
	all := strings.Join(digits, " + ")
	outside := length+float64(textWidth(all, s.font)) <= float64(s.plotWidth())
	switch {
	case !crowded, !outside && !narrow:
		return nil
	case series != last, !outside:
		return &opts.Label{Show: opts.Bool(false)}
	}
	return &opts.Label{Show: opts.Bool(true), Position: "right", Formatter: all, FontSize: float32(s.font)}
}

// at is a series' value at a category; 0 where it has none.
func at(s result.Series, x float64) float64 {
	for _, p := range s.Points {
		if p.X == x {
			return p.Y
		}
	}
	return 0
}
