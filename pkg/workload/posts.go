package workload

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync"
)

// Posts generates the lesson's workload: posts of users, spread evenly over a span of time, each post's user drawn
// independently, so that posts per user vary as they do in the lesson. Rows are computed, not stored; every row
// depends on the seed and its position only.
type Posts struct {
	Count    int64     // posts of the ordinary users
	Users    int       // ordinary users: entities 0 to Users-1
	From, To int64     // the span [From, To) in microseconds
	Bytes    int       // size of a post
	Seed     uint64    //
	Account  int64     // posts of one more user, entity Users, mixed evenly at random into the arrivals; 0: no such user
	Weights  *Alias    // how often each ordinary user posts; nil: all alike
	Late     float64   // share of posts that were written some time after their time: 0 to 1
	LateBy   int64     // such a post's delay is uniform in [0, LateBy) microseconds
	Order    TimeOrder // how times run along the arrivals
}

// TimeOrder is how times run along the arrivals.
type TimeOrder uint8

const (
	InTimeOrder TimeOrder = iota // each post is later than the one before it
	AnyOrder                     // a post's time says nothing about its place
)

// Validate reports the first parameter that makes no workload.
func (p *Posts) Validate() error {
	switch {
	case p.Count < 1:
		return fmt.Errorf("posts: %d: want at least 1", p.Count)
	case p.Users < 1 || p.Users > 1<<30:
		return fmt.Errorf("users: %d: want 1 to %d", p.Users, 1<<30)
	case p.Account < 0:
		return fmt.Errorf("posts of the big account: %d: want 0 or more", p.Account)
	case p.Bytes < 1:
		return fmt.Errorf("row bytes: %d: want at least 1", p.Bytes)
	case p.To <= p.From:
		return fmt.Errorf("the span of time ends before it begins")
	case (p.To-p.From)/p.Rows() < 1:
		return fmt.Errorf("%d posts in %d seconds: less than a microsecond a post", p.Rows(), (p.To-p.From)/1_000_000)
	case p.Late < 0 || p.Late > 1:
		return fmt.Errorf("share of late posts: %v: want 0 to 1", p.Late)
	case p.LateBy < 0:
		return fmt.Errorf("delay of late posts: %d microseconds: want 0 or more", p.LateBy)
	case p.Weights != nil && p.Weights.Len() != p.Users:
		return fmt.Errorf("%d weights for %d users", p.Weights.Len(), p.Users)
	}
	return nil
}

// Rows implements Workload.
func (p *Posts) Rows() int64 { return p.Count + p.Account }

// RowBytes implements Workload.
func (p *Posts) RowBytes() int { return p.Bytes }

// Entities implements Workload.
func (p *Posts) Entities() int {
	if p.Account > 0 {
		return p.Users + 1
	}
	return p.Users
}

// cursor generates rows one after another. Only the big account makes a row depend on those before it: exactly
// Account of all rows are its own, every choice of rows as likely as another (Knuth, The Art of Computer Programming,
// volume 2, algorithm 3.4.2S).
type cursor struct {
	*Posts
	rows, late Draws
	slot       int64 // microseconds from one post to the next, rounded down
	position   int64
	left       int64 // posts of the big account still to come
}

func (p *Posts) cursor(position int64) cursor {
	return cursor{
		Posts: p, rows: NewDraws(p.Seed, rowStream), late: NewDraws(p.Seed, lateStream),
		slot: (p.To - p.From) / p.Rows(), position: position, left: p.Account,
	}
}

// next is the next row's entity and the random bits that are left for its time.
func (c *cursor) next() (entity int32, rest uint64) {
	x := c.rows.At(c.position)
	if c.left > 0 {
		var place uint64
		place, x = below(x, uint64(c.Rows()-c.position))
		if place < uint64(c.left) {
			c.left--
			c.position++
			return int32(c.Users), x
		}
	}
	c.position++
	if c.Weights != nil {
		return c.Weights.pick(x)
	}
	user, rest := below(x, uint64(c.Users))
	return int32(user), rest
}

// time is the time of the row at a position.
func (c *cursor) time(position int64, rest uint64) int64 {
	if c.Order == AnyOrder {
		at, _ := bits.Mul64(rest, uint64(c.To-c.From))
		return c.From + int64(at)
	}
	jitter, _ := bits.Mul64(rest, uint64(c.slot))
	t := c.From + position*c.slot + int64(jitter)
	if c.Late > 0 {
		x := c.late.At(position)
		if float64(x>>11)/(1<<53) < c.Late {
			delay, _ := bits.Mul64(mix(x), uint64(c.LateBy))
			t = max(c.From, t-int64(delay))
		}
	}
	return t
}

// Scan implements Workload.
func (p *Posts) Scan(yield func(*Batch) error) error {
	const size = 4096
	entities, times := make([]int32, size), make([]int64, size)
	c := p.cursor(0)
	for first := int64(0); first < p.Rows(); first += size {
		n := min(size, p.Rows()-first)
		for i := range n {
			entity, rest := c.next()
			entities[i], times[i] = entity, c.time(first+i, rest)
		}
		if err := yield(&Batch{First: first, Entity: entities[:n], Time: times[:n]}); err != nil {
			return err
		}
	}
	return nil
}

// Census is Count for generated posts: it computes times only for the rows that are kept, and counts stretches of the
// arrivals in parallel where no row depends on those before it.
func (p *Posts) Census(asked []int) (*Census, error) {
	stretches := int64(runtime.GOMAXPROCS(0))
	if p.Account > 0 || p.Rows() < 100_000 {
		stretches = 1
	}
	tallies := make([]*tally, stretches)
	for i := range tallies {
		var err error
		if tallies[i], err = newTally(p.Entities(), p.Bytes, asked); err != nil {
			return nil, err
		}
	}
	var wg sync.WaitGroup
	for i, t := range tallies {
		wg.Go(func() {
			from, to := p.Rows()*int64(i)/stretches, p.Rows()*int64(i+1)/stretches
			p.count(t, from, to)
		})
	}
	wg.Wait()
	all := tallies[0]
	for _, t := range tallies[1:] {
		for e, n := range t.rows {
			all.rows[e] += n
		}
		all.hits = append(all.hits, t.hits...)
	}
	return all.census(), nil
}

func (p *Posts) count(t *tally, from, to int64) {
	c := p.cursor(from)
	for position := from; position < to; position++ {
		entity, rest := c.next()
		t.rows[entity]++
		if slot := t.slot[entity]; slot >= 0 {
			t.hits = append(t.hits, hit{slot: slot, position: position, time: c.time(position, rest)})
		}
	}
}
