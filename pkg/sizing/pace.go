package sizing

import "math/bits"

// enough is how many rows of one entity tell a rate; it is our judgement.
const enough = 100

// pace is how much one entity wrote in how much time.
type pace struct {
	amount int64 // rows or bytes
	active int64 // microseconds
	rows   int64
	entity int32
}

// raise keeps the faster pace, of equal ones the smaller entity's.
func (p *pace) raise(q pace) {
	if q.active == 0 {
		return
	}
	hi1, lo1 := bits.Mul64(uint64(q.amount), uint64(p.active))
	hi2, lo2 := bits.Mul64(uint64(p.amount), uint64(q.active))
	if p.active == 0 || hi1 > hi2 || hi1 == hi2 && (lo1 > lo2 || lo1 == lo2 && q.entity < p.entity) {
		*p = q
	}
}

// over is what the pace makes of so much time, rounded up; not ok where that does not fit.
func (p pace) over(length int64) (int64, bool) { return mulDiv(p.amount, length, p.active, true) }

// Projection is what a whole bucket may come to: the fastest entity that has written for less time than a bucket lasts,
// going on at its pace since its first row. An entity younger than a day is taken to have needed the day, or the whole
// trace where that is shorter: a first burst is no pace.
type Projection struct {
	Entity int    `json:"-"`
	Name   string `json:"entity"`
	Wrote  int64  `json:"rows_so_far"`
	Active int64  `json:"microseconds"` // in which it wrote them
	Rows   int64  `json:"rows"`         // of a whole bucket
	Bytes  int64  `json:"bytes"`        // of a whole bucket; of the entity that is fastest in bytes
}

// active is how long an entity has been writing since the time of its first row.
func (c *Counter) active(first int64) int64 {
	end := c.last
	if s := c.step.length(); s > second {
		end += s // the last day of a trace of dates is a whole day
	}
	return max(end-first, min(end-c.first, day))
}
