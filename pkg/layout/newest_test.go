package layout

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// Reading the newest rows touches the same where no older ones are kept.
func TestNewestAlone(t *testing.T) {
	const seed = 62
	r := rand.New(rand.NewPCG(seed, 0))
	left, late := 0, 0
	for trial := range 400 {
		s := &workload.Slice{Number: 1 + r.IntN(6), Bytes: 200}
		sized := r.IntN(2) == 0
		at, coarse := r.Int64N(1<<50), r.IntN(2)*42
		for range r.IntN(600) {
			step := r.Int64N(1<<38) - r.Int64N(1<<37)
			if at += step; step < 0 {
				late++
			}
			s.Entity, s.Time = append(s.Entity, int32(r.IntN(s.Number))), append(s.Time, at>>coarse<<coarse)
			if sized {
				s.Size = append(s.Size, 1+r.Int32N(900))
			}
		}
		asked := make([]int, s.Number)
		for i := range asked {
			asked[i] = i
		}
		n := 1 + r.IntN(30)
		whole, err1 := workload.Count(s, asked)
		newest, err2 := workload.Newest(s, asked, n)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		for _, k := range All() {
			if k.Cost == PerRow {
				continue
			}
			place := func(c *workload.Census) Layout {
				l, err := k.Place(&Input{Workload: s, Census: c, Page: page.Lesson, Entry: 16, Now: OwnNewest, Floor: OwnOldest})
				if err != nil {
					t.Fatal(err)
				}
				return l
			}
			a, b := place(whole), place(newest)
			for e := range asked {
				var all, few Trail
				full, tail := &whole.Asked[e], &newest.Asked[e]
				if tail.Older > 0 {
					left++
				}
				a.Latest(&all, full, n)
				b.Latest(&few, tail, n)
				if x, y := all.Touch(), few.Touch(); x != y || !slices.Equal(all.DataPages(), few.DataPages()) {
					t.Fatalf("seed %d, trial %d, %s, entity %d, n %d: %+v with all rows, %+v with the newest", seed, trial, k.Name, e, n, x, y)
				}
			}
		}
	}
	if left < 1000 || late < 1000 {
		t.Errorf("left rows out %d times, %d late rows: want more", left, late)
	}
}
