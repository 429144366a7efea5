package theory

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

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
	lambda := s.mean(share)
	reach := int64(12*math.Sqrt(lambda)) + 30
	sum, squares := 0.0, 0.0
	for k := max(0, int64(lambda)-reach); k <= int64(lambda)+reach; k++ {
		w := poisson(lambda, k)
		m, v := count(k)
		sum += float64(w * m)
		squares += float64(w * (v + float64(m*m)))
	}
	return Estimate{sum, math.Sqrt(max(0, squares-float64(sum*sum)))}
}

func poisson(lambda float64, k int64) float64 {
	if lambda == 0 {
		if k == 0 {
			return 1
		}
		return 0
	}
	return distuv.Poisson{Lambda: lambda}.Prob(float64(k))
}

// fewer is the chance that a user has fewer than n rows, when lambda are expected.
func fewer(lambda float64, n int64) float64 {
	if n < 1 {
		return 0
	}
	if lambda == 0 {
		return 1
	}
	return distuv.Poisson{Lambda: lambda}.CDF(float64(n - 1))
}

// crossings is how many boundaries a stretch of steps crosses that begins anywhere: steps/per on average, and only the
// fraction is left to chance.
func crossings(steps, per int64) (mean, variance float64) {
	x := float64(max(0, steps)) / float64(per)
	f := x - math.Floor(x)
	return x, f * (1 - f)
}
