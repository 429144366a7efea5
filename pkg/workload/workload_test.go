package workload

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"
)

const (
	year2025 = 1735689600_000000 // 2025-01-01T00:00:00Z
	year2026 = 1767225600_000000
)

func lesson() *Posts {
	return &Posts{Count: 2_000_000, Users: 20_000, From: year2025, To: year2026, Bytes: 200, Seed: 1}
}

// scanOnly hides a generator's own census.
type scanOnly struct{ Workload }

func TestCensusEqualsScan(t *testing.T) {
	weights, err := NewAlias([]float64{5, 1, 0, 3, 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*Posts{
		"even":    {Count: 200_003, Users: 997, From: year2025, To: year2026, Bytes: 200, Seed: 7},
		"account": {Count: 3001, Users: 50, From: year2025, To: year2026, Bytes: 200, Seed: 7, Account: 1500},
		"uneven":  {Count: 3001, Users: 5, From: year2025, To: year2026, Bytes: 200, Seed: 7, Weights: weights},
		"late":    {Count: 3001, Users: 5, From: year2025, To: year2026, Bytes: 200, Seed: 7, Late: .3, LateBy: 1e13},
		"any":     {Count: 3001, Users: 5, From: year2025, To: year2026, Bytes: 200, Seed: 7, Order: AnyOrder},
	} {
		asked := []int{3, 0, 4, p.Entities() - 2}[:3]
		want, err := Count(scanOnly{p}, asked)
		if err != nil {
			t.Fatal(err)
		}
		for _, procs := range []int{1, 2, 5} {
			old := runtime.GOMAXPROCS(procs)
			got, err := Count(p, asked)
			runtime.GOMAXPROCS(old)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s with %d processors: census %v differs from a plain scan (%v)", name, procs, got, err)
			}
		}
	}
}

func TestLessonWorkload(t *testing.T) {
	c, err := Count(lesson(), Sample(20_000, 1000, 1))
	if err != nil {
		t.Fatal(err)
	}
	if c.Rows != 2_000_000 || c.Bytes != 400_000_000 || c.Keys != 20_000 || len(c.Asked) != 1000 {
		t.Errorf("census: %d rows, %d bytes, %d keys, %d asked", c.Rows, c.Bytes, c.Keys, len(c.Asked))
	}
	sum, squares := 0.0, 0.0
	for i := range c.Asked {
		e := &c.Asked[i]
		if !slices.IsSorted(e.Time) || !slices.IsSorted(e.Position) {
			t.Fatalf("user %d: rows are not in order", e.ID)
		}
		for j, at := range e.Time { // a post's time lies in the slot of its position: 15.768 s
			if slot := int64(15_768_000); at/slot-year2025/slot != e.Position[j] && (at-year2025)/slot != e.Position[j] {
				t.Fatalf("row %d has time %d", e.Position[j], at)
			}
		}
		sum += float64(e.Rows())
		squares += float64(e.Rows()) * float64(e.Rows())
	}
	mean := sum / 1000
	// Binomial(2,000,000, 1/20,000): mean 100, variance 99.995; both within four standard errors.
	if variance := squares/1000 - mean*mean; math.Abs(mean-100) > 4*.316 || math.Abs(variance-100) > 4*4.5 {
		t.Errorf("posts per sampled user: mean %v, variance %v", mean, variance)
	}
}

func TestAccountIsExact(t *testing.T) {
	p := lesson()
	p.Account = 1_000_000
	c, err := Count(p, []int{p.Users})
	if err != nil {
		t.Fatal(err)
	}
	e := c.Asked[0]
	if e.Rows() != 1_000_000 || e.Before != 2_000_000 || c.Rows != 3_000_000 || c.Largest != (Extent{20_000, 1_000_000, 200_000_000}) {
		t.Errorf("account: %d rows after %d of %d, largest %+v", e.Rows(), e.Before, c.Rows, c.Largest)
	}
}

func TestVaryingSizes(t *testing.T) {
	s := &Slice{Entity: []int32{1, 0, 1, 1, 3}, Time: []int64{30, 5, 10, 10, 1}, Size: []int32{7, 100, 20, 3, 9}}
	c, err := Count(s, []int{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	one, two, three := &c.Asked[0], &c.Asked[1], &c.Asked[2]
	if !reflect.DeepEqual(one.Position, []int64{2, 3, 0}) || !reflect.DeepEqual(one.Size, []int32{20, 3, 7}) {
		t.Errorf("entity 1: positions %v, sizes %v", one.Position, one.Size)
	}
	if one.Bytes(0, 2) != 23 || one.Bytes(1, 3) != 10 || one.BytesBefore != 100 || two.Rows() != 0 || two.Before != 4 {
		t.Errorf("bytes %d %d, before %d; entity 2: %d rows, %d before", one.Bytes(0, 2), one.Bytes(1, 3), one.BytesBefore, two.Rows(), two.Before)
	}
	if three.KeysBefore != 2 || three.BytesBefore != 130 || c.Keys != 3 || c.Bytes != 139 {
		t.Errorf("entity 3: %d keys, %d bytes before; all %d keys, %d bytes", three.KeysBefore, three.BytesBefore, c.Keys, c.Bytes)
	}
	if cut := one.Until(30); cut.Rows() != 2 || cut.Bytes(0, 2) != 23 {
		t.Errorf("until 30: %d rows", cut.Rows())
	}
}

func TestAskedMustExistOnce(t *testing.T) {
	s := &Slice{Entity: []int32{0}, Time: []int64{0}, Bytes: 1}
	for _, asked := range [][]int{{1}, {-1}, {0, 0}} {
		if _, err := Count(s, asked); err == nil {
			t.Errorf("asking for %v must be an error", asked)
		}
	}
}

func TestAliasFollowsWeights(t *testing.T) {
	weights := []float64{8, 4, 2, 1, 1, 0}
	a, err := NewAlias(weights)
	if err != nil {
		t.Fatal(err)
	}
	const n = 1 << 20
	counts := make([]float64, len(weights))
	draws := NewDraws(3, 99)
	for i := range int64(n) {
		k, _ := a.pick(draws.At(i))
		counts[k]++
	}
	for i, w := range weights {
		want := w / 16 * n
		if math.Abs(counts[i]-want) > 5*math.Sqrt(want)+1e-9 {
			t.Errorf("weight %v drawn %v times of %d, want about %v", w, counts[i], n, want)
		}
	}
	for _, bad := range [][]float64{{}, {0, 0}, {-1, 2}, {math.NaN()}, {math.Inf(1)}} {
		if _, err := NewAlias(bad); err == nil {
			t.Errorf("weights %v must be an error", bad)
		}
	}
}

func TestSampleIsDistinct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		total := 1 + r.IntN(50)
		n := r.IntN(total + 1)
		s := slices.Sorted(slices.Values(Sample(total, n, r.Uint64())))
		if len(slices.Compact(s)) != n || (n > 0 && (s[0] < 0 || s[n-1] >= total)) {
			t.Fatalf("Sample(%d, %d) = %v", total, n, s)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	p, asked := lesson(), Sample(20_000, 1000, 1)
	for b.Loop() {
		if _, err := p.Census(asked); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(p.Rows()), "ns/row")
}
