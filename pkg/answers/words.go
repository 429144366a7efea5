package answers

import (
	"math"
	"strings"
	"time"

	"pagetouch/pkg/result"
)

func num(x float64, decimals int) string { return result.Format(x, decimals) }

func whole[T ~int | ~int64](n T) string { return result.Format(float64(n), 0) }

// plural is "1 row" or "2 rows".
func plural[T ~int | ~int64](n T, noun string) string {
	return result.Plural(n, noun)
}

// upper begins a sentence.
func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// size prints bytes as people read them, powers of 1,000.
func size(bytes float64) string {
	units := []string{"kB", "MB", "GB", "TB", "PB"}
	if bytes < 1000 {
		return num(bytes, 0) + " bytes"
	}
	i := min(int(math.Log10(bytes)/3), len(units)) - 1
	return num(bytes/math.Pow(1000, float64(i+1)), 1) + " " + units[i]
}

// stamp prints a time.
func stamp(micros int64) string { return time.UnixMicro(micros).UTC().Format(time.RFC3339Nano) }
