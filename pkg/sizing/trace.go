package sizing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
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
	window     window
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
	Step     int64 `json:"step"`     // of the times, microseconds: a second, or the whole minutes that all of them, or nearly all, are multiples of apart
	whole    bool  // all times keep the step, not nearly all
	active   int64 // microseconds that the entity of the busiest hour has been writing
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
	MaxAt      Place        `json:"max_at"`              // of the most rows; of equals the smallest entity's earliest
	MaxBytesAt Place        `json:"max_bytes_at"`        // of the most bytes, likewise
	Rows       dist.D       `json:"rows_a_partition"`    //
	Bytes      dist.D       `json:"bytes_a_partition"`   //
	EntityMax  dist.D       `json:"largest_per_entity"`  // rows of each entity's largest partition
	Latest     Fanout       `json:"latest"`              // of the measured entities
	Fewer      Fanout       `json:"latest_of_fewer"`     // of the others: for fewer than n rows they go back to the floor
	Projected  *Projection  `json:"projected,omitempty"` // of entities that have not written through a bucket
	few        *Projection  // the same of entities with too few rows to tell
	pair       Place        // the most rows in two buckets that follow each other; named by the second
}

// Fanout is what reads of the latest n rows ask for.
type Fanout struct {
	Read      dist.D `json:"partitions_read"`  // empty ones included
	Empty     dist.D `json:"empty_partitions"` // of these, the ones with no row
	Directory dist.D `json:"with_directory"`   // those with rows: what is left to read when a directory names them, itself one more read
	Worst     Place  `json:"worst"`            // the entity that reads most; Rows is how many partitions, Bucket where the read ends
	Busiest   int64  `json:"busiest"`          // partitions that the entity with the most rows reads; 0 where nothing is read
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
	levels, main := newLevels(c, o, floor), c.window()
	sums := make([]*sum, o.Workers)
	const stride = 256 // entities a worker takes at a time
	var next atomic.Int64
	var wait sync.WaitGroup
	for i := range sums {
		sums[i] = newSum(levels, main)
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

// report puts names to the sums.
func (c *Counter) report(o Options, s *sum) *Trace {
	t := &Trace{Rows: c.rows, Entities: s.entities, Measured: s.measured, Bytes: c.bytes, Latest: o.Latest, First: c.first, Last: c.last, LargestRow: c.largest, window: s.window}
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
	t.Peaks.Step, t.Peaks.whole = c.step.length()
	for i, l := range s.levels {
		w := &s.of[i]
		if l.width == bucket.Hour {
			t.Peaks.Hour = place(w.maxRows, bucket.Hour)
			t.Peaks.active = s.window.to - max(c.clocks[w.maxRows.entity].first, s.window.from)
		}
		if l.reported < 0 {
			continue
		}
		b := Bucket{
			Width: l.width, Partitions: w.partitions, MaxRows: w.maxRows.rows, MaxAt: place(w.maxRows, l.width),
			Rows: w.rows.D(), EntityMax: w.entityMax.D(),
		}
		reads := func(of *fanout) Fanout {
			f := Fanout{Read: of.read.D(), Empty: of.empty.D(), Directory: of.directory.D()}
			if of.worst.rows > 0 {
				f.Worst = place(of.worst, l.width)
			}
			return f
		}
		b.Latest, b.Fewer = reads(&w.latest), reads(&w.fewer)
		b.Latest.Busiest = w.busiest
		if c.ledger.sized {
			b.MaxBytes, b.Bytes, b.MaxBytesAt = w.maxBytes.rows, w.bytes.D(), place(w.maxBytes.peak, l.width)
			b.MaxBytesAt.Rows = w.maxBytes.beside
		} else {
			b.MaxBytes, b.Bytes, b.MaxBytesAt = b.MaxRows*c.rowBytes, b.Rows.Scaled(c.rowBytes), b.MaxAt
		}
		b.Projected = project(w.inRows, w.inBytes, l.width, o)
		b.few = project(w.few, w.few, l.width, o)
		if w.pair.rows > 0 {
			b.pair = place(w.pair, l.width)
		}
		t.Buckets[l.reported] = b
	}
	return t
}

// project is nil where there is no such entity.
func project(inRows, inBytes pace, width bucket.Width, o Options) *Projection {
	if inRows.active == 0 || inBytes.active == 0 {
		return nil
	}
	rows, ok1 := inRows.over(width.Longest())
	bytes, ok2 := inBytes.over(width.Longest())
	if !ok1 || !ok2 {
		return nil
	}
	return &Projection{int(inRows.entity), o.Name(int(inRows.entity)), inRows.rows, inRows.active, rows, o.Name(int(inBytes.entity)), bytes, inBytes.rows}
}

func stamp(t int64) string { return time.UnixMicro(t).UTC().Format(time.RFC3339Nano) }
