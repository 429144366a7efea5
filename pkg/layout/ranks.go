package layout

import "math/bits"

// ranks is a set of numbers below a bound in which neighbours are found in a few steps: a bit for each number, and above
// that, level by level, a bit for each word below that has any.
type ranks [][]uint64

func newRanks(bound int64) ranks {
	var s ranks
	for n := bound; len(s) == 0 || n > 1; {
		n = (n + 63) / 64
		s = append(s, make([]uint64, max(1, n)))
	}
	return s
}

func (s ranks) add(i int64) {
	for _, words := range s {
		words[i/64] |= 1 << (i % 64)
		i /= 64
	}
}

func (s ranks) has(i int64) bool { return s[0][i/64]>>(i%64)&1 == 1 }

// atMost is the greatest number of at most i; -1: there is none.
func (s ranks) atMost(i int64) int64 {
	for level, words := range s {
		if i < 0 {
			return -1
		}
		if below := words[i/64] & (2<<(i%64) - 1); below != 0 {
			i = i/64*64 + int64(bits.Len64(below)) - 1
			for level > 0 {
				level--
				i = i*64 + int64(bits.Len64(s[level][i])) - 1
			}
			return i
		}
		i = i/64 - 1
	}
	return -1
}

// atLeast is the smallest number of at least i; -1: there is none.
func (s ranks) atLeast(i int64) int64 {
	for level, words := range s {
		if i/64 >= int64(len(words)) {
			return -1
		}
		if above := words[i/64] &^ (1<<(i%64) - 1); above != 0 {
			i = i/64*64 + int64(bits.TrailingZeros64(above))
			for level > 0 {
				level--
				i = i*64 + int64(bits.TrailingZeros64(s[level][i]))
			}
			return i
		}
		i = i/64 + 1
	}
	return -1
}

// list is the numbers, ascending.
func (s ranks) list() []int64 {
	var all []int64
	for i := s.atLeast(0); i >= 0; i = s.atLeast(i + 1) {
		all = append(all, i)
	}
	return all
}
