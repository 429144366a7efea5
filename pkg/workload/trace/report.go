package trace

import (
	"fmt"
	"strings"
)

// Report is what reading a trace found out, chose and left out.
type Report struct {
	File        string // as named by the caller
	Format      string // "CSV", "NDJSON" or "Parquet"
	Compression string // "gzip", "zstd" or none
	Delimiter   rune   // of CSV: a comma, tab, semicolon or pipe
	Header      bool   // whether the first record of CSV names the columns

	Entity, Time, Bytes Column
	RowBytes            int    // size of every row where there is no column of sizes
	RowBytesGiven       bool   // whether it was given, and not DefaultRowBytes
	Unit                Unit   // what times that are numbers count; Auto where times are text or a type of their own
	UnitHow             How    // Named: given in Options; Declared: by the file; FoundByLooking: by magnitude
	TimeType            string // how times are written: "text", "numbers", or Parquet's type

	Rows, Bad   int64
	First       []Bad // the first bad rows, at most ten
	Zoneless    int64 // rows whose time named no zone and was taken as UTC
	Entities    int
	TotalBytes  int64 // sum of the rows' sizes
	FirstTime   int64 // earliest time, microseconds since 1970
	LastTime    int64 // latest time, microseconds since 1970
	SpilledRows int64 // rows that wait in a temporary file
	Warnings    []string
}

// How tells how a choice was made.
type How int

// The ways to choose.
const (
	Absent         How = iota // there is none
	Named                     // by the user
	FoundByName               // the column's name is a usual one
	FoundByLooking            // by the first rows' values
	Declared                  // by the file's own types
)

func (h How) String() string {
	return [...]string{"absent", "named by the user", "found by name", "found by looking at the values", "declared by the file"}[h]
}

// Column is one chosen column.
type Column struct {
	Number int    // from 1; 0 where there is none
	Name   string // empty where the file names none
	How    How
}

func (c Column) String() string {
	if c.Name == "" {
		return fmt.Sprintf("column %d", c.Number)
	}
	return fmt.Sprintf("column %d %q", c.Number, c.Name)
}

// Bad is one row that could not be used.
type Bad struct {
	File   string
	Line   int64 // from 1; for Parquet the row's number, from 1
	Reason string
}

func (b Bad) String() string { return fmt.Sprintf("%s:%d: %s", b.File, b.Line, b.Reason) }

// Choices says in words, a line each, what was chosen and how.
func (r *Report) Choices() []string {
	lines := []string{"format: " + r.format()}
	for _, c := range []struct {
		role string
		Column
	}{{"entity", r.Entity}, {"time", r.Time}, {"bytes", r.Bytes}} {
		if c.How == Absent {
			continue
		}
		how := c.How.String()
		if c.How == Named {
			how = "named by -" + c.role
		}
		lines = append(lines, fmt.Sprintf("%s: %s (%s)", c.role, c.Column, how))
	}
	if r.Bytes.How == Absent {
		how := "assumed"
		if r.RowBytesGiven {
			how = "given"
		}
		lines = append(lines, fmt.Sprintf("bytes: no column, %d in every row (%s)", r.RowBytes, how))
	}
	switch {
	case r.Unit == Auto:
		lines = append(lines, "times: "+r.TimeType)
	case r.UnitHow == FoundByLooking:
		lines = append(lines, fmt.Sprintf("times: %s since 1970 (recognised by magnitude)", r.Unit))
	case r.UnitHow == Named:
		lines = append(lines, fmt.Sprintf("times: %s since 1970 (unit given)", r.Unit))
	default:
		lines = append(lines, fmt.Sprintf("times: %s since 1970 (declared by the file)", r.Unit))
	}
	if r.Zoneless > 0 {
		lines = append(lines, fmt.Sprintf("zone: %s times name none and are taken as UTC", thousands(float64(r.Zoneless))))
	}
	return lines
}

func (r *Report) format() string {
	s := r.Format
	if r.Format == csvFormat {
		s += " split by " + delimiterName(r.Delimiter)
		if r.Header {
			s += ", the first line names the columns"
		} else {
			s += ", no line names the columns"
		}
	}
	if r.Compression != "" {
		s += ", " + r.Compression
	}
	return s
}

func delimiterName(d rune) string {
	switch d {
	case ',':
		return "comma"
	case '\t':
		return "tab"
	case ';':
		return "semicolon"
	case '|':
		return "pipe"
	}
	return fmt.Sprintf("%q", d)
}

// badRows lists the first bad rows for an error.
func (r *Report) badRows() string {
	var s strings.Builder
	for _, b := range r.First {
		s.WriteString("\n  " + b.String())
	}
	return s.String()
}
