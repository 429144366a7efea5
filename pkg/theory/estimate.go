package theory

import "math"

// Estimate is an expected value for one user and the standard deviation between users.
type Estimate struct {
	Mean float64
	SD   float64
}

// StandardError is that of a mean over so many users drawn with replacement: SD / sqrt(users).
func (e Estimate) StandardError(users int) float64 { return e.SD / math.Sqrt(float64(users)) }

// Scale is the estimate of k times the quantity.
func (e Estimate) Scale(k float64) Estimate { return Estimate{e.Mean * k, e.SD * math.Abs(k)} }

// Plus is the estimate of the sum of two quantities that vary independently.
func (e Estimate) Plus(o Estimate) Estimate {
	return Estimate{e.Mean + o.Mean, math.Sqrt(float64(e.SD*e.SD) + float64(o.SD*o.SD))}
}

// Ratio is the estimate of the ratio of two means, by the delta method, in which the quantities vary independently.
func (e Estimate) Ratio(o Estimate) Estimate {
	r := e.Mean / o.Mean
	a, b := e.SD/e.Mean, o.SD/o.Mean
	return Estimate{r, r * math.Sqrt(float64(a*a)+float64(b*b))}
}

// FinitePopulation is the factor by which a standard error shrinks when n of N users are drawn without replacement:
// sqrt((N-n)/(N-1)). Source: Cochran, "Sampling techniques", 1977, section 2.6.
func FinitePopulation(n, of int) float64 {
	if of < 2 {
		return 0
	}
	return math.Sqrt(float64(of-n) / float64(of-1))
}
