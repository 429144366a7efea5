package workload

import (
	"cmp"
	"fmt"
	"slices"
)

// Census is what one pass over a workload leaves behind.
type Census struct {
	Rows     int64
	Bytes    int64 // sum of the rows' sizes
	Entities int   // entity numbers are below it
	Keys     int64 // entities that have at least one row
	RowBytes int   // size of every row; 0 where sizes vary
	Largest  Extent
	Asked    []Entity // in the order asked
}

// Extent is the size of one entity's rows.
type Extent struct {
	Entity      int
	Rows, Bytes int64
}

// Entity is all rows of one entity in time order, and where they stand among everybody's.
type Entity struct {
	ID          int
	Before      int64   // rows of entities with smaller numbers
	BytesBefore int64   // their bytes
	KeysBefore  int64   // how many of these entities have a row
	Time        []int64 // ascending, microseconds; of two rows with one time the later arrival comes last
	Position    []int64 // each row's position in arrival order
	Size        []int32 // each row's bytes; nil where all are RowBytes
	RowBytes    int     // size of every row; 0 where sizes vary
	Older       int64   // rows that Newest left out: older than those here
	oldest      int64   // time of the oldest of them
	bytes       []int64 // bytes[i] is the sum of Size[:i]; nil where all rows have one size
}

// Oldest is the time of the entity's oldest row, left out or not. There must be one.
func (e *Entity) Oldest() int64 {
	if e.Older > 0 {
		return e.oldest
	}
	return e.Time[0]
}

// Rows is how many rows of the entity are here.
func (e *Entity) Rows() int { return len(e.Time) }

// Bytes is the size of rows [i, j) in time order.
func (e *Entity) Bytes(i, j int) int64 {
	if e.Size == nil {
		return int64(j-i) * int64(e.RowBytes)
	}
	return e.bytes[j] - e.bytes[i]
}

// RowSize is the size of row i in bytes.
func (e *Entity) RowSize(i int) int {
	if e.Size == nil {
		return e.RowBytes
	}
	return int(e.Size[i])
}

// Search returns the index of the entity's first row with a time of at least t.
func (e *Entity) Search(t int64) int {
	n, _ := slices.BinarySearch(e.Time, t)
	return n
}

// Until is the entity as it was at time t: its rows older than t. The numbers about others stay as they are.
func (e *Entity) Until(t int64) Entity {
	n := e.Search(t)
	cut := *e
	cut.Time, cut.Position = e.Time[:n], e.Position[:n]
	if e.Size != nil {
		cut.Size, cut.bytes = e.Size[:n], e.bytes[:n+1]
	}
	return cut
}

// Count takes the census of w: the sizes of all, and the rows of the asked entities, which must be distinct.
func Count(w Workload, asked []int) (*Census, error) {
	if c, ok := w.(interface {
		Census(asked []int) (*Census, error)
	}); ok {
		return c.Census(asked)
	}
	t, err := newTally(w.Entities(), w.RowBytes(), asked)
	if err != nil {
		return nil, err
	}
	err = w.Scan(func(b *Batch) error {
		for i, e := range b.Entity {
			t.rows[e]++
			if b.Size != nil {
				t.bytes[e] += int64(b.Size[i])
			}
			if t.slot[e] < 0 {
				continue
			}
			of := &t.kept[t.slot[e]]
			of.Time, of.Position = append(of.Time, b.Time[i]), append(of.Position, b.First+int64(i))
			if b.Size != nil {
				of.Size = append(of.Size, b.Size[i])
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t.census(), nil
}

// tally counts everybody's rows and keeps those of the asked entities.
type tally struct {
	rowBytes int
	slot     []int32  // entity -> index in kept, or -1
	rows     []int64  // an entity
	bytes    []int64  // an entity; nil where every row has rowBytes
	kept     []Entity // rows of the asked entities, in arrival order
}

func newTally(entities, rowBytes int, asked []int) (*tally, error) {
	t := &tally{rowBytes: rowBytes, slot: make([]int32, entities), rows: make([]int64, entities), kept: make([]Entity, len(asked))}
	if rowBytes == 0 {
		t.bytes = make([]int64, entities)
	}
	for i := range t.slot {
		t.slot[i] = -1
	}
	for i, e := range asked {
		if e < 0 || e >= entities {
			return nil, fmt.Errorf("asked for entity %d: the workload has entities 0 to %d", e, entities-1)
		}
		if t.slot[e] >= 0 {
			return nil, fmt.Errorf("asked for entity %d twice", e)
		}
		t.slot[e] = int32(i)
		t.kept[i] = Entity{ID: e, RowBytes: rowBytes}
		if rowBytes == 0 {
			t.kept[i].Size = []int32{}
		}
	}
	return t, nil
}

func (t *tally) census() *Census {
	c := &Census{Entities: len(t.rows), RowBytes: t.rowBytes, Asked: t.kept}
	for e, n := range t.rows {
		bytes := n * int64(t.rowBytes)
		if t.bytes != nil {
			bytes = t.bytes[e]
		}
		if s := t.slot[e]; s >= 0 {
			k := &t.kept[s]
			k.Before, k.BytesBefore, k.KeysBefore = c.Rows, c.Bytes, c.Keys
			k.sort()
		}
		if n > c.Largest.Rows {
			c.Largest = Extent{Entity: e, Rows: n, Bytes: bytes}
		}
		c.Rows += n
		c.Bytes += bytes
		if n > 0 {
			c.Keys++
		}
	}
	return c
}

// sort puts rows that are in arrival order into time order and sums up their sizes.
func (e *Entity) sort() {
	e.order()
	if e.Size != nil {
		e.bytes = make([]int64, len(e.Size)+1)
		for i, size := range e.Size {
			e.bytes[i+1] = e.bytes[i] + int64(size)
		}
	}
}

// order puts rows that are in arrival order into time order; the order of equal times is kept.
func (e *Entity) order() {
	if !slices.IsSorted(e.Time) {
		order := make([]int, len(e.Time))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(e.Time[a], e.Time[b]) })
		permute(e.Time, order)
		permute(e.Position, order)
		if e.Size != nil {
			permute(e.Size, order)
		}
	}
}

func permute[T any](column []T, order []int) {
	old := slices.Clone(column)
	for i, from := range order {
		column[i] = old[from]
	}
}
