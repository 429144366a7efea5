package experiment

import (
	"fmt"

	"pagetouch/pkg/layout"
	"pagetouch/pkg/page"
	"pagetouch/pkg/result"
	"pagetouch/pkg/workload"
)

var _ = register(Experiment{Name: "cluster-decay", Order: 13, Run: ClusterDecay})

// ClusterDecay sorts the heap once and reads the newest posts of the same users again and again, as posts go on coming at
// the same rate: how locality decays, and when sorting again pays.
func ClusterDecay(l *Lab) (*result.Result, error) {
	w := l.Setting.posts(0)
	w.Count, w.To = 2*w.Count, w.From+2*(w.To-w.From)
	b, err := l.sampled(w)
	if err != nil {
		return nil, err
	}
	placed, err := layout.ClusterOnce(100).Place(b.Input)
	if err != nil {
		return nil, err
	}
	posts, err := l.posts()
	if err != nil {
		return nil, err
	}
	heap, err := posts.place(layout.Arrival)
	if err != nil {
		return nil, err
	}
	partition, err := posts.place(layout.Partition)
	if err != nil {
		return nil, err
	}
	a, p := latest(heap, posts.users, l.Latest), latest(partition, posts.users, l.Latest)

	var decay []moment
	for _, added := range addedPercents {
		decay = append(decay, l.after(placed, b.users, added))
	}
	plans := sortingPlans(decay, l.Posts)
	fresh, all := decay[0], decay[len(decay)-1]
	tenth := decay[indexOf(addedPercents, 10)]
	saved := tenth.pages() - fresh.pages()

	var v values
	for _, added := range []float64{0, 1, 5, 10, 25, 50, 100} {
		m := decay[indexOf(addedPercents, added)]
		v.add(fmt.Sprintf("added_%g.data_pages", added), "pages", m.pages(), 2)
		v.add(fmt.Sprintf("added_%g.new_rows", added), "rows", m.newRows, 2)
	}
	v.add("arrival.data_pages", "pages", a.mean(dataPages), 2)
	v.add("partition.data_pages", "pages", p.mean(dataPages), 2)
	v.add("added_10.sort_cost", "pages", float64(tenth.sortCost), 0)
	pays := fmt.Sprintf("Sorting again at that point reads the heap and writes heap and index: %s pages.", count(tenth.sortCost))
	if saved > 0 {
		v.add("added_10.reads_until_it_pays", "reads", tenth.readsToPay(fresh), 0)
		pays += fmt.Sprintf(" It saves %s pages a read, so it pays after %s reads, %s for each user.",
			num(saved, 2), num(tenth.readsToPay(fresh), 0), num(tenth.readsToPay(fresh)/float64(l.Users), 2))
	} else {
		pays += " It saves no page: it never pays."
	}

	half := decay[len(decay)-1]
	for i := len(decay) - 1; i >= 0; i-- {
		if decay[i].pages() >= (a.mean(dataPages)+p.mean(dataPages))/2 {
			half = decay[i]
		}
	}
	r := &result.Result{
		Name:  "cluster-decay",
		Title: "CLUSTER once, then decay",
		Headline: fmt.Sprintf("Right after the sort latest %s touches %s data pages; with %s more posts it touches %s, and with as many again as were sorted %s: the newest posts are the ones that the sort has not seen.",
			count(l.Latest), num(fresh.pages(), 2), wholePercent(tenth.added), num(tenth.pages(), 2), num(all.pages(), 2)),
		Values: v,
		Findings: []string{
			fmt.Sprintf("Freshly sorted, the heap is the partition layout read through a fuller index: %s data pages, against %s there and %s in arrival order.",
				num(fresh.pages(), 2), num(p.mean(dataPages), 2), num(a.mean(dataPages), 2)),
			fmt.Sprintf("Locality decays by the age of what is asked for, not by the share of the table that is out of order: with %s more rows, %s of the newest %s are new, each on a page of its own. Halfway from the partition to arrival order it is at %s more rows.",
				wholePercent(tenth.added), num(tenth.newRows, 2), count(l.Latest), wholePercent(half.added)),
			pays,
			"How often to sort again follows from how often posts are read: " + plans.words() + ".",
		},
		Warnings: []result.Warning{{Text: "The sort's own temporary files, its lock on the table and the pages it evicts are not counted, nor that reads keep hot pages in memory. Posts are never deleted here, so later rows lie at the end; where VACUUM freed space, they lie there."}},
	}
	even := l.Even(0)
	var checked []check
	for _, added := range []float64{0, 1, 5, 10, 25, 50, 100} {
		m := decay[indexOf(addedPercents, added)]
		checked = append(checked, check{wholePercent(added) + " added, data pages", "pages", m.pages(), even.LatestDecayedPages(int64(l.Latest), added/100)})
	}
	checks, warnings := l.checkTable("cluster-decay-check", checked)
	r.Warnings = append(r.Warnings, warnings...)
	r.Tables = []result.Table{l.decayTable(decay), plans.table(), checks}
	r.Figures = []result.Figure{l.decayFigure(decay, a.mean(dataPages), p.mean(dataPages)), plans.figure(decay)}
	return r, nil
}

// addedPercents is how many rows came after the sort, in percent of the sorted rows, when the newest posts are read.
var addedPercents = []float64{0, .1, .2, .5, 1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 75, 100}

// moment is the reads of all users when so many rows came after the sort.
type moment struct {
	added    float64 // percent of the sorted rows
	reads    reads
	newRows  float64 // of the rows returned, those that came after the sort; mean of a read
	sortCost int64   // pages that sorting now reads and writes
}

func (m moment) pages() float64 { return m.reads.mean(dataPages) }

// readsToPay is how many reads after a sort at this moment have saved what it cost, where a read touches fewer pages then.
func (m moment) readsToPay(fresh moment) float64 {
	return float64(m.sortCost) / (m.pages() - fresh.pages())
}

// after reads the newest posts when so many percent of the sorted rows have been added.
func (l *Lab) after(placed layout.Layout, users []workload.Entity, added float64) moment {
	now := l.To + int64(float64(l.To-l.From)*added/100)
	then, sorted := make([]workload.Entity, len(users)), 0
	for i := range users {
		then[i] = users[i].Until(now)
		rows := then[i].Rows()
		for r := max(0, rows-l.Latest); r < rows; r++ {
			if then[i].Position[r] < l.Posts {
				sorted++
			}
		}
	}
	m := moment{added: added, reads: latest(placed, then, l.Latest)}
	m.newRows = float64(m.reads.sum(rowsReturned)-int64(sorted)) / float64(len(users))
	rows := l.Posts + int64(float64(l.Posts)*added/100)
	fanout := l.Page().Fanout(l.EntryBytes)
	m.sortCost = 2*page.NewEven(l.Page(), l.RowBytes).Pages(rows) + page.Tree{Entries: rows, Leaf: fanout, Inner: fanout}.Pages()
	return m
}

func (l *Lab) decayTable(decay []moment) result.Table {
	t := result.Table{
		Name:  "cluster-decay",
		Title: fmt.Sprintf("Latest %s, as rows arrive after the sort", count(l.Latest)),
		Columns: []result.Column{{Name: "added", Unit: "% of the sorted rows"}, {Name: "data pages"}, {Name: "new rows among those returned"}, {Name: "times as many pages as fresh"},
			{Name: "sorting again costs", Unit: "pages"}, {Name: "pays after", Unit: "reads"}},
		Caption: "Sorting again reads every heap page and writes every heap and index page.",
	}
	for _, m := range decay {
		row := []result.Cell{result.Number(m.added, 1), result.Number(m.pages(), 2), result.Number(m.newRows, 2), result.Number(m.pages()/decay[0].pages(), 1), result.Count(m.sortCost), {}}
		if m.pages() > decay[0].pages() {
			row[5] = result.Number(m.readsToPay(decay[0]), 0)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (l *Lab) decayFigure(decay []moment, arrival, partition float64) result.Figure {
	f := result.Figure{
		Name: "cluster-decay", Kind: result.Lines,
		Title:   fmt.Sprintf("Data pages of latest %s after one sort", count(l.Latest)),
		Caption: "The lines are arrival order, which never was sorted, and the partition, which always is.",
		X:       result.Axis{Name: "rows added since the sort", Unit: "% of the sorted rows", Decimals: 1},
		Y:       result.Axis{Name: "data pages a read", Unit: "pages", Decimals: 2},
		Series:  []result.Series{{Name: "sorted once"}, {Name: "of these, new rows"}},
		Marks:   []result.Mark{{Axis: "y", At: arrival, Label: "arrival order"}, {Axis: "y", At: partition, Label: "partition"}},
		Table:   "cluster-decay",
	}
	for _, m := range decay {
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: m.added, Y: m.pages()})
		f.Series[1].Points = append(f.Series[1].Points, result.Point{X: m.added, Y: m.newRows})
	}
	tenth := decay[indexOf(addedPercents, 10)]
	f.Alt = fmt.Sprintf("Data pages a read: %s right after the sort, %s with %s more rows, %s with %s.", num(decay[0].pages(), 2),
		num(tenth.pages(), 2), wholePercent(tenth.added), num(decay[len(decay)-1].pages(), 2), wholePercent(decay[len(decay)-1].added))
	return f
}

// plan is what sorting again at every interval costs when posts are read so often, in pages for each new post: the sort
// itself and what reads touch beyond those of a freshly sorted heap.
type plan struct {
	reads float64   // of latest n, for each new post
	costs []float64 // by interval: addedPercents but the first
	best  int
}

type plansByReads struct {
	plans []plan
	posts int64
}

// sortingPlans sums what reads touch between two sorts by the trapezoids under the curve of decay.
func sortingPlans(decay []moment, posts int64) plansByReads {
	all := plansByReads{posts: posts}
	for _, reads := range []float64{0.1, 1, 10, 100} {
		p, area := plan{reads: reads}, 0.0
		for i, m := range decay[1:] {
			extra := (m.pages()+decay[i].pages())/2 - decay[0].pages()
			area += float64((m.added - decay[i].added) / 100 * extra)
			rows := m.added / 100 * float64(posts)
			p.costs = append(p.costs, float64(m.sortCost)/rows+float64(reads*area)/(m.added/100))
			if p.costs[i] < p.costs[p.best] {
				p.best = i
			}
		}
		all.plans = append(all.plans, p)
	}
	return all
}

func (a plansByReads) words() string {
	words := ""
	for i, p := range a.plans {
		if i > 0 {
			words += ", "
		}
		words += fmt.Sprintf("every %s more rows", wholePercent(addedPercents[p.best+1]))
		switch p.best {
		case 0:
			words += " or sooner"
		case len(p.costs) - 1:
			words += " or later"
		}
		words += " at " + plural1(p.reads, "read") + " for each new post"
	}
	return words
}

// wholePercent prints percents that are whole, or less than one: "10 %", "0.5 %".
func wholePercent(x float64) string {
	if x > 0 && x < 1 {
		return num(x, 1) + " %"
	}
	return num(x, 0) + " %"
}

// plural1 prints a number that may be a fraction with its noun.
func plural1(x float64, noun string) string {
	if x == 1 {
		return "1 " + noun
	}
	if x < 1 {
		return num(x, 1) + " " + noun + "s"
	}
	return num(x, 0) + " " + noun + "s"
}

func (a plansByReads) table() result.Table {
	t := result.Table{
		Name:    "cluster-decay-plans",
		Title:   "Pages for each new post, by how often the heap is sorted again",
		Columns: []result.Column{{Name: "sorted again every", Unit: "% of the rows"}},
		Caption: "The sort's pages and what reads touch beyond a freshly sorted heap, divided by the posts written between two sorts.",
	}
	for _, p := range a.plans {
		t.Columns = append(t.Columns, result.Column{Name: plural1(p.reads, "read") + " a new post", Unit: "pages"})
	}
	for i, added := range addedPercents[1:] {
		row := []result.Cell{result.Number(added, 1)}
		for _, p := range a.plans {
			row = append(row, result.Number(p.costs[i], 2))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (a plansByReads) figure(decay []moment) result.Figure {
	f := result.Figure{
		Name: "cluster-decay-plans", Kind: result.Lines,
		Title:   "How often to sort again",
		Caption: "Pages for each new post: sorting more often costs more sorts, more seldom costs each read more. The lowest point of a curve is its best interval.",
		X:       result.Axis{Name: "sorted again every", Unit: "% of the rows", Log: true, Decimals: 1},
		Y:       result.Axis{Name: "pages a new post", Unit: "pages", Log: true, Decimals: 1},
		Table:   "cluster-decay-plans",
	}
	f.Alt = "How often sorting again costs least, by how often posts are read."
	for _, p := range a.plans {
		s := result.Series{Name: plural1(p.reads, "read") + " a new post"}
		for i, cost := range p.costs {
			s.Points = append(s.Points, result.Point{X: decay[i+1].added, Y: cost})
		}
		f.Series = append(f.Series, s)
		f.Alt += fmt.Sprintf(" With %s a new post: every %s more rows, at %s pages a new post.", plural1(p.reads, "read"), wholePercent(decay[p.best+1].added), num(p.costs[p.best], 1))
	}
	return f
}
