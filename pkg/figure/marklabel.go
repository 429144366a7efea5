package figure

import (
	"math"
	"slices"
	"strings"

	"pagetouch/pkg/result"
)

// labelPlaces are where the label of a level mark can stand, the first that is free being taken.
var labelPlaces = []struct {
	name  string
	along float64 // of the plot's width, where the label's own end or middle is
	below bool
}{
	{"insideEndTop", 1, false}, {"insideEndBottom", 1, true}, {"insideStartTop", 0, false}, {"insideStartBottom", 0, true},
	{"insideMiddleTop", .5, false}, {"insideMiddleBottom", .5, true},
}

// placeOf is where in the plot the label of a level mark is not crossed by a line, be it of a series or another mark; "" if
// there is no such place.
func (s sheet) placeOf(m result.Mark) string {
	drawn, y := s.drawn(m), s.pixel("y", m.At)
	for _, p := range labelPlaces {
		const gap, air = 5, 3 // px: ECharts keeps the first from line and edge; the second is the thickness of lines
		width, height := float64(textWidth(m.Label, s.font)), float64(s.font+2)
		left := gap + float64(p.along*(float64(s.plotWidth())-2*gap-width))
		b := box{left - air, y - gap - height - air, left + width + air, y - gap + air}
		if p.below {
			b.top, b.bottom = y+gap-air, y+gap+height+air
		}
		inside := b.top >= 0 && b.bottom <= float64(s.plotHeight())
		if inside && !slices.ContainsFunc(drawn, b.meets) {
			return p.name
		}
	}
	return ""
}

// layMarks makes room at the right for the labels that have no place in the plot.
func (s *sheet) layMarks() {
	room := 0
	for _, m := range s.figure.Marks {
		if !s.upright(m.Axis) && s.placeOf(m) == "" {
			width, _ := extent([]string{m.Label}, s.width/5, s.font)
			room = max(room, width+8)
			s.outside = append(s.outside, m)
		}
	}
	s.right = max(s.right, room)
}

// labelOf is the label of a level mark, and where it stands.
func (s sheet) labelOf(m result.Mark) (text, place string) {
	if s.lying() {
		return m.Label, "insideEndTop"
	}
	if place := s.placeOf(m); place != "" && !slices.Contains(s.outside, m) {
		return m.Label, place
	}
	return strings.Join(wrap(m.Label, s.width/5, s.font), "\n"), "end"
}

// line is a stretch of what is drawn, in pixels from the plot's upper left corner.
type line struct{ x1, y1, x2, y2 float64 }

// drawn is everything in the plot but one mark: series, bars as three upright lines, and the other marks.
func (s sheet) drawn(but result.Mark) (all []line) {
	f := s.figure
	for _, series := range f.Series {
		for i, p := range series.Points {
			x, y := s.pixel("x", p.X), s.pixel("y", p.Y)
			switch {
			case f.Kind == result.Bars:
				half := float64(s.plotWidth()) / float64(len(f.X.Categories)) * .35
				for _, at := range []float64{x - half, x, x + half} {
					all = append(all, line{at, y, at, float64(s.plotHeight())})
				}
			case i == 0 || f.Kind == result.Dots:
				all = append(all, line{x, y, x, y})
			case f.Kind == result.Steps:
				before := all[len(all)-1]
				all = append(all, line{before.x2, before.y2, x, before.y2}, line{x, before.y2, x, y})
			default:
				before := all[len(all)-1]
				all = append(all, line{before.x2, before.y2, x, y})
			}
		}
	}
	for _, m := range f.Marks {
		if m == but {
			continue
		}
		at := s.pixel(m.Axis, m.At)
		if m.Axis == "x" {
			all = append(all, line{at, 0, at, float64(s.plotHeight())})
		} else {
			all = append(all, line{0, at, float64(s.plotWidth()), at})
		}
	}
	return all
}

// pixel is where a value of an axis lies in the plot, as nearly as ECharts' choice of the axis' ends can be foreseen.
func (s sheet) pixel(axis string, v float64) float64 {
	a, long := s.figure.X, s.plotWidth()
	if axis == "y" {
		a, long = s.figure.Y, s.plotHeight()
	}
	if n := len(a.Categories); n > 0 {
		return (v + .5) * float64(long) / float64(n)
	}
	lo, hi := s.ends(axis, a, long)
	if a.Log {
		v, lo, hi = math.Log(v), math.Log(lo), math.Log(hi)
	}
	if hi == lo {
		return float64(long) / 2
	}
	share := (v - lo) / (hi - lo)
	if axis == "y" {
		share = 1 - share
	}
	return share * float64(long)
}

// ends is the range of an axis: what the option says, or the multiples of a round step around the values.
func (s sheet) ends(name string, a result.Axis, long int) (lo, hi float64) {
	axis := s.valueAxis(name, a, long, 0, false)
	lo, hi = s.span(name)
	if !a.Log {
		if name == "y" {
			lo, hi = min(lo, 0), max(hi, 0)
		}
		if step := roundStep((hi - lo) / float64(axis.SplitNumber)); step > 0 {
			lo, hi = float64(step*math.Floor(lo/step)), float64(step*math.Ceil(hi/step))
		}
	}
	if v, ok := axis.Min.(float64); ok {
		lo = v
	}
	if v, ok := axis.Max.(float64); ok {
		hi = v
	}
	return lo, hi
}

// roundStep is the step that ECharts takes between ticks.
func roundStep(x float64) float64 {
	if x <= 0 {
		return 0
	}
	unit := powerBelow(x)
	for _, step := range []struct{ below, multiple float64 }{{1.5, 1}, {2.5, 2}, {4, 3}, {7, 5}} {
		if x < float64(step.below*unit) {
			return float64(step.multiple * unit)
		}
	}
	return float64(10 * unit)
}

// box is a rectangle in the plot.
type box struct{ left, top, right, bottom float64 }

// meets reports whether a line runs through the box: what is left of it between the box' sides, one pair after the other.
func (b box) meets(l line) bool {
	from, to := 0.0, 1.0
	for _, side := range [][4]float64{{l.x1, l.x2, b.left, b.right}, {l.y1, l.y2, b.top, b.bottom}} {
		at, end, lo, hi := side[0], side[1], side[2], side[3]
		if at == end {
			if at < lo || at > hi {
				return false
			}
			continue
		}
		enter, leave := (lo-at)/(end-at), (hi-at)/(end-at)
		from, to = max(from, min(enter, leave)), min(to, max(enter, leave))
	}
	return from <= to
}
