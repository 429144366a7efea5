package lsm

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/ring"
)

// even is a flush of every key with as many rows, at its own time.
func even(flush, keys, rows int) []Piece {
	var pieces []Piece
	for k := range keys {
		at := int64(flush) * 1_000_000
		pieces = append(pieces, Piece{Key: int32(k), Flush: int32(flush), Rows: int64(rows), Bytes: int64(rows), Oldest: at, Newest: at})
	}
	return pieces
}

// Flushes of one size: four are merged into one, four of those into one of sixteen. After 20 flushes each row was
// written when flushed and when merged into four, and 16 of 20 once more: 2.8 times.
func TestSizeTieredByHand(t *testing.T) {
	s := Store{Strategy: SizeTiered{}}
	var counts []int
	for f := range 20 {
		s.Flush(even(f, 10, 5))
		counts = append(counts, len(s.Tables))
	}
	if want := []int{1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6, 1, 2, 3, 4, 2}; !slices.Equal(counts, want) {
		t.Errorf("tables after each flush: %v, want %v", counts, want)
	}
	if s.Rows != 50*(20+20+16) || s.Tables[0].Rows != 16*50 || s.Tables[1].Rows != 4*50 {
		t.Errorf("%d rows written; tables of %d and %d rows", s.Rows, s.Tables[0].Rows, s.Tables[1].Rows)
	}
	s.Major()
	if len(s.Tables) != 1 || s.Rows != 50*(20+20+16+20) || s.Tables[0].Keys != 10 || len(s.Tables[0].Pieces) != 200 {
		t.Errorf("after a major compaction: %d tables, %d rows written", len(s.Tables), s.Rows)
	}
}

// Tables of four keys with ten rows each, level 1 has room for two of them. The fourth flush brings 4 x 40 rows down, in
// tables of 40: one key each; two more than level 1 has room for move on to level 2, where nothing overlaps them.
func TestLeveledByHand(t *testing.T) {
	s := Store{Strategy: Leveled{Rows: 40, Fanout: 2}}
	for f := range 4 {
		s.Flush(even(f, 4, 10))
	}
	var levels []int
	for _, table := range s.Tables {
		levels = append(levels, table.Level)
	}
	if !slices.Equal(levels, []int{2, 2, 1, 1}) || s.Rows != 2*160 {
		t.Errorf("levels %v after %d rows written, want two moved to level 2 without being written again", levels, s.Rows)
	}
}

// Flushes a day apart: a week is merged when the next has begun.
func TestTimeWindowByHand(t *testing.T) {
	s := Store{Strategy: TimeWindow{Width: bucket.Week, Threshold: 100}}
	const day = 24 * 3600 * 1_000_000
	for d := range 18 { // from Monday 1970-01-05
		at := int64(4+d) * day
		s.Flush([]Piece{{Key: 7, Flush: int32(d), Rows: 1, Bytes: 1, Oldest: at, Newest: at}})
	}
	var rows []int64
	for _, table := range s.Tables {
		rows = append(rows, table.Rows)
	}
	slices.Sort(rows)
	if !slices.Equal(rows, []int64{1, 1, 1, 1, 7, 7}) || s.Rows != 18+14 {
		t.Errorf("tables of %v rows, %d written, want two weeks of 7 and 4 days", rows, s.Rows)
	}
}

// Random flushes under every strategy: no piece is lost, each table is sorted and sums up, tables of a level below the
// top do not overlap, and no strategy wants more when it has come to rest.
func TestStrategiesKeepEveryPiece(t *testing.T) {
	merged, split, moved := 0, 0, 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 5))
		for _, strategy := range []Strategy{
			nil, SizeTiered{2 + r.IntN(4)}, Leveled{Rows: r.Int64N(20), Fanout: r.Int64N(4), Threshold: r.IntN(4)},
			TimeWindow{Width: bucket.Fixed(1 + r.Int64N(40)), Threshold: 2 + r.IntN(3)},
		} {
			var all []Piece
			written := int64(0)
			s := Store{Strategy: strategy, Wrote: func(table *Table) { written += table.Rows }}
			for f := range r.IntN(20) {
				var pieces []Piece
				for k := range 12 {
					if r.IntN(3) == 0 {
						at := r.Int64N(100)
						pieces = append(pieces, Piece{Key: int32(k), Flush: int32(f), Rows: 1 + r.Int64N(9), Bytes: 1 + r.Int64N(90), Oldest: at, Newest: at + r.Int64N(9)})
					}
				}
				all = append(all, pieces...)
				before := s.number
				s.Flush(pieces)
				merged += min(1, max(0, s.number-before-1))
			}
			var left []Piece
			for i, table := range s.Tables {
				again := newTable(table.Pieces, table.Level, table.Number)
				if again.Rows != table.Rows || again.Bytes != table.Bytes || again.Oldest != table.Oldest || again.Newest != table.Newest {
					t.Fatalf("seed %d, %T: table %+v", seed, strategy, table)
				}
				if !slices.IsSortedFunc(table.Pieces, func(a, b Piece) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Flush, b.Flush)) }) {
					t.Fatalf("seed %d, %T: table %v is not sorted", seed, strategy, table.Pieces)
				}
				for _, other := range s.Tables[:i] {
					if table.Level > 0 && table.Level == other.Level {
						split++
						if table.First() <= other.Last() && other.First() <= table.Last() {
							t.Fatalf("seed %d: two tables of level %d overlap", seed, table.Level)
						}
					}
				}
				if table.Level > 1 {
					moved++
				}
				left = append(left, table.Pieces...)
			}
			order := func(a, b Piece) int { return cmp.Or(cmp.Compare(a.Flush, b.Flush), cmp.Compare(a.Key, b.Key)) }
			slices.SortFunc(left, order)
			if !slices.Equal(left, all) || written != s.Rows {
				t.Fatalf("seed %d, %T: %d pieces of %d are left, %d rows written and %d counted", seed, strategy, len(left), len(all), written, s.Rows)
			}
			if strategy != nil {
				if m, ok := strategy.Next(s.Tables); ok {
					t.Fatalf("seed %d, %T: not content, wants to merge %d tables", seed, strategy, len(m.Inputs))
				}
			}
		}
	}
	if merged == 0 || split == 0 || moved == 0 {
		t.Errorf("%d flushes led to merges, %d pairs of tables shared a level, %d tables were moved down: each must happen", merged, split, moved)
	}
}

// Merging the pieces of keys whose flushes nobody asks for changes no table but in the number of its pieces.
func TestPiecesNeedNotStayApart(t *testing.T) {
	fewer := 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 6))
		apart := Store{Strategy: Leveled{Rows: r.Int64N(60), Fanout: 3}}
		together := Store{Strategy: apart.Strategy, Apart: func(key int32) bool { return key%3 == 0 }}
		for f := range 12 {
			pieces := even(f, 12, 1+r.IntN(5))
			apart.Flush(pieces)
			together.Flush(pieces)
		}
		if apart.Rows != together.Rows || len(apart.Tables) != len(together.Tables) {
			t.Fatalf("seed %d: %d rows in %d tables apart, %d in %d together", seed, apart.Rows, len(apart.Tables), together.Rows, len(together.Tables))
		}
		for i, a := range apart.Tables {
			b := *together.Tables[i]
			fewer += len(a.Pieces) - len(b.Pieces)
			if a.First() != b.First() || a.Last() != b.Last() || a.Keys != b.Keys || a.Rows != b.Rows || a.Bytes != b.Bytes ||
				a.Level != b.Level || a.Oldest != b.Oldest || a.Newest != b.Newest {
				t.Fatalf("seed %d: table %+v apart, %+v together", seed, a, b)
			}
		}
	}
	if fewer == 0 {
		t.Error("no pieces were put together")
	}
}

// A filter finds every key that was added, and mistakes others about as often as the formula says.
func TestFilterMistakes(t *testing.T) {
	for _, c := range []struct {
		bits     int
		probes   int
		expected float64 // (1 - (1 - 1/m)^(k n))^k for n = 20,000 keys
	}{{1, 1, 0.6321}, {5, 3, 0.0918}, {10, 7, 0.00819}, {16, 11, 0.000459}} {
		const n = 20_000
		f := NewFilter(n, c.bits)
		hash := func(i int32) (uint64, uint64) { return ring.Hash(ring.EntityKey(i)) }
		for i := range int32(n) {
			f.Add(hash(i))
		}
		mistakes := 0
		for i := range int32(n) {
			if !f.Has(hash(i)) {
				t.Fatalf("%d bits: key %d is not found", c.bits, i)
			}
			if f.Has(hash(n + i)) {
				mistakes++
			}
		}
		// Within five standard deviations of a binomial count.
		if got, want := float64(mistakes), c.expected*n; (got-want)*(got-want) > 25*want || Probes(c.bits) != c.probes {
			t.Errorf("%d bits a key, %d probes: %d mistakes in %d, expected %.1f", c.bits, Probes(c.bits), mistakes, n, want)
		}
	}
}
