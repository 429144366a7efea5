package layout

import (
	"cmp"
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
	rank        []int32      // of each slice, by token
	tokens      []ring.Token // by rank: ascending
	rowsBefore  []int64      // by rank
	bytesBefore []int64      // the same; nil where every row has one size
	stretch     []int32      // the first rank of each stretch of the ring; a stretch is the tokens of equal top bits
	shift       int          // how many bits are below them
}

// Cuts remembers one workload cut into buckets of the widths that were asked for.
type Cuts struct {
	mu   sync.Mutex
	cuts map[bucket.Width]func() (*timeSlices, error)
}

// Ahead cuts a workload before a layout is placed that asks for it, so that it can be done beside other work.
func (c *Cuts) Ahead(w workload.Workload, width bucket.Width) error {
	_, err := c.of(w, width)
	return err
}

func (c *Cuts) of(w workload.Workload, width bucket.Width) (*timeSlices, error) {
	c.mu.Lock()
	cut, ok := c.cuts[width]
	if !ok {
		cut = sync.OnceValues(func() (*timeSlices, error) { return newPartitions(w, width) })
		if c.cuts == nil {
			c.cuts = map[bucket.Width]func() (*timeSlices, error){}
		}
		c.cuts[width] = cut
	}
	c.mu.Unlock()
	return cut()
}

// timeSlices cuts the input's workload into buckets, whose partitions stand in token order.
func (in *Input) timeSlices(width bucket.Width) (*timeSlices, error) {
	if in.Cuts == nil {
		return newPartitions(in.Workload, width)
	}
	return in.Cuts.of(in.Workload, width)
}

// newPartitions cuts a workload into slices of one width and puts them into token order.
func newPartitions(w workload.Workload, width bucket.Width) (*timeSlices, error) {
	t, err := newTimeSlices(w, width)
	if err == nil {
		t.byToken()
	}
	return t, err
}

// newTimeSlices cuts a workload into slices of one width.
func newTimeSlices(w workload.Workload, width bucket.Width) (*timeSlices, error) {
	if t := countSlices(w, width); t != nil {
		return t, nil
	}
	cursor := bucket.Cursor{Width: width}
	return newSlices(w, 1, func(_ int32, time, _ int64) int64 { return cursor.Index(time) })
}

// countSlices is newTimeSlices for generated posts in time order and few buckets: each bucket is a stretch of the
// arrivals, and its rows are counted without a time for each. It is nil where that does not fit.
func countSlices(w workload.Workload, width bucket.Width) *timeSlices {
	p, ok := w.(*workload.Posts)
	if !ok || width.Touched(p.From, p.To) > 64 {
		return nil
	}
	first := width.Index(p.From)
	bounds := []int64{p.From}
	for k := first + 1; k <= width.Index(p.To-1); k++ {
		bounds = append(bounds, width.Start(k))
	}
	spans := make([][]int32, 0, len(bounds))
	if !p.Counts(append(bounds, p.To), func(_ int, rows []int32) { spans = append(spans, slices.Clone(rows)) }) {
		return nil
	}
	t := &timeSlices{first: make([]int32, p.Entities()+1)}
	n := 0
	for _, rows := range spans {
		for e, r := range rows {
			if r > 0 {
				t.first[e+1]++
				n++
			}
			if int64(r) > t.largest.Rows || int64(r) == t.largest.Rows && e < t.largest.Entity {
				t.largest = workload.Extent{Entity: e, Rows: int64(r), Bytes: int64(r) * int64(p.Bytes)}
			}
		}
	}
	t.bucket, t.rows = make([]int64, 0, n), make([]int32, 0, n)
	for e := range t.first[1:] {
		t.first[e+1] += t.first[e]
		for span, rows := range spans {
			if rows[e] > 0 {
				t.bucket, t.rows = append(t.bucket, first+int64(span)), append(t.rows, rows[e])
			}
		}
	}
	return t
}

// newSlices cuts each entity's rows into slices by a number that it asks for row by row, in arrival order. Rows of one
// entity mostly come slice by slice, or go around so many slices at a time: so many are open for each entity, by the
// remainder of their number. A row of another one closes the slice in its place, and slices that were closed more than
// once are merged.
func newSlices(w workload.Workload, at int, number func(entity int32, time, position int64) int64) (*timeSlices, error) {
	type slice struct {
		bucket       int64
		entity, rows int32
	}
	const chunk = 1 << 15
	var (
		open   = make([]slice, w.Entities()*at)
		closed [][]slice // in chunks: a slice that grows would be copied again and again
		weigh  = w.RowBytes() == 0
		weight []int64   // of the open slices, in bytes
		sealed [][]int64 // of the closed ones
		n      = 0
	)
	if weigh {
		weight = make([]int64, len(open))
	}
	seal := func(s int) {
		if n%chunk == 0 {
			closed = append(closed, make([]slice, 0, chunk))
			if weigh {
				sealed = append(sealed, make([]int64, 0, chunk))
			}
		}
		last := len(closed) - 1
		closed[last] = append(closed[last], open[s])
		if weigh {
			sealed[last] = append(sealed[last], weight[s])
			weight[s] = 0
		}
		n++
	}
	err := w.Scan(func(b *workload.Batch) error {
		for i, e := range b.Entity {
			k := number(e, b.Time[i], b.First+int64(i))
			place := int(e)
			if at > 1 {
				place = place*at + int(uint64(k)%uint64(at))
			}
			s := &open[place]
			if s.bucket != k || s.rows == 0 {
				if s.rows > 0 {
					seal(place)
				}
				*s = slice{bucket: k, entity: e}
			}
			s.rows++
			if weigh {
				weight[place] += int64(b.Size[i])
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for s := range open {
		if open[s].rows > 0 {
			seal(s)
		}
	}

	// A counting sort by entity keeps the order of closing, which is nearly that of the numbers.
	t := &timeSlices{first: make([]int32, w.Entities()+1), bucket: make([]int64, n), rows: make([]int32, n)}
	if weigh {
		t.bytes = make([]int64, n)
	}
	for _, c := range closed {
		for _, s := range c {
			t.first[s.entity+1]++
		}
	}
	for e := range t.first[1:] {
		t.first[e+1] += t.first[e]
	}
	next := slices.Clone(t.first)
	for c, part := range closed {
		for i, s := range part {
			j := next[s.entity]
			next[s.entity]++
			t.bucket[j], t.rows[j] = s.bucket, s.rows
			if weigh {
				t.bytes[j] = sealed[c][i]
			}
		}
	}
	t.merge(int64(w.RowBytes()))
	return t, nil
}

// merge puts each entity's slices in order and makes one of those with one number.
func (t *timeSlices) merge(rowBytes int64) {
	end := int32(0)
	for e := range t.first[1:] {
		lo, hi := t.first[e], t.first[e+1]
		t.first[e] = end
		t.order(lo, hi)
		for i := lo; i < hi; {
			k, rows, bytes := t.bucket[i], int32(0), int64(0)
			for ; i < hi && t.bucket[i] == k; i++ {
				rows += t.rows[i]
				if t.bytes != nil {
					bytes += t.bytes[i]
				}
			}
			t.bucket[end], t.rows[end] = k, rows
			if t.bytes != nil {
				t.bytes[end] = bytes
			} else {
				bytes = int64(rows) * rowBytes
			}
			if int64(rows) > t.largest.Rows {
				t.largest = workload.Extent{Entity: e, Rows: int64(rows), Bytes: bytes}
			}
			end++
		}
	}
	t.first[len(t.first)-1] = end
	t.bucket, t.rows = slices.Clip(t.bucket[:end]), slices.Clip(t.rows[:end])
	if t.bytes != nil {
		t.bytes = slices.Clip(t.bytes[:end])
	}
}

// order sorts slices [lo, hi) by their number.
func (t *timeSlices) order(lo, hi int32) {
	if slices.IsSorted(t.bucket[lo:hi]) {
		return
	}
	type slice struct {
		bucket, bytes int64
		rows          int32
	}
	mine := make([]slice, hi-lo)
	for i := range mine {
		mine[i] = slice{bucket: t.bucket[lo+int32(i)], rows: t.rows[lo+int32(i)]}
		if t.bytes != nil {
			mine[i].bytes = t.bytes[lo+int32(i)]
		}
	}
	slices.SortFunc(mine, func(a, b slice) int { return cmp.Compare(a.bucket, b.bucket) })
	for i, s := range mine {
		t.bucket[lo+int32(i)], t.rows[lo+int32(i)] = s.bucket, s.rows
		if t.bytes != nil {
			t.bytes[lo+int32(i)] = s.bytes
		}
	}
}

// find returns the index of an entity's slice, and where there is none, the index of its next later one.
func (t *timeSlices) find(entity int, k int64) (i int32, ok bool) {
	lo, hi := t.first[entity], t.first[entity+1]
	n, ok := slices.BinarySearch(t.bucket[lo:hi], k)
	return lo + int32(n), ok
}

// byToken puts the slices' partitions into token order and sums up what stands before each. Tokens are hashes, so they
// spread evenly over the ring: dealt to arcs of it, the partitions of one arc fit into the processor's cache, and dealt
// again to stretches, hardly any are left to be compared.
func (t *timeSlices) byToken() {
	n := len(t.bucket)
	t.shift = 64 - max(arcBits, bits.Len(uint(n/2)))
	tokens, first := make([]ring.Token, n), [1<<arcBits + 1]int32{}
	for e := range t.first[1:] {
		for i := t.first[e]; i < t.first[e+1]; i++ {
			key := ring.BucketKey(int32(e), t.bucket[i])
			tokens[i] = ring.TokenOf(key[:])
			first[along(tokens[i])>>(64-arcBits)+1]++
		}
	}
	for arc := range first[1:] {
		first[arc+1] += first[arc]
	}
	parts, next := make([]part, n), first
	for i, token := range tokens {
		arc := along(token) >> (64 - arcBits)
		parts[next[arc]] = part{token: token, slice: int32(i), rows: t.rows[i]}
		next[arc]++
	}

	t.tokens, t.rank, t.rowsBefore = tokens, make([]int32, n), make([]int64, n)
	if t.bytes != nil {
		t.bytesBefore = make([]int64, n)
	}
	t.stretch = make([]int32, 1, 1<<(64-t.shift)+1)
	var rows, bytes int64
	var order arcOrder
	for arc := range first[1:] {
		for i, p := range order.sort(parts[first[arc]:first[arc+1]], t.shift) {
			rank := first[arc] + int32(i)
			tokens[rank], t.rank[p.slice], t.rowsBefore[rank] = p.token, rank, rows
			rows += int64(p.rows)
			if t.bytes != nil {
				t.bytesBefore[rank] = bytes
				bytes += t.bytes[p.slice]
			}
		}
		for _, end := range order.first[1:] {
			t.stretch = append(t.stretch, first[arc]+end)
		}
	}
}

// before is the rows, and where sizes vary the bytes, that stand before slice s in the file.
func (t *timeSlices) before(s int32) (rows, bytes int64) {
	rank := t.rank[s]
	if t.bytesBefore != nil {
		bytes = t.bytesBefore[rank]
	}
	return t.rowsBefore[rank], bytes
}

// arcBits is how many of a token's top bits tell the arcs of the ring apart; more tell the stretches of an arc apart.
const arcBits = 8

// part is a slice's partition on its way into token order.
type part struct {
	token       ring.Token
	slice, rows int32
}

// arcOrder sorts the partitions of one arc after another.
type arcOrder struct {
	sorted      []part
	first, next []int32 // of each stretch, in sorted
}

// sort is valid until the next call.
func (o *arcOrder) sort(arc []part, shift int) []part {
	stretches := 1 << (64 - arcBits - shift)
	o.sorted = slices.Grow(o.sorted[:0], len(arc))[:len(arc)]
	o.first = slices.Grow(o.first[:0], stretches+1)[:stretches+1]
	clear(o.first)
	for _, p := range arc {
		o.first[along(p.token)>>shift&uint64(stretches-1)+1]++
	}
	for s := range o.first[1:] {
		o.first[s+1] += o.first[s]
	}
	o.next = append(o.next[:0], o.first...)
	for _, p := range arc { // an insertion sort: a stretch holds a few
		s := along(p.token) >> shift & uint64(stretches-1)
		at := o.next[s]
		o.next[s]++
		for ; at > o.first[s] && o.sorted[at-1].token > p.token; at-- {
			o.sorted[at] = o.sorted[at-1]
		}
		o.sorted[at] = p
	}
	return o.sorted
}

// along is how far along the ring a token is, from the smallest.
func along(token ring.Token) uint64 { return uint64(token) ^ 1<<63 }

// rankOf is how many partitions have a smaller token.
func (t *timeSlices) rankOf(token ring.Token) int64 {
	s := along(token) >> t.shift
	lo := t.stretch[s]
	n, _ := slices.BinarySearch(t.tokens[lo:t.stretch[s+1]], token)
	return int64(lo) + int64(n)
}
