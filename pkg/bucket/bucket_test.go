package bucket

import (
	"testing"
	"time"
)

func at(s string) int64 {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t.UnixMicro()
}

func TestIndexAndStart(t *testing.T) {
	for _, c := range []struct {
		width       Width
		time, start string
		label       string
	}{
		{Hour, "2025-03-01T13:59:59Z", "2025-03-01T13:00:00Z", "2025-03-01T13"},
		{Day, "1969-12-31T23:59:59Z", "1969-12-31T00:00:00Z", "1969-12-31"},
		{Week, "2025-03-09T23:59:59Z", "2025-03-03T00:00:00Z", "2025-W10"}, // a Sunday
		{Week, "1970-01-01T00:00:00Z", "1969-12-29T00:00:00Z", "1970-W01"},
		{Month, "2024-02-29T12:00:00Z", "2024-02-01T00:00:00Z", "2024-02"},
		{Month, "1969-12-31T23:59:59Z", "1969-12-01T00:00:00Z", "1969-12"},
		{Quarter, "2025-12-31T00:00:00Z", "2025-10-01T00:00:00Z", "2025-Q4"},
		{Year, "1600-06-01T00:00:00Z", "1600-01-01T00:00:00Z", "1600"},
	} {
		k := c.width.Index(at(c.time))
		if got := c.width.Start(k); got != at(c.start) || c.width.Label(k) != c.label {
			t.Errorf("%v of %s starts at %s and is %q, want %s, %q", c.width, c.time,
				time.UnixMicro(got).UTC().Format(time.RFC3339), c.width.Label(k), c.start, c.label)
		}
		if next := c.width.Start(k + 1); c.width.Index(next) != k+1 || c.width.Index(next-1) != k {
			t.Errorf("%v of %s: bucket %d does not end where the next begins", c.width, c.time, k)
		}
		cursor := Cursor{Width: c.width}
		for range 2 {
			if got := cursor.Index(at(c.time)); got != k {
				t.Errorf("cursor of %v at %s = %d, want %d", c.width, c.time, got, k)
			}
		}
	}
}

// zipkin #1224 (case W10) and the card's dashboard (case W24).
func TestTouched(t *testing.T) {
	week, half := at("2025-03-03T00:00:00Z"), int64(30*60*1e6)
	for _, c := range []struct {
		name     string
		width    Width
		from, to int64
		want     int64
	}{
		{"W10 seven days aligned", Hour, week, week + 7*day, 168},
		{"W10 seven days shifted", Hour, week + half, week + half + 7*day, 169},
		{"W10 one hour aligned", Hour, week, week + hour, 1},
		{"W10 one hour shifted", Hour, week + half, week + half + hour, 2},
		{"W24 daily aligned", Day, week, week + day, 1},
		{"W24 daily", Day, week + half, week + half + day, 2},
		{"W24 hourly aligned", Hour, week, week + day, 24},
		{"W24 hourly", Hour, week + half, week + half + day, 25},
		{"empty", Hour, week, week, 0},
		{"inverted", Hour, week, week - 1, 0},
		{"forever", Forever, -1 << 62, 1 << 62, 1},
	} {
		if got := c.width.Touched(c.from, c.to); got != c.want {
			t.Errorf("%s: %d buckets, want %d", c.name, got, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	for s, want := range map[string]Width{"month": Month, "months": Month, "1d": Day, "1h": Hour, "forever": Forever,
		"20m": Fixed(20 * 60 * 1e6), "7d": Fixed(7 * day), "10d": Fixed(10 * day)} {
		if got, err := Parse(s); err != nil || got != want {
			t.Errorf("Parse(%q) = %v, %v; want %v", s, got, err, want)
		}
	}
	if w, _ := Parse("7d"); w.Index(at("1970-01-07T23:59:59Z")) != 0 {
		t.Error("7d must count from the epoch, not from Monday")
	}
	for _, s := range []string{"", "d", "0d", "-1d", "1x", "1.5h", "99999999999999999999d", "9223372036854775807d"} {
		if w, err := Parse(s); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", s, w)
		}
	}
}

// Months agree with the standard library's calendar on every day of four thousand years.
func TestMonthsAgainstCalendar(t *testing.T) {
	d := time.Date(-10, 1, 1, 0, 0, 0, 0, time.UTC)
	for d.Year() < 4000 {
		want := int64(d.Year()-1970)*12 + int64(d.Month()) - 1
		if got := Month.Index(d.UnixMicro()); got != want {
			t.Fatalf("%s is in month %d, want %d", d.Format(time.DateOnly), got, want)
		}
		if d.Day() == 1 && Month.Start(want) != d.UnixMicro() {
			t.Fatalf("month %d starts at %d, want %s", want, Month.Start(want), d.Format(time.DateOnly))
		}
		d = d.AddDate(0, 0, 1)
	}
}

func TestSpelled(t *testing.T) {
	for name, want := range map[string]string{"month": "one month", "1h": "one hour", "day": "one day", "week": "one week", "7d": "7 days", "1w": "7 days", "10d": "10 days", "20m": "20 minutes",
		"1m": "one minute", "60m": "one hour", "90m": "90 minutes", "1s": "one second", "5001s": "5,001 seconds", "48h": "2 days", "36h": "36 hours", "forever": "all time"} {
		w, err := Parse(name)
		if got := w.Spelled(); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
	if got := Fixed(1_500_000).Spelled(); got != "1,500,000 microseconds" {
		t.Error(got)
	}
	if got := (Width{}).Spelled(); got != "all time" {
		t.Error(got)
	}
}
