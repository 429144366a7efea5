package layout

import (
	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// lookUp reads rows [lo, hi) of an entity, newest first, through a B-tree on (entity, time) with an entry for each row:
// it descends to the newest entry, walks back, and decodes each row where it lies.
func (t *Trail) lookUp(l Layout, index page.Tree, e *workload.Entity, lo, hi int) {
	t.probe(e.Rows() == 0)
	first := e.Before + e.Older
	t.descend(index, max(first+int64(hi)-1, first+int64(lo)))
	t.walk(index, first+int64(lo), first+int64(hi))
	for i := hi - 1; i >= lo; i-- {
		t.decode(i, l.Where(e, i))
		t.give(i)
	}
}
