package sizing

import (
	"fmt"
	"testing"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/workload"
)

// Between what keeps the limit and what breaks it lie round widths; of these, and of the widths below an hour, those are
// kept that show the choice.
func TestFiner(t *testing.T) {
	rows := []Limit{limit(t, "rows > 100000")}
	for _, c := range []struct{ rate, first, finer, second, kept string }{
		{"266047/h", "hour", "[1m 5m 10m 15m 20m 30m]", "20m", "[20m 30m]"}, // W1
		{"8000/h", "hour", "[2h 3h 4h 6h 8h 12h]", "12h", "[12h]"},
		{"9000/h", "hour", "[2h 3h 4h 6h 8h 12h]", "8h", "[8h 12h]"},
		{"20000/d", "day", "[2d 3d]", "3d", "[3d]"},
		{"90000/d", "day", "[2d 3d]", "day", "[]"},
		{"8000/d", "week", "[10d]", "10d", "[10d]"},
		{"100/d", "year", "[]", "year", "[]"},
		{"200/d", "year", "[]", "year", "[]"},
		{"5000/s", "hour", "[1m 5m 10m 15m 20m 30m]", "1m", "[1m 5m]"},
	} {
		widths := bucket.Named()
		r := recommendRate(t, c.rate, 1, Question{Limits: rows}, names(widths)...)
		finer := r.Finer(widths)
		if r.Width != c.first || fmt.Sprint(finer) != c.finer {
			t.Errorf("%s: %s, then try %v; want %s, %s", c.rate, r.Width, finer, c.first, c.finer)
		}
		r = recommendRate(t, c.rate, 1, Question{Limits: rows}, names(append(widths, finer...))...)
		if kept := r.Kept(finer); r.Width != c.second || fmt.Sprint(kept) != c.kept {
			t.Errorf("%s: %s, keep %v; want %s, %s", c.rate, r.Width, kept, c.second, c.kept)
		}
	}
	// Where no time bucket helps, and below the step of the times, there is nothing to try.
	once := &workload.Slice{Entity: make([]int32, 250_001), Time: make([]int64, 250_001), Bytes: 10}
	r := recommend(t, once, Options{}, Question{Limits: rows}, "hour", "day")
	if finer := r.Finer(widths(t, "hour", "day")); finer != nil {
		t.Errorf("all at one time: try %v", finer)
	}
	for i := range once.Time {
		once.Time[i] = int64(i%10) * hour
	}
	r = recommend(t, once, Options{}, Question{Limits: []Limit{limit(t, "rows > 1000")}}, "hour", "day")
	if finer := r.Finer(widths(t, "hour", "day")); finer != nil || r.Shards != 26 {
		t.Errorf("whole hours: try %v, %d shards", finer, r.Shards)
	}
	if finer := (&Recommendation{}).Finer(nil); finer != nil {
		t.Errorf("no candidates: try %v", finer)
	}
}

func names(widths []bucket.Width) (names []string) {
	for _, w := range widths {
		names = append(names, w.String())
	}
	return names
}
