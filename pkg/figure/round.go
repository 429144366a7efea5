package figure

import (
	"math"
	"strconv"
	"strings"
)

// exponent is that of the power of ten at or below x, read from x's digits: a logarithm is not exact, and not the same on
// every processor.
func exponent(x float64) int {
	_, digits, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(digits)
	return n
}

func power(exponent int) float64 {
	x, _ := strconv.ParseFloat("1e"+strconv.Itoa(exponent), 64)
	return x
}

// powerBelow is the power of ten at or below x.
func powerBelow(x float64) float64 { return power(exponent(x)) }

// powerAbove is the power of ten at or above x.
func powerAbove(x float64) float64 {
	if p := powerBelow(x); p == x {
		return p
	}
	return power(exponent(x) + 1)
}

// niceAbove is a multiple of 1, 2 or 5 times a power of ten that leaves hi some air.
func niceAbove(hi float64) float64 {
	if hi <= 0 {
		return 1
	}
	least := powerBelow(hi / 5)
	step := least
	for _, m := range []float64{2, 5, 10} {
		if float64(step*5) < hi {
			step = float64(m * least)
		}
	}
	return float64(step * math.Ceil(float64(hi*1.02)/step))
}
