package workload

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func TestRates(t *testing.T) {
	zipf := Zipf(1000, 1)
	if zipf[0] != 1 || zipf[1] != .5 || zipf[9] != float64(float32(.1)) {
		t.Errorf("Zipf 1: %v", zipf[:10])
	}
	if flat := Zipf(5, 0); slices.Max(flat) != 1 || slices.Min(flat) != 1 {
		t.Errorf("Zipf 0 is even, not %v", flat)
	}
	for _, sigma := range []float64{.5, 1, 2} {
		rates := Lognormal(20_001, sigma)
		if math.Abs(rates[10_000]-1) > 1e-9 || rates[0] < rates[1] {
			t.Errorf("lognormal %v: median %v", sigma, rates[10_000])
		}
		for r, rate := range rates {
			if want := coarse(distuv.LogNormal{Sigma: sigma}.Quantile((20_001 - float64(r) - .5) / 20_001)); rate != want {
				t.Fatalf("lognormal %v, rank %d: %v; gonum says %v", sigma, r+1, rate, want)
			}
		}
		sum := 0.0
		for _, r := range rates {
			sum += math.Log(r) * math.Log(r)
		}
		if got := math.Sqrt(sum / 20_001); math.Abs(got/sigma-1) > .001 {
			t.Errorf("lognormal %v: deviation of the logarithms %v", sigma, got)
		}
	}
}

// A user's number says nothing about the rate, and the users whom Sample draws first are not those of the first ranks.
func TestDealIsAPermutation(t *testing.T) {
	rates := Zipf(2000, 1)
	weights := Deal(rates, 7)
	if !slices.Equal(slices.Sorted(slices.Values(weights)), slices.Sorted(slices.Values(rates))) {
		t.Error("the weights are not the rates")
	}
	same := 0
	for rank, user := range Sample(2000, 2000, 7) {
		if weights[user] == rates[rank] {
			same++
		}
	}
	if same > 10 {
		t.Errorf("%d of 2,000 users are drawn in the order of their ranks", same)
	}
}
