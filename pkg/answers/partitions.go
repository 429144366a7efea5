package answers

import (
	"fmt"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/dist"
	"pagetouch/pkg/result"
	"pagetouch/pkg/sizing"
)

// sizes is how large partitions get for every width.
func (a *Answers) sizes(q Question) *result.Result {
	r := &result.Result{Name: "sizes", Title: "How large partitions get"}
	t := result.Table{Name: "trace-partitions", Title: "Partitions for every width",
		Caption: "At the peak that really occurred. Partitions without rows are not stored and not counted.",
		Columns: []result.Column{{Name: "width"}, {Name: "partitions"}, {Name: "rows, median"}, {Name: "rows, largest"}, {Name: "bytes, largest"}, {Name: "entity of the most rows"}, {Name: "its bucket"}}}
	for _, b := range a.bounded() {
		t.Rows = append(t.Rows, []result.Cell{result.Text(b.Width.String()), result.Count(b.Partitions), result.Count(b.Rows.P50),
			result.Count(b.MaxRows), result.Count(b.MaxBytes), result.Text(b.MaxAt.Name), result.Text(b.MaxAt.Bucket)})
	}
	r.Tables = []result.Table{t}
	rows := a.sizeFigure("trace-partition-rows", "rows", func(b sizing.Bucket) dist.D { return b.Rows }, q)
	bytes := a.sizeFigure("trace-partition-bytes", "bytes", func(b sizing.Bucket) dist.D { return b.Bytes }, q)
	r.Figures = []result.Figure{rows, bytes}
	r.Findings = append(r.Findings,
		fmt.Sprintf("The busiest entity, %s, has %s of %s.", a.Busiest.Name, whole(a.Busiest.Rows), plural(a.Rows, "row")),
		a.peaks())
	return r
}

// peaks is the busiest hour and second, or what the times can tell of them.
func (a *Answers) peaks() string {
	p := a.Peaks
	hour := fmt.Sprintf("The most rows of one entity in an hour of the clock are %s, of %s in %s; ", whole(p.Hour.Rows), p.Hour.Name, p.Hour.Bucket)
	const second, anHour = 1_000_000, 3_600_000_000
	switch {
	case p.Step <= second:
		return hour + fmt.Sprintf("in a second, %s.", whole(p.Second.Rows))
	case p.Step < anHour:
		return hour + fmt.Sprintf("at one time, %s. Times are %s or more apart: of less they say nothing.", whole(p.Second.Rows), bucket.Fixed(p.Step).Spelled())
	}
	return fmt.Sprintf("The most rows of one entity at one time are %s, of %s at %s. Times are %s or more apart: of less they say nothing.",
		whole(p.Second.Rows), p.Second.Name, p.Second.Start, bucket.Fixed(p.Step).Spelled())
}

// sizeFigure is the partitions of every width beside the limits that count the same.
func (a *Answers) sizeFigure(name, unit string, of func(sizing.Bucket) dist.D, q Question) result.Figure {
	f := result.Figure{Name: name, Kind: result.Bars, Title: "Partitions in " + unit, Table: "trace-partitions",
		Caption: "The scale is logarithmic: each step is ten times the one below. Lines are limits.",
		Alt:     upper(unit) + " a partition, by width of the bucket.",
		X:       result.Axis{Name: "bucket width"}, Y: result.Axis{Name: unit + " a partition", Unit: unit, Log: true},
		Series: []result.Series{{Name: "median", Labels: unit == "rows"}, {Name: "largest", Labels: true}}}
	for i, b := range a.bounded() {
		d := of(b)
		f.X.Categories = append(f.X.Categories, b.Width.String())
		// A logarithmic scale has no place for nothing: rows of no bytes are drawn as one.
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: float64(i), Y: float64(max(d.P50, 1))})
		f.Series[1].Points = append(f.Series[1].Points, result.Point{X: float64(i), Y: float64(max(d.Max, 1))})
		f.Alt += fmt.Sprintf(" %s: median %s, largest %s.", upper(b.Width.String()), whole(d.P50), whole(d.Max))
	}
	marked := map[int64]bool{}
	for _, l := range q.Limits {
		if string(l.Counts) == unit && l.On && l.Operator != "<" && !marked[l.Amount()] {
			marked[l.Amount()] = true
			f.Marks = append(f.Marks, result.Mark{Axis: "y", At: float64(l.Amount()), Label: l.Maker() + ": " + l.Words()})
			f.Alt += fmt.Sprintf(" %s asks for %s.", l.Maker(), l.Words())
		}
	}
	return f
}

// fanout is how many partitions the latest rows lie in, for every width.
func (a *Answers) fanout() *result.Result {
	r := &result.Result{Name: "fanout", Title: "How many partitions a read asks for"}
	t := result.Table{Name: "trace-fanout", Title: "Partitions of the " + a.latestRows(),
		Caption: "Bucket by bucket back from the newest, empty ones counted; a directory names those with rows, and its own read comes on top.",
		Columns: []result.Column{{Name: "width"}, {Name: "mean"}, {Name: "median"}, {Name: "99th percentile"}, {Name: "worst"}, {Name: "entity of the worst"}, {Name: "busiest entity"}, {Name: "directory, mean"}, {Name: "directory, worst"}}}
	f := result.Figure{Name: "trace-fanout", Kind: result.Bars, Title: t.Title, Table: t.Name,
		Caption: "The entity at the 99th percentile. The scale is logarithmic.", Alt: "Partitions that the entity at the 99th percentile asks for, by width of the bucket.",
		X: result.Axis{Name: "bucket width"}, Y: result.Axis{Name: "partitions a read", Unit: "partitions", Log: true},
		Series: []result.Series{{Name: "stepping back", Labels: true}, {Name: "with a directory", Labels: true}}}
	for i, b := range a.bounded() {
		l := b.Latest
		t.Rows = append(t.Rows, append(append([]result.Cell{result.Text(b.Width.String())}, spread(l.Read)...),
			result.Text(l.Worst.Name), result.Count(l.Busiest), result.Number(l.Directory.Mean, 2), result.Count(l.Directory.Max)))
		f.X.Categories = append(f.X.Categories, b.Width.String())
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: float64(i), Y: float64(max(l.Read.P99, 1))})
		f.Series[1].Points = append(f.Series[1].Points, result.Point{X: float64(i), Y: float64(max(l.Directory.P99, 1))})
		f.Alt += fmt.Sprintf(" %s: %s stepping back, %s with a directory.", upper(b.Width.String()), whole(l.Read.P99), whole(l.Directory.P99))
	}
	r.Tables, r.Figures = []result.Table{t}, []result.Figure{f}
	if b := a.chosen(); b != nil {
		r.Findings = append(r.Findings, a.pays(b)...)
	}
	return r
}

// pays is what the busiest and the quiet entities pay for a width.
func (a *Answers) pays(b *sizing.Bucket) []string {
	n := whole(a.Latest.N)
	all := []string{fmt.Sprintf("With width %v the busiest entity, %s, reads %s for its %s; the worst, %s, reads %s, back to %s.",
		b.Width, a.Busiest.Name, plural(b.Latest.Busiest, "partition"), a.latestRows(), b.Latest.Worst.Name, whole(b.Latest.Worst.Rows), b.Latest.Worst.Bucket)}
	if d := b.Fewer.Read; d.N > 0 {
		all = append(all, fmt.Sprintf("%s fewer than %s rows. Nothing tells a read when to stop, so it goes back to the oldest bucket of the trace: %s for the median one, %s for the worst; with a directory %s at most.",
			map[bool]string{true: "One entity has", false: whole(d.N) + " entities have"}[d.N == 1], n, plural(d.P50, "partition"), whole(d.Max), whole(b.Fewer.Directory.Max)))
	}
	if k := a.Recommendation.Shards; k > 1 {
		all = append(all, fmt.Sprintf("These are reads of buckets. A bucket that is split in %s is asked %s times: one in a hundred of these entities asks for %s or more, the worst for %s.",
			plural(k, "hash shard"), whole(k), plural(a.Recommendation.Reads.LatestP99, "partition"), whole(a.Recommendation.Reads.LatestWorst)))
	}
	return all
}
