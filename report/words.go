package main

import (
	"fmt"
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

// seconds prints a time, cut off: to the day where that says enough, to the millisecond where less says too little.
func seconds(micros int64) string {
	const second = 1_000_000
	switch {
	case micros < 10*second:
		return fmt.Sprintf("%d.%03d seconds", micros/second, micros/1000%1000)
	case micros < 100*86_400*second:
		return plural(micros/second, "second", "seconds")
	}
	return plural(micros/(86_400*second), "day", "days")
}
