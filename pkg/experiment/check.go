package experiment

import (
	"math"

	"pagetouch/pkg/result"
	"pagetouch/pkg/theory"
)

// check is one simulated mean beside its closed form.
type check struct {
	name      string
	unit      string
	simulated float64
	expected  theory.Estimate
}

// checkTable sets simulated means beside closed forms: how far apart they are in standard errors.
func (l *Lab) checkTable(name string, checks []check) (result.Table, []result.Warning) {
	t := result.Table{
		Name:    name,
		Title:   "Simulated and expected",
		Caption: "Two independent ways to each number: reads executed on placed rows, and a closed form. z is their distance in standard errors of a mean over the sampled users.",
		Columns: []result.Column{{Name: "figure"}, {Name: "unit"}, {Name: "simulated"}, {Name: "closed form"}, {Name: "standard error"}, {Name: "z"}},
	}
	var warnings []result.Warning
	for _, c := range checks {
		se := c.expected.StandardError(l.Sample)
		z := zScore(c.simulated, c.expected.Mean, se)
		t.Rows = append(t.Rows, []result.Cell{
			result.Text(c.name), result.Text(c.unit), result.Number(c.simulated, 4), result.Number(c.expected.Mean, 4),
			result.Number(se, 4), result.Number(z, 1),
		})
		if math.Abs(z) > 3 {
			warnings = append(warnings, result.Warning{Text: c.name + " lies " + num(math.Abs(z), 1) +
				" standard errors from its closed form: by chance one mean in 370 does."})
		}
	}
	return t, warnings
}

// zScore is the distance from the expected value in standard errors; NaN where nothing is left to chance.
func zScore(x, expected, se float64) float64 {
	if se < 1e-12 {
		return math.NaN()
	}
	return (x - expected) / se
}
