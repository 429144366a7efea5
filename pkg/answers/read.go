package answers

import (
	"fmt"
	"strings"
	"sync"

	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/workload"
)

// What is kept at a time, in rows of 16 to 28 bytes, and up to how many rows of the trace layouts are placed that keep
// something for each bucket or for each row.
const (
	groupRows     = 2 << 20
	mostPerBucket = 8 << 20
	mostPerRow    = 1 << 20 // not more than groupRows: these layouts want all rows at once
	fewEntities   = 1 << 15 // with more, pages are counted after partitions and not beside them
)

// read places the layouts and reads them for every measured entity, group by group.
func (a *Answers) read(s workload.Workload, q Question, rows []int64) error {
	if q.RowBytes > 0 {
		s = evenRows{s, q.RowBytes}
	}
	kinds := a.affordable(s.Rows(), s.Entities())
	whole := q.Range > 0 || s.Rows() <= mostPerRow
	groups := groups(rows, int64(q.Latest), whole)
	a.Latest = Latest{N: q.Latest, Layouts: map[string]Pages{}}
	if q.Range > 0 {
		a.Range = &Range{Length: q.Range, Layouts: map[string]Pages{}}
	}
	readers := make([]reader, len(kinds))
	for _, asked := range groups {
		census, err := take(s, asked, q.Latest, whole)
		if err != nil {
			return err
		}
		if err := readAll(readers, kinds, q, q.input(s, census), len(groups) > 1); err != nil {
			return err
		}
	}
	for i, k := range kinds {
		a.Latest.Layouts[k.Name] = readers[i].latest.pages()
		if q.Range > 0 {
			a.Range.Layouts[k.Name] = readers[i].ranges.pages()
		}
	}
	return nil
}

// affordable are the layouts that fit into memory with so many rows; the others are named in LeftOut.
func (a *Answers) affordable(rows int64, entities int) (kinds []layout.Kind) {
	most := map[layout.Cost]int64{layout.PerRow: mostPerRow, layout.PerBucket: mostPerBucket, layout.PerEntity: rows}
	if entities > fewEntities {
		most[layout.PerBucket] = mostPerRow // nearly every row may begin a bucket
	}
	var left []string
	for _, k := range layout.All() {
		if rows > most[k.Cost] {
			left = append(left, strings.ToLower(k.Title[:1])+k.Title[1:])
		} else {
			kinds = append(kinds, k)
		}
	}
	if left != nil {
		a.LeftOut = append(a.LeftOut, fmt.Sprintf("Of %s rows these layouts were not placed, because that takes memory for every row or bucket: %s.",
			result.Format(float64(rows), 0), strings.Join(left, "; ")))
	}
	return kinds
}

// groups deals out the entities with at least n rows so that what is kept of each group fits into memory: all its rows,
// or the newest n of each entity. An entity with more is a group of its own. There is at least one group.
func groups(rows []int64, n int64, whole bool) [][]int {
	groups, kept := [][]int{nil}, int64(0)
	for e, r := range rows {
		if r < n || r == 0 {
			continue
		}
		if !whole {
			r = n
		}
		last := len(groups) - 1
		if kept+r > groupRows && len(groups[last]) > 0 {
			groups, kept = append(groups, nil), 0
			last++
		}
		groups[last] = append(groups[last], e)
		kept += r
	}
	return groups
}

func take(w workload.Workload, asked []int, n int, whole bool) (*workload.Census, error) {
	if whole {
		return workload.Count(w, asked)
	}
	return workload.Newest(w, asked, n)
}

func (q *Question) input(w workload.Workload, c *workload.Census) *layout.Input {
	in := &layout.Input{Workload: w, Census: c, Page: q.Page, Entry: q.Entry, Now: layout.OwnNewest, Floor: layout.OwnOldest}
	if q.Now != nil {
		in.Now = *q.Now
	}
	return in
}

// readAll reads every layout for the census' entities, two at a time: one that keeps something for every row is large. A
// layout is placed when it is first read, from that group's census, and kept if there are more groups.
func readAll(readers []reader, kinds []layout.Kind, q Question, in *layout.Input, keep bool) error {
	errs := make([]error, len(kinds))
	next := make(chan int, len(kinds))
	for i := range kinds {
		next <- i
	}
	close(next)
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			for i := range next {
				r := &readers[i]
				if r.layout == nil {
					r.layout, errs[i] = kinds[i].Place(in)
				}
				if errs[i] == nil {
					r.read(in.Census.Asked, q)
				}
				if !keep {
					r.layout = nil
				}
			}
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("layout %s: %w", kinds[i].Name, err)
		}
	}
	return nil
}

// evenRows are rows of one size, whatever they say themselves.
type evenRows struct {
	workload.Workload
	bytes int
}

func (w evenRows) RowBytes() int { return w.bytes }

func (w evenRows) Scan(yield func(*workload.Batch) error) error {
	return w.Workload.Scan(func(b *workload.Batch) error {
		return yield(&workload.Batch{First: b.First, Entity: b.Entity, Time: b.Time})
	})
}
