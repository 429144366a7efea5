package sizing

import "pagetouch/pkg/result"

const (
	second = int64(1_000_000)
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// step finds out how coarsely times are written. Where they lie whole days, hours or minutes apart, nothing is known of
// what happens within one: dates are no proof that a day's rows came in one second.
type step struct {
	begun   bool
	fine    bool  // some times are not whole minutes apart
	origin  int64 // the first row's time
	divisor int64 // the greatest that divides the distance of every time from it; 0 while there is but one time

	rows, minutes, hours, days int64 // and how many times are whole ones, in UTC
	moves                      int   // times that differ from the one before them, counted to manyMoves
	last                       int64
}

// manyMoves is how many changes of the time make their common divisor more than an accident; it is our judgement.
const manyMoves = 10

func (s *step) add(t int64) {
	if s.rows++; t != s.last && s.moves < manyMoves {
		s.moves++
	}
	s.last = t
	if t%minute == 0 {
		s.minutes++
		if t%hour == 0 {
			s.hours++
			if t%day == 0 {
				s.days++
			}
		}
	}
	if !s.fine {
		s.narrow(t)
	}
}

// narrow finds the divisor by Euclid's algorithm.
func (s *step) narrow(t int64) {
	if !s.begun {
		s.begun, s.origin = true, t
	}
	d := max(t-s.origin, s.origin-t)
	if s.divisor != 0 && d%s.divisor == 0 {
		return
	}
	for s.divisor, d = d, s.divisor; d != 0; {
		s.divisor, d = d, s.divisor%d
	}
	s.fine = s.divisor%minute != 0
}

// exact is the greatest length that divides the distances of all times, if it is whole minutes; else 0.
func (s *step) exact() int64 {
	if s.divisor == 0 || s.fine {
		return 0
	}
	return s.divisor
}

// length is the step of the times in microseconds: what divides the distances of all of them, rounded down to a day, an
// hour or a minute where only few times are known; or a second for whatever is finer than a minute. One time
// in a hundred may be finer than the step: then not all keep it.
func (s *step) length() (length int64, all bool) {
	for _, l := range []struct{ length, whole int64 }{{day, s.days}, {hour, s.hours}, {minute, s.minutes}} {
		if s.divisor != 0 && s.divisor%l.length == 0 {
			if s.moves >= manyMoves {
				return s.divisor, true
			}
			return l.length, true
		}
		if s.divisor != 0 && s.rows-l.whole <= s.rows/strayRows && l.whole > 0 && l.whole < s.rows {
			return l.length, false
		}
	}
	return second, true
}

// unitName is a unit of time in words.
func unitName(length int64) string {
	return map[int64]string{second: "second", minute: "minute", hour: "hour", day: "day"}[length]
}

// stepWords are for sentences: times lie apart by "whole days" or "multiples of 15 minutes", and a step is a "day" or
// "step of 15 minutes".
func stepWords(step int64) (apart, one string) {
	if unit := unitName(step); unit != "" {
		return "whole " + unit + "s", unit
	}
	return "multiples of " + result.Length(step), "step of " + result.Length(step)
}
