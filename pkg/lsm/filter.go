package lsm

import "math"

// Filter is a Bloom filter: a key that was added is always found, one that was not is found by mistake with chance
// (1 - (1 - 1/bits)^(keys probes))^probes. Each key's bits come from the two halves of its hash, bit i = h2 + i h1, as
// in Cassandra. Bloom, "Space/time trade-offs in hash coding with allowable errors", CACM 13(7), 1970; Kirsch and
// Mitzenmacher, "Less hashing, same performance", 2006.
type Filter struct {
	words  []uint64
	bits   int64
	probes int
}

// NewFilter is an empty filter for so many keys.
func NewFilter(keys int64, bitsPerKey int) *Filter {
	bits := max(1, keys) * int64(bitsPerKey)
	return &Filter{words: make([]uint64, (bits+63)/64), bits: bits, probes: Probes(bitsPerKey)}
}

// Probes is how many bits a key sets: the number that mistakes fewest, bits a key times ln 2.
func Probes(bitsPerKey int) int { return max(1, int(math.Round(float64(bitsPerKey)*math.Ln2))) }

// Add sets a key's bits.
func (f *Filter) Add(h1, h2 uint64) {
	for range f.probes {
		bit := f.bit(h2)
		f.words[bit/64] |= 1 << (bit % 64)
		h2 += h1
	}
}

// Has reports whether all the key's bits are set.
func (f *Filter) Has(h1, h2 uint64) bool {
	for range f.probes {
		if bit := f.bit(h2); f.words[bit/64]&(1<<(bit%64)) == 0 {
			return false
		}
		h2 += h1
	}
	return true
}

func (f *Filter) bit(h uint64) int64 {
	n := int64(h) % f.bits
	if n < 0 {
		return -n
	}
	return n
}
