package experiment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/workload"
)

var _ = register(Experiment{Name: "all-layouts", Order: 10, Run: AllLayouts})

// AllLayouts sets every registered layout side by side: the same rows, the same queries, what is stored and written.
func AllLayouts(l *Lab) (*result.Result, error) {
	questions, b, err := l.questions()
	if err != nil {
		return nil, err
	}
	all, err := survey(b, questions)
	if err != nil {
		return nil, err
	}
	marks := l.marks(questions, all)

	var v values
	for _, s := range all {
		v.add(s.Name+".latest.pages", "pages", s.answers[0].mean(totalPages), 2)
		v.add(s.Name+".range.pages", "pages", s.answers[1].mean(totalPages), 2)
	}
	v.add("layouts", "layouts", float64(len(all)), 0)
	v.add("quiet.posts", "posts", quietPosts, 0)
	v.add("quiet.users", "users", float64(len(questions[2].users)), 0)
	r := &result.Result{
		Name:     "all-layouts",
		Title:    "Which layout for which query",
		Headline: headlineOf(marks, all),
		Values:   v,
		Tables:   []result.Table{l.surveyTable(questions, all), choiceTable(marks, all), surveyReads(questions, all)},
		Figures:  []result.Figure{surveyFigure(questions[0].name, all), choiceFigure(marks, all)},
		Findings: choices(marks, all),
	}
	return r, nil
}

// question is one read, made for each of some users.
type question struct {
	name  string
	users []workload.Entity
	ask   func(layout.Layout, []workload.Entity) reads
}

// questions are the reads that layouts are compared by, and their rows: the lesson's posts with the big account mixed in,
// and as many users who hardly ever post as are sampled.
func (l *Lab) questions() ([]question, *bench, error) {
	if err := l.Validate(); err != nil {
		return nil, nil, err
	}
	w := l.Setting.posts(l.Account)
	weights := make([]float64, l.Users+l.Sample)
	for i := range weights {
		weights[i] = 1
		if i >= l.Users {
			weights[i] = quietPosts * float64(l.Users) / float64(l.Posts)
		}
	}
	var err error
	if w.Weights, err = workload.NewAlias(weights); err != nil {
		return nil, nil, err
	}
	w.Count, w.Users = l.Posts+int64(quietPosts*l.Sample), len(weights)
	if err := w.Validate(); err != nil {
		return nil, nil, err
	}
	asked := workload.Sample(l.Users, l.Sample, l.Seed)
	for quiet := l.Users; quiet <= w.Users; quiet++ { // and the account, which is the last
		asked = append(asked, quiet)
	}
	c, err := workload.Count(w, asked)
	if err != nil {
		return nil, nil, err
	}
	users, quiet, account := c.Asked[:l.Sample], c.Asked[l.Sample:2*l.Sample], c.Asked[2*l.Sample:]
	newest := func(at layout.Layout, users []workload.Entity) reads { return latest(at, users, l.Latest) }
	n := "latest " + count(l.Latest)
	return []question{
		{n + ", average user", users, newest},
		{rangeName(l.RangeFrom, l.RangeTo) + ", average user", users, func(at layout.Layout, users []workload.Entity) reads {
			return between(at, users, l.RangeFrom, l.RangeTo)
		}},
		{n + ", quiet user", quiet, newest},
		{n + ", big account", account, newest},
	}, &bench{Input: l.input(w, c), users: users}, nil
}

// surveyed is one layout: its reads, a question each, and its size.
type surveyed struct {
	layout.Kind
	answers []reads
	size    layout.Size
}

// survey places one layout after another, asks it, and lets it go: several at once, beside what other experiments keep,
// would take too much memory. They come in the order of the pages that the first question takes.
func survey(b *bench, questions []question) ([]surveyed, error) {
	var all []surveyed
	for _, k := range layout.All() {
		placed, err := k.Place(b.Input)
		if err != nil {
			return nil, fmt.Errorf("layout %s: %w", k.Name, err)
		}
		s := surveyed{Kind: k, size: placed.Size()}
		for _, q := range questions {
			s.answers = append(s.answers, q.ask(placed, q.users))
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b surveyed) int { return int(a.answers[0].sum(totalPages) - b.answers[0].sum(totalPages)) })
	return all, nil
}

// mark is one count that layouts are held against each other by; less is better.
type mark struct {
	name, unit string
	note       string // what to know of it
	decimals   int
	of         []float64 // a layout each; 0: it does not count this
	least      float64
	best       []int // the layouts that have the least; the one that is best elsewhere comes first
	bound      bool  // a size to stay below and no price: twice as much does not cost twice
}

// times is how many times the least a layout takes.
func (m *mark) times(i int) float64 {
	if m.of[i] == 0 {
		return 1
	}
	return m.of[i] / m.least
}

func (m *mark) print(x float64) string {
	if x == 1 && m.decimals == 0 {
		return plural(1, strings.TrimSuffix(m.unit, "s"))
	}
	return num(x, m.decimals) + " " + m.unit
}

// marks are the pages of each question, and then what is stored, written and never split.
func (l *Lab) marks(questions []question, all []surveyed) []mark {
	var marks []mark
	add := func(name, unit string, decimals int, of func(s *surveyed) float64) {
		m := mark{name: name, unit: unit, decimals: decimals}
		for i := range all {
			m.of = append(m.of, of(&all[i]))
		}
		for _, x := range m.of {
			if x > 0 && (m.least == 0 || x < m.least) {
				m.least = x
			}
		}
		if m.least == 0 {
			return
		}
		for i, x := range m.of {
			if x == m.least {
				m.best = append(m.best, i)
			}
		}
		marks = append(marks, m)
	}
	for q, question := range questions {
		add(question.name, "pages", 2, func(s *surveyed) float64 { return s.answers[q].mean(totalPages) })
	}
	add("bytes stored", "MB", 1, func(s *surveyed) float64 { return l.stored(s.size) / 1e6 })
	add(inserts, "pages", 3, func(s *surveyed) float64 { return l.written(s) })

	add("largest partition", "rows", 0, func(s *surveyed) float64 { return float64(s.size.Largest.Rows) })
	marks[len(marks)-1].bound = true
	for i := range marks {
		if marks[i].name == inserts {
			marks[i].note = " A sorted file counts as written once."
		}
		slices.SortStableFunc(marks[i].best, func(a, b int) int {
			return cmp.Compare(marks[costsMost(marks, a)].times(a), marks[costsMost(marks, b)].times(b))
		})
	}
	return marks
}

// stored is the bytes of a layout's pages.
func (l *Lab) stored(s layout.Size) float64 {
	return float64(s.DataPages+s.IndexPages) * float64(l.PageBytes)
}

// written is how many pages an insert dirties, on average over all of them.
func (l *Lab) written(s *surveyed) float64 {
	rows := l.Posts + int64(quietPosts*l.Sample) + l.Account
	return float64(s.size.PagesWritten) / float64(rows)
}

// inserts is the name of the mark that writtenOnce belongs to.
const inserts = "pages written by an insert"

// writtenOnce stands beside every count of pages written.
const writtenOnce = "Pages written count a sorted file as written once, whole: a store that flushes its rows and merges them later writes them at least twice."

func (l *Lab) surveyTable(questions []question, all []surveyed) result.Table {
	t := result.Table{
		Name:    "all-layouts",
		Title:   "Every layout, the same rows, the same queries",
		Caption: "Pages are data and index pages, mean of a read. " + writtenOnce,
		Columns: []result.Column{{Name: "layout"}},
	}
	for _, q := range questions {
		t.Columns = append(t.Columns, result.Column{Name: q.name, Unit: "pages"})
	}
	t.Columns = append(t.Columns, result.Column{Name: "data pages stored"}, result.Column{Name: "index pages stored"}, result.Column{Name: "rows and copies", Unit: "MB"},
		result.Column{Name: "pages written an insert"}, result.Column{Name: "partitions"}, result.Column{Name: "largest partition", Unit: "rows"})
	for _, s := range all {
		row := []result.Cell{result.Text(s.Title)}
		for _, a := range s.answers {
			row = append(row, result.Number(a.mean(totalPages), 2))
		}
		t.Rows = append(t.Rows, append(row, result.Count(s.size.DataPages), result.Count(s.size.IndexPages), result.Number(float64(s.size.RowBytes)/1e6, 1),
			result.Number(l.written(&s), 3), result.Count(s.size.Partitions), result.Count(s.size.Largest.Rows)))
	}
	return t
}

func surveyReads(questions []question, all []surveyed) result.Table {
	t := result.Table{
		Name:    "all-layouts-reads",
		Title:   "What each read touched",
		Caption: "Mean of a read.",
		Columns: []result.Column{{Name: "query"}, {Name: "layout"}, {Name: "data pages"}, {Name: "index pages"}, {Name: "partitions"}, {Name: "of them empty"},
			{Name: "entries examined"}, {Name: "rows examined"}, {Name: "rows returned"}},
	}
	for q, question := range questions {
		for _, s := range all {
			row := []result.Cell{result.Text(question.name), result.Text(s.Title)}
			for _, c := range []func(layout.Touch) int{dataPages, indexPages, partitions, emptyPartitions, entriesExamined, rowsExamined, rowsReturned} {
				row = append(row, result.Number(s.answers[q].mean(c), 2))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func choiceTable(marks []mark, all []surveyed) result.Table {
	t := result.Table{
		Name:    "all-layouts-choice",
		Title:   "The least of each, and what it costs elsewhere",
		Caption: "The largest partition is a bound and not a price: it is left out of what a layout costs. " + writtenOnce,
		Columns: []result.Column{{Name: "least"}, {Name: "layout"}, {Name: "amount"}, {Name: "unit"}, {Name: "costs most at"}, {Name: "times the least there"}},
	}
	for i := range marks {
		m := &marks[i]
		worst := costsMost(marks, m.best[0])
		t.Rows = append(t.Rows, []result.Cell{result.Text(m.name), result.Text(names(all, m.best)), result.Number(m.least, m.decimals), result.Text(m.unit),
			result.Text(marks[worst].name), result.Number(marks[worst].times(m.best[0]), 1)})
	}
	return t
}

// costsMost is the mark by which a layout is furthest from the least, bounds apart.
func costsMost(marks []mark, of int) int {
	worst := 0
	for i := range marks {
		if !marks[i].bound && marks[i].times(of) > marks[worst].times(of) {
			worst = i
		}
	}
	return worst
}

// names lists layouts: A, “A” and “B”, “A”, “B” and 3 more.
func names(all []surveyed, which []int) string {
	if len(which) == 1 {
		return all[which[0]].Title
	}
	var titles []string
	for _, i := range which { // with commas of their own
		titles = append(titles, quoted(all[i].Title))
	}
	n := len(titles)
	if n > 3 {
		return strings.Join(titles[:2], ", ") + " and " + count(n-2) + " more"
	}
	return strings.Join(titles[:n-1], ", ") + " and " + titles[n-1]
}

func headlineOf(marks []mark, all []surveyed) string {
	everywhere := all[0]
	most := 0
	for i := range all {
		best := 0
		for m := range marks {
			if marks[m].of[i] == marks[m].least {
				best++
			}
		}
		if best > most {
			most, everywhere = best, all[i]
		}
	}
	words := fmt.Sprintf("No layout is best at everything: of %s comparisons among %s layouts, the one that wins most often, %s, wins %s.",
		count(len(marks)), count(len(all)), everywhere.Title, count(most))
	if most == len(marks) {
		words = fmt.Sprintf("Of %s layouts one is best at everything: %s.", count(len(all)), everywhere.Title)
	}
	latest := marks[0]
	return words + fmt.Sprintf(" For %s the fewest pages are %s (%s), the most %s.", latest.name, num(latest.least, 2), names(all, latest.best), num(slices.Max(latest.of), 2))
}

// choices says for each mark which layout to take and what it costs, and which layout is never far from the best.
func choices(marks []mark, all []surveyed) []string {
	var out []string
	for i := range marks {
		m := &marks[i]
		worst := &marks[costsMost(marks, m.best[0])]
		verb, its := "has", "Its"
		if len(m.best) > 1 {
			verb, its = "have", "The first one's"
		}
		words := fmt.Sprintf("%s: %s %s the least, %s.", upper(m.name), names(all, m.best), verb, m.print(m.least))
		if len(m.best) == len(all) {
			words = fmt.Sprintf("%s: all layouts are alike, %s.", upper(m.name), m.print(m.least))
		} else if x := worst.times(m.best[0]); x > 1 {
			words += fmt.Sprintf(" %s price is %s: %s, %s the least there.", its, worst.name, worst.print(worst.of[m.best[0]]), times(x))
		}
		if bound := &marks[len(marks)-1]; bound != m {
			words += fmt.Sprintf(" %s %s is %s.", its, bound.name, bound.print(bound.of[m.best[0]]))
		}
		out = append(out, words+m.note)
	}
	safe, farthest := 0, 0.0
	for i := range all {
		if x := marks[costsMost(marks, i)].times(i); i == 0 || x < farthest {
			safe, farthest = i, x
		}
	}
	at, bound := &marks[costsMost(marks, safe)], &marks[len(marks)-1]
	return append(out, fmt.Sprintf("The largest partition aside, the layout that is never far from the best is %s: at its worst, %s, it takes %s the least. Its %s is %s.",
		all[safe].Title, at.name, times(farthest), bound.name, bound.print(bound.of[safe])))
}

// quoted sets a layout's title off from the words around it.
func quoted(title string) string { return "“" + title + "”" }

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func surveyFigure(name string, all []surveyed) result.Figure {
	first, last := all[0], all[len(all)-1]
	f := result.Figure{
		Name: "all-layouts-latest", Kind: result.HBars,
		Title:   "Pages touched: " + name,
		Caption: "Mean pages a read, from cold: data pages and, stacked on them, index pages.",
		Alt: fmt.Sprintf("Of %s the fewest pages are touched in %s, %s, and the most in %s, %s.", plural(len(all), "layout"),
			quoted(first.Title), num(first.answers[0].mean(totalPages), 2), quoted(last.Title), num(last.answers[0].mean(totalPages), 2)),
		X:      result.Axis{Name: "layout"},
		Y:      result.Axis{Name: "pages a read", Unit: "pages", Decimals: 2},
		Series: []result.Series{{Name: "data pages", Stack: "pages"}, {Name: "index pages", Stack: "pages"}},
		Table:  "all-layouts-reads",
	}
	if last.answers[0].mean(totalPages) > 50*first.answers[0].mean(totalPages) { // on one scale the short bars would vanish
		f.Y.Log = true
		f.Caption = "Mean pages a read, from cold, on a logarithmic axis."
		f.Series = []result.Series{{Name: "data pages", Labels: true}, {Name: "index pages", Labels: true}}
	}
	for i, s := range all {
		f.X.Categories = append(f.X.Categories, s.Title)
		for j, c := range []func(layout.Touch) int{dataPages, indexPages} {
			if y := s.answers[0].mean(c); y > 0 || !f.Y.Log {
				f.Series[j].Points = append(f.Series[j].Points, result.Point{X: float64(i), Y: y})
			}
		}
	}
	return f
}

// choiceFigure colours each layout by how near it comes to the least of each mark: a share, so that one layout a thousand
// times as costly as the others does not take the colour from all of them.
func choiceFigure(marks []mark, all []surveyed) result.Figure {
	f := result.Figure{
		Name: "all-layouts-choice", Kind: result.Heat,
		Title:   "How near each layout comes to the best, in percent",
		Caption: "The least that any layout takes, as a percentage of what this one takes: 100 is the best there is, 50 twice as much. " + writtenOnce,
		Series:  []result.Series{{Name: "% of the best", Labels: true}},
		Table:   "all-layouts",
	}
	f.Alt = fmt.Sprintf("How near %s come to the best of them by %s. The best", plural(len(all), "layout"), plural(len(marks), "measure"))
	for m := range marks {
		f.X.Categories = append(f.X.Categories, marks[m].name)
		for i := range all {
			if marks[m].of[i] > 0 {
				f.Series[0].Points = append(f.Series[0].Points, result.Point{X: float64(m), Y: float64(i), Z: 100 / marks[m].times(i)})
			}
		}
		end := ";"
		if m == len(marks)-1 {
			end = "."
		}
		f.Alt += fmt.Sprintf(" for %s: %s%s", marks[m].name, names(all, marks[m].best), end)
	}
	for _, s := range all {
		f.Y.Categories = append(f.Y.Categories, s.Title)
	}
	return f
}
