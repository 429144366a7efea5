package layout

import (
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

// Where counts the newer rows of the row's bucket.
func (l *bucketed) Where(e *workload.Entity, i int) page.Span {
	k := l.width.Index(e.Time[i])
	s, _ := l.slices.find(e.ID, k)
	return bucketRun{l, s, l.end(e, i, k)}.Where(e, i)
}

// bucketRun is one bucket's rows, which end before hi: slice s.
type bucketRun struct {
	*bucketed
	slice int32
	hi    int
}

func (r bucketRun) Where(e *workload.Entity, i int) page.Span {
	var bytesBefore int64
	if r.slices.bytesBefore != nil {
		bytesBefore = r.slices.bytesBefore[r.slice] + e.Bytes(i+1, r.hi)
	}
	return r.span(e, i, r.slices.rowsBefore[r.slice]+int64(r.hi-1-i), bytesBefore)
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
	now, floor := l.now, l.in.Floor
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
	newest, oldest := l.width.Index(now), l.width.Index(floor)
	hi := l.end(e, 0, newest)
	if l.directory != nil {
		l.directory.read(t, l, e, oldest, newest, n)
	}
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
		t.newest(bucketRun{l, l.probe(t, e, k, lo == hi), hi}, e, lo, hi, n)
		n -= hi - lo
		hi = lo
	}
}

// begin is the index of the first row of bucket k, given where it ends.
func (l *bucketed) begin(e *workload.Entity, hi int, k int64) int {
	lo, _ := slices.BinarySearch(e.Time[:hi], l.width.Start(k))
	return lo
}

// Range reads the slice of each bucket that the range touches, newest first; the slices are in order as they come.
func (l *bucketed) Range(t *Trail, e *workload.Entity, from, to int64) {
	if from >= to {
		return
	}
	newest, oldest := l.width.Index(to-1), l.width.Index(from)
	hi := l.end(e, 0, newest)
	if l.directory != nil {
		l.directory.read(t, l, e, oldest, newest, e.Rows())
	}
	for k := newest; k >= oldest; k-- {
		lo := l.begin(e, hi, k)
		if l.directory == nil || lo < hi {
			run := bucketRun{l, l.probe(t, e, k, lo == hi), hi}
			t.slice(run, e, lo, hi, from, to, func(first int) int { return pageTop(run, e, hi, first) })
		}
		hi = lo
	}
}

// probe looks for a partition in the index and returns its slice; where there is none, the search ends at the leaf where
// it would be.
func (l *bucketed) probe(t *Trail, e *workload.Entity, k int64, empty bool) (slice int32) {
	t.probe(empty)
	t.entries(1)
	s, ok := l.slices.find(e.ID, k)
	rank := int64(0)
	if ok {
		rank = int64(l.slices.rank[s])
	} else {
		key := ring.BucketKey(int32(e.ID), k)
		rank = l.slices.rankOf(ring.TokenOf(key[:]))
	}
	t.descend(l.index, rank)
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
		s.DataPages += l.directory.file.Pages(int64(len(l.slices.bucket)))
		s.IndexPages += l.directory.index.Pages()
		s.RowBytes += int64(len(l.slices.bucket)) * int64(l.in.Page.Takes(l.in.Entry))
	}
	s.PagesWritten = s.DataPages + s.IndexPages
	return s
}

// directory is the small table of the buckets that have rows: a partition an entity, newest bucket first, rows of the
// size of an index entry.
type directory struct {
	file      page.Even
	index     page.Tree // an entry an entity
	firstPage int64     // its pages are numbered after those of the rows
}

// Its index pages are numbered apart from those of the rows' index.
const directoryLevel = 16

func (l *bucketed) newDirectory() *directory {
	c := l.in.Census
	return &directory{file: page.NewEven(l.in.Page, l.in.Entry), index: l.in.tree(c.Keys), firstPage: l.pages(c.Rows, c.Bytes)}
}

// read looks up the entity's newest buckets within [oldest, newest], at most n of them: each has a row.
func (d *directory) read(t *Trail, l *bucketed, e *workload.Entity, oldest, newest int64, n int) {
	first, last := l.slices.first[e.ID], l.slices.first[e.ID+1]
	t.probe(first == last)
	t.entries(1)
	d.index.Descend(e.KeysBefore, func(level int, number int64) { t.indexPage(directoryLevel+level, number) })
	end, ok := l.slices.find(e.ID, newest)
	if ok {
		end++
	}
	for i := end - 1; i >= first && l.slices.bucket[i] >= oldest && n > 0; i-- {
		t.entries(1)
		at := d.file.Span(int64(first) + int64(last-1-i))
		t.dataPages(page.Span{First: d.firstPage + at.First, Last: d.firstPage + at.Last})
		n--
	}
}
