package sizing

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/workload"
)

func recommend(t testing.TB, s *workload.Slice, o Options, q Question, names ...string) Recommendation {
	t.Helper()
	trace, err := Partitions(s, widths(t, names...), o)
	if err != nil {
		t.Fatal(err)
	}
	q.Latest = o.Latest
	r, err := trace.Recommend(q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func says(t *testing.T, r Recommendation, want ...string) {
	t.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(raw))
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("does not say %q:\n%s", w, text)
		}
	}
}

// The reasons of case W1.
func TestReasons(t *testing.T) {
	r := recommendRate(t, "266047/h", 100, Question{Limits: []Limit{limit(t, "rows > 100000"), limit(t, "bytes > 100MB")}, Latest: 50, Range: day}, "1h", "5m", "20m", "30m", "forever")
	says(t, r, `"width":"20m"`, `"binding_limit":"yours rows"`, `"no_time_bucket_helps":false`,
		"holds 88,683 rows and 8,868,300 bytes", "that is 0.887 of it", "A range of 1 day reads 72 partitions when it begins with a bucket and 73 at worst.",
		`{"width":"30m","limit":"yours rows","ratio":1.33024,"why":"the longest bucket: 133,024 rows, 1.33 times yours rows (at most 100,000 rows)"}`,
		`{"width":"hour","limit":"yours rows","ratio":2.66047`, `{"width":"5m","why":"it keeps every limit, as 20m does, but reads more: 289 against 73 for a range"}`,
		`{"width":"forever","why":"its partitions grow without end"}`, "it needs a new table")
	if len(r.Refused) != 4 {
		t.Errorf("%d refused, want every other candidate", len(r.Refused))
	}
}

// Growth is held against the limits with their own operators: 3 x 33,333 rows are under 100,000, 3 x 33,334 not.
func TestGrowth(t *testing.T) {
	for rate, want := range map[string]string{"33333/d": "day", "33334/d": "hour"} {
		cassandra, err := Limits("cassandra")
		if err != nil {
			t.Fatal(err)
		}
		if r := recommendRate(t, rate, 1, Question{Limits: cassandra, Growth: 3}, "hour", "day"); r.Width != want {
			t.Errorf("%s grown three times: %s, want %s", rate, r.Width, want)
		}
	}
	for rate, want := range map[string]string{"100000/d": "hour", "99999/d": "day"} { // under 100,000, not at most
		cassandra, _ := Limits("cassandra")
		if r := recommendRate(t, rate, 1, Question{Limits: cassandra}, "hour", "day"); r.Width != want {
			t.Errorf("%s: %s, want %s", rate, r.Width, want)
		}
	}
	for _, g := range []float64{-1, 0.5, math.NaN(), math.Inf(1)} {
		if _, err := RecommendRate(Rate{1, 1}, 1, []bucket.Width{bucket.Day}, Question{Growth: g}); err == nil {
			t.Errorf("growth %v must be an error", g)
		}
	}
}

// At a tie the broken limit is named: 100,000 rows keep "at most" and break "under".
func TestTie(t *testing.T) {
	r := recommendRate(t, "100000/d", 1000, Question{Limits: []Limit{limit(t, "bytes > 100MB"), limit(t, "rows >= 100000")}}, "hour", "day")
	if r.Width != "hour" || r.Refused[0].Limit != "yours rows" || r.Refused[0].Ratio != 1 {
		t.Errorf("%+v", r)
	}
}

// All rows at one time: no width tells them apart, so shards must.
func TestNoTimeBucketHelps(t *testing.T) {
	s := &workload.Slice{Entity: make([]int32, 250_001), Time: make([]int64, 250_001), Bytes: 10}
	r := recommend(t, s, Options{Latest: 20}, Question{Limits: []Limit{limit(t, "rows > 100000")}}, "hour", "day", "month")
	if !r.NoBucket || r.Shards != 3 || r.Width != "month" {
		t.Errorf("no bucket helps %v, %d shards, width %s; want true, 3, month", r.NoBucket, r.Shards, r.Width)
	}
	says(t, r, "No time bucket can help", "3 hash shards", "shorter than the narrowest candidate", "2.5 times the limit")

	// At a rate that breaks even the narrowest, narrower would help: so that is not said.
	even := recommendRate(t, "100/s", 1, Question{Limits: []Limit{limit(t, "rows > 100000")}}, "hour", "day")
	if even.NoBucket || even.Shards != 4 || even.Width != "hour" {
		t.Errorf("%+v", even)
	}
}

// DynamoDB takes 1,000 writes of 1 KiB a second: 900 rows of 1,025 bytes cost 1,800.
func TestWriteShards(t *testing.T) {
	dynamo, err := Limits("dynamodb")
	if err != nil {
		t.Fatal(err)
	}
	r := recommendRate(t, "900/s", 1025, Question{Limits: dynamo}, "day")
	if r.Writes.Shards != 2 || r.Shards != 2 || r.Writes.Peak != 900 {
		t.Errorf("%+v", r.Writes)
	}
	says(t, r, "to be split in 2 shards", `"not_checked":["dynamodb read-units"]`)
	if r := recommendRate(t, "900/s", 1024, Question{Limits: dynamo}, "day"); r.Writes.Shards != 1 {
		t.Errorf("%+v", r.Writes)
	}
}

// One busy entity among quiet ones: an hour is all the busy one can have, and the quiet ones read empty hours.
func TestSizeBased(t *testing.T) {
	s := &workload.Slice{Bytes: 100}
	add := func(e int32, n int, step int64) {
		for i := range n {
			s.Entity, s.Time = append(s.Entity, e), append(s.Time, int64(i)*step)
		}
	}
	add(0, 20_000, 10*second) // 360 an hour
	for e := range int32(20) {
		add(e+1, 10, 5*hour)
	}
	r := recommend(t, s, Options{Latest: 10}, Question{Limits: []Limit{limit(t, "rows > 1000")}}, "hour", "day")
	if r.Width != "hour" || !r.SizeBased.Better || r.SizeBased.Rows != 1000 {
		t.Errorf("width %s, %+v", r.Width, r.SizeBased)
	}
	says(t, r, "cost the busiest entity 1 partition, the median one 46, one in a hundred 46 or more and the worst (entity 1) 46; one in a hundred meets 36 empty ones or more, where a directory of the buckets with rows leaves 10 at most and its own read",
		"Buckets of 1,000 rows", `{"width":"day","limit":"yours rows","ratio":8.64`)
}

// A trace of ten days says what a month would hold if it went on.
func TestProjection(t *testing.T) {
	s := &workload.Slice{Bytes: 100}
	for i := range int64(10*24 + 1) {
		s.Entity, s.Time = append(s.Entity, 0), append(s.Time, 14*day+i*hour)
	}
	r := recommend(t, s, Options{}, Question{Limits: []Limit{limit(t, "rows > 740")}}, "day", "month")
	// A row an hour for 241 hours is 744 in the 31 days of a month.
	if c := checked(t, r, "month", Rows); c.Amount != 744 || c.Kept || r.Width != "day" {
		t.Errorf("%+v, chosen %s", c, r.Width)
	}
	says(t, r, "entity 0, projected to a whole bucket: 744 rows")
}

// Netflix's practice has a limit from below: it warns, and refuses nothing.
func TestOverPartitioned(t *testing.T) {
	netflix, err := Limits("netflix")
	if err != nil {
		t.Fatal(err)
	}
	r := recommendRate(t, "10/h", 100, Question{Limits: netflix}, "hour")
	if r.Width != "hour" || r.Shards != 1 {
		t.Errorf("%+v", r)
	}
	says(t, r, "The median partition has 1,000 bytes, below netflix over-partitioned (at least 10 kB)")
}

func TestRecommendRealTraces(t *testing.T) {
	for _, name := range []string{"git-head", "nycflights-plane", "nab-sensors"} {
		s := readTrace(t, name)
		cassandra, _ := Limits("cassandra")
		r := recommend(t, s, Options{Latest: 20}, Question{Limits: cassandra, Growth: 3, Range: day}, "hour", "day", "week", "month", "quarter", "year")
		// A sensor that reads every five minutes writes 105,408 rows in a year, whatever part of it the trace has.
		if want := map[bool]string{false: "year", true: "quarter"}[name == "nab-sensors"]; r.Width != want || r.Binding != "cassandra rows-advice" || len(r.Refused) != 5 {
			t.Errorf("%s: %+v", name, r)
		}
		says(t, r, "so far no bucket is needed", `"size_based":{"better":false`)
	}
}

func TestNothingToChoose(t *testing.T) {
	for _, r := range []Recommendation{
		recommend(t, &workload.Slice{}, Options{Latest: 20}, Question{}),
		recommend(t, &workload.Slice{}, Options{Latest: 20}, Question{}, "hour", "forever"),
		recommend(t, &workload.Slice{Entity: []int32{0}, Time: []int64{0}, Bytes: 1}, Options{}, Question{}, "forever"),
	} {
		if _, err := json.Marshal(r); err != nil || r.Shards != 1 {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// A trace just shorter than the narrowest width is projected like any other: 66,000 rows in 55 minutes are 72,000 in an
// hour and far too many in a day.
func TestShortTraceIsProjected(t *testing.T) {
	s := &workload.Slice{Bytes: 200}
	for i := range int64(66_000) {
		s.Entity, s.Time = append(s.Entity, 0), append(s.Time, i*50_000)
	}
	r := recommend(t, s, Options{}, Question{Limits: []Limit{limit(t, "rows > 100000")}}, "hour", "day", "year")
	if r.Width != "hour" || r.Decides != 72_000 {
		t.Errorf("chosen %s, judged by %d rows", r.Width, r.Decides)
	}
	few := &workload.Slice{Bytes: 200, Entity: []int32{0, 0}, Time: []int64{0, 1_000_000}}
	says(t, recommend(t, few, Options{}, Question{}, "hour", "year"), "Too little to choose by: the busiest entity has 2 rows")
}

// An entity that is young and fast goes on at its own pace, not at the trace's: 72,000 rows in its first hour are taken
// as those of a day, so a year has 26,352,000. Its busiest hour tells what a day would hold that is as busy throughout.
func TestYoungEntity(t *testing.T) {
	s := &workload.Slice{Bytes: 200}
	for i := range int64(300) {
		s.Entity, s.Time = append(s.Entity, 0), append(s.Time, i*day)
	}
	for i := range int64(72_000) {
		s.Entity, s.Time = append(s.Entity, 1), append(s.Time, 300*day+i*50_000)
	}
	r := recommend(t, s, Options{}, Question{Limits: []Limit{limit(t, "rows > 100000")}}, "hour", "day", "year")
	if c := checked(t, r, "year", Rows); c.Amount != 26_352_000 || r.Width != "day" || r.Decides != 72_000 {
		t.Errorf("%+v, chosen %s, judged by %d rows", c, r.Width, r.Decides)
	}
	says(t, r, "Entity 1 wrote 72,000 rows in its busiest hour", "Were a whole bucket of width day as busy, it would hold 1,728,000 rows")

	// Once it has written for three days, what a day held has been seen.
	for i := range int64(3) {
		s.Entity, s.Time = append(s.Entity, 1), append(s.Time, (301+i)*day+hour)
	}
	r = recommend(t, s, Options{}, Question{Limits: []Limit{limit(t, "rows > 100000")}}, "hour", "day", "year")
	if strings.Contains(strings.Join(r.Warnings, " "), "busiest hour") {
		t.Errorf("%q", r.Warnings)
	}
}

// What the fastest entity may come to does not hang on the number of workers, nor on the order in which rows arrive.
func TestPaceOrder(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	s := &workload.Slice{Bytes: 100}
	for e := range int32(40) {
		first := r.Int64N(20 * day)
		for range 50 + r.IntN(200) {
			s.Entity, s.Time = append(s.Entity, e), append(s.Time, first+r.Int64N(20*day-first))
		}
	}
	one, _ := Partitions(s, widths(t, "week", "month", "year"), Options{Workers: 1})
	many, _ := Partitions(s, widths(t, "week", "month", "year"), Options{Workers: 5})
	r.Shuffle(len(s.Time), func(i, j int) {
		s.Entity[i], s.Entity[j] = s.Entity[j], s.Entity[i]
		s.Time[i], s.Time[j] = s.Time[j], s.Time[i]
	})
	shuffled, _ := Partitions(s, widths(t, "week", "month", "year"), Options{Workers: 3})
	for i, b := range one.Buckets {
		for _, other := range []*Trace{many, shuffled} {
			p, q := b.Projected, other.Buckets[i].Projected
			if p == nil || q == nil || *p != *q {
				t.Fatalf("seed %d: width %v: %+v and %+v", seed, b.Width, p, q)
			}
		}
	}
	// By brute force: the fastest of those with enough rows that are younger than the width.
	first, rows := map[int32]int64{}, map[int32]int64{}
	var oldest, newest int64 = math.MaxInt64, 0
	for i, e := range s.Entity {
		if rows[e] == 0 || s.Time[i] < first[e] {
			first[e] = s.Time[i]
		}
		rows[e]++
		oldest, newest = min(oldest, s.Time[i]), max(newest, s.Time[i])
	}
	for _, b := range one.Buckets {
		var best int64
		young := 0
		for e, n := range rows {
			active, steps := newest-first[e], n-1
			if active < day {
				active, steps = day, n
			}
			begin := first[e] + b.Width.Longest() // the end of a bucket begun with the first row; whole ones begin later
			if n >= enough && (begin > newest || b.Width.Start(b.Width.Index(first[e]-1)+2) > newest) {
				young++
				best = max(best, int64(math.Ceil(float64(steps)*float64(b.Width.Longest())/float64(active))))
			}
		}
		if b.Projected.Rows != best || young == 0 {
			t.Errorf("width %v: %+v, want %d rows", b.Width, b.Projected, best)
		}
	}
}

// Dates alone do not say that a day's rows came in one second.
func TestDatesOnly(t *testing.T) {
	s := &workload.Slice{Bytes: 100}
	for d := range int64(31) {
		for range 5000 {
			s.Entity, s.Time = append(s.Entity, 0), append(s.Time, d*day)
		}
	}
	dynamo, _ := Limits("dynamodb")
	r := recommend(t, s, Options{Latest: 20}, Question{Limits: append(dynamo, limit(t, "rows > 200000"))}, "hour", "day", "month", "year")
	// 31 dates are a whole month: nothing of it is projected. A year of 366 such days has 1,830,000 rows.
	if c := checked(t, r, "month", Rows); c.Amount != 155_000 || r.Width != "month" || r.Shards != 1 || r.Writes.Peak != 1 {
		t.Errorf("%+v, chosen %s, %d shards, %+v", c, r.Width, r.Shards, r.Writes)
	}
	if c := checked(t, r, "year", Rows); c.Amount != 1_830_000 {
		t.Errorf("%+v", c)
	}
	says(t, r, "All times are whole days apart", "has 5,000 rows, 1 a second if they come evenly and 5,000 if all at once",
		`{"width":"hour","why":"it is narrower than the times are apart: what it would hold and cost is not known"}`)

	// A day that breaks the limit is split; that no bucket helps is not known.
	r = recommend(t, s, Options{}, Question{Limits: []Limit{limit(t, "rows > 2000")}}, "hour", "day", "month")
	if r.Width != "day" || r.Shards != 3 || r.NoBucket {
		t.Errorf("%+v", r)
	}
	says(t, r, "Times are whole days apart, so what a narrower bucket would hold is not known")
}

func TestNewestFirst(t *testing.T) {
	s := &workload.Slice{Bytes: 100}
	for i := range int64(200) {
		s.Entity, s.Time = append(s.Entity, int32(i%3)), append(s.Time, (200-i)*hour)
	}
	says(t, recommend(t, s, Options{}, Question{}, "day"), "The rows come newest first")
}

// 369 days of a row every five minutes lie in two calendar years and fill neither: a year has 105,408.
func TestStraddle(t *testing.T) {
	s := &workload.Slice{Bytes: 100}
	july := int64(19_905) * day // 2024-07-01
	for i := range int64(369 * 288) {
		s.Entity, s.Time = append(s.Entity, 0), append(s.Time, july+i*5*minute+7*second)
	}
	r := recommend(t, s, Options{}, Question{Limits: []Limit{limit(t, "rows >= 100000")}}, "month", "quarter", "year")
	if c := checked(t, r, "year", Rows); c.Amount != 105_408 || r.Width != "quarter" {
		t.Errorf("%+v, chosen %s", c, r.Width)
	}
	if c := checked(t, r, "quarter", Rows); c.Amount != 92*288 { // filled: nothing is projected
		t.Errorf("%+v", c)
	}
}

// A row with a wrong clock changes no pace, and is spoken of.
func TestStrays(t *testing.T) {
	s := &workload.Slice{Bytes: 200}
	start := int64(19_723) * day // 2024-01-01
	for i := range int64(2 * 8640) {
		for e := range int32(5) {
			s.Entity, s.Time = append(s.Entity, e), append(s.Time, start+i*10*second)
		}
	}
	q := Question{Limits: []Limit{limit(t, "rows > 100000")}}
	r := recommend(t, s, Options{}, q, "hour", "day", "week", "year")
	for _, wrong := range []int64{130 * 365 * day, 0} { // about 2099, and 1970
		bad := &workload.Slice{Bytes: 200, Entity: append([]int32{5}, s.Entity...), Time: append([]int64{wrong}, s.Time...)}
		got := recommend(t, bad, Options{}, q, "hour", "day", "week", "year")
		if got.Width != "week" || r.Width != "week" || got.Decides < r.Decides*999/1000 || got.Decides > r.Decides {
			t.Errorf("%d: %s by %d rows, without the stray %s by %d", wrong, got.Width, got.Decides, r.Width, r.Decides)
		}
		says(t, got, "1 of 86,401 rows is far from all others", "a wrong clock?")
	}
	if text := strings.Join(r.Warnings, " "); strings.Contains(text, "clock") {
		t.Error(text)
	}
	// Three rows in seventy years are no strays: nothing says which.
	few := &workload.Slice{Bytes: 200, Entity: []int32{0, 0, 0}, Time: []int64{0, day, 70 * 365 * day}}
	if text := strings.Join(recommend(t, few, Options{}, q, "day").Warnings, " "); strings.Contains(text, "clock") {
		t.Error(text)
	}
}

// Where the rows of the busiest second can't be told, a limit of writes is not said to be kept.
func TestUnknownSecond(t *testing.T) {
	dynamo, _ := Limits("dynamodb")
	s := &workload.Slice{Bytes: 100}
	for i := range int64(3000) {
		s.Entity, s.Time = append(s.Entity, 0), append(s.Time, 100*second+i%2*second)
	}
	r := recommend(t, s, Options{}, Question{Limits: dynamo}, "day")
	if r.Writes.Shards != 1 || r.Writes.Peak != 1 {
		t.Errorf("%+v", r.Writes)
	}
	says(t, r, "or more, at most 3,000: whether dynamodb write-units is kept is not known; at most it would ask for 3 shards")

	dates := &workload.Slice{Bytes: 100}
	for d := range int64(40) {
		for range 39 {
			dates.Entity, dates.Time = append(dates.Entity, 0), append(dates.Time, d*day)
		}
	}
	r = recommend(t, dates, Options{}, Question{Limits: []Limit{limit(t, "write_units > 3")}}, "day")
	says(t, r, "at most 39: whether yours write_units is kept is not known; at most it would ask for 13 shards")

	// A precise time among 1,560 dates changes nothing.
	dates.Entity, dates.Time = append(dates.Entity, 0), append(dates.Time, 5*day+hour+minute+second)
	r = recommend(t, dates, Options{}, Question{Limits: []Limit{limit(t, "write_units > 3")}}, "hour", "day")
	if r.Writes.Peak != 1 {
		t.Errorf("%+v", r.Writes)
	}
	says(t, r, `{"width":"hour","why":"it is narrower than the times are apart`)
}

// What a week held a year may hold, even if New Year's Eve cut it in two.
func TestCutByABoundary(t *testing.T) {
	s := &workload.Slice{Bytes: 100}
	eve := int64(20_087) * day // 2024-12-30, a Monday
	for i := range int64(1200) {
		s.Entity, s.Time = append(s.Entity, 0), append(s.Time, eve-1000*day+i*day)
	}
	for i := range int64(10_000) {
		s.Entity, s.Time = append(s.Entity, 0), append(s.Time, eve+i*4*day/10_000)
	}
	r := recommend(t, s, Options{}, Question{Limits: []Limit{limit(t, "rows > 8000")}}, "day", "week", "year")
	if c := checked(t, r, "year", Rows); c.Amount != 10_007 || r.Width != "day" {
		t.Errorf("%+v, chosen %s", c, r.Width)
	}
	says(t, r, `{"width":"year","limit":"yours rows","ratio":1.250875,"why":"entity 0 in 2025-W01 of width week: 10,007 rows`)
	r = recommend(t, s, Options{}, Question{Limits: []Limit{limit(t, "rows > 20000")}}, "day", "week", "year")
	says(t, r, "A bucket of width week has held 10,007 rows (entity 0 in 2025-W01), more than any of width year so far")
}

// Bytes and rows may be largest in different partitions, and each is named for what it is.
func TestLargestInBytes(t *testing.T) {
	s := &workload.Slice{}
	for d := range int64(100) {
		for i := range int64(60) {
			s.Entity, s.Time, s.Size = append(s.Entity, 0), append(s.Time, d*day+i*minute+second), append(s.Size, 10)
		}
		for i := range int64(10) {
			s.Entity, s.Time, s.Size = append(s.Entity, 1), append(s.Time, d*day+i*hour), append(s.Size, 1_000_000)
		}
	}
	r := recommend(t, s, Options{}, Question{Limits: []Limit{limit(t, "bytes > 20MB")}}, "day", "week")
	if r.Width != "day" {
		t.Errorf("%+v", r)
	}
	says(t, r, "that of the most rows (entity 0 in 1970-01-01) holds 60 rows, and that of the most bytes (entity 1 in 1970-01-01) 10,000,000 bytes.",
		`"why":"entity 1 in 1970-W02: 70,000,000 bytes`)

	// A row that is larger than a partition may be: no width and no shard mends that, and the other limits decide.
	s.Size[0] = 50_000_000
	r = recommend(t, s, Options{}, Question{Limits: []Limit{limit(t, "bytes > 20MB"), limit(t, "rows > 400")}}, "day", "week")
	if r.Width != "day" || r.Shards != 1 {
		t.Errorf("%s in %d shards", r.Width, r.Shards)
	}
	says(t, r, "The largest row has 50,000,000 bytes, 2.5 times yours bytes", "as the largest row does by itself")
}

// Where every width must be split, the one is taken whose reads ask for the fewest partitions.
func TestFewestReads(t *testing.T) {
	s := &workload.Slice{Bytes: 100}
	for e := range int32(20) {
		for i := range int64(400) {
			s.Entity, s.Time = append(s.Entity, e), append(s.Time, i*day+int64(e)*second)
		}
	}
	for i := range int64(30_000) {
		s.Entity, s.Time = append(s.Entity, 20), append(s.Time, 200*day+i*20_000)
	}
	r := recommend(t, s, Options{Latest: 20}, Question{Limits: []Limit{limit(t, "rows > 500")}}, "1m", "hour", "year")
	if r.Width != "year" || r.Reads.LatestP99 >= 200 {
		t.Errorf("%s in %d shards, %+v", r.Width, r.Shards, r.Reads)
	}
}

// An entity with 99 rows is not projected; that it would break the limit is said.
func TestTooFewToTell(t *testing.T) {
	for rows, want := range map[int64]string{99: "year", 100: "quarter"} {
		s := &workload.Slice{Bytes: 100}
		for i := range rows {
			s.Entity, s.Time = append(s.Entity, 0), append(s.Time, i*2*day/(rows-1))
		}
		r := recommend(t, s, Options{}, Question{Limits: []Limit{limit(t, "rows > 5000")}}, "week", "quarter", "year")
		if r.Width != want {
			t.Errorf("%d rows: %s", rows, r.Width)
		}
		if rows == 99 {
			says(t, r, "Entity 0 has too few rows to tell a pace, 99 in 2 days. At that pace a bucket of width year would come to 17,934 rows: 3.59 times")
		}
	}
}

// Counts that no int64 holds end at the largest, or in an error that says what to change.
func TestLargeNumbers(t *testing.T) {
	r := recommendRate(t, "1000000/s", 1, Question{Limits: []Limit{limit(t, "rows > 1")}, Growth: 1e5, Range: 100_000 * day, Latest: 50}, "hour", "day")
	if r.Reads.RangeWorst != math.MaxInt64 || r.Reads.LatestP99 <= 0 || r.Shards != 3_600_000_000*100_000 {
		t.Errorf("%+v, %d shards", r.Reads, r.Shards)
	}
	_, err := RecommendRate(Rate{1_000_000, 1_000_000}, 200, []bucket.Width{bucket.Year}, Question{Growth: 1e9})
	if err == nil || !strings.Contains(err.Error(), "want a smaller factor") {
		t.Error(err)
	}
}

// A hundred rows are enough to tell a stray, and one in five hundred with a wrong clock does not hide a pace.
func TestFewStrays(t *testing.T) {
	start := int64(19_723) * day
	rows := func(n int, wrong func(i int) bool, at int64) *workload.Slice {
		s := &workload.Slice{Bytes: 200}
		for i := range int64(n) {
			s.Entity, s.Time = append(s.Entity, 0), append(s.Time, start+i*100*second)
			if wrong(int(i)) {
				s.Entity, s.Time = append(s.Entity, 0), append(s.Time, at)
			}
		}
		return s
	}
	q := Question{Limits: []Limit{limit(t, "rows > 100000")}}
	for _, at := range []int64{0, 130 * 365 * day} {
		for n, every := range map[int]int{900: 900, 20_000: 501} {
			r := recommend(t, rows(n, func(i int) bool { return i%every == every-1 }, at), Options{}, q, "quarter", "year")
			if r.Width != "quarter" {
				t.Errorf("%d rows, a stray in %d at %d: %+v", n, every, at, r)
			}
			says(t, r, "far from all others")
		}
	}
}

// A burst over the midnight that ends an hour, a day and a quarter is in no bucket whole: that is said.
func TestCutByEveryBoundary(t *testing.T) {
	s := &workload.Slice{Bytes: 100}
	april := int64(19_814) * day // 2024-04-01, a Monday
	for i := range int64(300) {
		s.Entity, s.Time = append(s.Entity, 0), append(s.Time, april+(i-150)*day+hour*12+second)
	}
	for i := range int64(6000) {
		s.Entity, s.Time = append(s.Entity, 0), append(s.Time, april-30*minute+i*600_000)
	}
	r := recommend(t, s, Options{}, Question{Limits: []Limit{limit(t, "rows > 5000")}}, "hour", "day", "week", "month", "quarter")
	if r.Width != "quarter" {
		t.Errorf("%+v", r)
	}
	says(t, r, "Entity 0 wrote 6,000 rows in two buckets of width hour that follow each other, up to 2024-04-01T00; a bucket of width quarter that holds both has 6,000 rows: 1.2 times")
}

// The last step of the times is as long as the others: a week for weekly dates.
func TestLongSteps(t *testing.T) {
	s := &workload.Slice{Bytes: 100}
	for week := range int64(12) {
		for range 1500 {
			s.Entity, s.Time = append(s.Entity, 0), append(s.Time, (19_723+7*week)*day)
		}
	}
	r := recommend(t, s, Options{}, Question{Limits: []Limit{limit(t, "rows > 100000")}}, "day", "month", "year")
	if c := checked(t, r, "year", Rows); c.Amount != 78_429 { // 1,500 x 366 / 7
		t.Errorf("%+v", c)
	}
	says(t, r, "All times are multiples of 7 days apart", `{"width":"day","why":"it is narrower than the times are apart`)

	q := &workload.Slice{Bytes: 100}
	for i := range int64(20 * 96) {
		for range 100 {
			q.Entity, q.Time = append(q.Entity, 0), append(q.Time, i*15*minute)
		}
	}
	r = recommend(t, q, Options{}, Question{Limits: []Limit{limit(t, "rows > 50")}}, "1m", "15m", "hour")
	if r.Width != "15m" || r.Shards != 2 || r.Writes.Peak != 1 {
		t.Errorf("%+v", r)
	}
	says(t, r, "Times are multiples of 15 minutes apart, so what a narrower bucket would hold is not known")
}

// At least so many rows are asked of the median partition, and cells bound a width too.
func TestOtherCounts(t *testing.T) {
	r := recommendRate(t, "1/d", 1, Question{Limits: []Limit{limit(t, "rows < 1000")}}, "year")
	says(t, r, "The median partition has 366 rows, below yours rows (at least 1,000 rows): over-partitioned.")
	rate, _ := ParseRate("10/s")
	if got, l, err := LongestWidth(rate, 1, []Limit{limit(t, "cells > 1000"), limit(t, "rows > 100000000")}, 1); err != nil || got != 100*second || l.Counts != Cells {
		t.Errorf("%d µs, %v, %v", got, l, err)
	}
	// Rows that are each too large: the other limit asks for 6 shards, and there are never more than rows.
	r = recommendRate(t, "10/s", 2000, Question{Limits: []Limit{limit(t, "bytes > 1000"), limit(t, "rows > 100")}}, "1m")
	if r.Shards != 6 || r.SizeBased.Rows != 0 {
		t.Errorf("%d shards, %+v", r.Shards, r.SizeBased)
	}
}

func TestStep(t *testing.T) {
	for _, c := range []struct {
		times []int64
		want  int64
	}{
		{nil, second}, {[]int64{5}, second}, {[]int64{5, 5}, second},
		{[]int64{7 * hour, 7*hour + 3*day, 7*hour - day}, day}, // dates of another zone
		{[]int64{0, 2 * day, day + hour}, hour}, {[]int64{0, 5 * minute, 2 * hour}, minute},
		{[]int64{0, day, day + 30*second}, second}, {[]int64{0, 1}, second}, {[]int64{0, minute, minute + 1, 2 * minute}, second},
	} {
		var s step
		for _, x := range c.times {
			s.add(x)
		}
		if got, all := s.length(); got != c.want || !all {
			t.Errorf("%v: %d µs, want %d", c.times, got, c.want)
		}
	}
}

// Shards multiply what a read asks and divide what a partition holds.
func TestShardsAreCounted(t *testing.T) {
	r, err := ParseRate("1000/s")
	if err != nil {
		t.Fatal(err)
	}
	got, err := RecommendRate(r, 200, []bucket.Width{bucket.Hour}, Question{Limits: []Limit{limit(t, "rows >= 100000")}, Latest: 50, Range: day})
	if err != nil || got.Shards != 37 {
		t.Fatalf("%d shards, %v", got.Shards, err)
	}
	says(t, got, "Each of the 37 shards of a bucket then holds about 97,298 rows", "lie in at most 2 buckets. Every bucket is asked 37 times, once a shard.",
		"reads 888 partitions when it begins with a bucket and 925 at worst", "about 28 to each partition")
}
