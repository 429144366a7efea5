package sizing

import (
	"fmt"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/workload"
)

// Counter takes in rows in arrival order and keeps what Trace needs: how many rows each entity has in each bucket of
// the widest width that nests in all candidates and in an hour, and the busiest seconds and minutes. Memory grows with
// entities and their non-empty buckets, not with rows.
type Counter struct {
	rowBytes int64 // of every row; 0: sizes come with the batches
	widths   []bucket.Width
	base     bucket.Width
	cursor   bucket.Cursor
	ledger   ledger
	clocks   []clock
	step     step

	rows, bytes    int64
	largest        int64 // row, in bytes
	first, last    int64 // times
	backward       int64
	second, minute peak
}

// clock counts one entity's rows of its running second and minute, and knows the time of its oldest row.
type clock struct{ second, inSecond, inMinute, first int64 }

// peak is the largest number of rows of one entity in one slice of time.
type peak struct {
	rows   int64
	entity int32
	at     int64 // the slice's number
}

// raise keeps the larger peak: of equal ones the smaller entity's, and of those the earlier.
func (p *peak) raise(q peak) {
	if q.rows > p.rows || q.rows == p.rows && (q.entity < p.entity || q.entity == p.entity && q.at < p.at) {
		*p = q
	}
}

// Times beyond it, some 73,000 years from 1970, are errors: bucket numbers must not overflow.
const farthest = 1 << 61

// NewCounter counts rows into buckets of these widths. Rows have rowBytes each; 0 says that sizes vary and come with
// the batches.
func NewCounter(rowBytes int, widths ...bucket.Width) (*Counter, error) {
	if rowBytes < 0 {
		return nil, fmt.Errorf("counting partitions: rows of %d bytes; want a size, or 0 where sizes vary", rowBytes)
	}
	for i, w := range widths {
		for _, v := range widths[:i] {
			if v == w {
				return nil, fmt.Errorf("counting partitions: width %v given twice", w)
			}
		}
	}
	base := bucket.Common(append([]bucket.Width{bucket.Hour}, widths...)...)
	return &Counter{
		rowBytes: int64(rowBytes), widths: widths, base: base, cursor: bucket.Cursor{Width: base},
		ledger: ledger{sized: rowBytes == 0},
	}, nil
}

// Add takes in a batch. It may be used after an error, which names the first row not taken in.
func (c *Counter) Add(b *workload.Batch) error {
	if len(b.Time) != len(b.Entity) || c.rowBytes == 0 && len(b.Size) != len(b.Entity) {
		return fmt.Errorf("counting partitions: a batch from row %d has %d entities, %d times and %d sizes; want as many of each", b.First, len(b.Entity), len(b.Time), len(b.Size))
	}
	for i, e := range b.Entity {
		t, bytes := b.Time[i], c.rowBytes
		if bytes == 0 {
			bytes = int64(b.Size[i])
		}
		if e < 0 || t < -farthest || t > farthest || bytes < 0 {
			return fmt.Errorf("counting partitions: row %d has entity %d, time %d µs and %d bytes; want an entity and a size not below 0 and a time within 73,000 years of 1970", b.First+int64(i), e, t, bytes)
		}
		if int(e) >= len(c.clocks) {
			c.grow(int(e) + 1)
		}
		if c.rows == 0 {
			c.first, c.last = t, t
		}
		c.rows++
		c.bytes += bytes
		c.largest = max(c.largest, bytes)
		c.first, c.last = min(c.first, t), max(c.last, t)
		c.ledger.add(e, c.cursor.Index(t), bytes)
		c.tick(e, t)
		c.step.add(t)
	}
	return nil
}

// tick moves an entity's clock. A row of an earlier second starts a run of its own.
func (c *Counter) tick(e int32, t int64) {
	k, second := &c.clocks[e], floorDiv(t, second)
	if k.inSecond == 0 || t < k.first {
		k.first = t
	}
	if k.second != second || k.inSecond == 0 {
		if k.inSecond > 0 && second < k.second {
			c.backward++
		}
		if floorDiv(k.second, 60) != floorDiv(second, 60) {
			k.inMinute = 0
		}
		k.second, k.inSecond = second, 0
	}
	k.inSecond++
	k.inMinute++
	if k.inSecond >= c.second.rows {
		c.second.raise(peak{k.inSecond, e, second})
	}
	if k.inMinute >= c.minute.rows {
		c.minute.raise(peak{k.inMinute, e, floorDiv(second, 60)})
	}
}

// grow makes room for so many entities.
func (c *Counter) grow(entities int) {
	c.clocks = append(c.clocks, make([]clock, entities-len(c.clocks))...)
	c.ledger.entity = append(c.ledger.entity, make([]account, entities-len(c.ledger.entity))...)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
