package sizing

import (
	"math/bits"

	"pagetouch/pkg/bucket"
)

// enough is how many rows of one entity tell a rate; it is our judgement.
const enough = 100

// pace is how much one entity wrote in how much time.
type pace struct {
	amount int64 // rows or bytes
	active int64 // microseconds
	rows   int64 // all that the entity has
	entity int32
}

// faster compares amounts a time.
func (p pace) faster(q pace) bool {
	hi1, lo1 := bits.Mul64(uint64(p.amount), uint64(q.active))
	hi2, lo2 := bits.Mul64(uint64(q.amount), uint64(p.active))
	return hi1 > hi2 || hi1 == hi2 && lo1 > lo2
}

// raise keeps the faster pace, of equal ones the smaller entity's.
func (p *pace) raise(q pace) {
	switch {
	case q.active <= 0:
	case p.active == 0, q.faster(*p), !p.faster(q) && q.entity < p.entity:
		*p = q
	}
}

// over is what the pace makes of so much time, rounded up; not ok where that does not fit.
func (p pace) over(length int64) (int64, bool) { return mulDiv(p.amount, length, p.active, true) }

// paces are an entity's in rows and in bytes, since its first row. Between n rows lie n-1 steps of time; but where times
// are whole days, the last of them is a whole day too: the slower of the two holds for dates and for a row every minute.
// An entity younger than a day is taken to have needed the day, or the whole trace where that is shorter: a first burst
// is no pace.
func (c *Counter) paces(entity int, rows, bytes int64, w window) (inRows, inBytes pace) {
	inRows = pace{amount: rows, active: w.to - max(c.clocks[entity].first, w.from), rows: rows, entity: int32(entity)}
	if least := min(w.to-w.from, day); inRows.active < least {
		inRows.active = least
	} else if between := (pace{rows - 1, inRows.active - w.step, rows, int32(entity)}); !between.faster(inRows) {
		inRows = between
	}
	inBytes = inRows
	inBytes.amount, _ = mulDiv(bytes, inRows.amount, max(rows, 1), true)
	return inRows, inBytes
}

// filled reports whether a whole bucket lies between two times: whether the entity that wrote then has shown what one
// holds.
func filled(width bucket.Width, from, to int64) bool {
	if width == bucket.Forever {
		return true
	}
	k := width.Index(from)
	if width.Start(k) < from {
		k++
	}
	return width.Start(k+1) <= to
}

// Projection is what a whole bucket may come to: the fastest entity of those that have not written through one, going
// on at its pace.
type Projection struct {
	Entity     int    `json:"-"`
	Name       string `json:"entity"`
	Wrote      int64  `json:"rows_so_far"`
	Active     int64  `json:"microseconds"` // in which it wrote them
	Rows       int64  `json:"rows"`         // of a whole bucket
	BytesName  string `json:"entity_of_the_bytes"`
	Bytes      int64  `json:"bytes"` // of a whole bucket of the entity that is fastest in bytes
	BytesWrote int64  `json:"-"`     // rows of that entity
}
