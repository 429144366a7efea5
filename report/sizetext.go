package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/result"
)

// print writes the answers for a person at a terminal: the choice first.
func (s *sized) print(w io.Writer) error {
	s.printPartition(w)
	if err := s.printChoice(w); err != nil {
		return err
	}
	if k := s.Key; k != nil {
		fmt.Fprintf(w, "The key in %s: %s.\n", k.Store, k.Key)
	}
	for _, warning := range s.Warnings {
		fmt.Fprintln(w, "warning: "+warning)
	}
	if l := s.Longest; l != nil {
		fmt.Fprintf(w, "The longest bucket that keeps every limit: %s (%s).\n", seconds(l.Micros), l.Limit)
	}
	s.printWidths(w)
	for _, f := range s.Fits {
		if f.Rows > 0 {
			fmt.Fprintf(w, "%s: %s.\n", f.Limit, plural(f.Rows, "row fits", "rows fit"))
		}
	}
	for _, o := range s.Over {
		fmt.Fprintf(w, "%s: broken by %s of %s; median %s, 99th percentile %s, largest %s.\n", o.Limit, count(int64(o.Broken)), plural(o.Of.N, "partition", "partitions"),
			count(o.Of.P50), count(o.Of.P99), count(o.Of.Max))
	}
	return nil
}

// printChoice is the recommendation and why.
func (s *sized) printChoice(w io.Writer) error {
	r := s.Recommendation
	if r == nil {
		return nil
	}
	width, err := bucket.Parse(r.Width)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Take a bucket of %s", width.Spelled())
	if r.Shards > 1 {
		fmt.Fprintf(w, ", split in %s", plural(r.Shards, "hash shard", "hash shards"))
	}
	fmt.Fprintln(w, ".")
	for _, reason := range r.Reasons {
		fmt.Fprintln(w, "  "+reason)
	}
	for _, f := range r.Refused {
		fmt.Fprintf(w, "  not %s: %s\n", f.Width, f.Why)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintln(w, "  warning: "+warning)
	}
	return nil
}

// printPartition answers what -rows asks.
func (s *sized) printPartition(w io.Writer) {
	p := s.Partition
	if p == nil {
		return
	}
	fmt.Fprintf(w, "A partition of %s", plural(p.Rows, "row", "rows"))
	if p.Bytes > 0 {
		fmt.Fprintf(w, " has %s", result.Plural(p.Bytes, "byte"))
	}
	if p.Bytes > 0 && p.Micros > 0 {
		fmt.Fprint(w, " and")
	}
	if p.Micros > 0 {
		fmt.Fprintf(w, " takes %s to fill", result.Length(p.Micros))
	}
	fmt.Fprintln(w, ".")
	if s.Growth > 0 && p.checks != nil {
		fmt.Fprintf(w, "Grown %s times, for the limits:\n", result.Format(s.Growth, 2))
	}
	for _, k := range p.checks {
		fmt.Fprintf(w, "  %s: %s, %s times the limit\n", k.Limit, map[bool]string{true: "kept", false: "broken"}[k.Kept], result.Format(k.Ratio, 2))
	}
	for _, f := range s.Fits {
		if f.LargestRow > 0 {
			fmt.Fprintf(w, "%s: a row may have up to %s.\n", f.Limit, result.Plural(f.LargestRow, "byte"))
		}
	}
	if s.Recommendation != nil {
		fmt.Fprintln(w)
	}
}

// printWidths is the table of candidates.
func (s *sized) printWidths(w io.Writer) {
	if s.Widths == nil {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\nwidth\trows\tbytes\tlatest reads\trange reads\tunaligned\t")
	cell := func(n int64) string {
		if n == 0 {
			return "-"
		}
		return count(n)
	}
	for _, e := range s.Widths {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t\n", e.Name, cell(e.Rows), cell(e.Bytes), cell(e.Latest), cell(e.Range.Aligned), cell(e.Range.Worst))
	}
	t.Flush()
	if r := s.Recommendation; r != nil && r.Shards > 1 {
		fmt.Fprintf(w, "Reads are of buckets: one that is split in %s is asked %s times.\n", plural(r.Shards, "shard", "shards"), count(r.Shards))
	}
	fmt.Fprintln(w)
}
