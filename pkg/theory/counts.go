package theory

// The distributions here are worked out by their recurrences, with no logarithm and no exponential: those differ in the
// last digit between processors, and a report must not.

// counts is a distribution of whole numbers: p[i] is the chance of first+i; all others have none to speak of.
type counts struct {
	first int64
	p     []float64
}

// newCounts makes a distribution from its mode and the ratio of the chances of k+1 and k, which falls as k grows.
func newCounts(mode int64, ratio func(k int64) float64) counts {
	const negligible = 1e-30 // of the mode's chance
	var down, up []float64
	for k, w := mode, 1.0; k > 0; k-- {
		if w /= ratio(k - 1); w < negligible {
			break
		}
		down = append(down, w)
	}
	for k, w := mode, 1.0; ; k++ {
		if w *= ratio(k); w < negligible {
			break
		}
		up = append(up, w)
	}
	c := counts{first: mode - int64(len(down)), p: make([]float64, 0, len(down)+1+len(up))}
	for i := range down {
		c.p = append(c.p, down[len(down)-1-i])
	}
	c.p = append(append(c.p, 1), up...)
	sum := 0.0
	for _, w := range c.p {
		sum += w
	}
	for i := range c.p {
		c.p[i] /= sum
	}
	return c
}

// newPoisson is the Poisson distribution with mean lambda: P(k+1)/P(k) = lambda/(k+1).
func newPoisson(lambda float64) counts {
	return newCounts(int64(lambda), func(k int64) float64 { return lambda / float64(k+1) })
}

// newBinomial is the number of successes in n trials: P(k+1)/P(k) = (n-k)/(k+1) p/(1-p).
func newBinomial(n int64, p float64) counts {
	if p >= 1 {
		return counts{first: n, p: []float64{1}}
	}
	odds := p / (1 - p)
	return newCounts(min(n, int64(float64(n+1)*p)), func(k int64) float64 { return float64(n-k) / float64(k+1) * odds })
}

// at is the chance of k.
func (c counts) at(k int64) float64 {
	if i := k - c.first; i >= 0 && i < int64(len(c.p)) {
		return c.p[i]
	}
	return 0
}

// below is the chance of fewer than n.
func (c counts) below(n int64) float64 {
	sum := 0.0
	for i := range min(max(0, n-c.first), int64(len(c.p))) {
		sum += c.p[i]
	}
	return min(sum, 1)
}

// power is x to the n-th, by squaring; n must not be negative.
func power(x float64, n int64) float64 {
	product := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			product = float64(product * x)
		}
		x = float64(x * x)
	}
	return product
}
