package trace

import (
	"bytes"
	"time"
)

const (
	second = int64(1_000_000) // in microseconds
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// parseText reads a time written as text: RFC 3339, the forms of SQL databases (a space for the T, slashes for the
// dashes, a date alone, no seconds, a zone of hours alone or none), and the dates of mails, web server logs and git.
// It returns microseconds since 1970; what is finer is cut off. Without a zone the time is UTC and zoned is false.
// A day-first or month-first date is not read, for it would be a guess.
func parseText(b []byte) (t int64, zoned, ok bool) {
	if len(b) < 10 {
		return 0, false, false
	}
	days, ok := parseDate(b)
	if !ok {
		return parseRare(b)
	}
	t = days * day
	if len(b) == 10 {
		return t, false, true
	}
	if c := b[10]; len(b) < 16 || c != 'T' && c != ' ' && c != 't' || b[13] != ':' {
		return parseRare(b)
	}
	h, m := two(b[11:]), two(b[14:])
	if h > 23 || m > 59 {
		return 0, false, false
	}
	t += int64(h)*hour + int64(m)*minute
	b = b[16:]
	if len(b) >= 3 && b[0] == ':' {
		s := two(b[1:])
		if s > 60 { // 60 is a leap second: the first of the next minute
			return 0, false, false
		}
		t += int64(s) * second
		b = b[3:]
		if len(b) > 1 && (b[0] == '.' || b[0] == ',') {
			fraction, n := parseFraction(b[1:], 6)
			if n == 0 {
				return 0, false, false
			}
			t += fraction
			b = b[1+n:]
		}
	}
	if len(b) == 1 && b[0] == 'Z' { // far the most frequent
		return t, true, true
	}
	offset, zoned, ok := parseZone(b)
	return t - offset, zoned, ok
}

// parseDate reads the date at the front of b, which has at least 10 bytes, as days since 1970-01-01.
func parseDate(b []byte) (days int64, ok bool) {
	if b[4] != '-' && b[4] != '/' || b[7] != b[4] {
		return 0, false
	}
	century, year, m, d := two(b), two(b[2:]), two(b[5:]), two(b[8:])
	if century > 99 || year > 99 || m < 1 || m > 12 || d < 1 {
		return 0, false
	}
	year += 100 * century
	if d > daysIn(year, m) {
		return 0, false
	}
	return daysBefore(year) + int64(monthStart[m-1]+d-1) + leapDay(year, m), true
}

// monthStart is the day of the year, from 0, on which a month begins in a year without a leap day.
var monthStart = [12]int{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334}

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// leapDay is 1 after the 29th of February.
func leapDay(year, month int) int64 {
	if month > 2 && isLeap(year) {
		return 1
	}
	return 0
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if isLeap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysBefore is how many days after 1970-01-01 the year, of 0 to 9999, begins.
func daysBefore(year int) int64 {
	y := int64(year) + 399 // the last year before it, 400 years on: the quotients never see a negative number
	return 365*int64(year) + y/4 - y/100 + y/400 - (365*1970 + 592 - 23 + 5)
}

// two reads two digits; a byte that is none makes the result at least 100.
func two(b []byte) int {
	h, l := b[0]-'0', b[1]-'0'
	if h > 9 || l > 9 {
		return 100
	}
	return 10*int(h) + int(l)
}

// parseFraction reads the digits at the front of b as a decimal fraction in units of 10^-places, cutting off what is
// finer, and returns how many bytes they are.
func parseFraction(b []byte, places int) (fraction int64, n int) {
	for ; n < len(b) && b[n]-'0' <= 9; n++ {
		if n < places {
			fraction = 10*fraction + int64(b[n]-'0')
		}
	}
	for i := n; i < places; i++ {
		fraction *= 10
	}
	return fraction, n
}

// parseZone reads all of b as a zone, in microseconds east of UTC. No zone at all is UTC.
func parseZone(b []byte) (offset int64, zoned, ok bool) {
	if len(b) == 0 {
		return 0, false, true
	}
	if b[0] == ' ' {
		b = b[1:]
	}
	switch string(b) {
	case "Z", "z", "UTC", "GMT":
		return 0, true, true
	}
	var h, m int
	switch {
	case len(b) == 3: // +01
		h = two(b[1:])
	case len(b) == 5: // +0100
		h, m = two(b[1:]), two(b[3:])
	case len(b) == 6 && b[3] == ':': // +01:00
		h, m = two(b[1:]), two(b[4:])
	default:
		return 0, false, false
	}
	if h > 23 || m > 59 {
		return 0, false, false
	}
	offset = int64(h)*hour + int64(m)*minute
	switch b[0] {
	case '+':
		return offset, true, true
	case '-':
		return -offset, true, true
	}
	return 0, false, false
}

// rare are the layouts left to the standard library. A zone's name is only read where it says UTC: three letters do
// not tell which zone is meant.
var rare = []string{
	"Mon, _2 Jan 2006 15:04:05 -0700",
	"Mon, _2 Jan 2006 15:04:05 GMT",
	"Mon Jan _2 15:04:05 2006 -0700",
	"02/Jan/2006:15:04:05 -0700",
	"20060102T150405Z0700",
}

func parseRare(b []byte) (t int64, zoned, ok bool) {
	if len(b) < 16 || len(b) > 40 || bytes.IndexByte(b, ':') < 0 && b[8] != 'T' {
		return 0, false, false
	}
	for _, layout := range rare {
		if t, err := time.Parse(layout, string(b)); err == nil {
			return t.UnixMicro(), true, true
		}
	}
	return 0, false, false
}
