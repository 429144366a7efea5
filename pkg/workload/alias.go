package workload

import (
	"fmt"
	"math"
)

// Alias draws numbers with given weights in constant time: the alias method of Walker ("An efficient method for
// generating discrete random variables with general distributions", 1977) with the tables of Vose (1991).
type Alias struct {
	keep  []uint64 // a draw below it keeps its slot
	other []int32  // where the slot's other draws go
}

// NewAlias makes the tables for weights that are finite, not negative and not all zero.
func NewAlias(weights []float64) (*Alias, error) {
	sum := 0.0
	for i, w := range weights {
		if w < 0 || math.IsNaN(w) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("weight %d is %v: want a finite number of at least 0", i, w)
		}
		sum += w
	}
	if sum <= 0 || math.IsInf(sum, 0) {
		return nil, fmt.Errorf("the sum of %d weights is %v: want a finite number above 0", len(weights), sum)
	}
	n := len(weights)
	a := &Alias{keep: make([]uint64, n), other: make([]int32, n)}
	scaled := make([]float64, n)
	var small, large []int32
	for i, w := range weights {
		scaled[i] = w / sum * float64(n)
		if scaled[i] < 1 {
			small = append(small, int32(i))
		} else {
			large = append(large, int32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		a.keep[s], a.other[s] = uint64(scaled[s]*(1<<63))<<1, l
		scaled[l] -= 1 - scaled[s]
		if scaled[l] < 1 {
			small, large = append(small, l), large[:len(large)-1]
		}
	}
	for _, i := range append(small, large...) { // what rounding left over
		a.keep[i], a.other[i] = math.MaxUint64, i
	}
	return a, nil
}

// Len is how many weights there are.
func (a *Alias) Len() int { return len(a.keep) }

// pick draws a number by its weight and returns fresh bits.
func (a *Alias) pick(x uint64) (number int32, rest uint64) {
	slot, rest := below(x, uint64(len(a.keep)))
	if rest < a.keep[slot] {
		return int32(slot), mix(rest)
	}
	return a.other[slot], mix(rest)
}
