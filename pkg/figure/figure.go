// Package figure turns a result.Figure into a picture's definition: an ECharts option, as JSON, made with go-echarts. The
// same option is drawn as a static SVG (package svg) and by the reader's browser, so there is one definition and two
// pictures. An option holds no function, so that a page can forbid every script but its own; what a tooltip says is
// written here, with the right decimals, as the name of each datum.
//
// One file holds one kind of figure. The title is not drawn: the page prints it above the picture.
package figure

import (
	"encoding/json"
	"fmt"

	"pagetouch/pkg/result"
)

// Width is which of two layouts a figure has: a phone does not show a wide picture made small, but a narrow one.
type Width int

const (
	Wide   Width = iota // 680 px, for a page of text
	Narrow              // 360 px, for a phone
)

// Option returns the ECharts option of a figure. It is to be drawn at Size, with a Theme. A figure that cannot be drawn
// truthfully (see Check) is an error, never an empty chart.
func Option(f result.Figure, w Width) (json.RawMessage, error) {
	if err := Check(f); err != nil {
		return nil, err
	}
	s := newSheet(f, w)
	chart := s.draw()
	chart.Validate()
	option, err := json.Marshal(s.complete(chart.JSON()))
	if err != nil {
		return nil, fmt.Errorf("figure %q: writing its option: %w", f.Name, err)
	}
	return option, nil
}

// Size is the width and height in pixels that an option is laid out for.
func Size(f result.Figure, w Width) (width, height int) {
	s := newSheet(f, w)
	return s.width, s.height
}

// Describe says what a figure shows to whoever does not see it: its Alt, or else its title and what is drawn.
func Describe(f result.Figure) string {
	if f.Alt != "" {
		return f.Alt
	}
	text := f.Title + "."
	for _, s := range f.Series {
		if s.Name == "" || len(s.Points) == 0 {
			continue
		}
		lo, hi := s.Points[0].Y, s.Points[0].Y
		for _, p := range s.Points {
			lo, hi = min(lo, p.Y), max(hi, p.Y)
		}
		if f.Kind == result.Heat {
			continue
		}
		text += fmt.Sprintf(" %s: %s to %s.", s.Name, result.Format(lo, f.Y.Decimals), withUnit(hi, f.Y))
	}
	for _, p := range f.Panels {
		text += fmt.Sprintf(" %s: %s.", p.Name, touchedOf(p))
	}
	return text
}

// chart is what every chart of go-echarts can do for us.
type chart interface {
	Validate()
	JSON() map[string]any
}

func (s sheet) draw() chart {
	switch s.figure.Kind {
	case result.Bars:
		return s.bars()
	case result.HBars:
		return s.hbars()
	case result.Lines, result.Steps:
		return s.lines()
	case result.Dots:
		return s.dots()
	case result.Heat:
		return s.heat()
	default: // Check has seen the kind
		return s.pagemap()
	}
}
