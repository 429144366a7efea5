package layout

import (
	"math"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// Partition is the lesson's layout B: one fully compacted file of partitions, one an entity, one after another with
// no gap, the rows of each sorted newest first. A sparse index with an entry a partition leads to the page of a row.
var Partition = register(Partitioned(0))

// Partitioned is layout B whose index, inside a partition, has an entry for so many bytes of rows, as Cassandra's row
// index does (column_index_size); 0: an entry for each page, as in the lesson.
func Partitioned(rowIndexBytes int) Kind {
	return Kind{
		Name:  "partition",
		Title: "Partition, newest first",
		Cost:  PerEntity,
		Place: func(in *Input) (Layout, error) {
			if err := in.Validate(); err != nil {
				return nil, err
			}
			return &partition{packed: newPacked(in), index: in.tree(in.Census.Keys), rowIndex: int64(rowIndexBytes), in: in}, nil
		},
	}
}

type partition struct {
	packed
	index    page.Tree
	rowIndex int64
	in       *Input
}

// Where counts the partition's newer rows before row i.
func (l *partition) Where(e *workload.Entity, i int) page.Span {
	n := e.Rows()
	if l.rowBytes > 0 {
		return l.even.Span(e.Before + int64(n-1-i))
	}
	return l.span(e, i, e.Before+int64(n-1-i), e.BytesBefore+l.bytes(e, i+1, n))
}

// Latest reads the partition's first n rows.
func (l *partition) Latest(t *Trail, e *workload.Entity, n int) {
	l.find(t, e)
	t.newest(l, e, 0, e.Rows(), n)
}

// Range seeks to the page that holds the first row not newer than the range and decodes from its top.
func (l *partition) Range(t *Trail, e *workload.Entity, from, to int64) {
	l.rangeLimit(t, e, from, to, math.MaxInt)
}

func (l *partition) rangeLimit(t *Trail, e *workload.Entity, from, to int64, n int) {
	if from >= to || n <= 0 {
		return
	}
	l.find(t, e)
	t.sliceUntil(l, e, 0, e.Rows(), from, to, n, func(first int) int {
		if l.rowIndex == 0 {
			return pageTop(l, e, e.Rows(), first)
		}
		return l.entryAbove(e, first)
	})
}

// entryAbove is the row of the last row index entry that is not after row i: entries stand at the partition's start
// and at the first row past each multiple of rowIndex bytes.
func (l *partition) entryAbove(e *workload.Entity, i int) int {
	n := e.Rows()
	block := l.bytes(e, i+1, n) / l.rowIndex
	for i+1 < n && l.bytes(e, i+2, n)/l.rowIndex == block {
		i++
	}
	return i
}

func (l *partition) find(t *Trail, e *workload.Entity) {
	t.probe(e.Rows() == 0)
	t.entries(1)
	t.descend(l.index, e.KeysBefore)
}

// Size counts the pages of the one file as written once.
func (l *partition) Size() Size {
	c := l.in.Census
	s := Size{
		DataPages: l.pages(c.Rows, c.Bytes), IndexPages: l.index.Pages(), RowBytes: l.takes(c.Rows, c.Bytes),
		Partitions: c.Keys, Largest: c.Largest,
	}
	s.PagesWritten = s.DataPages + s.IndexPages
	return s
}

// packed is a file of rows in a sorted order: rows of one size fill pages without crossing a boundary, rows of varying
// size lie end to end as in a block-compressed file.
type packed struct {
	format   page.Format
	rowBytes int // 0 where sizes vary
	even     page.Even
	stream   page.Stream
}

func newPacked(in *Input) packed {
	p := packed{format: in.Page, rowBytes: in.Census.RowBytes, stream: page.Stream{Room: int64(in.Page.Room())}}
	if p.rowBytes > 0 {
		p.even = page.NewEven(in.Page, p.rowBytes)
	}
	return p
}

// span is where row i of an entity lies, given the rows before it in the file and their bytes without overhead.
func (p *packed) span(e *workload.Entity, i int, rowsBefore, bytesBefore int64) page.Span {
	if p.rowBytes > 0 {
		return p.even.Span(rowsBefore)
	}
	overhead := int64(p.format.RowHeader + p.format.Pointer)
	return p.stream.Span(bytesBefore+rowsBefore*overhead, int64(e.RowSize(i))+overhead)
}

// bytes is the size of rows [i, j) of an entity without overhead.
func (p *packed) bytes(e *workload.Entity, i, j int) int64 { return e.Bytes(i, j) }

// takes is the bytes that so many rows of so many bytes take.
func (p *packed) takes(rows, bytes int64) int64 {
	if p.rowBytes > 0 {
		return rows * int64(p.format.Takes(p.rowBytes))
	}
	return bytes + rows*int64(p.format.RowHeader+p.format.Pointer)
}

func (p *packed) pages(rows, bytes int64) int64 {
	if p.rowBytes > 0 {
		return p.even.Pages(rows)
	}
	return p.stream.Pages(p.takes(rows, bytes))
}

// page is where a row begins that so many rows of so many bytes stand before.
func (p *packed) page(rows, bytes int64) int64 {
	if p.rowBytes > 0 {
		return p.even.Span(rows).First
	}
	return p.takes(rows, bytes) / p.stream.Room
}
