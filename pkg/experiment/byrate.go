package experiment

import (
	"fmt"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/result"
	"pagetouch/pkg/sizing"
)

// Writer is one entity that writes evenly, and what its buckets are held against.
type Writer struct {
	Rate     string  // rows in a second, minute, hour, day or week: "1/s", "266047/h", "100000/d"
	RowBytes int64   // a row
	Latest   int     // rows that the newest-first read asks for
	Range    int64   // microseconds that a range read asks for
	Store    string  // whose limits decide: a store of data/limits/limits.csv
	Growth   float64 // the rate may grow so many times before a limit breaks
}

// Device is a device that reports every second, read by a dashboard of the last 24 hours.
func Device() Writer {
	return Writer{Rate: "1/s", RowBytes: 100, Latest: 50, Range: day, Store: "cassandra", Growth: 1}
}

// BucketByRate sizes the partitions of every named width from a rate, holds them against a store's limits and chooses a
// width. No row is placed: this is what one works out before there are any.
func BucketByRate(w Writer) (*result.Result, error) {
	rate, err := sizing.ParseRate(w.Rate)
	if err != nil {
		return nil, err
	}
	limits, err := sizing.Limits(w.Store)
	if err != nil {
		return nil, err
	}
	widths, err := sizing.ByRate(rate, w.RowBytes, bucket.Named(), w.Latest, w.Range)
	if err != nil {
		return nil, err
	}
	chosen, err := sizing.RecommendRate(rate, w.RowBytes, bucket.Named(), sizing.Question{Limits: limits, Growth: w.Growth, Latest: w.Latest, Range: w.Range})
	if err != nil {
		return nil, err
	}
	r := &result.Result{
		Name:     "bucket-by-rate",
		Title:    fmt.Sprintf("Buckets of an entity that writes %s", w.Rate),
		Headline: fmt.Sprintf("At %s, rows of %s bytes, the widest bucket that keeps what %s asks for is the %s.", w.Rate, count(w.RowBytes), w.Store, chosen.Width),
		Findings: chosen.Reasons,
	}
	if chosen.Shards > 1 {
		r.Headline = fmt.Sprintf("At %s, rows of %s bytes, no width alone keeps what %s asks for: the %s does, split in %s.", w.Rate, count(w.RowBytes), w.Store, chosen.Width, plural(chosen.Shards, "shard"))
	}
	for _, text := range chosen.Warnings {
		r.Warnings = append(r.Warnings, result.Warning{Text: text})
	}
	binding := map[string]sizing.Check{} // by width
	for _, c := range chosen.Checks {
		if c.Binds {
			binding[c.Width] = c
		}
	}
	t := result.Table{
		Name:    "bucket-by-rate",
		Title:   "The longest bucket of each width",
		Caption: "The limit is the one that the width comes closest to, or breaks most. Of a read's partitions, the most it may have to ask.",
		Columns: []result.Column{{Name: "bucket"}, {Name: "rows"}, {Name: "bytes"}, {Name: "limit"}, {Name: "partition", Unit: "of the limit"}, {Name: "verdict"},
			{Name: "latest " + count(w.Latest), Unit: "partitions"}, {Name: "range", Unit: "partitions"}},
	}
	f := result.Figure{
		Name: "bucket-by-rate", Kind: result.HBars, Table: t.Name,
		Title:   "The largest partition as a multiple of the limit that it comes closest to",
		Caption: "Right of the line the limit is broken. The axis is logarithmic.",
		Alt:     "The largest partition of each width as a multiple of its limit.",
		X:       result.Axis{Name: "bucket"},
		Y:       result.Axis{Name: "times the limit", Log: true, Decimals: 3},
		Series:  []result.Series{{Name: "largest partition", Labels: true}},
		Marks:   []result.Mark{{Axis: "y", At: 1, Label: "limit"}},
	}
	for i, e := range widths {
		row := []result.Cell{result.Text(e.Name), result.Count(e.Rows), result.Count(e.Bytes), {}, {}, {}, result.Count(e.Latest), result.Count(e.Range.Worst)}
		if c, ok := binding[e.Name]; ok {
			row[3], row[4], row[5] = result.Text(c.Limit.String()), result.Number(c.Ratio, 3), result.Text(verdict(c.Kept))
			f.X.Categories = append(f.X.Categories, e.Name)
			f.Series[0].Points = append(f.Series[0].Points, result.Point{X: float64(len(f.X.Categories) - 1), Y: c.Ratio})
			f.Alt += fmt.Sprintf(" By the %s: %s times the limit, which is %s.", widths[i].Name, num(c.Ratio, 3), verdict(c.Kept))
		}
		t.Rows = append(t.Rows, row)
	}
	r.Tables = []result.Table{t}
	if len(f.X.Categories) > 0 { // of a store that limits partitions at all
		r.Figures = []result.Figure{f}
	}
	return r, nil
}

func verdict(kept bool) string {
	if kept {
		return "kept"
	}
	return "broken"
}
