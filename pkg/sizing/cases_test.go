package sizing

import (
	"math"
	"math/rand/v2"
	"testing"

	"pagetouch/pkg/bucket"
)

// The cases are questions that practitioners asked, or tools answered wrongly, in public; each answer was worked out
// anew.

func widths(t testing.TB, names ...string) (all []bucket.Width) {
	t.Helper()
	for _, s := range names {
		w, err := bucket.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	return all
}

func recommendRate(t testing.TB, rate string, rowBytes int64, q Question, names ...string) Recommendation {
	t.Helper()
	r, err := ParseRate(rate)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := RecommendRate(r, rowBytes, widths(t, names...), q)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// checked finds what was measured of one width against one kind of count.
func checked(t testing.TB, r Recommendation, width string, counts Counted) Check {
	t.Helper()
	for _, c := range r.Checks {
		if c.Width == width && c.Counts == counts {
			return c
		}
	}
	t.Fatalf("%s of %s were not checked: %+v", counts, width, r.Checks)
	return Check{}
}

// W1: a tracing store's hourly index partition (jaegertracing/jaeger #3028).
func TestW1(t *testing.T) {
	limits := []Limit{limit(t, "rows > 100000")}
	r := recommendRate(t, "266047/h", 1, Question{Limits: limits}, "5m", "10m", "15m", "20m", "30m", "1h")
	if r.Width != "20m" || checked(t, r, "20m", Rows).Amount != 88_683 || checked(t, r, "30m", Rows).Amount != 133_024 || checked(t, r, "30m", Rows).Kept || checked(t, r, "hour", Rows).Kept {
		t.Errorf("%+v", r)
	}
	rate, _ := ParseRate("266047/h")
	longest, binds, err := LongestWidth(rate, 1, limits, 1)
	if err != nil || longest/second != 1353 || binds.Counts != Rows {
		t.Errorf("longest width %d µs, %v, %v; want 1,353 s", longest, binds, err)
	}
	if perSecond := float64(rate.Rows) / float64(rate.Per/second); math.Round(perSecond*10)/10 != 73.9 {
		t.Errorf("%v rows/s", perSecond)
	}
	spans(t, "20m", day, Span{72, 73})
	spans(t, "1h", day, Span{24, 25})
}

func spans(t *testing.T, width string, length int64, want Span) {
	t.Helper()
	if got, err := RangeFanout(widths(t, width)[0], length); err != nil || got != want {
		t.Errorf("a range of %d h in buckets of %s reads %+v, %v; want %+v", length/hour, width, got, err, want)
	}
}

// W2: "Writing large partition" in a maintenance tool (thelastpickle/cassandra-reaper #850).
func TestW2(t *testing.T) {
	r := recommendRate(t, "3600/h", 39_349, Question{Limits: []Limit{limit(t, "bytes > 100MiB")}}, "10m", "30m", "1h")
	if c := checked(t, r, "hour", Bytes); c.Kept || c.Amount != 141_656_400 || math.Round(float64(c.Amount)/(1<<20)*10) != 1351 {
		t.Errorf("1h: %+v, want 135.1 MiB", c)
	}
	// 67.5 MiB: 1,800 rows are 67.547 MiB.
	if c := checked(t, r, "30m", Bytes); !c.Kept || c.Amount != 1800*39_349 || r.Width != "30m" {
		t.Errorf("30m: %+v, chosen %s", c, r.Width)
	}
	spans(t, "10m", hour, Span{6, 7})
}

// W5: a journal plugin's documentation (akka/akka-persistence-cassandra #603).
func TestW5(t *testing.T) {
	l := limit(t, "bytes > 100MB")
	if got, err := LargestRow(l, 500_000, 1); err != nil || got != 200 {
		t.Errorf("largest row %d, %v; want 200 bytes", got, err)
	}
	if c := l.Check(500_000 * 1024); c.Kept || c.Ratio != 5.12 {
		t.Errorf("%+v, want 512 MB refused", c)
	}
	if got, err := RowsThatFit(l, 1024, 1); err != nil || got != 97_656 {
		t.Errorf("%d rows fit, %v; want 97,656", got, err)
	}
}

// W6: the same family (krasserm/akka-persistence-cassandra #68).
func TestW6(t *testing.T) {
	r, err := ParseRate("100000/d")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Time(5_000_000); err != nil || got != 50*day {
		t.Errorf("%d days, %v; want 50", got/day, err)
	}
}

// W9: chat messages in 10-day buckets. W23: the lesson.
func TestW9W23(t *testing.T) {
	every := func(n int, step int64) (times []int64) {
		for i := range n {
			times = append(times, int64(i)*step)
		}
		return times
	}
	var months []int64
	for i := range 20 { // 14 in this month (March 1970), 6 in the last
		months = append(months, 59*day+int64(i-6)*hour)
	}
	for _, c := range []struct {
		id    string
		times []int64
		width string
		now   int64
		n     int
		want  Walk
	}{
		{"W9a", every(67, 3*day), "10d", 200 * day, 50, Walk{Read: 16, Empty: 1, Rows: 50}},
		{"W9b", every(600, day/3), "10d", 1999 * day / 10, 50, Walk{Read: 2, Empty: 0, Rows: 50}},
		{"W9c", []int64{0}, "10d", 730 * day, 50, Walk{Read: 74, Empty: 73, Rows: 1}}, // with a directory 74 - 73 = 1
		{"W23", months, "month", 59*day + 13*hour, 20, Walk{Read: 2, Empty: 0, Rows: 20}},
		{"none asked", []int64{0}, "10d", 0, 0, Walk{}},
	} {
		t.Run(c.id, func(t *testing.T) {
			got, err := LatestWalk(c.times, widths(t, c.width)[0], c.now, 0, c.n)
			if err != nil || got != c.want {
				t.Errorf("%+v, %v; want %+v", got, err, c.want)
			}
		})
	}
	if _, err := LatestWalk(nil, bucket.Day, 0, 1, 1); err == nil {
		t.Error("a floor after now must be an error")
	}
}

// W10: hourly buckets (openzipkin/zipkin #1224); shifted by 30 minutes is as bad as it gets.
func TestW10(t *testing.T) {
	spans(t, "1h", 7*day, Span{168, 169})
	spans(t, "1h", hour, Span{1, 2})
	for length, want := range map[int64]int64{7 * day: 169, hour: 2} {
		if got := bucket.Hour.Touched(30*minute, 30*minute+length); got != want {
			t.Errorf("%d buckets, want %d", got, want)
		}
	}
}

// W24: the lesson's card: a dashboard of the last 24 hours.
func TestW24(t *testing.T) {
	spans(t, "1d", day, Span{1, 2})
	spans(t, "1h", day, Span{24, 25})
}

func TestRanges(t *testing.T) {
	// Months: 28 days from a start touch one; a range of 30 days begun on 31 January touches three, or two in leap years.
	spans(t, "month", 28*day, Span{1, 2})
	spans(t, "month", 30*day, Span{2, 3})
	spans(t, "forever", 30*day, Span{1, 1})
	spans(t, "year", 366*day, Span{2, 3}) // an instant, a year of 365 days, and most of a day
	for _, length := range []int64{0, -1, 1 << 62} {
		if _, err := RangeFanout(bucket.Hour, length); err == nil {
			t.Errorf("a range of %d must be an error", length)
		}
	}
}

// W11: a documentation page's hotel example. W12: a published calculator's README (johnnywidth/cql-calculator).
func TestW11W12(t *testing.T) {
	for _, c := range []struct {
		id                  string
		columns             Columns
		rows, values, bytes int64
	}{
		{"W11", Columns{Key: []int64{5}, Clustering: []int64{4, 2}, Regular: []int64{1}}, 73_000, 73_000, 1_095_005},
		{"W12", Columns{Key: []int64{4}, Static: []int64{250}, Clustering: []int64{150}, Regular: []int64{1, 8}}, 10_000, 20_001, 1_750_262},
	} {
		t.Run(c.id, func(t *testing.T) {
			values, err1 := c.columns.Values(c.rows)
			bytes, err2 := c.columns.Bytes(c.rows)
			if err1 != nil || err2 != nil || values != c.values || bytes != c.bytes {
				t.Errorf("%d values, %d bytes, %v, %v; want %d, %d", values, bytes, err1, err2, c.values, c.bytes)
			}
			for _, rows := range []int64{-1, math.MaxInt64} {
				if _, err := c.columns.Bytes(rows); err == nil {
					t.Errorf("%d rows must be an error", rows)
				}
			}
		})
	}
}

// W16: a blog's sizing table.
func TestW16(t *testing.T) {
	q := Question{Limits: []Limit{limit(t, "bytes > 100MB"), limit(t, "rows > 100000")}}
	r := recommendRate(t, "1/s", 100, q, "1d", "7d", "30d")
	for _, c := range []struct {
		width  string
		counts Counted
		amount int64
		kept   bool
	}{
		{"day", Bytes, 8_640_000, true}, {"day", Rows, 86_400, true},
		{"7d", Bytes, 60_480_000, true}, {"7d", Rows, 604_800, false},
		{"30d", Bytes, 259_200_000, false}, {"30d", Rows, 2_592_000, false},
	} {
		if got := checked(t, r, c.width, c.counts); got.Amount != c.amount || got.Kept != c.kept {
			t.Errorf("%s: %d %s, kept %v; want %d, %v", c.width, got.Amount, c.counts, got.Kept, c.amount, c.kept)
		}
	}
	if r.Width != "day" || r.Binding != "yours rows" {
		t.Errorf("chosen %s, bound by %s", r.Width, r.Binding)
	}
	rate, _ := ParseRate("1000/s")
	e, err := ByRate(rate, 100, widths(t, "month"), 0, 0)
	if err != nil || e[0].Rows != 2_678_400_000 {
		t.Errorf("%+v, %v; want 2,678,400,000 rows in a 31-day month", e, err)
	}
}

// W18, in numbers: one row a second for 365 days in one partition, and in hourly ones.
func TestW18(t *testing.T) {
	r, _ := ParseRate("1/s")
	if got, err := r.In(365 * day); err != nil || got != 31_536_000 {
		t.Errorf("%d rows, %v", got, err)
	}
	spans(t, "hour", 365*day, Span{8760, 8761})
	if got, err := r.In(hour); err != nil || got != 3600 {
		t.Errorf("%d rows an hour, %v", got, err)
	}
}

func TestMulDiv(t *testing.T) {
	for _, c := range []struct {
		a, b, c, down, up int64
		ok                bool
	}{
		{7, 3, 2, 10, 11, true}, {math.MaxInt64, 2, 4, math.MaxInt64 / 2, math.MaxInt64/2 + 1, true},
		{math.MaxInt64, math.MaxInt64, 1, 0, 0, false}, {0, 5, 9, 0, 0, true}, {-1, 1, 1, 0, 0, false}, {1, 1, 0, 0, 0, false},
	} {
		down, ok := mulDiv(c.a, c.b, c.c, false)
		up, _ := mulDiv(c.a, c.b, c.c, true)
		if ok != c.ok || ok && (down != c.down || up != c.up) {
			t.Errorf("%d·%d/%d = %d, %d, %v", c.a, c.b, c.c, down, up, ok)
		}
	}
}

func TestParseRateErrors(t *testing.T) {
	for _, s := range []string{"", "5", "5/x", "-5/s", "0/s", "1.5/s", "/s", "99999999999999999999/s"} {
		if r, err := ParseRate(s); err == nil {
			t.Errorf("%q = %+v, want an error", s, r)
		}
	}
}

// A wider bucket never reads more, of any range; a longer range never reads less; by brute force over a calendar.
func TestRangeLaws(t *testing.T) {
	const seed = 10
	r := rand.New(rand.NewPCG(seed, 0))
	all := append(bucket.Named(), bucket.Fixed(20*minute), bucket.Fixed(7*day), bucket.Forever)
	for range 30 {
		length := 1 + r.Int64N(1<<(30+r.IntN(20)))
		for _, w := range all {
			s, err := RangeFanout(w, length)
			if err != nil || s.Aligned > s.Worst || s.Worst > s.Aligned+1 {
				t.Fatalf("seed %d: %v, length %d: %+v, %v", seed, w, length, s, err)
			}
			for range 50 {
				from := r.Int64N(400 * 365 * day)
				if got := w.Touched(from, from+length); got > s.Worst {
					t.Fatalf("seed %d: %v, length %d from %d touches %d, more than the worst %d", seed, w, length, from, got, s.Worst)
				}
			}
			longer, _ := RangeFanout(w, length+length/3+1)
			if longer.Worst < s.Worst || longer.Aligned < s.Aligned {
				t.Fatalf("seed %d: %v: a longer range than %d reads less", seed, w, length)
			}
			for _, v := range all {
				if wide, _ := RangeFanout(v, length); w.Nests(v) && (wide.Worst > s.Worst || wide.Aligned > s.Aligned) {
					t.Fatalf("seed %d: length %d: %v reads %+v, the narrower %v %+v", seed, length, v, wide, w, s)
				}
			}
		}
	}
}
