package theory

// SplitRows is how many rows a leaf of a B-tree holds on average, long after inserts began, when every insert comes at
// a random place in key order, a leaf has room for perLeaf rows, and one row more splits it in the middle.
//
// Of the leaves with i rows a share i of the inserts makes leaves with i+1 (a leaf is hit as often as it has gaps), so
// with a_i such leaves for each row inserted
//
//	(i+1) a_i = (i-1) a_(i-1) + perLeaf a_perLeaf (for each half that has i rows)
//
// and the mean is sum(i a_i) / sum(a_i); for odd perLeaf it is (perLeaf+1) (H(perLeaf+1) - H((perLeaf+1)/2)), H the
// harmonic numbers, and for large leaves perLeaf ln 2: 69 % full. Source: Yao, "On random 2-3 trees", Acta
// Informatica 9, 1978.
func SplitRows(perLeaf int64) float64 {
	if perLeaf < 2 {
		return float64(perLeaf)
	}
	low := (perLeaf + 1) / 2
	high := perLeaf + 1 - low
	// In units of the inserts that split a leaf.
	leaves, rows, before := 0.0, 0.0, 0.0
	for i := low; i <= perLeaf; i++ {
		a := float64(float64(i-1) * before)
		if i == low {
			a++
		}
		if i == high {
			a++
		}
		before = a / float64(i+1)
		leaves += before
		rows += float64(float64(i) * before)
	}
	return rows / leaves
}

// SplitPages is the leaves that latest n touches in a tree with so many rows a leaf on average, where any gap between
// two rows is as likely to be a boundary of leaves as another and no leaf has fewer than n-1 rows, so that at most one
// boundary is crossed.
//
//	1 + (n-1)/perLeaf
func (s Even) SplitPages(n int64, perLeaf float64) Estimate {
	return s.over(1, func(k int64) (float64, float64) {
		if k == 0 {
			return 0, 0
		}
		f := float64(min(n, k)-1) / perLeaf
		return 1 + f, max(0, f*(1-f))
	})
}
