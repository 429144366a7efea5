package experiment

import (
	"encoding/json"
	"math"
	"testing"
)

var placedAnew = []string{"covering-index", "clustered-index", "cluster-decay"}

// Reads through covering and clustered indexes and in a decaying heap meet their closed forms, for 5 seeds.
func TestIndexesMeetTheory(t *testing.T) {
	checked := 0
	for seed := range uint64(5) {
		s := Lesson()
		s.Seed, s.Posts, s.Users = seed+1, 400_000, 4_000
		_, results := run(t, s, placedAnew...)
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
				} else if got, _ := row[2].Number(); row[1].String() == "rows" {
					if want, _ := row[3].Number(); math.Abs(got-want) > want/100 {
						t.Errorf("seed %d, %s, %v: %.3f, want %.3f", s.Seed, r.Name, row[0], got, want)
					}
				}
			}
		}
	}
	if checked < 80 {
		t.Errorf("%d values checked, want at least 80", checked)
	}
}

// Settings at the edge give numbers, no error and nothing that JSON cannot hold.
func TestIndexesAtTheEdge(t *testing.T) {
	for name, change := range map[string]func(*Setting){
		"one post":            func(s *Setting) { s.Posts, s.Users, s.Sample = 1, 1, 1 },
		"a post a page":       func(s *Setting) { s.PageBytes = 200 },
		"a large page":        func(s *Setting) { s.PageBytes, s.PageHeader, s.RowHeader = 1<<20, 120, 24 },
		"latest 1":            func(s *Setting) { s.Latest = 1 },
		"more than there are": func(s *Setting) { s.Latest = 10_000 },
		"fanout 2":            func(s *Setting) { s.EntryBytes = 4096 },
	} {
		s := Lesson()
		s.Posts, s.Users, s.Sample, s.Account = 3_000, 30, 20, 100
		change(&s)
		_, results := run(t, s, placedAnew...)
		for _, r := range results {
			if _, err := json.Marshal(r); err != nil {
				t.Errorf("%s, %s: %v", name, r.Name, err)
			}
		}
	}
}
