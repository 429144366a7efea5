package figure

import (
	"strings"

	"github.com/go-echarts/go-echarts/v2/opts"

	"pagetouch/pkg/result"
)

// categoryLabels is how the names under an axis of categories are written, and how high they become.
type categoryLabels struct {
	axis   opts.AxisLabel
	height int
}

// categoryLabels chooses: side by side if they fit; else broken into lines; else, if they are many, only some of them;
// else slanted.
func (s sheet) categoryLabels(names []string, plot int) categoryLabels {
	slot := plot/len(names) - 6
	longest, lines, word := 0, 1, 0
	for _, name := range names {
		longest = max(longest, textWidth(name, s.font))
		lines = max(lines, len(wrap(name, slot, s.font)))
		for w := range strings.FieldsSeq(name) {
			word = max(word, textWidth(w, s.font))
		}
	}
	all := opts.AxisLabel{FontSize: s.font, Interval: "0"}
	switch {
	case longest <= slot:
		return categoryLabels{all, s.font + 2}
	case word <= slot && lines <= 4:
		all.Width, all.Overflow = slot, "break"
		return categoryLabels{all, lines * (s.font + 2)}
	case len(names) > 14:
		return categoryLabels{opts.AxisLabel{FontSize: s.font, HideOverlap: opts.Bool(true)}, s.font + 2}
	}
	all.Rotate = 38
	return categoryLabels{all, longest*62/100 + s.font}
}

// categoryAxis is the X axis of bars and heat maps.
func (s sheet) categoryAxis(a result.Axis) opts.XAxis {
	labels := s.categoryLabels(a.Categories, s.plotWidth())
	return opts.XAxis{
		Type: "category", Data: a.Categories, Name: s.axisName(a, s.plotWidth()), NameLocation: "middle", NameGap: labels.height + 12,
		AxisLabel: &labels.axis, AxisTick: &opts.AxisTick{Show: opts.Bool(false)},
	}
}

// wrap breaks a text at its spaces into lines of at most so many pixels, a longer word standing alone.
func wrap(text string, room, font int) []string {
	var lines []string
	for word := range strings.FieldsSeq(text) {
		if n := len(lines); n > 0 && textWidth(lines[n-1]+" "+word, font) <= room {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
