package layout

import (
	"fmt"
	"slices"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// ClusteredOnce is a heap sorted when all but the last tenth of today's size had arrived: PostgreSQL's CLUSTER, a while
// later.
var ClusteredOnce = register(ClusterOnce(10))

// ClusterOnce is a heap whose rows were sorted by (entity, time) once; rows that came later, so many percent of the
// sorted ones, lie after them in arrival order. The index is that of arrival order, packed full.
func ClusterOnce(added int) Kind {
	k := clusterAt(func(rows int64) int64 { return rows * 100 / int64(100+added) })
	k.Name, k.Title = fmt.Sprintf("cluster-once-%d", added), fmt.Sprintf("Sorted once, then %d %% more rows", added)
	place := k.Place
	k.Place = func(in *Input) (Layout, error) {
		if added < 0 || added > 1_000_000 {
			return nil, fmt.Errorf("%d %% of the sorted rows came after the sort: want 0 to 1,000,000", added)
		}
		return place(in)
	}
	return k
}

// clusterAt sorts the first sorted(rows) of the rows.
func clusterAt(sorted func(rows int64) int64) Kind {
	return Kind{Name: "cluster", Title: "Sorted once", Place: func(in *Input) (Layout, error) {
		if err := in.Validate(); err != nil {
			return nil, err
		}
		order, err := newKeyOrder(in.Workload, sorted(in.Census.Rows))
		if err != nil {
			return nil, err
		}
		l := &clusterOnce{in: in, order: order, index: in.tree(in.Census.Rows), older: make(map[int][]int32)}
		for i := range in.Census.Asked {
			l.countOlder(&in.Census.Asked[i])
		}
		if in.Census.RowBytes > 0 {
			l.even = page.NewEven(in.Page, in.Census.RowBytes)
			l.bytes = in.Census.Rows * int64(in.Page.Takes(in.Census.RowBytes))
			return l, nil
		}
		return l, l.pack()
	}}
}

type clusterOnce struct {
	in          *Input
	order       *keyOrder // of the sorted rows
	index       page.Tree
	older       map[int][]int32 // of entities whose rows arrived out of time order: the sorted rows before each row
	even        page.Even
	slotted     *page.Slotted // where sizes vary; nil otherwise
	sortedPages int64         // where sizes vary
	bytes       int64
}

// countOlder prepares place for an entity whose sorted rows are not simply its first ones.
func (l *clusterOnce) countOlder(e *workload.Entity) {
	if slices.IsSorted(e.Position) {
		return
	}
	older := make([]int32, e.Rows()+1)
	for i, p := range e.Position {
		older[i+1] = older[i]
		if p < l.order.rows {
			older[i+1]++
		}
	}
	l.older[e.ID] = older
}

// pack puts rows of any size onto pages: the sorted ones, then the others as they came.
func (l *clusterOnce) pack() error {
	l.slotted = page.NewSlotted(l.in.Page)
	put := func(size int32) {
		l.slotted.Append(int(size))
		l.bytes += int64(l.in.Page.Takes(int(size)))
	}
	sizes, err := l.order.sizes()
	for _, size := range sizes {
		put(size)
	}
	l.sortedPages = l.slotted.Pages()
	if err != nil {
		return err
	}
	return l.in.Workload.Scan(func(b *workload.Batch) error {
		for i, size := range b.Size {
			if b.First+int64(i) >= l.order.rows {
				put(size)
			}
		}
		return nil
	})
}

// place is the row's number in the file.
func (l *clusterOnce) place(e *workload.Entity, i int) int64 {
	if e.Position[i] >= l.order.rows {
		return e.Position[i]
	}
	older := int64(i)
	if counts := l.older[e.ID]; counts != nil {
		older = int64(counts[i])
	}
	return l.order.before[e.ID] + older
}

// Where is the page of the row's place: among the sorted rows, or after them.
func (l *clusterOnce) Where(e *workload.Entity, i int) page.Span {
	if l.slotted != nil {
		return l.slotted.Span(l.place(e, i), e.RowSize(i))
	}
	return l.even.Span(l.place(e, i))
}

// Latest descends to the entity's newest entry and walks n entries back.
func (l *clusterOnce) Latest(t *Trail, e *workload.Entity, n int) {
	t.lookUp(l, l.index, e, max(0, e.Rows()-max(n, 0)), e.Rows())
}

// Range walks the entries of the range.
func (l *clusterOnce) Range(t *Trail, e *workload.Entity, from, to int64) {
	if from < to {
		t.lookUp(l, l.index, e, e.Search(from), e.Search(to))
	}
}

// Size counts two dirty pages an insert, and the heap and the index that the sort wrote anew.
func (l *clusterOnce) Size() Size {
	c := l.in.Census
	s := Size{
		IndexPages: l.index.Pages(), RowBytes: l.bytes, Partitions: c.Keys, Largest: c.Largest, PagesWritten: 2 * c.Rows,
	}
	sortedPages := l.sortedPages
	if l.slotted != nil {
		s.DataPages = l.slotted.Pages()
	} else {
		s.DataPages, sortedPages = l.even.Pages(c.Rows), l.even.Pages(l.order.rows)
	}
	if l.order.rows > 0 {
		s.PagesWritten += sortedPages + l.in.tree(l.order.rows).Pages()
	}
	return s
}
