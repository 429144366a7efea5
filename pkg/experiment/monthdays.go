package experiment

import (
	"fmt"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/dist"
	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/workload"
)

// monthDay is the read made at the end of one day of the last month.
type monthDay struct {
	day      int64
	reads    dist.D // partitions
	expected float64
}

type monthDays []monthDay

// monthDays reads at the end of every third day of the last month, when the posts after it are not yet written: early in a
// month its partition is nearly empty.
func (l *Lab) monthDays(plain layout.Layout, users []workload.Entity) monthDays {
	start := max(l.From, bucket.Month.Start(bucket.Month.Index(l.To-1)))
	var days monthDays
	for now := start + day; now <= l.To; now += 3 * day {
		at := layout.At(plain, now-1)
		r := read(users, func(t *layout.Trail, e *workload.Entity) {
			then := e.Until(now)
			at.Latest(t, &then, l.Latest)
		})
		days = append(days, monthDay{
			day: (now - start) / day, reads: dist.Of(r.values(partitions)),
			expected: l.Even(0).BucketReads(int64(l.Latest), l.monthShares(now)).Mean,
		})
	}
	return days
}

func (days monthDays) finding(n int) string {
	if len(days) == 0 {
		return "The last month has not a whole day of posts: how reads change through a month is not shown."
	}
	first, last := days[0], days[len(days)-1]
	return fmt.Sprintf("The day matters: at the end of day %s of the month latest %s reads %s partitions, at the end of day %s %s; a read early in a month finds its newest partition nearly empty.",
		count(first.day), count(n), num(first.reads.Mean, 2), count(last.day), num(last.reads.Mean, 2))
}

func monthDaysTable(days monthDays) result.Table {
	t := result.Table{
		Name:    "month-buckets-days",
		Title:   "Partition reads by the day of the month on which one looks",
		Columns: []result.Column{{Name: "day"}, {Name: "mean"}, {Name: "closed form"}, {Name: "median"}, {Name: "99th percentile"}, {Name: "worst"}},
	}
	for _, d := range days {
		t.Rows = append(t.Rows, []result.Cell{result.Count(d.day), result.Number(d.reads.Mean, 2), result.Number(d.expected, 2),
			result.Count(d.reads.P50), result.Count(d.reads.P99), result.Count(d.reads.Max)})
	}
	return t
}

func monthDaysFigure(days monthDays) result.Figure {
	f := result.Figure{
		Name: "month-buckets-days", Kind: result.Lines,
		Title:   "Partition reads through a month",
		Caption: "Mean over average users of reads made at the end of every third day of the last month, and the closed form.",
		X:       result.Axis{Name: "day of the month"},
		Y:       result.Axis{Name: "partitions a read", Unit: "partitions", Decimals: 2},
		Series:  []result.Series{{Name: "simulated"}, {Name: "closed form"}},
		Table:   "month-buckets-days",
	}
	for _, d := range days {
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: float64(d.day), Y: d.reads.Mean})
		f.Series[1].Points = append(f.Series[1].Points, result.Point{X: float64(d.day), Y: d.expected})
	}
	if len(days) > 0 {
		first, last := days[0], days[len(days)-1]
		f.Alt = fmt.Sprintf("At the end of day %[2]s of the month a read asks for %[1]s partitions, at the end of day %[4]s for %[3]s. The closed form is drawn beside the counts.",
			num(first.reads.Mean, 2), count(first.day), num(last.reads.Mean, 2), count(last.day))
	}
	return f
}
