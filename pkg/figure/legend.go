package figure

import "pagetouch/pkg/result"

const legendIcon = 22 // px

func (s sheet) hasLegend() bool {
	f := s.figure
	return f.Kind != result.Heat && f.Kind != result.PageMap && len(f.Series) > 1
}

// legendNames are the series' names with "\n" where a row of them ends: ECharts reckons with a narrow typeface, and would
// break a row later than a broad one needs.
func (s sheet) legendNames() []string {
	var names []string
	x := 0
	for _, series := range s.figure.Series {
		w := legendIcon + 5 + textWidth(series.Name, s.font)
		if x > 0 && x+w > s.width-2*edge {
			names, x = append(names, "\n"), 0
		}
		names = append(names, series.Name)
		x += w + s.legendGap()
	}
	return names
}

func (s sheet) legendRows() int {
	rows := 1
	for _, name := range s.legendNames() {
		if name == "\n" {
			rows++
		}
	}
	return rows
}

// legendRow is the height of a row; ECharts leaves the same gap below as beside a name.
func (s sheet) legendRow() int { return s.font + 1 + s.legendGap() }

// legendGap is the space between two names, more after long ones for the same reason.
func (s sheet) legendGap() int {
	longest := 0
	for _, series := range s.figure.Series {
		longest = max(longest, textWidth(series.Name, s.font))
	}
	return min(13+longest/12, 26)
}
