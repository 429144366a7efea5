package answers

import (
	"pagetouch/pkg/dist"
	"pagetouch/pkg/layout"
	"pagetouch/pkg/workload"
)

// reader reads one layout and counts what that touches.
type reader struct {
	layout         layout.Layout
	trail          layout.Trail
	latest, ranges touches
}

type touches struct{ data, index, examined, returned dist.Counts }

func (r *reader) read(entities []workload.Entity, q Question) {
	for i := range entities {
		e := &entities[i]
		r.trail.Reset()
		r.layout.Latest(&r.trail, e, q.Latest)
		r.latest.add(r.trail.Touch())
		if q.Range == 0 {
			continue
		}
		to := e.Time[len(e.Time)-1] + 1 // the newest row is the range's last
		if q.Now != nil {
			to = *q.Now + 1
		}
		r.trail.Reset()
		r.layout.Range(&r.trail, e, to-q.Range, to)
		r.ranges.add(r.trail.Touch())
	}
}

func (t *touches) add(of layout.Touch) {
	t.data.Add(int64(of.DataPages))
	t.index.Add(int64(of.IndexPages))
	t.examined.Add(int64(of.RowsExamined))
	t.returned.Add(int64(of.RowsReturned))
}

func (t *touches) pages() Pages {
	return Pages{Data: t.data.D(), Index: t.index.D(), Examined: t.examined.D(), Returned: t.returned.D()}
}
