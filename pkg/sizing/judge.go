package sizing

import (
	"fmt"
	"math"
)

// judged is a candidate held against the limits.
type judged struct {
	candidate
	checks []Check
	binds  int   // index in checks of the limit that binds; -1: none decides
	splits int   // index in checks of the limit that asks for shards; meaningless while there is but one
	shards int64 // hash shards until every limit that decides is kept, but for a row that breaks one by itself
}

// tighter reports whether k binds rather than l: a broken limit before a kept one, then the larger ratio.
func (k Check) tighter(l Check) bool {
	if k.Kept != l.Kept {
		return l.Kept
	}
	return k.Ratio > l.Ratio
}

func (j *judged) safe() bool { return j.shards == 1 && !j.unbounded }

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
			amount = Grown(c.rows, q.Growth)
		case Cells:
			amount = Grown(c.rows, q.Growth*float64(q.Cells))
		case Bytes:
			amount = Grown(c.bytes, q.Growth)
		default:
			continue
		}
		if l.Operator == "<" { // at least so much is asked of what is typical, as it is
			amount = map[Counted]int64{Rows: c.medianRows, Cells: Product(c.medianRows, q.Cells), Bytes: c.medianBytes}[l.Counts]
		}
		k := l.Check(amount)
		k.Width = c.width.String()
		j.checks = append(j.checks, k)
		if !l.decides() {
			continue
		}
		if j.binds < 0 || k.tighter(j.checks[j.binds]) {
			j.binds = len(j.checks) - 1
		}
		if !k.Kept {
			switch {
			case s.rowBreaks(l) && !l.Keeps(s.rowMean):
				continue // rows like these can't be helped
			case s.rowBreaks(l):
				amount -= min(s.rowBytes, amount) // that row can't be helped; the others can
			}
			if n := min(shards(amount, l.Most()), max(Grown(c.rows, q.Growth), 1)); n > j.shards {
				j.shards, j.splits = n, len(j.checks)-1
			}
		}
	}
	if j.binds >= 0 {
		j.checks[j.binds].Binds = true
	}
	return j
}

// rowBreaks reports whether the largest row is more than a limit allows a whole partition: nothing mends that.
func (s *subject) rowBreaks(l Limit) bool {
	return l.Counts == Bytes && l.decides() && !l.Keeps(s.rowBytes)
}

// cost is how many partitions a read of the latest rows and one of a range ask for, every shard counted; 0 where nothing
// is read.
func (j *judged) cost() int64 {
	return Product(j.p99+j.span.Worst, j.shards)
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
	return s.judge(candidate{rows: rows, bytes: bytes, medianRows: rows, medianBytes: bytes}, q)
}

// writes holds the busiest second against the store's limits of writes, and the largest row against those of rows,
// which no width changes.
func (s *subject) writes(q Question, r *Recommendation) Writes {
	w := Writes{Peak: Grown(s.peak, q.Growth), Shards: 1, most: Grown(s.peakMost, q.Growth), mostShards: 1}
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
					w.Limit, w.Shards, w.spare = l.name(), k, shards(units, l.Most()-l.Most()/10)
				}
				if units, ok = mulDiv(w.most, l.Units(s.rowMean), 1, true); ok {
					w.mostShards = max(w.mostShards, shards(units, l.Most()))
				}
			}
		case Bytes:
			if s.rowBreaks(l) {
				r.Warnings = append(r.Warnings, s.huge(l))
			}
		case RowBytes:
			k := l.Check(s.rowBytes)
			r.Checks = append(r.Checks, k)
			if !k.Kept && l.decides() {
				r.Warnings = append(r.Warnings, s.huge(l))
			}
		}
	}
	return w
}

func (s *subject) huge(l Limit) string {
	return fmt.Sprintf("The largest row has %s bytes, %s %v: no bucket and no shard makes a row smaller.", count(s.rowBytes), multiple(l.Check(s.rowBytes).Ratio), l)
}

// sizeBased is whether buckets of rows serve better than buckets of the chosen width. Forced says that a limit refused
// a wider one: else the width is not what makes reads meet empty buckets.
func (s *subject) sizeBased(q Question, c *judged, forced bool) SizeBased {
	most := int64(math.MaxInt64)
	for _, l := range q.Limits {
		if rows, err := RowsThatFit(l, s.rowMean, 1); err == nil && l.decides() {
			most = min(most, rows)
		}
	}
	b := SizeBased{Rows: most % math.MaxInt64} // none limits rows or bytes: 0
	b.Better = b.Rows > 0 && forced && c.skew[0] >= skewed*max(c.skew[1], 1) && c.p99 >= manyReads && 2*c.empty >= c.p99
	return b
}

// Product is a product of counts, at most the largest int64.
func Product(a, b int64) int64 {
	if n, ok := mulDiv(a, b, 1, false); ok {
		return n
	}
	return math.MaxInt64
}

// shards is how many parts of at most so much an amount makes.
func shards(amount, most int64) int64 {
	most = max(most, 1)
	return max(1, amount/most+min(1, amount%most))
}

// Grown is n times a factor, rounded up; at most the largest int64.
func Grown(n int64, factor float64) int64 {
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
