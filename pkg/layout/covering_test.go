package layout

import (
	"slices"
	"testing"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// Every copy lies on one run of leaves, none fuller than it can be and none empty, and a read touches the leaves of the
// copies that it returns, the way down to them, and the map's pages for them: no more.
func TestCoveringCopies(t *testing.T) {
	var crossed, manyMaps, huge int
	for seed := range uint64(10_000) {
		c := newRandomCase(seed)
		l := c.place(t, CoveringChanged).(*covering)
		room := c.in.Page.Room()
		filled, last := map[int64]int{}, int64(-1)
		rows := map[int64]bool{}
		for i := range c.in.Census.Asked {
			e := &c.in.Census.Asked[i]
			for i := range e.Rows() {
				at, takes := l.copyAt(e, i), c.in.Entry+c.size(e.Position[i])
				if at.First > last+1 || at.Last < last || int(at.Last-at.First) > takes/room+1 {
					t.Fatalf("seed %d: copy of row %d lies on leaves %v after leaf %d", seed, e.Position[i], at, last)
				}
				last = at.Last
				for p := at.First; p <= at.Last; p++ {
					rows[p] = true
				}
				if at.First == at.Last {
					filled[at.First] += takes
				} else {
					huge++
				}
				if filled[at.First] > room {
					t.Fatalf("seed %d: leaf %d holds %d bytes of %d", seed, at.First, filled[at.First], room)
				}
			}
		}
		if int64(len(rows)) != last+1 || l.leaves != last+1 {
			t.Fatalf("seed %d: %d leaves, %d with copies, the last is %d", seed, l.leaves, len(rows), last)
		}
		levels := 1
		if l.leaves > 1 {
			levels += l.inner.Height()
		}
		var trail Trail
		for i := range c.in.Census.Asked {
			e := &c.in.Census.Asked[i]
			trail.Reset()
			l.Latest(&trail, e, c.n)
			leaves, maps := map[int64]bool{}, map[int64]bool{}
			for _, i := range trail.Answer() {
				at := l.copyAt(e, int(i))
				for p := at.First; p <= at.Last; p++ {
					leaves[p] = true
				}
				maps[l.Where(e, int(i)).First/int64(max(1, (c.in.Page.Bytes-24)*4))] = true
			}
			if got, want := trail.Touch().IndexPages, levels-1+max(1, len(leaves))+len(maps); got != want {
				t.Fatalf("seed %d, entity %d, latest %d: %d index pages, want %d", seed, e.ID, c.n, got, want)
			}
			if len(leaves) > 1 {
				crossed++
			}
			if len(maps) > 1 {
				manyMaps++
			}
		}
	}
	if crossed < 100 || manyMaps < 100 || huge < 100 {
		t.Errorf("%d reads crossed leaves, %d map pages, %d copies lay on several leaves: want at least 100 each", crossed, manyMaps, huge)
	}
}

// Every page visible: no heap page. None: the heap pages of arrival order. The more has changed, the more are read.
func TestCoveringBetweenItsLimits(t *testing.T) {
	for seed := range uint64(2_000) {
		c := newRandomCase(seed)
		arrival := c.place(t, Arrival)
		for _, changes := range []func(share float64) Changes{
			func(share float64) Changes { return ChangedPages(share, 7) },
			func(share float64) Changes { return ChangedRows(share, 7) },
			ChangedEnd,
		} {
			last := make([][]int64, len(c.in.Census.Asked))
			for _, share := range []float64{0, .01, .3, .8, 1} {
				l := c.place(t, CoveringIndex(changes(share)))
				for i := range c.in.Census.Asked {
					e := &c.in.Census.Asked[i]
					var x, y Trail
					l.Latest(&x, e, c.n)
					arrival.Latest(&y, e, c.n)
					if share == 0 && len(x.DataPages()) > 0 || share == 1 && !slices.Equal(x.DataPages(), y.DataPages()) {
						t.Fatalf("seed %d, share %v: heap pages %v, in arrival order %v", seed, share, x.DataPages(), y.DataPages())
					}
					for _, p := range last[i] {
						if !slices.Contains(x.DataPages(), p) {
							t.Fatalf("seed %d, share %v: heap page %d is no longer read", seed, share, p)
						}
					}
					last[i] = slices.Clone(x.DataPages())
				}
			}
		}
	}
}

// A page of the map speaks for 32,672 pages of 8 KiB; 49,001 entries that all lead to pages spread over two of them touch
// 2 pages of the map however often it is asked: pages touched are not accesses.
func TestMapPagesAreDistinct(t *testing.T) {
	const rows, asked = 44_248, 10_000
	w := &workload.Slice{Bytes: 8168, Number: 2}
	for i := range rows {
		w.Entity = append(w.Entity, int32(i%4/3)) // one row in four is asked for
		w.Time = append(w.Time, int64(i))
	}
	c, err := workload.Count(w, []int{1})
	if err != nil {
		t.Fatal(err)
	}
	in := &Input{Workload: w, Census: c, Page: page.Format{Bytes: 8192, Header: 24}, Entry: 22}
	placed, err := Covering.Place(in)
	if err != nil {
		t.Fatal(err)
	}
	l := placed.(*covering)
	if l.mapPage(32_671) != 0 || l.mapPage(32_672) != 1 {
		t.Errorf("heap pages 32,671 and 32,672 are on map pages %d and %d, want 0 and 1", l.mapPage(32_671), l.mapPage(32_672))
	}
	var trail Trail
	l.Latest(&trail, &c.Asked[0], asked)
	tree := trail.Touch().IndexPages
	mapPages := 0
	for _, p := range trail.index {
		if p>>48 == mapLevel {
			mapPages++
		}
	}
	if mapPages != 2 || tree < asked {
		t.Errorf("%d map pages of %d index pages, want 2 of at least %d", mapPages, tree, asked)
	}
}
