package layout

import (
	"slices"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/ring"
	"pagetouch/pkg/workload"
)

// timeSlices is every (entity, bucket) of a workload that has rows, in that order, as columns. The slices of entity e are
// first[e] to first[e+1]-1.
type timeSlices struct {
	first   []int32
	bucket  []int64
	rows    []int32
	bytes   []int64 // nil where every row has one size
	largest workload.Extent

	// Set by byToken: where each slice's partition stands in a file of partitions in token order.
	rowsBefore  []int64
	bytesBefore []int64 // nil where every row has one size
	rank        []int32
	tokens      []ring.Token // ascending
}

// newTimeSlices cuts a workload into slices of one width. Rows of one entity come nearly in time order, so each
// entity has one open slice; a row of another bucket closes it, and slices that were closed more than once are merged.
func newTimeSlices(w workload.Workload, width bucket.Width) (*timeSlices, error) {
	type slice struct {
		bucket, bytes int64
		entity, rows  int32
	}
	open := make([]slice, w.Entities())
	closed := make([]slice, 0, len(open))
	cursor := bucket.Cursor{Width: width}
	size := int64(w.RowBytes())
	err := w.Scan(func(b *workload.Batch) error {
		for i, e := range b.Entity {
			k := cursor.Index(b.Time[i])
			if b.Size != nil {
				size = int64(b.Size[i])
			}
			s := &open[e]
			if s.bucket != k || s.rows == 0 {
				if s.rows > 0 {
					closed = append(closed, *s)
				}
				*s = slice{bucket: k, entity: e}
			}
			s.rows++
			s.bytes += size
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, s := range open {
		if s.rows > 0 {
			closed = append(closed, s)
		}
	}

	// A counting sort by entity keeps the order of closing, which is nearly that of time.
	t := &timeSlices{first: make([]int32, len(open)+1)}
	for _, s := range closed {
		t.first[s.entity+1]++
	}
	for e := range open {
		t.first[e+1] += t.first[e]
	}
	sorted := make([]slice, len(closed))
	at := slices.Clone(t.first)
	for _, s := range closed {
		sorted[at[s.entity]] = s
		at[s.entity]++
	}
	n := len(sorted)
	t.bucket, t.rows = make([]int64, 0, n), make([]int32, 0, n)
	if w.RowBytes() == 0 {
		t.bytes = make([]int64, 0, n)
	}
	for e := range open {
		mine := sorted[t.first[e]:t.first[e+1]]
		if !slices.IsSortedFunc(mine, func(a, b slice) int { return int(min(max(a.bucket-b.bucket, -1), 1)) }) {
			slices.SortFunc(mine, func(a, b slice) int { return int(min(max(a.bucket-b.bucket, -1), 1)) })
		}
		t.first[e] = int32(len(t.bucket))
		for i := 0; i < len(mine); {
			s := mine[i]
			for i++; i < len(mine) && mine[i].bucket == s.bucket; i++ {
				s.rows += mine[i].rows
				s.bytes += mine[i].bytes
			}
			t.bucket, t.rows = append(t.bucket, s.bucket), append(t.rows, s.rows)
			if t.bytes != nil {
				t.bytes = append(t.bytes, s.bytes)
			}
			if int64(s.rows) > t.largest.Rows {
				t.largest = workload.Extent{Entity: e, Rows: int64(s.rows), Bytes: s.bytes}
			}
		}
	}
	t.first[len(open)] = int32(len(t.bucket))
	return t, nil
}

// find returns the index of an entity's slice, and where there is none, the index of its next later one.
func (t *timeSlices) find(entity int, k int64) (i int32, ok bool) {
	lo, hi := t.first[entity], t.first[entity+1]
	n, ok := slices.BinarySearch(t.bucket[lo:hi], k)
	return lo + int32(n), ok
}

// byToken puts the slices' partitions into token order and sums up what stands before each.
func (t *timeSlices) byToken() {
	type place struct {
		token ring.Token
		slice int32
	}
	order := make([]place, 0, len(t.bucket))
	for e := range t.first[1:] {
		for i := t.first[e]; i < t.first[e+1]; i++ {
			key := ring.BucketKey(int32(e), t.bucket[i])
			order = append(order, place{ring.TokenOf(key[:]), i})
		}
	}
	slices.SortFunc(order, func(a, b place) int {
		if a.token < b.token {
			return -1
		}
		return 1
	})
	t.rowsBefore, t.rank = make([]int64, len(order)), make([]int32, len(order))
	if t.bytes != nil {
		t.bytesBefore = make([]int64, len(order))
	}
	t.tokens = make([]ring.Token, len(order))
	var rows, bytes int64
	for rank, p := range order {
		t.rowsBefore[p.slice], t.rank[p.slice] = rows, int32(rank)
		t.tokens[rank] = p.token
		rows += int64(t.rows[p.slice])
		if t.bytes != nil {
			t.bytesBefore[p.slice] = bytes
			bytes += t.bytes[p.slice]
		}
	}
}

// rankOf is how many partitions have a smaller token.
func (t *timeSlices) rankOf(token ring.Token) int64 {
	rank, _ := slices.BinarySearch(t.tokens, token)
	return int64(rank)
}
