package workload

// Slice is a workload held in memory as columns: the one that tests write by hand and small traces fit into.
type Slice struct {
	Entity []int32
	Time   []int64 // microseconds
	Size   []int32 // bytes; nil where every row has Bytes
	Bytes  int     // size of every row where Size is nil
	Number int     // entities; 0: one more than the largest in Entity
}

// Rows implements Workload.
func (s *Slice) Rows() int64 { return int64(len(s.Entity)) }

// RowBytes implements Workload.
func (s *Slice) RowBytes() int {
	if s.Size != nil {
		return 0
	}
	return s.Bytes
}

// Entities implements Workload.
func (s *Slice) Entities() int {
	n := int32(s.Number)
	for _, e := range s.Entity {
		n = max(n, e+1)
	}
	return int(n)
}

// Scan implements Workload: all rows are one batch.
func (s *Slice) Scan(yield func(*Batch) error) error {
	if len(s.Entity) == 0 {
		return nil
	}
	return yield(&Batch{Entity: s.Entity, Time: s.Time, Size: s.Size})
}
