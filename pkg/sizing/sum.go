package sizing

import (
	"cmp"
	"slices"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/dist"
)

// level is one width and the narrower one its counts are summed from.
type level struct {
	width    bucket.Width
	from     int // index of an earlier level, or -1: the ledger itself
	nesting  bucket.Nesting
	now      int64
	floor    int64
	reported int // index in Counter.widths, or -1: the hour that only Peaks asks for
}

// newLevels orders the widths from narrow to wide, each from the widest before it that nests in it.
func newLevels(c *Counter, o Options, floor int64) []level {
	var levels []level
	for i, w := range c.widths {
		levels = append(levels, level{width: w, reported: i})
	}
	if !slices.Contains(c.widths, bucket.Hour) {
		levels = append(levels, level{width: bucket.Hour, reported: -1})
	}
	slices.SortStableFunc(levels, func(a, b level) int { return cmp.Compare(breadth(a.width), breadth(b.width)) })
	for i := range levels {
		l := &levels[i]
		narrow := c.base
		l.from = -1
		for j := range i {
			if levels[j].width.Nests(l.width) {
				l.from, narrow = j, levels[j].width
			}
		}
		l.nesting = bucket.NewNesting(narrow, l.width, c.first, c.last)
		l.floor = l.width.Index(floor)
		if o.Now != nil {
			l.now = l.width.Index(*o.Now)
		}
	}
	return levels
}

// breadth orders widths from narrow to wide.
func breadth(w bucket.Width) int64 {
	if w == bucket.Forever {
		return 1<<63 - 1
	}
	return w.Longest()
}

// sum is one worker's part of the outcome.
type sum struct {
	levels             []level
	of                 []widthSum
	base, spare        []entry
	entities, measured int64
	busiest            peak
	window             window
}

type widthSum struct {
	nesting                bucket.Nesting
	entries                []entry // of the entity at hand
	partitions             int64
	rows, bytes, entityMax dist.Counts
	maxRows                peak
	maxBytes               struct { // its peak counts bytes
		peak
		beside int64 // rows of that partition
	}
	latest, fewer fanout // of entities that have n rows, and of those with fewer
	inRows        pace   // the fastest of the entities that have not written through a bucket
	inBytes       pace
	few           pace // the same of those with too few rows to tell
	pair          peak // the most rows in two buckets that follow each other, if both have some; at is the second
	busiest       int64
}

// fanout is reads of the latest n rows.
type fanout struct {
	read, empty, directory dist.Counts
	worst                  peak
}

func newSum(levels []level, w window) *sum {
	s := &sum{levels: levels, of: make([]widthSum, len(levels)), window: w}
	for i, l := range levels {
		s.of[i].nesting = l.nesting
	}
	return s
}

// add takes in one entity: its buckets of every width.
func (s *sum) add(c *Counter, o Options, entity int) {
	rows := c.ledger.entity[entity].rows
	if rows == 0 {
		return
	}
	s.entities++
	measured := o.Latest > 0 && rows >= int64(o.Latest)
	if measured {
		s.measured++
	}
	before := s.busiest
	s.busiest.raise(peak{rows: rows, entity: int32(entity)})
	s.base, s.spare = c.ledger.entries(entity, s.base, s.spare)
	bytes := rows * c.rowBytes
	if c.ledger.sized {
		for _, e := range s.base {
			bytes += e.bytes
		}
	}
	inRows, inBytes := c.paces(entity, rows, bytes, s.window)
	first := max(c.clocks[entity].first, s.window.from)
	for i, l := range s.levels {
		w := &s.of[i]
		from := s.base
		if l.from >= 0 {
			from = s.of[l.from].entries
		}
		w.entries = widen(w.entries[:0], from, &w.nesting)
		w.size(c, int32(entity))
		switch {
		case filled(l.width, first, s.window.to):
		case rows >= enough:
			w.inRows.raise(inRows)
			w.inBytes.raise(inBytes)
		default:
			w.few.raise(inRows)
		}
		reads := &w.latest
		if !measured {
			reads = &w.fewer
		}
		var read int64
		if o.Latest > 0 {
			read = reads.walk(w.entries, l, o, int32(entity))
		}
		if s.busiest != before {
			w.busiest = read
		}
	}
}

// widen sums entries of a narrow width into those of a wider one.
func widen(to, from []entry, nesting *bucket.Nesting) []entry {
	for _, e := range from {
		k := nesting.Index(e.bucket)
		if n := len(to); n > 0 && to[n-1].bucket == k {
			to[n-1].rows += e.rows
			to[n-1].bytes += e.bytes
		} else {
			to = append(to, entry{bucket: k, rows: e.rows, bytes: e.bytes})
		}
	}
	return to
}

// size counts the sizes of an entity's partitions.
func (w *widthSum) size(c *Counter, entity int32) {
	var largest int64
	for i, e := range w.entries {
		if i > 0 && w.entries[i-1].bucket+1 == e.bucket {
			if both := w.entries[i-1].rows + e.rows; both >= w.pair.rows {
				w.pair.raise(peak{both, entity, e.bucket})
			}
		}
		w.rows.Add(e.rows)
		largest = max(largest, e.rows)
		if e.rows >= w.maxRows.rows {
			w.maxRows.raise(peak{e.rows, entity, e.bucket})
		}
		if c.ledger.sized {
			w.bytes.Add(e.bytes)
			w.raiseBytes(peak{e.bytes, entity, e.bucket}, e.rows)
		}
	}
	w.partitions += int64(len(w.entries))
	w.entityMax.Add(largest)
}

// raiseBytes is raise for the partition of the most bytes. Before the first partition beside is 0.
func (w *widthSum) raiseBytes(p peak, rows int64) {
	m := &w.maxBytes
	old := m.peak
	if m.beside == 0 {
		m.peak, m.beside = p, rows
	} else if m.raise(p); m.peak != old {
		m.beside = rows
	}
}

// walk reads an entity's latest rows and returns how many partitions that took.
func (w *fanout) walk(entries []entry, l level, o Options, entity int32) int64 {
	now := l.now
	if o.Now == nil {
		now = entries[len(entries)-1].bucket
	}
	r := read(entries, now, l.floor, int64(o.Latest))
	w.read.Add(r.Read)
	w.empty.Add(r.Empty)
	w.directory.Add(r.Read - r.Empty)
	if r.Read >= w.worst.rows {
		w.worst.raise(peak{r.Read, entity, now - max(r.Read-1, 0)})
	}
	return r.Read
}

func (w *fanout) merge(v *fanout) {
	w.read.Merge(&v.read)
	w.empty.Merge(&v.empty)
	w.directory.Merge(&v.directory)
	w.worst.raise(v.worst)
}

// merge takes in another worker's part.
func (s *sum) merge(t *sum) {
	s.entities += t.entities
	s.measured += t.measured
	before := s.busiest
	s.busiest.raise(t.busiest)
	for i := range s.of {
		w, v := &s.of[i], &t.of[i]
		w.partitions += v.partitions
		w.rows.Merge(&v.rows)
		w.bytes.Merge(&v.bytes)
		w.entityMax.Merge(&v.entityMax)
		w.latest.merge(&v.latest)
		w.fewer.merge(&v.fewer)
		w.maxRows.raise(v.maxRows)
		w.inRows.raise(v.inRows)
		w.inBytes.raise(v.inBytes)
		w.few.raise(v.few)
		w.pair.raise(v.pair)
		if v.maxBytes.beside > 0 {
			w.raiseBytes(v.maxBytes.peak, v.maxBytes.beside)
		}
		if s.busiest != before {
			w.busiest = v.busiest
		}
	}
}
