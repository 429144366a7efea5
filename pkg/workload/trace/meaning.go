package trace

import (
	"bytes"
	"fmt"
	"math"
)

// The fields of a row that are read; others are ignored.
const (
	entityField = iota
	timeField
	sizeField
	ignored
)

// fields are the texts of one row, by role; nil where the row has none.
type fields [ignored + 1][]byte

// meaning turns the texts of a row into a row.
type meaning struct {
	choice
	clock clock
	sized bool // whether there is a column of sizes
}

func (m *meaning) column(field int) Column { return [...]Column{m.entity, m.time, m.bytes}[field] }

// read adds the row at a line to out, or notes what is bad about it.
func (m *meaning) read(f *fields, line int64, out *rows) {
	t, zoned, ok := m.clock.parse(f[timeField])
	if !ok {
		if t, zoned, ok = m.clock.parse(bytes.TrimSpace(f[timeField])); !ok {
			m.faultTime(f[timeField], line, out)
			return
		}
	}
	var size int32
	if m.sized {
		if size, ok = parseSize(f[sizeField]); !ok {
			if size, ok = parseSize(bytes.TrimSpace(f[sizeField])); !ok {
				m.faultSize(f[sizeField], line, out)
				return
			}
		}
	}
	if len(f[entityField]) == 0 {
		out.fault(line, "%s: no entity", m.entity)
		return
	}
	out.add(out.names.number(f[entityField]), t, zoned)
	if m.sized {
		out.addSize(size)
	}
}

func (m *meaning) faultTime(text []byte, line int64, out *rows) {
	text = bytes.TrimSpace(text)
	switch reason := m.clock.misread(text); {
	case len(text) == 0:
		out.fault(line, "%s: no time", m.time)
	case reason != "":
		out.fault(line, "%s: %q is %s", m.time, clip(string(text)), reason)
	case m.clock.unit != Auto:
		out.fault(line, "%s: %q is not a time in %s since 1970", m.time, clip(string(text)), m.clock.unit)
	default:
		out.fault(line, "%s: %q is not a time", m.time, clip(string(text)))
	}
}

func (m *meaning) faultSize(text []byte, line int64, out *rows) {
	if len(text) == 0 {
		out.fault(line, "%s: no size", m.bytes)
		return
	}
	out.fault(line, "%s: %q is not a size of 0 to %d bytes", m.bytes, clip(string(text)), math.MaxInt32)
}

// clock reads times: as text where the unit is Auto, else as numbers of the unit.
type clock struct {
	unit  Unit
	since int64 // where the sample's times lie later, ones from 1970 up to it count a coarser unit; 0: none do
}

// The first and the last microsecond that a text can write.
const (
	year0000 = -62167219200 * second
	year9999 = 253402300800*second - 1
)

func (c clock) parse(b []byte) (t int64, zoned, ok bool) {
	if c.unit == Auto {
		return parseText(b)
	}
	if t, ok = c.unit.parse(b); ok && c.doubtful(t) {
		ok = c.misread(b) == ""
	}
	return t, true, ok
}

// doubtful tells whether a time may be one of another unit.
func (c clock) doubtful(t int64) bool { return t > year9999 || 0 <= t && t < c.since }

// misread tells whether a number makes sense in another unit only.
func (c clock) misread(b []byte) string {
	numbers := numbersOf([]string{string(b)})
	if c.unit == Auto || len(numbers) != 1 {
		return ""
	}
	if t, ok := c.unit.parse(b); ok && 0 <= t && t < c.since {
		return c.unit.coarse(numbers[0])
	}
	return c.unit.misread(numbers[0])
}

// parseSize reads a size in bytes: a whole number, which may end in a decimal point and zeros.
func parseSize(b []byte) (size int32, ok bool) {
	n := 0
	var whole int64
	for ; n < len(b) && b[n]-'0' <= 9; n++ {
		if whole = 10*whole + int64(b[n]-'0'); whole > math.MaxInt32 {
			return 0, false
		}
	}
	if n == 0 {
		return 0, false
	}
	if n < len(b) {
		if zeros := bytes.TrimRight(b[n:], "0"); len(zeros) != 1 || zeros[0] != '.' {
			return 0, false
		}
	}
	return int32(whole), true
}

// setClock decides how the sample's times are read and says so in the report. A unit under which most of them make no
// sense is an error, whoever named it.
func (m *meaning) setClock(s *sample, o *Options, r *Report) error {
	values := s.values(m.time.Number - 1)
	numbers := numbersOf(values)
	if most(values, isTime) && len(values) > 0 || 2*len(numbers) <= len(values) {
		r.TimeType = "text"
		return nil
	}
	r.TimeType = "numbers"
	m.clock.unit, r.UnitHow = o.Unit, Named
	if o.Unit == Auto {
		m.clock.unit, r.UnitHow = recognise(numbers), FoundByLooking
		m.clock.since = m.clock.unit.since(numbers)
	}
	r.Unit = m.clock.unit
	return m.checkUnit(r.Unit, numbers, len(values), r)
}

// checkUnit refuses a unit that the numbers of most rows contradict, and warns of one that puts all of them into 1970.
func (m *meaning) checkUnit(u Unit, numbers []float64, rows int, r *Report) error {
	misread, largest, last := 0, 0.0, ""
	for _, n := range numbers {
		if reason := u.misread(n); reason != "" {
			misread++
			if n >= largest {
				last = reason
			}
		}
		largest = max(largest, n)
	}
	if misread > 0 && 2*misread > rows {
		return fmt.Errorf("%s ends %s", m.time, last)
	}
	if largest > 1e6 && u.year(largest) == 1970 { // smaller numbers may well count from a start of their own
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s: the first rows lie in 1970: another unit, or dates, given as %s?", m.time, u))
	}
	return nil
}
