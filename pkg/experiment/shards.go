package experiment

import (
	"fmt"
	"slices"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/sizing"
	"pagetouch/pkg/workload"
)

var _ = register(Experiment{Name: "size-buckets-and-shards", Order: 22, Run: SizeBucketsAndShards})

// SizeBucketsAndShards reads from buckets that begin after so many rows, and from month buckets split into shards: what
// bounds a partition at any rate, and what spreads the writes of a hot one.
func SizeBucketsAndShards(l *Lab) (*result.Result, error) {
	b, err := l.mixed()
	if err != nil {
		return nil, err
	}
	limit, err := rowsLimit()
	if err != nil {
		return nil, err
	}
	byTime, bySize, err := l.readBounds(b)
	if err != nil {
		return nil, err
	}
	bounds := slices.Concat(byTime, bySize)
	splits, err := l.readSplits(b)
	if err != nil {
		return nil, err
	}

	var v values
	for _, o := range bounds {
		v.add(o.name+".largest.rows", "rows", float64(o.size.Largest.Rows), 0)
		v.add(o.name+".average.partition_reads", "partitions", o.average.mean(partitions), 2)
		v.add(o.name+".average.data_pages", "pages", o.average.mean(dataPages), 2)
		v.add(o.name+".account.partition_reads", "partitions", o.account.mean(partitions), 0)
		v.add(o.name+".account.range.partition_reads", "partitions", o.rangeAccount.mean(partitions), 0)
	}
	for _, s := range splits {
		name := fmt.Sprintf("shards-%d", s.shards)
		v.add(name+".busiest_writes_a_day", "rows", s.busiest, 0)
		v.add(name+".largest.rows", "rows", float64(s.size.Largest.Rows), 0)
		v.add(name+".account.partition_reads", "partitions", s.account.mean(partitions), 0)
		v.add(name+".account.data_pages", "pages", s.account.mean(dataPages), 0)
		v.add(name+".account.rows_examined", "rows", s.account.mean(rowsExamined), 0)
		v.add(name+".average.partition_reads", "partitions", s.average.mean(partitions), 2)
	}

	one, most := splits[0], splits[len(splits)-1]
	month, sized := byTime[1], bySize[1]
	r := &result.Result{
		Name:  "size-buckets-and-shards",
		Title: "A bucket of so many rows bounds size; shards spread writes",
		Headline: fmt.Sprintf("A new bucket after %s rows keeps every partition at that, whatever the rate, for one small table read more. Splitting the month %d ways takes the account's busiest partition from %s to %s writes a day, and its latest %s from %s to %s.",
			count(boundRows), most.shards, count(int64(one.busiest)), count(int64(most.busiest)), count(l.Latest),
			plural(one.account.sum(partitions), "partition read"), plural(most.account.sum(partitions), "partition read")),
		Values: v,
		Tables: append(splitsTables(splits, l.Latest), boundsTable(bounds, limit, l.Latest, rangeName(l.RangeFrom, l.RangeTo))),
		Findings: []string{
			fmt.Sprintf("Time buckets bound a partition by time, so its size follows the rate: the account's month is %s rows, and at ten times the rate it would be ten times that. Buckets of %s rows hold at most %s at any rate.",
				count(month.size.Largest.Rows), count(boundRows), count(boundRows)),
			fmt.Sprintf("The price is the small table that records the current bucket and its times: latest %s of an average user reads %s partitions, the table among them, where month buckets ask %s; a quiet user's has no empty bucket to step through. For %s the account's read finds its %s of %s buckets by their times.",
				count(l.Latest), num(sized.average.mean(partitions), 2), num(month.average.mean(partitions), 2), rangeName(l.RangeFrom, l.RangeTo),
				count(sized.rangeAccount.sum(partitions)-1), count((l.Account+boundRows-1)/boundRows)),
			fmt.Sprintf("Neither spreads writes: all %s a day of the account go to its one current bucket. Split %d ways, the busiest shard of the last month took %s a day, %s of the even share, as a hash deals them.",
				count(int64(one.busiest)), most.shards, count(int64(most.busiest)), percent(most.busiest*float64(most.shards)/max(one.busiest, 1e-9))),
			fmt.Sprintf("Reads pay in full. No shard knows how many of the newest %s it holds, so each is asked for as many: at %d shards the account's read decodes %s rows on %s to return %s, against %s on %s unsplit.",
				count(l.Latest), most.shards, count(most.account.sum(rowsExamined)), plural(most.account.sum(dataPages), "page"), count(most.account.sum(rowsReturned)),
				plural(one.account.sum(rowsExamined), "row"), plural(one.account.sum(dataPages), "page")),
			fmt.Sprintf("Split only what is hot: were every user's month split %d ways, an average user's read would ask %s partitions, %s of them empty, instead of %s.",
				most.shards, num(most.average.mean(partitions), 1), num(most.average.mean(emptyPartitions), 1), num(one.average.mean(partitions), 2)),
		},
		Figures: []result.Figure{boundsFigure(bounds, limit), splitsFigure(splits, l.Latest)},
	}
	expected := l.Even(0).BucketReads(int64(l.Latest), l.monthShares(l.To))
	var checks []check
	for _, s := range splits {
		checks = append(checks, check{fmt.Sprintf("%s, average users", plural(s.shards, "shard")), "partitions", s.average.mean(partitions), expected.Scale(float64(s.shards))})
	}
	table, warnings := l.checkTable("size-buckets-and-shards-check", checks)
	r.Tables, r.Warnings = append(r.Tables, table), warnings
	return r, nil
}

// bound is a layout that bounds a partition, and what its reads touch.
type bound struct {
	name, title                    string
	size                           layout.Size
	average, account, rangeAccount reads
}

// boundRows is the size of the buckets that the findings speak of.
const boundRows = 10_000

// readBounds reads from a partition a user, from month buckets, and from buckets of so many rows. Only layouts that other
// experiments ask for, too, are kept.
func (l *Lab) readBounds(b *bench) (time, size []bound, err error) {
	account := []workload.Entity{*b.account()}
	read := func(name, title string, placed layout.Layout) bound {
		return bound{name, title, placed.Size(), latest(placed, b.users, l.Latest), latest(placed, account, l.Latest),
			between(placed, account, l.RangeFrom, l.RangeTo)}
	}
	for _, of := range []struct {
		title string
		kind  layout.Kind
	}{{"partition per user", layout.Partition}, {"month buckets", layout.MonthBuckets}, {"month buckets + directory", layout.MonthDirectory}} {
		placed, err := b.place(of.kind)
		if err != nil {
			return nil, nil, err
		}
		time = append(time, read(of.kind.Name, of.title, placed))
	}
	for _, rows := range []int{boundRows / 10, boundRows, boundRows * 10} {
		kind := layout.SizeBuckets(rows)
		if err := l.try(b, kind, func(placed layout.Layout) {
			size = append(size, read(kind.Name, "buckets of "+count(rows)+" rows", placed))
		}); err != nil {
			return nil, nil, err
		}
	}
	return time, size, nil
}

// split is month buckets split so many ways.
type split struct {
	shards           int
	size             layout.Size
	busiest          float64 // rows a day that the account's busiest shard of the last month took
	average, account reads
}

func (l *Lab) readSplits(b *bench) ([]split, error) {
	account := *b.account()
	current := max(l.From, bucket.Month.Start(bucket.Month.Index(l.To-1)))
	days := float64(l.To-current) / float64(day)
	var all []split
	for _, shards := range []int{1, 2, 4, 8, 16} {
		took, busiest := make([]int64, shards), int64(0)
		for _, position := range account.Position[account.Search(current):] {
			shard := layout.ShardOf(position, shards)
			took[shard]++
			busiest = max(busiest, took[shard])
		}
		if err := l.try(b, layout.Sharded(bucket.Month, shards), func(placed layout.Layout) {
			all = append(all, split{shards, placed.Size(), float64(busiest) / days, latest(placed, b.users, l.Latest), latest(placed, []workload.Entity{account}, l.Latest)})
		}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func boundsTable(all []bound, limit sizing.Limit, n int, rangeName string) result.Table {
	t := result.Table{
		Name:    "size-buckets",
		Title:   "What bounds a partition",
		Caption: fmt.Sprintf("Reads of the latest %s, means over average users; the account's is one read. The read of a table beside the rows counts as a partition, its pages as pages.", count(n)),
		Columns: []result.Column{{Name: "layout"}, {Name: "partitions"}, {Name: "largest", Unit: "rows"}, {Name: "largest", Unit: "of " + limit.Words()},
			{Name: "average user: partitions"}, {Name: "data pages"}, {Name: "index pages"},
			{Name: "account: partitions"}, {Name: "data pages"}, {Name: rangeName + ": partitions"}, {Name: "data pages"}},
	}
	for _, o := range all {
		t.Rows = append(t.Rows, []result.Cell{
			result.Text(o.title), result.Count(o.size.Partitions), result.Count(o.size.Largest.Rows), result.Number(float64(o.size.Largest.Rows)/float64(limit.Value), 3),
			result.Number(o.average.mean(partitions), 2), result.Number(o.average.mean(dataPages), 2), result.Number(o.average.mean(indexPages), 2),
			result.Count(o.account.sum(partitions)), result.Count(o.account.sum(dataPages)), result.Count(o.rangeAccount.sum(partitions)), result.Count(o.rangeAccount.sum(dataPages)),
		})
	}
	return t
}

func splitsTables(all []split, n int) []result.Table {
	t := result.Table{
		Name:  "shards",
		Title: fmt.Sprintf("The account's month buckets split into shards: writes of the last month, and its latest %s", count(n)),
		Columns: []result.Column{{Name: "shards"}, {Name: "busiest shard", Unit: "writes a day"}, {Name: "even share", Unit: "writes a day"}, {Name: "largest partition", Unit: "rows"},
			{Name: "partitions"}, {Name: "data pages"}, {Name: "index pages"}, {Name: "rows examined"}, {Name: "rows returned"}},
	}
	users := result.Table{
		Name:    "shards-users",
		Title:   fmt.Sprintf("Latest %s of average users, were their buckets split too", count(n)),
		Caption: "Mean of a read.",
		Columns: []result.Column{{Name: "shards"}, {Name: "partitions"}, {Name: "empty"}, {Name: "data pages"}, {Name: "index pages"}, {Name: "rows examined"}, {Name: "rows returned"}},
	}
	for _, s := range all {
		t.Rows = append(t.Rows, []result.Cell{
			result.Count(s.shards), result.Number(s.busiest, 0), result.Number(all[0].busiest/float64(s.shards), 0), result.Count(s.size.Largest.Rows),
			result.Count(s.account.sum(partitions)), result.Count(s.account.sum(dataPages)), result.Count(s.account.sum(indexPages)),
			result.Count(s.account.sum(rowsExamined)), result.Count(s.account.sum(rowsReturned)),
		})
		row := []result.Cell{result.Count(s.shards)}
		for _, c := range []func(layout.Touch) int{partitions, emptyPartitions, dataPages, indexPages, rowsExamined, rowsReturned} {
			row = append(row, result.Number(s.average.mean(c), 2))
		}
		users.Rows = append(users.Rows, row)
	}
	return []result.Table{t, users}
}

func boundsFigure(all []bound, limit sizing.Limit) result.Figure {
	one := 1.0
	f := result.Figure{
		Name: "size-buckets-largest", Kind: result.HBars,
		Title:   "The largest partition",
		Caption: "The big account's. At another posting rate the bars of time buckets move; those of buckets by size stay. The axis is logarithmic.",
		Alt:     "The big account's largest partition.",
		X:       result.Axis{Name: "layout"},
		Y:       result.Axis{Name: "largest partition", Unit: "rows", Log: true, Min: &one},
		Series:  []result.Series{{Name: "rows", Labels: true}},
		Marks:   []result.Mark{{Axis: "y", At: float64(limit.Value), Label: limit.Words()}},
		Table:   "size-buckets",
	}
	for i, o := range all {
		f.X.Categories = append(f.X.Categories, o.title)
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: float64(i), Y: float64(o.size.Largest.Rows)})
		f.Alt += fmt.Sprintf(" %s: %s.", upper(o.title), plural(o.size.Largest.Rows, "row"))
	}
	return f
}

// splitsFigure shows writes and reads as multiples of the unsplit bucket's.
func splitsFigure(all []split, n int) result.Figure {
	f := result.Figure{
		Name: "shards-tradeoff", Kind: result.Lines,
		Title:   "Splitting the account's current bucket",
		Caption: "Each as a multiple of the unsplit bucket's. A read decodes more rows in step with the partitions. Both axes are logarithmic.",
		X:       result.Axis{Name: "shards", Log: true},
		Y:       result.Axis{Name: "times the unsplit", Log: true, Decimals: 2},
		Series: []result.Series{{Name: "partitions that a read asks"}, {Name: "data pages it touches"},
			{Name: "writes a day of the busiest shard"}},
		Table: "shards",
	}
	one := all[0]
	for _, s := range all {
		for i, y := range []float64{
			s.account.mean(partitions) / one.account.mean(partitions), s.account.mean(dataPages) / one.account.mean(dataPages), s.busiest / one.busiest,
		} {
			if y > 0 {
				f.Series[i].Points = append(f.Series[i].Points, result.Point{X: float64(s.shards), Y: y})
			}
		}
	}
	f.Alt = "What splitting the current bucket takes from its writes and adds to its reads."
	for _, s := range []split{one, all[len(all)-1]} {
		f.Alt += fmt.Sprintf(" With %s the busiest takes %s writes a day, and latest %s asks for %s and decodes %s on %s.", plural(s.shards, "shard"), num(s.busiest, 0), count(n),
			plural(s.account.sum(partitions), "partition"), plural(s.account.sum(rowsExamined), "row"), plural(s.account.sum(dataPages), "page"))
	}
	if one.busiest == 0 { // an account that did not post in the last month has no writes to spread
		f.Series = f.Series[:len(f.Series)-1]
	}
	return f
}
