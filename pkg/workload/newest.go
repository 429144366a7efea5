package workload

import "fmt"

// Newest takes a census that keeps no more than the n newest rows of each asked entity: Entity.Older is how many rows
// were left out. Memory grows with entities, and not with rows.
func Newest(w Workload, asked []int, n int) (*Census, error) {
	if n < 1 {
		return nil, fmt.Errorf("the newest %d rows: want at least 1", n)
	}
	t, err := newTally(w.Entities(), w.RowBytes(), asked)
	if err != nil {
		return nil, err
	}
	room := n + max(n/2, 8)
	err = w.Scan(func(b *Batch) error {
		for i, e := range b.Entity {
			t.rows[e]++
			if b.Size != nil {
				t.bytes[e] += int64(b.Size[i])
			}
			if t.slot[e] < 0 {
				continue
			}
			of, at := &t.kept[t.slot[e]], b.Time[i]
			if of.Older > 0 && at < of.Time[0] { // a cut left the newest, the oldest of them first
				of.oldest = min(of.oldest, at)
				of.Older++
				continue
			}
			if len(of.Time) == room {
				of.cut(n)
			}
			of.Time, of.Position = append(of.Time, at), append(of.Position, b.First+int64(i))
			if b.Size != nil {
				of.Size = append(of.Size, b.Size[i])
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range t.kept {
		if len(t.kept[i].Time) > n {
			t.kept[i].cut(n)
		}
	}
	return t.census(), nil
}

// cut leaves the n newest rows, of those in arrival order behind what an earlier cut left.
func (e *Entity) cut(n int) {
	e.order()
	drop := len(e.Time) - n
	if e.Older == 0 || e.Time[0] < e.oldest {
		e.oldest = e.Time[0]
	}
	e.Older += int64(drop)
	e.Time, e.Position = keepLast(e.Time, n), keepLast(e.Position, n)
	if e.Size != nil {
		e.Size = keepLast(e.Size, n)
	}
}

func keepLast[T any](column []T, n int) []T {
	copy(column, column[len(column)-n:])
	return column[:n]
}
