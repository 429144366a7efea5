package sizing

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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
// The rule: the widest candidate whose largest partition, grown, keeps every limit that decides. Of nested widths
// the wider never reads more, so of those that are safe the widest reads least. A wider bucket is taken to hold what a
// narrower one held, even if a boundary cut that in two so far. Where no candidate is safe, partitions are split in hash
// shards; the width is taken whose reads then ask for the fewest partitions, of equal ones the one with the fewest
// shards, and of those the widest. A row that breaks a limit by itself is left
// out of what is held against that limit: nothing mends it.
type Recommendation struct {
	Width      string    `json:"width"`           // "" where there are no candidates
	Binding    string    `json:"binding_limit"`   // store and id of the limit that Width comes closest to
	Shards     int64     `json:"shards"`          // hash shards a bucket, for size and for writes; 1: none
	Decides    int64     `json:"rows_decided_by"` // rows of the largest partition as judged: projected and grown
	NoBucket   bool      `json:"no_time_bucket_helps"`
	Reads      Reads     `json:"reads"`
	Writes     Writes    `json:"writes"`
	SizeBased  SizeBased `json:"size_based"`
	Reasons    []string  `json:"reasons"`
	Refused    []Refusal `json:"refused"` // every other candidate, from narrow to wide
	Warnings   []string  `json:"warnings"`
	NotChecked []string  `json:"not_checked"` // limits that count what neither a trace nor a rate knows
	Checks     []Check   `json:"-"`           // every width against every limit that can be measured: "limits" in a report
	safe       bool      // Width keeps every limit without shards
	step       int64     // of the times, microseconds
}

// Refusal is a candidate that was not chosen.
type Refusal struct {
	Width string  `json:"width"`
	Limit string  `json:"limit,omitempty"` // store and id of the limit it breaks most; "" if it keeps them all
	Ratio float64 `json:"ratio,omitempty"` // by how much: its largest partition as a multiple of that limit
	Why   string  `json:"why"`
}

// Reads are the partitions that reads of Width ask for, every shard of a bucket counted; 0 where nothing is read.
type Reads struct {
	LatestP99    int64 `json:"latest_p99"`
	LatestWorst  int64 `json:"latest_worst"`
	RangeAligned int64 `json:"range_aligned"` // begun with a bucket
	RangeWorst   int64 `json:"range_worst"`
}

// Writes is whether one partition must be split to take the writes of its busiest second.
type Writes struct {
	Peak   int64  `json:"peak_rows_per_second"` // of one entity, grown
	Limit  string `json:"limit,omitempty"`      // store and id of the store's limit; "" where it has none
	Shards int64  `json:"shards"`               // 1: no need to split

	most, mostShards int64 // the same if the busiest second has as many rows as the times allow
	spare            int64 // shards that leave a tenth of the limit to spare
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

// better reports whether j is to be taken rather than the wider k.
func (j *judged) better(k *judged) bool {
	if j.shards == 1 || k.shards == 1 {
		return j.shards < k.shards
	}
	return cmp.Or(cmp.Compare(j.cost(), k.cost()), cmp.Compare(j.shards, k.shards)) < 0
}

// envelope gives a wider bucket what a narrower one held. Candidates are sorted from narrow to wide.
func (s *subject) envelope() {
	var rows, bytes *candidate
	for i := range s.candidates {
		c := &s.candidates[i]
		if c.unbounded || c.unknown {
			continue
		}
		if rows != nil && rows.rows > c.rows {
			c.rows, c.where = rows.rows, fmt.Sprintf("%s of width %v", rows.where, rows.width)
			c.cut = fmt.Sprintf("A bucket of width %v has held %s (%s), more than any of width %v so far: that lies in where the buckets began.", rows.width, plural(rows.rows, "row"), rows.where, c.width)
		} else {
			rows = c
		}
		if bytes != nil && bytes.bytes > c.bytes {
			c.bytes, c.whereBytes = bytes.bytes, fmt.Sprintf("%s of width %v", bytes.whereBytes, bytes.width)
		} else {
			bytes = c
		}
	}
}

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
	slices.SortStableFunc(s.candidates, func(a, b candidate) int { return cmp.Compare(breadth(a.width), breadth(b.width)) })
	all := make([]judged, len(s.candidates))
	s.envelope()
	for _, c := range s.candidates {
		if Grown(c.rows, q.Growth) == math.MaxInt64 || Grown(c.bytes, q.Growth) == math.MaxInt64 {
			return Recommendation{}, fmt.Errorf("growth %v: %s and %s bytes of width %v, grown, are more than 2^63: want a smaller factor", q.Growth, plural(c.rows, "row"), count(c.bytes), c.width)
		}
	}
	known := slices.ContainsFunc(s.candidates, func(c candidate) bool { return !c.unbounded && !c.unknown })
	chosen := -1
	for i, c := range s.candidates {
		all[i] = s.judge(c, q)
		r.Checks = append(r.Checks, all[i].checks...)
		if c.unbounded || c.unknown && known {
			continue
		}
		if chosen < 0 || !all[chosen].better(&all[i]) {
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
	r.Shards, r.Decides = max(c.shards, r.Writes.Shards), Grown(c.rows, q.Growth)
	r.safe, r.step = c.safe(), s.step
	r.NoBucket = !c.safe() && s.step <= second && s.instant(q).shards >= c.shards
	r.Reads = Reads{Product(c.p99, r.Shards), Product(c.worst, r.Shards), Product(c.span.Aligned, r.Shards), Product(c.span.Worst, r.Shards)}
	r.SizeBased = s.sizeBased(q, c, chosen+1 < len(all) && !all[chosen+1].unbounded)
	s.explain(&r, q, all, chosen)
	return r, nil
}
