package layout

import (
	"fmt"
	"math"
	"slices"

	"pagetouch/pkg/workload"
)

// SizedBuckets is buckets of a thousand rows.
var SizedBuckets = register(SizeBuckets(1000))

// SizeBuckets starts a new partition for an entity after so many rows: its arrivals 0 to rows-1 are partition 0, and so
// on. Which partition is the current one is recorded elsewhere: in a small table with a row for each partition of an
// entity, newest first, that holds the partition's number, the oldest and the newest time in it, and the newest time in
// any before it. A read opens that table first; it leads to no empty partition, and tells when no older partition can
// hold a row of the answer, even where rows came late.
func SizeBuckets(rows int) Kind {
	k := Kind{Name: fmt.Sprintf("buckets-of-%d-rows", rows), Title: fmt.Sprintf("Partition per %d rows", rows)}
	k.Place = func(in *Input) (Layout, error) {
		if rows < 1 {
			return nil, fmt.Errorf("buckets of %d rows: want at least 1", rows)
		}
		d, err := newDealt(in, 1, func(nth, _, _ int64) int64 { return nth / int64(rows) })
		if err != nil {
			return nil, err
		}
		l := &sizeBuckets{dealt: *d, bounds: map[int][]bounds{}}
		l.table = newDirectory(in, d.parts, d.pages(in.Census.Rows, in.Census.Bytes), in.Entry+timesOfBucket*8)
		for i := range in.Census.Asked {
			e := &in.Census.Asked[i]
			l.bounds[e.ID] = l.boundsOf(e)
		}
		return l, nil
	}
	return k
}

// timesOfBucket is how many times of 8 bytes the small table's rows hold beside a key of the size of an index entry.
const timesOfBucket = 3

type sizeBuckets struct {
	dealt
	table  *directory
	bounds map[int][]bounds
}

// bounds is a row of the small table.
type bounds struct{ oldest, newest, before int64 }

func (l *sizeBuckets) boundsOf(e *workload.Entity) []bounds {
	first, last := l.parts.first[e.ID], l.parts.first[e.ID+1]
	all := make([]bounds, 0, last-first)
	before := int64(math.MinInt64)
	for s := first; s < last; s++ {
		rows := l.rows(e, s)
		b := bounds{oldest: e.Time[rows[len(rows)-1]], newest: e.Time[rows[0]], before: before}
		all = append(all, b)
		before = max(before, b.newest)
	}
	return all
}

// walk reads the small table from the current bucket back and visits each bucket until told to stop.
func (l *sizeBuckets) walk(t *Trail, e *workload.Entity, visit func(b bounds, s int32) bool) {
	l.table.open(t, e)
	first := l.parts.first[e.ID]
	for s := l.parts.first[e.ID+1] - 1; s >= first; s-- {
		l.table.row(t, e, s)
		if !visit(l.bounds[e.ID][s-first], s) {
			return
		}
	}
}

// read opens the bucket and returns its rows.
func (l *sizeBuckets) read(t *Trail, e *workload.Entity, s int32) []int32 {
	t.seek(l.index, l.parts, e, l.parts.bucket[s], false)
	return l.rows(e, s)
}

// Latest asks each bucket, from the current one back, for as many rows as the answer can still take from it: n less the
// rows at hand that are newer than anything in it or before it. Rows of one time are safe from older buckets: a later
// arrival is the newer of two.
func (l *sizeBuckets) Latest(t *Trail, e *workload.Entity, n int) {
	n = max(n, 0)
	from := len(t.answer)
	l.walk(t, e, func(b bounds, s int32) bool {
		have := t.answer[from:] // newest first
		newerThan := func(at int64) int {
			k, _ := slices.BinarySearchFunc(have, at, func(i int32, at int64) int {
				if e.Time[i] >= at {
					return -1
				}
				return 1
			})
			return k
		}
		if newerThan(b.newest) < n { // else nothing in it is new enough
			l.newest(t, e, l.read(t, e, s), n-newerThan(max(b.newest, b.before)))
			t.mergeAnswer(from, n)
			have = t.answer[from:]
		}
		return newerThan(b.before) < n
	})
}

// Range reads the buckets whose times meet the range, until no earlier one can.
func (l *sizeBuckets) Range(t *Trail, e *workload.Entity, from, to int64) {
	if from >= to {
		return
	}
	answer := len(t.answer)
	l.walk(t, e, func(b bounds, s int32) bool {
		if b.oldest < to && b.newest >= from {
			l.slice(t, e, l.read(t, e, s), from, to)
		}
		return b.before >= from
	})
	t.mergeAnswer(answer, math.MaxInt)
}

// Size adds the small table.
func (l *sizeBuckets) Size() Size {
	s := l.size()
	l.table.addTo(&s)
	s.PagesWritten = s.DataPages + s.IndexPages
	return s
}
