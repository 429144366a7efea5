package layout

import (
	"math"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// A run is rows [lo, hi) of an entity, in time order, stored one after another newest first. Partitions, buckets and
// clustered leaves are runs; they differ in where the rows lie.

// place says where the rows of a run lie: a layout, or a part of it that knows which run is read.
type place interface {
	Where(e *workload.Entity, i int) page.Span
}

// newest decodes and returns the n newest rows of a run: its first rows.
func (t *Trail) newest(l place, e *workload.Entity, lo, hi, n int) {
	if last := max(lo, hi-n); last < hi {
		t.decodeRun(l, e, hi-1, last)
		t.giveRun(hi-1, last)
	}
}

// slice decodes a run for the rows with a time in [from, to). seek is the row from which on rows are decoded, given
// the first row that is not newer than the range: where the index leads. Decoding ends with the first row older than
// the range, which has to be looked at to know that it is.
func (t *Trail) slice(l place, e *workload.Entity, lo, hi int, from, to int64, seek func(first int) int) {
	t.sliceUntil(l, e, lo, hi, from, to, math.MaxInt, seek)
}

// sliceUntil is slice with a limit: decoding ends with the n-th row of the range too. It reports how many it gave.
func (t *Trail) sliceUntil(l place, e *workload.Entity, lo, hi int, from, to int64, n int, seek func(first int) int) int {
	a, b := min(max(e.Search(from), lo), hi), min(max(e.Search(to), lo), hi)
	if b == lo || n <= 0 {
		return 0 // every row is newer than the range, or none is wanted
	}
	last, given := max(a-1, lo), b-a
	if n <= given {
		last, given = b-n, n
	}
	t.decodeRun(l, e, seek(b-1), last)
	t.giveRun(b-1, b-given)
	return given
}

// decodeRun decodes rows first down to last of a run. They lie one after another, so every page between those of the two
// holds some of them.
func (t *Trail) decodeRun(l place, e *workload.Entity, first, last int) {
	for i := first; i >= last; i-- {
		t.examine(i)
	}
	if first >= last {
		a, b := l.Where(e, first), l.Where(e, last)
		t.dataPages(page.Span{First: min(a.First, b.First), Last: max(a.Last, b.Last)})
	}
}

// giveRun gives rows first down to last.
func (t *Trail) giveRun(first, last int) {
	for i := first; i >= last; i-- {
		t.give(i)
	}
}

// pageTop is the row at the top of the page on which row i of a run begins: where an index of pages leads.
func pageTop(l place, e *workload.Entity, hi, i int) int {
	first := l.Where(e, i).First
	for i+1 < hi && l.Where(e, i+1).First == first {
		i++
	}
	return i
}
