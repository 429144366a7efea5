package experiment

import (
	"fmt"
	"math/rand/v2"
	"time"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/dist"
	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/workload"
)

var _ = register(Experiment{Name: "month-buckets", Order: 4, Run: MonthBuckets})

// MonthBuckets reads the newest posts from partitions of a user and a month, stepping back from now, with and without a
// directory of the months that have posts: average users, users who hardly post, the big account.
func MonthBuckets(l *Lab) (*result.Result, error) {
	b, err := l.mixedByMonth()
	if err != nil {
		return nil, err
	}
	plain, err := b.place(layout.MonthBuckets)
	if err != nil {
		return nil, err
	}
	directory, err := b.place(layout.MonthDirectory)
	if err != nil {
		return nil, err
	}
	whole, err := b.place(layout.Partition)
	if err != nil {
		return nil, err
	}
	quiet, err := l.quiet()
	if err != nil {
		return nil, err
	}
	quietPlain, err := quiet.place(layout.MonthBuckets)
	if err != nil {
		return nil, err
	}
	quietDirectory, err := quiet.place(layout.MonthDirectory)
	if err != nil {
		return nil, err
	}
	account := []workload.Entity{*b.account()}
	groups := []group{
		{"average users", latest(plain, b.users, l.Latest), latest(directory, b.users, l.Latest)},
		{fmt.Sprintf("users with %d posts", quietPosts), latest(quietPlain, quiet.users, l.Latest), latest(quietDirectory, quiet.users, l.Latest)},
		{"big account", latest(plain, account, l.Latest), latest(directory, account, l.Latest)},
	}
	average, seldom := groups[0], groups[1]
	example, err := exampleReads()
	if err != nil {
		return nil, err
	}

	before, after := whole.Size(), plain.Size()
	months := bucket.Month.Touched(l.From, l.To)
	writes := l.currentWrites(&account[0])
	var v values
	v.add("example.partition_reads", "partitions", float64(example), 0)
	for i, name := range []string{"average", "quiet", "account"} {
		g := groups[i]
		v.add(name+".partition_reads", "partitions", g.plain.mean(partitions), 2)
		v.add(name+".empty_probes", "partitions", g.plain.mean(emptyPartitions), 2)
		v.add(name+".data_pages", "pages", g.plain.mean(dataPages), 2)
		v.add(name+".directory.partition_reads", "partitions", g.directory.mean(partitions), 2)
		v.add(name+".directory.empty_probes", "partitions", g.directory.mean(emptyPartitions), 2)
	}
	v.add("average.worst", "partitions", float64(dist.Of(average.plain.values(partitions)).Max), 0)
	v.add("months", "months", float64(months), 0)
	v.add("quiet.posts", "posts", quietPosts, 0)
	v.add("largest_before.rows", "rows", float64(before.Largest.Rows), 0)
	v.add("largest_before.bytes", "bytes", float64(before.Largest.Bytes), 0)
	v.add("largest_after.rows", "rows", float64(after.Largest.Rows), 0)
	v.add("largest_after.bytes", "bytes", float64(after.Largest.Bytes), 0)
	v.add("partitions_before", "partitions", float64(before.Partitions), 0)
	v.add("partitions_after", "partitions", float64(after.Partitions), 0)
	v.add("account.new_writes", "rows", float64(writes.rows), 0)
	v.add("account.new_writes_share", "%", 100*float64(writes.inCurrent)/float64(max(1, writes.rows)), 0)
	v.add("account.new_writes_a_day", "rows", float64(writes.rows)/writes.days, 0)

	days := l.monthDays(plain, b.users)
	r := &result.Result{
		Name:  "month-buckets",
		Title: "Month buckets bound time, not size",
		Headline: fmt.Sprintf("With a partition a user and month, latest %s reads %s partitions for an average user and %s for one with %d posts a year, nearly all of them empty; the big account's largest partition shrinks from %s to %s rows, and this month's still takes all new writes.",
			count(l.Latest), num(average.plain.mean(partitions), 2), num(seldom.plain.mean(partitions), 2), quietPosts, count(before.Largest.Rows), count(after.Largest.Rows)),
		Values: v,
		Tables: []result.Table{monthReads(groups, l.Latest), monthSizes(before, after), monthDaysTable(days)},
		Findings: []string{
			fmt.Sprintf("A user with 14 posts this month and 6 last month costs %s for the latest 20.", plural(example, "partition read")),
			fmt.Sprintf("A user with %d posts a year is asked about in all %s months: %s of %s reads find nothing. A directory of the months that have posts ends that: %s reads, its own among them, %s empty.",
				quietPosts, count(months), num(seldom.plain.mean(emptyPartitions), 2), num(seldom.plain.mean(partitions), 2),
				num(seldom.directory.mean(partitions), 2), noneOr(seldom.directory.sum(emptyPartitions), seldom.directory.mean(emptyPartitions))),
			fmt.Sprintf("For average users the directory is a read more, not less: %s against %s, because hardly a month of theirs is empty.",
				num(average.directory.mean(partitions), 2), num(average.plain.mean(partitions), 2)),
			days.finding(l.Latest),
			fmt.Sprintf("The largest partition falls from %s rows and %s to %s rows and %s: a factor of %s, where a year has %s months. It is still the busiest account's month, and grows with its posting rate.",
				count(before.Largest.Rows), size(float64(before.Largest.Bytes)), count(after.Largest.Rows), size(float64(after.Largest.Bytes)),
				num(float64(before.Largest.Rows)/float64(after.Largest.Rows), 1), count(months)),
			fmt.Sprintf("Writes do not spread: of the account's %s posts of the last month, %s went to the one partition of that month, %s a day.",
				count(writes.rows), percent(float64(writes.inCurrent)/float64(max(1, writes.rows))), count(int64(float64(writes.rows)/writes.days))),
		},
	}
	checks, warnings := l.monthChecks(average.plain)
	r.Tables, r.Warnings = append(r.Tables, checks), append(r.Warnings, warnings...)
	r.Figures = []result.Figure{monthReadsFigure(groups), monthDaysFigure(days)}
	return r, nil
}

// quietPosts is how often a quiet user posts.
const quietPosts = 2

// quiet is a workload of as many users as are sampled, each with two posts at any time.
func (l *Lab) quiet() (*bench, error) {
	draws := rand.New(rand.NewPCG(l.Seed, quietPosts))
	s := &workload.Slice{Bytes: l.RowBytes, Number: l.Sample}
	asked := make([]int, l.Sample)
	for u := range asked {
		asked[u] = u
		for range quietPosts {
			s.Entity = append(s.Entity, int32(u))
			s.Time = append(s.Time, l.From+draws.Int64N(l.To-l.From))
		}
	}
	c, err := workload.Count(s, asked)
	if err != nil {
		return nil, err
	}
	return &bench{Input: l.input(s, c), users: c.Asked, kinds: map[string]func() (layout.Layout, error){}}, nil
}

// exampleReads is the lesson's own example: 14 posts this month and 6 last month, latest 20, read in this month.
func exampleReads() (int, error) {
	s := &workload.Slice{Bytes: 1}
	post := func(month time.Month, n int) {
		for i := range n {
			s.Entity = append(s.Entity, 0)
			s.Time = append(s.Time, time.Date(2026, month, 1+i, 12, 0, 0, 0, time.UTC).UnixMicro())
		}
	}
	post(time.October, 6)
	post(time.November, 14)
	c, err := workload.Count(s, []int{0})
	if err != nil {
		return 0, err
	}
	lesson := Lesson()
	in := lesson.input(s, c)
	in.Now = time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC).UnixMicro()
	placed, err := layout.MonthBuckets.Place(in)
	if err != nil {
		return 0, err
	}
	return latest(placed, c.Asked, 20)[0].Partitions, nil
}

// group is users whose reads are alike, read without and with a directory.
type group struct {
	name             string
	plain, directory reads
}

func monthReads(groups []group, n int) result.Table {
	t := result.Table{
		Name:  "month-buckets-reads",
		Title: fmt.Sprintf("Partitions that latest %s reads, stepping back from the end of the last month", count(n)),
		Columns: []result.Column{{Name: "users"}, {Name: "directory"}, {Name: "mean"}, {Name: "median"}, {Name: "99th percentile"}, {Name: "worst"},
			{Name: "empty, mean"}, {Name: "data pages, mean"}, {Name: "rows returned, mean"}},
		Caption: "The directory's own read is counted as a partition read.",
	}
	for _, g := range groups {
		for _, of := range []struct {
			name string
			reads
		}{{"no", g.plain}, {"yes", g.directory}} {
			row := append([]result.Cell{result.Text(g.name), result.Text(of.name)}, spread(dist.Of(of.values(partitions)), 2)...)
			t.Rows = append(t.Rows, append(row, result.Number(of.mean(emptyPartitions), 2), result.Number(of.mean(dataPages), 2), result.Number(of.mean(rowsReturned), 2)))
		}
	}
	return t
}

func monthSizes(before, after layout.Size) result.Table {
	row := func(name string, s layout.Size) []result.Cell {
		return []result.Cell{result.Text(name), result.Count(s.Partitions), result.Count(s.Largest.Rows), result.Count(s.Largest.Bytes)}
	}
	return result.Table{
		Name:    "month-buckets-sizes",
		Title:   "Partitions before and after",
		Columns: []result.Column{{Name: "partition key"}, {Name: "partitions"}, {Name: "largest", Unit: "rows"}, {Name: "largest", Unit: "bytes"}},
		Rows:    [][]result.Cell{row("user", before), row("user and month", after)},
	}
}

// writeSpread is where an account's posts of the last month went.
type writeSpread struct {
	rows, inCurrent int
	days            float64
}

func (l *Lab) currentWrites(account *workload.Entity) writeSpread {
	current := bucket.Month.Index(l.To - 1)
	start := max(l.From, bucket.Month.Start(current))
	w := writeSpread{days: float64(l.To-start) / float64(day)}
	for _, at := range account.Time[account.Search(start):] {
		w.rows++
		if bucket.Month.Index(at) == current {
			w.inCurrent++
		}
	}
	return w
}

// monthChecks sets the mean reads of average users beside their closed form: the chance that the newest months hold
// fewer posts than asked for.
func (l *Lab) monthChecks(plain reads) (result.Table, []result.Warning) {
	expected := l.Even(0).BucketReads(int64(l.Latest), l.monthShares(l.To))
	return l.checkTable("month-buckets-check", []check{{"partition reads, average users", "partitions", plain.mean(partitions), expected}})
}

// monthShares is each month's share of the posts, from the month of now back to the first, as seen at now.
func (l *Lab) monthShares(now int64) []float64 { return l.shares(bucket.Month, now) }

func monthReadsFigure(groups []group) result.Figure {
	f := result.Figure{
		Name: "month-buckets-reads", Kind: result.Bars,
		Title:   "Partition reads, with and without a directory",
		Caption: "Mean of a read. The directory's own read is counted.",
		X:       result.Axis{Name: "users"},
		Y:       result.Axis{Name: "partitions a read", Unit: "partitions", Decimals: 2},
		Series:  []result.Series{{Name: "stepping back", Labels: true}, {Name: "with a directory", Labels: true}},
		Table:   "month-buckets-reads",
	}
	f.Alt = "Partitions that a read asks for."
	for i, g := range groups {
		f.X.Categories = append(f.X.Categories, g.name)
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: float64(i), Y: g.plain.mean(partitions)})
		f.Series[1].Points = append(f.Series[1].Points, result.Point{X: float64(i), Y: g.directory.mean(partitions)})
		f.Alt += fmt.Sprintf(" %s: %s stepping back month by month, %s with a directory.", upper(g.name), num(g.plain.mean(partitions), 2), num(g.directory.mean(partitions), 2))
	}
	return f
}
