package page

import (
	"math"
	"math/bits"
	"sort"
)

// Span is the pages [First, Last] that something lies on.
type Span struct{ First, Last int64 }

// Even is a file of rows of one size, none split by a page boundary: so many to a page, or, where a row is larger
// than a page, so many pages to a row.
type Even struct {
	perPage, perRow int64 // one of them is 1
	inverse         uint64
}

// NewEven is the file of rows of that size.
func NewEven(f Format, row int) Even {
	if n := f.RowsPerPage(row); n > 1 {
		return Even{perPage: int64(n), perRow: 1, inverse: math.MaxUint64/uint64(n) + 1}
	}
	return Even{perPage: 1, perRow: f.PagesPerRow(row)}
}

// Span is where row i of the file lies. It is asked for every row decoded, so the division by the rows a page is a
// multiplication by 2^64/perPage rounded up, which is exact while i is below 2^64/perPage (Granlund and Montgomery,
// "Division by invariant integers using multiplication", PLDI 1994).
func (e Even) Span(i int64) Span {
	if e.inverse == 0 {
		return Span{i * e.perRow, (i+1)*e.perRow - 1}
	}
	page, _ := bits.Mul64(uint64(i), e.inverse)
	return Span{int64(page), int64(page)}
}

// Pages is how many pages so many rows fill.
func (e Even) Pages(rows int64) int64 { return (rows + e.perPage - 1) / e.perPage * e.perRow }

// RowsPerPage is how many rows begin on a page that holds any: 1 where a row is larger than a page.
func (e Even) RowsPerPage() int64 { return e.perPage }

// Stream is a file of rows that lie end to end, as in block-compressed files: a row across a boundary is on both
// pages. Offsets count the bytes that rows take.
type Stream struct{ Room int64 }

// Span is where the bytes [offset, offset+size) lie; a row of no bytes lies where the byte before it does.
func (s Stream) Span(offset, size int64) Span {
	if size == 0 {
		before := max(0, offset-1) / s.Room
		return Span{before, before}
	}
	return Span{offset / s.Room, (offset + size - 1) / s.Room}
}

// Pages is how many pages so many bytes fill.
func (s Stream) Pages(bytes int64) int64 { return (bytes + s.Room - 1) / s.Room }

// Slotted is a file of rows of any size in which a row never crosses a page boundary: one that does not fit begins
// the next page; one that is larger than a page begins a page and fills as many as it needs, alone. It remembers the
// first row of each page, so a row is found by search.
type Slotted struct {
	format Format
	starts []int64 // the row that begins on each page; on the further pages of a large row, the row after it
	used   int
	rows   int64
}

// NewSlotted is an empty file.
func NewSlotted(f Format) *Slotted { return &Slotted{format: f} }

// Append places the next row.
func (s *Slotted) Append(row int) {
	takes, room := s.format.Takes(row), s.format.Room()
	if len(s.starts) == 0 || s.used+takes > room {
		s.starts = append(s.starts, s.rows)
		s.used = 0
		for n := s.format.PagesPerRow(row); n > 1; n-- {
			s.starts = append(s.starts, s.rows+1)
			s.used = room
		}
	}
	s.used += takes
	s.rows++
}

// Span is where row i lies, given its size.
func (s *Slotted) Span(i int64, row int) Span {
	first := int64(sort.Search(len(s.starts), func(p int) bool { return s.starts[p] > i })) - 1
	return Span{first, first + s.format.PagesPerRow(row) - 1}
}

// Pages is how many pages the file has.
func (s *Slotted) Pages() int64 { return int64(len(s.starts)) }
