package main

import (
	"time"

	"pagetouch/pkg/result"
)

func count(n int64) string { return result.Format(float64(n), 0) }

// plural is a count with its noun, singular or plural.
func plural(n int64, one, many string) string {
	if n == 1 {
		return count(n) + " " + one
	}
	return count(n) + " " + many
}

func stamp(micros int64) string { return time.UnixMicro(micros).UTC().Format(time.RFC3339Nano) }

// lengthName is a length of time in its largest whole unit.
func lengthName(micros int64) string {
	for _, u := range []struct {
		micros int64
		name   string
	}{{86400e6, "day"}, {3600e6, "hour"}, {60e6, "minute"}, {1e6, "second"}} {
		if micros%u.micros == 0 {
			return plural(micros/u.micros, u.name, u.name+"s")
		}
	}
	return count(micros) + " µs"
}

// seconds is a length of time in whole seconds, or what is less than one in microseconds.
func seconds(micros int64) string {
	if micros < 1e6 {
		return lengthName(micros)
	}
	return plural(micros/1e6, "second", "seconds")
}
