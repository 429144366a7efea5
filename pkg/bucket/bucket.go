// Package bucket cuts time into slices: the part of a partition key that bounds how long a partition grows. A width
// of fixed length holds the times [k·width, (k+1)·width) counted from 1970-01-01T00:00:00Z; weeks begin on Monday
// (ISO 8601); months, quarters and years are those of the UTC calendar. Times are microseconds since 1970.
package bucket

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"pagetouch/pkg/result"
)

// Width is a way to cut time. The zero Width is one bucket for all time.
type Width struct {
	length int64 // microseconds; 0 for calendar widths
	offset int64 // where bucket 0 of a fixed length begins
	months int64 // calendar months; 0 for fixed lengths
	name   string
}

const (
	micro = int64(1)
	hour  = 3600 * 1_000_000 * micro
	day   = 24 * hour
	// 1970-01-05 was the first Monday after the epoch, a Thursday.
	monday = 4 * day
)

// The widths that have a name.
var (
	Forever = Width{name: "forever"}
	Hour    = Width{length: hour, name: "hour"}
	Day     = Width{length: day, name: "day"}
	Week    = Width{length: 7 * day, offset: monday, name: "week"}
	Month   = Width{months: 1, name: "month"}
	Quarter = Width{months: 3, name: "quarter"}
	Year    = Width{months: 12, name: "year"}
)

// Named lists the named widths from narrow to wide, without Forever.
func Named() []Width { return []Width{Hour, Day, Week, Month, Quarter, Year} }

// Fixed is a width of so many microseconds, which must be positive.
func Fixed(length int64) Width {
	switch length {
	case hour:
		return Hour
	case day:
		return Day
	}
	return Width{length: length, name: lengthName(length)}
}

// Parse reads a width: a name ("month"), or a count with a unit s, m, h, d or w ("20m", "10d"). "7d" counts from the
// epoch; "week" begins on Monday.
func Parse(s string) (Width, error) {
	for _, w := range append(Named(), Forever) {
		if s == w.name || s == w.name+"s" {
			return w, nil
		}
	}
	units := map[byte]int64{'s': hour / 3600, 'm': hour / 60, 'h': hour, 'd': day, 'w': 7 * day}
	if len(s) > 1 {
		n, err := strconv.ParseInt(s[:len(s)-1], 10, 64)
		unit := units[s[len(s)-1]]
		if err == nil && unit > 0 && n > 0 && n <= (1<<62)/unit {
			return Fixed(n * unit), nil
		}
	}
	return Width{}, fmt.Errorf("bucket width %q: want hour, day, week, month, quarter, year, forever, or a count with s, m, h, d or w, for example 20m", s)
}

// units are those of a length, from long to short.
var units = []struct {
	length       int64
	letter, name string
}{{day, "d", "day"}, {hour, "h", "hour"}, {hour / 60, "m", "minute"}, {hour / 3600, "s", "second"}, {micro, "us", "microsecond"}}

func lengthName(length int64) string {
	for _, u := range units {
		if length%u.length == 0 {
			return strconv.FormatInt(length/u.length, 10) + u.letter
		}
	}
	return "" // not reached: a microsecond divides every length
}

// String is the width's name: "month", "20m".
func (w Width) String() string { return w.name }

// Spelled is the width as a sentence says it: "one month", "20 minutes".
func (w Width) Spelled() string {
	if w == Forever || w == (Width{}) {
		return "all time"
	}
	if w.name != lengthName(w.length) {
		return "one " + w.name
	}
	for _, u := range units {
		switch n := w.length / u.length; {
		case w.length%u.length != 0:
		case n == 1:
			return "one " + u.name
		default:
			return result.Plural(n, u.name)
		}
	}
	return w.name
}

// Index is the number of the bucket that holds time t. Buckets of one width are numbered in time order.
func (w Width) Index(t int64) int64 {
	switch {
	case w.months > 0:
		return floorDiv(monthOf(floorDiv(t, day)), w.months)
	case w.length > 0:
		return floorDiv(t-w.offset, w.length)
	}
	return 0
}

// Start is the first microsecond of bucket k. Forever starts at the beginning of time.
func (w Width) Start(k int64) int64 {
	switch {
	case w.months > 0:
		return firstDay(k*w.months) * day
	case w.length > 0:
		return k*w.length + w.offset
	}
	return -1 << 63
}

// Touched is how many buckets hold a time of [from, to): what a range read must ask for.
func (w Width) Touched(from, to int64) int64 {
	if from >= to {
		return 0
	}
	return w.Index(to-1) - w.Index(from) + 1
}

// Longest is the longest bucket of this width in microseconds (31 days for a month); 0 for Forever.
func (w Width) Longest() int64 {
	switch w.months {
	case 0:
		return w.length
	case 1:
		return 31 * day
	case 3:
		return 92 * day
	}
	return 366 * day
}

// Label prints bucket k as a person would name it: "2025-03", "2025-W10", "2025-03-01", "2025-03-01T13".
func (w Width) Label(k int64) string {
	if w == Forever {
		return "all"
	}
	t := time.UnixMicro(w.Start(k)).UTC()
	switch {
	case w.months == 12:
		return t.Format("2006")
	case w.months == 3:
		return fmt.Sprintf("%s-Q%d", t.Format("2006"), (int(t.Month())+2)/3)
	case w.months > 0:
		return t.Format("2006-01")
	case w == Week:
		y, n := t.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", y, n)
	case w.length%day == 0:
		return t.Format("2006-01-02")
	case w.length%hour == 0:
		return t.Format("2006-01-02T15")
	}
	return strings.TrimSuffix(t.Format("2006-01-02T15:04:05.999999"), ":00")
}

// Cursor finds buckets of times that come nearly in order: it remembers the last one.
type Cursor struct {
	Width      Width
	index      int64
	start, end int64
}

// Index is Width.Index, faster for a time in the bucket last found.
func (c *Cursor) Index(t int64) int64 {
	if t >= c.start && t < c.end {
		return c.index
	}
	c.index = c.Width.Index(t)
	c.start, c.end = c.Width.Start(c.index), 1<<63-1
	if c.Width.months > 0 || c.Width.length > 0 {
		c.end = c.Width.Start(c.index + 1)
	}
	return c.index
}

// Months are counted from January 1970 and days from the first of it, both in years that begin in March, so that the
// leap day is a year's last. The average month from March to July, and from August to December, has 30.6 days, which
// the integer arithmetic below meets exactly (Reingold and Dershowitz, "Calendrical Calculations", chapter 2).

// yearDays is the days before year y, of those that begin in March, counted from 1 March of year 0.
func yearDays(y int64) int64 { return 365*y + floorDiv(y, 4) - floorDiv(y, 100) + floorDiv(y, 400) }

// epochDay is 1 January 1970, counted in days from 1 March of year 0.
const epochDay = 719_468

// monthOf is the month of a day.
func monthOf(d int64) int64 {
	d += epochDay
	y := floorDiv(400*d, 146_097) // 146,097 days are 400 years; off by one near a year's end
	if yearDays(y) > d {
		y--
	} else if yearDays(y+1) <= d {
		y++
	}
	m := (5*(d-yearDays(y)) + 2) / 153 // 0 is March
	return 12*(y-1970) + m + 2
}

// firstDay is the first day of a month.
func firstDay(month int64) int64 {
	y, m := floorDiv(month-2, 12), month-2-12*floorDiv(month-2, 12)
	return yearDays(y+1970) + (153*m+2)/5 - epochDay
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
