package workload

import "math"

// Zipf is how often users post relative to each other, the busiest first: rank r from 1 in proportion to r^-exponent.
// Source: Zipf, "Human behavior and the principle of least effort", 1949.
func Zipf(users int, exponent float64) []float64 {
	rates := make([]float64, users)
	for r := range rates {
		rates[r] = coarse(math.Pow(float64(r+1), -exponent))
	}
	return rates
}

// Lognormal is the same where the logarithm of a rate is normal with so large a deviation: the quantiles in the middle of
// as many equal parts as there are users.
func Lognormal(users int, sigma float64) []float64 {
	rates := make([]float64, users)
	for r := range rates {
		at := (float64(users-r) - .5) / float64(users)
		rates[r] = coarse(math.Exp(sigma * math.Sqrt2 * math.Erfinv(2*at-1)))
	}
	return rates
}

// coarse drops the last digits of a rate: powers and quantiles differ there between processors, and the posts drawn from
// them must not.
func coarse(rate float64) float64 { return float64(float32(rate)) }

// Deal gives rates to users in random order, so that a user's number says nothing about the rate.
func Deal(rates []float64, seed uint64) []float64 {
	weights := make([]float64, len(rates))
	for rank, user := range shuffle(len(rates), len(rates), NewDraws(seed, rankStream)) {
		weights[user] = rates[rank]
	}
	return weights
}
