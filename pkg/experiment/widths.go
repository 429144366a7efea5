package experiment

import (
	"fmt"
	"math"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/dist"
	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/sizing"
	"pagetouch/pkg/workload"
)

var _ = register(Experiment{Name: "bucket-widths", Order: 21, Run: BucketWidths})

// BucketWidths reads the same rows from buckets of an hour to a year: the largest partition, that of the big account,
// against how many partitions a read asks.
func BucketWidths(l *Lab) (*result.Result, error) {
	b, err := l.mixed()
	if err != nil {
		return nil, err
	}
	quiet, err := l.quiet()
	if err != nil {
		return nil, err
	}
	limit, err := rowsLimit()
	if err != nil {
		return nil, err
	}
	var all []widthReads
	for _, w := range bucket.Named() {
		one, err := l.readWidth(w, b, quiet)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}

	var v values
	for _, w := range all {
		name := w.width.String()
		v.add(name+".largest.rows", "rows", float64(w.size.Largest.Rows), 0)
		v.add(name+".largest.bytes", "bytes", float64(w.size.Largest.Bytes), 0)
		v.add(name+".partitions", "partitions", float64(w.size.Partitions), 0)
		v.add(name+".peak_ratio", "", w.peakRatio(l), 2)
		v.add(name+".average.partition_reads", "partitions", w.average.mean(partitions), 2)
		v.add(name+".quiet.partition_reads", "partitions", w.quiet.mean(partitions), 2)
		v.add(name+".average.directory.partition_reads", "partitions", w.averageListed.mean(partitions), 2)
		v.add(name+".quiet.directory.partition_reads", "partitions", w.quietListed.mean(partitions), 2)
		v.add(name+".account.partition_reads", "partitions", w.account.mean(partitions), 0)
		for _, r := range w.ranges {
			v.add(name+"."+r.name+".partition_reads", "partitions", float64(r.whole.Partitions), 0)
		}
	}
	v.add("limit.rows", "rows", float64(limit.Value), 0)

	hour, best := all[0], widest(all, limit)
	r := &result.Result{
		Name:   "bucket-widths",
		Title:  "How wide a bucket: the largest partition against the partitions a read asks",
		Values: v,
		Tables: []result.Table{l.widthSizes(all, limit), widthLatest(all, l.Latest), widthRanges(all, l.Latest)},
		Figures: []result.Figure{
			widthFigure(all, limit, l.Latest),
			widthLatestFigure(all, l.Latest),
		},
	}
	if best == nil {
		r.Headline = fmt.Sprintf("Even an hour of the big account holds %s rows, and the advice is %s: no width of an hour or more keeps it.",
			count(hour.size.Largest.Rows), limit.Words())
	} else {
		r.Headline = fmt.Sprintf("The widest bucket whose largest partition stays %s is the %s: %s rows at the big account's peak; latest %s then asks an average user's %s partitions, where hours would ask %s.",
			limit.Words(), best.width, count(best.size.Largest.Rows), count(l.Latest), num(best.average.mean(partitions), 2), num(hour.average.mean(partitions), 0))
	}
	r.Findings = l.widthFindings(all, best, limit)
	checks := make([]check, 0, len(all))
	for _, w := range all {
		checks = append(checks, check{w.width.String() + " buckets, average users", "partitions", w.average.mean(partitions),
			l.Even(0).BucketReads(int64(l.Latest), l.shares(w.width, l.To))})
	}
	table, warnings := l.checkTable("bucket-widths-check", checks)
	r.Tables, r.Warnings = append(r.Tables, table), warnings
	if n := len(hour.average); n < len(b.users) {
		r.Warnings = append(r.Warnings, result.Warning{Text: fmt.Sprintf("The posts span %s %s buckets: only %s of the %s sampled users were asked to step back through them, and fewer than all wherever a width has very many buckets.",
			count(hour.width.Touched(l.From, l.To)), hour.width, count(n), count(len(b.users)))})
	}
	r.Warnings = append(r.Warnings, result.Warning{Text: fmt.Sprintf("The account posts evenly through the span, so its peak is what chance makes of an even rate: its busiest hour has %s the mean, its busiest %s %s. A real account's peak is higher, and narrow buckets feel it most.",
		times(hour.peakRatio(l)), all[3].width, times(all[3].peakRatio(l)))})
	return r, nil
}

// rowsLimit is the limit on rows that the curve is held against: the planning advice for Cassandra.
func rowsLimit() (sizing.Limit, error) {
	limits, err := sizing.Limits("cassandra")
	if err != nil {
		return sizing.Limit{}, err
	}
	for _, l := range limits {
		if l.Counts == sizing.Rows {
			return l, nil
		}
	}
	return sizing.Limit{}, fmt.Errorf("no limit on rows of a store %q: add one to data/limits/limits.csv", "cassandra")
}

// widthReads is what one width takes and what its reads touch.
type widthReads struct {
	width                                     bucket.Width
	size                                      layout.Size
	average, quiet, account                   reads
	averageListed, quietListed, accountListed reads // with a directory
	ranges                                    []widthRange
}

// widthRange is one range read of the account, whole and with a limit. The plan of partitions is the same for everyone.
type widthRange struct {
	name, title    string
	whole, limited layout.Touch
}

// peakRatio is the largest partition as a multiple of what the account's mean rate makes of the width's longest bucket.
func (w widthReads) peakRatio(l *Lab) float64 {
	length := math.Min(float64(w.width.Longest()), float64(l.To-l.From))
	return float64(w.size.Largest.Rows) / (float64(l.Account) * length / float64(l.To-l.From))
}

// few is as many of the users as step back through all buckets of a width in reasonable time: a user who hardly posts
// asks every one of them.
func (l *Lab) few(w bucket.Width, users []workload.Entity) []workload.Entity {
	const probes = 10_000_000
	return users[:min(int64(len(users)), max(1, probes/w.Touched(l.From, l.To)))]
}

// readWidth reads everybody's rows in buckets of one width; hour buckets are millions of partitions.
func (l *Lab) readWidth(w bucket.Width, b, quiet *bench) (widthReads, error) {
	one := widthReads{width: w}
	quietPlaced, err := layout.Bucketed(w, false).Place(quiet.Input)
	if err != nil {
		return one, err
	}
	sparse, users := l.few(w, quiet.users), l.few(w, b.users)
	one.quiet, one.quietListed = latest(quietPlaced, sparse, l.Latest), latest(layout.Listed(quietPlaced), sparse, l.Latest)
	err = l.try(b, layout.Bucketed(w, false), func(placed layout.Layout) {
		listed, account := layout.Listed(placed), []workload.Entity{*b.account()}
		one.size = placed.Size()
		one.average, one.averageListed = latest(placed, users, l.Latest), latest(listed, users, l.Latest)
		one.account, one.accountListed = latest(placed, account, l.Latest), latest(listed, account, l.Latest)
		begin := w.Start(w.Index(l.RangeFrom))
		for _, r := range []struct {
			name, title string
			from, days  int64
		}{
			{"day", "24 hours, aligned", begin, 1}, {"day_shifted", "24 hours, shifted", begin - day/48, 1},
			{"month", "31 days, aligned", begin, 31}, {"month_shifted", "31 days, shifted", begin - day/48, 31},
		} {
			var whole, limited layout.Trail
			placed.Range(&whole, &account[0], r.from, r.from+r.days*day)
			layout.RangeLimit(placed, &limited, &account[0], r.from, r.from+r.days*day, l.Latest)
			one.ranges = append(one.ranges, widthRange{r.name, r.title, whole.Touch(), limited.Touch()})
		}
	})
	return one, err
}

// shares is each bucket's share of the posts, from the bucket of now back to the first, as seen at now.
func (l *Lab) shares(w bucket.Width, now int64) []float64 {
	var shares []float64
	for k := w.Index(now - 1); k >= w.Index(l.From); k-- {
		from, to := max(l.From, w.Start(k)), min(now, w.Start(k+1))
		shares = append(shares, float64(to-from)/float64(l.To-l.From))
	}
	return shares
}

// widest is the widest width whose largest partition keeps the limit.
func widest(all []widthReads, limit sizing.Limit) (best *widthReads) {
	for i := range all {
		if limit.Keeps(all[i].size.Largest.Rows) {
			best = &all[i]
		}
	}
	return best
}

func (l *Lab) widthFindings(all []widthReads, best *widthReads, limit sizing.Limit) []string {
	first, last := all[0], all[len(all)-1]
	findings := []string{
		fmt.Sprintf("The two ends pull apart: from %ss to %ss the largest partition grows from %s to %s rows, and latest %s of an average user falls from %s to %s partitions, of a user with %d posts from %s to %s.",
			first.width, last.width, count(first.size.Largest.Rows), count(last.size.Largest.Rows), count(l.Latest),
			num(first.average.mean(partitions), 1), num(last.average.mean(partitions), 2), quietPosts,
			num(first.quiet.mean(partitions), 0), num(last.quiet.mean(partitions), 0)),
		fmt.Sprintf("Of the %s partitions that hour buckets ask for an average user, %s hold nothing (%s). The big account is read from %s at every width%s: the buckets are narrow for its sake, and everyone else pays.",
			num(first.average.mean(partitions), 1), num(first.average.mean(emptyPartitions), 1), percent(float64(first.average.sum(emptyPartitions))/float64(first.average.sum(partitions))),
			plural(last.account.sum(partitions), "partition"), accountFrom(all)),
	}
	findings = append(findings, fmt.Sprintf("A directory takes the empty reads away and makes narrow buckets bearable: hours ask an average user's %s partitions then, days %s, and those of a user with %d posts %s, its own read counted. What it can't take away is that %s newest posts lie in that many buckets.",
		num(first.averageListed.mean(partitions), 1), num(all[1].averageListed.mean(partitions), 1), quietPosts, num(first.quietListed.mean(partitions), 1), count(l.Latest)))
	if best != nil && best.width != last.width {
		next := all[0]
		for i := range all[1:] {
			if all[i].width == best.width {
				next = all[i+1]
			}
		}
		findings = append(findings, fmt.Sprintf("A %s of the account is %s rows, %s of the advice; the next wider bucket, a %s, is %s rows, %s.",
			best.width, count(best.size.Largest.Rows), percent(float64(best.size.Largest.Rows)/float64(limit.Value)),
			next.width, count(next.size.Largest.Rows), times(float64(next.size.Largest.Rows)/float64(limit.Value))))
	}
	day, days := all[1], all[1].ranges
	findings = append(findings,
		fmt.Sprintf("A dashboard of the last 24 hours asks %s or %s daily buckets, and %s or %s hourly ones: one more where it does not begin with a bucket. For 31 days it is %s or %s daily and %s or %s hourly.",
			count(days[0].whole.Partitions), count(days[1].whole.Partitions), count(first.ranges[0].whole.Partitions), count(first.ranges[1].whole.Partitions),
			count(days[2].whole.Partitions), count(days[3].whole.Partitions), count(first.ranges[2].whole.Partitions), count(first.ranges[3].whole.Partitions)),
		fmt.Sprintf("Where only the newest %s of a range are wanted, the buckets are asked newest first and no more: of 31 days in hours the account's read asks %s instead of %s, in %ss %s instead of %s. Asked all at once, every one of them would be read.",
			count(l.Latest), plural(first.ranges[2].limited.Partitions, "partition"), count(first.ranges[2].whole.Partitions),
			day.width, plural(days[2].limited.Partitions, "partition"), count(days[2].whole.Partitions)),
		fmt.Sprintf("Narrow buckets cost pages of index, too: %s hour partitions need %s index pages beside %s pages of rows, %s year partitions %s.",
			count(first.size.Partitions), count(first.size.IndexPages), count(first.size.DataPages), count(last.size.Partitions), count(last.size.IndexPages)),
	)
	return findings
}

// accountFrom names the width from which on the account's read asks as few partitions as at the widest.
func accountFrom(all []widthReads) string {
	i := len(all) - 1
	for i > 0 && all[i-1].account.sum(partitions) == all[len(all)-1].account.sum(partitions) {
		i--
	}
	if i == 0 {
		return ""
	}
	return " from the " + all[i].width.String() + " on"
}

func (l *Lab) widthSizes(all []widthReads, limit sizing.Limit) result.Table {
	t := result.Table{
		Name:    "bucket-widths-sizes",
		Title:   "What a width stores",
		Caption: "The largest partition is the big account's busiest bucket; its multiple is that of the account's mean rate over the longest bucket of the width.",
		Columns: []result.Column{{Name: "bucket"}, {Name: "partitions"}, {Name: "largest", Unit: "rows"}, {Name: "largest", Unit: "bytes"},
			{Name: "largest", Unit: "of " + limit.Words()}, {Name: "largest", Unit: "of the mean"}, {Name: "data pages"}, {Name: "index pages"}},
	}
	for _, w := range all {
		t.Rows = append(t.Rows, []result.Cell{
			result.Text(w.width.String()), result.Count(w.size.Partitions), result.Count(w.size.Largest.Rows), result.Count(w.size.Largest.Bytes),
			result.Number(float64(w.size.Largest.Rows)/float64(limit.Value), 3), result.Number(w.peakRatio(l), 2), result.Count(w.size.DataPages), result.Count(w.size.IndexPages),
		})
	}
	return t
}

func widthLatest(all []widthReads, n int) result.Table {
	t := result.Table{
		Name:  "bucket-widths-latest",
		Title: fmt.Sprintf("Latest %s, stepping back from the end of the span", count(n)),
		Columns: []result.Column{{Name: "bucket"}, {Name: "users"}, {Name: "partitions, mean"}, {Name: "median"}, {Name: "99th percentile"}, {Name: "worst"},
			{Name: "empty, mean"}, {Name: "data pages, mean"}, {Name: "index pages, mean"}, {Name: "with a directory: partitions"}, {Name: "data pages"}, {Name: "index pages"}},
		Caption: "Means with a directory count the directory's own read.",
	}
	for _, w := range all {
		for _, g := range []struct {
			name string
			reads
			listed reads
		}{{"average users", w.average, w.averageListed}, {fmt.Sprintf("users with %d posts", quietPosts), w.quiet, w.quietListed}, {"big account", w.account, w.accountListed}} {
			row := append([]result.Cell{result.Text(w.width.String()), result.Text(g.name)}, spread(dist.Of(g.values(partitions)), 2)...)
			t.Rows = append(t.Rows, append(row, result.Number(g.mean(emptyPartitions), 2), result.Number(g.mean(dataPages), 2),
				result.Number(g.mean(indexPages), 2), result.Number(g.listed.mean(partitions), 2), result.Number(g.listed.mean(dataPages), 2), result.Number(g.listed.mean(indexPages), 2)))
		}
	}
	return t
}

func widthRanges(all []widthReads, n int) result.Table {
	t := result.Table{
		Name:    "bucket-widths-ranges",
		Title:   "Ranges of the big account",
		Caption: fmt.Sprintf("Aligned ranges begin with a bucket, shifted ones half an hour before. Partitions with a limit: newest bucket first until there are %s rows.", count(n)),
		Columns: []result.Column{{Name: "bucket"}, {Name: "range"}, {Name: "partitions"}, {Name: "empty"}, {Name: "data pages"}, {Name: "rows examined"}, {Name: "rows returned"}, {Name: "partitions with a limit"}},
	}
	for _, w := range all {
		for _, r := range w.ranges {
			t.Rows = append(t.Rows, []result.Cell{
				result.Text(w.width.String()), result.Text(r.title), result.Count(r.whole.Partitions), result.Count(r.whole.EmptyPartitions), result.Count(r.whole.DataPages),
				result.Count(r.whole.RowsExamined), result.Count(r.whole.RowsReturned), result.Count(r.limited.Partitions),
			})
		}
	}
	return t
}

// widthFigure is the curve on which a width is chosen: a point a width.
func widthFigure(all []widthReads, limit sizing.Limit, n int) result.Figure {
	f := result.Figure{
		Name: "bucket-widths-curve", Kind: result.Lines,
		Title:   "The curve on which a width is chosen",
		Caption: "A point a width, from left to right: hour, day, week, month, quarter, year. Right of the line the largest partition breaks the advice. Both axes are logarithmic.",
		X:       result.Axis{Name: "largest partition", Unit: "rows", Log: true},
		Y:       result.Axis{Name: "partitions a read asks", Log: true, Decimals: 2},
		Marks:   []result.Mark{{Axis: "x", At: float64(limit.Value), Label: count(limit.Value) + " rows"}},
		Table:   "bucket-widths-latest",
	}
	f.Series = []result.Series{
		{Name: fmt.Sprintf("latest %s, a user with %d posts", count(n), quietPosts)}, {Name: fmt.Sprintf("latest %s, average user", count(n))},
		{Name: fmt.Sprintf("latest %s, average user, directory", count(n))}, {Name: "31 days, shifted"}, {Name: "24 hours, shifted"}, {Name: fmt.Sprintf("latest %s, big account", count(n))},
	}
	for _, w := range all {
		x := float64(w.size.Largest.Rows)
		for i, y := range []float64{w.quiet.mean(partitions), w.average.mean(partitions), w.averageListed.mean(partitions), float64(w.ranges[3].whole.Partitions), float64(w.ranges[1].whole.Partitions), w.account.mean(partitions)} {
			f.Series[i].Points = append(f.Series[i].Points, result.Point{X: x, Y: y})
		}
	}
	first, last := &all[0], &all[len(all)-1]
	f.Alt = fmt.Sprintf("The wider the bucket, the larger the largest partition and the fewer a read asks for. From %s to %s buckets the largest partition grows from %s to %s. Latest %s then asks for %s instead of %s partitions of an average user, %s instead of %s with a directory, and %s instead of %s of a user with %d posts; a range of 31 days asks for %s instead of %s.",
		first.width, last.width, plural(first.size.Largest.Rows, "row"), plural(last.size.Largest.Rows, "row"), count(n), num(last.average.mean(partitions), 2), num(first.average.mean(partitions), 2),
		num(last.averageListed.mean(partitions), 2), num(first.averageListed.mean(partitions), 2), num(last.quiet.mean(partitions), 0), num(first.quiet.mean(partitions), 0), quietPosts,
		count(last.ranges[3].whole.Partitions), count(first.ranges[3].whole.Partitions))
	return f
}

func widthLatestFigure(all []widthReads, n int) result.Figure {
	f := result.Figure{
		Name: "bucket-widths-latest", Kind: result.Bars,
		Title:   fmt.Sprintf("Partitions that latest %s asks", count(n)),
		Caption: "Mean of a read, on a logarithmic axis.",
		Alt:     fmt.Sprintf("Partitions that latest %s asks for.", count(n)),
		X:       result.Axis{Name: "bucket"},
		Y:       result.Axis{Name: "partitions a read", Log: true, Decimals: 1},
		Series:  []result.Series{{Name: "average users", Labels: true}, {Name: fmt.Sprintf("users with %d posts", quietPosts), Labels: true}},
		Table:   "bucket-widths-latest",
	}
	for i, w := range all {
		f.X.Categories = append(f.X.Categories, w.width.String())
		for s, g := range []reads{w.average, w.quiet} {
			f.Series[s].Points = append(f.Series[s].Points, result.Point{X: float64(i), Y: g.mean(partitions)})
		}
		f.Alt += fmt.Sprintf(" By the %s: %s for average users, %s for users with %d posts.", w.width, num(w.average.mean(partitions), 1), num(w.quiet.mean(partitions), 1), quietPosts)
	}
	return f
}
