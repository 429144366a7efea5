package experiment

import (
	"fmt"

	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/theory"
)

var _ = register(Experiment{Name: "covering-index", Order: 11, Run: CoveringIndex})

// CoveringIndex reads the newest posts through an index that carries them, with more and more of the heap's pages changed
// since VACUUM: anywhere, at its end, or by updates of single rows.
func CoveringIndex(l *Lab) (*result.Result, error) {
	b, err := l.posts()
	if err != nil {
		return nil, err
	}
	heap, partition, err := b.lesson()
	if err != nil {
		return nil, err
	}
	visible, err := b.place(layout.Covering)
	if err != nil {
		return nil, err
	}
	a, p, c := latest(heap, b.users, l.Latest), latest(partition, b.users, l.Latest), latest(visible, b.users, l.Latest)

	fetched := func(changed layout.Changes) (reads, error) {
		placed, err := layout.CoveringIndex(changed).Place(b.Input)
		if err != nil {
			return nil, err
		}
		return latest(placed, b.users, l.Latest), nil
	}
	curve := func(shares []float64, changed func(share float64) layout.Changes) (all []reads, err error) {
		for _, share := range shares {
			r, err := fetched(changed(share))
			if err != nil {
				return nil, err
			}
			all = append(all, r)
		}
		return all, nil
	}
	anywhere, err := curve(pageShares, func(share float64) layout.Changes { return layout.ChangedPages(share, l.Seed) })
	if err != nil {
		return nil, err
	}
	newest, err := curve(pageShares, layout.ChangedEnd)
	if err != nil {
		return nil, err
	}
	rows, err := curve(rowShares, func(share float64) layout.Changes { return layout.ChangedRows(share, l.Seed) })
	if err != nil {
		return nil, err
	}

	tenth, hundredth := indexOf(pageShares, 0.1), indexOf(rowShares, 0.01)
	before, after := heap.Size(), visible.Size()
	fits := l.Page().Room() >= l.EntryBytes+l.RowBytes
	perLeaf := max(1, int64(l.Page().Room()/(l.EntryBytes+l.RowBytes)))
	n := int64(l.Latest)
	var v values
	v.add("index_pages", "pages", c.mean(indexPages), 2)
	v.add("visible.heap_pages", "pages", c.mean(dataPages), 2)
	v.add("all_changed.heap_pages", "pages", anywhere[len(anywhere)-1].mean(dataPages), 2)
	v.add("tenth_of_pages.heap_pages", "pages", anywhere[tenth].mean(dataPages), 2)
	v.add("newest_tenth.heap_pages", "pages", newest[tenth].mean(dataPages), 2)
	v.add("hundredth_of_rows.heap_pages", "pages", rows[hundredth].mean(dataPages), 2)
	v.add("copies_per_leaf", "rows", float64(perLeaf), 0)
	v.add("copy.bytes", "bytes", float64(b.Census.Bytes), 0)
	v.add("index.bytes", "bytes", float64(after.IndexPages*int64(l.PageBytes)), 0)

	r := &result.Result{
		Name:  "covering-index",
		Title: "A covering index: the locality of a partition, for a second copy",
		Headline: fmt.Sprintf("With the post itself in the index, latest %s touches %s index pages and %s while every heap page is all-visible; with a tenth of the heap written since VACUUM it touches %s heap pages if that tenth is anywhere, and %s if it is the newest one.",
			count(l.Latest), num(c.mean(indexPages), 2), noOr(c.mean(dataPages), "heap page"), num(anywhere[tenth].mean(dataPages), 2), num(newest[tenth].mean(dataPages), 2)),
		Values: v,
		Findings: []string{
			fmt.Sprintf("An entry of %s bytes and a post of %s make %s copies a leaf, where the bare index has %s entries: the newest %s lie on about %s leaves, side by side as in a partition, under %s levels of inner pages, and one page of the visibility map is asked for nearly all of them.",
				count(l.EntryBytes), count(l.RowBytes), count(perLeaf), count(l.Page().Fanout(l.EntryBytes)), count(l.Latest), num(1+float64(n-1)/float64(perLeaf), 2), count(coveringLevels(b.Census.Rows, perLeaf, l.Page().Fanout(l.EntryBytes)))),
			fmt.Sprintf("All pages together, the read touches %s against %s in arrival order and %s in a partition, as long as VACUUM keeps up. With every page changed it is %s: the index is walked, and every row's page is read all the same.",
				num(c.mean(totalPages), 2), num(a.mean(totalPages), 2), num(p.mean(totalPages), 2), num(anywhere[len(anywhere)-1].mean(totalPages), 2)),
			fmt.Sprintf("Which pages have changed matters more than how many. New rows are at the end of the heap, and the newest posts are what the profile page asks for: with the newest tenth of the pages written since VACUUM, %s of %s posts cost a heap page; with a tenth drawn anywhere, %s.",
				num(newest[tenth].mean(dataPages), 2), count(l.Latest), num(anywhere[tenth].mean(dataPages), 2)),
			fmt.Sprintf("A few updates dirty many pages: with %s of the rows changed, %s of the pages have a changed row, and the read touches %s heap pages.",
				percent(rowShares[hundredth]), percent(theory.ChangedPages(rowShares[hundredth], l.PerPage())), num(rows[hundredth].mean(dataPages), 2)),
			fmt.Sprintf("The second copy is %s of posts, and the index with it %s, against %s of the bare index and %s of the heap.",
				size(float64(b.Census.Bytes)), size(float64(after.IndexPages*int64(l.PageBytes))), size(float64(before.IndexPages*int64(l.PageBytes))), size(float64(before.DataPages*int64(l.PageBytes)))),
			fmt.Sprintf("An insert makes two pages dirty in either layout, the heap's last and a leaf; but the leaf is one of %s pages of index instead of %s, so inserts meet the same page in memory that much more seldom, and each page that is written holds %s times fewer entries.",
				count(after.IndexPages), count(before.IndexPages), num(float64(l.Page().Fanout(l.EntryBytes))/float64(perLeaf), 1)),
		},
		Warnings: []result.Warning{{Text: "An update leaves its row where it is here. PostgreSQL writes a new version, often elsewhere, and its index keeps the old entry until VACUUM: measured counts lie somewhat higher."}},
	}
	mapped := int64(max(1, (l.PageBytes-24)*4))
	even := l.Even(0)
	checked := []check{{"index pages, map included", "pages", c.mean(indexPages), even.LatestCoveringPages(n, perLeaf, mapped)}}
	if !fits {
		checked = nil
		r.Warnings = append(r.Warnings, result.Warning{Text: "A post with its key is larger than a page: a copy takes several, and the closed form for the index's pages does not apply."})
	}
	checks, warnings := l.checkTable("covering-index-check", append(checked, []check{
		{"heap pages, nothing changed", "pages", anywhere[0].mean(dataPages), even.LatestFetched(n, 0, l.Sample)},
		{"heap pages, a tenth of the pages changed", "pages", anywhere[tenth].mean(dataPages), even.LatestFetched(n, 0.1, l.Sample)},
		{"heap pages, half of the pages changed", "pages", anywhere[indexOf(pageShares, 0.5)].mean(dataPages), even.LatestFetched(n, 0.5, l.Sample)},
		{"heap pages, all pages changed", "pages", anywhere[len(anywhere)-1].mean(dataPages), even.LatestArrivalPages(n)},
		{"heap pages, the newest tenth changed", "pages", newest[tenth].mean(dataPages), even.LatestFetchedEnd(n, 0.1)},
		{"heap pages, a hundredth of the rows changed", "pages", rows[hundredth].mean(dataPages), even.LatestFetched(n, theory.ChangedPages(rowShares[hundredth], l.PerPage()), l.Sample)},
	}...))
	r.Warnings = append(r.Warnings, warnings...)
	rangeReads := func(placed layout.Layout) reads { return between(placed, b.users, l.RangeFrom, l.RangeTo) }
	r.Tables = []result.Table{
		l.coveringReads([]named{{"arrival order + index", a, rangeReads(heap)}, {"covering index, all visible", c, rangeReads(visible)}, {"partition, newest first", p, rangeReads(partition)}}),
		coveringCurve(anywhere, newest), coveringRows(rows, l.PerPage()), l.coveringStored(before, after), checks,
	}
	r.Figures = []result.Figure{l.coveringFigure(anywhere, newest, c.mean(indexPages)), coveringRowsFigure(rows)}
	return r, nil
}

// The shares of pages and of rows that have changed.
var (
	pageShares = []float64{0, .01, .02, .05, .1, .15, .2, .25, .3, .4, .5, .6, .7, .8, .9, 1}
	rowShares  = []float64{0, .002, .005, .01, .02, .05, .1}
)

func indexOf(values []float64, x float64) int {
	for i, v := range values {
		if v == x {
			return i
		}
	}
	return -1
}

// noOr prints "no heap page" or "0.30 heap pages".
func noOr(x float64, noun string) string {
	if x == 0 {
		return "no " + noun
	}
	return num(x, 2) + " " + noun + "s"
}

func coveringLevels(rows, perLeaf, fanout int64) int64 {
	leaves := (rows + perLeaf - 1) / max(1, perLeaf)
	if leaves < 2 {
		return 0
	}
	return int64(theory.Height(leaves, fanout))
}

// named is a layout's two reads.
type named struct {
	name            string
	latest, between reads
}

func (l *Lab) coveringReads(all []named) result.Table {
	t := result.Table{
		Name:    "covering-index-reads",
		Title:   "Pages a read, mean of " + plural(l.Sample, "user"),
		Columns: []result.Column{{Name: "read"}, {Name: "layout"}, {Name: "heap or data pages"}, {Name: "index pages"}, {Name: "all pages"}, {Name: "rows examined"}, {Name: "rows returned"}},
	}
	row := func(read, name string, r reads) {
		t.Rows = append(t.Rows, []result.Cell{
			result.Text(read), result.Text(name), result.Number(r.mean(dataPages), 2), result.Number(r.mean(indexPages), 2),
			result.Number(r.mean(totalPages), 2), result.Number(r.mean(rowsExamined), 2), result.Number(r.mean(rowsReturned), 2),
		})
	}
	for _, n := range all {
		row("latest "+count(l.Latest), n.name, n.latest)
	}
	for _, n := range all {
		row(rangeName(l.RangeFrom, l.RangeTo), n.name, n.between)
	}
	return t
}

func coveringCurve(anywhere, newest []reads) result.Table {
	t := result.Table{
		Name: "covering-index-changed", Title: "Heap pages a read, by the share of heap pages that changed",
		Columns: []result.Column{{Name: "pages changed", Unit: "%"}, {Name: "anywhere", Unit: "heap pages"}, {Name: "the newest", Unit: "heap pages"}},
	}
	for i, share := range pageShares {
		t.Rows = append(t.Rows, []result.Cell{result.Number(100*share, 0), result.Number(anywhere[i].mean(dataPages), 2), result.Number(newest[i].mean(dataPages), 2)})
	}
	return t
}

func coveringRows(rows []reads, perPage int64) result.Table {
	t := result.Table{
		Name: "covering-index-rows", Title: "Heap pages a read, by the share of rows that changed",
		Columns: []result.Column{{Name: "rows changed", Unit: "%"}, {Name: "pages changed, expected", Unit: "%"}, {Name: "heap pages a read"}},
	}
	for i, share := range rowShares {
		t.Rows = append(t.Rows, []result.Cell{result.Number(100*share, 1), result.Number(100*theory.ChangedPages(share, perPage), 1), result.Number(rows[i].mean(dataPages), 2)})
	}
	return t
}

func (l *Lab) coveringStored(before, after layout.Size) result.Table {
	t := result.Table{
		Name: "covering-index-stored", Title: "What is stored, and what an insert writes",
		Columns: []result.Column{{Name: "index"}, {Name: "heap pages"}, {Name: "index pages"}, {Name: "all pages", Unit: "bytes"}, {Name: "rows, copies counted", Unit: "bytes"}, {Name: "pages written an insert"}},
		Caption: "Indexes packed full, as a bulk load leaves them; splits are not counted.",
	}
	for _, of := range []struct {
		name string
		layout.Size
	}{{"(user, time)", before}, {"(user, time) with the post", after}} {
		t.Rows = append(t.Rows, []result.Cell{
			result.Text(of.name), result.Count(of.DataPages), result.Count(of.IndexPages), result.Count((of.DataPages + of.IndexPages) * int64(l.PageBytes)),
			result.Count(of.RowBytes), result.Number(float64(of.PagesWritten)/float64(l.Posts), 2),
		})
	}
	return t
}

func (l *Lab) coveringFigure(anywhere, newest []reads, index float64) result.Figure {
	f := result.Figure{
		Name: "covering-index-changed", Kind: result.Lines,
		Title:   fmt.Sprintf("Heap pages of latest %s through a covering index", count(l.Latest)),
		Caption: fmt.Sprintf("By the share of heap pages that are not all-visible. The index's own %s pages come on top at every share.", num(index, 2)),
		X:       result.Axis{Name: "heap pages changed since VACUUM", Unit: "%"},
		Y:       result.Axis{Name: "heap pages a read", Unit: "pages", Decimals: 2},
		Series:  []result.Series{{Name: "pages anywhere"}, {Name: "the newest pages"}},
		Table:   "covering-index-changed",
	}
	for i, share := range pageShares {
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: 100 * share, Y: anywhere[i].mean(dataPages)})
		f.Series[1].Points = append(f.Series[1].Points, result.Point{X: 100 * share, Y: newest[i].mean(dataPages)})
	}
	half := indexOf(pageShares, 0.5)
	f.Alt = fmt.Sprintf("A read touches %s heap pages with none changed and %s with all. Changed anywhere, half of the pages cost %s; changed at the newest end, already a tenth of them costs %s.",
		num(anywhere[0].mean(dataPages), 2), num(anywhere[len(anywhere)-1].mean(dataPages), 2), num(anywhere[half].mean(dataPages), 2), num(newest[indexOf(pageShares, 0.1)].mean(dataPages), 2))
	return f
}

func coveringRowsFigure(rows []reads) result.Figure {
	f := result.Figure{
		Name: "covering-index-rows", Kind: result.Lines,
		Title:   "A few changed rows dirty many pages",
		Caption: "Heap pages a read by the share of all rows that changed since VACUUM, drawn one by one.",
		X:       result.Axis{Name: "rows changed since VACUUM", Unit: "%", Decimals: 1},
		Y:       result.Axis{Name: "heap pages a read", Unit: "pages", Decimals: 2},
		Series:  []result.Series{{Name: "heap pages"}},
		Table:   "covering-index-rows",
	}
	for i, share := range rowShares {
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: 100 * share, Y: rows[i].mean(dataPages)})
	}
	last := len(rows) - 1
	f.Alt = fmt.Sprintf("Heap pages a read go from %s with no row changed to %s with %s of the rows changed.", num(rows[0].mean(dataPages), 2), num(rows[last].mean(dataPages), 2), percent(rowShares[last]))
	return f
}
