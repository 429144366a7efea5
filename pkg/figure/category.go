package figure

import (
	"strings"

	"github.com/go-echarts/go-echarts/v2/opts"

	"pagetouch/pkg/result"
)

// categoryLabels is how the names under an axis of categories are written, and how high they become.
type categoryLabels struct {
	names  []string
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
		return categoryLabels{names, all, s.font + 2}
	case word <= slot && lines <= 4:
		return categoryLabels{broken(names, slot, s.font), all, lines * lineHeight}
	case len(names) > 14:
		return categoryLabels{names, opts.AxisLabel{FontSize: s.font, HideOverlap: opts.Bool(true)}, s.font + 2}
	}
	return s.slantedLabels(names, plot)
}

// slantedLabels are names in lines or, where these would touch, in one: ECharts leaves out names that touch. They lie a
// slot's sine apart, and the gentlest slope that gives them room is the easiest to read.
func (s sheet) slantedLabels(names []string, plot int) categoryLabels {
	const inLines, inOne = 110, 1000 // px of a line
	upright := categoryLabels{}
	for _, room := range []int{inLines, inOne} {
		width, lines := extent(names, room, s.font)
		for _, slope := range []struct {
			degrees      float64
			sine, cosine int // percent
		}{{38, 62, 79}, {60, 87, 50}, {90, 100, 0}} {
			upright = categoryLabels{broken(names, room, s.font), opts.AxisLabel{FontSize: s.font, Interval: "0", Rotate: slope.degrees},
				(width*slope.sine + lines*lineHeight*slope.cosine) / 100}
			if plot*slope.sine/100/len(names) > lines*lineHeight {
				return upright
			}
		}
	}
	return upright
}

// extent is the width of the longest line and the most lines, of names broken into lines of at most so many pixels.
func extent(names []string, room, font int) (width, lines int) {
	for _, name := range names {
		broken := wrap(name, room, font)
		lines = max(lines, len(broken))
		for _, line := range broken { // a word may be longer than the line
			width = max(width, textWidth(line, font))
		}
	}
	return width, lines
}

// categoryAxis is the X axis of bars and heat maps.
func (s sheet) categoryAxis(a result.Axis) opts.XAxis {
	labels := s.categoryLabels(a.Categories, s.plotWidth())
	return opts.XAxis{
		Type: "category", Data: labels.names, Name: s.axisName(a, s.plotWidth()), NameLocation: "middle", NameGap: labels.height + 12,
		AxisLabel: &labels.axis, AxisTick: &opts.AxisTick{Show: opts.Bool(false)},
	}
}

// broken are the names, each broken into lines.
func broken(names []string, room, font int) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strings.Join(wrap(name, room, font), "\n")
	}
	return out
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
