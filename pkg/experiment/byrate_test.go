package experiment

import (
	"slices"
	"strings"
	"testing"

	"pagetouch/pkg/sizing"
)

// Case W16 of a blog's sizing table: a row a second of 100 bytes, under 100 MB and under 100,000 rows.
func TestBucketByRate(t *testing.T) {
	r, err := BucketByRate(Device())
	if err != nil {
		t.Fatal(err)
	}
	if want := "At 1/s, rows of 100 bytes, the widest bucket that keeps what cassandra asks for is the day."; r.Headline != want {
		t.Errorf("headline %q, want %q", r.Headline, want)
	}
	var got []string
	for _, row := range r.Tables[0].Rows[:3] {
		var cells []string
		for _, c := range row {
			cells = append(cells, c.Exact())
		}
		got = append(got, strings.Join(cells, " | "))
	}
	want := []string{
		"hour | 3600 | 360000 | cassandra rows-advice (under 100,000 rows) | 0.036 | kept | 2 | 25",
		"day | 86400 | 8640000 | cassandra rows-advice (under 100,000 rows) | 0.864 | kept | 2 | 2",
		"week | 604800 | 60480000 | cassandra rows-advice (under 100,000 rows) | 6.048 | broken | 2 | 2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Every store gives a result, and what cannot be is an error.
func TestBucketByRateOfAnyone(t *testing.T) {
	stores, err := sizing.Stores()
	if err != nil {
		t.Fatal(err)
	}
	for _, store := range stores {
		w := Device()
		w.Store, w.Rate, w.Growth = store, "5000/s", 2
		if r, err := BucketByRate(w); err != nil || len(r.Tables[0].Rows) != 6 {
			t.Errorf("%s: %v", store, err)
		}
	}
	for _, bad := range []func(*Writer){
		func(w *Writer) { w.Rate = "many" }, func(w *Writer) { w.Store = "abacus" }, func(w *Writer) { w.RowBytes = -1 }, func(w *Writer) { w.Growth = .5 },
	} {
		w := Device()
		bad(&w)
		if _, err := BucketByRate(w); err == nil {
			t.Errorf("%+v is no error", w)
		}
	}
}
