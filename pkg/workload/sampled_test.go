package workload

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// chiSquare is the chance of counts as far from their expectation as these; cells that expect fewer than 10 are pooled.
func chiSquare(counts map[int64]int64, draws int64, expected func(k int64) float64, lo, hi int64) float64 {
	sum, cells, pooled, pooledWant := 0.0, 0, 0.0, 0.0
	for k := lo; k <= hi; k++ {
		pooled += float64(counts[k])
		pooledWant += expected(k) * float64(draws)
		if pooledWant >= 10 {
			sum += (pooled - pooledWant) * (pooled - pooledWant) / pooledWant
			cells, pooled, pooledWant = cells+1, 0, 0
		}
	}
	if cells < 2 {
		return 1
	}
	return distuv.ChiSquared{K: float64(cells - 1)}.Survival(sum)
}

// Small counts are held against the exact distribution.
func TestBinomialIsExact(t *testing.T) {
	d := newDice(5, 99)
	const draws = 40_000
	for _, c := range []struct{ n, a, b int64 }{
		{1, 1, 3}, {7, 1, 2}, {40, 3, 10}, {200, 1, 20_000}, {511, 1, 2}, {513, 2, 3}, {5_000, 1, 100}, {2_000_000, 1, 20_000},
		{600, 999, 1000}, {3, 1, 1 << 40}, {100_000, 1, 2}, {9, 5, 5}, {9, 0, 5},
	} {
		counts, lo, hi := map[int64]int64{}, c.n, int64(0)
		for range draws {
			k := d.binomial(c.n, c.a, c.b)
			counts[k]++
			lo, hi = min(lo, k), max(hi, k)
		}
		if lo < 0 || hi > c.n {
			t.Fatalf("binomial(%d, %d/%d) gave %d to %d", c.n, c.a, c.b, lo, hi)
		}
		p := float64(c.a) / float64(c.b)
		if p == 0 || p == 1 {
			if counts[c.n*c.a/c.b] != draws {
				t.Errorf("binomial(%d, %d/%d): %v", c.n, c.a, c.b, counts)
			}
			continue
		}
		exact := distuv.Binomial{N: float64(c.n), P: p}
		if chance := chiSquare(counts, draws, func(k int64) float64 { return exact.Prob(float64(k)) }, 0, min(c.n, hi+100)); chance < 1e-4 {
			t.Errorf("binomial(%d, %d/%d): so far from its distribution with chance %v", c.n, c.a, c.b, chance)
		}
	}
}

// Large counts are held against mean, variance and, cut into tenths, the normal distribution that they are near.
func TestLargeBinomials(t *testing.T) {
	d := newDice(6, 99)
	const draws = 1_000
	for _, c := range []struct{ n, a, b int64 }{
		{1e12, 1, 10_000_000_000}, {1e12, 1, 2}, {1e12, 1, 3}, {1e9, 7, 20_000}, {123_456_789_012, 999_999, 1_000_000},
	} {
		p := float64(c.a) / float64(c.b)
		mean, sd := float64(c.n)*p, math.Sqrt(float64(c.n)*p*(1-p))
		sum, squares, tenths := 0.0, 0.0, map[int64]int64{}
		normal := distuv.Normal{Mu: 0, Sigma: 1}
		for range draws {
			z := (float64(d.binomial(c.n, c.a, c.b)) - mean) / sd
			sum, squares = sum+z, squares+z*z
			tenths[int64(10*normal.CDF(z))]++
		}
		if m, v := sum/draws, squares/draws; math.Abs(m) > 4/math.Sqrt(draws) || math.Abs(v-1) > 4*math.Sqrt(2.0/draws) {
			t.Errorf("binomial(%d, %d/%d): mean of z %v, of its square %v", c.n, c.a, c.b, m, v)
		}
		if sd > 100 { // else the steps of a whole number show
			if chance := chiSquare(tenths, draws, func(int64) float64 { return .1 }, 0, 9); chance < 1e-4 {
				t.Errorf("binomial(%d, %d/%d): tenths %v, chance %v", c.n, c.a, c.b, tenths, chance)
			}
		}
	}
}

// A table of coins is right to one part in 10^12: its middle is C(n, n/2) / 2^n.
func TestCoins(t *testing.T) {
	c := newCoins(512)
	share := new(big.Float).SetInt(new(big.Int).Binomial(512, 256))
	want, _ := new(big.Float).SetMantExp(share, -512).Float64()
	total, middle := 0.0, 0.0 // the chance that a draw is 256: its own slot's share and what other slots send to it
	n := float64(c.table.Len())
	for slot, keep := range c.table.keep {
		own := (float64(keep) + 1) / (1 << 64)
		if c.lowest+int64(slot) == 256 {
			middle += own / n
		}
		if c.lowest+int64(c.table.other[slot]) == 256 {
			middle += (1 - own) / n
		}
		total += 1 / n
	}
	if math.Abs(middle/want-1) > 1e-12 {
		t.Errorf("chance of 256 heads in 512: %v, want %v", middle, want)
	}
}

// The two ways to choose take the same draws and give the same numbers.
func TestMarkedAndGatheredAreTheSame(t *testing.T) {
	again := 0
	for seed := range uint64(200) {
		n := 1 + int64(seed)*7
		for _, k := range []int64{0, 1, n / 64, n / 3, n / 2} {
			a, b := newDice(seed, 5), newDice(seed, 5)
			marked, gathered := a.mark(n, k), b.gather(n, k)
			next := a.below(1 << 40)
			if !slices.Equal(marked, gathered) || next != b.below(1<<40) {
				t.Fatalf("seed %d, %d of %d: %v and %v", seed, k, n, marked, gathered)
			}
			c := newDice(seed, 5)
			for range k {
				c.below(uint64(n))
			}
			if next != c.below(1<<40) {
				again++
			}
		}
	}
	if again == 0 {
		t.Error("no number was ever drawn twice")
	}
}

func TestChooseIsEven(t *testing.T) {
	d := newDice(7, 99)
	dense := 0
	for _, c := range [][2]int64{{6, 0}, {6, 2}, {6, 3}, {6, 5}, {6, 6}} {
		n, k := c[0], c[1]
		sets := map[int64]int64{}
		const draws = 20_000
		for range draws {
			set := int64(0)
			chosen := d.choose(n, k)
			if int64(len(chosen)) != k || !slices.IsSorted(chosen) {
				t.Fatalf("choose(%d, %d) = %v", n, k, chosen)
			}
			for _, x := range chosen {
				set |= 1 << x
			}
			sets[set]++
			if k > n/2 {
				dense++
			}
		}
		ways := new(big.Int).Binomial(n, k).Int64()
		if int64(len(sets)) != ways {
			t.Errorf("choose(%d, %d) gave %d sets, want %d", n, k, len(sets), ways)
		}
		i, ranked := int64(0), map[int64]int64{}
		for _, times := range sets {
			ranked[i] = times
			i++
		}
		if chance := chiSquare(ranked, draws, func(int64) float64 { return 1 / float64(ways) }, 0, ways-1); chance < 1e-4 {
			t.Errorf("choose(%d, %d): sets %v, chance %v", n, k, sets, chance)
		}
	}
	if dense == 0 {
		t.Error("no set was drawn by what it leaves out")
	}
}

// A sampled census adds up, whatever is asked.
func TestSampledCensusAddsUp(t *testing.T) {
	everyone, nobody, ties := 0, 0, 0
	for seed := range uint64(400) {
		d := newDice(seed, 99)
		s := &Sampled{Count: 1 + int64(d.below(300)), Users: 1 + int(d.below(30)), From: -50, To: -50 + 1 + int64(d.below(1000)), Bytes: 3, Seed: seed}
		asked := Sample(s.Users, int(d.below(uint64(s.Users+1))), seed)
		c, err := Count(s, asked)
		if err != nil {
			t.Fatal(err)
		}
		seen, sum := map[int64]bool{}, int64(0)
		for i := range c.Asked {
			e := &c.Asked[i]
			if e.ID != asked[i] || !slices.IsSorted(e.Time) || !slices.IsSorted(e.Position) || len(e.Time) != len(e.Position) || e.RowBytes != 3 {
				t.Fatalf("seed %d: user %d: %+v", seed, asked[i], e)
			}
			for j, p := range e.Position {
				if p < 0 || p >= s.Count || seen[p] || e.Time[j] < s.From || e.Time[j] >= s.To {
					t.Fatalf("seed %d: row %d at %d", seed, p, e.Time[j])
				}
				seen[p] = true
				if j > 0 && e.Time[j] == e.Time[j-1] {
					ties++
				}
			}
			for j := range c.Asked {
				if o := &c.Asked[j]; o.ID > e.ID && o.Before < e.Before+int64(e.Rows()) {
					t.Fatalf("seed %d: user %d begins at %d, before user %d ends", seed, o.ID, o.Before, e.ID)
				}
			}
			sum += int64(e.Rows())
		}
		if len(asked) == s.Users {
			everyone++
			if sum != s.Count {
				t.Fatalf("seed %d: all users have %d of %d rows", seed, sum, s.Count)
			}
		}
		if len(asked) == 0 {
			nobody++
		}
		if c.Rows != s.Count || c.Bytes != 3*s.Count || c.Keys > int64(s.Users) || c.Largest.Rows > s.Count {
			t.Fatalf("seed %d: census %+v", seed, c)
		}
	}
	if everyone == 0 || nobody == 0 || ties == 0 {
		t.Errorf("hard cases not met: everyone asked %d times, nobody %d, ties %d", everyone, nobody, ties)
	}
}

func TestSampledRejects(t *testing.T) {
	good := Sampled{Count: 10, Users: 5, To: 10, Bytes: 1}
	for name, c := range map[string]struct {
		change func(*Sampled)
		asked  []int
	}{
		"no posts": {func(s *Sampled) { s.Count = 0 }, nil}, "no users": {func(s *Sampled) { s.Users = 0 }, nil},
		"no span": {func(s *Sampled) { s.To = 0 }, nil}, "no bytes": {func(s *Sampled) { s.Bytes = 0 }, nil},
		"too many bytes": {func(s *Sampled) { s.Count, s.Bytes = 1<<50, 1<<20 }, nil},
		"twice":          {func(*Sampled) {}, []int{1, 1}}, "past the end": {func(*Sampled) {}, []int{5}}, "negative": {func(*Sampled) {}, []int{-1}},
	} {
		s := good
		c.change(&s)
		if _, err := Count(&s, c.asked); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
	if good.Scan(nil) == nil {
		t.Error("a scan must be an error")
	}
}

// The bytes drawn do not depend on the machine: the first users' rows under seed 1.
func TestSampledIsPinned(t *testing.T) {
	s := &Sampled{Count: 1_000_000_000_000, Users: 10_000_000_000, From: year2025, To: year2026, Bytes: 200, Seed: 1}
	begin := time.Now()
	c, err := Count(s, Sample(s.Users, 1000, 1))
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(begin)
	if took > 2*time.Second {
		t.Errorf("10^12 rows took %v", took)
	}
	e := &c.Asked[0]
	got := fmt.Sprint(e.ID, e.Rows(), e.Before, e.KeysBefore, e.Position[0], e.Time[0])
	if want := "3350425609 114 335042461857 3350425609 44394574 1735691000027301"; got != want {
		t.Errorf("first user: %s, want %s", got, want)
	}
	sum, squares := 0.0, 0.0
	for i := range c.Asked {
		n := float64(c.Asked[i].Rows())
		sum, squares = sum+n, squares+n*n
	}
	mean := sum / 1000 // Poisson(100): mean and variance 100, within four standard errors
	if variance := squares/1000 - mean*mean; math.Abs(mean-100) > 4*.316 || math.Abs(variance-100) > 4*4.5 {
		t.Errorf("posts per sampled user: mean %v, variance %v", mean, variance)
	}
	t.Logf("10^12 rows: %v", took)
}

func BenchmarkSampled(b *testing.B) {
	for _, rows := range []int64{2e6, 1e9, 1e12} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			s := &Sampled{Count: rows, Users: int(rows / 100), From: year2025, To: year2026, Bytes: 200, Seed: 1}
			asked := Sample(s.Users, 1000, 1)
			for b.Loop() {
				if _, err := s.Census(asked); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
