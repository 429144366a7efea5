package workload

import "math/bits"

// Draws is a stream of random numbers that can be read at any place: number i costs the same as number 0, so rows can
// be generated in any order, in parallel, and again. It is the SplitMix64 generator (Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators", OOPSLA 2014) read by index.
type Draws uint64

// NewDraws is the stream of that number under a seed; streams of one seed are independent of each other.
func NewDraws(seed, stream uint64) Draws {
	return Draws(mix(mix(seed) + stream*golden))
}

const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio, made odd

// At is the stream's i-th number: 64 uniform bits.
func (d Draws) At(i int64) uint64 {
	return mix(uint64(d) + uint64(i+1)*golden)
}

// mix is the output function of SplitMix64.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below turns uniform bits into a number below n and the uniform bits that are left (Lemire, "Fast random integer
// generation in an interval", 2019). Its bias is at most n/2^64.
func below(x, n uint64) (number, rest uint64) { return bits.Mul64(x, n) }

// Sample draws n distinct numbers below total, in random order: the first n steps of a Fisher-Yates shuffle, of which
// only the numbers that moved are kept.
func Sample(total, n int, seed uint64) []int { return shuffle(total, n, NewDraws(seed, sampleStream)) }

func shuffle(total, n int, draws Draws) []int {
	moved := make(map[int]int, n)
	at := func(i int) int {
		if id, ok := moved[i]; ok {
			return id
		}
		return i
	}
	ids := make([]int, n)
	for i := range ids {
		step, _ := below(draws.At(int64(i)), uint64(total-i))
		from := i + int(step)
		ids[i] = at(from)
		moved[from] = at(i)
	}
	return ids
}

// The streams of one seed.
const (
	rowStream = iota
	sampleStream
	lateStream
	sampledStream
	rankStream
)
