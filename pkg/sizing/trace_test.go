package sizing

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/dist"
	"pagetouch/pkg/workload"
)

// The five real traces, against answers worked out by DuckDB, by numpy and by a brute force.
func TestTraces(t *testing.T) {
	for _, name := range []string{"git-head", "git-all", "nycflights-plane", "nycflights-carrier", "nab-sensors"} {
		t.Run(name, func(t *testing.T) {
			want := readAnswers(t, name).Answers
			got, err := Partitions(readTrace(t, name), bucket.Named(), Options{Latest: 20})
			if err != nil {
				t.Fatal(err)
			}
			if got.Rows != want.Rows || got.Entities != want.Entities || got.Measured != want.Measured || got.Bytes != want.Bytes {
				t.Errorf("rows, entities, measured, bytes = %d %d %d %d, want %d %d %d %d", got.Rows, got.Entities, got.Measured, got.Bytes, want.Rows, want.Entities, want.Measured, want.Bytes)
			}
			tested := 0
			for _, b := range got.Buckets {
				w, ok := want.Buckets[b.Width.String()]
				if !ok {
					continue
				}
				tested++
				if b.Partitions != w.Partitions || b.MaxRows != w.MaxRows || b.MaxAt.Entity != w.MaxAt.Entity || b.MaxAt.Start != w.MaxAt.Start {
					t.Errorf("%v: %d partitions, %d rows at most, at %+v; want %+v", b.Width, b.Partitions, b.MaxRows, b.MaxAt, w)
				}
				if !equal(b.Latest.Read, w.Read) || !equal(b.Latest.Directory, w.Directory) {
					t.Errorf("%v: read %+v, with a directory %+v; want %+v, %+v", b.Width, b.Latest.Read, b.Latest.Directory, w.Read, w.Directory)
				}
				if b.Latest.Read.Sum != b.Latest.Empty.Sum+b.Latest.Directory.Sum || b.Rows.Sum != got.Rows || b.Bytes.Sum != got.Bytes {
					t.Errorf("%v: sums do not add up: %+v", b.Width, b)
				}
			}
			if tested != 4 {
				t.Errorf("compared %d widths, want hour, day, week and month", tested)
			}
		})
	}
}

func equal(d dist.D, a answer) bool {
	return d.N == a.N && d.Sum == a.Sum && d.Mean == a.Mean && d.P50 == a.P50 && d.P99 == a.P99 && d.Max == a.Max
}

// brute counts partitions one row at a time.
func brute(s *workload.Slice, w bucket.Width) map[[2]int64]entry {
	out := map[[2]int64]entry{}
	for i, e := range s.Entity {
		k := [2]int64{int64(e), w.Index(s.Time[i])}
		sum := out[k]
		sum.rows++
		sum.bytes += int64(s.Size[i])
		out[k] = sum
	}
	return out
}

func random(r *rand.Rand) *workload.Slice {
	s := &workload.Slice{Number: 1 + r.IntN(8)}
	at, span := r.Int64N(1<<52)-1<<51, int64(1)<<(20+r.IntN(28))
	for range r.IntN(1500) {
		at += r.Int64N(span) - span*int64(r.IntN(2))/int64(2+r.IntN(4)) // often backward
		s.Entity = append(s.Entity, int32(r.IntN(s.Number)))
		s.Time = append(s.Time, at)
		s.Size = append(s.Size, r.Int32N(3000))
	}
	return s
}

// Random rows, in any order: equal to brute force, for any number of workers; nested widths never shrink; arrivals
// permuted change nothing; sizes scaled scale.
func TestLaws(t *testing.T) {
	const seed = 61
	r := rand.New(rand.NewPCG(seed, 0))
	widths := append(bucket.Named(), bucket.Fixed(20*60e6), bucket.Fixed(90e6), bucket.Fixed(7*86400e6), bucket.Forever)
	for trial := range 60 {
		s := random(r)
		got, err := Partitions(s, widths, Options{Latest: 5, Workers: 1 + trial%4})
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range got.Buckets {
			parts := brute(s, widths[i])
			var rows, bytes []int64
			var most, heaviest entry
			for _, p := range parts {
				rows, bytes = append(rows, p.rows), append(bytes, p.bytes)
				most.rows, heaviest.bytes = max(most.rows, p.rows), max(heaviest.bytes, p.bytes)
			}
			if b.Partitions != int64(len(parts)) || b.MaxRows != most.rows || b.MaxBytes != heaviest.bytes || b.Rows != dist.Of(rows) || b.Bytes != dist.Of(bytes) {
				t.Fatalf("seed %d, trial %d: %v: %+v, brute force %d partitions, %d rows, %d bytes", seed, trial, b.Width, b, len(parts), most.rows, heaviest.bytes)
			}
			for j, wider := range got.Buckets {
				if b.Width.Nests(wider.Width) && (wider.MaxRows < b.MaxRows || wider.MaxBytes < b.MaxBytes || wider.Partitions > b.Partitions || wider.Latest.Read.Sum > b.Latest.Read.Sum) {
					t.Fatalf("seed %d, trial %d: %v is worse than the narrower %v", seed, trial, widths[j], widths[i])
				}
			}
		}
		walks(t, s, got)
		again, _ := Partitions(s, widths, Options{Latest: 5, Workers: 3})
		shuffled := &workload.Slice{Number: s.Number, Entity: append([]int32(nil), s.Entity...), Time: append([]int64(nil), s.Time...), Size: append([]int32(nil), s.Size...)}
		r.Shuffle(len(s.Entity), func(i, j int) {
			shuffled.Entity[i], shuffled.Entity[j] = shuffled.Entity[j], shuffled.Entity[i]
			shuffled.Time[i], shuffled.Time[j] = shuffled.Time[j], shuffled.Time[i]
			shuffled.Size[i], shuffled.Size[j] = shuffled.Size[j], shuffled.Size[i]
		})
		permuted, _ := Partitions(shuffled, widths, Options{Latest: 5, Workers: 2})
		if !reflect.DeepEqual(got, again) || !reflect.DeepEqual(got.Buckets, permuted.Buckets) {
			t.Fatalf("seed %d, trial %d: workers or arrival order change the outcome", seed, trial)
		}
		for i := range shuffled.Size {
			shuffled.Size[i] *= 3
		}
		scaled, _ := Partitions(shuffled, widths, Options{Latest: 5})
		for i, b := range scaled.Buckets {
			if b.MaxBytes != 3*got.Buckets[i].MaxBytes || b.Bytes != got.Buckets[i].Bytes.Scaled(3) || b.MaxRows != got.Buckets[i].MaxRows {
				t.Fatalf("seed %d, trial %d: sizes times 3 give %d bytes, not 3 times %d", seed, trial, b.MaxBytes, got.Buckets[i].MaxBytes)
			}
		}
	}
}

// walks compares the reads of a trace with LatestWalk of each entity's rows.
func walks(t *testing.T, s *workload.Slice, got *Trace) {
	t.Helper()
	for _, b := range got.Buckets {
		var all, empty []int64
		for e := range s.Number {
			var times []int64
			newest := int64(-1 << 60)
			for i := range s.Time {
				if int(s.Entity[i]) == e {
					times, newest = append(times, s.Time[i]), max(newest, s.Time[i])
				}
			}
			if len(times) < 5 {
				continue
			}
			w, err := LatestWalk(times, b.Width, newest, got.First, 5)
			if err != nil || w.Rows != 5 {
				t.Fatal(w, err)
			}
			all, empty = append(all, w.Read), append(empty, w.Empty)
		}
		if b.Latest.Read != dist.Of(all) || b.Latest.Empty != dist.Of(empty) {
			t.Fatalf("%v: reads %+v, one by one %+v", b.Width, b.Latest.Read, dist.Of(all))
		}
	}
}

// A given now: rows after its bucket are not seen, and who has too few before it reads down to the floor.
func TestLatestFromNow(t *testing.T) {
	day := int64(86400e6)
	s := &workload.Slice{Entity: []int32{0, 0, 0, 1, 1}, Time: []int64{0, 5 * day, 9 * day, 20 * day, 21 * day}, Bytes: 200}
	now := 10 * day
	got, err := Partitions(s, []bucket.Width{bucket.Day}, Options{Latest: 2, Now: &now})
	if err != nil {
		t.Fatal(err)
	}
	l := got.Buckets[0].Latest
	// Entity 0 finds rows on days 9 and 5 of 10..5; entity 1 finds nothing on days 10..0.
	if l.Read != dist.Of([]int64{6, 11}) || l.Empty != dist.Of([]int64{4, 11}) || l.Directory != dist.Of([]int64{2, 0}) {
		t.Errorf("%+v", l)
	}
	if l.Worst.Entity != 1 || l.Worst.Rows != 11 || l.Busiest != 6 {
		t.Errorf("worst %+v, busiest %d", l.Worst, l.Busiest)
	}
	if got, err = Partitions(s, []bucket.Width{bucket.Day}, Options{Latest: 3, Now: &now}); err != nil {
		t.Fatal(err)
	}
	// Only entity 0 has three rows; entity 1 goes back from day 10 to the oldest row's day 0.
	if b := got.Buckets[0]; b.Latest.Read != dist.Of([]int64{11}) || b.Fewer.Read != dist.Of([]int64{11}) || b.Fewer.Directory != dist.Of([]int64{0}) || b.Fewer.Worst.Entity != 1 {
		t.Errorf("of fewer: %+v", b.Fewer)
	}
	before := int64(-day)
	if _, err := Partitions(s, []bucket.Width{bucket.Day}, Options{Latest: 2, Now: &before}); err == nil {
		t.Error("a now before the floor must be an error")
	}
}

func TestPeaks(t *testing.T) {
	s := &workload.Slice{Entity: []int32{0, 1, 1, 1, 0, 0, 0}, Time: []int64{0, 1e6, 1e6 + 1, 61e6, 62e6, 62e6, 61e6}, Bytes: 1}
	got, err := Partitions(s, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := got.Peaks
	if p.Second.Rows != 2 || p.Second.Entity != 0 || p.Second.Start != "1970-01-01T00:01:02Z" || p.Minute.Rows != 3 || p.Minute.Entity != 0 || p.Hour.Rows != 4 || p.Hour.Entity != 0 || p.Backward != 1 {
		t.Errorf("%+v", p)
	}
}

func TestBadInput(t *testing.T) {
	for name, s := range map[string]*workload.Slice{
		"entity": {Entity: []int32{-1}, Time: []int64{0}, Bytes: 1, Number: 1},
		"time":   {Entity: []int32{0}, Time: []int64{1<<63 - 1}, Bytes: 1},
		"size":   {Entity: []int32{0}, Time: []int64{0}, Size: []int32{-5}},
		"length": {Entity: []int32{0}, Time: nil, Bytes: 1},
	} {
		if _, err := Partitions(s, bucket.Named(), Options{}); err == nil || !strings.Contains(err.Error(), "row 0") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewCounter(1, bucket.Day, bucket.Day); err == nil {
		t.Error("a width given twice must be an error")
	}
	empty, err := Partitions(&workload.Slice{}, bucket.Named(), Options{Latest: 20})
	if err != nil || empty.Rows != 0 || empty.Buckets[0].Partitions != 0 {
		t.Errorf("no rows: %+v, %v", empty, err)
	}
	if _, err := json.Marshal(empty); err != nil {
		t.Error(err)
	}
}

func TestTraceJSON(t *testing.T) {
	s := &workload.Slice{Entity: []int32{0}, Time: []int64{0}, Bytes: 200}
	got, _ := Partitions(s, []bucket.Width{bucket.Hour, bucket.Month}, Options{Latest: 1, Name: func(int) string { return "<script>" }})
	raw, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"buckets":{"hour":{"partitions":1,"max_rows":1,"max_bytes":200,"max_at":{"entity":`, `"month":{`, `"bucket":"1970-01"`, `"latest":{"partitions_read":{"n":1,"sum":1,"mean":1,"p50":1,"p99":1,"max":1}`, `"with_directory":`, `"measured_entities":1`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("no %s in %s", want, raw)
		}
	}
}

// stream is n rows of entities in turn and at random, uniform over a year.
type stream struct {
	rows     int64
	entities int
	sized    bool
}

func (s stream) Rows() int64   { return s.rows }
func (s stream) Entities() int { return s.entities }
func (s stream) RowBytes() int {
	if s.sized {
		return 0
	}
	return 200
}
func (s stream) Scan(yield func(*workload.Batch) error) error {
	const n = 4096
	b := workload.Batch{Entity: make([]int32, n), Time: make([]int64, n), Size: make([]int32, n)}
	r := rand.New(rand.NewPCG(1, 1))
	for b.First = 0; b.First < s.rows; b.First += n {
		for i := range n {
			b.Entity[i], b.Size[i] = r.Int32N(int32(s.entities)), 100+r.Int32N(200)
			b.Time[i] = 1_735_689_600_000_000 + int64(float64(b.First+int64(i))/float64(s.rows)*365*86400e6)
		}
		if err := yield(&b); err != nil {
			return err
		}
	}
	return nil
}

// Rows that jump between buckets all the time must not make memory grow with rows.
func TestLedgerStaysSmall(t *testing.T) {
	l := ledger{sized: true, entity: make([]account, 1)}
	for i := range int64(1_000_000) {
		l.add(0, i%3*1000, 200)
	}
	got, _ := l.entries(0, nil, nil)
	want := []entry{{0, 333_334, 333_334 * 200}, {1000, 333_333, 333_333 * 200}, {2000, 333_333, 333_333 * 200}}
	if !slices.Equal(got, want) || l.next > 64 {
		t.Errorf("%v in %d chunks, want %v in 64 at most", got, l.next, want)
	}
}

func TestAccountSize(t *testing.T) {
	if size := unsafe.Sizeof(account{}); size != 64 {
		t.Errorf("an account has %d bytes, want a cache line", size)
	}
}

func BenchmarkPartitions(b *testing.B) {
	widths := bucket.Named()
	run := func(name string, load func(b *testing.B) workload.Workload) {
		b.Run(name, func(b *testing.B) {
			w := load(b)
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				c, err := NewCounter(w.RowBytes(), widths...)
				if err == nil {
					err = w.Scan(c.Add)
				}
				if err == nil {
					_, err = c.Trace(Options{Latest: 20})
				}
				if err != nil {
					b.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(after.Sys-before.Sys)/1e6, "MB-system")
				b.ReportMetric(float64(w.Rows()), "rows")
			}
		})
	}
	run("nycflights-plane-x10", func(b *testing.B) workload.Workload {
		s := readTrace(b, "nycflights-plane")
		all := &workload.Slice{}
		for range 10 {
			all.Entity, all.Time, all.Size = append(all.Entity, s.Entity...), append(all.Time, s.Time...), append(all.Size, s.Size...)
		}
		return all
	})
	run("3M-in-order", func(*testing.B) workload.Workload { return stream{3_300_000, 20_000, true} })
	run("30M-100k-entities", func(*testing.B) workload.Workload { return stream{30_000_000, 100_000, true} })
}
