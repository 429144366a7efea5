package layout

import (
	"math"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// Arrival is the lesson's layout A: rows fill pages in the order in which they arrive, and a B-tree on (entity, time),
// packed full by a bulk load, points at each of them.
var Arrival = register(Kind{
	Name:  "arrival",
	Title: "Arrival order + index",
	Cost:  PerEntity,
	Place: func(in *Input) (Layout, error) {
		file, err := newHeap(in)
		if err != nil {
			return nil, err
		}
		return &arrival{file, in.tree(in.Census.Rows), in}, nil
	},
})

type arrival struct {
	*heap
	index page.Tree
	in    *Input
}

// Latest descends to the entity's newest entry and walks n entries back.
func (l *arrival) Latest(t *Trail, e *workload.Entity, n int) {
	t.lookUp(l, l.index, e, max(0, e.Rows()-max(n, 0)), e.Rows())
}

// Range walks the entries of the range: the index alone decides which rows match.
func (l *arrival) Range(t *Trail, e *workload.Entity, from, to int64) {
	l.rangeLimit(t, e, from, to, math.MaxInt)
}

func (l *arrival) rangeLimit(t *Trail, e *workload.Entity, from, to int64, n int) {
	if from < to && n > 0 {
		lo, hi := e.Search(from), e.Search(to)
		t.lookUp(l, l.index, e, max(lo, hi-n), hi)
	}
}

// Size counts two dirty pages an insert: the heap's last and the leaf of its entry.
func (l *arrival) Size() Size {
	c := l.in.Census
	return Size{
		DataPages: l.pages(), IndexPages: l.index.Pages(), RowBytes: l.takes(),
		Partitions: c.Keys, Largest: c.Largest, PagesWritten: 2 * c.Rows,
	}
}

// heap is a file of rows in arrival order, none split by a page boundary.
type heap struct {
	in      *Input
	even    page.Even
	slotted *page.Slotted // where sizes vary; nil otherwise
	bytes   int64
}

func newHeap(in *Input) (*heap, error) {
	if err := in.Validate(); err != nil {
		return nil, err
	}
	h := &heap{in: in}
	if size := in.Census.RowBytes; size > 0 {
		h.even = page.NewEven(in.Page, size)
		h.bytes = in.Census.Rows * int64(in.Page.Takes(size))
		return h, nil
	}
	h.slotted = page.NewSlotted(in.Page)
	return h, in.Workload.Scan(func(b *workload.Batch) error {
		for _, size := range b.Size {
			h.slotted.Append(int(size))
			h.bytes += int64(in.Page.Takes(int(size)))
		}
		return nil
	})
}

// Where is the page of the row's position.
func (h *heap) Where(e *workload.Entity, i int) page.Span {
	return h.at(e.Position[i], e.RowSize(i))
}

// at is where the row of that position and size lies.
func (h *heap) at(position int64, size int) page.Span {
	if h.slotted != nil {
		return h.slotted.Span(position, size)
	}
	return h.even.Span(position)
}

func (h *heap) pages() int64 {
	if h.slotted != nil {
		return h.slotted.Pages()
	}
	return h.even.Pages(h.in.Census.Rows)
}

func (h *heap) takes() int64 { return h.bytes }
