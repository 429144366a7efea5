package sizing

import (
	"fmt"

	"pagetouch/pkg/bucket"
)

// Span is how many partitions of one entity a range [from, from+length) asks for.
type Span struct {
	Aligned int64 `json:"aligned"` // begun at the start of a bucket; where buckets differ in length, the most
	Worst   int64 `json:"worst"`   // begun anywhere: the most
}

// RangeFanout is what a range of so many microseconds asks for. Where a range begins is known only when it is read;
// bucket.Width.Touched counts one that is known.
//
// The worst begins in the last microsecond of a bucket. Calendar buckets differ in length, so every start of the
// calendar's cycle of 400 years is tried.
func RangeFanout(w bucket.Width, length int64) (Span, error) {
	if length <= 0 || length > farthest {
		return Span{}, fmt.Errorf("a range of %d µs: want more than 0 and at most 73,000 years", length)
	}
	if w == bucket.Forever {
		return Span{1, 1}, nil
	}
	first, last := w.Index(0), w.Index(0)
	if !w.Even() {
		last = w.Index(146_097 * 86_400 * 1_000_000) // the days of 400 years
	}
	var s Span
	for k := first; k <= last; k++ {
		start, end := w.Start(k), w.Start(k+1)
		s.Aligned = max(s.Aligned, w.Touched(start, start+length))
		s.Worst = max(s.Worst, w.Touched(end-1, end-1+length))
	}
	return s, nil
}
