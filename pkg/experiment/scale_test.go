package experiment

import (
	"math"
	"testing"

	"pagetouch/pkg/layout"
)

// Sampled reads of 10^12 rows meet their closed forms, for 5 seeds.
func TestAnyScaleMeetsTheory(t *testing.T) {
	checked := 0
	for seed := range uint64(5) {
		s := Lesson()
		s.Seed = seed + 1
		_, results := run(t, s, "any-scale")
		table, _ := results[0].Table("any-scale-check")
		for _, row := range table.Rows {
			if z, ok := row[5].Number(); ok {
				checked++
				if math.Abs(z) > 3 {
					t.Errorf("seed %d, %v: z = %.2f", s.Seed, row[0], z)
				}
			}
		}
	}
	if checked < 30 {
		t.Errorf("%d values checked, want at least 30", checked)
	}
}

// In the comparison each registered layout has a row, and even posting reads what the lesson's section reads.
func TestAllLayoutsAreCompared(t *testing.T) {
	s := Lesson()
	s.Posts, s.Users, s.Sample, s.Account = 40_000, 400, 100, 20_000
	_, results := run(t, s, "all-layouts", "uneven-posting", "latest-20")
	for _, r := range results {
		for _, table := range r.Tables {
			for _, row := range table.Rows {
				if len(row) != len(table.Columns) {
					t.Errorf("%s: a row of %d cells under %d columns", table.Name, len(row), len(table.Columns))
				}
			}
		}
	}
	table, _ := results[1].Table("all-layouts")
	if len(table.Rows) != len(layout.All()) {
		t.Errorf("%d layouts compared of %d", len(table.Rows), len(layout.All()))
	}
}

// Settings at the edge of sense run through: a user, a post, a row as large as a page, more asked for than there is.
func TestOddSettings(t *testing.T) {
	for name, change := range map[string]func(*Setting){
		"one user":         func(s *Setting) { s.Users, s.Sample = 1, 1 },
		"one post":         func(s *Setting) { s.Posts = 1 },
		"few posts":        func(s *Setting) { s.Posts = 30 },
		"large rows":       func(s *Setting) { s.RowBytes = 8192 },
		"small pages":      func(s *Setting) { s.PageBytes, s.RowBytes = 64, 60 },
		"latest 500":       func(s *Setting) { s.Latest = 500 },
		"a day, an hour":   func(s *Setting) { s.To, s.RangeFrom, s.RangeTo = s.From+day, s.From, s.From+day/24 },
		"account of one":   func(s *Setting) { s.Account = 1 },
		"everyone sampled": func(s *Setting) { s.Sample = s.Users },
	} {
		t.Run(name, func(t *testing.T) {
			s := Lesson()
			s.Posts, s.Users, s.Sample, s.Account = 2_000, 40, 10, 500
			change(&s)
			run(t, s, "all-layouts", "any-scale", "uneven-posting")
		})
	}
}
