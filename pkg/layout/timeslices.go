package layout

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"

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

// Cuts remembers one workload cut into buckets of the widths that were asked for.
type Cuts struct {
	mu   sync.Mutex
	cuts map[bucket.Width]func() (*timeSlices, error)
}

// timeSlices cuts the input's workload into buckets.
func (in *Input) timeSlices(width bucket.Width) (*timeSlices, error) {
	c := in.Cuts
	if c == nil {
		return newTimeSlices(in.Workload, width)
	}
	c.mu.Lock()
	cut, ok := c.cuts[width]
	if !ok {
		cut = sync.OnceValues(func() (*timeSlices, error) { return newTimeSlices(in.Workload, width) })
		if c.cuts == nil {
			c.cuts = map[bucket.Width]func() (*timeSlices, error){}
		}
		c.cuts[width] = cut
	}
	c.mu.Unlock()
	return cut()
}

// newTimeSlices cuts a workload into slices of one width. Rows of one entity come nearly in time order, so each
// entity has one open slice; a row of another bucket closes it, and slices that were closed more than once are merged.
func newTimeSlices(w workload.Workload, width bucket.Width) (*timeSlices, error) {
	type slice struct {
		bucket int64
		bytes  int64
		entity int32
		rows   int32
	}
	type opened struct { // small, because every row comes to its entity's
		bucket int32 // less base
		rows   int32
	}
	open := make([]opened, w.Entities())
	var bytes []int64
	if w.RowBytes() == 0 {
		bytes = make([]int64, len(open))
	}
	closed := make([]slice, 0, 2*len(open))
	base, first := int64(0), true
	shut := func(e int32) {
		s := slice{bucket: base + int64(open[e].bucket), bytes: int64(open[e].rows) * int64(w.RowBytes()), entity: e, rows: open[e].rows}
		if bytes != nil {
			s.bytes, bytes[e] = bytes[e], 0
		}
		closed = append(closed, s)
	}
	cursor := bucket.Cursor{Width: width}
	err := w.Scan(func(b *workload.Batch) error {
		for i, e := range b.Entity {
			k := cursor.Index(b.Time[i])
			if first {
				base, first = k, false
			}
			if int64(int32(k-base)) != k-base {
				return fmt.Errorf("entity %d: a row's %s lies more than %d after or before the first row's", e, width, math.MaxInt32)
			}
			at := int32(k - base)
			if open[e].bucket != at || open[e].rows == 0 {
				if open[e].rows > 0 {
					shut(e)
				}
				open[e] = opened{bucket: at}
			}
			open[e].rows++
			if bytes != nil {
				bytes[e] += int64(b.Size[i])
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for e := range open {
		if open[e].rows > 0 {
			shut(int32(e))
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
		if byBucket := func(a, b slice) int { return cmp.Compare(a.bucket, b.bucket) }; !slices.IsSortedFunc(mine, byBucket) {
			slices.SortFunc(mine, byBucket)
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
	t.byToken()
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
	order := make([]tokenOf, 0, len(t.bucket))
	for e := range t.first[1:] {
		for i := t.first[e]; i < t.first[e+1]; i++ {
			key := ring.BucketKey(int32(e), t.bucket[i])
			order = append(order, tokenOf{ring.TokenOf(key[:]), i})
		}
	}
	sortByToken(order)
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

// tokenOf is the token of a slice's partition key.
type tokenOf struct {
	token ring.Token
	slice int32
}

// sortByToken sorts by token. Tokens are hashes, spread evenly over all numbers: dealt by their leading bits into as many
// bins as there are tokens, hardly any bin gets more than a few.
func sortByToken(order []tokenOf) {
	width := min(20, bits.Len(uint(len(order))))
	if width < 4 {
		width = 4
	}
	bin := func(t ring.Token) int { return int((uint64(t) ^ 1<<63) >> (64 - width)) }
	ends := make([]int32, 1<<width+1)
	for _, o := range order {
		ends[bin(o.token)+1]++
	}
	for i := range ends[1:] {
		ends[i+1] += ends[i]
	}
	dealt := make([]tokenOf, len(order))
	for _, o := range order {
		b := bin(o.token)
		dealt[ends[b]] = o
		ends[b]++
	}
	// What is left is at most a few places away from where it belongs.
	for i := 1; i < len(dealt); i++ {
		o := dealt[i]
		j := i
		for ; j > 0 && dealt[j-1].token > o.token; j-- {
			dealt[j] = dealt[j-1]
		}
		dealt[j] = o
	}
	copy(order, dealt)
}

// rankOf is how many partitions have a smaller token.
func (t *timeSlices) rankOf(token ring.Token) int64 {
	rank, _ := slices.BinarySearch(t.tokens, token)
	return int64(rank)
}
