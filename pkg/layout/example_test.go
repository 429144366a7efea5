package layout

import (
	"fmt"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// Adding a layout takes one file, and no more than this. Once registered it passes every test that goes over All, and
// stands in every table that does. This one is layout B sorted the other way round, with an index to each row.

var oldest = register(Kind{Name: "oldest-first", Title: "Partition, oldest first", Place: func(in *Input) (Layout, error) {
	b, err := Partition.Place(in)
	return oldestFirst{b}, err
}})

type oldestFirst struct{ Layout }

func (l oldestFirst) Where(e *workload.Entity, i int) page.Span {
	b := l.Layout.(*partition)
	return b.span(e, i, e.Before+int64(i), e.BytesBefore+e.Bytes(0, i))
}
func (l oldestFirst) Latest(t *Trail, e *workload.Entity, n int) {
	l.Layout.(*partition).find(t, e)
	t.newest(l, e, 0, e.Rows(), n)
}
func (l oldestFirst) Range(t *Trail, e *workload.Entity, from, to int64) {
	l.Layout.(*partition).find(t, e)
	t.newest(l, e, e.Search(from), e.Search(to), e.Rows())
}

// The lesson's read in three layouts, for one of 200 users who wrote 20,000 posts in a year.
func Example() {
	posts := &workload.Posts{Count: 20_000, Users: 200, To: 365 * day, Bytes: 200}
	census, err := workload.Count(posts, []int{7})
	if err != nil {
		fmt.Println(err)
		return
	}
	user := &census.Asked[0]
	in := &Input{Workload: posts, Census: census, Page: page.Lesson, Entry: 16}
	for _, kind := range []Kind{Arrival, Partition, oldest} {
		placed, err := kind.Place(in)
		if err != nil {
			fmt.Println(err)
			return
		}
		var trail Trail
		placed.Latest(&trail, user, 20)
		touch := trail.Touch()
		fmt.Printf("%-23s  data pages %2d, index pages %d\n", kind.Title, touch.DataPages, touch.IndexPages)
	}
	// Output:
	// Arrival order + index    data pages 20, index pages 2
	// Partition, newest first  data pages  2, index pages 1
	// Partition, oldest first  data pages  2, index pages 1
}
