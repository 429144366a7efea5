package theory

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The recurrences meet gonum's distributions, which work with logarithms of the gamma function.
func TestCountsAgainstGonum(t *testing.T) {
	near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-11+1e-9*math.Abs(want) }
	for _, lambda := range []float64{0, 1e-9, .3, 1, 8.4932, 100, 2500.5, 60_000} {
		c := newPoisson(lambda)
		for _, k := range []int64{0, 1, 2, 7, 20, int64(lambda), int64(lambda) + 1, int64(lambda + 3*math.Sqrt(lambda)), int64(lambda) * 2} {
			prob, below := 1.0, 1.0 // of lambda 0, which gonum does not know
			if k > 0 && lambda == 0 {
				prob = 0
			} else if k == 0 {
				below = 0
			}
			if lambda > 0 {
				prob = distuv.Poisson{Lambda: lambda}.Prob(float64(k))
				if k > 0 {
					below = distuv.Poisson{Lambda: lambda}.CDF(float64(k - 1))
				}
			}
			if !near(c.at(k), prob) || !near(c.below(k), below) {
				t.Errorf("Poisson(%v) at %d: %v, below %v; want %v, %v", lambda, k, c.at(k), c.below(k), prob, below)
			}
		}
	}
	for _, of := range []struct {
		n int64
		p float64
	}{{1, .5}, {40, 1. / 3}, {80, 1. / 3}, {400, .01}, {120_000, .25}} {
		c, d := newBinomial(of.n, of.p), distuv.Binomial{N: float64(of.n), P: of.p}
		for _, k := range []int64{0, 1, 19, 20, 21, int64(float64(of.n) * of.p), of.n} {
			if k <= of.n && !near(c.at(k), d.Prob(float64(k))) {
				t.Errorf("Binomial(%d, %v) at %d: %v, want %v", of.n, of.p, k, c.at(k), d.Prob(float64(k)))
			}
		}
	}
}

func TestPower(t *testing.T) {
	for _, n := range []int64{0, 1, 2, 3, 40, 49_001} {
		if got, want := power(1-1./44_248, n), math.Pow(1-1./44_248, float64(n)); math.Abs(got-want) > 1e-12 {
			t.Errorf("power %d: %v, want %v", n, got, want)
		}
	}
}
