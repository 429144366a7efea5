package layout

import (
	"math"
	"slices"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/page"
	"pagetouch/pkg/ring"
	"pagetouch/pkg/workload"
)

// The lesson's month buckets, read with and without a directory of the months that have rows.
var (
	MonthBuckets   = register(Bucketed(bucket.Month, false))
	MonthDirectory = register(Bucketed(bucket.Month, true))
)

// Bucketed is a partition for each entity and bucket of time, newest first, in one fully compacted file in token
// order. Latest starts at the bucket of "now" and steps back, an empty bucket costing a look into the index, until it
// has its rows or comes to the floor. With a directory, a small table of the buckets that have rows, clustered by
// (entity, bucket descending), it asks that first and no empty bucket after it.
func Bucketed(width bucket.Width, directory bool) Kind {
	k := Kind{Name: width.String() + "-buckets", Title: "Partition per " + width.String(), Cost: PerBucket}
	if directory {
		k.Name, k.Title = width.String()+"-directory", k.Title+" + directory"
	}
	k.Place = func(in *Input) (Layout, error) {
		if err := in.Validate(); err != nil {
			return nil, err
		}
		s, err := in.timeSlices(width)
		if err != nil {
			return nil, err
		}
		b := &bucketed{packed: newPacked(in), slices: s, width: width, in: in, now: in.Now, index: in.tree(int64(len(s.bucket)))}
		if directory {
			b.directory = b.newDirectory()
		}
		return b, nil
	}
	return k
}

type bucketed struct {
	packed
	slices    *timeSlices
	width     bucket.Width
	index     page.Tree // an entry a partition, in token order
	in        *Input
	now       int64      // when reads are made
	directory *directory // nil: none
}

func (l *bucketed) newDirectory() *directory {
	return newDirectory(l.in, l.slices, l.pages(l.in.Census.Rows, l.in.Census.Bytes), l.in.Entry)
}

// Listed is buckets of time as they were placed, with a directory beside them. Any other layout is returned as it is.
func Listed(l Layout) Layout {
	b, ok := l.(*bucketed)
	if !ok || b.directory != nil {
		return l
	}
	listed := *b
	listed.directory = b.newDirectory()
	return &listed
}

// Where counts the newer rows of the row's bucket.
func (l *bucketed) Where(e *workload.Entity, i int) page.Span {
	k := l.width.Index(e.Time[i])
	s, _ := l.slices.find(e.ID, k)
	run := bucketRun{l, s, l.end(e, i, k)}
	return run.Where(e, i)
}

// bucketRun is one bucket's rows, which end before hi: slice s. A read uses one for all its buckets, by its address,
// because every bucketRun that becomes a place is memory of its own.
type bucketRun struct {
	*bucketed
	slice int32
	hi    int
}

func (r *bucketRun) Where(e *workload.Entity, i int) page.Span {
	rows, bytes := r.slices.before(r.slice)
	return r.span(e, i, rows+int64(r.hi-1-i), bytes+e.Bytes(i+1, r.hi))
}

// end is the index of the first row after bucket k, known not to be before i.
func (l *bucketed) end(e *workload.Entity, i int, k int64) int {
	if l.width == bucket.Forever {
		return e.Rows()
	}
	n, _ := slices.BinarySearch(e.Time[i:], l.width.Start(k+1))
	return i + n
}

// Latest steps back from now.
func (l *bucketed) Latest(t *Trail, e *workload.Entity, n int) {
	newest, oldest := l.in.steps(l.width, e, l.now)
	hi := l.end(e, 0, newest)
	if l.directory != nil {
		l.listed(t, e, oldest, newest, n)
	}
	run := &bucketRun{bucketed: l}
	for k := newest; n > 0 && k >= oldest; k-- {
		if l.directory != nil {
			if hi == 0 {
				break
			}
			if k = l.width.Index(e.Time[hi-1]); k < oldest {
				break
			}
		}
		lo := l.begin(e, hi, k)
		run.slice, run.hi = l.probe(t, e, k, lo == hi), hi
		t.newest(run, e, lo, hi, n)
		n -= hi - lo
		hi = lo
	}
}

// steps is the bucket at which latest n begins, read at the time now, and the last that it may step back to.
func (in *Input) steps(width bucket.Width, e *workload.Entity, now int64) (newest, oldest int64) {
	floor := in.Floor
	if e.Rows() > 0 {
		if now == OwnNewest {
			now = e.Time[e.Rows()-1]
		}
		if floor == OwnOldest {
			floor = e.Oldest()
		}
	} else if now == OwnNewest || floor == OwnOldest {
		floor = now // nothing is known of the entity but the bucket asked for
	}
	return width.Index(now), width.Index(floor)
}

// begin is the index of the first row of bucket k, given where it ends.
func (l *bucketed) begin(e *workload.Entity, hi int, k int64) int {
	lo, _ := slices.BinarySearch(e.Time[:hi], l.width.Start(k))
	return lo
}

// Range reads the slice of each bucket that the range touches, newest first; the slices are in order as they come.
func (l *bucketed) Range(t *Trail, e *workload.Entity, from, to int64) {
	l.rangeLimit(t, e, from, to, math.MaxInt)
}

// rangeLimit asks no bucket after the one that holds the n-th row.
func (l *bucketed) rangeLimit(t *Trail, e *workload.Entity, from, to int64, n int) {
	if from >= to || n <= 0 {
		return
	}
	newest, oldest := l.width.Index(to-1), l.width.Index(from)
	hi := l.end(e, 0, newest)
	if l.directory != nil {
		l.listed(t, e, oldest, newest, n)
	}
	run := &bucketRun{bucketed: l}
	for k := newest; k >= oldest && n > 0; k-- {
		lo := l.begin(e, hi, k)
		if l.directory == nil || lo < hi {
			run.slice, run.hi = l.probe(t, e, k, lo == hi), hi
			n -= t.sliceUntil(run, e, lo, hi, from, to, n, func(first int) int { return pageTop(run, e, run.hi, first) })
		}
		hi = lo
	}
}

// probe looks for a partition in the index and returns its slice.
func (l *bucketed) probe(t *Trail, e *workload.Entity, k int64, empty bool) (slice int32) {
	return t.seek(l.index, l.slices, e, k, empty)
}

// seek descends the index of partitions in token order to the one of that number, and returns it; where there is none,
// the search ends at the leaf where it would be.
func (t *Trail) seek(index page.Tree, parts *timeSlices, e *workload.Entity, k int64, empty bool) (slice int32) {
	t.probe(empty)
	t.entries(1)
	s, ok := parts.find(e.ID, k)
	rank := int64(0)
	if ok {
		rank = int64(parts.rank[s])
	} else {
		key := ring.BucketKey(int32(e.ID), k)
		rank = parts.rankOf(ring.TokenOf(key[:]))
	}
	t.descend(index, rank)
	return s
}

// Size adds the directory's pages and rows.
func (l *bucketed) Size() Size {
	c := l.in.Census
	s := Size{
		DataPages: l.pages(c.Rows, c.Bytes), IndexPages: l.index.Pages(), RowBytes: l.takes(c.Rows, c.Bytes),
		Partitions: int64(len(l.slices.bucket)), Largest: l.slices.largest,
	}
	if l.directory != nil {
		l.directory.addTo(&s)
	}
	s.PagesWritten = s.DataPages + s.IndexPages
	return s
}

// listed reads the entity's newest buckets within [oldest, newest] from the directory, at most n of them: each has a row.
func (l *bucketed) listed(t *Trail, e *workload.Entity, oldest, newest int64, n int) {
	first := l.slices.first[e.ID]
	l.directory.open(t, e)
	end, ok := l.slices.find(e.ID, newest)
	if ok {
		end++
	}
	for s := end - 1; s >= first && l.slices.bucket[s] >= oldest && n > 0; s-- {
		l.directory.row(t, e, s)
		n--
	}
}
