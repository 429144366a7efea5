// Package dist is the distribution of a count over entities or partitions: how many values, their sum and mean, and
// the values at the middle, at the 99th percentile and at the end. Percentiles are by nearest rank, so each of them
// is a value that occurred: the one at position ceil(q·n) of the sorted values.
package dist

import (
	"maps"
	"slices"
)

// D is the distribution of n values. The zero D is that of none.
type D struct {
	N    int64   `json:"n"`
	Sum  int64   `json:"sum"`
	Mean float64 `json:"mean"` // Sum / N; 0 of no values
	P50  int64   `json:"p50"`
	P99  int64   `json:"p99"`
	Max  int64   `json:"max"`
}

// Scaled is the distribution of the values times k, which must not be negative.
func (d D) Scaled(k int64) D {
	d.Sum, d.P50, d.P99, d.Max = d.Sum*k, d.P50*k, d.P99*k, d.Max*k
	d.Mean = mean(d.Sum, d.N)
	return d
}

// Of is the distribution of values, which may come in any order and are not negative.
func Of(values []int64) D {
	var c Counts
	for _, v := range values {
		c.Add(v)
	}
	return c.D()
}

// Counts collects values that are not negative. Memory grows with how many different values there are.
type Counts struct {
	small []int64         // how often each value below len(small) came
	large map[int64]int64 // how often each other came
}

// Small values are counted in an array: most counts of rows and of partitions are.
const small = 4096

// Add takes in one value.
func (c *Counts) Add(v int64) {
	if v < small {
		if c.small == nil {
			c.small = make([]int64, small)
		}
		c.small[v]++
		return
	}
	if c.large == nil {
		c.large = map[int64]int64{}
	}
	c.large[v]++
}

// Merge takes in all values of o.
func (c *Counts) Merge(o *Counts) {
	if c.small == nil {
		c.small = make([]int64, small)
	}
	for v, times := range o.small {
		c.small[v] += times
	}
	if c.large == nil {
		c.large = map[int64]int64{}
	}
	for v, times := range o.large {
		c.large[v] += times
	}
}

// D is the distribution of all values taken in.
func (c *Counts) D() D {
	var d D
	order := slices.Sorted(maps.Keys(c.large))
	each := func(yield func(v, times int64) bool) {
		for v, times := range c.small {
			if times > 0 && !yield(int64(v), times) {
				return
			}
		}
		for _, v := range order {
			if !yield(v, c.large[v]) {
				return
			}
		}
	}
	for v, times := range each {
		d.N += times
		d.Sum += v * times
		d.Max = v
	}
	if d.N == 0 {
		return d
	}
	d.Mean = mean(d.Sum, d.N)
	var seen int64
	half, most := Rank(50, d.N), Rank(99, d.N)
	for v, times := range each {
		if seen < half && half <= seen+times {
			d.P50 = v
		}
		if seen < most && most <= seen+times {
			d.P99 = v
			break
		}
		seen += times
	}
	return d
}

// Rank is the position, from 1, of a percentile among n sorted values: ceil(percent/100 · n), in whole numbers.
func Rank(percent, n int64) int64 { return n/100*percent + (n%100*percent+99)/100 }

func mean(sum, n int64) float64 {
	if n == 0 {
		return 0
	}
	return float64(sum) / float64(n)
}
