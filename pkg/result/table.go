package result

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Table is rows of cells under named columns. Every row has one cell a column.
type Table struct {
	Name    string   `json:"name"`    // file name of its CSV, unique in the whole report
	Title   string   `json:"title"`   // one line, plain text
	Caption string   `json:"caption"` // what to look at in it; may be empty
	Columns []Column `json:"columns"`
	Rows    [][]Cell `json:"rows"`
}

// Column is the head of a table's column.
type Column struct {
	Name string `json:"name"` // as printed
	Unit string `json:"unit"` // of its numbers; "" for text and pure ratios
}

// Cell is a text, a number, or nothing (the zero Cell).
type Cell struct {
	kind     cellKind
	text     string
	number   float64
	decimals int
}

type cellKind uint8

const (
	empty cellKind = iota
	text
	number
)

// Text is a cell of plain text.
func Text(s string) Cell { return Cell{kind: text, text: s} }

// Count is a cell of a whole number, printed with thousands separators.
func Count[T ~int | ~int32 | ~int64 | ~uint32](n T) Cell {
	return Cell{kind: number, number: float64(n)}
}

// Number is a cell of a number printed with so many decimals; what is stored is not rounded.
// A number that is not finite is an empty cell.
func Number(x float64, decimals int) Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Cell{}
	}
	return Cell{kind: number, number: x, decimals: decimals}
}

// Number reports the cell's number as stored, if it is one.
func (c Cell) Number() (x float64, ok bool) { return c.number, c.kind == number }

// IsEmpty reports whether the cell holds nothing.
func (c Cell) IsEmpty() bool { return c.kind == empty }

// String is the cell as printed for people: "1,234.50", "<0.01" for what is more than nothing and rounds to it, the
// text, or "–" for nothing.
func (c Cell) String() string {
	switch c.kind {
	case text:
		return c.text
	case number:
		s := Format(c.number, c.decimals)
		if c.number > 0 && c.decimals > 0 && !strings.ContainsAny(s, "123456789") {
			return "<" + s[:len(s)-1] + "1"
		}
		return s
	}
	return "–"
}

// Exact is the cell as written for machines: the shortest digits that give the number back, the text, or "".
func (c Cell) Exact() string {
	switch c.kind {
	case text:
		return c.text
	case number:
		return strconv.FormatFloat(c.number, 'f', -1, 64)
	}
	return ""
}

// MarshalJSON writes a number, a string, or null.
func (c Cell) MarshalJSON() ([]byte, error) {
	switch c.kind {
	case text:
		return json.Marshal(c.text)
	case number:
		return json.Marshal(c.number)
	}
	return []byte("null"), nil
}

// String is the value as printed for people, without its unit.
func (v Value) String() string { return Format(v.Number, v.Decimals) }

// digits rounds as a number's digits read: 1.485 is stored a little below or above itself and is 1.49 either way.
func digits(x float64, decimals int) string {
	shortest := strconv.FormatFloat(x, 'f', -1, 64)
	if at := strings.IndexByte(shortest, '.'); at >= 0 && len(shortest) == at+decimals+2 && shortest[len(shortest)-1] == '5' {
		x = math.Nextafter(x, math.Inf(1))
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// Format prints a number with thousands separators and so many decimals: 1234567.891 with 2 is "1,234,567.89".
func Format(x float64, decimals int) string {
	s := digits(math.Abs(x), decimals)
	whole, frac := s, ""
	for i := range s {
		if s[i] == '.' {
			whole, frac = s[:i], s[i:]
			break
		}
	}
	var out []byte
	for i := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			out = append(out, ',')
		}
		out = append(out, whole[i])
	}
	out = append(out, frac...)
	for _, c := range out { // "-0.00" is a zero to whoever reads it
		if x < 0 && c >= '1' && c <= '9' {
			return "-" + string(out)
		}
	}
	return string(out)
}
