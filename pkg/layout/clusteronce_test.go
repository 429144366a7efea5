package layout

import (
	"slices"
	"testing"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// With nothing added since the sort the heap is layout B but for the direction; with nothing sorted it is arrival order.
func TestClusterOnceBetweenItsLimits(t *testing.T) {
	packed := 0
	for seed := range uint64(3_000) {
		c := newRandomCase(seed)
		if c.rows.Size == nil { // B's rows of varying size cross page boundaries
			sameEntityPages(t, &c, c.place(t, ClusterOnce(0)), c.place(t, Partition))
			packed++
		}
		never, arrival := c.place(t, clusterAt(func(int64) int64 { return 0 })), c.place(t, Arrival)
		if never.Size() != arrival.Size() {
			t.Fatalf("seed %d: %+v and %+v", seed, never.Size(), arrival.Size())
		}
		for i := range c.in.Census.Asked {
			e := &c.in.Census.Asked[i]
			var x, y Trail
			never.Range(&x, e, c.from, c.to)
			arrival.Range(&y, e, c.from, c.to)
			if x.Touch() != y.Touch() || !slices.Equal(x.DataPages(), y.DataPages()) {
				t.Fatalf("seed %d: %+v and %+v", seed, x.Touch(), y.Touch())
			}
		}
	}
	if packed < 1000 {
		t.Errorf("%d cases compared with B, want at least 1,000", packed)
	}
}

// Rows by hand: two to a page, users 0 and 1, the first four of six sorted.
func TestClusterOnceByHand(t *testing.T) {
	w := &workload.Slice{Entity: []int32{1, 0, 1, 0, 0, 1}, Time: []int64{1, 2, 3, 1, 4, 0}, Bytes: 10}
	c, err := workload.Count(w, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	l, err := ClusterOnce(50).Place(&Input{Workload: w, Census: c, Page: page.Format{Bytes: 20}, Entry: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct{ entity, row, page int64 }{
		{0, 0, 0}, {0, 1, 0}, // times 1 and 2: sorted, though time 1 arrived after time 2
		{0, 2, 2}, // came after the sort
		{1, 0, 2}, // the oldest of user 1, and came after the sort
		{1, 1, 1}, {1, 2, 1},
	} {
		e := &c.Asked[want.entity]
		if at := l.Where(e, int(want.row)); at.First != want.page || at.Last != want.page {
			t.Errorf("user %d, row %d lies on %v, want page %d", want.entity, want.row, at, want.page)
		}
	}
	// Two pages an insert; the sort wrote 2 pages of rows, and a leaf with an entry for each of the 4 rows.
	if got := l.Size(); got.DataPages != 3 || got.IndexPages != 3 || got.PagesWritten != 2*6+2+1 {
		t.Errorf("size %+v, want 3 data pages, 3 index pages, 15 pages written", got)
	}
}
