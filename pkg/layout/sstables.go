package layout

import (
	"cmp"
	"slices"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/lsm"
	"pagetouch/pkg/page"
	"pagetouch/pkg/ring"
	"pagetouch/pkg/workload"
)

// Layout B before it is compacted, under each strategy, with Cassandra's defaults where it has one.
var (
	Uncompacted = register(SSTables{BitsPerKey: 10, Bounds: true}.Kind("sstables-uncompacted", "Sorted files, never merged"))
	Tiered      = register(SSTables{BitsPerKey: 10, Bounds: true, Compaction: ByTier}.Kind("sstables-tiered", "Sorted files, size-tiered"))
	Leveled     = register(SSTables{BitsPerKey: 10, Bounds: true, Compaction: ByLevel}.Kind("sstables-leveled", "Sorted files, leveled"))
	Windowed    = register(SSTables{BitsPerKey: 10, Bounds: true, Compaction: ByMonth}.Kind("sstables-window", "Sorted files, a month's merged"))
)

// ByTier, ByLevel and ByMonth set a strategy up for memtables of so many rows.
func ByTier(int64) lsm.Strategy           { return lsm.SizeTiered{} }
func ByLevel(memtable int64) lsm.Strategy { return lsm.Leveled{Rows: memtable} }
func ByMonth(int64) lsm.Strategy          { return lsm.TimeWindow{Width: bucket.Month} }

// SSTables is layout B as a log-structured store writes it: rows gather in memory and are flushed to a sorted file each
// time there are enough; files pile up until a strategy merges some. Each file is packed like layout B's, partitions in
// the order of their tokens, with a sparse index of its own, and begins a new page. A read merges the memtable, which
// costs no page, with every file that it cannot skip.
type SSTables struct {
	Compaction func(memtable int64) lsm.Strategy // nil: files are never merged
	Memtable   int64                             // rows that are flushed together; less than 1: a twentieth of all
	BitsPerKey int                               // of each file's Bloom filter; less than 1: no filter
	Bounds     bool                              // files are skipped by the times of their oldest and newest row
	Ordered    bool                              // partitions in the order of their keys, not of their tokens
	Major      bool                              // in the end all files are merged into one
}

// Kind is these SSTables as a kind of layout.
func (o SSTables) Kind(name, title string) Kind {
	return Kind{Name: name, Title: title, Place: func(in *Input) (Layout, error) {
		f, err := NewFlushes(in, o.Memtable, o.Ordered)
		if err != nil {
			return nil, err
		}
		return f.Place(o), nil
	}}
}

// Place flushes all and merges as the options say. Memtable and Ordered are those of the flushes.
func (f *Flushes) Place(o SSTables) Layout {
	b := f.build(o)
	for _, pieces := range f.pieces {
		b.store.Flush(pieces)
	}
	if o.Major {
		b.store.Major()
	}
	return b.layout(int64(len(f.pieces)))
}

// Pile hands out the layout as it is after each flush, when flushed rows have arrived. Its entities are still whole:
// their later rows look as if they were in memory, so reads want entities cut at the time of the first of them.
func (f *Flushes) Pile(o SSTables, visit func(flushed int64, l Layout) error) error {
	b := f.build(o)
	for i, pieces := range f.pieces {
		b.store.Flush(pieces)
		if err := visit(int64(i+1)*f.memtable, b.layout(int64(i+1))); err != nil {
			return err
		}
	}
	return nil
}

type sstables struct {
	*Flushes
	o         SSTables
	files     []*sortedFile // newest row first: the order in which latest n looks into them
	firstPage []int64       // of each file, in the one numbering of all pages
	lies      [][]lie       // by slot and row
	size      Size
}

// lie is where a row lies: the file, and how many newer rows of its entity stand before it there.
type lie struct{ file, newer int32 }

const inMemory = -1 // the file of rows that are not flushed

// builder collects the files that a store writes.
type builder struct {
	*Flushes
	o     SSTables
	store lsm.Store
	files []*sortedFile // by number, as long as anyone may read them
	pages int64         // written, index pages included
}

func (f *Flushes) build(o SSTables) *builder {
	b := &builder{Flushes: f, o: o}
	if o.Compaction != nil {
		b.store.Strategy = o.Compaction(f.memtable)
	}
	b.store.Apart = func(key int32) bool { return f.wanted[key] }
	b.store.Wrote = func(t *lsm.Table) {
		file := f.sort(t, o.BitsPerKey)
		b.files = append(b.files, file)
		b.pages += f.packed.pages(t.Rows, t.Bytes) + file.index.Pages()
	}
	return b
}

// layout is what can be read now.
func (b *builder) layout(flushes int64) Layout {
	tables := slices.Clone(b.store.Tables)
	slices.SortFunc(tables, func(x, y *lsm.Table) int {
		return cmp.Or(cmp.Compare(y.Newest, x.Newest), cmp.Compare(y.Number, x.Number))
	})
	c := b.in.Census
	l := &sstables{Flushes: b.Flushes, o: b.o, lies: make([][]lie, len(c.Asked))}
	l.size = Size{
		RowBytes: l.takes(c.Rows, c.Bytes), Partitions: c.Keys, Largest: c.Largest,
		PagesWritten: b.pages, Files: int64(len(tables)), RowsWritten: b.store.Rows,
	}
	all := make([]lie, b.asked)
	for s := range l.lies {
		n := c.Asked[s].Rows()
		l.lies[s], all = all[:n:n], all[n:]
		for i := range l.lies[s] {
			l.lies[s][i].file = inMemory
		}
	}
	for i, t := range tables {
		f := b.files[t.Number]
		l.files, l.firstPage = append(l.files, f), append(l.firstPage, l.size.DataPages)
		l.size.DataPages += l.pages(t.Rows, t.Bytes)
		l.size.IndexPages += f.index.Pages()
		for s := range f.held {
			rows := f.held[s].rows
			for k, row := range rows {
				l.lies[s][row] = lie{int32(i), int32(len(rows) - 1 - k)}
			}
		}
	}
	return l
}

// Size counts as written the pages of every file that was ever written, flushed or merged.
func (l *sstables) Size() Size { return l.size }

// Where is a page of the row's file; an empty span where the row is in memory only.
func (l *sstables) Where(e *workload.Entity, i int) page.Span {
	slot := l.slot[e.ID]
	at := l.lies[slot][i]
	if at.file == inMemory {
		return page.Span{First: 0, Last: -1}
	}
	h := &l.files[at.file].held[slot]
	s := l.span(e, i, h.before+int64(at.newer), h.bytesBefore+h.newerBytes(int(at.newer)))
	first := l.firstPage[at.file]
	return page.Span{First: first + s.First, Last: first + s.Last}
}

// Latest merges, newest first, the files that may hold one of the n rows. A file is opened when the next row to be given
// is no newer than the file's newest (all at once without bounds): its first row of the entity is decoded, and then, for
// each of its rows that is given, the next, as long as more are wanted.
func (l *sstables) Latest(t *Trail, e *workload.Entity, n int) {
	t.probe(e.Rows() == 0)
	lies := l.lies[l.slot[e.ID]]
	opened, next := 0, e.Rows()-1
	for ; n > 0; n-- {
		for ; opened < len(l.files) && (!l.o.Bounds || next < 0 || l.files[opened].newest >= e.Time[next]); opened++ {
			if rows := l.open(t, e, opened); len(rows) > 0 {
				l.decode(t, e, rows[len(rows)-1])
			}
		}
		if next < 0 {
			return
		}
		at := lies[next]
		if at.file == inMemory {
			l.decode(t, e, int32(next))
		} else if n > 1 {
			rows := l.files[at.file].held[l.slot[e.ID]].rows
			if k := len(rows) - 1 - int(at.newer); k > 0 {
				l.decode(t, e, rows[k-1])
			}
		}
		t.give(next)
		next--
	}
}

// Range reads the slice of each file that may hold a row of the range as layout B reads it.
func (l *sstables) Range(t *Trail, e *workload.Entity, from, to int64) {
	if from >= to {
		return
	}
	t.probe(e.Rows() == 0)
	a, b := int32(e.Search(from)), int32(e.Search(to))
	for i, f := range l.files {
		if l.o.Bounds && (f.newest < from || f.oldest >= to) {
			continue
		}
		rows := l.open(t, e, i)
		k, _ := slices.BinarySearch(rows, b)
		if k--; k < 0 {
			continue // every row is newer than the range, or there is none
		}
		for top := l.Where(e, int(rows[k])).First; k+1 < len(rows) && l.Where(e, int(rows[k+1])).First == top; {
			k++ // the index leads to the page
		}
		for ; k >= 0; k-- {
			l.decode(t, e, rows[k])
			if rows[k] < a {
				break // looked at to know that the range has ended
			}
		}
	}
	for i := b - 1; i >= a; i-- {
		if l.lies[l.slot[e.ID]][i].file == inMemory {
			l.decode(t, e, i)
		}
		t.give(int(i))
	}
}

func (l *sstables) decode(t *Trail, e *workload.Entity, i int32) {
	t.decode(int(i), l.Where(e, int(i)))
}

// open looks into a file for the entity and returns its rows there, oldest first: none where the file is skipped by its
// bounds of keys or its filter, and none where the filter was mistaken, when the index is searched in vain.
func (l *sstables) open(t *Trail, e *workload.Entity, file int) []int32 {
	f, slot := l.files[file], l.slot[e.ID]
	if key := l.rank[e.ID]; key < f.first || key > f.last {
		return nil
	}
	if f.filter != nil && !f.filter.Has(ring.Hash(ring.EntityKey(int32(e.ID)))) {
		return nil
	}
	h := &f.held[slot]
	t.file(len(h.rows) == 0)
	t.entries(1)
	f.index.Descend(h.key, func(level int, number int64) { t.indexPage(level, int64(file)<<32|number) })
	rows := h.rows
	for len(rows) > 0 && int(rows[len(rows)-1]) >= e.Rows() {
		rows = rows[:len(rows)-1] // the entity was cut at an earlier time
	}
	return rows
}
