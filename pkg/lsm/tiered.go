package lsm

import "slices"

// SizeTiered merges tables of like size when there are enough of them, as Cassandra's SizeTieredCompactionStrategy does:
// sorted by size, a table joins the tier before it when it has 0.5 to 1.5 times the tier's mean size.
type SizeTiered struct {
	Threshold int // tables of a tier that are merged; less than 2: Cassandra's 4
}

// The most tables that one merge takes: Cassandra's max_threshold.
const mostAtOnce = 32

// Next is the tier of the smallest tables that has enough of them.
func (s SizeTiered) Next(tables []*Table) (Merge, bool) {
	enough := s.Threshold
	if enough < 2 {
		enough = 4
	}
	sorted := slices.SortedFunc(slices.Values(tables), byBytes)
	for from := 0; from < len(sorted); {
		to, sum := from, int64(0)
		for to < len(sorted) {
			size, n := sorted[to].Bytes, int64(to-from)
			if n > 0 && (2*n*size < sum || 2*n*size > 3*sum) {
				break
			}
			sum += size
			to++
		}
		if to-from >= enough {
			return Merge{Inputs: sorted[from:min(to, from+mostAtOnce)]}, true
		}
		from = to
	}
	return Merge{}, false
}
