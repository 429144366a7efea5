package figure

import (
	"fmt"
	"math"

	"pagetouch/pkg/result"
)

// Check reports why a figure cannot be drawn as it is meant: ECharts itself does not complain, it leaves marks out.
func Check(f result.Figure) error {
	if err := check(f); err != nil {
		return fmt.Errorf("figure %q: %w", f.Name, err)
	}
	return nil
}

func check(f result.Figure) error {
	switch f.Kind {
	case result.PageMap:
		return checkPanels(f)
	case result.Bars, result.HBars, result.Heat:
		if len(f.X.Categories) == 0 {
			return fmt.Errorf("kind %q needs x.categories", f.Kind)
		}
		if f.Kind == result.Heat && len(f.Y.Categories) == 0 {
			return fmt.Errorf("kind %q needs y.categories", f.Kind)
		}
	case result.Lines, result.Steps, result.Dots:
		if len(f.X.Categories)+len(f.Y.Categories) > 0 {
			return fmt.Errorf("kind %q has numeric axes, but categories were given", f.Kind)
		}
	default:
		return fmt.Errorf("unknown kind %q: want bars, hbars, lines, steps, dots, heat or pagemap", f.Kind)
	}
	if len(f.Series) == 0 {
		return fmt.Errorf("no series")
	}
	if f.Kind == result.Heat && len(f.Series) > 1 {
		return fmt.Errorf("a heat figure has one series, not %d", len(f.Series))
	}
	for i, s := range f.Series {
		if err := checkSeries(f, s); err != nil {
			return fmt.Errorf("series %d (%q): %w", i, s.Name, err)
		}
	}
	names := make(map[string]bool)
	for i, s := range f.Series {
		if len(f.Series) > 1 && (names[s.Name] || s.Name == "") {
			return fmt.Errorf("series %d (%q): several series need names of their own", i, s.Name)
		}
		names[s.Name] = true
	}
	for i, m := range f.Marks {
		if m.Axis != "x" && m.Axis != "y" {
			return fmt.Errorf("mark %d (%q): axis %q, want x or y", i, m.Label, m.Axis)
		}
		if err := checkNumber(m.At, m.Axis == "x" && f.X.Log || m.Axis == "y" && f.Y.Log); err != nil {
			return fmt.Errorf("mark %d (%q): %w", i, m.Label, err)
		}
	}
	return checkRanges(f)
}

func checkSeries(f result.Figure, s result.Series) error {
	if len(s.Points) == 0 {
		return fmt.Errorf("no points")
	}
	seen := make(map[[2]float64]bool)
	for i, p := range s.Points {
		for _, c := range []struct {
			name  string
			value float64
			log   bool
		}{{"x", p.X, f.X.Log}, {"y", p.Y, f.Y.Log}, {"z", p.Z, false}} {
			if err := checkNumber(c.value, c.log); err != nil {
				return fmt.Errorf("point %d: %s: %w", i, c.name, err)
			}
		}
		if len(f.X.Categories) == 0 {
			continue
		}
		cell := [2]float64{p.X}
		if err := checkCategory(p.X, f.X.Categories); err != nil {
			return fmt.Errorf("point %d: x: %w", i, err)
		}
		if f.Kind == result.Heat {
			cell[1] = p.Y
			if err := checkCategory(p.Y, f.Y.Categories); err != nil {
				return fmt.Errorf("point %d: y: %w", i, err)
			}
		}
		if seen[cell] {
			return fmt.Errorf("point %d: a second value for the same category", i)
		}
		seen[cell] = true
	}
	return nil
}

func checkNumber(x float64, log bool) error {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Errorf("%v is not a finite number", x)
	}
	if log && x <= 0 {
		return fmt.Errorf("%v cannot stand on a logarithmic axis", x)
	}
	return nil
}

func checkCategory(x float64, categories []string) error {
	if x != math.Trunc(x) || x < 0 || x >= float64(len(categories)) {
		return fmt.Errorf("%v is not the number of one of %d categories", x, len(categories))
	}
	return nil
}

func checkRanges(f result.Figure) error {
	for i, a := range []result.Axis{f.X, f.Y} {
		for _, limit := range []*float64{a.Min, a.Max} {
			if limit != nil {
				if err := checkNumber(*limit, a.Log); err != nil {
					return fmt.Errorf("%c axis: %w", "xy"[i], err)
				}
			}
		}
		if a.Min != nil && a.Max != nil && *a.Min >= *a.Max {
			return fmt.Errorf("%c axis: min %v is not below max %v", "xy"[i], *a.Min, *a.Max)
		}
	}
	return nil
}

func checkPanels(f result.Figure) error {
	if len(f.Panels) == 0 {
		return fmt.Errorf("kind %q needs panels", f.Kind)
	}
	for i, p := range f.Panels {
		if p.Pages <= 0 || p.Columns <= 0 {
			return fmt.Errorf("panel %d (%q): %d pages in %d columns", i, p.Name, p.Pages, p.Columns)
		}
		for j, page := range p.Touched {
			if page < 0 || page >= p.Pages {
				return fmt.Errorf("panel %d (%q): touched page %d is not one of %d", i, p.Name, page, p.Pages)
			}
			if j > 0 && page <= p.Touched[j-1] {
				return fmt.Errorf("panel %d (%q): touched pages are not ascending at %d", i, p.Name, page)
			}
		}
	}
	return nil
}
