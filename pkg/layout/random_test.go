package layout

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// randomCase is a small workload that meets the hard cases often: ties in time, entities with no rows, rows larger
// than a page, more rows asked for than there are, empty and inverted ranges.
type randomCase struct {
	seed uint64
	rows *workload.Slice
	in   *Input
	n    int
	from int64
	to   int64
}

const day = 24 * 3600 * int64(1e6)

func newRandomCase(seed uint64) randomCase {
	r := rand.New(rand.NewPCG(seed, 24))
	c := randomCase{seed: seed}
	entities, n := 1+r.IntN(6), r.IntN(60)
	c.rows = &workload.Slice{Number: entities, Bytes: 1 + r.IntN(40)}
	step := []int64{1, day / 2, 9 * day, 60 * day}[r.IntN(4)]
	now := int64(0)
	for range n {
		c.rows.Entity = append(c.rows.Entity, int32(r.IntN(entities)*r.IntN(2)))
		switch r.IntN(4) {
		case 0: // a late arrival
			c.rows.Time = append(c.rows.Time, now-r.Int64N(step+1))
		case 1: // a tie
			c.rows.Time = append(c.rows.Time, now)
		default:
			now += r.Int64N(step + 1)
			c.rows.Time = append(c.rows.Time, now)
		}
	}
	if r.IntN(2) == 0 {
		for range n {
			c.rows.Size = append(c.rows.Size, int32(1+r.IntN(40)))
		}
		if n == 0 {
			c.rows.Size = []int32{}
		}
	}
	asked := make([]int, entities)
	for i := range asked {
		asked[i] = i
	}
	census, err := workload.Count(c.rows, asked)
	if err != nil {
		panic(err)
	}
	c.in = &Input{
		Workload: c.rows, Census: census, Now: OwnNewest, Floor: OwnOldest, Entry: 2 + r.IntN(6),
		Page: page.Format{Bytes: 24 + r.IntN(60), Header: r.IntN(8), RowHeader: r.IntN(3), Pointer: r.IntN(3)},
	}
	c.n = r.IntN(12)
	c.from = now/2 - r.Int64N(now+day)/2
	c.to = c.from + r.Int64N(now+2)
	switch r.IntN(8) {
	case 0:
		c.to = c.from
	case 1:
		c.from, c.to = c.to, c.from
	}
	return c
}

// place lays the case out, or fails the test.
func (c *randomCase) place(t *testing.T, k Kind) Layout {
	t.Helper()
	l, err := k.Place(c.in)
	if err != nil {
		t.Fatalf("seed %d: %s: %v", c.seed, k.Name, err)
	}
	return l
}

// truth is the answer to a read, from nothing but the rows: positions in arrival order, newest first.
func (c *randomCase) truth(entity int, keep func(time int64) bool, n int) []int64 {
	var all []int64
	for i, e := range c.rows.Entity {
		if int(e) == entity && keep(c.rows.Time[i]) {
			all = append(all, int64(i))
		}
	}
	slices.SortFunc(all, func(a, b int64) int {
		if d := c.rows.Time[b] - c.rows.Time[a]; d != 0 {
			return int(min(max(d, -1), 1))
		}
		return int(b - a)
	})
	return all[:min(n, len(all))]
}

func (c *randomCase) size(position int64) int {
	if c.rows.Size != nil {
		return int(c.rows.Size[position])
	}
	return c.rows.Bytes
}

// TestEveryLayout runs each registered layout on 10,000 random workloads: the pages are checked row by row, the answers
// against a plain sort, and the pages touched against the pages that the decoded rows were written on.
func TestEveryLayout(t *testing.T) {
	const cases = 10_000
	for _, kind := range All() {
		t.Run(kind.Name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(cases) {
				c := newRandomCase(seed)
				l := c.place(t, kind)
				pages := checkPages(t, &c, kind.Name, l)
				var trail Trail
				for i := range c.in.Census.Asked {
					e := &c.in.Census.Asked[i]
					where := fmt.Sprintf("seed %d, %s, entity %d", seed, kind.Name, e.ID)
					trail.Reset()
					l.Latest(&trail, e, c.n)
					checkRead(t, where+fmt.Sprintf(", latest %d", c.n), pages, &trail, e, c.truth(e.ID, func(int64) bool { return true }, c.n))
					trail.Reset()
					l.Range(&trail, e, c.from, c.to)
					checkRead(t, where+fmt.Sprintf(", range %d to %d", c.from, c.to), pages, &trail, e,
						c.truth(e.ID, func(at int64) bool { return at >= c.from && at < c.to }, len(c.rows.Time)))
				}
				if t.Failed() {
					t.FailNow()
				}
			}
		})
	}
}

// writtenPages is the rows that were written on each page, by position.
type writtenPages map[int64]map[int64]bool

// Where a row lies that no page holds yet: reading it touches none.
var inMemoryOnly = page.Span{First: 0, Last: -1}

// checkPages walks every row to where it lies, in the manner of a database's page checker: each row on one run of
// pages, no page fuller than it can be, no page without a row, and the bytes add up.
func checkPages(t *testing.T, c *randomCase, name string, l Layout) writtenPages {
	t.Helper()
	pages, filled, last, bytes := writtenPages{}, map[int64]int{}, int64(-1), int64(0)
	for i := range c.in.Census.Asked {
		e := &c.in.Census.Asked[i]
		for i := range e.Rows() {
			at, takes := l.Where(e, i), c.in.Page.Takes(c.size(e.Position[i]))
			bytes += int64(takes)
			if at == inMemoryOnly {
				continue
			}
			if at.First < 0 || at.Last < at.First || int(at.Last-at.First) > takes/c.in.Page.Room()+1 {
				t.Errorf("seed %d, %s: row %d of %d bytes lies on pages %v", c.seed, name, e.Position[i], takes, at)
			}
			for p := at.First; p <= at.Last; p++ {
				if pages[p] == nil {
					pages[p] = map[int64]bool{}
				}
				pages[p][e.Position[i]] = true
			}
			if at.First == at.Last {
				filled[at.First] += takes
			}
			last = max(last, at.Last)
		}
	}
	for p := range last + 1 {
		if len(pages[p]) == 0 {
			t.Errorf("seed %d, %s: page %d of %d holds no row", c.seed, name, p, last+1)
		}
		if filled[p] > c.in.Page.Room() {
			t.Errorf("seed %d, %s: page %d has room for %d bytes and holds %d", c.seed, name, p, c.in.Page.Room(), filled[p])
		}
	}
	size := l.Size()
	if size.DataPages < last+1 || size.RowBytes < bytes {
		t.Errorf("seed %d, %s: size %+v, but its rows are on %d pages and take %d bytes", c.seed, name, size, last+1, bytes)
	}
	if copied, ok := l.(copies); ok {
		return onlyFetched(c, pages, copied)
	}
	return pages
}

// copies is a layout whose index carries the rows: a read decodes the copy, and comes to the row's own page only where it
// must.
type copies interface {
	fetches(e *workload.Entity, i int) bool
}

// onlyFetched leaves, of the rows on each page, those that reads come to. Pages stay, with no row if need be: such a one
// must not be touched.
func onlyFetched(c *randomCase, pages writtenPages, l copies) writtenPages {
	for i := range c.in.Census.Asked {
		e := &c.in.Census.Asked[i]
		for i := range e.Rows() {
			if !l.fetches(e, i) {
				for _, rows := range pages {
					delete(rows, e.Position[i])
				}
			}
		}
	}
	return pages
}

func checkRead(t *testing.T, where string, pages writtenPages, trail *Trail, e *workload.Entity, want []int64) {
	t.Helper()
	touch := trail.Touch()
	var got []int64
	for _, i := range trail.Answer() {
		got = append(got, e.Position[i])
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: answer is rows %v, want %v", where, got, want)
	}
	touched, decoded := map[int64]bool{}, map[int32]bool{}
	for _, i := range trail.Examined() {
		if decoded[i] {
			t.Errorf("%s: row %d decoded twice", where, e.Position[i])
		}
		decoded[i] = true
		for p, rows := range pages {
			if rows[e.Position[i]] {
				touched[p] = true
			}
		}
	}
	for _, i := range trail.Answer() {
		if !decoded[i] {
			t.Errorf("%s: row %d returned but never decoded", where, e.Position[i])
		}
	}
	rowPages := 0
	for _, p := range trail.DataPages() {
		if _, ok := pages[p]; ok { // others belong to a table beside the rows: a directory
			rowPages++
			if !touched[p] {
				t.Errorf("%s: page %d touched, but no row on it decoded", where, p)
			}
		}
	}
	if rowPages != len(touched) || touch.DataPages != len(trail.DataPages()) || touch.RowsReturned != len(want) ||
		touch.RowsExamined != len(decoded) || touch.EmptyPartitions > touch.Partitions ||
		touch.EmptyFiles > touch.Files {
		t.Errorf("%s: %+v; decoded rows lie on %d pages, %d of them recorded", where, touch, len(touched), rowPages)
	}
}

// TestLatestIsTheHeadOfAll: the n newest rows are the first n of all rows read as one range.
func TestLatestIsTheHeadOfAll(t *testing.T) {
	for _, kind := range All() {
		for seed := range uint64(300) {
			c := newRandomCase(seed)
			l := c.place(t, kind)
			var latest, all Trail
			for i := range c.in.Census.Asked {
				e := &c.in.Census.Asked[i]
				latest.Reset()
				all.Reset()
				l.Latest(&latest, e, c.n)
				l.Range(&all, e, -1<<43, 1<<49)
				if !slices.Equal(latest.Answer(), all.Answer()[:min(c.n, len(all.Answer()))]) {
					t.Fatalf("seed %d, %s: latest %d is %v of %v", seed, kind.Name, c.n, latest.Answer(), all.Answer())
				}
			}
		}
	}
}
