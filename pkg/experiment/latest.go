package experiment

import (
	"fmt"

	"pagetouch/pkg/dist"
	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
)

var _ = register(Experiment{Name: "latest-20", Order: 1, Run: Latest20})

// Latest20 reads the newest posts of the sampled users in the lesson's two layouts.
func Latest20(l *Lab) (*result.Result, error) {
	b, err := l.posts()
	if err != nil {
		return nil, err
	}
	heap, partition, err := b.lesson()
	if err != nil {
		return nil, err
	}
	a, p := latest(heap, b.users, l.Latest), latest(partition, b.users, l.Latest)

	perPage := float64(l.PerPage())
	dataRatio := a.mean(dataPages) / p.mean(dataPages)
	totalRatio := a.mean(totalPages) / p.mean(totalPages)
	var v values
	for _, of := range []struct {
		layout string
		reads
	}{{"heap", a}, {"partition", p}} {
		v.add(of.layout+".data_pages", "pages", of.mean(dataPages), 2)
		v.add(of.layout+".rows_on_pages", "rows", of.mean(dataPages)*perPage, 2)
		v.add(of.layout+".rows_returned", "rows", of.mean(rowsReturned), 2)
		v.add(of.layout+".rows_examined", "rows", of.mean(rowsExamined), 2)
		v.add(of.layout+".index_entries", "entries", of.mean(entriesExamined), 2)
		v.add(of.layout+".index_pages", "pages", of.mean(indexPages), 2)
		v.add(of.layout+".total_pages", "pages", of.mean(totalPages), 2)
	}
	v.add("data_ratio", "", dataRatio, 1)
	v.add("total_ratio", "", totalRatio, 1)
	shared := int64(l.Latest)*int64(len(a)) - a.sum(dataPages)
	v.add("shared_pages", "pages", float64(shared), 0)
	v.add("one_page_share", "%", 100*shareOf(p.values(dataPages), 1), 1)

	r := &result.Result{
		Name:  "latest-20",
		Title: fmt.Sprintf("Latest %s: a page a row, or a page", count(l.Latest)),
		Headline: fmt.Sprintf("The newest %s posts of one user lie on %s pages in arrival order and on %s when they are grouped by user and sorted newest first: %s fewer data pages, %s fewer with the index counted.",
			count(l.Latest), num(a.mean(dataPages), 2), num(p.mean(dataPages), 2), times(dataRatio), times(totalRatio)),
		Values: v,
	}
	r.Tables = append(r.Tables, l.latestTable(a, p), latestSpread(a, p), latestHistogram(a, p))
	even := l.Even(0)
	table, warnings := l.checkTable("latest-20-check", []check{
		{"A, data pages", "pages", a.mean(dataPages), even.LatestArrivalPages(int64(l.Latest))},
		{"A, index pages", "pages", a.mean(indexPages), even.LatestIndexPages(int64(l.Latest))},
		{"B, data pages", "pages", p.mean(dataPages), even.LatestPartitionPages(int64(l.Latest))},
		{"B, index pages", "pages", p.mean(indexPages), even.PartitionIndexPages()},
		{"rows returned", "rows", a.mean(rowsReturned), even.LatestRows(int64(l.Latest))},
	})
	r.Tables, r.Warnings = append(r.Tables, table), warnings
	r.Figures = []result.Figure{latestFigure(a, p, l.Latest), latestHistogramFigure(a, p, len(b.users)), pageMap(b, heap, partition, l.Latest)}
	r.Findings = []string{
		fmt.Sprintf("In arrival order the index examines %s entries and finds exactly the rows it wants; they lie on %s pages that hold %s rows.",
			num(a.mean(entriesExamined), 0), num(a.mean(dataPages), 2), num(a.mean(dataPages)*perPage, 1)),
		fmt.Sprintf("Of %s rows read for %s, %s lay on a page that the same read had touched already: posts of one user are about %s arrivals apart, and a page holds %s.",
			count(int64(l.Latest)*int64(len(a))), plural(len(a), "user"), count(shared), count(l.Users), count(l.PerPage())),
		fmt.Sprintf("In the partition %s of the reads stay on one page; the others cross into a second one, because a partition begins anywhere on a page.",
			percent(shareOf(p.values(dataPages), 1))),
	}
	if few := shareBelow(a.values(rowsReturned), int64(l.Latest)); few > 0 {
		r.Warnings = append(r.Warnings, result.Warning{Text: percent(few) + " of the sampled users have fewer than " + count(l.Latest) + " posts; their reads return what there is."})
	}
	return r, nil
}

func shareOf(values []int64, x int64) float64 {
	n := 0
	for _, v := range values {
		if v == x {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

func shareBelow(values []int64, x int64) float64 {
	n := 0
	for _, v := range values {
		if v < x {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

func (l *Lab) latestTable(a, p reads) result.Table {
	t := result.Table{
		Name:    "latest-20",
		Title:   fmt.Sprintf("Latest %s, mean of %s", plural(l.Latest, "post"), plural(len(a), "user")),
		Columns: []result.Column{{Name: "counted"}, {Name: "A: arrival order + index"}, {Name: "B: partition, newest first"}},
	}
	perPage := float64(l.PerPage())
	row := func(name string, x, y float64, decimals int) {
		t.Rows = append(t.Rows, []result.Cell{result.Text(name), result.Number(x, decimals), result.Number(y, decimals)})
	}
	row("data pages touched", a.mean(dataPages), p.mean(dataPages), 2)
	row("rows on those pages", a.mean(dataPages)*perPage, p.mean(dataPages)*perPage, 2)
	row("rows examined", a.mean(rowsExamined), p.mean(rowsExamined), 2)
	row("rows returned", a.mean(rowsReturned), p.mean(rowsReturned), 2)
	row("index entries examined", a.mean(entriesExamined), p.mean(entriesExamined), 2)
	row("index pages", a.mean(indexPages), p.mean(indexPages), 2)
	row("all pages", a.mean(totalPages), p.mean(totalPages), 2)
	return t
}

func latestSpread(a, p reads) result.Table {
	t := result.Table{
		Name:    "latest-20-users",
		Title:   "Pages a read, over the users",
		Columns: []result.Column{{Name: "pages"}, {Name: "mean"}, {Name: "median"}, {Name: "99th percentile"}, {Name: "worst"}},
	}
	for _, c := range []struct {
		name string
		d    dist.D
	}{
		{"A, data", dist.Of(a.values(dataPages))}, {"A, index", dist.Of(a.values(indexPages))}, {"A, all", dist.Of(a.values(totalPages))},
		{"B, data", dist.Of(p.values(dataPages))}, {"B, index", dist.Of(p.values(indexPages))}, {"B, all", dist.Of(p.values(totalPages))},
	} {
		t.Rows = append(t.Rows, append([]result.Cell{result.Text(c.name)}, spread(c.d, 2)...))
	}
	return t
}

// spread is the cells of a distribution: mean, median, 99th percentile, worst.
func spread(d dist.D, decimals int) []result.Cell {
	return []result.Cell{result.Number(d.Mean, decimals), result.Count(d.P50), result.Count(d.P99), result.Count(d.Max)}
}

// usersBy counts users by a value.
func usersBy(values []int64) (counts map[int64]int64, smallest, largest int64) {
	counts = map[int64]int64{}
	smallest, largest = values[0], values[0]
	for _, v := range values {
		counts[v]++
		smallest, largest = min(smallest, v), max(largest, v)
	}
	return counts, smallest, largest
}

func latestHistogram(a, p reads) result.Table {
	t := result.Table{
		Name:    "latest-20-histogram",
		Title:   "Users by data pages touched",
		Columns: []result.Column{{Name: "data pages"}, {Name: "A: arrival order", Unit: "users"}, {Name: "B: partition", Unit: "users"}},
	}
	inA, _, maxA := usersBy(a.values(dataPages))
	inB, _, maxB := usersBy(p.values(dataPages))
	for pages := range max(maxA, maxB) + 1 {
		if inA[pages]+inB[pages] > 0 {
			t.Rows = append(t.Rows, []result.Cell{result.Count(pages), result.Count(inA[pages]), result.Count(inB[pages])})
		}
	}
	return t
}

func latestFigure(a, p reads, n int) result.Figure {
	return result.Figure{
		Name: "latest-20-pages", Kind: result.HBars,
		Title:   fmt.Sprintf("Pages touched by latest %s", count(n)),
		Caption: "Mean pages a read, from cold: data pages and, stacked on them, index pages.",
		Alt: fmt.Sprintf("A read touches %s data and %s index pages in arrival order, and %s data and %s index pages in a partition sorted newest first.",
			num(a.mean(dataPages), 2), num(a.mean(indexPages), 2), num(p.mean(dataPages), 2), num(p.mean(indexPages), 2)),
		X: result.Axis{Name: "layout", Categories: []string{"A: arrival order + index", "B: partition, newest first"}},
		Y: result.Axis{Name: "pages a read", Unit: "pages", Decimals: 2},
		Series: []result.Series{
			{Name: "data pages", Stack: "pages", Labels: true, Points: []result.Point{{X: 0, Y: a.mean(dataPages)}, {X: 1, Y: p.mean(dataPages)}}},
			{Name: "index pages", Stack: "pages", Labels: true, Points: []result.Point{{X: 0, Y: a.mean(indexPages)}, {X: 1, Y: p.mean(indexPages)}}},
		},
		Table: "latest-20",
	}
}

// touch is how many users with the verb that goes with them: "1 touches", "984 touch".
func touch(users int64) string {
	if users == 1 {
		return "1 touches"
	}
	return count(users) + " touch"
}

func latestHistogramFigure(a, p reads, users int) result.Figure {
	inA, minA, maxA := usersBy(a.values(dataPages))
	inB, minB, maxB := usersBy(p.values(dataPages))
	f := result.Figure{
		Name: "latest-20-users", Kind: result.Bars,
		Title:   "Users by data pages touched",
		Caption: "Nobody is near the middle: a user's newest posts are each on a page of their own, or side by side.",
		Alt: fmt.Sprintf("Of %s asked, in arrival order %s %s, and no read touches fewer than %s; in the partition %s %s, and no read touches more than %s.",
			plural(users, "user"), touch(inA[maxA]), plural(maxA, "data page"), count(minA), touch(inB[minB]), plural(minB, "data page"), count(maxB)),
		X:      result.Axis{Name: "data pages touched"},
		Y:      result.Axis{Name: "users"},
		Series: []result.Series{{Name: "A: arrival order + index"}, {Name: "B: partition, newest first"}},
		Table:  "latest-20-histogram",
	}
	for pages := min(1, minA, minB); pages <= max(maxA, maxB); pages++ {
		x := float64(len(f.X.Categories))
		f.X.Categories = append(f.X.Categories, count(pages))
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: x, Y: float64(inA[pages])})
		f.Series[1].Points = append(f.Series[1].Points, result.Point{X: x, Y: float64(inB[pages])})
	}
	return f
}

// pageMap shows every page of both files and those that the first sampled user's read touches.
func pageMap(b *bench, heap, partition layout.Layout, n int) result.Figure {
	user := &b.users[0]
	panel := func(name string, l layout.Layout) result.Panel {
		var trail layout.Trail
		l.Latest(&trail, user, n)
		pages := l.Size().DataPages
		columns := int64(1)
		for columns*columns < pages+pages/4 { // a little wider than tall
			columns++
		}
		return result.Panel{Name: name, Pages: pages, Columns: columns, Touched: append([]int64{}, trail.DataPages()...)}
	}
	f := result.Figure{
		Name: "latest-20-map", Kind: result.PageMap,
		Title:  "One user's read on the map of all pages",
		Panels: []result.Panel{panel("A: arrival order", heap), panel("B: partition", partition)},
	}
	f.Caption = fmt.Sprintf("Each rectangle is a file of %s pages, left to right and top to bottom; marked are the pages that the newest %s posts of one user lie on.",
		count(f.Panels[0].Pages), count(n))
	a, p := f.Panels[0].Touched, f.Panels[1].Touched
	f.Alt = fmt.Sprintf("All pages of two layouts. In arrival order the read touches %s, scattered; in the partition %s, side by side.",
		plural(len(a), "page"), plural(len(p), "page"))
	if len(a) > 0 && len(p) > 0 {
		f.Alt = fmt.Sprintf("All pages of two layouts. In arrival order the read touches %s, scattered from page %s to page %s; in the partition %s, from page %s on.",
			plural(len(a), "page"), count(a[0]), count(a[len(a)-1]), plural(len(p), "page"), count(p[0]))
	}
	return f
}
