package layout

import (
	"cmp"
	"slices"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// dealt is a file of partitions in token order to which each entity's rows are dealt by a number that says more than
// their time: which arrival it was, which shard it went to. A partition's rows are sorted newest first, but beside each
// other in time may be rows of several partitions.
type dealt struct {
	packed
	parts *timeSlices
	index page.Tree // an entry a partition, in token order
	hands map[int]*hand
	in    *Input
}

// hand is how the rows of one entity were dealt.
type hand struct {
	start []int32 // where each of the entity's partitions begins in order
	order []int32 // rows, partition after partition, newest first in each
	at    []int32 // where in order each row is
	bytes []int64 // bytes[i] is the size of order[:i]; nil where all rows have one size
}

// newDealt deals rows by a number, given the row's number among its entity's arrivals, its time and its position. At a
// time, rows go around so many numbers that follow each other.
func newDealt(in *Input, at int, number func(nth, time, position int64) int64) (*dealt, error) {
	if err := in.Validate(); err != nil {
		return nil, err
	}
	nth := make([]int64, in.Workload.Entities())
	parts, err := newSlices(in.Workload, at, func(e int32, time, position int64) int64 {
		nth[e]++
		return number(nth[e]-1, time, position)
	})
	if err != nil {
		return nil, err
	}
	parts.byToken()
	d := &dealt{packed: newPacked(in), parts: parts, in: in, index: in.tree(int64(len(parts.bucket))), hands: map[int]*hand{}}
	for i := range in.Census.Asked {
		e := &in.Census.Asked[i]
		d.hands[e.ID] = d.deal(e, number)
	}
	return d, nil
}

// deal repeats what newSlices saw of one entity, and remembers every row.
func (d *dealt) deal(e *workload.Entity, number func(nth, time, position int64) int64) *hand {
	n := e.Rows()
	arrivals := make([]int32, n)
	for i := range arrivals {
		arrivals[i] = int32(i)
	}
	if !slices.IsSorted(e.Position) {
		slices.SortFunc(arrivals, func(a, b int32) int { return cmp.Compare(e.Position[a], e.Position[b]) })
	}
	first := d.parts.first[e.ID]
	h := &hand{start: make([]int32, d.parts.first[e.ID+1]-first+1), order: make([]int32, n), at: make([]int32, n)}
	part := make([]int32, n)
	for nth, i := range arrivals {
		s, _ := d.parts.find(e.ID, number(int64(nth), e.Time[i], e.Position[i]))
		part[i] = s - first
		h.start[part[i]+1]++
	}
	for p := range h.start[1:] {
		h.start[p+1] += h.start[p]
	}
	next := slices.Clone(h.start)
	for i := n - 1; i >= 0; i-- {
		at := next[part[i]]
		next[part[i]]++
		h.order[at], h.at[i] = int32(i), at
	}
	if e.Size != nil {
		h.bytes = make([]int64, n+1)
		for at, i := range h.order {
			h.bytes[at+1] = h.bytes[at] + int64(e.Size[i])
		}
	}
	return h
}

// rows is the rows of slice s, one of the entity's, newest first; of an entity as it was earlier, those it had.
func (d *dealt) rows(e *workload.Entity, s int32) []int32 {
	h, p := d.hands[e.ID], s-d.parts.first[e.ID]
	rows := h.order[h.start[p]:h.start[p+1]]
	for len(rows) > 0 && int(rows[0]) >= e.Rows() {
		rows = rows[1:]
	}
	return rows
}

// Where counts the newer rows of the row's partition.
func (d *dealt) Where(e *workload.Entity, i int) page.Span {
	h := d.hands[e.ID]
	at := h.at[i]
	p, _ := slices.BinarySearch(h.start, at+1) // of the first partition that begins after the row
	s, begin := d.parts.first[e.ID]+int32(p-1), h.start[p-1]
	rows, bytes := d.parts.before(s)
	if h.bytes != nil {
		bytes += h.bytes[at] - h.bytes[begin]
	}
	return d.span(e, i, rows+int64(at-begin), bytes)
}

// newest decodes the first n rows of a partition and makes them candidates for the answer.
func (d *dealt) newest(t *Trail, e *workload.Entity, rows []int32, n int) {
	for _, i := range rows[:min(n, len(rows))] {
		t.decode(int(i), d.Where(e, int(i)))
		t.give(int(i))
	}
}

// slice decodes a partition for the rows with a time in [from, to), as Trail.slice does a run.
func (d *dealt) slice(t *Trail, e *workload.Entity, rows []int32, from, to int64) {
	older := func(at int64) int {
		n, _ := slices.BinarySearchFunc(rows, at, func(i int32, at int64) int {
			if e.Time[i] >= at {
				return -1
			}
			return 1
		})
		return n
	}
	b, a := older(to), older(from) // rows[b:a] match
	if b == len(rows) {
		return // every row is newer than the range
	}
	top, first := b, d.Where(e, int(rows[b])).First
	for top > 0 && d.Where(e, int(rows[top-1])).First == first {
		top--
	}
	for _, i := range rows[top:min(a+1, len(rows))] {
		t.decode(int(i), d.Where(e, int(i)))
	}
	for _, i := range rows[b:a] {
		t.give(int(i))
	}
}

// mergeAnswer puts the candidates from one of them on in order, newest first, and keeps the first n.
func (t *Trail) mergeAnswer(from, n int) {
	mine := t.answer[from:]
	slices.SortFunc(mine, func(a, b int32) int { return cmp.Compare(b, a) })
	t.answer = t.answer[:from+min(n, len(mine))]
}

// size is what the partitions take; a table beside them adds to it.
func (d *dealt) size() Size {
	c := d.in.Census
	return Size{
		DataPages: d.pages(c.Rows, c.Bytes), IndexPages: d.index.Pages(), RowBytes: d.takes(c.Rows, c.Bytes),
		Partitions: int64(len(d.parts.bucket)), Largest: d.parts.largest,
	}
}
