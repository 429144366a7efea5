package layout

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/ring"
	"pagetouch/pkg/workload"
)

// sometimes counts how often random cases met what a test is about; a test that never met it proved nothing.
type sometimes map[string]int

func (s sometimes) met(what string, yes bool) {
	if yes {
		s[what]++
	} else if _, ok := s[what]; !ok {
		s[what] = 0
	}
}

func (s sometimes) check(t *testing.T) {
	t.Helper()
	for what, n := range s {
		if n == 0 {
			t.Errorf("no random case met: %s", what)
		}
	}
}

func readLatest(l Layout, e *workload.Entity, n int) (Touch, []int32) {
	var t Trail
	l.Latest(&t, e, n)
	return t.Touch(), t.Answer()
}

func readRange(l Layout, e *workload.Entity, from, to int64) (Touch, []int32) {
	var t Trail
	l.Range(&t, e, from, to)
	return t.Touch(), t.Answer()
}

// The kinds that are registered with one parameter run under the checks of TestEveryLayout with others, too.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	kinds := []Kind{
		SizeBuckets(1), SizeBuckets(2), SizeBuckets(7), Sharded(bucket.Month, 1), Sharded(bucket.Day, 2), Sharded(bucket.Year, 5),
		Bucketed(bucket.Day, false), Bucketed(bucket.Week, true), Bucketed(bucket.Quarter, false), Bucketed(bucket.Year, true),
		Bucketed(bucket.Fixed(10*day), true), RangeSplit(bucket.Month, 1), RangeSplit(bucket.Week, 50), RangeSplitByPost(30),
	}
	for i, kind := range kinds {
		for seed := range uint64(400) {
			c := newRandomCase(seed)
			l := c.place(t, kind)
			name := fmt.Sprintf("%s, kind %d", kind.Name, i)
			pages := checkPages(t, &c, name, l)
			for i := range c.in.Census.Asked {
				e := &c.in.Census.Asked[i]
				var latest, between Trail
				where := fmt.Sprintf("seed %d, %s, entity %d", seed, name, e.ID)
				l.Latest(&latest, e, c.n)
				checkRead(t, where+", latest", pages, &latest, e, c.truth(e.ID, func(int64) bool { return true }, c.n))
				l.Range(&between, e, c.from, c.to)
				checkRead(t, where+", range", pages, &between, e,
					c.truth(e.ID, func(at int64) bool { return at >= c.from && at < c.to }, len(c.rows.Time)))
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	}
}

// A wider bucket in which the narrow ones nest asks for no more partitions, and its largest partition is no smaller.
func TestWiderBucketsLaws(t *testing.T) {
	t.Parallel()
	widths := append(bucket.Named(), bucket.Forever, bucket.Fixed(10*day), bucket.Fixed(5*day))
	met := sometimes{}
	for seed := range uint64(200) {
		c := newRandomCase(seed)
		for _, directory := range []bool{false, true} {
			placed := make([]Layout, len(widths))
			for i, w := range widths {
				placed[i] = c.place(t, Bucketed(w, directory))
			}
			for i, narrow := range widths {
				for j, wide := range widths {
					if i == j || !narrow.Nests(wide) || (narrow == bucket.Hour && c.to-c.from > 30*day) {
						continue
					}
					where := fmt.Sprintf("seed %d, %s in %s, directory %v", seed, narrow, wide, directory)
					a, b := placed[i].Size(), placed[j].Size()
					if a.Largest.Rows > b.Largest.Rows || a.Partitions < b.Partitions {
						t.Fatalf("%s: sizes %+v and %+v", where, a, b)
					}
					met.met("a smaller largest partition", a.Largest.Rows < b.Largest.Rows)
					for k := range c.in.Census.Asked {
						e := &c.in.Census.Asked[k]
						x, answerX := readLatest(placed[i], e, c.n)
						y, answerY := readLatest(placed[j], e, c.n)
						if x.Partitions < y.Partitions || !slices.Equal(answerX, answerY) {
							t.Fatalf("%s: latest %d asks %d and %d partitions", where, c.n, x.Partitions, y.Partitions)
						}
						met.met("a wider fan-out of latest n", x.Partitions > y.Partitions)
						met.met("an empty bucket", x.EmptyPartitions > 0 || directory)
						x, _ = readRange(placed[i], e, c.from, c.to)
						y, _ = readRange(placed[j], e, c.from, c.to)
						if x.Partitions < y.Partitions && !directory {
							t.Fatalf("%s: range asks %d and %d partitions", where, x.Partitions, y.Partitions)
						}
						met.met("a wider fan-out of a range", x.Partitions > y.Partitions)
						// A directory of narrow buckets knows more of where rows are: a wide bucket may have rows, but none in range.
						met.met("a directory that spares a read of the range", x.Partitions < y.Partitions)
						if want := narrow.Touched(c.from, c.to); !directory && int64(x.Partitions) != want {
							t.Fatalf("%s: range asks %d partitions of %d touched", where, x.Partitions, want)
						}
					}
				}
			}
		}
	}
	met.check(t)
}

// The order of arrivals decides nothing about how large the partitions are, and sizes scale with the rows.
func TestPermutedAndScaled(t *testing.T) {
	t.Parallel()
	met := sometimes{}
	kinds := []Kind{
		Partition, MonthBuckets, Bucketed(bucket.Day, true), SizeBuckets(3), SizeBuckets(10), RangeSplit(bucket.Day, 100), RowPerEntity, RowPerPost,
	}
	for seed := range uint64(300) {
		c := newRandomCase(seed)
		shuffled, scaled := c, c
		rows, large := *c.rows, *c.rows
		rows.Entity, rows.Time, rows.Size = slices.Clone(rows.Entity), slices.Clone(rows.Time), slices.Clone(rows.Size)
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(rows.Entity), func(i, j int) {
			rows.Entity[i], rows.Entity[j] = rows.Entity[j], rows.Entity[i]
			rows.Time[i], rows.Time[j] = rows.Time[j], rows.Time[i]
			if rows.Size != nil {
				rows.Size[i], rows.Size[j] = rows.Size[j], rows.Size[i]
			}
		})
		large.Bytes, large.Size = 3*large.Bytes, slices.Clone(large.Size)
		for i := range large.Size {
			large.Size[i] *= 3
		}
		for _, other := range []struct {
			c    *randomCase
			rows *workload.Slice
		}{{&shuffled, &rows}, {&scaled, &large}} {
			census, err := workload.Count(other.rows, nil)
			if err != nil {
				t.Fatal(err)
			}
			in := *c.in
			in.Workload, in.Census = other.rows, census
			other.c.rows, other.c.in = other.rows, &in
		}
		met.met("late arrivals", !slices.IsSorted(c.rows.Time))
		for _, k := range kinds {
			a, b, s := c.place(t, k).Size(), shuffled.place(t, k).Size(), scaled.place(t, k).Size()
			sized := strings.HasPrefix(k.Name, "buckets-of-") // which rows share a bucket is a matter of arrival
			if a.Largest.Rows != b.Largest.Rows || a.Partitions != b.Partitions || !sized && a.Largest.Bytes != b.Largest.Bytes {
				t.Fatalf("seed %d, %s: sizes %+v, and %+v with arrivals permuted", seed, k.Name, a, b)
			}
			overhead := int64(c.in.Page.RowHeader+c.in.Page.Pointer) * c.in.Census.Rows
			if !sized && (s.Largest.Bytes != 3*a.Largest.Bytes || k.Name != "day-directory" && s.RowBytes-overhead != 3*(a.RowBytes-overhead)) {
				t.Fatalf("seed %d, %s: sizes %+v, and %+v with rows three times the size", seed, k.Name, a, s)
			}
			met.met("several partitions", a.Partitions > 1)
		}
	}
	met.check(t)
}

// Buckets of N rows hold at most N, and only the last of an entity fewer; one that holds everything is a partition an
// entity, and one of a single row a partition a row.
func TestSizeBucketsLaws(t *testing.T) {
	t.Parallel()
	met := sometimes{}
	for seed := range uint64(2000) {
		c := newRandomCase(seed)
		rows := int64(1 + seed%9)
		s := c.place(t, SizeBuckets(int(rows))).Size()
		want := int64(0)
		held := map[int32]int64{}
		for _, e := range c.rows.Entity {
			held[e]++
		}
		most := int64(0)
		for _, n := range held {
			want += (n + rows - 1) / rows
			most = max(most, min(n, rows))
		}
		if s.Partitions != want || s.Largest.Rows != most || most > rows {
			t.Fatalf("seed %d: %d partitions, the largest of %d rows, want %d of at most %d", seed, s.Partitions, s.Largest.Rows, want, rows)
		}
		met.met("a full bucket", most == rows)
		all, one := c.place(t, SizeBuckets(1<<30)).Size(), c.place(t, Partition).Size()
		if all.Partitions != one.Partitions || all.Largest != one.Largest {
			t.Fatalf("seed %d: one bucket for all is %+v, a partition an entity %+v", seed, all, one)
		}
		for i := range c.in.Census.Asked {
			e := &c.in.Census.Asked[i]
			touch, _ := readLatest(c.place(t, SizeBuckets(int(rows))), e, c.n)
			ordered := slices.IsSorted(e.Position)
			met.met("late arrivals", !ordered)
			met.met("late arrivals that cost a bucket more", !ordered && touch.Partitions-1 > (c.n+int(rows)-2)/int(rows)+1)
			if buckets := (e.Rows() + int(rows) - 1) / int(rows); ordered && c.n > 0 && buckets > 0 {
				// The current bucket holds what the full ones leave: step back from it.
				current := e.Rows() - (buckets-1)*int(rows)
				wantReads := 2 + (max(0, min(c.n, e.Rows())-current)+int(rows)-1)/int(rows)
				if touch.Partitions != wantReads || touch.RowsExamined != touch.RowsReturned {
					t.Fatalf("seed %d: latest %d of %d rows in buckets of %d: %+v, want %d partitions", seed, c.n, e.Rows(), rows, touch, wantReads)
				}
			}
		}
	}
	met.check(t)
}

// Splitting a bucket k ways multiplies the partitions asked by k and changes no answer; the largest shard is at least
// the k-th part of the largest bucket. One shard is the bucket.
func TestShardsLaws(t *testing.T) {
	t.Parallel()
	met := sometimes{}
	for seed := range uint64(1000) {
		c := newRandomCase(seed)
		width := bucket.Named()[1+seed%5]
		whole, same := c.place(t, Bucketed(width, false)), c.place(t, Sharded(width, 1))
		if whole.Size() != same.Size() {
			t.Fatalf("seed %d: one shard takes %+v, the bucket %+v", seed, same.Size(), whole.Size())
		}
		for _, k := range []int{1, 2, 3, 8} {
			l := c.place(t, Sharded(width, k))
			if largest := l.Size().Largest.Rows; largest < (whole.Size().Largest.Rows+int64(k)-1)/int64(k) {
				t.Fatalf("seed %d: the largest of %d shards holds %d rows of %d", seed, k, largest, whole.Size().Largest.Rows)
			}
			for i := range c.in.Census.Asked {
				e := &c.in.Census.Asked[i]
				x, answerX := readLatest(whole, e, c.n)
				y, answerY := readLatest(l, e, c.n)
				if !slices.Equal(answerX, answerY) || y.Partitions != k*x.Partitions || y.RowsExamined != c.shardRows(e, width, k) {
					t.Fatalf("seed %d, %d shards, latest %d: %+v, want %d times %+v and %d rows", seed, k, c.n, y, k, x, c.shardRows(e, width, k))
				}
				met.met("rows decoded and not returned", y.RowsExamined > y.RowsReturned)
				a, b := x, y
				x, answerX = readRange(whole, e, c.from, c.to)
				y, answerY = readRange(l, e, c.from, c.to)
				if !slices.Equal(answerX, answerY) || y.Partitions != k*x.Partitions {
					t.Fatalf("seed %d, %d shards, range: %+v, want %d times %+v", seed, k, y, k, x)
				}
				met.met("an empty shard", y.EmptyPartitions > k*x.EmptyPartitions)
				if k == 1 && (a != b || x != y) {
					t.Fatalf("seed %d: one shard is read as %+v and %+v, the bucket as %+v and %+v", seed, b, y, a, x)
				}
			}
		}
	}
	met.check(t)
}

// shardRows is how many rows latest n decodes by the rule alone: each shard of a bucket hands over its newest rows, up to
// what is still wanted.
func (c *randomCase) shardRows(e *workload.Entity, width bucket.Width, shards int) int {
	held := map[int64]map[int]int{}
	for i, at := range e.Time {
		k := width.Index(at)
		if held[k] == nil {
			held[k] = map[int]int{}
		}
		id := []byte{0, 0, 0, 0, 0, 0, 0, byte(e.Position[i])}
		held[k][int(uint64(ring.TokenOf(id))%uint64(shards))]++
	}
	decoded, wanted := 0, c.n
	if len(held) == 0 {
		return 0
	}
	for k := width.Index(e.Time[e.Rows()-1]); wanted > 0 && k >= width.Index(e.Time[0]); k-- {
		all := 0
		for _, n := range held[k] {
			decoded += min(n, wanted)
			all += n
		}
		wanted -= all
	}
	return decoded
}

// A row per entity reads as layout B does; a narrower unit never makes the largest larger nor a read decode more.
func TestRangeSplitLaws(t *testing.T) {
	t.Parallel()
	met := sometimes{}
	for seed := range uint64(2000) {
		c := newRandomCase(seed)
		partition, entity := c.place(t, Partition), c.place(t, RangeSplit(bucket.Forever, 100))
		day, post := c.place(t, RangeSplit(bucket.Day, 100)), c.place(t, RangeSplitByPost(100))
		if a, b, p := day.Size().Largest, entity.Size().Largest, post.Size().Largest; a.Rows > b.Rows || p.Rows > a.Rows || b != partition.Size().Largest {
			t.Fatalf("seed %d: largest units %+v, %+v, %+v", seed, p, a, b)
		}
		for i := range c.in.Census.Asked {
			e := &c.in.Census.Asked[i]
			want, _ := readLatest(partition, e, c.n)
			for _, l := range []Layout{entity, day, post} {
				if got, _ := readLatest(l, e, c.n); got.DataPages != want.DataPages || got.RowsExamined != want.RowsExamined {
					t.Fatalf("seed %d: latest %d is %+v, want the pages of %+v", seed, c.n, got, want)
				}
			}
			want, _ = readRange(partition, e, c.from, c.to)
			got, _ := readRange(entity, e, c.from, c.to)
			if got.DataPages != want.DataPages || got.RowsExamined != want.RowsExamined {
				t.Fatalf("seed %d: range is %+v, want the pages of %+v", seed, got, want)
			}
			byDay, _ := readRange(day, e, c.from, c.to)
			byPost, _ := readRange(post, e, c.from, c.to)
			if byPost.RowsExamined != byPost.RowsReturned || byDay.RowsExamined > got.RowsExamined || byPost.RowsExamined > byDay.RowsExamined {
				t.Fatalf("seed %d: range decodes %d, %d, %d rows", seed, byPost.RowsExamined, byDay.RowsExamined, got.RowsExamined)
			}
			met.met("a row decoded less by day", byDay.RowsExamined < got.RowsExamined)
			met.met("a row decoded less by post", byPost.RowsExamined < byDay.RowsExamined)
			met.met("a scan over two tablets", byDay.Partitions > 1)
			if got.Partitions > 1 {
				t.Fatalf("seed %d: a row lies in %d tablets", seed, got.Partitions)
			}
		}
	}
	met.check(t)
}

// A range with a limit is the head of the sorted whole, touches no more than the range, and stops early where it can.
func TestRangeLimit(t *testing.T) {
	t.Parallel()
	met := sometimes{}
	for _, kind := range append(All(), Bucketed(bucket.Day, false), Bucketed(bucket.Week, true)) {
		for seed := range uint64(300) {
			c := newRandomCase(seed)
			l := c.place(t, kind)
			pages := checkPages(t, &c, kind.Name, l)
			for i := range c.in.Census.Asked {
				e := &c.in.Census.Asked[i]
				var limited, whole Trail
				RangeLimit(l, &limited, e, c.from, c.to, c.n)
				l.Range(&whole, e, c.from, c.to)
				where := fmt.Sprintf("seed %d, %s, entity %d, range %d to %d limit %d", seed, kind.Name, e.ID, c.from, c.to, c.n)
				checkRead(t, where, pages, &limited, e, c.truth(e.ID, func(at int64) bool { return at >= c.from && at < c.to }, c.n))
				a, b := limited.Touch(), whole.Touch()
				if a.Partitions > b.Partitions || a.DataPages > b.DataPages || a.IndexPages > b.IndexPages || a.RowsExamined > b.RowsExamined {
					t.Errorf("%s: %+v, the whole range %+v", where, a, b)
				}
				met.met("fewer partitions", a.Partitions < b.Partitions && a.Partitions > 0)
				met.met("fewer rows", a.RowsExamined < b.RowsExamined && a.RowsExamined > 0)
				met.met("a limit beyond the range", a == b && c.n > b.RowsReturned && b.RowsReturned > 0)
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	}
	met.check(t)
}
