package layout

import "pagetouch/pkg/workload"

// RangeLimit reads the newest n of the entity's rows with a time in [from, to), newest first: a range with a LIMIT. A
// layout that can stop at the n-th row does, and asks no bucket after it; any other executes the whole range and hands
// on the head of the answer.
func RangeLimit(l Layout, t *Trail, e *workload.Entity, from, to int64, n int) {
	if s, ok := l.(interface {
		rangeLimit(t *Trail, e *workload.Entity, from, to int64, n int)
	}); ok {
		s.rangeLimit(t, e, from, to, n)
		return
	}
	before := len(t.answer)
	l.Range(t, e, from, to)
	t.answer = t.answer[:min(len(t.answer), before+max(n, 0))]
}
