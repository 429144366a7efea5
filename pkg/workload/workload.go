// Package workload is rows in the order in which they were written: who (an entity: a user, a device), when (a
// time) and how large (bytes). It generates the lesson's posts from a seed; readers of real traces yield the same
// batches. A Census is what one pass leaves for the layouts: how many rows there are, and every row of the entities
// that will be asked about. Everyone else's rows are only counted, so memory grows with what is asked.
//
// Times are microseconds since 1970-01-01T00:00:00Z. Entities are numbered from 0.
package workload

// Workload is rows in arrival order: a row's place in it is its position, from 0.
type Workload interface {
	Rows() int64
	Entities() int // entity numbers are below it; an entity may have no rows
	RowBytes() int // size of every row in bytes; 0 where sizes vary and Batch.Size holds them

	// Scan yields all rows, batch by batch. A batch is valid until yield returns; an error from yield ends the scan
	// and is returned.
	Scan(yield func(*Batch) error) error
}

// Batch is consecutive rows in arrival order, as columns of equal length.
type Batch struct {
	First  int64   // position of the batch's first row
	Entity []int32 //
	Time   []int64 // microseconds
	Size   []int32 // bytes; nil where every row has Workload.RowBytes
}
