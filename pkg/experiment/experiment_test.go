package experiment

import (
	"math"
	"testing"

	"pagetouch/pkg/result"
)

func run(t testing.TB, s Setting, names ...string) (*Lab, []*result.Result) {
	t.Helper()
	lab := New(s)
	chosen, err := Named(names)
	if err != nil {
		t.Fatal(err)
	}
	var results []*result.Result
	for _, e := range chosen {
		r, err := e.Run(lab)
		if err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
		results = append(results, r)
	}
	return lab, results
}

// Simulated values lie within three standard errors of the closed forms, for 20 seeds.
func TestSimulationMeetsTheoryFor20Seeds(t *testing.T) {
	checked := 0
	for seed := range uint64(20) {
		s := Lesson()
		s.Seed = seed + 1
		_, results := run(t, s, "latest-20", "march-2025", "big-account", "month-buckets")
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
	if checked < 200 {
		t.Errorf("%d values checked, want at least 200", checked)
	}
}
