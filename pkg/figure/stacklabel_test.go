package figure

import (
	"testing"

	"pagetouch/pkg/result"
)

// Digits that their part of a bar has no room for stand behind the bar, or nowhere; never on those of the next part.
func TestStackedLabel(t *testing.T) {
	part := func(a, b float64) result.Series {
		return result.Series{Stack: "pages", Labels: true, Points: []result.Point{{X: 0, Y: a}, {X: 1, Y: b}}}
	}
	f := result.Figure{Kind: result.HBars, X: result.Axis{Categories: []string{"A", "B"}}, Y: result.Axis{Decimals: 2},
		Series: []result.Series{part(19.98, 1.49), part(3.04, 2)}}
	for _, c := range []struct {
		width int
		want  [2][2]string // of A's and B's parts: "in" the part, "-" for none, or the text behind
	}{
		{900, [2][2]string{{"in", "in"}, {"in", "in"}}},
		{500, [2][2]string{{"in", "in"}, {"-", "1.49 + 2.00"}}},
		{190, [2][2]string{{"in", "-"}, {"-", "1.49 + 2.00"}}},
	} {
		s := sheet{figure: f, width: c.width, height: 100, font: 12}
		for x := range 2 {
			for i := range 2 {
				got := "in"
				if l := s.stackedLabel(i, float64(x)); l != nil {
					if got = l.Formatter; got == "" {
						got = "-"
					}
				}
				if got != c.want[x][i] {
					t.Errorf("%d pixels, bar %d, part %d: %q, want %q", c.width, x, i, got, c.want[x][i])
				}
			}
		}
	}
}
