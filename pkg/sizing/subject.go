package sizing

import (
	"fmt"
	"math"

	"pagetouch/pkg/bucket"
)

// candidate is what a width costs, from a trace or from a rate.
type candidate struct {
	width       bucket.Width
	rows, bytes int64  // of the largest partition
	medianBytes int64  // of the partitions; -1: unknown
	projected   string // a sentence where rows and bytes are, because entities have not written for a whole bucket
	unbounded   bool
	unknown     bool   // narrower than the step of the times: rows and reads are those of a whole step
	where       string // names the largest partition
	reads       string // a sentence about the latest-n read; may be empty
	p99, empty  int64  // partitions that read asks for at the 99th percentile
	worst       int64  // and at worst
	skew        [2]int64
	span        Span
}

// subject is all that is judged.
type subject struct {
	candidates []candidate // from narrow to wide
	rowBytes   int64       // of the largest row
	rowMean    int64       // mean, rounded up
	step       int64       // of the times; 0: unknown
	peak       int64       // rows of one entity in a second
	peakAt     string
	busiest    int64 // rows of the busiest entity so far; 0: unknown
	hour       Place // one entity's busiest; without rows where the trace has no whole one
	active     int64 // microseconds that this entity has been writing
	warnings   []string
}

// RecommendRate chooses among widths for one entity that writes evenly, rows of so many bytes.
func RecommendRate(r Rate, rowBytes int64, widths []bucket.Width, q Question) (Recommendation, error) {
	estimates, err := ByRate(r, rowBytes, widths, q.Latest, q.Range)
	if err != nil {
		return Recommendation{}, err
	}
	s := subject{rowBytes: rowBytes, rowMean: rowBytes}
	if s.peak, err = r.In(1_000_000); err != nil {
		return Recommendation{}, err
	}
	s.peakAt = "at an even rate"
	for _, e := range estimates {
		c := candidate{width: e.Width, rows: e.Rows, bytes: e.Bytes, medianBytes: e.Bytes, unbounded: e.Unbounded, where: "the longest bucket", p99: e.Latest, worst: e.Latest, span: e.Range}
		if q.Latest > 0 {
			c.reads = fmt.Sprintf("the latest %s rows lie in at most %s", count(int64(q.Latest)), plural(e.Latest, "partition"))
		}
		s.candidates = append(s.candidates, c)
	}
	return s.recommend(q)
}

// Recommend chooses among the widths of the trace.
func (t *Trace) Recommend(q Question) (Recommendation, error) {
	s := subject{rowBytes: t.LargestRow, rowMean: t.RowBytes, busiest: t.Busiest.Rows, step: t.Peaks.Step}
	s.peak = shards(t.Peaks.Second.Rows, max(t.Peaks.Step/second, 1))
	s.peakAt = fmt.Sprintf("of entity %s at %s", t.Peaks.Second.Name, t.Peaks.Second.Start)
	span, narrowest := t.Last-t.First, int64(math.MaxInt64)
	for _, b := range t.Buckets {
		c, err := t.candidate(b, q)
		if err != nil {
			return Recommendation{}, err
		}
		s.candidates = append(s.candidates, c)
		if b.Width != bucket.Forever {
			narrowest = min(narrowest, b.Width.Longest())
		}
	}
	switch {
	case t.Rows == 0:
	case span < narrowest && t.Busiest.Rows < enough:
		s.warnings = append(s.warnings, fmt.Sprintf("Too little to choose by: the busiest entity has %s, and the trace is shorter than the narrowest width. Give a longer trace, or a rate to report size.", plural(t.Busiest.Rows, "row")))
	case span == 0:
		s.warnings = append(s.warnings, "The trace is shorter than the narrowest candidate: nothing can be said about buckets it does not fill.")
	case span < narrowest:
		s.warnings = append(s.warnings, "The trace is shorter than the narrowest width: all sizes are projected at the pace of the fastest entity.")
	}
	if t.Peaks.Step > second && t.Peaks.Second.Rows > s.peak {
		step, rows := stepName(t.Peaks.Step), plural(t.Peaks.Second.Rows, "row")
		s.peakAt = fmt.Sprintf("of entity %s at %s, its %s of that %s taken as even", t.Peaks.Second.Name, t.Peaks.Second.Start, rows, step)
		if t.Peaks.Second.Rows >= enough {
			s.warnings = append(s.warnings, fmt.Sprintf("All times are whole %ss apart, so what comes in a second is not known: the busiest %s of one entity (%s, %s) has %s, %s a second if they come evenly and %s if all at once.",
				step, step, t.Peaks.Second.Name, t.Peaks.Second.Start, rows, count(s.peak), count(t.Peaks.Second.Rows)))
		}
	}
	if span >= hour && t.Peaks.Step <= hour {
		s.hour, s.active = t.Peaks.Hour, t.Peaks.active
	}
	switch {
	case 2*t.Peaks.Backward > t.Rows:
		s.warnings = append(s.warnings, "The rows come newest first, and their order is taken as that of arrival. Turn them round if it is not: git log --reverse, or tac.")
	case t.Peaks.Backward > 0:
		s.warnings = append(s.warnings, fmt.Sprintf("%s of %s rows are of an earlier second than the row before them of the same entity: peaks per second are lower bounds.", count(t.Peaks.Backward), count(t.Rows)))
	}
	return s.recommend(q)
}

// candidate is a width with what it cost, or may come to where entities have not written for a whole bucket.
func (t *Trace) candidate(b Bucket, q Question) (c candidate, err error) {
	c = candidate{width: b.Width, rows: b.MaxRows, bytes: b.MaxBytes, medianBytes: b.Bytes.P50, unbounded: b.Width == bucket.Forever,
		where: fmt.Sprintf("entity %s in %s", b.MaxAt.Name, b.MaxAt.Bucket), p99: b.Latest.Read.P99, worst: b.Latest.Read.Max, empty: b.Latest.Empty.P99, skew: [2]int64{b.EntityMax.Max, b.EntityMax.P50}}
	c.unknown = !c.unbounded && b.Width.Longest() < t.Peaks.Step
	if p := b.Projected; p != nil && (p.Rows > c.rows || p.Bytes > c.bytes) {
		c.rows, c.bytes = max(c.rows, p.Rows), max(c.bytes, p.Bytes)
		c.where = fmt.Sprintf("entity %s, projected to a whole bucket", p.Name)
		c.projected = fmt.Sprintf("Entity %s has not written for a whole bucket of width %v: what one may hold is projected from its %s in %s.", p.Name, b.Width, plural(p.Wrote, "row"), roughly(p.Active))
	}
	if l := b.Latest; t.Latest > 0 && t.Measured > 0 {
		c.reads = fmt.Sprintf("the latest %s rows cost the busiest entity %s, the median one %s, one in a hundred %s or more and the worst (entity %s) %s",
			count(int64(t.Latest)), plural(l.Busiest, "partition"), count(l.Read.P50), count(l.Read.P99), l.Worst.Name, count(l.Read.Max))
		if l.Empty.P99 > 0 {
			c.reads += fmt.Sprintf("; one in a hundred meets %s empty ones or more, where a directory of the buckets with rows leaves %s at most and its own read", count(l.Empty.P99), count(l.Directory.Max))
		}
	}
	if q.Range > 0 {
		c.span, err = RangeFanout(b.Width, q.Range)
	}
	return c, err
}
