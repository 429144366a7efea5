package result

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		x        float64
		decimals int
		want     string
	}{
		{0, 0, "0"}, {999, 0, "999"}, {1000, 0, "1,000"}, {2_000_000, 0, "2,000,000"},
		{1234567.891, 2, "1,234,567.89"}, {-1234.5, 1, "-1,234.5"}, {-0.001, 2, "0.00"},
		{1.485, 2, "1.49"}, {1485. / 1000, 2, "1.49"}, {9.305, 2, "9.31"}, {3.485, 2, "3.49"}, {0.125, 2, "0.13"},
		{19.992, 2, "19.99"}, {999.999, 2, "1,000.00"}, {2.5, 0, "3"}, {1e12, 0, "1,000,000,000,000"}, {0.994999999, 2, "0.99"},
	} {
		if got := Format(c.x, c.decimals); got != c.want {
			t.Errorf("Format(%v, %d) = %q, want %q", c.x, c.decimals, got, c.want)
		}
	}
}

// Every count that a float64 holds is printed as it is.
func TestFormatCounts(t *testing.T) {
	const seed = 12
	r := rand.New(rand.NewPCG(seed, 0))
	for range 20_000 {
		n := r.Int64N(1 << (1 + r.IntN(53)))
		if got := strings.ReplaceAll(Format(float64(n), 0), ",", ""); got != strconv.FormatInt(n, 10) {
			t.Fatalf("seed %d: %d is printed as %s", seed, n, got)
		}
	}
}

func TestCell(t *testing.T) {
	for _, c := range []struct {
		cell                   Cell
		printed, exact, inJSON string
	}{
		{Text("a|b"), "a|b", "a|b", `"a|b"`},
		{Count(1_000_000), "1,000,000", "1000000", "1000000"},
		{Number(1.475, 2), "1.48", "1.475", "1.475"},
		{Number(0.0049, 2), "<0.01", "0.0049", "0.0049"}, {Number(0, 2), "0.00", "0", "0"}, {Number(-0.0049, 2), "0.00", "-0.0049", "-0.0049"},
		{Number(math.NaN(), 2), "–", "", "null"},
		{Cell{}, "–", "", "null"},
	} {
		j, err := json.Marshal(c.cell)
		if err != nil || c.cell.String() != c.printed || c.cell.Exact() != c.exact || string(j) != c.inJSON {
			t.Errorf("%+v: %q %q %s %v", c.cell, c.cell.String(), c.cell.Exact(), j, err)
		}
	}
}

func TestPlural(t *testing.T) {
	for n, want := range map[int64]string{0: "0 rows", 1: "1 row", 2: "2 rows", 1000: "1,000 rows"} {
		if got := Plural(n, "row"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
