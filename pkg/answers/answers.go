// Package answers asks a trace the lesson's questions: how many pages the latest rows and a range touch in every
// layout, how large partitions get for every bucket width and how many a read asks for, which limits of a store that
// breaks, and which width to take. In come rows with named entities and a Question; out come Answers, which marshal to
// JSON, and from them a result (Result) with tables, figures and findings.
//
// Nothing is estimated: layouts are placed and read, partitions are counted. Memory grows with entities and their
// buckets; what would need more is left out, and Answers.LeftOut says so.
package answers

import (
	"fmt"
	"slices"
	"sync"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/dist"
	"pagetouch/pkg/page"
	"pagetouch/pkg/sizing"
	"pagetouch/pkg/workload"
)

// Source is rows whose entities have names.
type Source interface {
	workload.Workload
	Name(entity int) string
}

// Question is what is asked.
type Question struct {
	Latest   int            // n of the latest-n read; at least 1
	Range    int64          // microseconds of the range read, which ends with the newest row, or at Now; 0: none
	Now      *int64         // when reads are made, not before the newest row; nil: at each entity's own newest row
	Widths   []bucket.Width // candidates beside the named ones
	Page     page.Format
	Entry    int            // bytes of an index entry
	RowBytes int            // at which rows are placed on pages; 0: their own sizes
	Limits   []sizing.Limit // that partitions are held against
	Growth   float64        // they may grow so many times; 0 is 1
}

// Answers is the outcome.
type Answers struct {
	*sizing.Trace
	BadRows        int64                 `json:"bad_rows"` // for the reader of the rows to fill in
	Latest         Latest                `json:"latest"`
	Range          *Range                `json:"range,omitempty"`
	Limits         []sizing.Check        `json:"limits"`
	Recommendation sizing.Recommendation `json:"recommendation"`
	LeftOut        []string              `json:"left_out,omitempty"` // sentences: layouts that were not placed, and why
}

// Latest is the latest-n read of the measured entities: those with at least n rows.
type Latest struct {
	N       int              `json:"n"`
	Layouts map[string]Pages `json:"layouts"` // by layout.Kind.Name
}

// Range is the range read of the same entities.
type Range struct {
	Length     int64                  `json:"microseconds"`
	Layouts    map[string]Pages       `json:"layouts"`
	Partitions map[string]sizing.Span `json:"partitions"` // by width, wherever the range begins
}

// Pages is what one read of each measured entity touched.
type Pages struct {
	Data     dist.D `json:"data_pages"`
	Index    dist.D `json:"index_pages"`
	Examined dist.D `json:"rows_examined"`
	Returned dist.D `json:"rows_returned"`
}

// Widths are the named widths and the question's own, none twice.
func (q *Question) widths() []bucket.Width {
	all := bucket.Named()
	for _, w := range q.Widths {
		known := false
		for _, v := range all {
			known = known || v == w
		}
		if !known {
			all = append(all, w)
		}
	}
	return all
}

func (q *Question) check() error {
	switch {
	case q.Latest < 1 || q.Latest > 1<<30:
		return fmt.Errorf("latest %d rows: want 1 to %d", q.Latest, 1<<30)
	case q.Range < 0:
		return fmt.Errorf("a range of %d µs: want 0 or more", q.Range)
	case q.RowBytes < 0:
		return fmt.Errorf("rows of %d bytes: want 1 or more, or 0 for their own sizes", q.RowBytes)
	}
	return q.Page.Validate()
}

// Ask answers. The source is scanned several times, some of them side by side.
func Ask(s Source, q Question) (*Answers, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	rows, newest, sizes, err := count(s)
	if err != nil {
		return nil, err
	}
	if err := q.affordable(sizes); err != nil {
		return nil, err
	}
	if q.Now != nil && *q.Now < newest {
		return nil, fmt.Errorf("reading at %s, before the newest row, of %s: a read from the past is a trace cut there", stamp(*q.Now), stamp(newest))
	}
	a := &Answers{}
	var wait sync.WaitGroup
	var failed error
	read := func() { failed = a.read(s, q, rows) }
	beside := s.Rows() <= mostPerBucket && s.Entities() <= fewEntities // else the memory of one after the other
	if beside {
		wait.Go(read)
	}
	a.Trace, err = sizing.Partitions(s, q.widths(), q.options(s))
	if !beside && err == nil {
		read()
	}
	wait.Wait()
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	err = a.recommend(s, q)
	a.Limits = a.Recommendation.Checks
	if err != nil || a.Range == nil {
		return a, err
	}
	a.Range.Partitions = map[string]sizing.Span{}
	for _, b := range a.Buckets {
		if a.Range.Partitions[b.Width.String()], err = sizing.RangeFanout(b.Width, q.Range); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (q *Question) options(s Source) sizing.Options {
	return sizing.Options{Latest: q.Latest, Now: q.Now, Name: s.Name}
}

// recommend chooses a width. Where the question names no widths of its own and a limit refused the next wider one, the
// rows are counted once more for the round widths between.
func (a *Answers) recommend(s Source, q Question) (err error) {
	ask := sizing.Question{Limits: q.Limits, Growth: q.Growth, Latest: q.Latest, Range: q.Range}
	if a.Recommendation, err = a.Recommend(ask); err != nil {
		return err
	}
	finer := a.Recommendation.Finer(q.widths())
	if len(q.Widths) > 0 || len(finer) == 0 {
		return nil
	}
	t, err := sizing.Partitions(s, append(q.widths(), finer...), q.options(s))
	if err != nil {
		return err
	}
	r, err := t.Recommend(ask)
	if err != nil {
		return err
	}
	better := r.Kept(finer)
	if len(better) == 0 {
		return nil
	}
	kept := append(q.widths(), better...)
	t.Buckets = slices.DeleteFunc(t.Buckets, func(b sizing.Bucket) bool { return !slices.Contains(kept, b.Width) })
	a.Trace = t
	a.Recommendation, err = t.Recommend(ask)
	return err
}

// sizes are the bytes of rows.
type sizes struct{ all, largest int64 }

// Pages are counted one by one: of files up to so many, where rows have sizes of their own, and of reads up to so many.
const (
	mostPages = 1 << 23
	mostRead  = 1 << 22
)

// affordable is an error where rows are so large that counting their pages takes more memory or time than anybody has.
func (q *Question) affordable(s sizes) error {
	page, size := int64(q.Page.Bytes), s.largest
	if q.RowBytes > 0 {
		size = int64(q.RowBytes)
	}
	if read := sizing.Product(int64(q.Latest), size/page+1); read > mostRead && size > page {
		return fmt.Errorf("the latest %d rows of up to %d bytes lie on %d pages of %d bytes: want at most %d; say how large rows are to be placed (-row-bytes 200), or take larger pages", q.Latest, size, read, page, mostRead)
	}
	if pages := s.all / page; q.RowBytes == 0 && pages > mostPages {
		return fmt.Errorf("the rows have %d bytes, %d pages of %d: want at most %d; say how large rows are to be placed (-row-bytes 200), or take larger pages", s.all, pages, page, mostPages)
	}
	return nil
}

// count is how many rows each entity has, the newest row's time, and the rows' sizes.
func count(w workload.Workload) (rows []int64, newest int64, size sizes, err error) {
	rows, newest = make([]int64, w.Entities()), -1<<63
	err = w.Scan(func(b *workload.Batch) error {
		for i, e := range b.Entity {
			rows[e]++
			newest = max(newest, b.Time[i])
		}
		for _, n := range b.Size {
			size.all += int64(n)
			size.largest = max(size.largest, int64(n))
		}
		return nil
	})
	return rows, newest, size, err
}
