package layout

import (
	"math"
	"slices"
	"testing"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// Posts that are placed row by row and posts of which only the sampled rows are drawn must not be told apart by
// anything that the lesson counts: two samples of the same 2,000,000 rows, for many seeds of each.
func TestSampledAndPlacedAgree(t *testing.T) {
	const seeds, users = 24, 1000
	from, to := int64(1735689600_000000), int64(1767225600_000000)           // 2025
	marchFrom, marchTo := int64(1740787200_000000), int64(1743465600_000000) // March 2025
	figures := []string{"posts", "place of the first page", "first position",
		"A latest data", "A latest index", "B latest data", "B latest index", "B latest examined",
		"March rows", "A March data", "A March index", "B March data", "B March examined", "B March index"}
	read := func(w workload.Workload, seed uint64) [][]float64 {
		c, err := workload.Count(w, workload.Sample(20_000, users, seed))
		if err != nil {
			t.Fatal(err)
		}
		in := &Input{Workload: w, Census: c, Page: page.Lesson, Entry: 16, Now: to - 1, Floor: from}
		values := make([][]float64, len(figures))
		a, err := Arrival.Place(in)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Partition.Place(in)
		if err != nil {
			t.Fatal(err)
		}
		var trail Trail
		touch := func(execute func()) Touch {
			trail.Reset()
			execute()
			return trail.Touch()
		}
		for i := range c.Asked {
			e := &c.Asked[i]
			la, lb := touch(func() { a.Latest(&trail, e, 20) }), touch(func() { b.Latest(&trail, e, 20) })
			ra, rb := touch(func() { a.Range(&trail, e, marchFrom, marchTo) }), touch(func() { b.Range(&trail, e, marchFrom, marchTo) })
			for f, v := range []int{e.Rows(), int(e.Before % 40), int(e.Position[0]), la.DataPages, la.IndexPages, lb.DataPages, lb.IndexPages, lb.RowsExamined,
				ra.RowsReturned, ra.DataPages, ra.IndexPages, rb.DataPages, rb.RowsExamined, rb.IndexPages} {
				values[f] = append(values[f], float64(v))
			}
		}
		return values
	}
	placed, drawn := make([][]float64, len(figures)), make([][]float64, len(figures))
	for seed := range uint64(seeds) {
		p := read(&workload.Posts{Count: 2_000_000, Users: 20_000, From: from, To: to, Bytes: 200, Seed: seed}, seed)
		d := read(&workload.Sampled{Count: 2_000_000, Users: 20_000, From: from, To: to, Bytes: 200, Seed: seed + 1000}, seed+1000)
		for f := range figures {
			placed[f], drawn[f] = append(placed[f], p[f]...), append(drawn[f], d[f]...)
		}
	}
	for f, name := range figures {
		z, ks := welchZ(placed[f], drawn[f]), ksDistance(placed[f], drawn[f])
		t.Logf("%-24s placed %.4f, drawn %.4f, z %5.2f, Kolmogorov-Smirnov %.2f", name, sampleMean(placed[f]), sampleMean(drawn[f]), z, ks)
		// By chance |z| > 4 in one of 16,000, and the scaled distance > 2.2 in one of 8,000.
		if math.Abs(z) > 4 || ks > 2.2 {
			t.Errorf("%s: placed %.4f, drawn %.4f: z = %.2f, Kolmogorov-Smirnov %.2f", name, sampleMean(placed[f]), sampleMean(drawn[f]), z, ks)
		}
	}
	// The test would see an error of a hundredth: the same figures, scaled by 1.01.
	seen := 0
	for f := range figures {
		scaled := slices.Clone(drawn[f])
		for i := range scaled {
			scaled[i] *= 1.01
		}
		if math.Abs(welchZ(placed[f], scaled)) > 4 || ksDistance(placed[f], scaled) > 2.2 {
			seen++
		}
	}
	if seen < len(figures)-1 { // pages of a partition's start, 0 to 39, are spread too widely
		t.Errorf("only %d of %d figures would show an error of a hundredth", seen, len(figures))
	}
}

func sampleMean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// welchZ is the distance of two samples' means in standard errors; 0 where both are one value.
func welchZ(x, y []float64) float64 {
	variance := func(x []float64) float64 {
		m, sum := sampleMean(x), 0.0
		for _, v := range x {
			sum += (v - m) * (v - m)
		}
		return sum / float64(len(x)-1) / float64(len(x))
	}
	d := sampleMean(x) - sampleMean(y)
	if d == 0 {
		return 0
	}
	return d / math.Sqrt(variance(x)+variance(y))
}

// ksDistance is the largest distance of two samples' distributions, times the root of nm/(n+m).
func ksDistance(x, y []float64) float64 {
	x, y = slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))
	i, j, largest := 0, 0, 0.0
	for i < len(x) && j < len(y) {
		v := min(x[i], y[j])
		for i < len(x) && x[i] == v {
			i++
		}
		for j < len(y) && y[j] == v {
			j++
		}
		largest = max(largest, math.Abs(float64(i)/float64(len(x))-float64(j)/float64(len(y))))
	}
	n, m := float64(len(x)), float64(len(y))
	return largest * math.Sqrt(n*m/(n+m))
}
