// Package lsm is what a log-structured merge tree does with rows before they are one sorted file: a memtable is flushed
// to a sorted file (an SSTable), files pile up, and a strategy of compaction chooses which of them to merge. Rows go in
// as pieces, the rows of one key in one flush; out come the files and how many rows were written on the way. It knows
// nothing of pages, and of keys only their order. O'Neil et al., "The log-structured merge-tree", 1996.
package lsm

import (
	"cmp"
	"slices"
)

// Piece is the rows of one key that were flushed together, or that were and were then merged: nothing ever parts them.
type Piece struct {
	Key            int32 // its place in the order of keys
	Flush          int32 // from 0; of merged ones the first
	Rows           int64
	Bytes          int64
	Oldest, Newest int64 // times of its rows
}

// Table is one sorted file. It does not change after it was written, but for its level.
type Table struct {
	Pieces         []Piece // by key, then flush; never empty
	Number         int     // how many tables were written before it
	Level          int     // of a leveled store; 0 is as flushed
	Rows, Bytes    int64
	Keys           int64
	Oldest, Newest int64 // times of its rows
}

// First and Last are the bounds of its keys.
func (t *Table) First() int32 { return t.Pieces[0].Key }
func (t *Table) Last() int32  { return t.Pieces[len(t.Pieces)-1].Key }

func newTable(pieces []Piece, level, number int) *Table {
	t := &Table{Pieces: pieces, Level: level, Number: number, Oldest: pieces[0].Oldest, Newest: pieces[0].Newest}
	for i, p := range pieces {
		if i == 0 || pieces[i-1].Key != p.Key {
			t.Keys++
		}
		t.Rows += p.Rows
		t.Bytes += p.Bytes
		t.Oldest, t.Newest = min(t.Oldest, p.Oldest), max(t.Newest, p.Newest)
	}
	return t
}

// Strategy chooses what to merge.
type Strategy interface {
	// Next is the next merge of the tables, if there is one. Merging must come to an end: each either leaves fewer
	// tables or moves rows to a deeper level.
	Next(tables []*Table) (m Merge, ok bool)
}

// Merge makes tables of Inputs. One input alone is moved to the level and not written again.
type Merge struct {
	Inputs []*Table
	Level  int
	Rows   int64 // a table ends with the key that brings it to so many; 0: one table of all
}

// Store is a memtable's flushes, merged as a strategy will.
type Store struct {
	Strategy Strategy             // nil: nothing is merged
	Wrote    func(*Table)         // called for each table written, flushed or merged; may be nil
	Apart    func(key int32) bool // keys whose pieces stay apart in a merge, so that their flushes are known; nil: all
	Tables   []*Table             // as they are now, by number
	Rows     int64                // written so far: each flushed once, and once more in every merge
	number   int
}

// Flush writes a table of pieces, which must be in order of their keys, and merges until the strategy is content.
func (s *Store) Flush(pieces []Piece) {
	if len(pieces) == 0 {
		return
	}
	s.write(pieces, 0)
	for s.Strategy != nil {
		m, ok := s.Strategy.Next(s.Tables)
		if !ok {
			return
		}
		s.merge(m)
	}
}

// Major merges all tables into one, whatever the strategy.
func (s *Store) Major() {
	if len(s.Tables) > 1 {
		s.merge(Merge{Inputs: slices.Clone(s.Tables)})
	}
}

func (s *Store) write(pieces []Piece, level int) {
	t := newTable(pieces, level, s.number)
	s.number++
	s.Rows += t.Rows
	s.Tables = append(s.Tables, t)
	if s.Wrote != nil {
		s.Wrote(t)
	}
}

func (s *Store) merge(m Merge) {
	if len(m.Inputs) == 1 {
		m.Inputs[0].Level = m.Level
		return
	}
	s.Tables = slices.DeleteFunc(s.Tables, func(t *Table) bool { return slices.Contains(m.Inputs, t) })
	pieces := s.merged(m.Inputs)
	for from, i, rows := 0, 0, int64(0); i < len(pieces); i++ {
		rows += pieces[i].Rows
		last := i+1 == len(pieces)
		if last || m.Rows > 0 && rows >= m.Rows && pieces[i+1].Key != pieces[i].Key {
			s.write(pieces[from:i+1:i+1], m.Level)
			from, rows = i+1, 0
		}
	}
}

// merged is the pieces of all tables in order. The heads are compared one by one: there are few.
func (s *Store) merged(tables []*Table) []Piece {
	heads := make([][]Piece, len(tables))
	most := 0
	for i, t := range tables {
		heads[i] = t.Pieces
		most = max(most, len(t.Pieces))
	}
	out := make([]Piece, 0, most)
	for len(heads) > 0 {
		least := 0
		for i := 1; i < len(heads); i++ {
			if before(&heads[i][0], &heads[least][0]) {
				least = i
			}
		}
		p := &heads[least][0]
		if n := len(out); n > 0 && out[n-1].Key == p.Key && s.Apart != nil && !s.Apart(p.Key) {
			q := &out[n-1]
			q.Rows, q.Bytes, q.Oldest, q.Newest = q.Rows+p.Rows, q.Bytes+p.Bytes, min(q.Oldest, p.Oldest), max(q.Newest, p.Newest)
		} else {
			out = append(out, *p)
		}
		if heads[least] = heads[least][1:]; len(heads[least]) == 0 {
			heads = slices.Delete(heads, least, least+1)
		}
	}
	return out
}

func before(a, b *Piece) bool { return a.Key < b.Key || a.Key == b.Key && a.Flush < b.Flush }

// byBytes orders tables from small to large.
func byBytes(a, b *Table) int {
	return cmp.Or(cmp.Compare(a.Bytes, b.Bytes), cmp.Compare(a.Number, b.Number))
}
