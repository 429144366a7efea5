package layout

import (
	"fmt"
	"math"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// The layouts of a store that splits between rows, never inside one: a row of the store for each entity, with all its
// posts as cells; a row for each entity and day; a row for each post. A tablet is split near 100 MiB; the Bigtable
// paper's are "approximately 100-200 MB in size by default" (Chang et al., OSDI 2006, section 5).
var (
	RowPerEntity = register(RangeSplit(bucket.Forever, 100<<20))
	RowPerDay    = register(RangeSplit(bucket.Day, 100<<20))
	RowPerPost   = register(RangeSplitByPost(100 << 20))
)

// RangeSplit is a range-split store: its rows, the units that are never split, lie in one order of keys, entity by
// entity and newest first (a key ends with the time counted down), in one fully compacted file with an index of blocks:
// an entry for each page. A unit holds one entity's posts of one bucket as cells, newest first. The order is cut into
// tablets, each served by one server, at the first unit that begins at or after a multiple of tabletBytes: a tablet is
// larger than that by less than one unit.
//
// A read is one scan: it seeks the first key and reads on, so that a bucket without posts costs nothing. Keys of units
// are compared without decoding a post; inside a unit a scan begins at the top of the page that the index of blocks leads
// to, and ends with the first cell past the range. Touch.Partitions counts the tablets that a scan is sent to;
// Size.Partitions counts units.
func RangeSplit(unit bucket.Width, tabletBytes int64) Kind {
	k := Kind{Name: "row-per-" + unit.String(), Title: "Range-split: a row per entity and " + unit.String()}
	if unit == bucket.Forever {
		k.Name, k.Title = "row-per-entity", "Range-split: a row per entity"
	}
	k.Place = func(in *Input) (Layout, error) {
		l, err := newRangeSplit(in, tabletBytes)
		if err != nil {
			return nil, err
		}
		if unit == bucket.Forever {
			return l, nil
		}
		s, err := newTimeSlices(in.Workload, unit)
		if err != nil {
			return nil, err
		}
		l.unit, l.units, l.largest = unit, int64(len(s.bucket)), s.largest
		return l, nil
	}
	return k
}

// RangeSplitByPost is the same store with a row for each post.
func RangeSplitByPost(tabletBytes int64) Kind {
	return Kind{
		Name:  "row-per-post",
		Title: "Range-split: a row per post",
		Place: func(in *Input) (Layout, error) {
			l, err := newRangeSplit(in, tabletBytes)
			if err != nil {
				return nil, err
			}
			l.posts, l.units = true, in.Census.Rows
			l.largest, err = largestRow(in)
			return l, err
		},
	}
}

// newRangeSplit is the store with one unit an entity.
func newRangeSplit(in *Input, tabletBytes int64) (*rangeSplit, error) {
	if err := in.Validate(); err != nil {
		return nil, err
	}
	if tabletBytes < 1 {
		return nil, fmt.Errorf("tablets of %d bytes: want at least 1", tabletBytes)
	}
	c := in.Census
	l := &rangeSplit{packed: newPacked(in), unit: bucket.Forever, tablet: tabletBytes, units: c.Keys, largest: c.Largest, in: in}
	l.index = in.tree(l.pages(c.Rows, c.Bytes))
	return l, nil
}

// largestRow is the first of the largest rows.
func largestRow(in *Input) (largest workload.Extent, err error) {
	err = in.Workload.Scan(func(b *workload.Batch) error {
		for i, e := range b.Entity {
			size := int64(in.Census.RowBytes)
			if b.Size != nil {
				size = int64(b.Size[i])
			}
			if size > largest.Bytes || largest.Rows == 0 {
				largest = workload.Extent{Entity: int(e), Rows: 1, Bytes: size}
			}
		}
		return nil
	})
	return largest, err
}

type rangeSplit struct {
	packed
	unit    bucket.Width
	posts   bool
	tablet  int64     // bytes
	index   page.Tree // an entry a page
	units   int64
	largest workload.Extent
	in      *Input
}

// Where counts the entity's newer rows before row i.
func (l *rangeSplit) Where(e *workload.Entity, i int) page.Span {
	rows, bytes := l.before(e, i)
	return l.span(e, i, rows, bytes)
}

// unitOf is the rows [lo, hi) of the unit that holds row i.
func (l *rangeSplit) unitOf(e *workload.Entity, i int) (lo, hi int) {
	switch {
	case l.posts:
		return i, i + 1
	case l.unit == bucket.Forever:
		return 0, e.Rows()
	}
	k := l.unit.Index(e.Time[i])
	return e.Search(l.unit.Start(k)), e.Search(l.unit.Start(k + 1))
}

// reaches reports whether a scan for rows from that time on enters the unit of a row, going by its key alone.
func (l *rangeSplit) reaches(time, from int64) bool {
	return time >= from || !l.posts && l.unit.Index(time) >= l.unit.Index(from)
}

// before is what stands in the file before the entity's row i.
func (l *rangeSplit) before(e *workload.Entity, i int) (rows, bytes int64) {
	n := e.Rows()
	return e.Before + int64(n-1-i), e.BytesBefore + e.Bytes(i+1, n)
}

// Latest scans from the entity's first key until it has n posts.
func (l *rangeSplit) Latest(t *Trail, e *workload.Entity, n int) {
	from, to := int64(0), int64(0)
	if e.Rows() > 0 {
		from, to = e.Time[0], e.Time[e.Rows()-1]+1
	}
	l.scan(t, e, from, to, n)
}

// Range scans from the first key that may be in the range.
func (l *rangeSplit) Range(t *Trail, e *workload.Entity, from, to int64) {
	l.rangeLimit(t, e, from, to, math.MaxInt)
}

func (l *rangeSplit) rangeLimit(t *Trail, e *workload.Entity, from, to int64, n int) {
	if from < to && n > 0 {
		l.scan(t, e, from, to, n)
	}
}

// scan reads units from the newest row before to on, until n rows are given or a key is older than the range.
func (l *rangeSplit) scan(t *Trail, e *workload.Entity, from, to int64, n int) {
	hi, decoded, tablet := e.Search(to), len(t.examined), int64(-1)
	begin := hi
	for hi > 0 && n > 0 && l.reaches(e.Time[hi-1], from) {
		lo, end := l.unitOf(e, hi-1)
		if at := l.takes(l.before(e, end-1)) / l.tablet; at != tablet {
			t.probe(false)
			tablet = at
		}
		n -= t.sliceUntil(l, e, lo, end, from, to, n, func(first int) int { return pageTop(l, e, end, first) })
		hi = lo
	}
	if tablet < 0 {
		t.probe(true)
	}
	rows := t.examined[decoded:]
	if len(rows) == 0 { // the scan ended where the key would be
		t.entries(1)
		t.descend(l.index, l.page(l.before(e, begin-1)))
		return
	}
	first, last := l.Where(e, int(rows[0])).First, l.Where(e, int(rows[len(rows)-1])).Last
	t.descend(l.index, first)
	t.walk(l.index, first, last+1)
}

// Size counts the pages of the one file as written once.
func (l *rangeSplit) Size() Size {
	c := l.in.Census
	s := Size{
		DataPages: l.pages(c.Rows, c.Bytes), IndexPages: l.index.Pages(), RowBytes: l.takes(c.Rows, c.Bytes),
		Partitions: l.units, Largest: l.largest,
	}
	s.PagesWritten = s.DataPages + s.IndexPages
	return s
}
