// Package trace reads a file of events - who, when, and perhaps how large - as a workload. It takes CSV and its kin,
// NDJSON (each also compressed) and Parquet; it finds out by itself which columns and which unit of time are meant,
// says what it chose in a Report, and counts rows it cannot use.
//
// Rows in file order are the arrival order. Memory grows with entities and not with rows: rows beyond a budget wait in
// one temporary file, from which every Scan reads them in order.
//
// Entities are any text. They are numbered from 0 in increasing order - as integers where all are, else by their bytes
// - so that a number never depends on which entity came first.
package trace

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"pagetouch/pkg/workload"
)

// Options say what to read and how much to put up with. Defaults gives useful ones.
type Options struct {
	Entity, Time, Bytes string // columns, by name or by number from 1; empty: find them
	Unit                Unit   // of times that are numbers; Auto: by magnitude
	RowBytes            int    // size of every row; no column of sizes is read then. 0: such a column, else DefaultRowBytes

	MaxBad      int64  // give up when more rows than this are bad; 0: at the first one, negative: never. 100 bad rows before the first good one always end it
	MaxEntities int    // give up when there are more; 0: 50,000,000
	Memory      int64  // bytes of rows kept in memory, at 16 a row; beyond it rows go to a temporary file. 0: 64 MiB
	TempDir     string // for that file; empty: the system's

	// Progress, if not nil, is told the bytes read so far (as stored, compressed) and how many there are, 0 where
	// that is not known. It is called often, and for text from another goroutine.
	Progress func(read, total int64)

	block int // bytes; 0: blockBytes
}

// DefaultRowBytes is the size of every row where neither a column nor the caller tells it.
const DefaultRowBytes = 200

// maxLeading is how many bad rows at the start show that the file is not what it was taken for.
const maxLeading = 100

// Defaults are options that stop at the 1,001st bad row.
func Defaults() Options { return Options{MaxBad: 1000} }

func (o *Options) check() error {
	if o.Bytes != "" && o.RowBytes != 0 {
		return fmt.Errorf("a column of sizes (%s) and one size for all rows (%d): choose one", o.Bytes, o.RowBytes)
	}
	if o.RowBytes < 0 || int64(o.RowBytes) > 1<<31-1 {
		return fmt.Errorf("a row of %d bytes: want 1 to 2147483647", o.RowBytes)
	}
	if o.Unit < Auto || o.Unit > Nanoseconds {
		return fmt.Errorf("unknown time unit %d", int(o.Unit))
	}
	if o.MaxEntities <= 0 {
		o.MaxEntities = 50_000_000
	}
	if o.Memory <= 0 {
		o.Memory = 64 << 20
	}
	if o.block == 0 {
		o.block = blockBytes
	}
	return nil
}

// Open reads a file; "-" is standard input. The Trace must be closed. On an error the Report says what was known by
// then; it may be nil.
func Open(ctx context.Context, path string, o Options) (*Trace, *Report, error) {
	if path == "-" {
		return Read(ctx, os.Stdin, "standard input", o)
	}
	f, err := openFile(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return Read(ctx, f, path, o)
}

// Read reads a stream that errors call name. Parquet is read from an *os.File that is a regular file; a stream is text.
func Read(ctx context.Context, r io.Reader, name string, o Options) (*Trace, *Report, error) {
	report := &Report{File: name}
	t, err := read(ctx, r, &o, report)
	if err != nil {
		return nil, report, fmt.Errorf("%s: %w", name, err)
	}
	return t, report, nil
}

func read(ctx context.Context, r io.Reader, o *Options, report *Report) (*Trace, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if f, ok := r.(*os.File); ok && sizeOf(f) > 0 && isParquet(f) {
		return readParquet(ctx, f, sizeOf(f), o, report)
	}
	return readText(ctx, r, o, report)
}

func readText(ctx context.Context, r io.Reader, o *Options, report *Report) (*Trace, error) {
	source, err := decompress(&counted{Reader: r, total: sizeOf(r), progress: o.Progress})
	if err != nil {
		return nil, err
	}
	report.Compression = source.compression
	text, err := readHead(source, o.block)
	if err != nil {
		source.close()
		return nil, explain(err, source.compression)
	}
	l, err := detect(text.head, text.whole, o, report)
	if err != nil {
		source.close()
		return nil, err
	}
	text.textFormat, text.head = l.textFormat, text.head[l.skip:]
	c := newCollector(l.sized, l.lines, o, report)
	err = text.each(ctx, c.collect)
	if err != nil {
		c.store.close()
		return nil, explain(err, source.compression)
	}
	return c.finish()
}

// Trace is the rows of a file. It implements workload.Workload.
type Trace struct {
	rows     int64
	rowBytes int
	names    names
	order    []int32 // entity -> its number in names
	rank     []int32 // the inverse
	store    *store
}

// Rows implements workload.Workload.
func (t *Trace) Rows() int64 { return t.rows }

// Entities implements workload.Workload. Every entity has at least one row.
func (t *Trace) Entities() int { return len(t.order) }

// RowBytes implements workload.Workload.
func (t *Trace) RowBytes() int { return t.rowBytes }

// Name is the text of entity i as the file has it: any bytes at all, so escape it where it is shown.
func (t *Trace) Name(i int) string { return string(t.names.at(int(t.order[i]))) }

// Entity finds an entity by its text.
func (t *Trace) Entity(name string) (i int, ok bool) {
	i = slices.IndexFunc(t.order, func(n int32) bool { return string(t.names.at(int(n))) == name })
	return i, i >= 0
}

// Scan implements workload.Workload: any number of times, also side by side. Batches have up to 8,192 rows.
func (t *Trace) Scan(yield func(*workload.Batch) error) error { return t.store.scan(t.rank, yield) }

// Close removes the temporary file. The trace must not be used after it.
func (t *Trace) Close() error { return t.store.close() }
