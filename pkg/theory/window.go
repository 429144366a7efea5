package theory

import "math"

// Window is a time range as shares of the whole span: what is newer than it, in it, and older.
type Window struct{ Newer, In, Older float64 }

// RangeRows is how many rows a user has in the window: rows/users times its share.
func (s Even) RangeRows(w Window) Estimate {
	return s.over(w.In, func(k int64) (float64, float64) { return float64(k), 0 })
}

// RangeArrivalPages is the data pages of a range in arrival order: its rows, less those that share a page with the next
// older one.
//
//	rows (1 - Shared(p, perPage))
func (s Even) RangeArrivalPages(w Window) Estimate {
	q := Shared(s.p(), s.PerPage)
	return s.over(w.In, func(k int64) (float64, float64) {
		return float64(k) * (1 - q), float64(k) * float64(q*(1-q))
	})
}

// RangeIndexPages is the index pages of a range through a B-tree on (entity, time).
func (s Even) RangeIndexPages(w Window) Estimate {
	height := float64(Height(s.Rows+s.Others, s.Fanout))
	return s.over(w.In, func(k int64) (float64, float64) {
		m, v := crossings(k-1, s.Fanout)
		return height + m, v
	})
}

// RangePartitionExamined is the rows that a range decodes in a partition sorted newest first: those above the first
// match on its page, the matches, and the row that ends the range.
//
//	(perPage-1)/2 + rows + 1    where the partition goes on for at least a page before and a row after
func (s Even) RangePartitionExamined(w Window) Estimate {
	lead := s.lead(w.Newer)
	older := 1 - fewer(s.mean(w.Older), 1)
	return s.over(w.In, func(k int64) (float64, float64) {
		return stopped(k, older, func(rows int64) (float64, float64) {
			return lead.Mean + float64(rows), lead.SD * lead.SD
		})
	})
}

// RangePartitionPages is the data pages of a range in a partition sorted newest first, the page of the row that ends
// the range included.
//
//	1 + rows/perPage    where the partition goes on for a row after
func (s Even) RangePartitionPages(w Window) Estimate {
	older := 1 - fewer(s.mean(w.Older), 1)
	return s.over(w.In, func(k int64) (float64, float64) {
		return stopped(k, older, func(rows int64) (float64, float64) {
			m, v := crossings(rows-1, s.PerPage)
			return 1 + m, v
		})
	})
}

// RangeFromTopPages is the data pages of the same range where the partition has no index inside, so that it is decoded
// from its first row.
//
//	1 + (newer rows + rows)/perPage
func (s Even) RangeFromTopPages(w Window) Estimate {
	older := 1 - fewer(s.mean(w.Older), 1)
	return s.over(w.Newer+w.In, func(k int64) (float64, float64) {
		return stopped(k, older, func(rows int64) (float64, float64) {
			m, v := crossings(rows-1, s.PerPage)
			return 1 + m, v
		})
	})
}

// stopped takes a count of so many decoded rows, to which the row that ends the range is added with chance older; with
// neither, nothing is read.
func stopped(rows int64, older float64, count given) (mean, variance float64) {
	m1, v1 := count(rows + 1)
	m0, v0 := 0.0, 0.0
	if rows > 0 {
		m0, v0 = count(rows)
	}
	mean = float64(older*m1) + float64((1-older)*m0)
	square := float64(older*(v1+float64(m1*m1))) + float64((1-older)*(v0+float64(m0*m0)))
	return mean, max(0, square-float64(mean*mean))
}

// lead is how many rows stand above the first match on its page: up to perPage-1, each number as likely, but no more
// than the partition has newer rows.
func (s Even) lead(newer float64) Estimate {
	rows := newPoisson(s.mean(newer))
	sum, squares := 0.0, 0.0
	m, sq := 0.0, 0.0 // of min(above, J) for a Poisson J: sums of tails
	for above := int64(1); above < s.PerPage; above++ {
		tail := 1 - rows.below(above)
		m += tail
		sq += float64(tail * float64(2*above-1))
		sum += m
		squares += sq
	}
	n := float64(s.PerPage)
	mean := sum / n
	return Estimate{mean, math.Sqrt(max(0, squares/n-float64(mean*mean)))}
}
