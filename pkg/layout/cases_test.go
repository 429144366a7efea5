package layout

import (
	"testing"
	"time"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// Cases from the world with exact right answers: 10-day buckets of chat messages (W9), hourly buckets of a tracing store
// (W10), the lesson's own example of 14 and 6 posts (W23) and its card's dashboard of the last 24 hours (W24).

// oneEntity is an input of rows of one entity at those times, read at now.
func oneEntity(t *testing.T, now int64, times ...int64) (*Input, *workload.Entity) {
	t.Helper()
	s := &workload.Slice{Entity: make([]int32, len(times)), Time: times, Bytes: 200, Number: 1}
	c, err := workload.Count(s, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	return &Input{Workload: s, Census: c, Page: page.Lesson, Entry: 16, Now: now, Floor: 0}, &c.Asked[0]
}

func placed(t *testing.T, k Kind, in *Input) Layout {
	t.Helper()
	l, err := k.Place(in)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// every is n times, so many steps apart from zero.
func every(n int, step int64) []int64 {
	times := make([]int64, n)
	for i := range times {
		times[i] = int64(i) * step
	}
	return times
}

func TestChatBuckets(t *testing.T) {
	for _, c := range []struct {
		name      string
		times     []int64
		now       int64
		directory bool
		partitions,
		empty, rows int
	}{
		{"W9a", every(67, 3*day), 200 * day, false, 16, 1, 50},
		{"W9a with a directory: its own read instead of the empty one", every(67, 3*day), 200 * day, true, 16, 0, 50},
		{"W9b", every(600, day/3), 200*day - day/10, false, 2, 0, 50},
		{"W9c", every(1, 1), 730 * day, false, 74, 73, 1},
		{"W9c with a directory: 1 and its own read", every(1, 1), 730 * day, true, 2, 0, 1},
	} {
		in, e := oneEntity(t, c.now, c.times...)
		got, _ := readLatest(placed(t, Bucketed(bucket.Fixed(10*day), c.directory), in), e, 50)
		if got.Partitions != c.partitions || got.EmptyPartitions != c.empty || got.RowsReturned != c.rows {
			t.Errorf("%s: %+v, want %d partitions, %d empty, %d rows", c.name, got, c.partitions, c.empty, c.rows)
		}
	}
}

func TestFourteenAndSix(t *testing.T) {
	var times []int64
	for month, n := range map[time.Month]int{time.October: 6, time.November: 14} {
		for i := range n {
			times = append(times, time.Date(2026, month, 1+i, 12, 0, 0, 0, time.UTC).UnixMicro())
		}
	}
	in, e := oneEntity(t, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC).UnixMicro(), times...)
	for _, c := range []struct {
		kind       Kind
		partitions int
	}{{MonthBuckets, 2}, {MonthDirectory, 3}, {Sharded(bucket.Month, 4), 8}, {SizeBuckets(14), 3}} {
		got, _ := readLatest(placed(t, c.kind, in), e, 20)
		if got.Partitions != c.partitions || got.RowsReturned != 20 {
			t.Errorf("W23, %s: %+v, want %d partitions", c.kind.Name, got, c.partitions)
		}
	}
}

func TestBucketsOfARange(t *testing.T) {
	const hour = day / 24
	in, e := oneEntity(t, 0, every(24*40, hour)...)
	start := 20 * day
	for _, c := range []struct {
		name         string
		width        bucket.Width
		from, length int64
		partitions   int
	}{
		{"W10, 7 days aligned", bucket.Hour, start, 7 * day, 168},
		{"W10, 7 days shifted by half an hour", bucket.Hour, start + hour/2, 7 * day, 169},
		{"W10, an hour aligned", bucket.Hour, start, hour, 1},
		{"W10, an hour shifted", bucket.Hour, start + hour/2, hour, 2},
		{"W24, days aligned", bucket.Day, start, day, 1},
		{"W24, days", bucket.Day, start + 9*hour, day, 2},
		{"W24, hours aligned", bucket.Hour, start + 9*hour, day, 24},
		{"W24, hours", bucket.Hour, start + 9*hour + hour/3, day, 25},
	} {
		l := placed(t, Bucketed(c.width, false), in)
		got, _ := readRange(l, e, c.from, c.from+c.length)
		if got.Partitions != c.partitions || int64(got.RowsReturned) != c.length/hour {
			t.Errorf("%s: %+v, want %d partitions", c.name, got, c.partitions)
		}
		// With a limit of three posts a read of hours asks no more than three buckets, or one that holds none and three.
		var trail Trail
		RangeLimit(l, &trail, e, c.from, c.from+c.length, 3)
		if limited := trail.Touch(); limited.Partitions > min(c.partitions, 4) || limited.RowsReturned != min(3, got.RowsReturned) {
			t.Errorf("%s, limit 3: %+v", c.name, limited)
		}
	}
}

// A directory set beside placed buckets is the one they would have been placed with.
func TestListed(t *testing.T) {
	for seed := range uint64(200) {
		c := newRandomCase(seed)
		want, got := c.place(t, MonthDirectory), Listed(c.place(t, MonthBuckets))
		if want.Size() != got.Size() {
			t.Fatalf("seed %d: %+v, want %+v", seed, got.Size(), want.Size())
		}
		for i := range c.in.Census.Asked {
			e := &c.in.Census.Asked[i]
			a, _ := readLatest(want, e, c.n)
			b, _ := readLatest(got, e, c.n)
			if a != b {
				t.Fatalf("seed %d: %+v, want %+v", seed, b, a)
			}
		}
	}
	c := newRandomCase(1)
	if l := c.place(t, Arrival); Listed(l) != l {
		t.Error("a layout without buckets of time got a directory")
	}
}

// Two million hour buckets: placed once, and a user with two posts asked for twenty walks 8,760 of them.
func BenchmarkHourBuckets(b *testing.B) {
	at := func(year int) int64 { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro() }
	w := &workload.Posts{Count: 2_000_000, Users: 20_000, From: at(2025), To: at(2026), Bytes: 200, Seed: 1}
	c, err := workload.Count(w, workload.Sample(20_000, 100, 1))
	if err != nil {
		b.Fatal(err)
	}
	in := &Input{Workload: w, Census: c, Page: page.Lesson, Entry: 16, Now: w.To - 1, Floor: w.From}
	var l Layout
	b.Run("place", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			if l, err = Bucketed(bucket.Hour, false).Place(in); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("latest", func(b *testing.B) {
		var t Trail
		for i := range b.N {
			t.Reset()
			l.Latest(&t, &c.Asked[i%len(c.Asked)], 1000)
			if got := t.Touch().Partitions; got != 8760 {
				b.Fatalf("%d partitions", got)
			}
		}
	})
}
