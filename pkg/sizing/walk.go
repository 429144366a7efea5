package sizing

import (
	"fmt"
	"slices"

	"pagetouch/pkg/bucket"
)

// Walk is one read of the latest n rows: bucket by bucket from that of "now" back to that of the floor, until there
// are enough rows. A bucket is read whole.
type Walk struct {
	Read  int64 `json:"partitions_read"`  // empty ones included
	Empty int64 `json:"empty_partitions"` // with a directory of the buckets that have rows, Read - Empty are left
	Rows  int64 `json:"rows"`             // found, at most n
}

// LatestWalk reads the latest n rows of one entity whose rows have these times, in any order. It starts in the bucket
// of now, so rows of later buckets are not seen, and ends in the bucket of floor.
func LatestWalk(times []int64, width bucket.Width, now, floor int64, n int) (Walk, error) {
	if n < 0 || now < floor || now > farthest || floor < -farthest {
		return Walk{}, fmt.Errorf("reading the latest %d rows from time %d back to %d µs: want a count, a start not older than the end, both within 73,000 years of 1970", n, now, floor)
	}
	sorted := slices.Sorted(slices.Values(times))
	cursor := bucket.Cursor{Width: width}
	var entries []entry
	for _, t := range sorted {
		k := cursor.Index(t)
		if m := len(entries); m > 0 && entries[m-1].bucket == k {
			entries[m-1].rows++
		} else {
			entries = append(entries, entry{bucket: k, rows: 1})
		}
	}
	return read(entries, width.Index(now), width.Index(floor), int64(n)), nil
}

// read walks the buckets of one entity, given in time order without the empty ones; those it only counts.
func read(entries []entry, now, floor, n int64) Walk {
	var w Walk
	if n == 0 || now < floor {
		return w
	}
	var full int64
	for i := len(entries) - 1; i >= 0 && entries[i].bucket >= floor; i-- {
		e := entries[i]
		if e.bucket > now {
			continue
		}
		full++
		if w.Rows += e.rows; w.Rows >= n {
			return Walk{Read: now - e.bucket + 1, Empty: now - e.bucket + 1 - full, Rows: n}
		}
	}
	w.Read = now - floor + 1
	w.Empty = w.Read - full
	return w
}
