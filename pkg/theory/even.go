package theory

import "math"

// Even is the lesson's setting: users who all post alike through a span of time, so that a user's rows in a share of
// that span are Poisson distributed (the limit of the binomial that they are, off by one part in Users).
type Even struct {
	Rows    int64 // of all users
	Users   int64
	Others  int64 // rows of a big account mixed into the arrivals; 0: none
	PerPage int64 // rows a page
	Fanout  int64 // entries an index page
}

// p is the chance that an arrival is a given user's.
func (s Even) p() float64 { return float64(s.Rows) / float64(s.Users) / float64(s.Rows+s.Others) }

// mean is how many rows a user has in a share of the time.
func (s Even) mean(share float64) float64 { return float64(s.Rows) / float64(s.Users) * share }

// given is the mean and the variance of a count, given how many rows a user has.
type given func(rows int64) (mean, variance float64)

// over takes a count over all users, whose rows in the share of the time are Poisson: the mean of the means, and the
// mean of the variances plus the variance of the means.
func (s Even) over(share float64, count given) Estimate {
	sum, squares := 0.0, 0.0
	rows := newPoisson(s.mean(share))
	for i, w := range rows.p {
		m, v := count(rows.first + int64(i))
		sum += float64(w * m)
		squares += float64(w * (v + float64(m*m)))
	}
	return Estimate{sum, math.Sqrt(max(0, squares-float64(sum*sum)))}
}

// fewer is the chance that a user has fewer than n rows, when lambda are expected.
func fewer(lambda float64, n int64) float64 { return newPoisson(lambda).below(n) }

// crossings is how many boundaries a stretch of steps crosses that begins anywhere: steps/per on average, and only the
// fraction is left to chance.
func crossings(steps, per int64) (mean, variance float64) {
	x := float64(max(0, steps)) / float64(per)
	f := x - math.Floor(x)
	return x, f * (1 - f)
}
