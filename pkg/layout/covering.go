package layout

import (
	"fmt"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// A covering index over a heap that nobody changes, and over one with a tenth of its pages changed since VACUUM.
var (
	Covering        = register(CoveringIndex(Unchanged()))
	CoveringChanged = register(CoveringIndex(ChangedPages(0.1, 1)))
)

// CoveringIndex is rows in arrival order and a B-tree on (entity, time) INCLUDE (body), packed full, whose entries carry
// the row: reads decode the copy. As in PostgreSQL an entry does not say whether its row is visible, so the visibility
// map is asked for the row's page, and where the map does not vouch for it, the heap page is read too.
//
// Copies of varying size lie end to end in the leaves. Pages of the map count as index pages, each once a read.
func CoveringIndex(changed Changes) Kind {
	k := Kind{Name: "covering", Title: "Covering index"}
	if changed.name != "" {
		k.Name, k.Title = k.Name+"-"+changed.name, k.Title+", "+changed.title
	}
	k.Place = func(in *Input) (Layout, error) {
		if changed.share < 0 || changed.share > 1 || changed.share != changed.share {
			return nil, fmt.Errorf("a share of %v changed: want 0 to 1", changed.share)
		}
		file, err := newHeap(in)
		if err != nil {
			return nil, err
		}
		fat := *in
		fat.Page.RowHeader, fat.Page.Pointer = in.Entry, 0
		l := &covering{heap: file, copies: newPacked(&fat)}
		l.leaves = l.copies.pages(in.Census.Rows, in.Census.Bytes)
		if l.leaves > 1 {
			l.inner = in.tree(l.leaves)
		}
		l.changed, err = changed.of(file)
		return l, err
	}
	return k
}

type covering struct {
	*heap
	copies  packed
	leaves  int64
	inner   page.Tree // an entry a leaf; none where the only leaf is the root
	changed func(page int64) bool
}

// Index pages are numbered apart: leaves are level 0, the levels above follow, and the map is none of them.
const mapLevel = 64

// copyAt is the leaves that the copy of row i lies on.
func (l *covering) copyAt(e *workload.Entity, i int) page.Span {
	return l.copies.span(e, i, e.Before+int64(i), e.BytesBefore+e.Bytes(0, i))
}

// fetches reports whether a read of row i comes to its heap page.
func (l *covering) fetches(e *workload.Entity, i int) bool { return l.changed(l.Where(e, i).First) }

// mapPage is the page of the visibility map that speaks for a heap page: 2 bits each, after a header of 24 bytes
// (PostgreSQL documentation, "Visibility Map"): 32,672 heap pages to a map page of 8 KiB.
func (l *covering) mapPage(heapPage int64) int64 {
	return heapPage / int64(max(1, (l.in.Page.Bytes-24)*4))
}

// Latest descends to the entity's newest entry and walks n entries back.
func (l *covering) Latest(t *Trail, e *workload.Entity, n int) {
	l.read(t, e, max(0, e.Rows()-max(n, 0)), e.Rows())
}

// Range walks the entries of the range.
func (l *covering) Range(t *Trail, e *workload.Entity, from, to int64) {
	if from < to {
		l.read(t, e, e.Search(from), e.Search(to))
	}
}

func (l *covering) read(t *Trail, e *workload.Entity, lo, hi int) {
	t.probe(e.Rows() == 0)
	t.entries(hi - lo)
	l.descend(t, e, hi)
	for i := hi - 1; i >= lo; i-- {
		for at := l.copyAt(e, i); at.First <= at.Last; at.First++ {
			t.indexPage(0, at.First)
		}
		t.examine(i)
		heapPages := l.Where(e, i)
		t.indexPage(mapLevel, l.mapPage(heapPages.First))
		if l.fetches(e, i) {
			t.dataPages(heapPages)
		}
		t.give(i)
	}
}

// descend records the way from the root to the leaf of the entry before hi.
func (l *covering) descend(t *Trail, e *workload.Entity, hi int) {
	leaf := max(0, l.copies.pages(e.Before+int64(hi), e.BytesBefore+e.Bytes(0, hi))-1)
	t.indexPage(0, leaf)
	if l.leaves > 1 {
		l.inner.Descend(leaf, func(level int, number int64) { t.indexPage(1+level, number) })
	}
}

// Size counts the rows twice, and two dirty pages an insert: the heap's last, and the leaf of the row's copy.
func (l *covering) Size() Size {
	c := l.in.Census
	s := Size{
		DataPages: l.pages(), IndexPages: max(1, l.leaves), RowBytes: l.takes() + c.Bytes,
		Partitions: c.Keys, Largest: c.Largest, PagesWritten: 2 * c.Rows,
	}
	if l.leaves > 1 {
		s.IndexPages += l.inner.Pages()
	}
	if heap := l.pages(); heap > 0 {
		s.IndexPages += l.mapPage(heap-1) + 1
	}
	return s
}
