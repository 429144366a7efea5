package experiment

import (
	"fmt"
	"math"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/sizing"
	"pagetouch/pkg/workload"
)

var _ = register(Experiment{Name: "range-split", Order: 23, Run: RangeSplit})

// RangeSplit asks the same of a store that splits between rows, never inside one: how large is what it can't split, for
// a row per user, a row per user and day, a row per post.
func RangeSplit(l *Lab) (*result.Result, error) {
	b, err := l.mixed()
	if err != nil {
		return nil, err
	}
	quiet, err := l.quiet()
	if err != nil {
		return nil, err
	}
	var all []unitReads
	for _, of := range []struct {
		title string
		kind  layout.Kind
	}{{"a row per user", layout.RowPerEntity}, {"a row per user and day", layout.RowPerDay}, {"a row per post", layout.RowPerPost}} {
		placed, err := b.place(of.kind)
		if err != nil {
			return nil, err
		}
		account := []workload.Entity{*b.account()}
		all = append(all, unitReads{of.kind.Name, of.title, placed.Size(),
			latest(placed, b.users, l.Latest), latest(placed, account, l.Latest),
			between(placed, b.users, l.RangeFrom, l.RangeTo), between(placed, account, l.RangeFrom, l.RangeTo)})
	}
	days, scanned, err := l.quietDays(quiet)
	if err != nil {
		return nil, err
	}
	limits, err := rowLimits()
	if err != nil {
		return nil, err
	}

	var v values
	for _, u := range all {
		v.add(u.name+".units", "units", float64(u.size.Partitions), 0)
		v.add(u.name+".largest.rows", "posts", float64(u.size.Largest.Rows), 0)
		v.add(u.name+".largest.bytes", "bytes", float64(u.size.Largest.Bytes), 0)
		v.add(u.name+".latest.data_pages", "pages", u.latest.mean(dataPages), 2)
		v.add(u.name+".range.rows_examined", "rows", u.between.mean(rowsExamined), 2)
	}
	v.add("quiet.day_partitions", "partitions", days.mean(partitions), 0)
	v.add("quiet.scans", "tablets", scanned.mean(partitions), 0)

	user, byDay, post := all[0], all[1], all[2]
	name := rangeName(l.RangeFrom, l.RangeTo)
	r := &result.Result{
		Name:  "range-split",
		Title: "Stores that split between rows: the largest unit",
		Headline: fmt.Sprintf("With a row per user the largest unit that can't be split is %s; with a row per user and day %s; with a row per post %s. Latest %s touches %s pages in each: a key changes what can be split, not where the rows lie.",
			size(float64(user.size.Largest.Bytes)), size(float64(byDay.size.Largest.Bytes)), size(float64(post.size.Largest.Bytes)),
			count(l.Latest), num(user.latest.mean(dataPages), 2)),
		Values: v,
		Tables: []result.Table{unitSizes(all), l.unitLimits(all, limits), unitTable(all, l.Latest, name)},
		Findings: []string{
			fmt.Sprintf("A day in the key cuts the largest unit from %s to %s posts, a factor of %s; the order of the file does not change, so the number of pages that hold the newest %s does not either.",
				count(user.size.Largest.Rows), count(byDay.size.Largest.Rows), num(float64(user.size.Largest.Rows)/float64(max(1, byDay.size.Largest.Rows)), 0), count(l.Latest)),
			fmt.Sprintf("A narrow unit costs a scan nothing: days without posts are not in the file. A user with %d posts is read in %s where the days are rows beside each other, and in %s where each day is a partition that a hash has put somewhere: the read has to ask for it to know that it is empty.",
				quietPosts, plural(int64(scanned.mean(partitions)), "scan"), plural(int64(days.mean(partitions)), "partition read")),
			fmt.Sprintf("Keys of rows are compared without decoding a post, so finer rows throw less away: for %s %s rows decoded to return %s with a row per user, %s with a row per day%s, %s with a row per post.",
				name, num(user.between.mean(rowsExamined), 2), num(user.between.mean(rowsReturned), 2), num(byDay.between.mean(rowsExamined), 2), l.wholeDays(), num(post.between.mean(rowsExamined), 2)),
			l.outgrown(user, limits),
			"A row per post can be split anywhere, so a hot user can be spread over servers by its past; its newest posts still go to one place, the head of its stretch of keys.",
		},
		Figures: []result.Figure{unitFigure(all, limits)},
	}
	even, w := l.Even(0), l.window(l.RangeFrom, l.RangeTo)
	table, warnings := l.checkTable("range-split-check", []check{
		{"row per user, latest, data pages", "pages", user.latest.mean(dataPages), even.LatestPartitionPages(int64(l.Latest))},
		{"row per day, latest, data pages", "pages", byDay.latest.mean(dataPages), even.LatestPartitionPages(int64(l.Latest))},
		{"row per post, latest, data pages", "pages", post.latest.mean(dataPages), even.LatestPartitionPages(int64(l.Latest))},
		{"row per user, range, data pages", "pages", user.between.mean(dataPages), even.RangePartitionPages(w)},
		{"row per user, range, rows examined", "rows", user.between.mean(rowsExamined), even.RangePartitionExamined(w)},
		{"row per post, range, rows examined", "rows", post.between.mean(rowsExamined), even.RangeRows(w)},
	})
	r.Tables, r.Warnings = append(r.Tables, table), append(warnings, result.Warning{
		Text: "Real stores of this kind keep the key beside every cell, which makes rows of the same posts larger, and merge several sorted files until they compact. Neither is counted."})
	return r, nil
}

// unitReads is a store with one kind of unit, and what its reads touch.
type unitReads struct {
	name, title                             string
	size                                    layout.Size
	latest, account, between, accountRanges reads
}

// quietDays reads the newest posts of users who hardly post where each day is a partition, and where it is a row in one
// order.
func (l *Lab) quietDays(quiet *bench) (partitions, scanned reads, err error) {
	days, err := layout.Bucketed(bucket.Day, false).Place(quiet.Input)
	if err != nil {
		return nil, nil, err
	}
	rows, err := quiet.place(layout.RowPerDay)
	if err != nil {
		return nil, nil, err
	}
	return latest(days, quiet.users, l.Latest), latest(rows, quiet.users, l.Latest), nil
}

// rowLimits is the limits on the bytes of one row of stores that split between rows.
func rowLimits() (limits []sizing.Limit, err error) {
	for _, store := range []string{"bigtable", "hbase"} {
		of, err := sizing.Limits(store)
		if err != nil {
			return nil, err
		}
		for _, limit := range of {
			if limit.Counts == sizing.Bytes && limit.Operator != "<" {
				limits = append(limits, limit)
			}
		}
	}
	return limits, nil
}

// outgrown says when the account's one row reaches each limit at its mean rate.
func (l *Lab) outgrown(user unitReads, limits []sizing.Limit) string {
	s := "A row per user grows without end. At the account's mean rate it reaches what a store allows or advises:"
	for i, limit := range limits {
		days := float64(limit.Amount()) / float64(user.size.Largest.Bytes) * float64(l.To-l.From) / float64(day)
		if i > 0 {
			s += ","
		}
		s += fmt.Sprintf(" %s's %s after %s", limit.Maker(), limit.Words(), daysOf(math.Round(days)))
	}
	return s + "."
}

// wholeDays says why a row per day throws nothing away, where it is so.
func (l *Lab) wholeDays() string {
	if l.RangeFrom%day == 0 && l.RangeTo%day == 0 {
		return " (the range is whole days)"
	}
	return ""
}

func unitSizes(all []unitReads) result.Table {
	t := result.Table{
		Name:    "range-split-units",
		Title:   "The largest unit that can't be split",
		Columns: []result.Column{{Name: "unit"}, {Name: "units"}, {Name: "largest", Unit: "posts"}, {Name: "largest", Unit: "bytes"}, {Name: "data pages"}, {Name: "index pages"}},
	}
	for _, u := range all {
		t.Rows = append(t.Rows, []result.Cell{result.Text(u.title), result.Count(u.size.Partitions), result.Count(u.size.Largest.Rows), result.Count(u.size.Largest.Bytes),
			result.Count(u.size.DataPages), result.Count(u.size.IndexPages)})
	}
	return t
}

func (l *Lab) unitLimits(all []unitReads, limits []sizing.Limit) result.Table {
	t := result.Table{
		Name:    "range-split-limits",
		Title:   "The largest unit against what stores say of a row",
		Caption: "As a multiple of the limit; above 1 it is broken. MiB and GiB are powers of 1,024.",
		Columns: []result.Column{{Name: "store"}, {Name: "limit"}, {Name: "kind"}},
	}
	for _, u := range all {
		t.Columns = append(t.Columns, result.Column{Name: u.title, Unit: "of the limit"})
	}
	for _, limit := range limits {
		row := []result.Cell{result.Text(limit.Maker()), result.Text(limit.Words()), result.Text(string(limit.Kind))}
		for _, u := range all {
			row = append(row, result.Number(limit.Check(u.size.Largest.Bytes).Ratio, 4))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func unitTable(all []unitReads, n int, rangeName string) result.Table {
	t := result.Table{
		Name:    "range-split-reads",
		Title:   "Reads: each is one scan",
		Caption: "Means over average users, and one read of the big account. Tablets are the stretches of keys that the store has split its order into.",
		Columns: []result.Column{{Name: "unit"}, {Name: "read"}, {Name: "users"}, {Name: "tablets"}, {Name: "data pages"}, {Name: "index pages"}, {Name: "rows examined"}, {Name: "rows returned"}},
	}
	for _, u := range all {
		for _, r := range []struct {
			read, users string
			reads
		}{{"latest " + count(n), "average", u.latest}, {rangeName, "average", u.between}, {"latest " + count(n), "big account", u.account}, {rangeName, "big account", u.accountRanges}} {
			t.Rows = append(t.Rows, []result.Cell{result.Text(u.title), result.Text(r.read), result.Text(r.users), result.Number(r.mean(partitions), 2),
				result.Number(r.mean(dataPages), 2), result.Number(r.mean(indexPages), 2), result.Number(r.mean(rowsExamined), 2), result.Number(r.mean(rowsReturned), 2)})
		}
	}
	return t
}

func unitFigure(all []unitReads, limits []sizing.Limit) result.Figure {
	f := result.Figure{
		Name: "range-split-units", Kind: result.HBars,
		Title:   "The largest unit that can't be split",
		Caption: "The big account's. The line is the lowest limit of those in the table. The axis is logarithmic.",
		Alt:     "The largest unit that can't be split.",
		X:       result.Axis{Name: "unit"},
		Y:       result.Axis{Name: "largest unit", Unit: "bytes", Log: true},
		Series:  []result.Series{{Name: "bytes", Labels: true}},
		Table:   "range-split-units",
	}
	for i, u := range all {
		f.X.Categories = append(f.X.Categories, u.title)
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: float64(i), Y: float64(u.size.Largest.Bytes)})
		f.Alt += fmt.Sprintf(" %s: %s.", upper(u.title), size(float64(u.size.Largest.Bytes)))
	}
	if len(limits) > 0 {
		low := limits[0]
		for _, limit := range limits {
			if limit.Amount() < low.Amount() {
				low = limit
			}
		}
		f.Marks = []result.Mark{{Axis: "y", At: float64(low.Amount()), Label: low.Maker() + ": " + low.Words()}}
		f.Alt += fmt.Sprintf(" The lowest limit is %s.", size(float64(low.Amount())))
	}
	return f
}
