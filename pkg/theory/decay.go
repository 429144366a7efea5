package theory

// LatestDecayedPages is the data pages of latest n in a heap that was sorted once and then grew by a share of the sorted
// rows, in arrival order. Rows here are the sorted ones; a user's later rows are Poisson. Of k later rows
//
//	m = min(n, k) are read where they arrived, a page each but for those that share theirs, and the n-m older ones
//	side by side: 1 + (n-m-1)/perPage
func (s Even) LatestDecayedPages(n int64, added float64) Estimate {
	q := Shared(s.p(), s.PerPage)
	return s.over(added, func(k int64) (float64, float64) {
		m := min(n, k)
		pairs := max(0, float64(m-1))
		mean, variance := float64(m)-float64(pairs*q), float64(pairs*float64(q*(1-q)))
		if m == n {
			return mean, variance
		}
		older := s.over(1, func(have int64) (float64, float64) {
			if have == 0 {
				return 0, 0
			}
			c, v := crossings(min(n-m, have)-1, s.PerPage)
			return 1 + c, v
		})
		return mean + older.Mean, variance + float64(older.SD*older.SD)
	})
}
