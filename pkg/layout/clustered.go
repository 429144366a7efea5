package layout

import (
	"fmt"
	"slices"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// A clustered index that rows were inserted into as they arrived, and one that they were loaded into in key order, as a
// rebuild does (OPTIMIZE TABLE).
var (
	Clustered        = register(ClusteredIndex())
	ClusteredOrdered = register(ClusteredLoad(15))
)

// ClusteredIndex is the table itself as a B-tree on (entity, time, arrival) whose leaves are the rows. Every row is
// inserted when it arrives, and pages split in the middle, so they are part full; how full is counted. Engines add
// heuristics to this plain split: InnoDB cuts beside the insert where several came in order, SQLite fills siblings first.
func ClusteredIndex() Kind {
	return Kind{Name: "clustered", Title: "Clustered index", Place: func(in *Input) (Layout, error) { return placeClustered(in, false, 15) }}
}

// ClusteredLoad is the same tree after rows were inserted in key order, each page filled to so many sixteenths: 15 as
// InnoDB leaves them, 16 full.
func ClusteredLoad(sixteenths int) Kind {
	k := Kind{Name: "clustered-ordered", Title: "Clustered index, loaded in key order"}
	if sixteenths != 15 {
		k.Name, k.Title = fmt.Sprintf("%s-%d", k.Name, sixteenths), fmt.Sprintf("%s, %d/16 full", k.Title, sixteenths)
	}
	k.Place = func(in *Input) (Layout, error) {
		if sixteenths < 1 || sixteenths > 16 {
			return nil, fmt.Errorf("a clustered index loaded to %d sixteenths of its pages: want 1 to 16", sixteenths)
		}
		return placeClustered(in, true, sixteenths)
	}
	return k
}

type clustered struct {
	in     *Input
	starts []int64   // the rank of each leaf's first row
	pages  []int64   // the page on which each leaf begins; one more: all pages
	inner  [][]int64 // above the leaves, level by level: the rank from which on rows are below each node
	splits int64     // of all levels
	bytes  int64     // of the rows with their overhead
}

func placeClustered(in *Input, ordered bool, sixteenths int) (Layout, error) {
	if err := in.Validate(); err != nil {
		return nil, err
	}
	order, err := newKeyOrder(in.Workload, in.Workload.Rows())
	if err != nil {
		return nil, err
	}
	sizes, err := order.sizes()
	if err != nil {
		return nil, err
	}
	even := int64(in.Page.Takes(in.Census.RowBytes))
	takes := func(rank int64) int64 {
		if sizes == nil {
			return even
		}
		return int64(in.Page.Takes(int(sizes[rank])))
	}
	room := int64(in.Page.Room())
	leaves := newGrowing(order.rows, room, room*int64(sixteenths)/16, int64(in.Entry), takes)
	l := &clustered{in: in}
	if ordered {
		for rank := range order.rows {
			leaves.insert(rank)
		}
	} else if err := order.each(func(rank int64, _ int) { leaves.insert(rank) }); err != nil {
		return nil, err
	}
	l.starts, l.splits = leaves.nodes.list(), leaves.splits
	l.pages = make([]int64, 1, len(l.starts)+1)
	for i, first := range l.starts {
		used := leaves.used[first]
		l.bytes += used
		l.pages = append(l.pages, l.pages[i]+(used+room-1)/room)
	}
	for g := leaves.above; g != nil; g = g.above {
		l.inner, l.splits = append(l.inner, g.nodes.list()), l.splits+g.splits
	}
	return l, nil
}

// last is the index of the last start that is at most rank.
func last(starts []int64, rank int64) int64 {
	i, found := slices.BinarySearch(starts, rank)
	if !found {
		i--
	}
	return int64(i)
}

// Where is the leaf of the row's rank.
func (l *clustered) Where(e *workload.Entity, i int) page.Span {
	leaf := last(l.starts, e.Before+int64(i))
	return page.Span{First: l.pages[leaf], Last: l.pages[leaf+1] - 1}
}

// Latest descends to the entity's newest row and walks n rows back.
func (l *clustered) Latest(t *Trail, e *workload.Entity, n int) {
	l.descend(t, e, e.Rows())
	t.newest(l, e, 0, e.Rows(), n)
}

// Range descends to the newest row of the range itself: no row before it is decoded. The first older one ends it; where
// the entity has none, the neighbour's row that does is not counted, as in a partition.
func (l *clustered) Range(t *Trail, e *workload.Entity, from, to int64) {
	if from < to {
		l.descend(t, e, e.Search(to))
		t.slice(l, e, 0, e.Rows(), from, to, func(first int) int { return first })
	}
}

// descend records the inner pages on the way to the row before hi, or to where the entity's first row would be.
func (l *clustered) descend(t *Trail, e *workload.Entity, hi int) {
	t.probe(e.Rows() == 0)
	t.entries(1)
	for i, starts := range l.inner {
		t.indexPage(i+1, last(starts, e.Before+int64(max(0, hi-1))))
	}
}

// Size counts, of an insert, the leaf that the row goes to, and of a split two pages more: the other half and the page
// above, which gets its entry.
func (l *clustered) Size() Size {
	c := l.in.Census
	s := Size{
		DataPages: l.pages[len(l.starts)], RowBytes: l.bytes,
		Partitions: c.Keys, Largest: c.Largest, PagesWritten: c.Rows + 2*l.splits,
	}
	for _, starts := range l.inner {
		s.IndexPages += int64(len(starts))
	}
	return s
}

// Growth is what inserts made of a B-tree whose leaves are the rows.
type Growth struct {
	Splits   int64   // pages that were split, or begun at the right edge, on all levels
	LeafRows []int64 // rows of each leaf, in key order
	Levels   int     // leaves included
}

// Grown is the growth of a clustered index; of other layouts there is none.
func Grown(l Layout) (Growth, bool) {
	c, ok := l.(*clustered)
	if !ok {
		return Growth{}, false
	}
	g := Growth{Splits: c.splits, LeafRows: make([]int64, len(c.starts)), Levels: 1 + len(c.inner)}
	for i, first := range c.starts {
		end := c.in.Census.Rows
		if i+1 < len(c.starts) {
			end = c.starts[i+1]
		}
		g.LeafRows[i] = end - first
	}
	return g, true
}
