// Package page is page arithmetic: how many rows a page holds, on which pages rows lie that are placed one after
// another, how tall a B-tree is. Everything is in bytes, rows and pages; nothing here knows who the rows belong to.
package page

import "fmt"

// Format is how rows lie on pages.
//
//	rows per page = floor((Bytes - Header) * Fill/100 / (Pointer + RowHeader + row, rounded up to Align))
type Format struct {
	Bytes     int // a page: the block that a read fetches whole
	Header    int // of each page
	RowHeader int // before each row's bytes
	Pointer   int // of each row, elsewhere on its page
	Align     int // a row with its header is rounded up to a multiple of it; 0 or 1: not at all
	Fill      int // percent of a page that is filled; 0: 100
}

// Lesson is the lesson's page: 8,192 bytes and no metadata.
var Lesson = Format{Bytes: 8192}

// PostgresHeap is a PostgreSQL heap page: 24 bytes of page header; 4 of line pointer and 23 (aligned to 24) of tuple
// header a row; rows aligned to 8. Source: PostgreSQL documentation, "Database Page Layout".
var PostgresHeap = Format{Bytes: 8192, Header: 24, RowHeader: 24, Pointer: 4, Align: 8}

// Validate reports a format that can hold nothing.
func (f Format) Validate() error {
	switch {
	case f.Bytes < 1:
		return fmt.Errorf("page bytes: %d: want at least 1", f.Bytes)
	case f.Header < 0 || f.RowHeader < 0 || f.Pointer < 0 || f.Align < 0:
		return fmt.Errorf("page format: headers, pointers and alignment cannot be negative")
	case f.Fill < 0 || f.Fill > 100:
		return fmt.Errorf("page fill: %d percent: want 1 to 100", f.Fill)
	case f.Room() < 1:
		return fmt.Errorf("a page of %d bytes with a header of %d has no room for rows", f.Bytes, f.Header)
	}
	return nil
}

// Room is the bytes of a page that rows may take.
func (f Format) Room() int {
	room := f.Bytes - f.Header
	if f.Fill > 0 {
		room = room * f.Fill / 100
	}
	return room
}

// Takes is the bytes that a row of that size takes.
func (f Format) Takes(row int) int {
	n := f.RowHeader + row
	if f.Align > 1 {
		n = (n + f.Align - 1) / f.Align * f.Align
	}
	return n + f.Pointer
}

// RowsPerPage is how many rows of one size a page holds; 0 where one does not fit.
func (f Format) RowsPerPage(row int) int { return f.Room() / f.Takes(row) }

// PagesPerRow is how many whole pages a row takes that does not share one: 1 where it fits into a page.
func (f Format) PagesPerRow(row int) int64 { return int64(f.Takes(row)+f.Room()-1) / int64(f.Room()) }
