package sizing

import (
	"fmt"
	"math"
)

// Columns are the columns of a Cassandra table, each its size in bytes. From them its documentation (data modeling:
// refining) works out a partition:
//
//	Nv = Nr(Nc - Npk - Ns) + Ns                          values, that is, cells
//	St = sum(ck) + sum(cs) + Nr(sum(cr) + sum(cc)) + 8 Nv  bytes
//
// for Nr rows of Nc columns, Npk of them in the primary key and Ns static; ck are partition key columns, cs static,
// cr regular and cc clustering ones; 8 bytes a value are its timestamp.
type Columns struct {
	Key, Static, Regular, Clustering []int64
}

// Values is Nv of a partition of so many rows.
func (c Columns) Values(rows int64) (int64, error) {
	n, ok := mulDiv(rows, int64(len(c.Regular)), 1, true)
	if ok {
		n, ok = sumUp(n, int64(len(c.Static)))
	}
	if !ok {
		return 0, fmt.Errorf("values of %d rows of %d regular columns: want rows not below 0 and a result below 2^63", rows, len(c.Regular))
	}
	return n, nil
}

// Bytes is St of a partition of so many rows.
func (c Columns) Bytes(rows int64) (int64, error) {
	values, err := c.Values(rows)
	if err != nil {
		return 0, err
	}
	once, ok1 := sumUp(append(append([]int64(nil), c.Key...), c.Static...)...)
	each, ok2 := sumUp(append(append([]int64(nil), c.Regular...), c.Clustering...)...)
	all, ok3 := mulDiv(rows, each, 1, true)
	stamps, ok4 := mulDiv(values, 8, 1, true)
	total, ok5 := sumUp(once, all, stamps)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return 0, fmt.Errorf("bytes of a partition of %d rows: want column sizes not below 0 and a result below 2^63", rows)
	}
	return total, nil
}

// sumUp adds; not ok if a term is negative or the sum does not fit.
func sumUp(terms ...int64) (sum int64, ok bool) {
	for _, t := range terms {
		if t < 0 || sum > math.MaxInt64-t {
			return 0, false
		}
		sum += t
	}
	return sum, true
}
