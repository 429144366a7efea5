package lsm

import "pagetouch/pkg/bucket"

// TimeWindow keeps rows of one time together, as Cassandra's TimeWindowCompactionStrategy does: a table belongs to the
// window of its newest row; the current window's are merged by size, those of a window that has passed into one.
type TimeWindow struct {
	Width     bucket.Width
	Threshold int // as SizeTiered's
}

// Next looks at windows that have passed first, oldest first.
func (s TimeWindow) Next(tables []*Table) (Merge, bool) {
	windows := map[int64][]*Table{}
	var passed, current int64
	found := false
	for i, t := range tables {
		k := s.Width.Index(t.Newest)
		windows[k] = append(windows[k], t)
		if i == 0 || k > current {
			current = k
		}
	}
	for k, mine := range windows {
		if k < current && len(mine) > 1 && (!found || k < passed) {
			passed, found = k, true
		}
	}
	if found {
		return Merge{Inputs: windows[passed]}, true
	}
	return SizeTiered{s.Threshold}.Next(windows[current])
}
