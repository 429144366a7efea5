package layout

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pagetouch/pkg/page"
	"pagetouch/pkg/theory"
	"pagetouch/pkg/workload"
)

// literalLeaves is a clustered index's leaves as one would write them who stored the rows: each leaf a sorted slice.
type literalLeaves struct {
	c      *randomCase
	leaves [][]*literalRow
	splits int64
	atEdge int // leaves begun at the right edge
	parts  int // splits of a part that still did not fit
	tooBig int // leaves of one row that does not fit into a page
	limit  int
}

func (l *literalLeaves) bytes(rows []*literalRow) (sum int) {
	for _, r := range rows {
		sum += l.c.in.Page.Takes(r.size)
	}
	return sum
}

func byKey(a, b *literalRow) int {
	return cmp.Or(cmp.Compare(a.entity, b.entity), cmp.Compare(a.time, b.time), cmp.Compare(a.position, b.position))
}

func (l *literalLeaves) insert(r *literalRow) {
	if len(l.leaves) == 0 {
		l.leaves = [][]*literalRow{{r}}
		return
	}
	at := 0
	for i, leaf := range l.leaves {
		if byKey(leaf[0], r) < 0 {
			at = i
		}
	}
	leaf := l.leaves[at]
	if at == len(l.leaves)-1 && byKey(leaf[len(leaf)-1], r) < 0 && l.bytes(append(leaf[:len(leaf):len(leaf)], r)) > l.limit {
		l.leaves = append(l.leaves, []*literalRow{r})
		l.splits++
		l.atEdge++
		return
	}
	i, _ := slices.BinarySearchFunc(leaf, r, byKey)
	l.leaves[at] = slices.Insert(leaf, i, r)
	l.splitAt(at, 0)
}

func (l *literalLeaves) splitAt(at, depth int) {
	leaf := l.leaves[at]
	if l.bytes(leaf) <= l.c.in.Page.Room() {
		return
	}
	if len(leaf) == 1 {
		l.tooBig++
		return
	}
	cut := 1
	for 2*l.bytes(leaf[:cut+1]) <= l.bytes(leaf) {
		cut++
	}
	l.leaves = slices.Insert(l.leaves, at+1, slices.Clone(leaf[cut:]))
	l.leaves[at] = leaf[:cut:cut]
	l.splits++
	if depth > 0 {
		l.parts++
	}
	l.splitAt(at+1, depth+1)
	l.splitAt(at, depth+1)
}

// A leaf is a run of ranks here and a slice of rows there; on 10,000 random workloads both hold the same rows.
func TestClusteredLeavesHoldWhatInsertsPutThere(t *testing.T) {
	var atEdge, split, parts, tooBig, late, empty, deep int
	for seed := range uint64(10_000) {
		c := newRandomCase(seed)
		for _, way := range []struct {
			kind       Kind
			ordered    bool
			sixteenths int
		}{{Clustered, false, 15}, {ClusteredOrdered, true, 15}, {ClusteredLoad(16), true, 16}} {
			rows := c.literalRows()
			if way.ordered {
				slices.SortFunc(rows, byKey)
			}
			want := literalLeaves{c: &c, limit: c.in.Page.Room() * way.sixteenths / 16}
			for _, r := range rows {
				want.insert(r)
			}
			l := c.place(t, way.kind)
			got, _ := Grown(l)
			var pages []int64
			var page int64
			for _, leaf := range want.leaves {
				pages = append(pages, int64(len(leaf)))
				for _, r := range leaf {
					r.first = int(page)
				}
				page += int64((want.bytes(leaf) + c.in.Page.Room() - 1) / c.in.Page.Room())
			}
			if len(rows) > 0 && !slices.Equal(got.LeafRows, pages) {
				t.Fatalf("seed %d, %s: leaves of %v rows, want %v", seed, way.kind.Name, got.LeafRows, pages)
			}
			if got.Levels == 1 && got.Splits != want.splits || got.Splits < want.splits {
				t.Fatalf("seed %d, %s: %d splits of %d levels, want %d of leaves", seed, way.kind.Name, got.Splits, got.Levels, want.splits)
			}
			at := map[int64]int{}
			for _, r := range rows {
				at[r.position] = r.first
			}
			for i := range c.in.Census.Asked {
				e := &c.in.Census.Asked[i]
				for i := range e.Rows() {
					if got := l.Where(e, i).First; got != int64(at[e.Position[i]]) {
						t.Fatalf("seed %d, %s: row %d begins on page %d, want %d", seed, way.kind.Name, e.Position[i], got, at[e.Position[i]])
					}
				}
				if !slices.IsSorted(e.Position) {
					late++
				}
				if e.Rows() == 0 {
					empty++
				}
			}
			atEdge, split, parts, tooBig = atEdge+want.atEdge, split+int(want.splits), parts+want.parts, tooBig+want.tooBig
			if got.Levels > 2 {
				deep++
			}
		}
	}
	for name, n := range map[string]int{"pages begun at the right edge": atEdge, "splits": split, "splits of a part": parts, "rows larger than a page": tooBig,
		"late arrivals": late, "entities with no rows": empty, "trees of three levels": deep} {
		if n < 100 {
			t.Errorf("%s: met %d times, want at least 100", name, n)
		}
	}
}

// Loaded in key order with full pages, a clustered index is layout B but for the direction: as many pages, and the rows
// of an entity on the same ones.
func TestClusteredFullIsPartition(t *testing.T) {
	compared := 0
	for seed := range uint64(3_000) {
		c := newRandomCase(seed)
		if c.rows.Size != nil { // B's rows of varying size cross page boundaries
			continue
		}
		sameEntityPages(t, &c, c.place(t, ClusteredLoad(16)), c.place(t, Partition))
		compared++
	}
	if compared < 1000 {
		t.Errorf("%d cases compared, want at least 1,000", compared)
	}
}

// sameEntityPages: both files have as many pages, and each entity's rows lie on the same ones.
func sameEntityPages(t *testing.T, c *randomCase, a, b Layout) {
	t.Helper()
	if a.Size().DataPages != b.Size().DataPages {
		t.Fatalf("seed %d: %d pages and %d", c.seed, a.Size().DataPages, b.Size().DataPages)
	}
	var x, y Trail
	for i := range c.in.Census.Asked {
		e := &c.in.Census.Asked[i]
		x.Reset()
		y.Reset()
		a.Latest(&x, e, e.Rows())
		b.Latest(&y, e, e.Rows())
		if !slices.Equal(x.DataPages(), y.DataPages()) {
			t.Fatalf("seed %d: entity %d lies on pages %v and %v", c.seed, e.ID, x.DataPages(), y.DataPages())
		}
	}
}

func evenPosts(rows int64, users int, order workload.TimeOrder) *Input {
	w := &workload.Posts{Count: rows, Users: users, From: 0, To: rows * 1_000_000, Bytes: 200, Seed: 8192, Order: order}
	asked := workload.Sample(users, min(users, 1000), 8192)
	c, err := workload.Count(w, asked)
	if err != nil {
		panic(err)
	}
	return &Input{Workload: w, Census: c, Page: page.Lesson, Entry: 16, Now: OwnNewest, Floor: OwnOldest}
}

// Inserts at random places leave what Yao's analysis says, ln 2 and a little; inserts in time order leave less, the less
// the more rows a user has, down to half; inserts in key order leave 15/16.
func TestClusteredFill(t *testing.T) {
	rowsPerLeaf := func(in *Input, k Kind) float64 {
		l, err := k.Place(in)
		if err != nil {
			t.Fatal(err)
		}
		return float64(in.Census.Rows) / float64(l.Size().DataPages)
	}
	anyOrder := evenPosts(400_000, 4_000, workload.AnyOrder)
	if got, want := rowsPerLeaf(anyOrder, Clustered), theory.SplitRows(40); math.Abs(got-want) > want/200 {
		t.Errorf("random inserts: %.3f rows a leaf, want %.3f", got, want)
	}
	for _, rows := range []int64{39, 41} { // the closed form for other leaves, by the row's size
		in := *anyOrder
		in.Page.Bytes = int(rows) * 200
		if got, want := rowsPerLeaf(&in, Clustered), theory.SplitRows(rows); math.Abs(got-want) > want/200 {
			t.Errorf("random inserts, %d rows a full leaf: %.3f, want %.3f", rows, got, want)
		}
	}
	if got := rowsPerLeaf(anyOrder, ClusteredOrdered); math.Abs(got-38) > .01 {
		t.Errorf("ordered inserts: %.3f rows a leaf, want 38: 15/16 of 8,192 bytes are 38.4 rows", got)
	}
	// MariaDB 10.11 left its pages 56 % full when the lesson's posts were inserted in arrival order.
	if got := rowsPerLeaf(evenPosts(2_000_000, 20_000, workload.InTimeOrder), Clustered) / 40; math.Abs(got-.56) > .01 {
		t.Errorf("the lesson's posts in arrival order: %.3f full, measured 0.56", got)
	}
	last := math.Inf(1)
	for _, users := range []int{40_000, 4_000, 400} {
		got := rowsPerLeaf(evenPosts(400_000, users, workload.InTimeOrder), Clustered)
		if got >= last || got < 20 {
			t.Errorf("%d users: %.3f rows a leaf, want less than %.3f and at least 20", users, got, last)
		}
		last = got
	}
	if last > 20.3 {
		t.Errorf("1,000 rows a user: %.3f rows a leaf, want about 20: splits leave halves that get no more rows", last)
	}
}

func TestRanks(t *testing.T) {
	for _, bound := range []int64{0, 1, 63, 64, 65, 4096, 4097, 300_000} {
		s, has := newRanks(bound), map[int64]bool{}
		draws := workload.NewDraws(1, uint64(bound))
		for i := range min(bound, 50) {
			n := int64(draws.At(i) % uint64(bound))
			s.add(n)
			has[n] = true
		}
		below, above := int64(-1), s.atLeast(0)
		for i := range bound {
			if has[i] != s.has(i) {
				t.Fatalf("bound %d: has %d: %v", bound, i, s.has(i))
			}
			if has[i] {
				below = i
			}
			if got := s.atMost(i); got != below {
				t.Fatalf("bound %d: at most %d: %d, want %d", bound, i, got, below)
			}
			if got := s.atLeast(i); got != above {
				t.Fatalf("bound %d: at least %d: %d, want %d", bound, i, got, above)
			}
			if i == above {
				above = -1
				for n := i + 1; n < bound; n++ {
					if has[n] {
						above = n
						break
					}
				}
			}
		}
		if s.atLeast(bound) >= bound || len(s.list()) != len(has) {
			t.Errorf("bound %d: %d numbers listed, want %d", bound, len(s.list()), len(has))
		}
	}
}

func BenchmarkClustered(b *testing.B) {
	in := evenPosts(2_000_000, 20_000, workload.InTimeOrder)
	for _, k := range []Kind{Clustered, ClusteredOrdered, ClusteredOnce, Covering} {
		b.Run(k.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := k.Place(in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
