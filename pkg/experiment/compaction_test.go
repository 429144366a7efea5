package experiment

import (
	"math"
	"testing"
)

// Real engines with the lesson's posts, 200 users, in files that were not merged: Pebble 2.1.7 after 20 flushes reads
// 20.50 data pages in 20 files; Cassandra 5.0.9 looks into 4.47 of 19 files for the latest 20 and 1.99 for March.
func TestUnmergedFilesPredictRealEngines(t *testing.T) {
	_, results := run(t, Lesson(), "before-compaction")
	table, ok := results[0].Table("before-compaction-engines")
	if !ok || len(table.Rows) != 5 {
		t.Fatalf("engines: %+v", table)
	}
	within := []float64{0.001, 0.02, 0.03, 0.07, 0.01} // of what was measured
	for i, row := range table.Rows {
		measured, _ := row[3].Number()
		simulated, _ := row[4].Number()
		if math.Abs(simulated/measured-1) > within[i] {
			t.Errorf("%v %v: simulated %v, measured %v", row[0], row[1], simulated, measured)
		}
	}
}

// A tenth of the lesson's size, where every file holds as much of each user: counts meet their closed forms, mistaken
// filters theirs, and merging twenty equal flushes by size writes rows 2.8 times.
func TestSortedFilesMeetTheory(t *testing.T) {
	for seed := range uint64(5) {
		s := Lesson()
		s.Posts, s.Users, s.Sample, s.Seed = 200_000, 2_000, 500, 100+seed
		_, results := run(t, s, "before-compaction")
		r := results[0]
		check, _ := r.Table("before-compaction-check")
		for _, row := range check.Rows {
			if z, ok := row[5].Number(); ok && math.Abs(z) > 3.5 {
				t.Errorf("seed %d, %v: z = %.2f", s.Seed, row[0], z)
			}
		}
		filters, _ := r.Table("before-compaction-filters")
		for _, row := range filters.Rows {
			simulated, _ := row[3].Number()
			expected, _ := row[4].Number()
			// Of 500 users, counts of rare mistakes: within five standard deviations.
			if math.Abs(simulated-expected) > 5*math.Sqrt(expected/500)+1e-9 {
				t.Errorf("seed %d, %v bits: %v files in vain, expected %v", s.Seed, row[0], simulated, expected)
			}
		}
		for name, want := range map[string]float64{
			"tiered.write_amplification": 2.8, "never.write_amplification": 1, "one.write_amplification": 2,
			"plain.latest.files": 20, "one.latest.files": 1, "one.files": 1, "tiered.files": 2,
		} {
			if v, ok := r.Value(name); !ok || v.Number != want {
				t.Errorf("seed %d: %s is %v, want %v", s.Seed, name, v.Number, want)
			}
		}
	}
}

// Settings with hardly a post are no error.
func TestSortedFilesOfFewPosts(t *testing.T) {
	for _, posts := range []int64{1, 3, 50} {
		s := Lesson()
		s.Posts, s.Users, s.Sample, s.Account = posts, 2, 2, 1
		run(t, s, "before-compaction", "replicas")
	}
}

// One partition is on as many nodes as it has copies, in a cluster of any size; a day's buckets keep a day's writes
// together, and only a split spreads them.
func TestReplicasOfTheAccount(t *testing.T) {
	s := Lesson()
	s.Posts, s.Sample, s.Account = 20_000, 10, 20_000 // the account's number, and so its tokens, are the lesson's
	_, results := run(t, s, "replicas")
	r := results[0]
	for name, want := range map[string]float64{
		"one.holding": 3, "one.busiest": 100, "one.current": 100, "month.current": 100, "day.current": 100,
		"one.partitions": 1, "month.partitions": 12, "sharded.partitions": 96, "day.partitions": 365, "sharded.reads": 8, "month.reads": 1,
	} {
		if v, ok := r.Value(name); !ok || v.Number != want {
			t.Errorf("%s is %v, want %v", name, v.Number, want)
		}
	}
	nodes, _ := r.Table("replicas-nodes")
	for _, row := range nodes.Rows {
		for c := 1; c < len(row); c += 2 {
			holding, _ := row[c].Number()
			expected, _ := row[c+1].Number()
			if math.Abs(holding/expected-1) > 0.05 {
				t.Errorf("%v nodes: %v hold a copy, expected %v", row[0], holding, expected)
			}
		}
	}
}
