package theory

import "math"

// ChangedPages is the share of pages with a changed row when a share of the rows has changed, drawn one by one:
//
//	1 - (1 - changed)^perPage
func ChangedPages(changed float64, perPage int64) float64 {
	if changed >= 1 {
		return 1
	}
	return 1 - power(1-changed, perPage)
}

// LatestFetched is the heap pages of latest n through a covering index when each page has changed with a chance of its
// own: that share of the pages that the rows lie on. The standard deviation is what gives the standard error of a mean
// over so many users, whose newest rows share pages, which have changed for all of them or for none.
func (s Even) LatestFetched(n int64, changed float64, users int) Estimate {
	all := s.LatestArrivalPages(n)
	a := changed * all.SD
	shared := all.Mean + float64(float64(users-1)*s.latestTogether(n))
	return Estimate{changed * all.Mean, math.Sqrt(float64(a*a) + float64(changed*(1-changed)*shared))}
}

// latestTogether is on how many pages both of two users have rows of their newest n: with r rows of a user on a page and
// the page x pages from the end, that is r Poisson(r x; fewer than n) for each, summed over the pages.
func (s Even) latestTogether(n int64) float64 {
	const steps = 2000
	rows := s.mean(1)
	sum := 0.0
	for i := range steps {
		among := fewer(rows*(float64(i)+.5)/steps, n)
		sum += float64(among * among)
	}
	perPage := rows * float64(s.PerPage) / float64(s.Rows+s.Others)
	return perPage * rows * sum / steps
}

// LatestFetchedEnd is the same when the newest share of the pages has changed: a page a row of those that are so new,
// but for the rows that share theirs.
func (s Even) LatestFetchedEnd(n int64, share float64) Estimate {
	q := Shared(s.p(), s.PerPage)
	return s.over(share, func(k int64) (float64, float64) {
		rows := float64(min(n, k))
		pairs := max(0, rows-1)
		return rows - float64(pairs*q), float64(pairs * float64(q*(1-q)))
	})
}

// LatestCoveringPages is the index pages of latest n through a covering index with so many copies of rows a leaf: the
// levels, a further leaf for each boundary crossed, and the visibility map's pages, mapped heap pages to each: one, or
// one more where some of the n rows are newer than a boundary of the map's pages and some older.
func (s Even) LatestCoveringPages(n, perLeaf, mapped int64) Estimate {
	rows := s.Rows + s.Others
	levels := 1.0
	if leaves := (rows + perLeaf - 1) / perLeaf; leaves > 1 {
		levels += float64(Height(leaves, s.Fanout))
	}
	further := Estimate{}
	heap := (rows + s.PerPage - 1) / s.PerPage
	for page := mapped; page < heap; page += mapped {
		newer := s.mean(1 - float64(page)/float64(heap))
		both := fewer(newer, n) - fewer(newer, 1)
		further = further.Plus(Estimate{both, math.Sqrt(max(0, float64(both*(1-both))))})
	}
	return further.Plus(s.over(1, func(k int64) (float64, float64) {
		m, v := crossings(min(n, k)-1, perLeaf)
		if k > 0 {
			m++
		}
		return levels + m, v
	}))
}
