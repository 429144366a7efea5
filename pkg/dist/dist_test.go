package dist

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		values []int64
		want   D
	}{
		{nil, D{}},
		{[]int64{7}, D{N: 1, Sum: 7, Mean: 7, P50: 7, P99: 7, Max: 7}},
		{[]int64{4, 1, 3, 2}, D{N: 4, Sum: 10, Mean: 2.5, P50: 2, P99: 4, Max: 4}},
		{[]int64{0, 5000, 5000, 9000}, D{N: 4, Sum: 19000, Mean: 4750, P50: 5000, P99: 9000, Max: 9000}},
	} {
		if got := Of(c.values); got != c.want {
			t.Errorf("Of(%v) = %+v, want %+v", c.values, got, c.want)
		}
	}
}

// Against the definition, in any order, in parts merged, and scaled.
func TestLaws(t *testing.T) {
	const seed = 6
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		values := make([]int64, 1+r.IntN(300))
		for i := range values {
			values[i] = r.Int64N(3 * small)
		}
		got := Of(values)
		var a, b Counts
		for i, v := range values {
			if i%3 == 0 {
				a.Add(v)
			} else {
				b.Add(v)
			}
		}
		a.Merge(&b)
		if a.D() != got {
			t.Fatalf("seed %d: merged %+v, whole %+v", seed, a.D(), got)
		}
		scaled := slices.Clone(values)
		for i := range scaled {
			scaled[i] *= 7
		}
		if Of(scaled) != got.Scaled(7) {
			t.Fatalf("seed %d: scaling the values %+v, scaling the distribution %+v", seed, Of(scaled), got.Scaled(7))
		}
		slices.Sort(values)
		n := int64(len(values))
		if got.P50 != values[(n+1)/2-1] || got.P99 != values[(99*n+99)/100-1] || got.Max != values[n-1] {
			t.Fatalf("seed %d: %+v is not by nearest rank of %v", seed, got, values)
		}
	}
}
