package theory

import "gonum.org/v1/gonum/stat/distuv"

// binomialBelow is the chance of fewer than k successes in n trials.
func binomialBelow(n int64, p float64, k int64) float64 {
	if k > n {
		return 1
	}
	return distuv.Binomial{N: float64(n), P: p}.CDF(float64(k - 1))
}
