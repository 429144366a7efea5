package workload

import (
	"fmt"
	"math"
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
	case p.Users < 1 || p.Users > 1<<25:
		return fmt.Errorf("users: %d: want 1 to %d", p.Users, 1<<25)
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

// cursor generates rows one after another, a block at a time. Only the big account makes a row depend on those before it:
// exactly Account of all rows are its own, every choice of rows as likely as another (Knuth, The Art of Computer
// Programming, volume 2, algorithm 3.4.2S).
type cursor struct {
	*Posts
	rows, late Draws
	slot       int64  // microseconds from one post to the next, rounded down
	position   int64  // of the next row
	left       uint64 // posts of the big account still to come
}

func (p *Posts) cursor(position int64) cursor {
	return cursor{
		Posts: p, rows: NewDraws(p.Seed, rowStream), late: NewDraws(p.Seed, lateStream),
		slot: (p.To - p.From) / p.Rows(), position: position, left: uint64(p.Account),
	}
}

// blockRows is how many rows a block has: few enough for its columns to stay in the processor's nearest cache.
const blockRows = 1024

// block is consecutive generated rows: whose each is, and the random bits left for its time.
type block struct {
	first  int64
	entity [blockRows]int32
	rest   [blockRows]uint64
}

// next fills a block with the rows up to position end and returns how many there are.
func (c *cursor) next(b *block, end int64) int {
	n := int(min(blockRows, end-c.position))
	b.first = c.position
	entity, rest := b.entity[:n], b.rest[:n]
	users, account, left := uint64(c.Users), int32(c.Users), c.left
	for i := range entity {
		place, x := c.draw(c.position + int64(i))
		var user int32
		if c.Weights != nil {
			user, rest[i] = c.Weights.pick(x)
		} else {
			number, more := bits.Mul64(x, users)
			user, rest[i] = int32(number), more
		}
		_, own := bits.Sub64(place, left, 0) // 1 where place is below what is left: a branch could not be foreseen
		left -= own
		entity[i] = user + int32(own)*(account-user)
	}
	c.left = left
	c.position += int64(n)
	return n
}

// draw is the random bits of a row, after its place among the rows still to come was taken from them where there is a
// big account.
func (c *cursor) draw(position int64) (place, x uint64) {
	x = c.rows.At(position)
	if c.Account > 0 {
		return bits.Mul64(x, uint64(c.Rows()-position))
	}
	return 0, x
}

// rest is the random bits left for the time of the row at a position.
func (c *cursor) rest(position int64) (rest uint64) {
	_, x := c.draw(position)
	if c.Weights != nil {
		_, rest = c.Weights.pick(x)
		return rest
	}
	_, rest = bits.Mul64(x, uint64(c.Users))
	return rest
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
	var b block
	times := make([]int64, blockRows)
	for c := p.cursor(0); c.position < p.Rows(); {
		n := c.next(&b, p.Rows())
		for i, rest := range b.rest[:n] {
			times[i] = c.time(b.first+int64(i), rest)
		}
		if err := yield(&Batch{First: b.first, Entity: b.entity[:n], Time: times[:n]}); err != nil {
			return err
		}
	}
	return nil
}

// Census is Count for generated posts. Rows are counted by position alone, in stretches of the arrivals that run in
// parallel where no row depends on those before it; times are computed afterwards, for the rows that are kept.
func (p *Posts) Census(asked []int) (*Census, error) {
	stretches := int64(runtime.GOMAXPROCS(0))
	if p.Account > 0 || p.Rows() < 100_000 {
		stretches = 1
	}
	tallies := make([]*tally, stretches)
	for i := range tallies {
		t, err := newTally(p.Entities(), p.Bytes, asked)
		if err != nil {
			return nil, err
		}
		tallies[i] = t
	}
	inParallel(stretches, func(i int64) {
		p.count(tallies[i], p.Rows()*i/stretches, p.Rows()*(i+1)/stretches)
	})
	all := tallies[0]
	for _, t := range tallies[1:] {
		for e, n := range t.rows {
			all.rows[e] += n
		}
		for i := range all.kept {
			all.kept[i].Position = append(all.kept[i].Position, t.kept[i].Position...)
		}
	}
	for i := range all.kept {
		all.kept[i].Time = make([]int64, len(all.kept[i].Position))
	}
	parts := int64(runtime.GOMAXPROCS(0))
	inParallel(parts, func(part int64) { // a part of each entity's: the big account has more rows than all others
		c := p.cursor(0)
		for i := range all.kept {
			e := &all.kept[i]
			n := int64(e.Rows())
			for j := n * part / parts; j < n*(part+1)/parts; j++ {
				e.Time[j] = c.time(e.Position[j], c.rest(e.Position[j]))
			}
		}
	})
	return all.census(), nil
}

func inParallel(n int64, do func(i int64)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}

// count tallies the rows at positions [from, to). Here a simulation spends its time: a row of a user who is not asked
// costs its draw and an addition.
func (p *Posts) count(t *tally, from, to int64) {
	expected := (to - from) / int64(p.Users)
	if from == 0 { // the positions of the other stretches are appended to those of the first
		expected = p.Count / int64(p.Users)
	}
	for i := range t.kept {
		t.kept[i].Position = make([]int64, 0, expected+expected/4+16)
	}
	var b block
	c := p.cursor(from)
	if p.Account > 0 {
		p.countMixed(t, &c, &b)
		return
	}
	if p.Weights != nil || to-from > math.MaxUint32 {
		for c.position < to {
			for i, e := range b.entity[:c.next(&b, to)] {
				t.add(e, b.first+int64(i))
			}
		}
		return
	}
	// Who is asked and how many rows there are stand in one word, because each row comes to some user's at random and the
	// processor waits for it: the slot above, from 1, and the count below, which a stretch of 2^32 rows cannot fill.
	users := uint64(p.Users)
	seats := make([]uint64, users)
	for user := range seats {
		seats[user] = uint64(t.slot[user]+1) << 32
	}
	for position := from; position < to; position++ {
		user, _ := bits.Mul64(c.rows.At(position), users)
		seat := seats[user]
		seats[user] = seat + 1
		if slot := seat >> 32; slot > 0 {
			of := &t.kept[slot-1]
			of.Position = append(of.Position, position)
		}
	}
	for user, seat := range seats {
		t.rows[user] += int64(seat & math.MaxUint32)
	}
}

// add counts a row and keeps its position where its entity is asked.
func (t *tally) add(e int32, position int64) {
	t.rows[e]++
	if slot := t.slot[e]; slot >= 0 {
		of := &t.kept[slot]
		of.Position = append(of.Position, position)
	}
}

// countMixed is count of all rows where some are the big account's. Which they are cannot be foreseen, so no branch asks:
// every position is written down as the account's, and the next one overwrites it unless it was.
func (p *Posts) countMixed(t *tally, c *cursor, b *block) {
	account, written := make([]int64, p.Account+1), 0
	kept := t.slot[p.Users]
	t.slot[p.Users] = -1
	rows, slots, users := t.rows, t.slot, int64(p.Users)
	for c.position < p.Rows() {
		for i, e := range b.entity[:c.next(b, p.Rows())] {
			rows[e]++
			account[written] = b.first + int64(i)
			written += int(1 + (int64(e)-users)>>63) // 1 for the account, 0 for any other
			if slot := slots[e]; slot >= 0 {
				of := &t.kept[slot]
				of.Position = append(of.Position, b.first+int64(i))
			}
		}
	}
	if kept >= 0 {
		t.slot[p.Users], t.kept[kept].Position = kept, account[:p.Account]
	}
}

// Counts yields, for each span of time between neighbouring bounds, how many rows each entity has in it, and reports
// whether it can: only posts in time order are counted by position alone, without a time for each. Bounds ascend, from
// the first post's time or earlier to past the last one's. What is yielded is valid until yield returns.
func (p *Posts) Counts(bounds []int64, yield func(span int, rows []int32)) bool {
	if p.Order != InTimeOrder || p.Late > 0 {
		return false
	}
	rows := make([]int32, p.Entities())
	var b block
	c := p.cursor(0)
	for span := range bounds[1:] {
		clear(rows)
		for end := p.at(bounds[span+1]); c.position < end; {
			for _, e := range b.entity[:c.next(&b, end)] {
				rows[e]++
			}
		}
		yield(span, rows)
	}
	return true
}

// at is the position of the first row with a time of at least t, of rows in time order.
func (p *Posts) at(t int64) int64 {
	c := p.cursor(0)
	position := min(max(0, (t-p.From)/c.slot), p.Rows())
	if position < p.Rows() && c.time(position, c.rest(position)) < t {
		position++
	}
	return position
}
