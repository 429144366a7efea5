package layout

import (
	"cmp"
	"slices"
	"testing"

	"pagetouch/pkg/lsm"
	"pagetouch/pkg/ring"
	"pagetouch/pkg/workload"
)

func touchOf(read func(*Trail)) Touch {
	var t Trail
	read(&t)
	return t.Touch()
}

// When everything has been merged into one file, in the order of keys, it is layout B: the same in every count, on
// random workloads, whatever the memtable and the filter.
func TestMergedIntoOneFileIsLayoutB(t *testing.T) {
	compared := 0
	for seed := range uint64(10_000) {
		c := newRandomCase(seed)
		b := c.place(t, Partition)
		one := c.place(t, SSTables{Memtable: 1, Ordered: true, Major: true, Bounds: seed%2 == 0, BitsPerKey: int(seed % 3)}.Kind("one", "one"))
		same := func(read string, e *workload.Entity, got, want Touch) {
			t.Helper()
			if got.Files > 1 || got.EmptyFiles > 0 {
				t.Fatalf("seed %d, entity %d, %s: looked into %d files", seed, e.ID, read, got.Files)
			}
			if got.Files == 0 { // by its times: B looks into its index to find that out
				want.IndexPages, want.EntriesExamined = 0, 0
				if want.RowsReturned > 0 || want.RowsExamined > 1 {
					t.Fatalf("seed %d, entity %d, %s: skipped, and B reads %+v", seed, e.ID, read, want)
				}
				return
			}
			compared++
			if got.Files = 0; got != want {
				t.Fatalf("seed %d, entity %d, %s:\n got %+v\nwant %+v", seed, e.ID, read, got, want)
			}
		}
		for i := range c.in.Census.Asked {
			e := &c.in.Census.Asked[i]
			if e.Rows() == 0 {
				continue
			}
			n := c.n + 1
			same("latest", e, touchOf(func(t *Trail) { one.Latest(t, e, n) }), touchOf(func(t *Trail) { b.Latest(t, e, n) }))
			same("range", e, touchOf(func(t *Trail) { one.Range(t, e, c.from, c.to) }), touchOf(func(t *Trail) { b.Range(t, e, c.from, c.to) }))
		}
		if one.Size().DataPages != b.Size().DataPages || one.Size().IndexPages != b.Size().IndexPages && c.in.Census.Rows > 0 {
			t.Fatalf("seed %d: size %+v, want %+v", seed, one.Size(), b.Size())
		}
	}
	if compared < 20_000 {
		t.Errorf("%d reads compared, want at least 20,000", compared)
	}
}

// One sorted run cut into files, as leveled compaction leaves it, is layout B but for the page that each file begins.
func TestLeveledRunIsLayoutBButForItsCuts(t *testing.T) {
	cuts := int64(0)
	byOne := func(int64) lsm.Strategy { return lsm.Leveled{Rows: 10, Fanout: 1000, Threshold: 1} }
	for seed := range uint64(2000) {
		c := newRandomCase(seed)
		b, run := c.place(t, Partition), c.place(t, SSTables{Memtable: 1, Ordered: true, Compaction: byOne}.Kind("run", "run"))
		files := run.Size().Files
		cuts += max(0, files-1)
		if got, want := run.Size().DataPages, b.Size().DataPages; got < want || got > want+files {
			t.Fatalf("seed %d: %d pages in %d files, B has %d", seed, got, files, want)
		}
		for i := range c.in.Census.Asked {
			e := &c.in.Census.Asked[i]
			got, want := touchOf(func(t *Trail) { run.Latest(t, e, c.n) }), touchOf(func(t *Trail) { b.Latest(t, e, c.n) })
			if got.Files > 1 || got.RowsExamined != want.RowsExamined {
				t.Fatalf("seed %d, entity %d: %+v, B %+v", seed, e.ID, got, want)
			}
		}
	}
	if cuts == 0 {
		t.Error("no run was cut into files")
	}
}

// Every flush split in two never lowers the files in which an entity's rows are read, and merging all never raises
// them; as long as files are not skipped by their times: those of smaller files are tighter.
func TestMoreFilesNeverLowerFilesRead(t *testing.T) {
	more := 0
	for seed := range uint64(3000) {
		c := newRandomCase(seed)
		for _, memtable := range []int64{2, 6, 20} {
			whole := c.place(t, SSTables{Memtable: memtable}.Kind("", ""))
			halves := c.place(t, SSTables{Memtable: memtable / 2}.Kind("", ""))
			merged := c.place(t, SSTables{Memtable: memtable, Major: true}.Kind("", ""))
			for i := range c.in.Census.Asked {
				e := &c.in.Census.Asked[i]
				holding := func(l Layout, latest bool) int {
					got := touchOf(func(t *Trail) {
						if latest {
							l.Latest(t, e, c.n)
						} else {
							l.Range(t, e, c.from, c.to)
						}
					})
					return got.Files - got.EmptyFiles
				}
				for _, latest := range []bool{true, false} {
					w, h, m := holding(whole, latest), holding(halves, latest), holding(merged, latest)
					if h < w || m > w {
						t.Fatalf("seed %d, entity %d: %d files read, %d of halves, %d when merged", seed, e.ID, w, h, m)
					}
					if h > w {
						more++
					}
				}
			}
		}
	}
	if more == 0 {
		t.Error("splitting flushes never raised the files read")
	}
}

// A filter changes which files are looked into, not what is read there; with few bits it is mistaken at times.
func TestFilterOnlySkips(t *testing.T) {
	skipped, mistaken, fromMemory := 0, 0, 0
	for seed := range uint64(3000) {
		c := newRandomCase(seed)
		o := SSTables{Memtable: 4, Bounds: seed%2 == 0}
		plain := c.place(t, o.Kind("", ""))
		o.BitsPerKey = 1 + int(seed%4)
		filtered := c.place(t, o.Kind("", ""))
		for i := range c.in.Census.Asked {
			e := &c.in.Census.Asked[i]
			for _, read := range []func(l Layout, t *Trail){
				func(l Layout, t *Trail) { l.Latest(t, e, c.n) }, func(l Layout, t *Trail) { l.Range(t, e, c.from, c.to) },
			} {
				a, b := touchOf(func(t *Trail) { read(plain, t) }), touchOf(func(t *Trail) { read(filtered, t) })
				skipped += a.Files - b.Files
				mistaken += b.EmptyFiles
				if b.RowsReturned > 0 && b.DataPages == 0 {
					fromMemory++
				}
				if a.Files-a.EmptyFiles != b.Files-b.EmptyFiles || a.DataPages != b.DataPages || a.RowsExamined != b.RowsExamined ||
					b.IndexPages > a.IndexPages || b.EmptyFiles > a.EmptyFiles {
					t.Fatalf("seed %d, entity %d: %+v with a filter, %+v without", seed, e.ID, b, a)
				}
			}
		}
	}
	if skipped == 0 || mistaken == 0 || fromMemory == 0 {
		t.Errorf("files skipped %d times, filters mistaken %d times, answers from memory alone %d: each must happen", skipped, mistaken, fromMemory)
	}
}

// literalFiles is flushes that are never merged, by their definition: a file has to be read if fewer than n of the
// entity's rows are newer than its newest row; there the first row is decoded, and the one after each row that is given
// but the n-th.
func literalFiles(c *randomCase, memtable int, bounds bool) (latest func(e int32, n int) Touch, between func(e int32, from, to int64) Touch) {
	type file struct {
		rows           []*literalRow
		root           *node
		oldest, newest int64
	}
	token := func(e int32) ring.Token { return ring.TokenOf(ring.EntityKey(e)) }
	arrived := c.literalRows()
	var files []file
	pages := 0
	for len(arrived) >= memtable {
		f := file{rows: slices.Clone(arrived[:memtable])}
		arrived = arrived[memtable:]
		slices.SortFunc(f.rows, func(a, b *literalRow) int {
			return cmp.Or(cmp.Compare(token(a.entity), token(b.entity)), newestFirst(a, b))
		})
		c.put(f.rows, c.rows.Size != nil)
		keys := map[int32]bool{}
		f.oldest, f.newest = f.rows[0].time, f.rows[0].time
		next := 0
		for _, r := range f.rows {
			r.first, r.at = r.first+pages, r.at+pages
			next = max(next, r.at+1)
			keys[r.entity] = true
			f.oldest, f.newest = min(f.oldest, r.time), max(f.newest, r.time)
		}
		pages, f.root = next, c.tree(len(keys))
		files = append(files, f)
	}
	for _, r := range arrived {
		r.first, r.at = 0, -1 // in memory
	}
	open := func(t *literalTouch, f file, e int32) (mine []*literalRow) {
		if token(e) < token(f.rows[0].entity) || token(e) > token(f.rows[len(f.rows)-1].entity) {
			return nil
		}
		smaller := map[int32]bool{}
		for _, r := range f.rows {
			if token(r.entity) < token(e) {
				smaller[r.entity] = true
			}
			if r.entity == e {
				mine = append(mine, r)
			}
		}
		t.files++
		if mine == nil {
			t.emptyFiles++
		}
		t.entries++
		f.root.find(len(smaller), t.index)
		return mine
	}
	all := func(e int32) (t *literalTouch, rows []*literalRow) {
		t = newLiteralTouch()
		t.partitions, t.empty = 1, 1
		for i, other := range c.rows.Entity {
			if other == e {
				t.empty = 0
				rows = append(rows, &literalRow{time: c.rows.Time[i], position: int64(i)})
			}
		}
		slices.SortFunc(rows, newestFirst)
		return t, rows
	}
	return func(e int32, n int) Touch {
			t, rows := all(e)
			given := map[int64]int{} // position -> its place in the answer
			for i, r := range rows[:min(n, len(rows))] {
				given[r.position] = i + 1
			}
			t.returned = len(given)
			for _, f := range files {
				newer := 0
				for _, r := range rows {
					if r.time > f.newest {
						newer++
					}
				}
				if n == 0 || bounds && newer >= n {
					continue
				}
				mine := open(t, f, e)
				for i, r := range mine {
					if i == 0 || given[mine[i-1].position] > 0 && given[mine[i-1].position] < n {
						t.decode(r)
					}
				}
			}
			for _, r := range arrived {
				if r.entity == e && given[r.position] > 0 {
					t.decode(r)
				}
			}
			return t.touch()
		}, func(e int32, from, to int64) Touch {
			if from >= to {
				return Touch{}
			}
			t, _ := all(e)
			for _, f := range files {
				if !bounds || f.newest >= from && f.oldest < to {
					literalSlice(t, open(t, f, e), from, to)
				}
			}
			for _, r := range arrived {
				if r.entity == e && r.time >= from && r.time < to {
					t.decode(r)
					t.returned++
				}
			}
			return t.touch()
		}
}

func TestSortedFilesAgainstLiteralFiles(t *testing.T) {
	for seed := range uint64(5000) {
		c := newRandomCase(seed)
		memtable, bounds := 1+int(seed%9), seed%2 == 0
		l := c.place(t, SSTables{Memtable: int64(memtable), Bounds: bounds}.Kind("", ""))
		latest, between := literalFiles(&c, memtable, bounds)
		for i := range c.in.Census.Asked {
			e := &c.in.Census.Asked[i]
			if got, want := touchOf(func(t *Trail) { l.Latest(t, e, c.n) }), latest(int32(e.ID), c.n); got != want {
				t.Fatalf("seed %d, entity %d, latest %d:\n got %+v\nwant %+v", seed, e.ID, c.n, got, want)
			}
			if got, want := touchOf(func(t *Trail) { l.Range(t, e, c.from, c.to) }), between(int32(e.ID), c.from, c.to); got != want {
				t.Fatalf("seed %d, entity %d, range %d to %d:\n got %+v\nwant %+v", seed, e.ID, c.from, c.to, got, want)
			}
		}
	}
}

func TestMemtableMayNotBeTooSmall(t *testing.T) {
	s := &workload.Slice{Entity: make([]int32, 40_000), Time: make([]int64, 40_000), Bytes: 1}
	c, err := workload.Count(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	in := &Input{Workload: s, Census: c, Entry: 16}
	in.Page.Bytes = 8192
	if _, err := NewFlushes(in, 1, false); err == nil {
		t.Error("40,000 flushes of one row must be an error")
	}
	if _, err := NewFlushes(in, 2, false); err != nil {
		t.Error(err)
	}
}
