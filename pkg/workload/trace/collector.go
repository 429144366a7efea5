package trace

import (
	"errors"
	"fmt"
	"math"
)

// collector puts the rows of all blocks together.
type collector struct {
	options *Options
	report  *Report
	sized   bool
	names   names
	store   *store
	ids     []int32 // of the current block's entities
	lines   int64   // before the current block
	leading int64   // bad rows before the first good one
}

func newCollector(sized bool, lines int64, o *Options, r *Report) *collector {
	r.FirstTime, r.LastTime = math.MaxInt64, math.MinInt64
	return &collector{options: o, report: r, sized: sized, lines: lines, names: newNames(), store: newStore(sized, o.Memory, o.TempDir)}
}

func (c *collector) collect(r *rows) error {
	if c.report.Rows == 0 {
		c.leading += r.leading
	}
	for _, bad := range r.first[:min(len(r.first), keptBad-len(c.report.First))] {
		bad.File, bad.Line = c.report.File, bad.Line+c.lines
		c.report.First = append(c.report.First, bad)
	}
	c.report.Bad += r.bad
	if c.leading >= maxLeading {
		return fmt.Errorf("the first %d rows are all bad:%s", maxLeading, c.report.badRows())
	}
	if c.options.MaxBad >= 0 && c.report.Bad > c.options.MaxBad {
		return fmt.Errorf("more than %d bad rows (-max-bad), the first ones:%s", c.options.MaxBad, c.report.badRows())
	}
	c.lines += r.lines
	c.report.Rows += int64(len(r.entity))
	c.report.Zoneless += r.zoneless
	c.report.TotalBytes += r.total
	c.report.FirstTime, c.report.LastTime = min(c.report.FirstTime, r.earliest), max(c.report.LastTime, r.latest)

	c.ids = c.ids[:0]
	for i := range r.names.len() {
		c.ids = append(c.ids, c.names.number(r.names.at(i)))
		if c.names.len() > c.options.MaxEntities {
			return fmt.Errorf("more than %d entities, with line %d at the latest: is %s the entity?",
				c.options.MaxEntities, c.lines, c.report.Entity)
		}
	}
	return c.store.append(r, c.ids)
}

// finish numbers the entities and completes the report.
func (c *collector) finish() (*Trace, error) {
	if err := c.complete(); err != nil {
		c.store.close()
		return nil, err
	}
	t := &Trace{rows: c.report.Rows, rowBytes: c.report.RowBytes, names: c.names, order: c.names.order(), store: c.store}
	t.names.table = nil // only needed to number
	t.rank = make([]int32, len(t.order))
	for i, n := range t.order {
		t.rank[n] = int32(i)
	}
	c.store.renumber(t.rank)
	return t, nil
}

func (c *collector) complete() error {
	r := c.report
	if r.Rows == 0 && r.Bad > 0 {
		return fmt.Errorf("no good row, %d bad ones:%s", r.Bad, r.badRows())
	}
	if r.Rows == 0 {
		return errors.New("the file has no rows")
	}
	if err := c.store.seal(); err != nil {
		return err
	}
	r.Entities, r.SpilledRows = c.names.len(), c.store.spilled
	if !c.sized {
		r.RowBytes, r.RowBytesGiven = c.options.RowBytes, c.options.RowBytes > 0
		if !r.RowBytesGiven {
			r.RowBytes = DefaultRowBytes
		}
		r.TotalBytes = r.Rows * int64(r.RowBytes)
	}
	return nil
}
