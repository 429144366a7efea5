package sizing

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"pagetouch/pkg/bucket"
)

// Rate is how fast one entity writes: so many rows in so many microseconds, evenly.
type Rate struct{ Rows, Per int64 }

// ParseRate reads "1000/s", "266047/h", "100000/d": a count and s, m (minute), h, d or w.
func ParseRate(s string) (Rate, error) {
	count, unit, _ := strings.Cut(strings.ReplaceAll(s, ",", ""), "/")
	n, err := strconv.ParseInt(strings.TrimSpace(count), 10, 64)
	per := map[string]int64{"s": 1e6, "m": 60e6, "min": 60e6, "h": 3600e6, "d": 86400e6, "day": 86400e6, "w": 7 * 86400e6}[strings.TrimSpace(unit)]
	if err != nil || n <= 0 || per == 0 {
		return Rate{}, fmt.Errorf("rate %q: want a whole number of rows and s, m, h, d or w, for example 1000/s", s)
	}
	return Rate{n, per}, nil
}

// In is how many rows are written in so many microseconds, begun ones counted whole.
func (r Rate) In(length int64) (int64, error) {
	n, ok := mulDiv(r.Rows, length, r.Per, true)
	if !ok {
		return 0, fmt.Errorf("%d rows in %d µs, over %d µs: want positive numbers and a result below 2^63 rows", r.Rows, r.Per, length)
	}
	return n, nil
}

// Time is the longest time in microseconds that writes at most so many rows.
func (r Rate) Time(rows int64) (int64, error) {
	t, ok := mulDiv(rows, r.Per, r.Rows, false)
	if !ok {
		return 0, fmt.Errorf("time of %d rows at %d in %d µs: want positive numbers and a result within 292,000 years", rows, r.Rows, r.Per)
	}
	return t, nil
}

// RowsThatFit is how many rows of so many bytes keep a limit of bytes or rows, even if there come to be growth times as
// many.
func RowsThatFit(l Limit, rowBytes int64, growth float64) (int64, error) {
	switch {
	case l.Counts == Rows || l.Counts == Cells: // a row has a cell at least
		return l.room(growth), nil
	case l.Counts == Bytes && rowBytes > 0:
		return l.room(growth) / rowBytes, nil
	}
	return 0, fmt.Errorf("rows of %d bytes that keep %v: want a limit of rows or bytes and rows of at least a byte", rowBytes, l)
}

// LargestRow is how many bytes a row may have so that a partition of so many rows, grown, keeps a limit of bytes.
func LargestRow(l Limit, rows int64, growth float64) (int64, error) {
	if l.Counts != Bytes || rows <= 0 {
		return 0, fmt.Errorf("the largest row of %d that keep %v: want a limit of bytes and at least a row", rows, l)
	}
	return l.room(growth) / rows, nil
}

// room is the largest amount that keeps the limit when it has grown.
func (l Limit) room(growth float64) int64 {
	most := l.Most()
	if growth <= 1 {
		return most
	}
	n := int64(float64(most) / growth)
	for Grown(n+1, growth) <= most {
		n++
	}
	for n > 0 && Grown(n, growth) > most {
		n--
	}
	return n
}

// LongestWidth is the longest bucket, in microseconds, whose partitions, grown, keep every limit that decides, and the
// limit that binds.
func LongestWidth(r Rate, rowBytes int64, limits []Limit, growth float64) (int64, Limit, error) {
	longest, binds := int64(math.MaxInt64), Limit{}
	for _, l := range limits {
		if !l.decides() || l.Counts != Rows && l.Counts != Bytes && l.Counts != Cells {
			continue
		}
		rows, err := RowsThatFit(l, rowBytes, growth)
		if err != nil {
			return 0, l, err
		}
		if t, ok := mulDiv(rows, r.Per, r.Rows, false); ok && t < longest {
			longest, binds = t, l
		}
	}
	if binds.Store == "" {
		return 0, binds, fmt.Errorf("the longest width at %d rows in %d µs: no limit of rows or bytes binds", r.Rows, r.Per)
	}
	return longest, binds, nil
}

// Estimate is what a rate makes of one width.
type Estimate struct {
	Width     bucket.Width `json:"-"`
	Name      string       `json:"width"`
	Unbounded bool         `json:"unbounded,omitempty"` // all time is one bucket: it grows without end
	Rows      int64        `json:"max_rows"`            // of the longest bucket: 31 days for a month
	Bytes     int64        `json:"max_bytes"`
	Latest    int64        `json:"latest_worst"` // partitions that the latest n rows may lie in; 0 if not asked
	Range     Span         `json:"range"`        // zero if not asked
}

// ByRate sizes partitions of an entity that writes evenly at a rate, rows of so many bytes, and counts what the latest
// n rows and a range of so many microseconds read; 0 asks for none.
func ByRate(r Rate, rowBytes int64, widths []bucket.Width, latest int, length int64) ([]Estimate, error) {
	if rowBytes < 0 || latest < 0 || length < 0 || r.Rows <= 0 || r.Per <= 0 {
		return nil, fmt.Errorf("sizing %d rows in %d µs, of %d bytes, latest %d, range %d µs: want a positive rate and nothing below 0", r.Rows, r.Per, rowBytes, latest, length)
	}
	out := make([]Estimate, len(widths))
	for i, w := range widths {
		e := Estimate{Width: w, Name: w.String(), Unbounded: w == bucket.Forever}
		var err error
		if !e.Unbounded {
			if e.Rows, err = r.In(w.Longest()); err != nil {
				return nil, fmt.Errorf("width %v: %w", w, err)
			}
		}
		var ok bool
		if e.Bytes, ok = mulDiv(e.Rows, rowBytes, 1, true); !ok {
			return nil, fmt.Errorf("width %v: %d rows of %d bytes: want fewer than 2^63 bytes", w, e.Rows, rowBytes)
		}
		if latest > 0 {
			// From the newest row to the n-th lie n-1 steps, and both ends count.
			steps, ok := mulDiv(int64(latest-1), r.Per, r.Rows, true)
			if !ok || steps >= farthest {
				return nil, fmt.Errorf("width %v: the latest %d rows at %d in %d µs go back further than 73,000 years", w, latest, r.Rows, r.Per)
			}
			s, err := RangeFanout(w, steps+1)
			if err != nil {
				return nil, err
			}
			e.Latest = s.Worst
		}
		if length > 0 {
			if e.Range, err = RangeFanout(w, length); err != nil {
				return nil, err
			}
		}
		out[i] = e
	}
	return out, nil
}

// mulDiv is a·b/c, rounded up or down, without overflow on the way; not ok if a or b is negative, c not positive, or
// the result does not fit.
func mulDiv(a, b, c int64, up bool) (int64, bool) {
	if a < 0 || b < 0 || c <= 0 {
		return 0, false
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if up {
		var carry uint64
		lo, carry = bits.Add64(lo, uint64(c-1), 0)
		hi += carry
	}
	if hi >= uint64(c) {
		return 0, false
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q), q <= math.MaxInt64
}
