package sizing

const (
	second = int64(1_000_000)
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// step finds out how coarsely times are written. Where all of them lie whole days, hours or minutes apart, nothing is
// known of what happens within one: dates are no proof that a day's rows came in one second.
type step struct {
	begun   bool
	fine    bool  // some times are not whole minutes apart: nothing more to find out
	origin  int64 // the first row's time
	divisor int64 // the greatest that divides the distance of every time from it; 0 while there is but one time
}

func (s *step) add(t int64) {
	if !s.begun {
		s.begun, s.origin = true, t
	}
	d := max(t-s.origin, s.origin-t)
	if s.divisor != 0 && d%s.divisor == 0 {
		return
	}
	for s.divisor, d = d, s.divisor; d != 0; { // Euclid's greatest common divisor
		s.divisor, d = d, s.divisor%d
	}
	s.fine = s.divisor%minute != 0
}

// length is the step of the times in microseconds: a day, an hour, a minute, or a second for whatever is finer.
func (s *step) length() int64 {
	for _, l := range []int64{day, hour, minute} {
		if s.divisor != 0 && s.divisor%l == 0 {
			return l
		}
	}
	return second
}

// stepName is a step of the times in words.
func stepName(length int64) string {
	return map[int64]string{second: "second", minute: "minute", hour: "hour", day: "day"}[length]
}
