package theory

import "math"

// BucketReads is how many buckets latest n reads that steps back from the newest: shares are the buckets' shares of the
// user's rows from the newest on; the walk ends with the last of them. With each bucket's rows Poisson,
//
//	reads = 1 + sum over m of P(fewer than n rows in the m newest buckets)
func (s Even) BucketReads(n int64, shares []float64) Estimate {
	// P(reads > m) for m = 1, 2, ...: E = sum of tails, E of the square = sum of (2m+1) tails.
	mean, square, sum := 0.0, 0.0, 0.0
	for m, share := range shares {
		tail := 1.0
		if m > 0 {
			tail = fewer(s.mean(sum), n)
		}
		mean += tail
		square += float64(float64(2*m+1) * tail)
		sum += share
	}
	return Estimate{mean, math.Sqrt(max(0, square-float64(mean*mean)))}
}

// AccountPages is the data pages on which the newest n of an account's rows lie at the end of a file of arrivals, when
// its rows are any so many of all: a further page is needed while the last m pages hold fewer than n of them. How many
// they hold is hypergeometric, binomial to one part in the file's pages.
func AccountPages(rows, account, perPage, n int64) float64 {
	p := float64(account) / float64(rows)
	pages := 1.0
	for m := int64(1); m*perPage < rows; m++ {
		missing := newBinomial(m*perPage, p).below(n)
		pages += missing
		if missing < 1e-15 {
			break
		}
	}
	return pages
}
