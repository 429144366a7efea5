package workload

import "math/bits"

// dice reads a stream of random numbers one after another, and draws whole numbers from exact distributions. It uses
// no logarithm, no exponential and no sum of products, whose last digits differ between processors.
type dice struct {
	draws Draws
	read  int64
	coins [len(tosses)]*coins // made when first needed
}

// tosses is how many coins each table tosses at once: eight times as many as the next.
var tosses = [...]int64{1 << 27, 1 << 24, 1 << 21, 1 << 18, 1 << 15, 1 << 12, 1 << 9}

func newDice(seed, stream uint64) *dice { return &dice{draws: NewDraws(seed, stream)} }

func (d *dice) bits() uint64 {
	d.read++
	return d.draws.At(d.read - 1)
}

// below draws a number below n.
func (d *dice) below(n uint64) uint64 {
	x, _ := below(d.bits(), n)
	return x
}

// binomial draws how many of n trials succeed, each with chance a/b, 0 <= a <= b.
//
// A trial compares a uniform number with a/b, binary digit by binary digit, until they differ: it succeeds where the
// number has the 0. So of the trials that are still undecided a fair coin each decides those whose digit differs, and
// about log2(n) counts of heads decide all (Farach-Colton and Tsai, "Exact sublinear binomial sampling", 2015).
func (d *dice) binomial(n, a, b int64) int64 {
	if a == b {
		return n
	}
	succeeded, undecided := int64(0), n
	for digits := uint64(a); undecided > 0 && digits > 0; { // past the last 1 every number is larger
		digits *= 2
		heads := d.heads(undecided)
		if digits >= uint64(b) { // the digit is 1
			digits -= uint64(b)
			succeeded += undecided - heads
			undecided = heads
		} else {
			undecided -= heads
		}
	}
	return succeeded
}

// heads draws how many of n fair coins show heads: stretches of coins from tables, the rest one bit each.
func (d *dice) heads(n int64) int64 {
	heads := int64(0)
	for i, at := range tosses {
		if n >= at && d.coins[i] == nil {
			d.coins[i] = newCoins(at)
		}
		for ; n >= at; n -= at {
			k, _ := d.coins[i].table.pick(d.bits())
			heads += d.coins[i].lowest + int64(k)
		}
	}
	for ; n >= 64; n -= 64 {
		heads += int64(bits.OnesCount64(d.bits()))
	}
	if n > 0 {
		heads += int64(bits.OnesCount64(d.bits() >> (64 - n)))
	}
	return heads
}

// coins is the distribution of heads among so many fair coins, as a table; what is less likely than 2^-80 of the
// middle is left out, and the rest is right to about one part in 10^12.
type coins struct {
	lowest int64
	table  *Alias
}

func newCoins(tosses int64) *coins {
	middle := tosses / 2
	upper := []float64{1} // chances of middle, middle+1, ... as multiples of the first
	for k := middle; upper[len(upper)-1] > 1.0/(1<<40)/(1<<40); k++ {
		upper = append(upper, upper[len(upper)-1]*(float64(tosses-k)/float64(k+1)))
	}
	reach := len(upper) - 1
	weights := make([]float64, 2*reach+1)
	for i, w := range upper {
		weights[reach-i], weights[reach+i] = w, w
	}
	table, err := NewAlias(weights)
	if err != nil {
		panic(err) // the weights are positive
	}
	return &coins{middle - int64(reach), table}
}
