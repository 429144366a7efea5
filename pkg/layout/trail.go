package layout

import (
	"slices"

	"pagetouch/pkg/page"
)

// Touch is what one query touched in one layout, from cold.
type Touch struct {
	Partitions      int // partitions read, empty probes included
	EmptyPartitions int // of these, the ones with no row
	IndexPages      int // distinct index pages
	DataPages       int // distinct data pages
	EntriesExamined int // index entries looked at
	RowsExamined    int // rows decoded
	RowsReturned    int // rows in the answer
	Files           int // sorted files looked into; 0 where the layout is one file and never another
	EmptyFiles      int // of these, the ones without the partition: a Bloom filter's mistakes
}

// Trail records a read as it is executed: each page it comes to, each row it decodes. It can be used again after
// Reset, so that many reads need no memory of their own.
type Trail struct {
	touch    Touch
	data     []int64 // pages, as they were come to
	index    []int64 // the same; a level and a number each
	examined []int32 // rows decoded, as indexes into the entity's rows
	answer   []int32 // rows returned, in order
}

// Reset empties the trail: the next read starts cold.
func (t *Trail) Reset() {
	*t = Trail{data: t.data[:0], index: t.index[:0], examined: t.examined[:0], answer: t.answer[:0]}
}

// Touch counts what the read touched.
func (t *Trail) Touch() Touch {
	t.data, t.index = distinct(t.data), distinct(t.index)
	t.touch.DataPages, t.touch.IndexPages = len(t.data), len(t.index)
	t.touch.RowsExamined, t.touch.RowsReturned = len(t.examined), len(t.answer)
	return t.touch
}

// DataPages is the distinct data pages touched, ascending. It is valid until Reset.
func (t *Trail) DataPages() []int64 {
	t.data = distinct(t.data)
	return t.data
}

// Answer is the rows returned, newest first, as indexes into the entity's rows. It is valid until Reset.
func (t *Trail) Answer() []int32 { return t.answer }

// Examined is the rows decoded, as indexes into the entity's rows. It is valid until Reset.
func (t *Trail) Examined() []int32 { return t.examined }

// distinct sorts pages and drops repeats. Reads come to pages mostly in falling or rising order.
func distinct(pages []int64) []int64 {
	if n := len(pages); n > 1 && pages[0] > pages[n-1] {
		slices.Reverse(pages)
	}
	if !slices.IsSorted(pages) {
		slices.Sort(pages)
	}
	return slices.Compact(pages)
}

// probe records that a partition is read.
func (t *Trail) probe(empty bool) {
	t.touch.Partitions++
	if empty {
		t.touch.EmptyPartitions++
	}
}

// file records that a sorted file is looked into.
func (t *Trail) file(empty bool) {
	t.touch.Files++
	if empty {
		t.touch.EmptyFiles++
	}
}

// entries records index entries looked at.
func (t *Trail) entries(n int) { t.touch.EntriesExamined += n }

// indexPage records an index page: a level of a tree and the page's number in it.
func (t *Trail) indexPage(level int, number int64) {
	t.index = append(t.index, int64(level)<<48|number)
}

// descend records the way from a tree's root to the leaf of an entry.
func (t *Trail) descend(tree page.Tree, entry int64) { tree.Descend(entry, t.indexPage) }

// walk records the leaves of entries [from, to), beyond the descent to one of them.
func (t *Trail) walk(tree page.Tree, from, to int64) {
	t.entries(int(to - from))
	if from < to {
		for leaf := from / tree.Leaf; leaf <= (to-1)/tree.Leaf; leaf++ {
			t.indexPage(0, leaf)
		}
	}
}

// dataPages records data pages.
func (t *Trail) dataPages(s page.Span) {
	for p := s.First; p <= s.Last; p++ {
		if n := len(t.data); n == 0 || t.data[n-1] != p {
			t.data = append(t.data, p)
		}
	}
}

// decode records that row i is decoded where it lies.
func (t *Trail) decode(i int, at page.Span) {
	t.examine(i)
	t.dataPages(at)
}

// examine records that row i is decoded, from a copy of it that lies on no data page.
func (t *Trail) examine(i int) { t.examined = append(t.examined, int32(i)) }

// give records that row i is part of the answer.
func (t *Trail) give(i int) { t.answer = append(t.answer, int32(i)) }
