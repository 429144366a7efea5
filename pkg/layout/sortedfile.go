package layout

import (
	"cmp"
	"fmt"
	"slices"

	"pagetouch/pkg/lsm"
	"pagetouch/pkg/page"
	"pagetouch/pkg/ring"
	"pagetouch/pkg/workload"
)

// Flushes is a workload as a memtable flushes it: every so many rows, sorted by partition. What is left at the end stays
// in memory.
type Flushes struct {
	packed
	in       *Input
	memtable int64 // rows
	pieces   [][]lsm.Piece
	rank     []int32     // of an entity's partition in the order of a file
	hash     [][2]uint64 // by rank
	slot     []int32     // of an asked entity in Census.Asked
	byRank   []int32     // slots in the order of a file
	wanted   []bool      // by rank: asked about
	asked    int         // rows of the asked entities
}

// The most flushes that files are told apart for.
const mostFlushes = 1 << 15

// NewFlushes flushes a memtable each time it has so many rows, less than 1: a twentieth of all. Partitions are in the
// order of their tokens, or of their keys.
func NewFlushes(in *Input, memtable int64, ordered bool) (*Flushes, error) {
	if err := in.Validate(); err != nil {
		return nil, err
	}
	c := in.Census
	if memtable < 1 {
		memtable = max(1, (c.Rows+19)/20)
	}
	if c.Rows/memtable > mostFlushes {
		return nil, fmt.Errorf("a memtable of %d rows is flushed %d times: want at most %d flushes", memtable, c.Rows/memtable, mostFlushes)
	}
	f := &Flushes{packed: newPacked(in), in: in, memtable: memtable}
	f.orderKeys(ordered)
	return f, f.fill()
}

// Memtable is how many rows are flushed together.
func (f *Flushes) Memtable() int64 { return f.memtable }

func (f *Flushes) orderKeys(ordered bool) {
	n := f.in.Census.Entities
	type key struct {
		entity int32
		hash   [2]uint64
	}
	keys := make([]key, n)
	for e := range keys {
		h1, h2 := ring.Hash(ring.EntityKey(int32(e)))
		keys[e] = key{int32(e), [2]uint64{h1, h2}}
	}
	if !ordered {
		slices.SortFunc(keys, func(a, b key) int {
			return cmp.Or(cmp.Compare(int64(a.hash[0]), int64(b.hash[0])), cmp.Compare(a.entity, b.entity))
		})
	}
	f.rank, f.hash, f.slot = make([]int32, n), make([][2]uint64, n), make([]int32, n)
	for rank, k := range keys {
		f.rank[k.entity], f.hash[rank] = int32(rank), k.hash
	}
	f.wanted = make([]bool, n)
	for s := range f.in.Census.Asked {
		e := &f.in.Census.Asked[s]
		f.wanted[f.rank[e.ID]] = true
		f.slot[e.ID] = int32(s)
		f.byRank = append(f.byRank, int32(s))
		f.asked += e.Rows()
	}
	slices.SortFunc(f.byRank, func(a, b int32) int {
		return cmp.Compare(f.rank[f.in.Census.Asked[a].ID], f.rank[f.in.Census.Asked[b].ID])
	})
}

// fill goes over all rows once.
func (f *Flushes) fill() error {
	w := f.in.Workload
	size := int64(w.RowBytes())
	open := make([]lsm.Piece, len(f.rank)) // by rank; without rows: not in the memtable
	var touched []int32
	left := f.memtable
	return w.Scan(func(b *workload.Batch) error {
		for i, e := range b.Entity {
			rank := f.rank[e]
			p, at := &open[rank], b.Time[i]
			if p.Rows == 0 {
				*p = lsm.Piece{Key: rank, Flush: int32(len(f.pieces)), Oldest: at, Newest: at}
				touched = append(touched, rank)
			}
			if b.Size != nil {
				size = int64(b.Size[i])
			}
			p.Rows++
			p.Bytes += size
			p.Oldest, p.Newest = min(p.Oldest, at), max(p.Newest, at)
			if left--; left > 0 {
				continue
			}
			slices.Sort(touched)
			pieces := make([]lsm.Piece, len(touched))
			for i, rank := range touched {
				pieces[i] = open[rank]
				open[rank].Rows = 0
			}
			f.pieces = append(f.pieces, pieces)
			touched, left = touched[:0], f.memtable
		}
		return nil
	})
}

// sortedFile is one SSTable: how it is searched, and where the asked entities' rows stand in it.
type sortedFile struct {
	index          page.Tree // an entry a partition
	filter         *lsm.Filter
	first, last    int32 // bounds of its keys, as ranks
	oldest, newest int64 // times of its rows
	held           []held
}

// held is one asked entity's rows in a file.
type held struct {
	key                 int64   // the partition's number in the file, or where it would stand
	before, bytesBefore int64   // rows and bytes of partitions before it
	rows                []int32 // in time order
	newer               []int64 // bytes of so many newest rows; nil where all have one size
}

func (h *held) newerBytes(rows int) int64 {
	if h.newer == nil {
		return 0
	}
	return h.newer[rows]
}

// sort walks a table's partitions and the asked entities side by side.
func (f *Flushes) sort(t *lsm.Table, bitsPerKey int) *sortedFile {
	file := &sortedFile{
		index: f.in.tree(t.Keys), first: t.First(), last: t.Last(), oldest: t.Oldest, newest: t.Newest,
		held: make([]held, len(f.byRank)),
	}
	if bitsPerKey > 0 {
		file.filter = lsm.NewFilter(t.Keys, bitsPerKey)
		for i, p := range t.Pieces {
			if i == 0 || t.Pieces[i-1].Key != p.Key {
				file.filter.Add(f.hash[p.Key][0], f.hash[p.Key][1])
			}
		}
	}
	var at held
	flushed := make([]bool, len(f.pieces))
	i := 0
	for _, s := range f.byRank {
		e := &f.in.Census.Asked[s]
		for ; i < len(t.Pieces) && t.Pieces[i].Key < f.rank[e.ID]; i++ {
			at.before += t.Pieces[i].Rows
			at.bytesBefore += t.Pieces[i].Bytes
			if i+1 == len(t.Pieces) || t.Pieces[i+1].Key != t.Pieces[i].Key {
				at.key++
			}
		}
		h := &file.held[s]
		*h = at
		rows := 0
		from := i
		for k := i; k < len(t.Pieces) && t.Pieces[k].Key == f.rank[e.ID]; k++ {
			flushed[t.Pieces[k].Flush] = true
			rows += int(t.Pieces[k].Rows)
		}
		if rows == 0 {
			continue
		}
		h.rows = make([]int32, 0, rows)
		for i, position := range e.Position {
			if flush := position / f.memtable; flush < int64(len(flushed)) && flushed[flush] {
				h.rows = append(h.rows, int32(i))
			}
		}
		for _, p := range t.Pieces[from:] {
			if p.Key != f.rank[e.ID] {
				break
			}
			flushed[p.Flush] = false
		}
		if e.Size != nil {
			h.newer = make([]int64, 1, rows+1)
			for k := rows - 1; k >= 0; k-- {
				h.newer = append(h.newer, h.newer[len(h.newer)-1]+int64(e.Size[h.rows[k]]))
			}
		}
	}
	return file
}
