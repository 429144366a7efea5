package sizing

import (
	"fmt"
	"math"
	"slices"

	"pagetouch/pkg/bucket"
)

// Question is what a recommendation is to be measured by.
type Question struct {
	Limits []Limit // of a store, or the reader's own; those that are off are shown and decide nothing
	Growth float64 // rows and bytes may grow so many times before a limit breaks; 0 is 1
	Cells  int64   // columns of a row outside the key, for limits of cells; 0 is 1
	Latest int     // n of the latest-n read, for sentences and by a rate; 0: no such read
	Range  int64   // length of the range read in microseconds; 0: none
}

// Recommendation is a width and why.
//
// The rule: the widest candidate whose largest partition, grown, keeps every limit that decides. Wider buckets never
// read more, so of the widths that are safe the widest reads least. Where no candidate is safe, partitions are split
// in hash shards; the widest width that needs the fewest is taken.
type Recommendation struct {
	Width      string    `json:"width"`         // "" where there are no candidates
	Binding    string    `json:"binding_limit"` // store and id of the limit that Width comes closest to
	Shards     int64     `json:"shards"`        // hash shards a bucket, for size and for writes; 1: none
	NoBucket   bool      `json:"no_time_bucket_helps"`
	Writes     Writes    `json:"writes"`
	SizeBased  SizeBased `json:"size_based"`
	Reasons    []string  `json:"reasons"`
	Refused    []Refusal `json:"refused"` // every other candidate, from narrow to wide
	Warnings   []string  `json:"warnings"`
	NotChecked []string  `json:"not_checked"` // limits that count what neither a trace nor a rate knows
	Checks     []Check   `json:"-"`           // every width against every limit that can be measured: "limits" in a report
}

// Refusal is a candidate that was not chosen.
type Refusal struct {
	Width string  `json:"width"`
	Limit string  `json:"limit,omitempty"` // store and id of the limit it breaks most; "" if it keeps them all
	Ratio float64 `json:"ratio,omitempty"` // by how much: its largest partition as a multiple of that limit
	Why   string  `json:"why"`
}

// Writes is whether one partition must be split to take the writes of its busiest second.
type Writes struct {
	Peak   int64  `json:"peak_rows_per_second"` // of one entity, grown
	Limit  string `json:"limit,omitempty"`      // store and id of the store's limit; "" where it has none
	Shards int64  `json:"shards"`               // 1: no need to split
}

// SizeBased is whether buckets of so many rows serve better than buckets of so much time.
type SizeBased struct {
	Better bool  `json:"better"`
	Rows   int64 `json:"rows"` // a bucket: the most that keep every limit that decides; 0 where none limits rows or bytes
}

// A time bucket that is safe for the busiest entity is too narrow for the others when it is this many times the median
// entity's largest partition, and the entity at the 99th percentile reads this many partitions, most of them empty.
const (
	skewed    = 10
	manyReads = 10
)

// candidate is what a width costs, from a trace or from a rate.
type candidate struct {
	width       bucket.Width
	rows, bytes int64 // of the largest partition
	medianBytes int64 // of the partitions; -1: unknown
	projected   bool  // the trace is shorter than the bucket
	unbounded   bool
	where       string // names the largest partition
	reads       string // a sentence about the latest-n read; may be empty
	p99, empty  int64  // partitions that read asks for at the 99th percentile
	skew        [2]int64
	span        Span
}

// subject is all that is judged.
type subject struct {
	candidates []candidate // from narrow to wide
	rowBytes   int64       // of the largest row
	rowMean    int64       // mean, rounded up
	peak       int64       // rows of one entity in a second
	peakAt     string
	busiest    int64 // rows of the busiest entity so far; 0: unknown
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
		c := candidate{width: e.Width, rows: e.Rows, bytes: e.Bytes, medianBytes: e.Bytes, unbounded: e.Unbounded, where: "the longest bucket", p99: e.Latest, span: e.Range}
		if q.Latest > 0 {
			c.reads = fmt.Sprintf("the latest %s rows lie in at most %s", count(int64(q.Latest)), plural(e.Latest, "partition"))
		}
		s.candidates = append(s.candidates, c)
	}
	return s.recommend(q)
}

// Recommend chooses among the widths of the trace.
func (t *Trace) Recommend(q Question) (Recommendation, error) {
	s := subject{rowBytes: t.LargestRow, rowMean: t.RowBytes, peak: t.Peaks.Second.Rows, busiest: t.Busiest.Rows}
	s.peakAt = fmt.Sprintf("of entity %s at %s", t.Peaks.Second.Name, t.Peaks.Second.Start)
	span, narrowest := t.Last-t.First, int64(math.MaxInt64)
	for _, b := range t.Buckets {
		if b.Width != bucket.Forever {
			narrowest = min(narrowest, b.Width.Longest())
		}
	}
	for _, b := range t.Buckets {
		c := candidate{width: b.Width, rows: b.MaxRows, bytes: b.MaxBytes, medianBytes: b.Bytes.P50, unbounded: b.Width == bucket.Forever,
			where: fmt.Sprintf("entity %s in %s", b.MaxAt.Name, b.MaxAt.Bucket), p99: b.Latest.Read.P99, empty: b.Latest.Empty.P99, skew: [2]int64{b.EntityMax.Max, b.EntityMax.P50}}
		// A bucket that the trace does not fill would go on filling: its busiest entity at its mean rate.
		if longest := b.Width.Longest(); span < longest && span >= narrowest {
			if rows, ok := mulDiv(t.Busiest.Rows, longest, span, true); ok && rows > c.rows {
				if bytes, ok := mulDiv(c.bytes, rows, max(c.rows, 1), true); ok {
					c.rows, c.bytes, c.projected = rows, bytes, true
					c.where = fmt.Sprintf("entity %s, projected to a whole bucket", t.Busiest.Name)
				}
			}
		}
		if l := b.Latest; t.Latest > 0 && t.Measured > 0 {
			c.reads = fmt.Sprintf("the latest %s rows cost the busiest entity %s, the median one %s, one in a hundred %s or more and the worst (entity %s) %s",
				count(int64(t.Latest)), plural(l.Busiest, "partition"), count(l.Read.P50), count(l.Read.P99), l.Worst.Name, count(l.Read.Max))
			if l.Empty.P99 > 0 {
				c.reads += fmt.Sprintf("; one in a hundred meets %s empty ones or more, where a directory of the buckets with rows leaves %s at most and its own read", count(l.Empty.P99), count(l.Directory.Max))
			}
		}
		if q.Range > 0 {
			var err error
			if c.span, err = RangeFanout(b.Width, q.Range); err != nil {
				return Recommendation{}, err
			}
		}
		s.candidates = append(s.candidates, c)
	}
	if t.Rows > 0 && span < narrowest {
		s.warnings = append(s.warnings, "The trace is shorter than the narrowest candidate: nothing can be said about buckets it does not fill.")
	}
	if t.Peaks.Backward > 0 {
		s.warnings = append(s.warnings, fmt.Sprintf("%s of %s rows are of an earlier second than the row before them of the same entity: peaks per second are lower bounds.", count(t.Peaks.Backward), count(t.Rows)))
	}
	return s.recommend(q)
}

// judged is a candidate held against the limits.
type judged struct {
	candidate
	checks []Check
	binds  int   // index in checks of the limit that binds; -1: none decides
	shards int64 // hash shards until every limit that decides is kept
}

func (j *judged) safe() bool { return j.shards == 1 && !j.unbounded }

func (s *subject) recommend(q Question) (Recommendation, error) {
	if q.Growth == 0 {
		q.Growth = 1
	}
	q.Cells = max(q.Cells, 1)
	if math.IsNaN(q.Growth) || q.Growth < 1 || q.Growth > 1e9 {
		return Recommendation{}, fmt.Errorf("growth %v: want a factor from 1 to 1e9", q.Growth)
	}
	r := Recommendation{Shards: 1, Reasons: []string{}, Refused: []Refusal{}, Warnings: append([]string{}, s.warnings...), Checks: []Check{}, NotChecked: []string{}}
	for _, l := range q.Limits {
		switch l.Counts {
		case Rows, Bytes, Cells, RowBytes, WriteUnits:
		default:
			r.NotChecked = append(r.NotChecked, l.name())
		}
	}
	slices.SortStableFunc(s.candidates, func(a, b candidate) int {
		switch {
		case a.unbounded != b.unbounded:
			return map[bool]int{true: 1, false: -1}[a.unbounded]
		case a.width.Longest() < b.width.Longest():
			return -1
		case a.width.Longest() > b.width.Longest():
			return 1
		}
		return 0
	})
	all := make([]judged, len(s.candidates))
	chosen := -1
	for i, c := range s.candidates {
		all[i] = s.judge(c, q)
		r.Checks = append(r.Checks, all[i].checks...)
		if c.unbounded {
			continue
		}
		if chosen < 0 || all[i].shards <= all[chosen].shards {
			chosen = i
		}
	}
	r.Writes = s.writes(q, &r)
	if chosen < 0 {
		r.Warnings = append(r.Warnings, "No candidate width bounds a partition: give one, for example day.")
		return r, nil
	}
	c := &all[chosen]
	r.Width = c.width.String()
	if c.binds >= 0 {
		r.Binding = c.checks[c.binds].name()
	}
	r.Shards = max(c.shards, r.Writes.Shards)
	r.NoBucket = !c.safe() && s.instant(q).shards >= c.shards
	r.SizeBased = s.sizeBased(q, c, chosen+1 < len(all) && !all[chosen+1].unbounded)
	s.explain(&r, q, all, chosen)
	return r, nil
}

// judge holds one candidate against every limit that speaks of partitions.
func (s *subject) judge(c candidate, q Question) judged {
	j := judged{candidate: c, binds: -1, shards: 1}
	if c.unbounded && c.rows == 0 {
		return j // of a rate: nothing can be measured
	}
	for _, l := range q.Limits {
		var amount int64
		switch l.Counts {
		case Rows:
			amount = grown(c.rows, q.Growth)
		case Cells:
			amount = grown(c.rows, q.Growth*float64(q.Cells))
		case Bytes:
			if amount = grown(c.bytes, q.Growth); l.Operator == "<" {
				amount = c.medianBytes
			}
		default:
			continue
		}
		k := l.Check(amount)
		k.Width = c.width.String()
		j.checks = append(j.checks, k)
		if !l.decides() {
			continue
		}
		if n := len(j.checks) - 1; j.binds < 0 || k.Ratio > j.checks[j.binds].Ratio {
			j.binds = n
		}
		if !k.Kept {
			j.shards = max(j.shards, shards(amount, l.Most()))
		}
	}
	if j.binds >= 0 {
		j.checks[j.binds].Binds = true
	}
	return j
}

// instant judges the busiest second as if it were a bucket: no wider one holds less.
func (s *subject) instant(q Question) judged {
	return s.partition(s.peak, q)
}

// partition judges so many rows of mean size as one partition.
func (s *subject) partition(rows int64, q Question) judged {
	bytes, ok := mulDiv(rows, s.rowMean, 1, true)
	if !ok {
		bytes = math.MaxInt64
	}
	return s.judge(candidate{rows: rows, bytes: bytes}, q)
}

// writes holds the busiest second against the store's limits of writes, and the largest row against those of rows,
// which no width changes.
func (s *subject) writes(q Question, r *Recommendation) Writes {
	w := Writes{Peak: grown(s.peak, q.Growth), Shards: 1}
	for _, l := range q.Limits {
		switch l.Counts {
		case WriteUnits:
			units, ok := mulDiv(w.Peak, l.Units(s.rowMean), 1, true)
			if !ok {
				units = math.MaxInt64
			}
			r.Checks = append(r.Checks, l.Check(units))
			if l.decides() {
				if k := shards(units, l.Most()); w.Limit == "" || k > w.Shards {
					w.Limit, w.Shards = l.name(), k
				}
			}
		case RowBytes:
			k := l.Check(s.rowBytes)
			r.Checks = append(r.Checks, k)
			if !k.Kept && l.decides() {
				r.Warnings = append(r.Warnings, fmt.Sprintf("The largest row has %s bytes, %s times %v: no bucket and no shard makes a row smaller.", count(s.rowBytes), times(k.Ratio), l))
			}
		}
	}
	return w
}

// sizeBased is whether buckets of rows serve better than buckets of the chosen width. Forced says that a limit refused
// a wider one: else the width is not what makes reads meet empty buckets.
func (s *subject) sizeBased(q Question, c *judged, forced bool) SizeBased {
	var b SizeBased
	for _, l := range q.Limits {
		if !l.decides() {
			continue
		}
		if rows, err := RowsThatFit(l, s.rowMean); err == nil && (b.Rows == 0 || rows < b.Rows) {
			b.Rows = rows
		}
	}
	b.Better = b.Rows > 0 && forced && c.skew[0] >= skewed*max(c.skew[1], 1) && c.p99 >= manyReads && 2*c.empty >= c.p99
	return b
}

// shards is how many parts of at most so much an amount makes.
func shards(amount, most int64) int64 {
	most = max(most, 1)
	return max(1, amount/most+min(1, amount%most))
}

// grown is n times a factor, rounded up; at most the largest int64.
func grown(n int64, factor float64) int64 {
	if factor == 1 {
		return n
	}
	if whole := int64(factor); float64(whole) == factor {
		if g, ok := mulDiv(n, whole, 1, true); ok {
			return g
		}
		return math.MaxInt64
	}
	if g := math.Ceil(float64(n) * factor); g < math.MaxInt64 {
		return int64(g)
	}
	return math.MaxInt64
}
