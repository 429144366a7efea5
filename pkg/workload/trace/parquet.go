package trace

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/parquet-go/parquet-go"
)

// readParquet reads a Parquet file of size bytes: three flat columns side by side, row group after row group.
func readParquet(ctx context.Context, f *os.File, size int64, o *Options, r *Report) (t *Trace, err error) {
	// The library checks most of what a damaged file can say, but for some of it panics.
	defer func() {
		if p := recover(); p != nil {
			t, err = nil, fmt.Errorf("the Parquet file is damaged: %v", p)
		}
	}()
	r.Format = "Parquet"
	if err := checkFooter(f, size); err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(&patient{ReaderAt: f}, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("the Parquet file is damaged: %w", err)
	}
	if file.NumRows() == 0 {
		return nil, errors.New("the file has no rows")
	}
	m, err := interpretParquet(file, o, r)
	if err != nil {
		return nil, err
	}
	c := newCollector(m.sized, 0, o, r)
	done := int64(0)
	for _, group := range file.RowGroups() {
		err := m.readGroup(ctx, group, func(rows *rows) error {
			done += rows.lines
			if o.Progress != nil {
				o.Progress(int64(float64(size)*min(1, float64(done)/float64(file.NumRows()))), size)
			}
			return c.collect(rows)
		})
		if err != nil {
			c.store.close()
			return nil, err
		}
	}
	return c.finish()
}

// patient is a file that bears only so many reads beyond its end. The library skips the items of a damaged page header
// one by one, up to two thousand million, each with such a read; the panic becomes the error of a damaged file.
type patient struct {
	io.ReaderAt
	beyond atomic.Int64
}

func (p *patient) ReadAt(b []byte, at int64) (int, error) {
	n, err := p.ReaderAt.ReadAt(b, at)
	if n == 0 && err == io.EOF && p.beyond.Add(1) > 1000 {
		panic("it goes on beyond its end")
	}
	return n, err
}

// checkFooter refuses a file that does not end as Parquet files do. The library would take the memory for whatever
// length of footer the last bytes say, up to 4 GB, before it finds out that the file is shorter.
func checkFooter(f *os.File, size int64) error {
	var tail [8]byte // the footer's length, then the magic
	if _, err := f.ReadAt(tail[:], max(0, size-int64(len(tail)))); err != nil {
		return fmt.Errorf("the Parquet file was cut: %w", err)
	}
	footer := int64(binary.LittleEndian.Uint32(tail[:]))
	if !bytes.Equal(tail[4:], parquetMagic) || footer > size-int64(len(parquetMagic)+len(tail)) {
		return errors.New("the Parquet file does not end in a footer: it was cut, get it again")
	}
	return nil
}

// parquetMeaning is meaning for typed columns.
type parquetMeaning struct {
	meaning
	leaf [ignored]*leaf // by role; nil where there is none
}

// interpretParquet chooses columns by names and the first rows' values.
func interpretParquet(file *parquet.File, o *Options, r *Report) (*parquetMeaning, error) {
	var s sample
	leaves := make([]*leaf, len(file.Root().Columns()))
	for i, column := range file.Root().Columns() {
		name := column.Name()
		l, why := newLeaf(column)
		if why != "" {
			name += " (" + why + ")" // so that it is listed as it is and never chosen by its name
		} else if l.instant && o.Unit != Auto {
			l.unit = o.Unit
		}
		leaves[i] = l
		s.names = append(s.names, name)
	}
	s.lookAtFirst(file, leaves)
	c, err := choose(&s, o)
	if err != nil {
		return nil, err
	}
	r.Entity, r.Time, r.Bytes = c.entity, c.time, c.bytes
	m := &parquetMeaning{meaning: meaning{choice: c, sized: c.bytes.How != Absent}}
	for role, column := range []Column{c.entity, c.time, c.bytes} {
		if column.How == Absent {
			continue
		}
		if m.leaf[role] = leaves[column.Number-1]; m.leaf[role] == nil {
			return nil, fmt.Errorf("%s is no flat column of a plain type: the columns are %s", column, s.list())
		}
	}
	return m, m.setParquetClock(&s, o, r)
}

// lookAtFirst fills the sample with the first rows. A column that cannot be read has no values: if it is needed, reading
// the rows will say why.
func (s *sample) lookAtFirst(file *parquet.File, leaves []*leaf) {
	for i, l := range leaves {
		if l == nil {
			continue
		}
		row := 0
		for _, group := range file.RowGroups() {
			column := openColumn(group, l)
			for row < sampleRows {
				values, err := column.peek()
				if err != nil {
					break
				}
				for _, v := range values[:min(len(values), sampleRows-row)] {
					if row == len(s.rows) {
						s.rows = append(s.rows, make([]string, len(leaves)))
					}
					if !v.IsNull() {
						s.rows[row][i] = l.show(v)
					}
					row++
				}
				column.skip(len(values))
			}
			column.close()
			if row >= sampleRows {
				break
			}
		}
	}
}

// readGroup reads a row group in batches.
func (m *parquetMeaning) readGroup(ctx context.Context, group parquet.RowGroup, collect func(*rows) error) error {
	var columns [ignored]*column
	for role, l := range m.leaf {
		if l != nil {
			columns[role] = openColumn(group, l)
			defer columns[role].close()
		}
	}
	out := newRows()
	for left := group.NumRows(); left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		var values [ignored][]parquet.Value
		n := int(min(left, chunkRows))
		for role, c := range columns {
			if c == nil {
				continue
			}
			var err error
			if values[role], err = c.peek(); err != nil {
				if err == io.EOF {
					err = errors.New("it has fewer values than rows")
				}
				return fmt.Errorf("%s: the Parquet file is damaged: %w", m.column(role), err)
			}
			n = min(n, len(values[role]))
		}
		out.reset()
		for i := range n {
			out.lines++
			m.row(&values, i, &out)
		}
		for _, c := range columns {
			if c != nil {
				c.skip(n)
			}
		}
		if err := collect(&out); err != nil {
			return err
		}
		left -= int64(n)
	}
	return nil
}

// row adds row i of the values.
func (m *parquetMeaning) row(values *[ignored][]parquet.Value, i int, out *rows) {
	v := values[timeField][i]
	t, zoned, ok := m.leaf[timeField].time(v, m.clock)
	if !ok {
		m.faultTime(m.leaf[timeField].raw(v), out.lines, out)
		return
	}
	var size int32
	if m.sized {
		raw := m.leaf[sizeField].raw(values[sizeField][i])
		if size, ok = parseSize(raw); !ok {
			m.faultSize(raw, out.lines, out)
			return
		}
	}
	entity := m.leaf[entityField].raw(values[entityField][i])
	if len(entity) == 0 {
		out.fault(out.lines, "%s: no entity", m.entity)
		return
	}
	out.add(out.names.number(entity), t, zoned)
	if m.sized {
		out.addSize(size)
	}
}

// column reads one column of a row group, page by page.
type column struct {
	pages  parquet.Pages
	page   parquet.Page // nil before the first and after the last
	reader parquet.ValueReader
	buffer []parquet.Value
	unread []parquet.Value // in buffer; valid while page is
}

func openColumn(group parquet.RowGroup, l *leaf) *column {
	return &column{pages: group.ColumnChunks()[l.index].Pages(), buffer: make([]parquet.Value, chunkRows)}
}

// peek returns the next values, at least one, or io.EOF.
func (c *column) peek() ([]parquet.Value, error) {
	for len(c.unread) == 0 {
		if c.page == nil {
			page, err := c.pages.ReadPage()
			if err != nil {
				return nil, err
			}
			c.page, c.reader = page, page.Values()
		}
		n, err := c.reader.ReadValues(c.buffer)
		c.unread = c.buffer[:n]
		if n == 0 {
			parquet.Release(c.page)
			c.page = nil
			if err != nil && err != io.EOF {
				return nil, err
			}
		}
	}
	return c.unread, nil
}

func (c *column) skip(n int) { c.unread = c.unread[n:] }

func (c *column) close() {
	if c.page != nil {
		parquet.Release(c.page)
	}
	c.pages.Close()
}
