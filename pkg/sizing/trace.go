package sizing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/dist"
	"pagetouch/pkg/workload"
)

// Trace is what rows say about every candidate width.
type Trace struct {
	Rows       int64   `json:"rows"`
	Entities   int64   `json:"entities"`          // that have a row
	Measured   int64   `json:"measured_entities"` // that have at least Latest rows; their reads are in Bucket.Latest
	Bytes      int64   `json:"bytes"`
	Latest     int     `json:"-"`
	First      int64   `json:"-"` // time of the oldest row
	Last       int64   `json:"-"` // and of the newest
	RowBytes   int64   `json:"-"` // mean size of a row, rounded up
	LargestRow int64   `json:"largest_row_bytes"`
	Busiest    Entity  `json:"busiest"`
	Peaks      Peaks   `json:"peaks"`
	Buckets    Buckets `json:"buckets"` // in the order of the widths asked for
}

// Entity is the entity with the most rows.
type Entity struct {
	Number int    `json:"-"`
	Name   string `json:"entity"`
	Rows   int64  `json:"rows"`
}

// Peaks are the largest numbers of rows of one entity within a second, a minute and an hour of the clock. Seconds and
// minutes are counted over rows that arrived one after another: a row that went back in time starts a new run, so
// where Backward is large the first two are lower bounds. The hour is exact.
type Peaks struct {
	Second   Place `json:"second"`
	Minute   Place `json:"minute"`
	Hour     Place `json:"hour"`
	Backward int64 `json:"backward"` // rows of an earlier second than the row before them of the same entity
}

// Place is one partition, or one slice of an entity's time.
type Place struct {
	Entity int    `json:"-"`
	Name   string `json:"entity"`
	Bucket string `json:"bucket"`       // its label
	Start  string `json:"bucket_start"` // RFC 3339; empty for all time
	Rows   int64  `json:"rows"`
}

// Bucket is the outcome of one width.
type Bucket struct {
	Width      bucket.Width `json:"-"`
	Partitions int64        `json:"partitions"` // not empty
	MaxRows    int64        `json:"max_rows"`
	MaxBytes   int64        `json:"max_bytes"`
	MaxAt      Place        `json:"max_at"`             // of the most rows; of equals the smallest entity's earliest
	MaxBytesAt Place        `json:"max_bytes_at"`       // of the most bytes, likewise
	Rows       dist.D       `json:"rows_a_partition"`   //
	Bytes      dist.D       `json:"bytes_a_partition"`  //
	EntityMax  dist.D       `json:"largest_per_entity"` // rows of each entity's largest partition
	Latest     Fanout       `json:"latest"`
}

// Fanout is what reads of the latest n rows ask for, over the measured entities.
type Fanout struct {
	Read      dist.D `json:"partitions_read"`  // empty ones included
	Empty     dist.D `json:"empty_partitions"` // of these, the ones with no row
	Directory dist.D `json:"with_directory"`   // those with rows: what is left to read when a directory names them, itself one more read
	Worst     Place  `json:"worst"`            // the entity that reads most; Rows is how many partitions, Bucket where the read ends
	Busiest   int64  `json:"busiest"`          // partitions that the entity with the most rows reads; 0 if not measured
}

// Buckets marshals as an object from width to outcome.
type Buckets []Bucket

// MarshalJSON implements json.Marshaler.
func (b Buckets) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	for i := range b {
		v, err := json.Marshal(b[i])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, ",%q:%s", b[i].Width.String(), v)
	}
	return append(append([]byte("{"), bytes.TrimPrefix(out.Bytes(), []byte(","))...), '}'), nil
}

// Options say what to read and how to call entities.
type Options struct {
	Latest  int              // n of the latest-n read; 0: no such read
	Now     *int64           // the time at which reads start; nil: each entity's own newest bucket
	Floor   *int64           // the oldest time reads go back to; nil: the trace's oldest row
	Name    func(int) string // an entity's name; nil: its number
	Workers int              // goroutines; 0: one a processor. The outcome is the same for any number
}

// Partitions takes one pass over a workload and returns what it says about the widths.
func Partitions(w workload.Workload, widths []bucket.Width, o Options) (*Trace, error) {
	c, err := NewCounter(w.RowBytes(), widths...)
	if err != nil {
		return nil, err
	}
	if err := w.Scan(c.Add); err != nil {
		return nil, err
	}
	return c.Trace(o)
}

// Trace sums up the rows taken in so far.
func (c *Counter) Trace(o Options) (*Trace, error) {
	if o.Latest < 0 {
		return nil, fmt.Errorf("latest %d rows: want 0 or more", o.Latest)
	}
	floor := c.first
	if o.Floor != nil {
		floor = *o.Floor
	}
	if o.Now != nil && *o.Now < floor {
		return nil, fmt.Errorf("reading back from %s to %s: the start is the older one", stamp(*o.Now), stamp(floor))
	}
	if o.Name == nil {
		o.Name = strconv.Itoa
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	levels := newLevels(c, o, floor)
	sums := make([]*sum, o.Workers)
	const stride = 256 // entities a worker takes at a time
	var next atomic.Int64
	var wait sync.WaitGroup
	for i := range sums {
		sums[i] = newSum(levels)
		wait.Go(func() {
			for {
				from := int(next.Add(stride)) - stride
				if from >= len(c.ledger.entity) {
					return
				}
				for e := from; e < min(from+stride, len(c.ledger.entity)); e++ {
					sums[i].add(c, o, e)
				}
			}
		})
	}
	wait.Wait()
	for _, s := range sums[1:] {
		sums[0].merge(s)
	}
	return c.report(o, sums[0]), nil
}

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
	length := func(w bucket.Width) int64 {
		if w == bucket.Forever {
			return 1 << 62
		}
		return w.Longest()
	}
	slices.SortStableFunc(levels, func(a, b level) int { return int(min(max(length(a.width)-length(b.width), -1), 1)) })
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

// sum is one worker's part of the outcome.
type sum struct {
	levels             []level
	of                 []widthSum
	base, spare        []entry
	entities, measured int64
	busiest            peak
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
	read, empty, directory dist.Counts
	worst                  peak
	busiest                int64
}

func newSum(levels []level) *sum {
	s := &sum{levels: levels, of: make([]widthSum, len(levels))}
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
	for i, l := range s.levels {
		w := &s.of[i]
		from := s.base
		if l.from >= 0 {
			from = s.of[l.from].entries
		}
		w.entries = widen(w.entries[:0], from, &w.nesting)
		w.size(c, int32(entity))
		if measured {
			w.walk(l, o, int32(entity), s.busiest != before)
		} else if s.busiest != before {
			w.busiest = 0
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
	for _, e := range w.entries {
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

// walk reads the entity's latest rows.
func (w *widthSum) walk(l level, o Options, entity int32, busiest bool) {
	now := l.now
	if o.Now == nil {
		now = w.entries[len(w.entries)-1].bucket
	}
	r := read(w.entries, now, l.floor, int64(o.Latest))
	w.read.Add(r.Read)
	w.empty.Add(r.Empty)
	w.directory.Add(r.Read - r.Empty)
	if r.Read >= w.worst.rows {
		w.worst.raise(peak{r.Read, entity, now - max(r.Read-1, 0)})
	}
	if busiest {
		w.busiest = r.Read
	}
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
		w.read.Merge(&v.read)
		w.empty.Merge(&v.empty)
		w.directory.Merge(&v.directory)
		w.maxRows.raise(v.maxRows)
		if v.maxBytes.beside > 0 {
			w.raiseBytes(v.maxBytes.peak, v.maxBytes.beside)
		}
		w.worst.raise(v.worst)
		if s.busiest != before {
			w.busiest = v.busiest
		}
	}
}

// report puts names to the sums.
func (c *Counter) report(o Options, s *sum) *Trace {
	t := &Trace{Rows: c.rows, Entities: s.entities, Measured: s.measured, Bytes: c.bytes, Latest: o.Latest, First: c.first, Last: c.last, LargestRow: c.largest}
	t.Buckets = make(Buckets, len(c.widths))
	if c.rows == 0 {
		for i, w := range c.widths {
			t.Buckets[i].Width = w
		}
		return t
	}
	t.RowBytes = (c.bytes + c.rows - 1) / c.rows
	t.Busiest = Entity{int(s.busiest.entity), o.Name(int(s.busiest.entity)), s.busiest.rows}
	place := func(p peak, w bucket.Width) Place {
		at := Place{Entity: int(p.entity), Name: o.Name(int(p.entity)), Bucket: w.Label(p.at), Rows: p.rows}
		if w != bucket.Forever {
			at.Start = stamp(w.Start(p.at))
		}
		return at
	}
	t.Peaks = Peaks{Backward: c.backward, Second: place(c.second, bucket.Fixed(1e6)), Minute: place(c.minute, bucket.Fixed(60e6))}
	for i, l := range s.levels {
		w := &s.of[i]
		if l.width == bucket.Hour {
			t.Peaks.Hour = place(w.maxRows, bucket.Hour)
		}
		if l.reported < 0 {
			continue
		}
		b := Bucket{
			Width: l.width, Partitions: w.partitions, MaxRows: w.maxRows.rows, MaxAt: place(w.maxRows, l.width),
			Rows: w.rows.D(), EntityMax: w.entityMax.D(),
			Latest: Fanout{Read: w.read.D(), Empty: w.empty.D(), Directory: w.directory.D(), Busiest: w.busiest},
		}
		if c.ledger.sized {
			b.MaxBytes, b.Bytes, b.MaxBytesAt = w.maxBytes.rows, w.bytes.D(), place(w.maxBytes.peak, l.width)
			b.MaxBytesAt.Rows = w.maxBytes.beside
		} else {
			b.MaxBytes, b.Bytes, b.MaxBytesAt = b.MaxRows*c.rowBytes, b.Rows.Scaled(c.rowBytes), b.MaxAt
		}
		if w.worst.rows > 0 {
			b.Latest.Worst = place(w.worst, l.width)
		}
		t.Buckets[l.reported] = b
	}
	return t
}

func stamp(t int64) string { return time.UnixMicro(t).UTC().Format(time.RFC3339Nano) }
