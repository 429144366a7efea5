package layout

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"pagetouch/pkg/ring"
)

// The lesson's layouts once more, written as a reader of the model would who had no arithmetic: rows are put onto real
// pages one by one, trees are built of real nodes and searched by comparing keys, and what a read comes to is collected
// in sets. Nothing of the package is used but ring's tokens.

type literalRow struct {
	entity    int32
	time      int64
	position  int64
	size      int
	first, at int // pages it lies on
}

func (c *randomCase) literalRows() []*literalRow {
	var rows []*literalRow
	for i, e := range c.rows.Entity {
		rows = append(rows, &literalRow{entity: e, time: c.rows.Time[i], position: int64(i), size: c.size(int64(i))})
	}
	return rows
}

func newestFirst(a, b *literalRow) int {
	return cmp.Or(cmp.Compare(b.time, a.time), cmp.Compare(b.position, a.position))
}

// put writes rows onto pages and notes where each lies.
func (c *randomCase) put(rows []*literalRow, split bool) {
	room, used, at := c.in.Page.Room(), 0, 0
	for _, r := range rows {
		takes := c.in.Page.Takes(r.size)
		if !split && used > 0 && used+takes > room {
			at, used = at+1, 0
		}
		if split && used == room {
			at, used = at+1, 0
		}
		r.first = at
		for left := takes; left > 0; {
			if used == room {
				at, used = at+1, 0
			}
			n := min(left, room-used)
			used, left = used+n, left-n
		}
		r.at = at
		if !split && takes > room { // a large row shares its pages with nobody
			used = room
		}
	}
}

type node struct {
	first    int // the number of the first key below it
	keys     []int
	children []*node
}

// tree packs keys 0..n-1 full.
func (c *randomCase) tree(n int) *node {
	fanout := c.in.Page.Room() / c.in.Entry
	var level []*node
	for k := range n {
		if k%fanout == 0 {
			level = append(level, &node{first: k})
		}
		last := level[len(level)-1]
		last.keys = append(last.keys, k)
	}
	if n == 0 {
		return &node{}
	}
	for len(level) > 1 {
		var up []*node
		for i, child := range level {
			if i%fanout == 0 {
				up = append(up, &node{first: child.first})
			}
			last := up[len(up)-1]
			last.children = append(last.children, child)
		}
		level = up
	}
	return level[0]
}

// find descends to the leaf that holds key k, or would.
func (n *node) find(k int, seen map[*node]bool) *node {
	seen[n] = true
	if n.children == nil {
		return n
	}
	child := n.children[0]
	for _, c := range n.children {
		if c.first <= k {
			child = c
		}
	}
	return child.find(k, seen)
}

type literalTouch struct {
	partitions, empty, entries, examined, returned, files, emptyFiles int

	index map[*node]bool
	data  map[int]bool
}

func (t *literalTouch) decode(r *literalRow) {
	t.examined++
	for p := r.first; p <= r.at; p++ {
		t.data[p] = true
	}
}

func (t *literalTouch) touch() Touch {
	return Touch{
		Partitions: t.partitions, EmptyPartitions: t.empty, IndexPages: len(t.index), DataPages: len(t.data),
		EntriesExamined: t.entries, RowsExamined: t.examined, RowsReturned: t.returned,
		Files: t.files, EmptyFiles: t.emptyFiles,
	}
}

func newLiteralTouch() *literalTouch {
	return &literalTouch{index: map[*node]bool{}, data: map[int]bool{}}
}

// literalArrival: descend to the newest entry that counts, walk back.
func literalArrival(c *randomCase) (latest func(e int32, n int) Touch, between func(e int32, from, to int64) Touch) {
	rows := c.literalRows()
	c.put(rows, false)
	entries := slices.Clone(rows)
	slices.SortFunc(entries, func(a, b *literalRow) int {
		return cmp.Or(cmp.Compare(a.entity, b.entity), newestFirst(b, a))
	})
	root := c.tree(len(entries))
	read := func(e int32, match func(*literalRow) bool, n int) Touch {
		t := newLiteralTouch()
		t.partitions = 1
		t.empty = 1
		last, found := 0, false
		for k, r := range entries {
			if r.entity == e {
				t.empty = 0
			}
			if r.entity == e && match(r) || r.entity < e && !found {
				last, found = k, r.entity == e
			}
		}
		root.find(last, t.index)
		for k := last; k >= 0 && k < len(entries) && n > 0; k-- {
			if entries[k].entity != e || !match(entries[k]) {
				break
			}
			t.index[root.find(k, map[*node]bool{})] = true // by the link from leaf to leaf
			t.entries++
			t.decode(entries[k])
			t.returned++
			n--
		}
		return t.touch()
	}
	return func(e int32, n int) Touch { return read(e, func(*literalRow) bool { return true }, n) },
		func(e int32, from, to int64) Touch {
			if from >= to {
				return Touch{}
			}
			return read(e, func(r *literalRow) bool { return r.time >= from && r.time < to }, len(rows))
		}
}

// literalSlice reads one sorted partition for a range: from the top of the page of the first row not newer than the
// range, to the first row past it.
func literalSlice(t *literalTouch, partition []*literalRow, from, to int64) {
	start := -1
	for k, r := range partition {
		if r.time < to {
			start = k
			break
		}
	}
	if start < 0 {
		return
	}
	top := start
	for k := start; k >= 0; k-- {
		if partition[k].first == partition[start].first {
			top = k
		}
	}
	for _, r := range partition[top:] {
		t.decode(r)
		if r.time < from {
			return
		}
		if r.time < to {
			t.returned++
		}
	}
}

func literalPartition(c *randomCase) (latest func(e int32, n int) Touch, between func(e int32, from, to int64) Touch) {
	rows := c.literalRows()
	slices.SortFunc(rows, func(a, b *literalRow) int { return cmp.Or(cmp.Compare(a.entity, b.entity), newestFirst(a, b)) })
	c.put(rows, c.rows.Size != nil)
	partitions := map[int32][]*literalRow{}
	number := map[int32]int{}
	for _, r := range rows {
		if partitions[r.entity] == nil {
			number[r.entity] = len(number)
		}
		partitions[r.entity] = append(partitions[r.entity], r)
	}
	root := c.tree(len(number))
	find := func(e int32) *literalTouch {
		t := newLiteralTouch()
		t.partitions, t.entries = 1, 1
		k, ok := number[e]
		if !ok {
			t.empty = 1
			for other, n := range number {
				if other < e {
					k = max(k, n)
				}
			}
		}
		root.find(k, t.index)
		return t
	}
	return func(e int32, n int) Touch {
			t := find(e)
			for _, r := range partitions[e][:min(n, len(partitions[e]))] {
				t.decode(r)
				t.returned++
			}
			return t.touch()
		}, func(e int32, from, to int64) Touch {
			if from >= to {
				return Touch{}
			}
			t := find(e)
			literalSlice(t, partitions[e], from, to)
			return t.touch()
		}
}

type entityMonth struct {
	entity int32
	month  int
}

func monthOf(micros int64) int {
	at := time.UnixMicro(micros).UTC()
	return at.Year()*12 + int(at.Month()) - 1
}

func literalMonths(c *randomCase) (latest func(e int32, n int) Touch, between func(e int32, from, to int64) Touch) {
	rows := c.literalRows()
	partitions := map[entityMonth][]*literalRow{}
	for _, r := range rows {
		key := entityMonth{r.entity, monthOf(r.time)}
		partitions[key] = append(partitions[key], r)
	}
	token := func(k entityMonth) ring.Token {
		key := ring.BucketKey(k.entity, int64(k.month-1970*12))
		return ring.TokenOf(key[:])
	}
	var keys []entityMonth
	for k := range partitions {
		slices.SortFunc(partitions[k], newestFirst)
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b entityMonth) int { return cmp.Compare(token(a), token(b)) })
	var file []*literalRow
	for _, k := range keys {
		file = append(file, partitions[k]...)
	}
	c.put(file, c.rows.Size != nil)
	root := c.tree(len(keys))
	probe := func(t *literalTouch, k entityMonth) []*literalRow {
		t.partitions++
		t.entries++
		n := 0
		for _, other := range keys {
			if token(other) < token(k) {
				n++
			}
		}
		root.find(n, t.index)
		if partitions[k] == nil {
			t.empty++
		}
		return partitions[k]
	}
	bounds := func(e int32) (oldest, newest int) {
		oldest, newest = 1<<30, -1<<30
		for k := range partitions {
			if k.entity == e {
				oldest, newest = min(oldest, k.month), max(newest, k.month)
			}
		}
		return oldest, newest
	}
	return func(e int32, n int) Touch {
			t := newLiteralTouch()
			oldest, newest := bounds(e)
			if newest < oldest {
				oldest, newest = monthOf(OwnNewest), monthOf(OwnNewest)
			}
			for m := newest; m >= oldest && t.returned < n; m-- {
				for _, r := range probe(t, entityMonth{e, m}) {
					if t.returned < n {
						t.decode(r)
						t.returned++
					}
				}
			}
			return t.touch()
		}, func(e int32, from, to int64) Touch {
			if from >= to {
				return Touch{}
			}
			t := newLiteralTouch()
			for m := monthOf(to - 1); m >= monthOf(from); m-- {
				literalSlice(t, probe(t, entityMonth{e, m}), from, to)
			}
			return t.touch()
		}
}

func TestAgainstLiteralPages(t *testing.T) {
	for _, c := range []struct {
		kind    Kind
		literal func(*randomCase) (func(int32, int) Touch, func(int32, int64, int64) Touch)
	}{{Arrival, literalArrival}, {Partition, literalPartition}, {MonthBuckets, literalMonths}} {
		t.Run(c.kind.Name, func(t *testing.T) {
			t.Parallel()
			straddled := 0
			for seed := range uint64(10_000) {
				random := newRandomCase(seed)
				l := random.place(t, c.kind)
				latest, between := c.literal(&random)
				var trail Trail
				for i := range random.in.Census.Asked {
					e := &random.in.Census.Asked[i]
					trail.Reset()
					l.Latest(&trail, e, random.n)
					got, want := trail.Touch(), latest(int32(e.ID), random.n)
					if got != want {
						t.Fatalf("seed %d, entity %d, latest %d:\n got %+v\nwant %+v", seed, e.ID, random.n, got, want)
					}
					if got.DataPages > 1 {
						straddled++
					}
					trail.Reset()
					l.Range(&trail, e, random.from, random.to)
					if got, want := trail.Touch(), between(int32(e.ID), random.from, random.to); got != want {
						t.Fatalf("seed %d, entity %d, range %d to %d:\n got %+v\nwant %+v", seed, e.ID, random.from, random.to, got, want)
					}
				}
			}
			if straddled == 0 {
				t.Error("no read of the random workloads touched two pages")
			}
		})
	}
}
