package experiment

import (
	"fmt"
	"math"
	"strings"

	"pagetouch/pkg/result"
)

// num prints a number of a finding.
func num(x float64, decimals int) string { return result.Format(x, decimals) }

// count prints a whole number of a finding.
func count[T ~int | ~int64](n T) string { return result.Format(float64(n), 0) }

// times prints a ratio: "13.4 times".
func times(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "any number of times"
	}
	if x >= 100 {
		return num(x, 0) + " times"
	}
	return num(x, 1) + " times"
}

// plural prints a count with its noun: "1 page", "20 pages".
func plural[T ~int | ~int64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + strings.TrimSuffix(noun, "y") + map[bool]string{true: "ies", false: "s"}[strings.HasSuffix(noun, "y")]
}

// noneOr prints a mean, or that there is none of it at all.
func noneOr(sum int64, mean float64) string {
	if sum == 0 {
		return "none of them"
	}
	return num(mean, 2) + " of them"
}

// daysOf prints a length in days: "1 day", "31 days".
func daysOf(days float64) string {
	if days == 1 {
		return "1 day"
	}
	return num(days, 0) + " days"
}

// percent prints a share: "0.085" as "8.5 %".
func percent(x float64) string {
	if x == 1 || x == 0 {
		return num(x*100, 0) + " %"
	}
	if x > 0 && x < 0.001 {
		return num(x*100, 4) + " %"
	}
	return num(x*100, 1) + " %"
}

// size prints bytes as people read them, powers of 1,000: "20.0 MB".
func size(bytes float64) string {
	for _, u := range []string{"bytes", "kB", "MB", "GB", "TB"} {
		if math.Abs(bytes) < 1000 || u == "TB" {
			if u == "bytes" {
				return num(bytes, 0) + " bytes"
			}
			return fmt.Sprintf("%s %s", num(bytes, 1), u)
		}
		bytes /= 1000
	}
	return ""
}

// values collects the numbers that prose may quote. A ratio to nothing is no number and is left out.
type values []result.Value

func (v *values) add(name, unit string, x float64, decimals int) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return
	}
	*v = append(*v, result.Value{Name: name, Unit: unit, Number: x, Decimals: decimals})
}
