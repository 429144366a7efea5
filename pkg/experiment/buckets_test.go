package experiment

import (
	"math"
	"testing"

	"pagetouch/pkg/figure"
)

var bucketExperiments = []string{"bucket-widths", "size-buckets-and-shards", "range-split"}

// The lesson's rates on a tenth of its users: simulated values lie within three standard errors of the closed forms.
func TestBucketsMeetTheory(t *testing.T) {
	checked := 0
	for seed := range uint64(3) {
		s := Lesson()
		s.Posts, s.Users, s.Sample, s.Account, s.Seed = 200_000, 2_000, 500, 100_000, seed+1
		_, results := run(t, s, bucketExperiments...)
		for _, r := range results {
			table, ok := r.Table(r.Name + "-check")
			if !ok {
				t.Fatalf("%s has no check table", r.Name)
			}
			for _, row := range table.Rows {
				if z, ok := row[5].Number(); ok {
					checked++
					if math.Abs(z) > 3 {
						t.Errorf("seed %d, %s, %v: z = %.2f", s.Seed, r.Name, row[0], z)
					}
				}
			}
		}
	}
	if checked < 40 {
		t.Errorf("%d values checked, want at least 40", checked)
	}
}

// Settings at the edge still give results that can be drawn: one user, an account of one post, two days of posts, rows
// larger than half a page.
func TestBucketsAtTheEdge(t *testing.T) {
	for name, change := range map[string]func(*Setting){
		"one user":     func(s *Setting) { s.Users, s.Sample, s.Posts = 1, 1, 1 },
		"one post":     func(s *Setting) { s.Account = 1 },
		"two days":     func(s *Setting) { s.To = s.From + 2*day; s.RangeFrom, s.RangeTo = s.From, s.From+day/2 },
		"large rows":   func(s *Setting) { s.RowBytes = 5000 },
		"huge account": func(s *Setting) { s.Account = 200_000; s.To = s.From + 31*day; s.RangeFrom, s.RangeTo = s.From, s.To },
	} {
		s := Lesson()
		s.Posts, s.Users, s.Sample, s.Account = 2_000, 20, 10, 5_000
		change(&s)
		_, results := run(t, s, bucketExperiments...)
		for _, r := range results {
			for _, f := range r.Figures {
				if err := figure.Check(f); err != nil {
					t.Errorf("%s, %s: %v", name, r.Name, err)
				}
			}
			for _, table := range r.Tables {
				for _, row := range table.Rows {
					if len(row) != len(table.Columns) {
						t.Errorf("%s, %s: a row of %d cells under %d columns", name, table.Name, len(row), len(table.Columns))
					}
				}
			}
			for _, v := range r.Values {
				if math.IsNaN(v.Number) || math.IsInf(v.Number, 0) {
					t.Errorf("%s, %s: %s is %v", name, r.Name, v.Name, v.Number)
				}
			}
		}
	}
}

// The numbers of the lesson's setting that follow from the calendar or from counting alone.
func TestBucketNumbers(t *testing.T) {
	if testing.Short() {
		t.Skip("places two million hour buckets")
	}
	_, results := run(t, Lesson(), bucketExperiments...)
	want := map[string]float64{
		// Hours, days, ISO weeks, months, quarters and years that 2025 touches: a user with two posts is asked about all.
		"hour.quiet.partition_reads": 8760, "day.quiet.partition_reads": 365, "week.quiet.partition_reads": 53,
		"month.quiet.partition_reads": 12, "quarter.quiet.partition_reads": 4, "year.quiet.partition_reads": 1,
		// Case W24, the card: a dashboard of the last 24 hours asks one or two days, 24 or 25 hours.
		"day.day.partition_reads": 1, "day.day_shifted.partition_reads": 2, "hour.day.partition_reads": 24, "hour.day_shifted.partition_reads": 25,
		"hour.month.partition_reads": 744, "hour.month_shifted.partition_reads": 745,
		"year.largest.rows": 1_000_000, "limit.rows": 100_000,
		// A million posts in buckets of ten thousand; a shard of 16 is asked for twenty rows each.
		"buckets-of-10000-rows.largest.rows": 10_000, "buckets-of-10000-rows.account.partition_reads": 2,
		"shards-16.account.partition_reads": 16, "shards-16.account.rows_examined": 320,
		"row-per-entity.largest.bytes": 200_000_000, "row-per-post.largest.bytes": 200, "row-per-post.units": 3_000_000,
		"quiet.day_partitions": 365, "quiet.scans": 1,
	}
	for _, r := range results {
		for _, v := range r.Values {
			if n, ok := want[v.Name]; ok {
				delete(want, v.Name)
				if v.Number != n {
					t.Errorf("%s: %s is %v, want %v", r.Name, v.Name, v.Number, n)
				}
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("no values %v", want)
	}
}
