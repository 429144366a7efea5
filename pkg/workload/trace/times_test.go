package trace

import (
	"math"
	"testing"
	"time"
)

func TestParseText(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  string // RFC 3339; empty: not a time
		zoned bool
	}{
		{"2005-04-07T22:13:13Z", "2005-04-07T22:13:13Z", true},
		{"2005-04-07t22:13:13z", "2005-04-07T22:13:13Z", true},
		{"2025-03-01T13:00:00+02:00", "2025-03-01T11:00:00Z", true},
		{"2025-03-01T13:00:00-0130", "2025-03-01T14:30:00Z", true},
		{"2025-03-01 13:00:00", "2025-03-01T13:00:00Z", false},
		{"2025-03-01 13:00:00.123456", "2025-03-01T13:00:00.123456Z", false},
		{"2025-03-01 13:00:00,5", "2025-03-01T13:00:00.5Z", false},
		{"2025-03-01 13:00:00.1234569+00", "2025-03-01T13:00:00.123456Z", true},
		{"2025-03-01 13:00:00.1+00:00", "2025-03-01T13:00:00.1Z", true},
		{"2025-03-01 13:00:00 UTC", "2025-03-01T13:00:00Z", true},
		{"2025-03-01 13:00:00 +0100", "2025-03-01T12:00:00Z", true},
		{"2025-03-01", "2025-03-01T00:00:00Z", false},
		{"2025/03/01 13:00", "2025-03-01T13:00:00Z", false},
		{"2025/03/01 13:00Z", "2025-03-01T13:00:00Z", true},
		{"2024-02-29", "2024-02-29T00:00:00Z", false},
		{"2000-02-29", "2000-02-29T00:00:00Z", false},
		{"1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z", true},
		{"1582-10-15T00:00:00Z", "1582-10-15T00:00:00Z", true},
		{"0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z", true},
		{"9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z", true},
		{"2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z", true},
		{"Sat, 01 Mar 2025 13:00:00 +0100", "2025-03-01T12:00:00Z", true},
		{"Sat, 1 Mar 2025 13:00:00 GMT", "2025-03-01T13:00:00Z", true},
		{"Sat Mar 1 13:00:00 2025 +0100", "2025-03-01T12:00:00Z", true},
		{"01/Mar/2025:13:00:00 +0100", "2025-03-01T12:00:00Z", true},
		{"20250301T130000Z", "2025-03-01T13:00:00Z", true},
		{"2023-02-29", "", false}, {"1900-02-29", "", false}, {"2025-13-01", "", false}, {"2025-00-01", "", false},
		{"2025-04-31", "", false}, {"2025-03-01T24:00:00Z", "", false}, {"2025-03-01T13:60:00Z", "", false},
		{"2025-03-01T13:00:61Z", "", false}, {"2025-03-01T13:00:00.Z", "", false}, {"2025-03-01T13:00:00+24:00", "", false},
		{"2025-03-01T13:00:00 EST", "", false}, {"2025-03/01", "", false}, {"03/01/2025", "", false}, {"", "", false},
		{"2025-03-01T", "", false}, {"2025-03-01T13", "", false}, {"2025-03-01T13:00:00ZZ", "", false}, {"2025-3-1 9:00", "", false},
		{"now", "", false}, {"١٢٣٤-٠١-٠١", "", false},
	} {
		got, zoned, ok := parseText([]byte(c.text))
		if ok != (c.want != "") || ok && zoned != c.zoned {
			t.Errorf("%q: ok %t, zoned %t", c.text, ok, zoned)
			continue
		}
		if want, _ := time.Parse(time.RFC3339, c.want); ok && !time.UnixMicro(got).Equal(want) {
			t.Errorf("%q is %s, want %s", c.text, time.UnixMicro(got).UTC(), want)
		}
	}
}

// Every day of the calendar that four digits can write agrees with the standard library.
func TestParseDate(t *testing.T) {
	day := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	for ; day.Year() < 10000; day = day.AddDate(0, 0, 1) {
		if got, _, ok := parseText([]byte(day.Format(time.DateOnly))); !ok || got != day.UnixMicro() {
			t.Fatalf("%s is %d, want %d", day.Format(time.DateOnly), got, day.UnixMicro())
		}
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		unit Unit
		text string
		want int64
		ok   bool
	}{
		{Seconds, "1711929600", 1711929600e6, true},
		{Seconds, "1711929600.1234567", 1711929600123456, true},
		{Seconds, "-0.5", -500000, true},
		{Milliseconds, "1711929600123.4567", 1711929600123456, true},
		{Microseconds, "-9223372036854775807", -math.MaxInt64, true},
		{Nanoseconds, "1711929600123456789", 1711929600123456, true},
		{Nanoseconds, "-1", -1, true},
		{Seconds, "9223372036854", 9223372036854e6, true},
		{Seconds, "9223372036855", 0, false},
		{Seconds, "99999999999999999999", 0, false},
		{Seconds, "1.", 0, false}, {Seconds, ".5", 0, false}, {Seconds, "", 0, false}, {Seconds, "-", 0, false},
		{Seconds, "1e9", 0, false}, {Seconds, "--1", 0, false}, {Nanoseconds, "1001.5", 1, true},
	} {
		got, ok := c.unit.parse([]byte(c.text))
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s %q is %d (%t), want %d (%t)", c.unit, c.text, got, ok, c.want, c.ok)
		}
	}
	for _, name := range []string{"s", "ms", "us", "ns", "auto", "seconds"} {
		if _, err := ParseUnit(name); err != nil {
			t.Error(err)
		}
	}
	if _, err := ParseUnit("fortnights"); err == nil {
		t.Error("fortnights are a unit")
	}
}
