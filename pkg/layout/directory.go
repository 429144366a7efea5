package layout

import (
	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// directory is a small table of the partitions that have rows: a partition an entity, a row for each of the entity's
// partitions, highest number first.
type directory struct {
	parts     *timeSlices
	rowTakes  int64
	file      page.Even
	index     page.Tree // an entry an entity
	firstPage int64     // its pages are numbered after those of the rows
}

// Its index pages are numbered apart from those of the rows' index.
const directoryLevel = 16

// newDirectory is the table of those partitions, in rows of so many bytes, beside a file of so many pages.
func newDirectory(in *Input, parts *timeSlices, firstPage int64, rowBytes int) *directory {
	return &directory{
		parts: parts, rowTakes: int64(in.Page.Takes(rowBytes)), file: page.NewEven(in.Page, rowBytes),
		index: in.tree(in.Census.Keys), firstPage: firstPage,
	}
}

// open finds the entity's partition of the directory.
func (d *directory) open(t *Trail, e *workload.Entity) {
	t.probe(d.parts.first[e.ID] == d.parts.first[e.ID+1])
	t.entries(1)
	d.index.Descend(e.KeysBefore, func(level int, number int64) { t.indexPage(directoryLevel+level, number) })
}

// row looks at the row of slice s, one of the entity's.
func (d *directory) row(t *Trail, e *workload.Entity, s int32) {
	t.entries(1)
	first, last := d.parts.first[e.ID], d.parts.first[e.ID+1]
	at := d.file.Span(int64(first) + int64(last-1-s))
	t.dataPages(page.Span{First: d.firstPage + at.First, Last: d.firstPage + at.Last})
}

// addTo adds what the directory takes.
func (d *directory) addTo(s *Size) {
	n := int64(len(d.parts.bucket))
	s.DataPages += d.file.Pages(n)
	s.IndexPages += d.index.Pages()
	s.RowBytes += n * d.rowTakes
}
