package main

import (
	"fmt"
	"strings"

	"pagetouch/pkg/experiment"
	"pagetouch/pkg/result"
)

// summary is the lesson's picture of a terminal as text: row table and wide column side by side. Sections that were not
// run leave their lines out.
func summary(results []*result.Result, s experiment.Setting) string {
	var b strings.Builder
	by := map[string]*result.Result{}
	for _, r := range results {
		by[r.Name] = r
	}
	fmt.Fprintf(&b, "%s posts, %s users, %s of them asked, seed %d\n", result.Format(float64(s.Posts), 0),
		result.Format(float64(s.Users), 0), result.Format(float64(s.Sample), 0), s.Seed)
	if by["latest-20"] != nil || by["march-2025"] != nil {
		fmt.Fprintf(&b, "\n%-31s %9s %11s\n", "mean of a read", "row table", "wide column")
	}
	line := func(r *result.Result, name, row, wide string) {
		x, _ := r.Value(row)
		y, _ := r.Value(wide)
		fmt.Fprintf(&b, "  %-29s %9s %11s\n", name, x, y)
	}
	if r := by["latest-20"]; r != nil {
		fmt.Fprintf(&b, "latest %s posts\n", result.Format(float64(s.Latest), 0))
		line(r, "data pages touched", "heap.data_pages", "partition.data_pages")
		line(r, "rows on those pages", "heap.rows_on_pages", "partition.rows_on_pages")
		line(r, "rows returned", "heap.rows_returned", "partition.rows_returned")
		line(r, "index pages", "heap.index_pages", "partition.index_pages")
		line(r, "all pages", "heap.total_pages", "partition.total_pages")
	}
	if r := by["march-2025"]; r != nil {
		fmt.Fprintf(&b, "%s to %s\n", experiment.Date(s.RangeFrom), experiment.Date(s.RangeTo))
		line(r, "data pages touched", "heap.data_pages", "partition.data_pages")
		line(r, "rows examined", "heap.rows_examined", "partition.rows_examined")
		line(r, "rows returned", "rows_returned", "rows_returned")
		line(r, "index pages", "heap.index_pages", "partition.index_pages")
	}
	value := func(r *result.Result, name string) result.Value { v, _ := r.Value(name); return v }
	if r := by["big-account"]; r != nil {
		fmt.Fprintf(&b, "account of %s posts\n", value(r, "rows"))
		line(r, "data pages of its latest "+result.Format(float64(s.Latest), 0), "latest.heap.data_pages", "latest.partition.data_pages")
		fmt.Fprintf(&b, "  %-29s %21s\n", "bytes of its partition", value(r, "bytes"))
		fmt.Fprintf(&b, "  %-29s %21s\n", "times an average user's", value(r, "payload_ratio"))
	}
	if r := by["month-buckets"]; r != nil {
		fmt.Fprintf(&b, "month buckets, latest %s\n", result.Format(float64(s.Latest), 0))
		fmt.Fprintf(&b, "  %-29s %21s\n", "partitions, average user", value(r, "average.partition_reads"))
		fmt.Fprintf(&b, "  %-29s %21s\n", "partitions, "+value(r, "quiet.posts").String()+" posts a year", value(r, "quiet.partition_reads"))
		fmt.Fprintf(&b, "  %-29s %21s\n", "rows of the largest partition", value(r, "largest_after.rows"))
	}
	return b.String()
}
