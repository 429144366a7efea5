package experiment

import (
	"fmt"
	"math"

	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/theory"
	"pagetouch/pkg/workload"
)

var _ = register(Experiment{Name: "clustered-index", Order: 12, Run: ClusteredIndex})

// ClusteredIndex inserts the posts into a B-tree whose leaves are the rows: in arrival order, at random places, and in key
// order; and reads what the splits left.
func ClusteredIndex(l *Lab) (*result.Result, error) {
	b, err := l.posts()
	if err != nil {
		return nil, err
	}
	random, err := l.randomPosts()
	if err != nil {
		return nil, err
	}
	var trees []tree
	for _, of := range []struct {
		name string
		on   *bench
		kind layout.Kind
	}{
		{"inserted as they arrive", b, layout.Clustered}, {"inserted at random places", random, layout.Clustered},
		{"loaded in key order", b, layout.ClusteredOrdered}, {"loaded in key order, full", b, layout.ClusteredLoad(16)},
	} {
		t, err := l.tree(of.name, of.on, of.kind)
		if err != nil {
			return nil, err
		}
		trees = append(trees, t)
	}
	arrived, anywhere, ordered, full := trees[0], trees[1], trees[2], trees[3]
	placed, err := b.place(layout.Partition)
	if err != nil {
		return nil, err
	}
	partition := named{"partition, newest first", latest(placed, b.users, l.Latest), between(placed, b.users, l.RangeFrom, l.RangeTo)}
	fills, err := l.fillsByPosts()
	if err != nil {
		return nil, err
	}

	var v values
	for i, name := range []string{"arrival", "random", "ordered", "full"} {
		t := trees[i]
		v.add(name+".rows_per_leaf", "rows", t.rowsPerLeaf(), 2)
		v.add(name+".fill", "%", 100*t.fill, 1)
		v.add(name+".splits_per_thousand", "splits", 1000*t.splitsPerRow(), 1)
		v.add(name+".pages_written_per_insert", "pages", t.writtenPerRow(), 3)
		v.add(name+".latest.data_pages", "pages", t.latest.mean(dataPages), 2)
		v.add(name+".latest.index_pages", "pages", t.latest.mean(indexPages), 2)
		v.add(name+".range.data_pages", "pages", t.between.mean(dataPages), 2)
	}
	v.add("random.posts", "posts", float64(anywhere.rows), 0)
	fewer := fmt.Sprintf("Inserts at random places are %s of %s; all else is %s of %s.",
		plural(anywhere.rows, "post"), plural(random.Workload.Entities(), "user"), plural(l.Posts, "post"), plural(l.Users, "user"))
	few, many := fills[0], fills[len(fills)-1]
	newest := "For the newest posts the empty halves are no loss: a user's last page was split as it filled, so it holds little but the newest posts, and"
	if arrived.latest.mean(dataPages) > partition.latest.mean(dataPages) {
		newest = "Part full pages are more pages for the same rows:"
	}
	r := &result.Result{
		Name:  "clustered-index",
		Title: "A clustered index: the same locality, in pages part full",
		Headline: fmt.Sprintf("With the rows themselves in (user, time) order in a B-tree, latest %s touches %s data pages, against %s in a partition; but posts that arrive in time order leave its pages %s full, where inserts at random places leave %s.",
			count(l.Latest), num(arrived.latest.mean(dataPages), 2), num(partition.latest.mean(dataPages), 2), percent(arrived.fill), percent(anywhere.fill)),
		Values: v,
		Findings: []string{
			fmt.Sprintf("Inserts at random places leave %s rows on a page for %s, %s of it, where theory has ln 2 for large pages and a little more for small ones. Posts do not come at random places: each goes to the end of its user's rows. A page that splits leaves a half of older posts behind that gets no row any more, so fill ends at %s.",
				num(anywhere.rowsPerLeaf(), 2), count(l.PerPage()), percent(anywhere.fill), percent(arrived.fill)),
			fmt.Sprintf("Where a user has more posts than a page holds rows it is lower: %s full with %s a user, %s with %s. Half is the limit of the plain split in the middle.",
				percent(few.fill), count(few.posts), percent(many.fill), count(many.posts)),
			fmt.Sprintf("%s %s of the reads stay on one page. For %s it is %s data pages against %s once the table is rebuilt in key order.",
				newest, percent(shareOf(arrived.latest.values(dataPages), 1)), rangeName(l.RangeFrom, l.RangeTo), num(arrived.between.mean(dataPages), 2), num(ordered.between.mean(dataPages), 2)),
			fmt.Sprintf("%s of 1,000 inserts split a page; a split makes two pages more dirty, so an insert writes %s pages, where a heap with an index writes 2 wherever the rows go. The pages are %s against %s of a full file.",
				num(1000*arrived.splitsPerRow(), 1), num(arrived.writtenPerRow(), 2), count(arrived.size.DataPages), count(full.size.DataPages)),
			fmt.Sprintf("Loaded in key order, pages keep a sixteenth free and hold %s rows; loaded full, they are the partition's %s pages exactly, read from the other end.",
				num(ordered.rowsPerLeaf(), 2), count(full.size.DataPages)),
		},
		Warnings: []result.Warning{{Text: "Only the plain split in the middle and the page begun at the tree's right edge are modelled. InnoDB cuts beside the insert where several rows came in order, and other engines fill a neighbour first: their fill differs by some percent."}},
	}
	n := int64(l.Latest)
	even := l.Even(0)
	expectedRows := theory.SplitRows(l.PerPage())
	orderedRows := max(1, int64(l.Page().Room())*15/16/int64(l.Page().Takes(l.RowBytes)))
	orderedEven := even
	orderedEven.PerPage = orderedRows
	checks, warnings := l.checkTable("clustered-index-check", []check{
		{"random inserts, latest, data pages", "pages", anywhere.latest.mean(dataPages), even.SplitPages(n, expectedRows)},
		{"loaded in key order, latest, data pages", "pages", ordered.latest.mean(dataPages), orderedEven.LatestPartitionPages(n)},
		{"loaded full, latest, data pages", "pages", full.latest.mean(dataPages), even.LatestPartitionPages(n)},
		{"loaded full, " + rangeName(l.RangeFrom, l.RangeTo) + ", rows", "rows", full.between.mean(rowsReturned), even.RangeRows(l.window(l.RangeFrom, l.RangeTo))},
	})
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"random inserts, rows a leaf", anywhere.rowsPerLeaf(), expectedRows},
		{"loaded in key order, rows a leaf", ordered.rowsPerLeaf(), float64(orderedRows)},
		{"loaded full, rows a leaf", full.rowsPerLeaf(), float64(l.PerPage())},
	} {
		checks.Rows = append(checks.Rows, []result.Cell{result.Text(c.name), result.Text("rows"), result.Number(c.got, 4), result.Number(c.want, 4), {}, {}})
	}
	r.Warnings = append(r.Warnings, warnings...)
	r.Tables = []result.Table{l.treeReads(trees, partition, fewer), treeShapes(trees, fewer), fillTable(fills), leafTable(arrived, anywhere), checks}
	r.Figures = []result.Figure{l.leafFigure(arrived, anywhere), fillFigure(fills)}
	return r, nil
}

// tree is a clustered index, its shape and its reads.
type tree struct {
	named
	layout.Growth
	size layout.Size
	rows int64
	fill float64 // rows a leaf, of those that it has room for
}

func (l *Lab) tree(name string, b *bench, k layout.Kind) (tree, error) {
	placed, err := k.Place(b.Input)
	if err != nil {
		return tree{}, err
	}
	t := tree{size: placed.Size(), rows: b.Census.Rows}
	t.Growth, _ = layout.Grown(placed)
	t.named = named{name, latest(placed, b.users, l.Latest), between(placed, b.users, l.RangeFrom, l.RangeTo)}
	t.fill = t.rowsPerLeaf() / float64(l.PerPage())
	return t, nil
}

func (t tree) rowsPerLeaf() float64   { return float64(t.rows) / float64(len(t.LeafRows)) }
func (t tree) splitsPerRow() float64  { return float64(t.Splits) / float64(t.rows) }
func (t tree) writtenPerRow() float64 { return float64(t.size.PagesWritten) / float64(t.rows) }

// randomPosts is a workload of a fifth of the users whose times say nothing about arrival, so that inserts come at random
// places of each user's rows.
func (l *Lab) randomPosts() (*bench, error) {
	w := l.Setting.posts(0)
	fifth := max(1, min(5, w.Users/l.Sample))
	w.Count, w.Users, w.Order = max(1, w.Count/int64(fifth)), w.Users/fifth, workload.AnyOrder
	return l.sampled(w)
}

// sampled is a bench of other posts than the lab's, with as many users asked as there are, at most the sample.
func (l *Lab) sampled(w *workload.Posts) (*bench, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	c, err := workload.Count(w, workload.Sample(w.Users, min(w.Users, l.Sample), l.Seed))
	if err != nil {
		return nil, err
	}
	return &bench{Input: l.input(w, c), users: c.Asked, kinds: map[string]func() (layout.Layout, error){}}, nil
}

// fillOf is how full inserts in time order leave the leaves when users have so many posts.
type fillOf struct {
	posts       int64
	fill        float64
	rowsPerLeaf float64
	splits      float64 // a row
}

// fillsByPosts inserts a tenth of the posts, written by ever fewer users.
func (l *Lab) fillsByPosts() ([]fillOf, error) {
	w := l.Setting.posts(0)
	w.Count = max(1, w.Count/10)
	var fills []fillOf
	for _, posts := range []int64{1, 3, 10, 30, 100, 300, 1000} {
		w := *w
		w.Users = int(max(1, w.Count/posts))
		b, err := l.sampled(&w)
		if err != nil {
			return nil, err
		}
		t, err := l.tree("", b, layout.Clustered)
		if err != nil {
			return nil, err
		}
		fills = append(fills, fillOf{posts, t.fill, t.rowsPerLeaf(), t.splitsPerRow()})
	}
	return fills, nil
}

func (l *Lab) treeReads(trees []tree, partition named, fewer string) result.Table {
	t := result.Table{
		Name:    "clustered-index-reads",
		Title:   "Pages a read",
		Columns: []result.Column{{Name: "read"}, {Name: "rows"}, {Name: "data pages"}, {Name: "index pages"}, {Name: "all pages"}, {Name: "rows examined"}},
		Caption: "Inner pages of the tree are index pages, leaves are data pages. A range decodes one row more, the one that ends it. " + fewer,
	}
	row := func(read, name string, r reads) {
		t.Rows = append(t.Rows, []result.Cell{
			result.Text(read), result.Text(name), result.Number(r.mean(dataPages), 2), result.Number(r.mean(indexPages), 2),
			result.Number(r.mean(totalPages), 2), result.Number(r.mean(rowsExamined), 2),
		})
	}
	all := []named{partition}
	for _, t := range trees {
		all = append(all, t.named)
	}
	for _, n := range all {
		row("latest "+count(l.Latest), n.name, n.latest)
	}
	for _, n := range all {
		row(rangeName(l.RangeFrom, l.RangeTo), n.name, n.between)
	}
	return t
}

func treeShapes(trees []tree, fewer string) result.Table {
	t := result.Table{
		Name:  "clustered-index-trees",
		Title: "What inserts make of the tree",
		Columns: []result.Column{{Name: "rows"}, {Name: "rows a leaf"}, {Name: "fill", Unit: "%"}, {Name: "leaves"}, {Name: "inner pages"}, {Name: "levels"},
			{Name: "splits", Unit: "per 1,000 inserts"}, {Name: "pages written an insert"}},
		Caption: "A page begun at the right edge counts as a split: it takes the same writes. " + fewer,
	}
	for _, tree := range trees {
		t.Rows = append(t.Rows, []result.Cell{
			result.Text(tree.name), result.Number(tree.rowsPerLeaf(), 2), result.Number(100*tree.fill, 1), result.Count(len(tree.LeafRows)),
			result.Count(tree.size.IndexPages), result.Count(tree.Levels), result.Number(1000*tree.splitsPerRow(), 1), result.Number(tree.writtenPerRow(), 3),
		})
	}
	return t
}

func fillTable(fills []fillOf) result.Table {
	t := result.Table{
		Name: "clustered-index-fill", Title: "Fill by posts a user, inserted in time order",
		Columns: []result.Column{{Name: "posts a user"}, {Name: "rows a leaf"}, {Name: "fill", Unit: "%"}, {Name: "splits", Unit: "per 1,000 inserts"}},
	}
	for _, f := range fills {
		t.Rows = append(t.Rows, []result.Cell{result.Count(f.posts), result.Number(f.rowsPerLeaf, 2), result.Number(100*f.fill, 1), result.Number(1000*f.splits, 1)})
	}
	return t
}

func fillFigure(fills []fillOf) result.Figure {
	f := result.Figure{
		Name: "clustered-index-fill", Kind: result.Lines,
		Title:   "Pages of users with long histories are emptier",
		Caption: "How full inserts in time order leave the leaves. The lines are ln 2, the limit of inserts at random places, and one half.",
		X:       result.Axis{Name: "posts a user", Log: true},
		Y:       result.Axis{Name: "fill", Unit: "%", Decimals: 1},
		Series:  []result.Series{{Name: "inserted in time order"}},
		Marks:   []result.Mark{{Axis: "y", At: 100 * math.Ln2, Label: "ln 2"}, {Axis: "y", At: 50, Label: "half"}},
		Table:   "clustered-index-fill",
	}
	for _, of := range fills {
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: float64(of.posts), Y: 100 * of.fill})
	}
	first, last := fills[0], fills[len(fills)-1]
	f.Alt = fmt.Sprintf("Leaves are %s full where users have %s each, and %s full where they have %s.", percent(first.fill), plural(first.posts, "post"), percent(last.fill), plural(last.posts, "post"))
	return f
}

// leafShares is the share of leaves with 0, 1, 2 ... rows.
func leafShares(t tree) []float64 {
	counts, _, most := usersBy(t.LeafRows)
	shares := make([]float64, most+1)
	for rows := range shares {
		shares[rows] = float64(counts[int64(rows)]) / float64(len(t.LeafRows))
	}
	return shares
}

func leafTable(arrived, anywhere tree) result.Table {
	t := result.Table{
		Name: "clustered-index-leaves", Title: "Leaves by the rows they hold",
		Columns: []result.Column{{Name: "rows"}, {Name: "inserted as they arrive", Unit: "% of leaves"}, {Name: "inserted at random places", Unit: "% of leaves"}},
	}
	a, r := leafShares(arrived), leafShares(anywhere)
	at := func(shares []float64, i int) float64 {
		if i < len(shares) {
			return 100 * shares[i]
		}
		return 0
	}
	for rows := 1; rows < max(len(a), len(r)); rows++ {
		if x, y := at(a, rows), at(r, rows); x+y > 0 {
			t.Rows = append(t.Rows, []result.Cell{result.Count(rows), result.Number(x, 2), result.Number(y, 2)})
		}
	}
	return t
}

func (l *Lab) leafFigure(arrived, anywhere tree) result.Figure {
	f := result.Figure{
		Name: "clustered-index-leaves", Kind: result.Lines,
		Title:   "How full the leaves are",
		Caption: fmt.Sprintf("Share of the leaves by the rows they hold, of at most %s.", count(l.PerPage())),
		X:       result.Axis{Name: "rows on the leaf"},
		Y:       result.Axis{Name: "leaves", Unit: "%", Decimals: 1},
		Series:  []result.Series{{Name: "inserted as they arrive"}, {Name: "inserted at random places"}},
		Table:   "clustered-index-leaves",
	}
	half := l.PerPage()/2 + 1
	atMostHalf := func(t tree) (share float64) {
		for rows, s := range leafShares(t) {
			if int64(rows) <= half {
				share += s
			}
		}
		return share
	}
	for i, t := range []tree{arrived, anywhere} {
		for rows, share := range leafShares(t) {
			if share > 0 {
				f.Series[i].Points = append(f.Series[i].Points, result.Point{X: float64(rows), Y: 100 * share})
			}
		}
	}
	f.Alt = fmt.Sprintf("Inserted as they arrive, rows leave %s of the leaves with at most %s; inserted at random places, %s.",
		percent(atMostHalf(arrived)), plural(half, "row"), percent(atMostHalf(anywhere)))
	return f
}
