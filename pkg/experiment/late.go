package experiment

import (
	"fmt"

	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/workload"
)

// lateness is the lesson's reads where a share of posts arrives late by up to some time.
type lateness struct {
	share                            float64
	by                               int64 // microseconds
	latestA, latestB, rangeA, rangeB reads
}

type latenesses []lateness

// lateArrivals reads posts that arrive in time order, then some late, then all.
func (l *Lab) lateArrivals() (latenesses, error) {
	all := latenesses{{}}
	for _, share := range []float64{.1, .5, 1} {
		for _, by := range []int64{day / 24, day, 30 * day} {
			all = append(all, lateness{share: share, by: by})
		}
	}
	for i := range all {
		at := &all[i]
		w := l.Setting.posts(0)
		w.Late, w.LateBy = at.share, at.by
		c, err := workload.Count(w, workload.Sample(l.Users, l.Sample, l.Seed))
		if err != nil {
			return nil, err
		}
		heap, err := layout.Arrival.Place(l.input(w, c))
		if err != nil {
			return nil, err
		}
		partition, err := layout.Partition.Place(l.input(w, c))
		if err != nil {
			return nil, err
		}
		at.latestA, at.latestB = latest(heap, c.Asked, l.Latest), latest(partition, c.Asked, l.Latest)
		at.rangeA, at.rangeB = between(heap, c.Asked, l.RangeFrom, l.RangeTo), between(partition, c.Asked, l.RangeFrom, l.RangeTo)
	}
	return all, nil
}

func lateTable(all latenesses) result.Table {
	t := result.Table{
		Name:    "uneven-posting-late",
		Title:   "Posts that arrive late, users who all post alike",
		Caption: "A late post's delay is anything up to the longest, each as likely. Means.",
		Columns: []result.Column{{Name: "late", Unit: "% of posts"}, {Name: "by up to", Unit: "hours"}, {Name: "latest: A data pages"}, {Name: "B data pages"},
			{Name: "range: rows"}, {Name: "A data pages"}, {Name: "B data pages"}},
	}
	for _, at := range all {
		t.Rows = append(t.Rows, []result.Cell{result.Number(100*at.share, 0), result.Number(float64(at.by)/float64(day/24), 0),
			result.Number(at.latestA.mean(dataPages), 3), result.Number(at.latestB.mean(dataPages), 3),
			result.Number(at.rangeA.mean(rowsReturned), 3), result.Number(at.rangeA.mean(dataPages), 3), result.Number(at.rangeB.mean(dataPages), 3)})
	}
	return t
}

func (all latenesses) finding() string {
	first, last := all[0], all[len(all)-1]
	for _, at := range all {
		if at.latestA.mean(dataPages) > last.latestA.mean(dataPages) {
			last = at
		}
	}
	a, b := first.latestA.mean(dataPages), last.latestA.mean(dataPages)
	if b <= a {
		return fmt.Sprintf("Posts that arrive late change nothing for the newest posts: at most %s data pages in arrival order, as in time order.", num(a, 3))
	}
	return fmt.Sprintf("Posts that arrive late are a little further from their neighbours in time: arrival order takes up to %s data pages for the newest posts, with %s late by up to %s days, against %s in time order. The partition sorts them in: %s against %s.",
		num(b, 3), percent(last.share), num(float64(last.by)/float64(day), 0), num(a, 3), num(last.latestB.mean(dataPages), 3), num(first.latestB.mean(dataPages), 3))
}
