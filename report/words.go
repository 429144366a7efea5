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
