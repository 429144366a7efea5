package page

import (
	"math/rand/v2"
	"testing"
)

// Case P1a: 10,000,000 rows of one int4 in PostgreSQL: 24 + 4 -> 32 aligned, + 4 line pointer = 36 bytes.
func TestPostgresInt4Table(t *testing.T) {
	f := PostgresHeap
	if f.Takes(4) != 36 || f.RowsPerPage(4) != 226 || NewEven(f, 4).Pages(10_000_000) != 44_248 {
		t.Errorf("int4 row takes %d, %d a page, %d pages; want 36, 226, 44,248", f.Takes(4), f.RowsPerPage(4), NewEven(f, 4).Pages(10_000_000))
	}
}

// Cases P1b and P1c: keys 1000..50000 in key order, and through a B-tree of 366 int4 entries a leaf.
func TestPostgresInt4Range(t *testing.T) {
	// Key k is row k-1.
	even := NewEven(PostgresHeap, 4)
	if n := even.Span(49_999).Last - even.Span(999).First + 1; n != 218 {
		t.Errorf("sorted heap: %d pages, want 218", n)
	}
	tree := Tree{Entries: 10_000_000, Leaf: 366, Inner: 285}
	pages := map[[2]int64]bool{}
	for entry := int64(999); entry < 50_000; entry++ {
		pages[[2]int64{0, entry / tree.Leaf}] = true
	}
	leaves := len(pages)
	tree.Descend(999, func(level int, n int64) { pages[[2]int64{int64(level), n}] = true })
	if tree.Height() != 3 || leaves != 135 || len(pages) != 137 {
		t.Errorf("index of height %d: %d leaves, %d pages; want 3, 135, 137", tree.Height(), leaves, len(pages))
	}
}

func TestLessonShapes(t *testing.T) {
	if Lesson.RowsPerPage(200) != 40 || NewEven(Lesson, 200).Pages(2_000_000) != 50_000 || Lesson.Fanout(16) != 512 {
		t.Error("the lesson has 40 rows a page, 50,000 pages and 512 entries a page")
	}
	for _, c := range []struct {
		entries        int64
		height, leaves int
	}{{0, 1, 1}, {1, 1, 1}, {512, 1, 1}, {513, 2, 2}, {20_000, 2, 40}, {262_144, 2, 512}, {262_145, 3, 513}, {2_000_000, 3, 3907}} {
		tree := Tree{c.entries, 512, 512}
		if tree.Height() != c.height || tree.Leaves() != int64(c.leaves) {
			t.Errorf("%d entries: height %d, %d leaves; want %d, %d", c.entries, tree.Height(), tree.Leaves(), c.height, c.leaves)
		}
	}
}

// Every file is compared with rows written byte by byte onto real pages.
func TestFilesAgainstWrittenPages(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		f := Format{Bytes: 1 + r.IntN(60), Header: r.IntN(8), RowHeader: r.IntN(4), Pointer: r.IntN(3), Align: r.IntN(5), Fill: r.IntN(101)}
		if f.Validate() != nil {
			continue
		}
		sizes := make([]int, 1+r.IntN(30))
		even := r.IntN(2) == 0
		for i := range sizes {
			sizes[i] = 1 + r.IntN(50)
			if even {
				sizes[i] = sizes[0]
			}
		}
		slotted, stream, offset := NewSlotted(f), Stream{int64(f.Room())}, int64(0)
		want := writeSlotted(f, sizes)
		for _, s := range sizes {
			slotted.Append(s)
		}
		for i, s := range sizes {
			if got := slotted.Span(int64(i), s); got != want[i] {
				t.Fatalf("%+v sizes %v: slotted row %d on %v, want %v", f, sizes, i, got, want[i])
			}
			if got := NewEven(f, s).Span(int64(i)); even && got != want[i] {
				t.Fatalf("%+v sizes %v: even row %d on %v, want %v", f, sizes, i, got, want[i])
			}
			span := stream.Span(offset, int64(s))
			for b := offset; b < offset+int64(s); b++ {
				if b/stream.Room < span.First || b/stream.Room > span.Last {
					t.Fatalf("stream: byte %d of row %d is not on %v", b, i, span)
				}
			}
			offset += int64(s)
		}
		last := want[len(want)-1].Last + 1
		if slotted.Pages() != last || even && NewEven(f, sizes[0]).Pages(int64(len(sizes))) != last {
			t.Fatalf("%+v sizes %v: %d pages, want %d", f, sizes, slotted.Pages(), last)
		}
	}
}

// writeSlotted fills pages with markers, one byte at a time, as a reader of Slotted's comment would.
func writeSlotted(f Format, sizes []int) []Span {
	var pages [][]byte
	spans := make([]Span, len(sizes))
	for i, s := range sizes {
		n := f.Takes(s)
		if len(pages) == 0 || len(pages[len(pages)-1])+n > f.Room() {
			pages = append(pages, nil)
		}
		spans[i].First = int64(len(pages) - 1)
		for range n {
			if len(pages[len(pages)-1]) == f.Room() {
				pages = append(pages, nil)
			}
			pages[len(pages)-1] = append(pages[len(pages)-1], byte(i))
		}
		spans[i].Last = int64(len(pages) - 1)
		if n > f.Room() { // a large row has its pages to itself
			for len(pages[len(pages)-1]) < f.Room() {
				pages[len(pages)-1] = append(pages[len(pages)-1], 0)
			}
		}
	}
	return spans
}
