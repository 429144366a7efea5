package lsm

import "math"

// Leveled keeps levels of tables that do not overlap, each level so many times as large as the one above it, as LevelDB
// and Cassandra's LeveledCompactionStrategy do: a key is in at most one table of a level. Tables as flushed are level 0
// and may overlap; enough of them are merged into level 1, and a level that is too large gives its longest untouched
// table to the next.
type Leveled struct {
	Rows      int64 // of a table
	Fanout    int64 // level i holds Fanout^i tables' rows; less than 2: 10
	Threshold int   // tables of level 0 that are merged; less than 1: 4
}

// Next looks at level 0 first, then down.
func (s Leveled) Next(tables []*Table) (Merge, bool) {
	if s.Fanout < 2 {
		s.Fanout = 10
	}
	if s.Threshold < 1 {
		s.Threshold = 4
	}
	s.Rows = max(s.Rows, 1)
	if top := level(tables, 0); len(top) >= s.Threshold {
		return s.down(tables, top), true
	}
	deepest := 0
	for _, t := range tables {
		deepest = max(deepest, t.Level)
	}
	for l, room := 1, s.Rows; l <= deepest; l++ {
		if room > math.MaxInt64/s.Fanout {
			break
		}
		room *= s.Fanout
		mine, rows, chosen := level(tables, l), int64(0), (*Table)(nil)
		for _, t := range mine {
			rows += t.Rows
			if chosen == nil || t.Number < chosen.Number {
				chosen = t
			}
		}
		if rows > room {
			return s.down(tables, []*Table{chosen}), true
		}
	}
	return Merge{}, false
}

// down merges tables of one level with those of the next that they overlap.
func (s Leveled) down(tables, from []*Table) Merge {
	first, last := from[0].First(), from[0].Last()
	for _, t := range from {
		first, last = min(first, t.First()), max(last, t.Last())
	}
	m := Merge{Inputs: from, Level: from[0].Level + 1, Rows: s.Rows}
	for _, t := range level(tables, m.Level) {
		if t.First() <= last && t.Last() >= first {
			m.Inputs = append(m.Inputs, t)
		}
	}
	return m
}

func level(tables []*Table, l int) []*Table {
	var mine []*Table
	for _, t := range tables {
		if t.Level == l {
			mine = append(mine, t)
		}
	}
	return mine
}
