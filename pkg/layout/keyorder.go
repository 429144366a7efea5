package layout

import (
	"cmp"
	"errors"
	"slices"

	"pagetouch/pkg/workload"
)

// keyOrder is where the first rows of a workload stand once they are sorted by (entity, time, arrival). Where each
// entity's rows arrived in time order, nothing is kept but how many rows each entity has.
type keyOrder struct {
	w      workload.Workload
	rows   int64
	before []int64 // rows of entities with smaller numbers
	place  []int32 // of each entity's arrivals, how many of its rows are older; nil: as many as arrived before
}

func newKeyOrder(w workload.Workload, rows int64) (*keyOrder, error) {
	k := &keyOrder{w: w, rows: rows, before: make([]int64, w.Entities()+1)}
	last, late := make([]int64, w.Entities()), false
	err := k.scan(func(b *workload.Batch, n int) {
		for i, e := range b.Entity[:n] {
			late = late || k.before[e+1] > 0 && b.Time[i] < last[e]
			last[e] = b.Time[i]
			k.before[e+1]++
		}
	})
	for e := range last {
		k.before[e+1] += k.before[e]
	}
	if err != nil || !late {
		return k, err
	}
	times, next := make([]int64, rows), slices.Clone(k.before)
	err = k.scan(func(b *workload.Batch, n int) {
		for i, e := range b.Entity[:n] {
			times[next[e]] = b.Time[i]
			next[e]++
		}
	})
	k.place = make([]int32, rows)
	var order []int32
	for e := range last {
		mine := times[k.before[e]:k.before[e+1]]
		order = order[:0]
		for i := range mine {
			order = append(order, int32(i))
		}
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(mine[a], mine[b]) })
		for older, arrival := range order {
			k.place[k.before[e]+int64(arrival)] = int32(older)
		}
	}
	return k, err
}

var errEnough = errors.New("the rows asked for are read")

// scan yields batches and how many of their rows are among the first.
func (k *keyOrder) scan(yield func(b *workload.Batch, n int)) error {
	if k.rows == 0 {
		return nil
	}
	err := k.w.Scan(func(b *workload.Batch) error {
		n := min(int64(len(b.Entity)), k.rows-b.First)
		yield(b, int(n))
		if b.First+n == k.rows {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// each yields, in arrival order, each row's place in key order and its size in bytes.
func (k *keyOrder) each(yield func(rank int64, size int)) error {
	next, size := slices.Clone(k.before), k.w.RowBytes()
	return k.scan(func(b *workload.Batch, n int) {
		for i, e := range b.Entity[:n] {
			rank := next[e]
			next[e]++
			if k.place != nil {
				rank = k.before[e] + int64(k.place[rank])
			}
			if b.Size != nil {
				size = int(b.Size[i])
			}
			yield(rank, size)
		}
	})
}

// sizes is the rows' sizes in key order; nil where every row has one size.
func (k *keyOrder) sizes() ([]int32, error) {
	if k.w.RowBytes() > 0 {
		return nil, nil
	}
	sizes := make([]int32, k.rows)
	return sizes, k.each(func(rank int64, size int) { sizes[rank] = int32(size) })
}
