package layout

import (
	"testing"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// Case P7: the lesson's read on PostgreSQL 15. 1,000,000 posts of 1,000 authors in strict turn, 38 rows a page: two posts
// of one author are never on one page, so latest 20 touches exactly 20 heap pages and, through a tree of 366 entries a
// leaf, 3 index pages or 4; sorted by (author, time descending), 1 page or 2.
func TestAuthorsInTurn(t *testing.T) {
	const posts, authors = 1_000_000, 1_000
	rows := &workload.Slice{Bytes: 181, Entity: make([]int32, posts), Time: make([]int64, posts)}
	for i := range rows.Entity {
		rows.Entity[i], rows.Time[i] = int32(i%authors), int64(i)
	}
	asked := make([]int, authors)
	for i := range asked {
		asked[i] = i
	}
	census, err := workload.Count(rows, asked)
	if err != nil {
		t.Fatal(err)
	}
	in := &Input{Workload: rows, Census: census, Page: page.PostgresHeap, Entry: 22, Now: OwnNewest, Floor: OwnOldest}
	if n := in.Page.RowsPerPage(rows.Bytes); n != 38 {
		t.Fatalf("%d rows a page, want 38", n)
	}
	heap, err := Arrival.Place(in)
	if err != nil {
		t.Fatal(err)
	}
	sorted, err := Partition.Place(in)
	if err != nil {
		t.Fatal(err)
	}
	var trail Trail
	two := 0
	for i := range census.Asked {
		e := &census.Asked[i]
		trail.Reset()
		heap.Latest(&trail, e, 20)
		if a := trail.Touch(); a.DataPages != 20 || a.IndexPages < 3 || a.IndexPages > 4 || a.RowsReturned != 20 {
			t.Fatalf("author %d in arrival order: %+v", i, a)
		}
		trail.Reset()
		sorted.Latest(&trail, e, 20)
		b := trail.Touch()
		if b.DataPages < 1 || b.DataPages > 2 || b.RowsReturned != 20 {
			t.Fatalf("author %d sorted: %+v", i, b)
		}
		two += b.DataPages - 1
	}
	// A partition begins at each of 19 even places of a page as often as at another; 10 of them leave room for 19 more rows.
	if two < authors*8/19 || two > authors*11/19 {
		t.Errorf("%d of %d sorted reads cross into a second page", two, authors)
	}
}
