package result

// Plural is a count with its noun, an English one that takes an s: "1 row", "2,000 rows".
func Plural[T ~int | ~int64](n T, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Format(float64(n), 0) + " " + noun
}

// Length is a time in microseconds, in the largest unit of which it is a whole number: "1 day", "90 minutes".
func Length(micros int64) string {
	for _, u := range []struct {
		micros int64
		name   string
	}{{86400e6, "day"}, {3600e6, "hour"}, {60e6, "minute"}, {1e6, "second"}} {
		if micros%u.micros == 0 {
			return Plural(micros/u.micros, u.name)
		}
	}
	return Format(float64(micros), 0) + " µs"
}
