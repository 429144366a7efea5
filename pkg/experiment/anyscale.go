package experiment

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/theory"
	"pagetouch/pkg/workload"
)

var _ = register(Experiment{Name: "any-scale", Order: 42, Run: AnyScale})

// AnyScale executes the lesson's reads on sampled rows of up to 10^12, and changes one parameter after another: where the
// lesson's figures come from, and where they stop being true.
func AnyScale(l *Lab) (*result.Result, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	d := &draws{}
	here, err := d.scale(l.Setting, 0)
	if err != nil {
		return nil, err
	}
	latest, err := l.byLatest(d)
	if err != nil {
		return nil, err
	}
	pageBytes, err := l.byPageBytes(d)
	if err != nil {
		return nil, err
	}
	rowBytes, err := l.byRowBytes(d)
	if err != nil {
		return nil, err
	}
	users, err := l.byUsers(d)
	if err != nil {
		return nil, err
	}
	last := users[len(users)-1]
	var v values
	v.add("most_rows", "rows", float64(last.Posts), 0)
	v.add("most_users", "users", float64(last.Users), 0)
	v.add("most.heap.data_pages", "pages", last.a.mean(dataPages), 2)
	v.add("most.heap.index_pages", "pages", last.a.mean(indexPages), 2)
	v.add("most.partition.data_pages", "pages", last.b.mean(dataPages), 2)
	v.add("most.partition.index_pages", "pages", last.b.mean(indexPages), 2)
	v.add("rows_a_user", "rows", float64(l.Posts)/float64(l.Users), 0)

	r := &result.Result{
		Name:  "any-scale",
		Title: "At any scale",
		Headline: fmt.Sprintf("With %s rows of %s users latest %s touches %s data pages in arrival order and %s in the partition; with %s rows of %s it touches %s and %s. What grows with the rows is the index: %s pages a read against %s, and %s against %s.",
			count(last.Posts), count(last.Users), count(l.Latest), num(last.a.mean(dataPages), 2), num(last.b.mean(dataPages), 2),
			count(l.Posts), count(l.Users), num(here.a.mean(dataPages), 2), num(here.b.mean(dataPages), 2),
			num(last.a.mean(indexPages), 2), num(here.a.mean(indexPages), 2), num(last.b.mean(indexPages), 2), num(here.b.mean(indexPages), 2)),
		Values: v,
		Tables: []result.Table{
			scaleTable("any-scale-users", "As many posts a user, more and more users", "users", true, users),
			scaleTable("any-scale-latest", "The newest one to many", "latest", false, latest),
			scaleTable("any-scale-rows", "Rows of any size", "row bytes", false, rowBytes),
			scaleTable("any-scale-pages", "Pages of any size", "page bytes", false, pageBytes),
		},
		Figures: []result.Figure{
			scaleFigure("any-scale-users", "Pages by how many users there are", result.Axis{Name: "users", Log: true}, users, true, func(s *scaled) string { return "With " + plural(s.Users, "user") },
				"Each user has as many posts as in the lesson, so rows grow with users. Data pages level off where users are many more than a page has rows; index pages go up a step at each new level."),
			scaleFigure("any-scale-latest", "Data pages by how many posts are asked for", result.Axis{Name: "latest n", Unit: "posts", Log: true}, latest, false, func(s *scaled) string { return "The newest " + plural(s.Latest, "post") },
				"Arrival order takes a page for each. The partition takes one and a further one each time a page is full. Both end where users have no more posts."),
			scaleFigure("any-scale-rows", "Data pages by rows a page", result.Axis{Name: "rows a page", Unit: "rows", Log: true}, rowBytes, false, func(s *scaled) string { return "With " + plural(s.PerPage(), "row") + " a page" },
				"Rows of one size after another. The partition's advantage grows with the rows that a page holds, towards the number asked for."),
			scaleFigure("any-scale-pages", "Data pages by the size of a page", result.Axis{Name: "page", Unit: "bytes", Log: true}, pageBytes, false, func(s *scaled) string { return "In pages of " + plural(s.PageBytes, "byte") },
				"Larger pages help the partition at once, arrival order only when a page holds about as many rows as there are users."),
		},
	}
	r.Findings = append(r.Findings,
		l.fewUsers(users), levels(users), l.fewRows(rowBytes), l.largePages(here, pageBytes), agreement(users, latest, rowBytes, pageBytes))
	big := &Lab{Setting: last.Setting}
	even, w := big.Even(0), big.window(l.RangeFrom, l.RangeTo)
	n := int64(l.Latest)
	checks, warnings := big.checkTable("any-scale-check", []check{
		{"A, latest, data pages", "pages", last.a.mean(dataPages), even.LatestArrivalPages(n)},
		{"A, latest, index pages", "pages", last.a.mean(indexPages), even.LatestIndexPages(n)},
		{"B, latest, data pages", "pages", last.b.mean(dataPages), even.LatestPartitionPages(n)},
		{"B, latest, index pages", "pages", last.b.mean(indexPages), even.PartitionIndexPages()},
		{"rows in the range", "rows", last.rangeA.mean(rowsReturned), even.RangeRows(w)},
		{"A, range, data pages", "pages", last.rangeA.mean(dataPages), even.RangeArrivalPages(w)},
		{"B, range, data pages", "pages", last.rangeB.mean(dataPages), even.RangePartitionPages(w)},
		{"B, range, rows examined", "rows", last.rangeB.mean(rowsExamined), even.RangePartitionExamined(w)},
	})
	checks.Title = fmt.Sprintf("Simulated and expected, %s rows", count(last.Posts))
	r.Tables, r.Warnings = append(r.Tables, checks), append(r.Warnings, warnings...)
	return r, nil
}

// scaled is the lesson's reads in one setting, on sampled rows.
type scaled struct {
	Setting
	x                    float64 // where it stands in its figure
	a, b, rangeA, rangeB reads
}

// Sampled rows are kept; more than so many of one setting are not drawn, but fewer users asked.
const mostSampled = 200_000

// draws keeps the sampled rows that were drawn last: settings that differ only in what is read, or in the size of a page,
// have the same rows.
type draws struct {
	of     Setting
	census *workload.Census
}

func (d *draws) sample(s Setting) (*workload.Census, error) {
	if d.census != nil && d.of.Posts == s.Posts && d.of.Users == s.Users && d.of.RowBytes == s.RowBytes && d.of.Sample == s.Sample {
		return d.census, nil
	}
	c, err := workload.Count(s.sampled(), workload.Sample(s.Users, s.Sample, s.Seed))
	if err != nil {
		return nil, err
	}
	d.of, d.census = s, c
	return c, nil
}

func (s Setting) sampled() *workload.Sampled {
	return &workload.Sampled{Count: s.Posts, Users: s.Users, From: s.From, To: s.To, Bytes: s.RowBytes, Seed: s.Seed}
}

// scale draws a setting's sampled rows and reads them.
func (d *draws) scale(s Setting, x float64) (scaled, error) {
	s.Sample = int(max(1, min(int64(s.Sample), int64(s.Users), mostSampled/max(1, s.Posts/int64(s.Users)))))
	c, err := d.sample(s)
	if err != nil {
		return scaled{}, err
	}
	heap, err := layout.Arrival.Place(s.input(s.sampled(), c))
	if err != nil {
		return scaled{}, err
	}
	partition, err := layout.Partition.Place(s.input(s.sampled(), c))
	if err != nil {
		return scaled{}, err
	}
	return scaled{s, x, latest(heap, c.Asked, s.Latest), latest(partition, c.Asked, s.Latest),
		between(heap, c.Asked, s.RangeFrom, s.RangeTo), between(partition, c.Asked, s.RangeFrom, s.RangeTo)}, nil
}

// even is the setting as closed forms see it.
func (s *scaled) even() theory.Even { return (&Lab{Setting: s.Setting}).Even(0) }

// byUsers keeps the posts of a user and has ever more users, until the rows are 10^12.
func (l *Lab) byUsers(d *draws) (all []scaled, err error) {
	each := max(1, l.Posts/int64(l.Users))
	for decade := int64(1); decade*each <= 1_000_000_000_000; decade *= 10 {
		for _, users := range []int64{decade, 2 * decade, 5 * decade} {
			if users == 1 || users > decade && decade >= 1000 {
				continue // with many users nothing changes between decades
			}
			s := l.Setting
			s.Users, s.Posts = int(users), users*each
			at, err := d.scale(s, float64(users))
			if err != nil {
				return nil, err
			}
			all = append(all, at)
		}
	}
	return all, nil
}

func (l *Lab) byLatest(d *draws) ([]scaled, error) {
	return l.vary(d, []int{l.Latest, 1, 2, 5, 10, 20, 50, 100, 200}, func(s *Setting, n int) float64 {
		s.Latest = n
		return float64(n)
	})
}

func (l *Lab) byRowBytes(d *draws) ([]scaled, error) {
	return l.vary(d, []int{l.RowBytes, 10, 20, 50, 100, 200, 512, 1024, 2048, 4096, 8192}, func(s *Setting, n int) float64 {
		s.RowBytes = n
		return float64(s.PerPage())
	})
}

func (l *Lab) byPageBytes(d *draws) ([]scaled, error) {
	return l.vary(d, []int{l.PageBytes, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 18, 1 << 20, 1 << 22}, func(s *Setting, n int) float64 {
		s.PageBytes = n
		return float64(n)
	})
}

// vary changes one parameter of the setting, its own value among others; settings that make no sense, such as rows larger
// than a page, are left out.
func (l *Lab) vary(d *draws, values []int, change func(s *Setting, value int) (x float64)) (all []scaled, err error) {
	slices.Sort(values)
	for _, value := range slices.Compact(values) {
		s := l.Setting
		x := change(&s, value)
		if s.Validate() != nil {
			continue
		}
		at, err := d.scale(s, x)
		if err != nil {
			return nil, err
		}
		all = append(all, at)
	}
	slices.SortStableFunc(all, func(a, b scaled) int { return cmp.Compare(a.x, b.x) })
	return all, nil
}

func scaleTable(name, title, of string, rows bool, all []scaled) result.Table {
	t := result.Table{
		Name: name, Title: title,
		Caption: "Mean of a read, and beside it the closed form.",
		Columns: []result.Column{{Name: of}, {Name: "rows a page"}, {Name: "A data pages"}, {Name: "closed form"}, {Name: "A index pages"}, {Name: "closed form"},
			{Name: "B data pages"}, {Name: "closed form"}, {Name: "B index pages"}, {Name: "users asked"}},
	}
	if rows {
		t.Columns[1].Name = "rows"
	}
	for _, s := range all {
		e, n := s.even(), int64(s.Latest)
		first := map[string]int{"users": s.Users, "latest": s.Latest, "row bytes": s.RowBytes, "page bytes": s.PageBytes}[of]
		second := s.PerPage()
		if rows {
			second = s.Posts
		}
		t.Rows = append(t.Rows, []result.Cell{result.Count(first), result.Count(second),
			result.Number(s.a.mean(dataPages), 3), result.Number(e.LatestArrivalPages(n).Mean, 3),
			result.Number(s.a.mean(indexPages), 3), result.Number(e.LatestIndexPages(n).Mean, 3),
			result.Number(s.b.mean(dataPages), 3), result.Number(e.LatestPartitionPages(n).Mean, 3),
			result.Number(s.b.mean(indexPages), 0), result.Count(len(s.a))})
	}
	return t
}

func scaleFigure(name, title string, x result.Axis, all []scaled, index bool, at func(*scaled) string, caption string) result.Figure {
	f := result.Figure{
		Name: name, Kind: result.Lines, Title: title, Caption: caption, X: x,
		Y:      result.Axis{Name: "pages a read", Unit: "pages", Log: !index, Decimals: 2},
		Series: []result.Series{{Name: "A data pages"}, {Name: "B data pages"}},
		Table:  name,
	}
	counts := []func(*scaled) float64{
		func(s *scaled) float64 { return s.a.mean(dataPages) }, func(s *scaled) float64 { return s.b.mean(dataPages) },
		func(s *scaled) float64 { return s.a.mean(indexPages) }, func(s *scaled) float64 { return s.b.mean(indexPages) },
	}
	if index {
		f.Series = append(f.Series, result.Series{Name: "A index pages"}, result.Series{Name: "B index pages"})
	}
	for i := range all {
		for j := range f.Series {
			if y := counts[j](&all[i]); y > 0 || !f.Y.Log {
				f.Series[j].Points = append(f.Series[j].Points, result.Point{X: all[i].x, Y: y})
			}
		}
	}
	first, last := &all[0], &all[len(all)-1]
	f.Alt = fmt.Sprintf("Data pages that latest n touches. %s: %s in arrival order, %s in the partition. %s: %s and %s.",
		at(first), num(counts[0](first), 2), num(counts[1](first), 2), at(last), num(counts[0](last), 2), num(counts[1](last), 2))
	return f
}

// fewUsers says from where on arrival order is a page a row.
func (l *Lab) fewUsers(users []scaled) string {
	few := -1
	for i := range users {
		if rows := users[i].a.mean(rowsReturned); users[i].a.mean(dataPages) < .95*rows {
			few = i
		}
	}
	if few < 0 {
		return "Arrival order takes a page for each row however few users there are: a page holds too few rows for two of one user."
	}
	first, s := &users[0], &users[few]
	words := fmt.Sprintf("A page a row is true for many users only: %s share a page's %s rows so that %s rows of one lie on %s pages; of %s, on %s.",
		plural(first.Users, "user"), count(l.PerPage()), num(first.a.mean(rowsReturned), 0), num(first.a.mean(dataPages), 2), plural(s.Users, "user"), num(s.a.mean(dataPages), 2))
	if few+1 < len(users) {
		words += fmt.Sprintf(" From %s users on less than a row in twenty shares a page.", count(users[few+1].Users))
	}
	return words
}

// levels says how the indexes grow.
func levels(users []scaled) string {
	first, last := &users[0], &users[len(users)-1]
	level := func(s *scaled, entries int64) int { return theory.Height(entries, s.Page().Fanout(s.EntryBytes)) }
	return fmt.Sprintf("What grows with the rows is the index, by a page each time they become %s times as many: from %s to %s levels in arrival order, where each row has an entry, and from %s to %s in the partition layout, where each user has one.",
		count(last.Page().Fanout(last.EntryBytes)), count(level(first, first.Posts)), count(level(last, last.Posts)),
		count(level(first, int64(first.Users))), count(level(last, int64(last.Users))))
}

// fewRows says what the partition gains with large and with small rows.
func (l *Lab) fewRows(rows []scaled) string {
	first, last := &rows[0], &rows[len(rows)-1]
	verdict := "still gains"
	if first.b.mean(dataPages) > .95*first.a.mean(dataPages) {
		verdict = "gains nothing"
	}
	return fmt.Sprintf("The partition's pages are one and a part of a page for each further row: with %s to a page latest %s takes %s of them and %s (arrival order: %s); with %s to a page %s (arrival order: %s).",
		plural(first.PerPage(), "row"), count(l.Latest), num(first.b.mean(dataPages), 2), verdict, num(first.a.mean(dataPages), 2),
		plural(last.PerPage(), "row"), num(last.b.mean(dataPages), 2), num(last.a.mean(dataPages), 2))
}

func (l *Lab) largePages(here scaled, pages []scaled) string {
	last := &pages[len(pages)-1]
	bytes := func(s *scaled, r reads) string { return size(r.mean(dataPages) * float64(s.PageBytes)) }
	return fmt.Sprintf("Large pages are fewer pages and more bytes: pages of %s bytes hold %s rows, and the %s wanted lie on %s of them in arrival order, %s to read, where pages of %s bytes are %s; the partition reads %s and %s.",
		count(last.PageBytes), count(last.PerPage()), count(l.Latest), num(last.a.mean(dataPages), 2),
		bytes(last, last.a), count(here.PageBytes), bytes(&here, here.a), bytes(last, last.b), bytes(&here, here.b))
}

// agreement holds every mean of every sweep against its closed form.
func agreement(sweeps ...[]scaled) string {
	compared, outside, farthest := 0, 0, 0.0
	for _, sweep := range sweeps {
		for i := range sweep {
			s := &sweep[i]
			if len(s.a) < 100 || s.Users < 1000 {
				continue // too few users for a standard error, and their draws depend on each other
			}
			e, n := s.even(), int64(s.Latest)
			for _, c := range []struct {
				simulated float64
				expected  theory.Estimate
			}{{s.a.mean(dataPages), e.LatestArrivalPages(n)}, {s.a.mean(indexPages), e.LatestIndexPages(n)}, {s.b.mean(dataPages), e.LatestPartitionPages(n)}} {
				se := c.expected.StandardError(len(s.a))
				if z := zScore(c.simulated, c.expected.Mean, se); !math.IsNaN(z) && float64(se*1e6) > 1 {
					compared++
					farthest = max(farthest, math.Abs(z))
					if math.Abs(z) > 2 {
						outside++
					}
				}
			}
		}
	}
	return fmt.Sprintf("More than two standard errors from its closed form: %s of %s means with at least a hundred users behind them. The farthest is %s away.",
		count(outside), count(compared), num(farthest, 1))
}
