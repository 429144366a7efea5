package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"pagetouch/pkg/document/progress"
	"pagetouch/pkg/workload"
	"pagetouch/pkg/workload/trace"
)

// source is the rows of a trace, read until the context ends. Where no column tells sizes, all rows have rowBytes.
type source struct {
	*trace.Trace
	ctx      context.Context
	rowBytes int
}

func (s source) RowBytes() int { return s.rowBytes }

func (s source) Scan(yield func(*workload.Batch) error) error {
	return s.Trace.Scan(func(b *workload.Batch) error {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		return yield(b)
	})
}

// openTrace reads a file, or standard input, and tells on stderr what it chose and which rows it could not use.
func openTrace(ctx context.Context, o *traceOptions, stderr *os.File) (source, *trace.Report, error) {
	line := progress.On(stderr)
	read := trace.Options{Entity: o.entity, Time: o.time, Bytes: o.bytes, Unit: o.unit, MaxBad: o.maxBad, Memory: traceMemory,
		Progress: func(read, total int64) { showProgress(line, read, total) }}
	t, report, err := trace.Open(ctx, o.file, read)
	line.Clear()
	if errors.Is(err, fs.ErrNotExist) { // the name is wrong, not the file
		return source{}, nil, badParameter{err}
	}
	if err != nil {
		return source{}, nil, err
	}
	if report.Bytes.How == trace.Absent && o.rowBytes > 0 {
		report.RowBytes, report.RowBytesGiven = int(o.rowBytes), true
		report.TotalBytes = report.Rows * o.rowBytes
	}
	for _, text := range o.chosen(report) {
		fmt.Fprintln(stderr, printable(text))
	}
	if report.Bad > 0 {
		fmt.Fprintf(stderr, "%d bad rows left out:\n", report.Bad)
		for _, b := range report.First {
			fmt.Fprintln(stderr, "  "+printable(b.String()))
		}
	}
	for _, w := range report.Warnings {
		fmt.Fprintln(stderr, "warning: "+printable(w))
	}
	return source{t, ctx, report.RowBytes}, report, nil
}

func showProgress(line *progress.Line, read, total int64) {
	if total > 0 {
		line.Show("reading: %d %%", 100*read/total)
	} else {
		line.Show("reading: %d MB", read/1e6)
	}
}

// placedAt is the size at which rows are placed on pages; 0: their own sizes.
func (o *traceOptions) placedAt(r *trace.Report) int {
	switch {
	case o.rowBytes > 0:
		return int(o.rowBytes)
	case r.Bytes.How == trace.Named:
		return 0
	}
	return trace.DefaultRowBytes
}

// chosen says which columns were taken and at which size rows are placed.
func (o *traceOptions) chosen(r *trace.Report) []string {
	lines := r.Choices()
	switch size := o.placedAt(r); {
	case r.Bytes.How == trace.Absent:
	case size == 0:
		lines = append(lines, "pages: rows lie on them at their own sizes")
	case o.rowBytes > 0:
		lines = append(lines, fmt.Sprintf("pages: every row lies on them with %d bytes (-row-bytes); partitions count the column's bytes", size))
	default:
		lines = append(lines, fmt.Sprintf("pages: every row lies on them with the lesson's %d bytes, because the column of sizes was found and not named; "+
			"-bytes %s places rows at their own sizes; partitions count the column's bytes", size, columnWord(r.Bytes)))
	}
	return lines
}

// columnWord names a column as a flag takes it.
func columnWord(c trace.Column) string {
	if c.Name == "" {
		return fmt.Sprint(c.Number)
	}
	return c.Name
}

// printable keeps a text of the file from moving a terminal's cursor.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' || c >= 0x7f && c < 0xa0 {
			return '\uFFFD'
		}
		return c
	}, s)
}
