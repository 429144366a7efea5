package experiment

import (
	"fmt"

	"pagetouch/pkg/result"
	"pagetouch/pkg/sizing"
	"pagetouch/pkg/theory"
	"pagetouch/pkg/workload"
)

var _ = register(Experiment{Name: "big-account", Order: 3, Run: BigAccount})

// BigAccount adds one account with a great many posts: where its newest posts lie, and how large its partition is
// against what stores recommend.
func BigAccount(l *Lab) (*result.Result, error) {
	b, err := l.mixed()
	if err != nil {
		return nil, err
	}
	heap, partition, err := b.lesson()
	if err != nil {
		return nil, err
	}
	account := []workload.Entity{*b.account()}
	a, p := latest(heap, account, l.Latest), latest(partition, account, l.Latest)
	others := latest(heap, b.users, l.Latest)
	rangeA, rangeB := between(heap, account, l.RangeFrom, l.RangeTo), between(partition, account, l.RangeFrom, l.RangeTo)

	bytes := account[0].Bytes(0, account[0].Rows())
	average := float64(l.Posts) / float64(l.Users) * float64(l.RowBytes)
	first := partition.Where(&account[0], account[0].Rows()-1).First
	aligned := account[0].Before%l.PerPage() == 0
	ratio := float64(bytes) / average

	var v values
	v.add("rows", "rows", float64(account[0].Rows()), 0)
	v.add("bytes", "bytes", float64(bytes), 0)
	v.add("average_user_bytes", "bytes", average, 0)
	v.add("payload_ratio", "", ratio, 0)
	v.add("preceding_pages", "pages", float64(first), 0)
	v.add("preceding_rows", "rows", float64(account[0].Before), 0)
	v.add("latest.partition.data_pages", "pages", p.mean(dataPages), 0)
	v.add("latest.heap.data_pages", "pages", a.mean(dataPages), 0)
	v.add("others.heap.data_pages", "pages", others.mean(dataPages), 4)
	v.add("share_of_arrivals", "%", 100*float64(l.Account)/float64(l.Account+l.Posts), 1)
	v.add("range.heap.data_pages", "pages", rangeA.mean(dataPages), 0)
	v.add("range.partition.data_pages", "pages", rangeB.mean(dataPages), 0)
	v.add("range.rows", "rows", rangeA.mean(rowsReturned), 0)

	limits, broken, err := accountLimits(account[0].Rows(), bytes)
	if err != nil {
		return nil, err
	}
	v.add("limits.checked", "limits", float64(len(limits)), 0)
	v.add("limits.broken", "limits", float64(broken), 0)

	boundary := fmt.Sprintf("the %s rows before it fill %s pages to the last byte, so it begins a page", count(account[0].Before), count(first))
	if !aligned {
		boundary = fmt.Sprintf("the %s rows before it leave page %s part filled, and it begins on that page", count(account[0].Before), count(first))
	}
	r := &result.Result{
		Name:  "big-account",
		Title: fmt.Sprintf("The %s-post account: its newest %s are cheap, its partition is not", count(l.Account), count(l.Latest)),
		Headline: fmt.Sprintf("Its newest %s posts lie on %s of the partition, and on %s of arrival order; but its partition holds %s, %s an average user's, on one set of replicas.",
			count(l.Latest), plural(p.sum(dataPages), "page"), plural(a.sum(dataPages), "page"), size(float64(bytes)), times(ratio)),
		Values: v,
		Findings: []string{
			fmt.Sprintf("In the partition layout the account comes after all others: %s. Its newest %s posts are on %s.", boundary, count(l.Latest), plural(p.sum(dataPages), "page")),
			fmt.Sprintf("Mixed into the arrivals its posts are dense, one arrival in %s, about %s to a page: its newest %s posts lie on %s there too. Arrival order is hard on those who post seldom, not on those who post much.",
				num(float64(l.Account+l.Posts)/float64(l.Account), 1), num(float64(l.PerPage())*float64(l.Account)/float64(l.Account+l.Posts), 1), count(l.Latest), plural(a.sum(dataPages), "page")),
			fmt.Sprintf("For the others it changes little: their newest %s posts lie on %s pages, as its posts push theirs further apart.", count(l.Latest), num(others.mean(dataPages), 4)),
			fmt.Sprintf("For %s the account reads %s pages of its partition against %s in arrival order: %s rows packed side by side, or among others' posts, where about one row in %s is its own.",
				rangeName(l.RangeFrom, l.RangeTo), count(rangeB.sum(dataPages)), count(rangeA.sum(dataPages)), count(rangeA.sum(rowsReturned)),
				num(float64(l.Account+l.Posts)/float64(l.Account), 0)),
			fmt.Sprintf("Of %s limits on a partition that stores recommend or enforce, this one breaks %s.", count(len(limits)), count(broken)),
		},
		Warnings: []result.Warning{{Text: "The payload leaves out storage metadata, indexes, compression and replication. What such a partition costs a cluster in compaction, repair and load is not simulated."}},
	}
	expected := theory.AccountPages(l.Posts+l.Account, l.Account, l.PerPage(), int64(l.Latest))
	mixedEven := l.Even(l.Account)
	checks, warnings := l.checkTable("big-account-check", []check{
		{"others in A, data pages", "pages", others.mean(dataPages), mixedEven.LatestArrivalPages(int64(l.Latest))},
		{"others in A, index pages", "pages", others.mean(indexPages), mixedEven.LatestIndexPages(int64(l.Latest))},
	})
	checks.Rows = append(checks.Rows, []result.Cell{result.Text("account in A, data pages"), result.Text("pages"), result.Number(a.mean(dataPages), 4), result.Number(expected, 4)})
	checks.Rows[2] = append(checks.Rows[2], result.Cell{}, result.Cell{})
	r.Warnings = append(r.Warnings, warnings...)
	r.Tables = []result.Table{l.accountTable(account[0].Rows(), bytes, average), accountReads(a, p, rangeA, rangeB, rangeName(l.RangeFrom, l.RangeTo), l.Latest), limitsTable(limits), checks}
	r.Figures = []result.Figure{limitsFigure(limits), payloadFigure(average, float64(bytes))}
	return r, nil
}

func (l *Lab) accountTable(rows int, bytes int64, average float64) result.Table {
	t := result.Table{
		Name:    "big-account",
		Title:   "Payload",
		Columns: []result.Column{{Name: "account"}, {Name: "rows"}, {Name: "bytes a row"}, {Name: "payload", Unit: "bytes"}, {Name: "times the average"}},
	}
	t.Rows = [][]result.Cell{
		{result.Text("average user"), result.Number(float64(l.Posts)/float64(l.Users), 0), result.Count(l.RowBytes), result.Number(average, 0), result.Number(1, 0)},
		{result.Text("big account"), result.Count(rows), result.Count(l.RowBytes), result.Count(bytes), result.Number(float64(bytes)/average, 0)},
	}
	return t
}

func accountReads(a, p, rangeA, rangeB reads, name string, n int) result.Table {
	t := result.Table{
		Name:    "big-account-reads",
		Title:   "The account's reads",
		Columns: []result.Column{{Name: "read"}, {Name: "layout"}, {Name: "data pages"}, {Name: "index pages"}, {Name: "rows examined"}, {Name: "rows returned"}},
	}
	for _, row := range []struct {
		read, layout string
		reads
	}{
		{"latest " + count(n), "A: arrival order + index", a}, {"latest " + count(n), "B: partition, newest first", p},
		{name, "A: arrival order + index", rangeA}, {name, "B: partition, newest first", rangeB},
	} {
		t.Rows = append(t.Rows, []result.Cell{
			result.Text(row.read), result.Text(row.layout), result.Count(row.sum(dataPages)), result.Count(row.sum(indexPages)),
			result.Count(row.sum(rowsExamined)), result.Count(row.sum(rowsReturned)),
		})
	}
	return t
}

// accountLimits holds a partition against every store's limits on rows and bytes of a partition that are limits from
// above.
func accountLimits(rows int, bytes int64) (checks []sizing.Check, broken int, err error) {
	stores, err := sizing.Stores()
	if err != nil {
		return nil, 0, err
	}
	for _, store := range stores {
		limits, err := sizing.Limits(store)
		if err != nil {
			return nil, 0, err
		}
		for _, limit := range limits {
			var c sizing.Check
			switch {
			case limit.Operator == "<":
				continue
			case limit.Counts == sizing.Rows:
				c = limit.Check(int64(rows))
			case limit.Counts == sizing.Bytes:
				c = limit.Check(bytes)
			default:
				continue
			}
			if !c.Kept {
				broken++
			}
			checks = append(checks, c)
		}
	}
	return checks, broken, nil
}

func limitsTable(checks []sizing.Check) result.Table {
	t := result.Table{
		Name:    "big-account-limits",
		Title:   "The account's partition against store guidance",
		Caption: "MB and GB are powers of 1,000, MiB and GiB powers of 1,024. A limit that is off by default is marked.",
		Columns: []result.Column{{Name: "store"}, {Name: "limit"}, {Name: "kind"}, {Name: "partition", Unit: "of the limit"}, {Name: "verdict"}, {Name: "source"}},
	}
	for _, c := range checks {
		kind, verdict := string(c.Kind), "kept"
		if !c.On {
			kind += ", off by default"
		}
		if !c.Kept {
			verdict = "broken"
		}
		t.Rows = append(t.Rows, []result.Cell{
			result.Text(c.Maker()), result.Text(c.Limit.Words()), result.Text(kind), result.Number(c.Ratio, 3), result.Text(verdict), result.Text(c.Source),
		})
	}
	return t
}

func limitsFigure(checks []sizing.Check) result.Figure {
	f := result.Figure{
		Name: "big-account-limits", Kind: result.HBars,
		Title:   "The partition as a multiple of each limit",
		Caption: "Right of the line the limit is broken. The axis is logarithmic.",
		X:       result.Axis{Name: "limit"},
		Y:       result.Axis{Name: "times the limit", Log: true, Decimals: 3},
		Series:  []result.Series{{Name: "the account's partition", Labels: true}},
		Marks:   []result.Mark{{Axis: "y", At: 1, Label: "limit"}},
		Table:   "big-account-limits",
	}
	worst := 0
	for i, c := range checks {
		f.X.Categories = append(f.X.Categories, c.Maker()+": "+c.Limit.Words())
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: float64(i), Y: c.Ratio})
		if c.Ratio > checks[worst].Ratio {
			worst = i
		}
	}
	broken := 0
	for _, c := range checks {
		if !c.Kept {
			broken++
		}
	}
	f.Alt = fmt.Sprintf("The account's partition as a multiple of %s, of which it breaks %s. Most of all it exceeds that of %s, %s: it is %s as large.",
		plural(len(checks), "limit"), count(broken), checks[worst].Maker(), checks[worst].Words(), times(checks[worst].Ratio))
	if broken == 0 {
		f.Alt = fmt.Sprintf("The account's partition as a share of %s. It keeps all of them; nearest is that of %s, %s, with %s times the limit.",
			plural(len(checks), "limit"), checks[worst].Maker(), checks[worst].Words(), num(checks[worst].Ratio, 3))
	}
	return f
}

func payloadFigure(average, account float64) result.Figure {
	return result.Figure{
		Name: "big-account-payload", Kind: result.HBars,
		Title:   "Payload of one partition",
		Caption: "On a logarithmic axis, because on any other the average user's bar has no width.",
		Alt:     fmt.Sprintf("An average user's partition holds %s, the big account's %s.", size(average), size(account)),
		X:       result.Axis{Name: "account", Categories: []string{"average user", "big account"}},
		Y:       result.Axis{Name: "payload", Unit: "bytes", Log: true},
		Series:  []result.Series{{Name: "bytes", Labels: true, Points: []result.Point{{X: 0, Y: average}, {X: 1, Y: account}}}},
		Table:   "big-account",
	}
}
