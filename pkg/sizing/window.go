package sizing

import "math/bits"

// window is the time that rows lie in, without strays: a row with a wrong clock must not make a trace of two days one
// of seventy years, in which every entity seems to write slowly.
type window struct {
	from, to int64
	step     int64 // of coarse times, which to is behind the last; 0 of finer ones
	strays   int64 // rows outside
}

// Strays are at most one row in a hundred, and without them at least half of the time is gone at the end, or nine tenths
// at the beginning, where few rows may also be a slow start. These are our judgement.
const strayRows = 100

// window takes a pass over the ledger.
func (c *Counter) window() window {
	w := window{from: c.first, to: c.last}
	if s, _ := c.step.length(); s > second { // the last day of a trace of dates is a whole day
		w.step = max(s, c.step.exact())
		w.to += w.step
	}
	few := c.rows / strayRows
	if few == 0 {
		return w
	}
	// Rows by how long before the last and after the first they lie, in powers of two.
	var before, after [65]int64
	each := func(row func(at, rows int64)) {
		var buf, spare []entry
		for e := range c.ledger.entity {
			if c.ledger.entity[e].rows == 0 {
				continue
			}
			buf, spare = c.ledger.entries(e, buf, spare)
			for _, b := range buf {
				row(max(c.base.Start(b.bucket), c.first), b.rows)
			}
		}
	}
	each(func(at, rows int64) {
		before[bits.Len64(uint64(c.last-at))] += rows
		after[bits.Len64(uint64(at-c.first))] += rows
	})
	late, early := reach(before, few), reach(after, few)
	span := c.last - c.first
	if late < span/4 && early < span/4 {
		return w
	}
	from, to := c.last, c.first
	var lateRows, earlyRows int64
	each(func(at, rows int64) {
		if c.last-at < late {
			lateRows += rows
		} else {
			to = max(to, at+c.base.Longest())
		}
		if at-c.first < early {
			earlyRows += rows
		} else {
			from = min(from, at)
		}
	})
	if to < c.last && c.last-to >= span/2 {
		w.to, w.strays = to+w.step, w.strays+lateRows
	}
	if from > c.first && from < w.to && from-c.first >= span/10*9 {
		w.from, w.strays = from, w.strays+earlyRows
	}
	return w
}

// reach is the longest distance, a power of two, below which lie not more than so few rows.
func reach(rows [65]int64, few int64) int64 {
	var sum int64
	for b, n := range rows {
		if sum += n; sum > few {
			if b == 0 {
				return 0
			}
			return 1 << (b - 1)
		}
	}
	return 0
}
