package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"pagetouch/pkg/dist"
	"pagetouch/pkg/schema"
	"pagetouch/pkg/sizing"
)

// sizedAnswers is what size -json prints.
type sizedAnswers struct {
	Widths         []sizing.Estimate
	Limits         []sizing.Check
	Recommendation sizing.Recommendation
	Longest        longest `json:"longest_width"`
	Partition      partition
	Fits           []fit
	Partitions     []over
}

func size(t *testing.T, args ...string) (s sizedAnswers) {
	t.Helper()
	answered(t, &s, append([]string{"size"}, args...)...)
	return s
}

func (s sizedAnswers) width(name string) sizing.Estimate {
	for _, w := range s.Widths {
		if w.Name == name {
			return w
		}
	}
	return sizing.Estimate{}
}

// refused are the widths that break a limit.
func (s sizedAnswers) refused() (names []string) {
	for _, r := range s.Recommendation.Refused {
		if r.Limit != "" {
			names = append(names, r.Width)
		}
	}
	return names
}

// review is what schema -json prints.
func review(t *testing.T, code int, statement string, args ...string) (found []schema.Finding) {
	t.Helper()
	var s struct{ Findings []schema.Finding }
	out, said, got := execute(t, append([]string{"schema", "-json", file(t, "t.cql", statement)}, args...)...)
	if got != code {
		t.Errorf("exit %d, want %d: %s", got, code, said)
	}
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		t.Fatal(err)
	}
	return s.Findings
}

func says(found []schema.Finding, rule schema.Rule, text string) bool {
	for _, f := range found {
		if f.Rule == rule && strings.Contains(f.Text, text) {
			return true
		}
	}
	return false
}

// rowsAt is a trace of one entity with rows at times in days.
func rowsAt(t *testing.T, days ...float64) string {
	var b strings.Builder
	b.WriteString("entity,ts\n")
	for _, d := range days {
		fmt.Fprintf(&b, "c,%s\n", time.UnixMicro(int64(d*86400e6)).UTC().Format(time.RFC3339Nano))
	}
	return file(t, "rows.csv", b.String())
}

// at is a time in days for -now.
func at(day float64) string {
	return time.UnixMicro(int64(day * 86400e6)).UTC().Format(time.RFC3339Nano)
}

// Each case once through the command; the numbers are those of the cases on partition sizes, widths and fan-out.
func TestCases(t *testing.T) {
	want := func(t *testing.T, what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	t.Run("W1", func(t *testing.T) {
		s := size(t, "-rate", "266047/h", "-limit", "rows > 100000", "-widths", "5m,10m,15m,20m,30m,1h", "-range", "24h")
		want(t, "width", s.Recommendation.Width, "20m")
		want(t, "seconds", s.Longest.Micros/1e6, 1353)
		want(t, "20m", s.width("20m").Rows, 88683)
		want(t, "30m", s.width("30m").Rows, 133024)
		want(t, "refused", s.refused(), []string{"30m", "hour", "day", "week", "month", "quarter", "year"})
		want(t, "range", s.width("20m").Range, sizing.Span{Aligned: 72, Worst: 73})
		want(t, "range 1h", s.width("hour").Range, sizing.Span{Aligned: 24, Worst: 25})
	})
	t.Run("W2", func(t *testing.T) {
		s := size(t, "-rate", "3600/h", "-row-bytes", "39349", "-limit", "bytes > 100MiB", "-widths", "10m,30m,1h", "-range", "1h")
		want(t, "width", s.Recommendation.Width, "30m")
		want(t, "1h MiB", fmt.Sprintf("%.1f", float64(s.width("hour").Bytes)/(1<<20)), "135.1")
		want(t, "30m MiB", fmt.Sprintf("%.1f", float64(s.width("30m").Bytes)/(1<<20)), "67.5")
		want(t, "10m range", s.width("10m").Range.Aligned, 6)
	})
	t.Run("W5", func(t *testing.T) {
		s := size(t, "-rows", "500000", "-limit", "bytes > 100MB")
		want(t, "largest row", s.Fits[0].LargestRow, 200)
		s = size(t, "-rows", "500000", "-row-bytes", "1024", "-limit", "bytes > 100MB")
		want(t, "bytes", s.Partition.Bytes, 512_000_000)
		want(t, "kept", s.Limits[0].Kept, false)
		want(t, "rows that fit", s.Fits[0].Rows, 97656)
	})
	t.Run("W6", func(t *testing.T) {
		want(t, "days", size(t, "-rate", "100000/d", "-rows", "5000000").Partition.Micros, int64(50*86400e6))
	})
	t.Run("W9a", func(t *testing.T) {
		var days []float64
		for d := 0; d <= 198; d += 3 {
			days = append(days, float64(d))
		}
		var p printed
		answered(t, &p, "trace", "-latest", "50", "-widths", "10d", "-now", at(200), rowsAt(t, days...))
		want(t, "rows", p.Rows, 67)
		want(t, "read", p.Buckets["10d"].Latest.Read.Max, 16)
		want(t, "empty", p.Buckets["10d"].Latest.Empty.Max, 1)
		want(t, "returned", p.Latest.N, 50)
	})
	t.Run("W9b", func(t *testing.T) {
		var days []float64
		for i := range 600 {
			days = append(days, float64(i)/3)
		}
		var p printed
		answered(t, &p, "trace", "-latest", "50", "-widths", "10d", "-now", at(199.9), rowsAt(t, days...))
		want(t, "read", p.Buckets["10d"].Latest.Read.Max, 2)
		want(t, "empty", p.Buckets["10d"].Latest.Empty.Max, 0)
	})
	t.Run("W9c", func(t *testing.T) {
		var p printed
		answered(t, &p, "trace", "-latest", "50", "-widths", "10d", "-now", at(730), rowsAt(t, 0))
		b := p.Buckets["10d"].Fewer
		want(t, "read", b.Read, dist.Of([]int64{74}))
		want(t, "empty", b.Empty, dist.Of([]int64{73}))
		want(t, "directory", b.Directory, dist.Of([]int64{1}))
	})
	t.Run("W10", func(t *testing.T) {
		want(t, "7 days", size(t, "-rate", "1/s", "-range", "7d").width("hour").Range, sizing.Span{Aligned: 168, Worst: 169})
		want(t, "1 hour", size(t, "-rate", "1/s", "-range", "1h").width("hour").Range, sizing.Span{Aligned: 1, Worst: 2})
	})
	t.Run("W11", func(t *testing.T) {
		found := review(t, 1, `CREATE TABLE rooms (hotel text, day date, room smallint, free boolean, PRIMARY KEY ((hotel), day, room)) WITH CLUSTERING ORDER BY (day DESC, room ASC);`, "-rows", "73000", "-sizes", "hotel=5")
		if !says(found, schema.Size, "73,000 values and 1,095,005 bytes") {
			t.Errorf("%+v", found)
		}
	})
	t.Run("W12", func(t *testing.T) {
		found := review(t, 1, `CREATE TABLE t (k int, c text, s text STATIC, a tinyint, b bigint, PRIMARY KEY ((k), c));`, "-rows", "10000", "-sizes", "c=150,s=250")
		if !says(found, schema.Size, "20,001 values and 1,750,262 bytes") {
			t.Errorf("%+v", found)
		}
	})
	t.Run("W13", func(t *testing.T) {
		report := file(t, "partitions.csv", "key,bytes,rows\na,110158965,91490\nb,133422183,111065\nc,373362819,310706\nd,223704192,186582\n")
		s := size(t, "-partitions", report, "-limit", "bytes > 100MiB", "-limit", "rows > 100000", "-limit", "rows > 200000")
		for i, n := range []int{4, 3, 1} {
			want(t, s.Partitions[i].Limit, s.Partitions[i].Broken, n)
			if d := s.Partitions[i].Of; d.P50 > d.Max || d.P99 > d.Max {
				t.Errorf("%+v", d)
			}
		}
	})
	t.Run("W16", func(t *testing.T) {
		s := size(t, "-rate", "1/s", "-row-bytes", "100", "-limit", "bytes > 100MB", "-limit", "rows > 100000", "-widths", "1d,7d,30d")
		want(t, "width", s.Recommendation.Width, "day")
		want(t, "1d", []int64{s.width("day").Rows, s.width("day").Bytes}, []int64{86400, 8_640_000})
		want(t, "7d", []int64{s.width("7d").Rows, s.width("7d").Bytes}, []int64{604800, 60_480_000})
		want(t, "30d", s.width("30d").Bytes, 259_200_000)
		for _, k := range s.Limits {
			if k.Width == "7d" {
				want(t, "7d keeps "+string(k.Counts), k.Kept, k.Counts == sizing.Bytes)
			}
			if k.Width == "30d" {
				want(t, "30d keeps "+string(k.Counts), k.Kept, false)
			}
		}
		want(t, "month", size(t, "-rate", "1000/s", "-row-bytes", "100").width("month").Rows, int64(2_678_400_000))
	})
	t.Run("W18", func(t *testing.T) {
		columns := "CREATE TABLE r (device_id text, time_bucket timestamp, timestamp timestamp, v double, PRIMARY KEY "
		found := review(t, 1, columns+"(device_id, time_bucket, timestamp));", "-rate", "1/s", "-over", "365d", "-width", "hour")
		if !says(found, schema.Misplaced, "(device_id) alone") || !says(found, schema.Misplaced, "1 partition of 31,536,000 rows") || len(found) != 3 {
			t.Errorf("%+v", found)
		}
		for _, f := range found { // one fix for each fault, and they agree
			if want := map[schema.Rule]string{schema.Misplaced: "move it into the partition key: PRIMARY KEY ((device_id, time_bucket), timestamp); it needs a new table",
				schema.OldestFirst: "say WITH CLUSTERING ORDER BY (timestamp DESC), or write ORDER BY timestamp DESC in every such query",
				schema.Size:        "mend the partition key first, as said above"}[f.Rule]; f.Do != want || f.Warn != (want != "") {
				t.Errorf("%+v, want the fix %q", f, want)
			}
		}
		found = review(t, 0, columns+"((device_id, time_bucket), timestamp)) WITH CLUSTERING ORDER BY (timestamp DESC);", "-rate", "1/s", "-over", "365d", "-width", "hour")
		if !says(found, schema.Size, "8,760 partitions; in each, 3,600 rows") {
			t.Errorf("%+v", found)
		}
	})
	t.Run("W20", func(t *testing.T) {
		found := review(t, 1, `CREATE TABLE events (name text, "when" timestamp, what text, PRIMARY KEY (name, "when", what));`)
		if !says(found, schema.OldestFirst, "oldest") {
			t.Errorf("%+v", found)
		}
	})
	t.Run("W23", func(t *testing.T) {
		var b strings.Builder
		for i := range 20 {
			month := 10 + min(i/6, 1) // 6 in October, 14 in November
			fmt.Fprintf(&b, "u,2026-%02d-%02dT12:00:00Z\n", month, i+1)
		}
		var p printed
		answered(t, &p, "trace", file(t, "u.csv", "user,time\n"+b.String()))
		want(t, "reads", p.Buckets["month"].Latest.Read.Max, 2)
		want(t, "layout", p.Latest.Layouts["month-buckets"].Data.N, 1)
	})
	t.Run("W24", func(t *testing.T) {
		s := size(t, "-rate", "1/s", "-range", "24h")
		want(t, "day", s.width("day").Range, sizing.Span{Aligned: 1, Worst: 2})
		want(t, "hour", s.width("hour").Range, sizing.Span{Aligned: 24, Worst: 25})
	})
}

// Every case of the list has a test here.
func TestCasesAreAll(t *testing.T) {
	dir := sharedTraces(t)
	list, err := os.ReadFile(dir + "/../cases/sizing.md")
	if err != nil {
		t.Skip(err)
	}
	own, err := os.ReadFile("cases_test.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.SplitSeq(string(list), "\n") {
		if !strings.HasPrefix(line, "| W") {
			continue
		}
		n++
		id := strings.Fields(line)[1]
		if !strings.Contains(string(own), `t.Run("`+id+`"`) {
			t.Errorf("no test of case %s", id)
		}
	}
	if n < 16 {
		t.Errorf("%d cases in the list, want 16 or more", n)
	}
}
