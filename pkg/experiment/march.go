package experiment

import (
	"fmt"
	"time"

	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/theory"
	"pagetouch/pkg/workload"
)

var _ = register(Experiment{Name: "march-2025", Order: 2, Run: DateRange})

// DateRange reads a range of dates (the lesson's March 2025) in the lesson's two layouts, then ranges of a day to the
// whole span, then the same range with coarser indexes inside the partition.
func DateRange(l *Lab) (*result.Result, error) {
	b, err := l.posts()
	if err != nil {
		return nil, err
	}
	heap, partition, err := b.lesson()
	if err != nil {
		return nil, err
	}
	a, p := between(heap, b.users, l.RangeFrom, l.RangeTo), between(partition, b.users, l.RangeFrom, l.RangeTo)
	name := rangeName(l.RangeFrom, l.RangeTo)
	returned, thrown := p.mean(rowsReturned), p.mean(rowsExamined)-p.mean(rowsReturned)

	var v values
	for _, of := range []struct {
		layout string
		reads
	}{{"heap", a}, {"partition", p}} {
		v.add(of.layout+".data_pages", "pages", of.mean(dataPages), 2)
		v.add(of.layout+".rows_examined", "rows", of.mean(rowsExamined), 2)
		v.add(of.layout+".index_pages", "pages", of.mean(indexPages), 2)
		v.add(of.layout+".total_pages", "pages", of.mean(totalPages), 2)
	}
	v.add("rows_returned", "rows", returned, 2)
	v.add("partition.rows_thrown_away", "rows", thrown, 2)
	v.add("range_days", "days", float64(l.RangeTo-l.RangeFrom)/float64(day), 0)
	v.add("data_ratio", "", a.mean(dataPages)/p.mean(dataPages), 1)

	r := &result.Result{
		Name:  "march-2025",
		Title: name + ": fewer pages, more rows",
		Headline: fmt.Sprintf("For the posts of %s the partition touches %s data pages against %s, and decodes %s rows to return %s: it starts at the top of a page and stops at the first row past the range.",
			name, num(p.mean(dataPages), 2), num(a.mean(dataPages), 2), num(p.mean(rowsExamined), 2), num(returned, 2)),
	}
	r.Tables = append(r.Tables, rangeTable(name, a, p))
	even, w := l.Even(0), l.window(l.RangeFrom, l.RangeTo)
	checks, warnings := l.checkTable("march-2025-check", []check{
		{"rows returned", "rows", returned, even.RangeRows(w)},
		{"A, data pages", "pages", a.mean(dataPages), even.RangeArrivalPages(w)},
		{"A, index pages", "pages", a.mean(indexPages), even.RangeIndexPages(w)},
		{"B, data pages", "pages", p.mean(dataPages), even.RangePartitionPages(w)},
		{"B, rows examined", "rows", p.mean(rowsExamined), even.RangePartitionExamined(w)},
	})
	r.Warnings = append(r.Warnings, warnings...)
	r.Tables = append(r.Tables, checks)

	sweep := l.sweep(b, heap, partition)
	r.Tables = append(r.Tables, sweepTable(sweep))
	r.Figures = append(r.Figures, rangeFigure(name, a, p), sweepFigure(sweep), sweepRowsFigure(sweep))

	index, err := l.rowIndexes(b)
	if err != nil {
		return nil, err
	}
	r.Tables = append(r.Tables, rowIndexTable(index))
	coarse := index[len(index)-1]
	v.add("no_row_index.data_pages", "pages", coarse.mean(dataPages), 2)
	v.add("no_row_index.rows_examined", "rows", coarse.mean(rowsExamined), 2)
	r.Findings = []string{
		fmt.Sprintf("The partition decodes %s rows that it throws away: on average %s above the first match on its page, and the one that ends the range. The index of arrival order decodes none: it knows each row's time.",
			num(thrown, 2), num(thrown-1, 2)),
		turns(sweep),
		fmt.Sprintf("An index inside the partition makes the difference: with an entry a page the read touches %s pages and decodes %s rows. Apache Cassandra's default, an entry for 64 KiB, has none in a partition of %s, so the read starts at the partition's first row: %s pages and %s rows.",
			num(p.mean(dataPages), 2), num(p.mean(rowsExamined), 1), size(float64(l.Posts)/float64(l.Users)*float64(l.RowBytes)), num(coarse.mean(dataPages), 2), num(coarse.mean(rowsExamined), 1)),
	}
	r.Values = v
	return r, nil
}

// rangeName is how a person calls a range: "March 2025", or its two dates.
func rangeName(from, to int64) string {
	f := time.UnixMicro(from).UTC()
	if f.Day() == 1 && from%day == 0 && f.AddDate(0, 1, 0).UnixMicro() == to {
		return f.Format("January 2006")
	}
	return Date(from) + " to " + Date(to)
}

// window is a range as shares of the posts' span.
func (l *Lab) window(from, to int64) theory.Window {
	span := float64(l.To - l.From)
	return theory.Window{Newer: float64(l.To-to) / span, In: float64(to-from) / span, Older: float64(from-l.From) / span}
}

func rangeTable(name string, a, p reads) result.Table {
	t := result.Table{
		Name:    "march-2025",
		Title:   fmt.Sprintf("Posts of %s, mean of %s", name, plural(len(a), "user")),
		Columns: []result.Column{{Name: "counted"}, {Name: "A: arrival order + index"}, {Name: "B: partition, newest first"}},
	}
	for _, row := range []struct {
		name  string
		count func(layout.Touch) int
	}{
		{"data pages touched", dataPages}, {"rows examined", rowsExamined}, {"rows returned", rowsReturned},
		{"index entries examined", entriesExamined}, {"index pages", indexPages}, {"all pages", totalPages},
	} {
		t.Rows = append(t.Rows, []result.Cell{result.Text(row.name), result.Number(a.mean(row.count), 2), result.Number(p.mean(row.count), 2)})
	}
	return t
}

func rangeFigure(name string, a, p reads) result.Figure {
	return result.Figure{
		Name: "march-2025-rows", Kind: result.Bars,
		Title:   "What a range read costs",
		Caption: "Mean of a read: the partition saves pages and pays in rows that it decodes and throws away.",
		Alt: fmt.Sprintf("For %s arrival order touches %s data pages and the partition %s. To return the same rows, %[6]s on average, arrival order examines %[4]s and the partition %[5]s.",
			name, num(a.mean(dataPages), 2), num(p.mean(dataPages), 2), num(a.mean(rowsExamined), 2), num(p.mean(rowsExamined), 2), num(a.mean(rowsReturned), 2)),
		X: result.Axis{Name: "counted", Categories: []string{"data pages", "rows examined", "rows returned"}},
		Y: result.Axis{Name: "mean of a read", Decimals: 2},
		Series: []result.Series{
			{Name: "A: arrival order + index", Labels: true, Points: []result.Point{{X: 0, Y: a.mean(dataPages)}, {X: 1, Y: a.mean(rowsExamined)}, {X: 2, Y: a.mean(rowsReturned)}}},
			{Name: "B: partition, newest first", Labels: true, Points: []result.Point{{X: 0, Y: p.mean(dataPages)}, {X: 1, Y: p.mean(rowsExamined)}, {X: 2, Y: p.mean(rowsReturned)}}},
		},
		Table: "march-2025",
	}
}

// length is a range of so many days in the lesson's two layouts.
type length struct {
	days float64
	a, p sums
}

// sweep reads ranges of one day to the whole span. Each begins where the setting's range does, or earlier where it
// would not end in time.
func (l *Lab) sweep(b *bench, heap, partition layout.Layout) []length {
	var sweep []length
	var reads []func(*layout.Trail, *workload.Entity)
	try := func(from, to int64) {
		sweep = append(sweep, length{days: float64(to-from) / float64(day)})
		for _, in := range []layout.Layout{heap, partition} {
			reads = append(reads, func(t *layout.Trail, e *workload.Entity) { in.Range(t, e, from, to) })
		}
	}
	for _, days := range []int64{1, 2, 3, 4, 5, 7, 10, 14, 21, 31, 61, 92, 183} {
		if d := days * day; d < l.To-l.From {
			from := min(l.RangeFrom, l.To-d)
			try(from, from+d)
		}
	}
	try(l.From, l.To)
	touched := readAll(b.users, reads)
	for i := range sweep {
		sweep[i].a, sweep[i].p = touched[2*i], touched[2*i+1]
	}
	return sweep
}

func sweepTable(sweep []length) result.Table {
	t := result.Table{
		Name:    "march-2025-lengths",
		Title:   "Ranges of a day to the whole span",
		Caption: "Mean of a read.",
		Columns: []result.Column{{Name: "range", Unit: "days"}, {Name: "rows returned"}, {Name: "A data pages"}, {Name: "B data pages"},
			{Name: "A all pages"}, {Name: "B all pages"}, {Name: "A rows examined"}, {Name: "B rows examined"}},
	}
	for _, s := range sweep {
		t.Rows = append(t.Rows, []result.Cell{
			result.Number(s.days, 0), result.Number(s.p.mean(rowsReturned), 2), result.Number(s.a.mean(dataPages), 2), result.Number(s.p.mean(dataPages), 2),
			result.Number(s.a.mean(totalPages), 2), result.Number(s.p.mean(totalPages), 2), result.Number(s.a.mean(rowsExamined), 2), result.Number(s.p.mean(rowsExamined), 2),
		})
	}
	return t
}

// turns says from which length on the partition touches fewer pages.
func turns(sweep []length) string {
	for i, s := range sweep {
		if s.a.DataPages <= s.p.DataPages {
			continue
		}
		if i == 0 {
			return fmt.Sprintf("Already for ranges of %s the partition touches fewer data pages.", daysOf(s.days))
		}
		before := sweep[i-1]
		return fmt.Sprintf("For short ranges the trade turns: up to %s arrival order touches no more data pages (%s against %s), because a user has few posts in them and the partition reads at least a page to know that; from %s on the partition touches fewer (%s against %s).",
			daysOf(before.days), num(before.a.mean(dataPages), 2), num(before.p.mean(dataPages), 2),
			daysOf(s.days), num(s.p.mean(dataPages), 2), num(s.a.mean(dataPages), 2))
	}
	return "Arrival order touches no more data pages at any length of range: a user has too few posts for the partition to pay."
}

func sweepFigure(sweep []length) result.Figure {
	f := result.Figure{
		Name: "march-2025-lengths", Kind: result.Lines,
		Title:   "Data pages by length of range",
		Caption: "Where the lines cross, the trade turns. Both axes are logarithmic.",
		X:       result.Axis{Name: "length of range", Unit: "days", Log: true},
		Y:       result.Axis{Name: "data pages a read", Unit: "pages", Log: true, Decimals: 2},
		Series:  []result.Series{{Name: "A: arrival order + index"}, {Name: "B: partition, newest first"}},
		Table:   "march-2025-lengths",
	}
	for _, s := range sweep {
		for i, r := range []sums{s.a, s.p} {
			if y := r.mean(dataPages); y > 0 { // a logarithmic axis has no zero
				f.Series[i].Points = append(f.Series[i].Points, result.Point{X: s.days, Y: y})
			}
		}
	}
	f.Alt = sweepAlt(&f, "Data pages touched")
	return f
}

func sweepRowsFigure(sweep []length) result.Figure {
	f := result.Figure{
		Name: "march-2025-examined", Kind: result.Lines,
		Title:   "Rows decoded for each row returned",
		Caption: "Arrival order with its index decodes what it returns. What the partition decodes beside it weighs less the longer the range.",
		X:       result.Axis{Name: "length of range", Unit: "days", Log: true},
		Y:       result.Axis{Name: "rows examined a row returned", Log: true, Decimals: 2},
		Series:  []result.Series{{Name: "A: arrival order + index"}, {Name: "B: partition, newest first"}},
		Table:   "march-2025-lengths",
	}
	for _, s := range sweep {
		for i, r := range []sums{s.a, s.p} {
			if r.RowsReturned > 0 {
				f.Series[i].Points = append(f.Series[i].Points, result.Point{X: s.days, Y: float64(r.RowsExamined) / float64(r.RowsReturned)})
			}
		}
	}
	f.Alt = sweepAlt(&f, "Rows decoded for each row returned")
	return f
}

// sweepAlt says where the two lines of a figure over the range's length begin and end.
func sweepAlt(f *result.Figure, what string) string {
	alt := what + " by the length of the range."
	for i, in := range []string{"In arrival order", "In the partition"} {
		if points := f.Series[i].Points; len(points) > 0 {
			first, last := points[0], points[len(points)-1]
			alt += fmt.Sprintf(" %s: %s for %s, %s for %s.", in, num(first.Y, 2), daysOf(first.X), num(last.Y, 2), daysOf(last.X))
		}
	}
	return alt
}

// rowIndex is the range read with so many bytes to an entry of the index inside the partition.
type rowIndex struct {
	name string
	sums
}

func (l *Lab) rowIndexes(b *bench) ([]rowIndex, error) {
	var all []rowIndex
	var reads []func(*layout.Trail, *workload.Entity)
	for _, of := range []struct {
		name  string
		bytes int
	}{{"each page", 0}, {"1 KiB", 1 << 10}, {"4 KiB", 4 << 10}, {"16 KiB", 16 << 10}, {"64 KiB (Cassandra's default)", 64 << 10}} {
		placed, err := layout.Partitioned(of.bytes).Place(b.Input)
		if err != nil {
			return nil, err
		}
		all = append(all, rowIndex{name: of.name})
		reads = append(reads, func(t *layout.Trail, e *workload.Entity) { placed.Range(t, e, l.RangeFrom, l.RangeTo) })
	}
	for i, touched := range readAll(b.users, reads) {
		all[i].sums = touched
	}
	return all, nil
}

func rowIndexTable(all []rowIndex) result.Table {
	t := result.Table{
		Name:    "march-2025-row-index",
		Title:   "How fine the index inside a partition is",
		Caption: "The same range read, mean of the users, with an index entry for so much of a partition.",
		Columns: []result.Column{{Name: "index entry for"}, {Name: "data pages"}, {Name: "rows examined"}, {Name: "rows returned"}},
	}
	for _, i := range all {
		t.Rows = append(t.Rows, []result.Cell{result.Text(i.name), result.Number(i.mean(dataPages), 2), result.Number(i.mean(rowsExamined), 2), result.Number(i.mean(rowsReturned), 2)})
	}
	return t
}
