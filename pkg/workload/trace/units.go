package trace

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Unit is what a time that is a number counts, since 1970-01-01T00:00:00Z.
type Unit int

// The units. Auto is the unit not yet known: it is recognised by the numbers' magnitude.
const (
	Auto Unit = iota
	Seconds
	Milliseconds
	Microseconds
	Nanoseconds
)

var unitNames = [...]string{"auto", "seconds", "milliseconds", "microseconds", "nanoseconds"}

func (u Unit) String() string { return unitNames[u] }

// ParseUnit reads a unit: auto, s, ms, us, ns or its whole name.
func ParseUnit(s string) (Unit, error) {
	for i, short := range [...]string{"auto", "s", "ms", "us", "ns"} {
		if s == short || s == unitNames[i] {
			return Unit(i), nil
		}
	}
	return Auto, fmt.Errorf("time unit %q: want auto, s, ms, us or ns", s)
}

// perSecond is how many of the unit a second has.
func (u Unit) perSecond() int64 { return [...]int64{1, 1, 1e3, 1e6, 1e9}[u] }

// parse reads a decimal number of the unit as microseconds since 1970, cutting off what is finer. It is not ok for
// what is no number or out of range.
func (u Unit) parse(b []byte) (t int64, ok bool) {
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		b = b[1:]
	}
	if len(b) == 0 || b[0]-'0' > 9 {
		return 0, false
	}
	n := 0
	var whole int64
	for ; n < len(b) && b[n]-'0' <= 9; n++ {
		digit := int64(b[n] - '0')
		if whole > (math.MaxInt64-digit)/10 {
			return 0, false
		}
		whole = 10*whole + digit
	}
	var fraction int64 // in microseconds
	if n < len(b) {
		places := [...]int{6, 6, 3, 0, 0}[u]
		digits := 0
		if b[n] == '.' {
			fraction, digits = parseFraction(b[n+1:], places)
		}
		if n+1+digits != len(b) || digits == 0 {
			return 0, false
		}
	}
	if negative {
		whole, fraction = -whole, -fraction
	}
	t, ok = u.micros(whole)
	if !ok || t > 0 && t > math.MaxInt64-fraction || t < 0 && t < math.MinInt64-fraction {
		return 0, false
	}
	return t + fraction, true
}

// micros turns a count of the unit into microseconds, towards the past. It is not ok out of range.
func (u Unit) micros(n int64) (t int64, ok bool) {
	if u == Nanoseconds {
		t = n / 1000
		if n%1000 < 0 {
			t--
		}
		return t, true
	}
	factor := second / u.perSecond()
	return n * factor, n <= math.MaxInt64/factor && n >= math.MinInt64/factor
}

// year is the calendar year of so many of the unit, far beyond what a time can hold.
func (u Unit) year(n float64) float64 {
	const secondsPerYear = 31556952 // mean Gregorian year
	return 1970 + math.Floor(n/float64(u.perSecond())/secondsPerYear)
}

// recognise tells the unit of numbers by their magnitude. The 90th percentile of the absolute values decides, so that
// a stray giant among many rows does not: below 10^11 they are seconds (to the year 5138), below 10^14 milliseconds,
// below 10^17 microseconds, else nanoseconds.
func recognise(numbers []float64) Unit {
	magnitude := make([]float64, len(numbers))
	for i, n := range numbers {
		magnitude[i] = math.Abs(n)
	}
	slices.Sort(magnitude)
	switch p90 := magnitude[(9*len(magnitude)+9)/10-1]; {
	case p90 < 1e11:
		return Seconds
	case p90 < 1e14:
		return Milliseconds
	case p90 < 1e17:
		return Microseconds
	}
	return Nanoseconds
}

// misread says what is wrong where a number of unit u means a year beyond 9999 but a plain one in another unit, and
// is empty where nothing is.
func (u Unit) misread(n float64) string {
	if math.Abs(u.year(n)) <= 9999 {
		return ""
	}
	for finer := u + 1; finer <= Nanoseconds; finer++ {
		if year := finer.year(n); 1970 < year && year < 2200 {
			return fmt.Sprintf("in the year %s: %s given as %s?", thousands(u.year(n)), finer, u)
		}
	}
	return ""
}

// Numbers of a unit below coarser, in April of 1970, are the times of the years to 2286 in a unit a thousand times
// coarser. Where the first rows have later times and none between coarser and history, of 1973, they are no history
// that began in 1970.
const (
	coarser = 10_000_000 * second
	history = 10 * coarser
)

// since is coarser where numbers below it count another unit, and 0 where they don't, or no unit is coarser.
func (u Unit) since(numbers []float64) int64 {
	later := false
	for _, n := range numbers {
		switch t := n / float64(u.perSecond()); {
		case t >= float64(history/second):
			later = true
		case t >= float64(coarser/second):
			return 0
		}
	}
	if u == Seconds || !later {
		return 0
	}
	return coarser
}

// coarse says which coarser unit makes a plain time of a number that is one of about 1970 in unit u.
func (u Unit) coarse(n float64) string {
	for v := u - 1; v >= Seconds; v-- {
		if year := v.year(n); 1973 < year && year < 2200 {
			return fmt.Sprintf("in the year %.0f: %s given as %s? If not, name the unit with -unit", u.year(n), v, u)
		}
	}
	return fmt.Sprintf("in the year %.0f, far before the first rows. If that is meant, name the unit with -unit", u.year(n))
}

// thousands writes a whole number with commas.
func thousands(n float64) string {
	s := strconv.FormatFloat(math.Abs(n), 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if n < 0 {
		s = "-" + s
	}
	return s
}
