package sizing

import (
	"fmt"
	"math"

	"pagetouch/pkg/bucket"
)

// candidate is what a width costs, from a trace or from a rate.
type candidate struct {
	width       bucket.Width
	rows, bytes int64 // of the largest partition
	medianBytes int64 // of the partitions
	medianRows  int64
	projected   string // a sentence where rows and bytes are, because entities have not written for a whole bucket
	unbounded   bool
	unknown     bool                     // narrower than the step of the times: rows and reads are those of a whole step
	where       string                   // names the partition of the most rows
	whereBytes  string                   // names the partition of the most bytes; may be the same
	reads       func(noun string) string // a sentence about the latest-n read, which asks for so many of the noun; may be nil
	cut         string                   // a sentence where rows or bytes are those of a narrower bucket; may be empty
	pair        Place                    // the most rows in two such buckets that follow each other
	few         *Projection              // what an entity may come to that has too few rows to tell
	p99, empty  int64                    // partitions that read asks for at the 99th percentile
	worst       int64                    // and at worst
	skew        [2]int64
	span        Span
}

// subject is all that is judged.
type subject struct {
	candidates []candidate // from narrow to wide
	rowBytes   int64       // of the largest row
	rowMean    int64       // mean, rounded up
	step       int64       // of the times; 0: unknown
	peak       int64       // rows of one entity in a second, at least
	peakMost   int64       // and at most, where the times do not tell
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
	s.peakAt, s.peakMost = "at an even rate", s.peak
	for _, e := range estimates {
		c := candidate{width: e.Width, rows: e.Rows, bytes: e.Bytes, medianBytes: e.Bytes, medianRows: e.Rows, unbounded: e.Unbounded, where: "the longest bucket", whereBytes: "the longest bucket", p99: e.Latest, worst: e.Latest, span: e.Range}
		if q.Latest > 0 {
			c.reads = func(noun string) string {
				if q.Latest == 1 {
					return "the latest row lies in 1 " + noun
				}
				return fmt.Sprintf("the latest %s rows lie in at most %s", count(int64(q.Latest)), plural(e.Latest, noun))
			}
		}
		s.candidates = append(s.candidates, c)
	}
	return s.recommend(q)
}

// Recommend chooses among the widths of the trace.
func (t *Trace) Recommend(q Question) (Recommendation, error) {
	s := subject{rowBytes: t.LargestRow, rowMean: t.RowBytes, busiest: t.Busiest.Rows, step: t.Peaks.Step}
	span, narrowest := t.window.to-t.window.from, int64(math.MaxInt64)
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
	if w := t.window; w.strays > 0 {
		s.warnings = append(s.warnings, fmt.Sprintf("%s of %s rows %s far from all others, which lie between %s and %s: a wrong clock? Paces are those of the others; the empty buckets between are counted.",
			count(w.strays), count(t.Rows), isAre(w.strays), stamp(w.from), stamp(w.to)))
	}
	t.second(&s)
	if t.Rows > 1 && t.First == t.Last && t.First%day == 0 {
		s.warnings = append(s.warnings, "All rows are of one midnight. If these are dates and not times, nothing is known of what happens within the day: of its hours, its seconds, and the writes.")
	}
	if span >= hour && t.Peaks.Step <= hour {
		s.hour, s.active = t.Peaks.Hour, t.Peaks.active
	}
	switch back := t.Peaks.Backward; {
	case 10*back > 9*(t.Rows-t.Entities) && back > 0:
		s.warnings = append(s.warnings, "The rows come newest first, and their order is taken as that of arrival. Turn them round if it is not: git log --reverse, or tac.")
	case back > 0:
		s.warnings = append(s.warnings, fmt.Sprintf("%s of %s rows %s of an earlier second than the row before of the same entity: peaks per second are lower bounds.", count(back), count(t.Rows), isAre(back)))
	}
	return s.recommend(q)
}

// second is the busiest one, or as much as the times tell of it.
func (t *Trace) second(s *subject) {
	p := t.Peaks
	s.peak, s.peakMost = p.Second.Rows, p.Second.Rows
	s.peakAt = fmt.Sprintf("of entity %s at %s", p.Second.Name, p.Second.Start)
	if p.Backward > 0 { // no second of an entity has more than an hour of it
		s.peakMost = max(p.Second.Rows, p.Hour.Rows)
	}
	if p.Step <= second || p.Second.Rows < 2 {
		return
	}
	s.peak = shards(p.Second.Rows, p.Step/second)
	rows, all := plural(p.Second.Rows, "row"), "All"
	apart, step := stepWords(p.Step)
	if !p.whole {
		all = "Nearly all"
	}
	s.peakAt = fmt.Sprintf("of entity %s at %s, its %s of that %s taken as even", p.Second.Name, p.Second.Start, rows, step)
	if p.Second.Rows >= enough {
		s.warnings = append(s.warnings, fmt.Sprintf("%s times are %s apart, so what comes in a second is not known: the busiest %s of one entity (%s, %s) has %s, %s a second if they come evenly and %s if all at once.",
			all, apart, step, p.Second.Name, p.Second.Start, rows, count(s.peak), count(p.Second.Rows)))
	}
}

// candidate is a width with what it cost, or may come to where entities have not written through a bucket.
func (t *Trace) candidate(b Bucket, q Question) (c candidate, err error) {
	c = candidate{width: b.Width, rows: b.MaxRows, bytes: b.MaxBytes, medianBytes: b.Bytes.P50, medianRows: b.Rows.P50, unbounded: b.Width == bucket.Forever,
		p99: b.Latest.Read.P99, worst: b.Latest.Read.Max, empty: b.Latest.Empty.P99, skew: [2]int64{b.EntityMax.Max, b.EntityMax.P50}, few: b.few, pair: b.pair}
	c.unknown = !c.unbounded && b.Width.Longest() < t.Peaks.Step
	c.where = fmt.Sprintf("entity %s in %s", b.MaxAt.Name, b.MaxAt.Bucket)
	c.whereBytes = fmt.Sprintf("entity %s in %s", b.MaxBytesAt.Name, b.MaxBytesAt.Bucket)
	if p := b.Projected; p != nil {
		const projected = "entity %s, projected to a whole bucket"
		name, wrote := p.Name, p.Wrote
		if p.Bytes > c.bytes {
			c.bytes, c.whereBytes = p.Bytes, fmt.Sprintf(projected, p.BytesName)
			name, wrote = p.BytesName, p.BytesWrote
		}
		if p.Rows > c.rows {
			c.rows, c.where = p.Rows, fmt.Sprintf(projected, p.Name)
			name, wrote = p.Name, p.Wrote
		}
		if c.rows > b.MaxRows || c.bytes > b.MaxBytes {
			c.projected = fmt.Sprintf("Entity %s has not written through a bucket of width %v: what one may hold is projected from its %s in %s.", name, b.Width, plural(wrote, "row"), roughly(p.Active))
		}
	}
	if l := b.Latest; t.Latest > 0 && t.Measured > 0 {
		c.reads = func(noun string) string {
			s := fmt.Sprintf("%s the busiest entity %s, the median one %s, one in a hundred %s or more and the worst (entity %s) %s",
				latestCost(t.Latest), plural(l.Busiest, noun), count(l.Read.P50), count(l.Read.P99), l.Worst.Name, count(l.Read.Max))
			if l.Empty.P99 > 0 {
				s += fmt.Sprintf("; one in a hundred meets %s or more, where a directory of the buckets with rows leaves %s at most and its own read", plural(l.Empty.P99, "empty one"), count(l.Directory.Max))
			}
			return s
		}
	}
	if q.Range > 0 {
		c.span, err = RangeFanout(b.Width, q.Range)
	}
	return c, err
}

// latestCost begins a sentence about the latest-n read.
func latestCost(n int) string {
	if n == 1 {
		return "the latest row costs"
	}
	return fmt.Sprintf("the latest %s rows cost", count(int64(n)))
}

func isAre(n int64) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
