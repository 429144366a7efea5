package workload

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Sampled is the posts that Posts generates for users who all post alike in time order, at any scale: no row is
// generated but those of the users asked about, and those are drawn from the distribution that they have among all
// rows. A census of 10^12 rows takes as long as its sampled rows.
//
//   - How many rows each asked user has, and all users between two of them, is multinomial: drawn by halving the users,
//     each half's rows a binomial count of the whole's.
//   - Where the asked users' rows stand among all arrivals is a choice of so many positions without replacement, dealt
//     out to the users in random order.
//   - A time is a position's share of the span, plus a random part of a row's own share. It is computed in 128 bits and
//     cut to a microsecond at the end, so nothing is lost where a microsecond holds many rows; their times tie then, and
//     the later arrival is the newer as everywhere.
//
// One number is not drawn but expected: how many of the users who were not asked have no row at all. It says which page of a sparse index a read goes through, not how many. Census.Largest is the largest of the
// asked users, as nobody else's rows are known one by one.
type Sampled struct {
	Count    int64 // posts
	Users    int   // entities 0 to Users-1
	From, To int64 // the span [From, To) in microseconds
	Bytes    int   // size of a post
	Seed     uint64
}

// Validate reports the first parameter that makes no workload.
func (s *Sampled) Validate() error {
	switch {
	case s.Bytes < 1:
		return fmt.Errorf("row bytes: %d: want at least 1", s.Bytes)
	case s.Count < 1 || s.Count > math.MaxInt64/int64(s.Bytes):
		return fmt.Errorf("posts: %d of %d bytes: want at least 1, and a sum of bytes below 2^63", s.Count, s.Bytes)
	case s.Users < 1:
		return fmt.Errorf("users: %d: want at least 1", s.Users)
	case s.To <= s.From:
		return fmt.Errorf("the span of time ends before it begins")
	}
	return nil
}

// Rows implements Workload.
func (s *Sampled) Rows() int64 { return s.Count }

// RowBytes implements Workload.
func (s *Sampled) RowBytes() int { return s.Bytes }

// Entities implements Workload.
func (s *Sampled) Entities() int { return s.Users }

// Scan implements Workload with an error: there is no row to yield.
func (s *Sampled) Scan(func(*Batch) error) error {
	return errors.New("only sampled rows were drawn, not all: a layout that has to see every row needs posts that are generated")
}

// Census draws the rows of the asked users, who must be distinct.
func (s *Sampled) Census(asked []int) (*Census, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	order := make([]int, len(asked)) // of asked, by user
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return asked[a] - asked[b] })
	groups := make([]int64, 0, 2*len(asked)+1) // how many users: a gap, an asked user, a gap, ..., a gap
	next := 0
	for _, i := range order {
		id := asked[i]
		if id < 0 || id >= s.Users {
			return nil, fmt.Errorf("asked for entity %d: the workload has entities 0 to %d", id, s.Users-1)
		}
		if id < next {
			return nil, fmt.Errorf("asked for entity %d twice", id)
		}
		groups = append(groups, int64(id-next), 1)
		next = id + 1
	}
	groups = append(groups, int64(s.Users-next))

	d := newDice(s.Seed, sampledStream)
	rows := make([]int64, len(groups))
	d.split(s.Count, groups, rows)
	c := &Census{Rows: s.Count, Bytes: s.Count * int64(s.Bytes), Entities: s.Users, RowBytes: s.Bytes, Asked: make([]Entity, len(asked))}
	before, sampled := int64(0), int64(0)
	for g, n := range rows {
		if g%2 == 1 {
			id := asked[order[g/2]]
			c.Asked[order[g/2]] = Entity{ID: id, RowBytes: s.Bytes, Before: before, BytesBefore: before * int64(s.Bytes), KeysBefore: c.Keys}
			if n > c.Largest.Rows {
				c.Largest = Extent{Entity: id, Rows: n, Bytes: n * int64(s.Bytes)}
			}
			sampled += n
		}
		c.Keys += occupied(groups[g], n)
		before += n
	}
	s.deal(d, c, order, rows, sampled)
	return c, nil
}

// split draws how many of n rows fall to each group, as many users as it has of all.
func (d *dice) split(n int64, groups, rows []int64) {
	if len(groups) == 1 {
		rows[0] = n
		return
	}
	half, left, all := len(groups)/2, int64(0), int64(0)
	for i, users := range groups {
		if i < half {
			left += users
		}
		all += users
	}
	k := d.binomial(n, left, all)
	d.split(k, groups[:half], rows[:half])
	d.split(n-k, groups[half:], rows[half:])
}

// deal gives the asked users their rows.
func (s *Sampled) deal(d *dice, c *Census, order []int, rows []int64, sampled int64) {
	owners := make([]int32, 0, sampled)
	times, positions := make([]int64, sampled), make([]int64, sampled)
	for k, i := range order {
		e, n, at := &c.Asked[i], rows[2*k+1], len(owners)
		e.Time, e.Position = times[at:at:at+int(n)], positions[at:at:at+int(n)]
		for range n {
			owners = append(owners, int32(i))
		}
	}
	chosen := d.choose(s.Count, sampled)
	for i, position := range chosen {
		j := i + int(d.below(uint64(len(owners)-i)))
		owners[i], owners[j] = owners[j], owners[i]
		e := &c.Asked[owners[i]]
		e.Position = append(e.Position, position)
		e.Time = append(e.Time, s.time(position, d.below(uint64(s.To-s.From))))
	}
}

// time is From + (position + part/span) * span/rows, part below the span.
func (s *Sampled) time(position int64, part uint64) int64 {
	hi, lo := bits.Mul64(uint64(position), uint64(s.To-s.From))
	lo, carry := bits.Add64(lo, part, 0)
	t, _ := bits.Div64(hi+carry, lo, uint64(s.Count))
	return s.From + int64(t)
}

// choose draws k distinct numbers below n, each set of them as likely as another, in ascending order: it draws until there
// are enough, or, where that would take long, draws those that are left out.
func (d *dice) choose(n, k int64) []int64 {
	switch {
	case k > n/2:
		left := d.choose(n, n-k)
		chosen := make([]int64, 0, k)
		for x := range n {
			if len(left) > 0 && left[0] == x {
				left = left[1:]
				continue
			}
			chosen = append(chosen, x)
		}
		return chosen
	case k > n/64: // a bit for each number takes less room than the numbers drawn, and needs no sorting
		return d.mark(n, k)
	}
	return d.gather(n, k)
}

// gather is choose for numbers that are few of n: as many as are missing are drawn, until none was drawn twice.
func (d *dice) gather(n, k int64) []int64 {
	chosen := make([]int64, 0, k)
	for int64(len(chosen)) < k {
		for range k - int64(len(chosen)) {
			chosen = append(chosen, int64(d.below(uint64(n))))
		}
		slices.Sort(chosen)
		chosen = slices.Compact(chosen)
	}
	return chosen
}

// mark is choose for numbers that are many of n, from the same draws: each is marked, and the marks are read off in order.
func (d *dice) mark(n, k int64) []int64 {
	marked := make([]uint64, n/64+1)
	for left := k; left > 0; {
		x := d.below(uint64(n))
		if bit := uint64(1) << (x % 64); marked[x/64]&bit == 0 {
			marked[x/64] |= bit
			left--
		}
	}
	chosen := make([]int64, 0, k)
	for i, word := range marked {
		for ; word != 0; word &= word - 1 {
			chosen = append(chosen, int64(i)*64+int64(bits.TrailingZeros64(word)))
		}
	}
	return chosen
}

// occupied is how many of so many users, who share so many rows, have at least one, as expected and rounded: all of them,
// unless rows are few.
func occupied(users, rows int64) int64 {
	if users <= 1 {
		return min(users, rows)
	}
	missed, factor := 1.0, 1-1/float64(users) // (1 - 1/users)^rows, in products alone
	for n := rows; n > 0; n /= 2 {
		if n%2 == 1 {
			missed *= factor
		}
		factor *= factor
	}
	return users - int64(float64(float64(users)*missed)+0.5)
}
