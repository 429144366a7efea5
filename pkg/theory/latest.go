package theory

import "math"

// LatestRows is how many rows latest n returns: n, or all rows of a user who has fewer.
func (s Even) LatestRows(n int64) Estimate {
	return s.over(1, func(k int64) (float64, float64) { return float64(min(n, k)), 0 })
}

// LatestArrivalPages is the data pages of latest n in arrival order: a page a row, but for the rows that share theirs
// with the user's next older one.
//
//	n - (n-1) Shared(p, perPage)
func (s Even) LatestArrivalPages(n int64) Estimate {
	q := Shared(s.p(), s.PerPage)
	return s.over(1, func(k int64) (float64, float64) {
		rows := float64(min(n, k))
		pairs := max(0, rows-1)
		return rows - float64(pairs*q), pairs * float64(q*(1-q))
	})
}

// LatestArrivalPagesAnyOrder is the same where times say nothing about arrival, so that the n rows lie anywhere: Yao.
// The number of pages shared is nearly Poisson.
func (s Even) LatestArrivalPagesAnyOrder(n int64) Estimate {
	mean := Yao(s.Rows+s.Others, s.PerPage, n)
	return Estimate{mean, math.Sqrt(max(0, float64(n)-mean))}
}

// LatestIndexPages is the index pages of latest n through a B-tree on (entity, time): its levels, and a further leaf
// for each boundary that the walk crosses.
//
//	height + (n-1)/fanout
func (s Even) LatestIndexPages(n int64) Estimate {
	height := float64(Height(s.Rows+s.Others, s.Fanout))
	return s.over(1, func(k int64) (float64, float64) {
		m, v := crossings(min(n, k)-1, s.Fanout)
		return height + m, v
	})
}

// LatestPartitionPages is the data pages of latest n in a partition that begins anywhere on a page.
//
//	1 + (n-1)/perPage
func (s Even) LatestPartitionPages(n int64) Estimate {
	return s.over(1, func(k int64) (float64, float64) {
		if k == 0 {
			return 0, 0
		}
		m, v := crossings(min(n, k)-1, s.PerPage)
		return 1 + m, v
	})
}

// PartitionIndexPages is the levels of a sparse index with an entry a user.
func (s Even) PartitionIndexPages() Estimate {
	return Estimate{Mean: float64(Height(s.Users, s.Fanout))}
}
