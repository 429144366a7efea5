package experiment

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pagetouch/pkg/dist"
	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/workload"
)

var _ = register(Experiment{Name: "uneven-posting", Order: 41, Run: UnevenPosting})

// UnevenPosting reads the same number of posts by as many users who do not post alike: which of the lesson's conclusions
// hold for whom. Then even posting again, with posts that arrive late.
func UnevenPosting(l *Lab) (*result.Result, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	laws := []law{
		{"all alike", func(users int) []float64 { return workload.Zipf(users, 0) }},
		{"Zipf 0.8", func(users int) []float64 { return workload.Zipf(users, .8) }},
		{"Zipf 1.0", func(users int) []float64 { return workload.Zipf(users, 1) }},
		{"Zipf 1.2", func(users int) []float64 { return workload.Zipf(users, 1.2) }},
		{"lognormal 1", func(users int) []float64 { return workload.Lognormal(users, 1) }},
		{"lognormal 2", func(users int) []float64 { return workload.Lognormal(users, 2) }},
	}
	var all []posting // one after another: together they would take too much memory
	for _, law := range laws {
		p, err := l.posting(law)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	late, err := l.lateArrivals()
	if err != nil {
		return nil, err
	}

	even, steep := &all[0], &all[0]
	for i := range all {
		if all[i].busiest() > steep.busiest() {
			steep = &all[i]
		}
	}
	var v values
	v.add("even.heap.data_pages", "pages", even.everyone().of(even.latestA).mean(dataPages), 2)
	v.add("steep.heap.data_pages", "pages", steep.everyone().of(steep.latestA).mean(dataPages), 2)
	v.add("steep.median_posts", "posts", float64(steep.posts.P50), 0)
	v.add("steep.busiest_posts", "posts", float64(steep.busiest()), 0)
	conclusions := conclude(all)
	always := 0
	for _, c := range conclusions {
		if len(c.fails) == 0 {
			always++
		}
	}
	r := &result.Result{
		Name:  "uneven-posting",
		Title: "Users who post unevenly",
		Headline: fmt.Sprintf("With the same posts dealt out by a %s law the median user has %s of them and the busiest %s; latest %s then touches %s data pages in arrival order and %s in the partition, against %s and %s where all post alike. Of %s conclusions %s for every group of users.",
			steep.name, count(steep.posts.P50), count(steep.busiest()), count(l.Latest), num(steep.everyone().of(steep.latestA).mean(dataPages), 2), num(steep.everyone().of(steep.latestB).mean(dataPages), 2),
			num(even.everyone().of(even.latestA).mean(dataPages), 2), num(even.everyone().of(even.latestB).mean(dataPages), 2), count(len(conclusions)), held(always)),
		Values: v,
		Tables: []result.Table{l.unevenTable(all), conclusionTable(conclusions), unevenUsers(all), lateTable(late)},
		Figures: []result.Figure{
			unevenHeat("uneven-posting-saved", "How many times fewer data pages the partition touches", fmt.Sprintf("Latest %s, arrival order's data pages over the partition's: 1 is no gain. Users are grouped by their number of posts, the quietest at the left.", count(l.Latest)), "times fewer", 1, all, func(p *posting, g cohort) float64 {
				return ratio(g.of(p.latestA).mean(dataPages), g.of(p.latestB).mean(dataPages))
			}),
			unevenHeat("uneven-posting-months", "Partitions read with month buckets", fmt.Sprintf("Latest %s, stepping back from the last month.", count(l.Latest)), "partitions", 1, all, func(p *posting, g cohort) float64 {
				return g.of(p.months).mean(partitions)
			}),
		},
	}
	for _, c := range conclusions {
		r.Findings = append(r.Findings, c.words())
	}
	r.Findings = append(r.Findings, l.fewPosts(all), byReaders(all), late.finding())
	return r, nil
}

func held(n int) string {
	if n == 1 {
		return "1 holds"
	}
	return count(n) + " hold"
}

// law is how unevenly users post.
type law struct {
	name  string
	rates func(users int) []float64 // the busiest user first
}

// posting is the lesson's reads where users post by a law: those of the sampled users, the quietest first, and last the
// read of the busiest user of all.
type posting struct {
	law
	rows                             []int // posts of each
	posts                            dist.D
	sample                           int
	latestA, latestB, months         reads
	rangeA, rangeB                   reads
	largestUser, largestMonth        workload.Extent
	limitsUser, limitsMonth, ofLimit int
	cohorts                          []cohort
}

// cohort is users who have about as many posts, as indexes into a posting's reads.
type cohort struct {
	name     string
	from, to int
}

func (g cohort) of(r reads) reads { return r[g.from:g.to] }

// busiest is how many posts the user has who has the most.
func (p *posting) busiest() int { return p.rows[len(p.rows)-1] }

func (l *Lab) posting(law law) (posting, error) {
	w := l.Setting.posts(0)
	var err error
	if w.Weights, err = workload.NewAlias(workload.Deal(law.rates(l.Users), l.Seed)); err != nil {
		return posting{}, err
	}
	asked := workload.Sample(l.Users, l.Sample, l.Seed)
	c, err := workload.Count(w, asked)
	if err != nil {
		return posting{}, err
	}
	busiest := slices.Index(asked, c.Largest.Entity)
	if busiest < 0 {
		busiest = len(asked)
		if c, err = workload.Count(w, append(asked, c.Largest.Entity)); err != nil {
			return posting{}, err
		}
	}
	users := slices.Clone(c.Asked[:l.Sample])
	slices.SortFunc(users, func(a, b workload.Entity) int {
		return cmp.Or(cmp.Compare(a.Rows(), b.Rows()), cmp.Compare(a.ID, b.ID))
	})
	users = append(users, c.Asked[busiest])
	p := posting{law: law, sample: l.Sample, largestUser: c.Largest}
	var counts []int64
	for i := range users {
		p.rows = append(p.rows, users[i].Rows())
		counts = append(counts, int64(users[i].Rows()))
	}
	p.posts = dist.Of(counts[:l.Sample])
	in := l.input(w, c)
	for _, of := range []struct {
		layout.Kind
		latest, between *reads
	}{{layout.Arrival, &p.latestA, &p.rangeA}, {layout.Partition, &p.latestB, &p.rangeB}, {layout.MonthBuckets, &p.months, nil}} {
		placed, err := of.Place(in)
		if err != nil {
			return posting{}, err
		}
		*of.latest = latest(placed, users, l.Latest)
		if of.between == nil {
			p.largestMonth = placed.Size().Largest
			continue
		}
		*of.between = between(placed, users, l.RangeFrom, l.RangeTo)
	}
	checks, broken, err := accountLimits(int(p.largestUser.Rows), p.largestUser.Bytes)
	if err != nil {
		return posting{}, err
	}
	p.limitsUser, p.ofLimit = broken, len(checks)
	if _, p.limitsMonth, err = accountLimits(int(p.largestMonth.Rows), p.largestMonth.Bytes); err != nil {
		return posting{}, err
	}
	p.cohorts = l.cohorts()
	return p, nil
}

// cohorts cuts the sampled users into tenths by their number of posts, the last of them cut again at its top hundredth of
// all, and the busiest user of all.
func (l *Lab) cohorts() (all []cohort) {
	const tenths = 10
	for i := range tenths {
		if from, to := l.Sample*i/tenths, l.Sample*(i+1)/tenths; from < to {
			all = append(all, cohort{fmt.Sprintf("tenth %d", i+1), from, to})
		}
	}
	if l.Sample >= 100 {
		all = append(all, cohort{"top 1 %", l.Sample - l.Sample/100, l.Sample})
	}
	return append(all, cohort{"busiest", l.Sample, l.Sample + 1})
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// everyone is the sampled users without the busiest, who is none of them or counted already.
func (p *posting) everyone() cohort { return cohort{"sampled", 0, p.sample} }

func (l *Lab) unevenTable(all []posting) result.Table {
	t := result.Table{
		Name:    "uneven-posting",
		Title:   "The same posts and users, dealt out by different laws",
		Caption: "Means of the sampled users, each user alike. Limits are those that stores set or advise for one partition.",
		Columns: []result.Column{{Name: "posts a user"}, {Name: "median"}, {Name: "90th percentile"}, {Name: "99th percentile"}, {Name: "busiest"},
			{Name: "fewer than " + count(l.Latest), Unit: "users"}, {Name: "no post", Unit: "users"},
			{Name: "latest: A data pages"}, {Name: "B data pages"}, {Name: "partitions, by month"},
			{Name: rangeName(l.RangeFrom, l.RangeTo) + ": A data pages"}, {Name: "B data pages"}, {Name: "A rows examined"}, {Name: "B rows examined"},
			{Name: "largest partition", Unit: "MB"}, {Name: "limits broken"}, {Name: "largest month", Unit: "MB"}, {Name: "limits broken"}},
	}
	for i := range all {
		p := &all[i]
		mean := func(r reads, c func(layout.Touch) int) result.Cell {
			return result.Number(p.everyone().of(r).mean(c), 2)
		}
		few, none := p.fewerThan(l.Latest), p.fewerThan(1)
		t.Rows = append(t.Rows, []result.Cell{result.Text(p.name), result.Count(p.posts.P50), result.Count(p.rows[dist.Rank(90, int64(p.sample))-1]),
			result.Count(p.posts.P99), result.Count(p.busiest()), result.Count(few), result.Count(none),
			mean(p.latestA, dataPages), mean(p.latestB, dataPages), mean(p.months, partitions),
			mean(p.rangeA, dataPages), mean(p.rangeB, dataPages), mean(p.rangeA, rowsExamined), mean(p.rangeB, rowsExamined),
			result.Number(float64(p.largestUser.Bytes)/1e6, 2), result.Count(p.limitsUser), result.Number(float64(p.largestMonth.Bytes)/1e6, 2), result.Count(p.limitsMonth)})
	}
	return t
}

// fewerThan is how many sampled users have fewer posts.
func (p *posting) fewerThan(n int) int {
	few, _ := slices.BinarySearch(p.rows[:p.sample], n)
	return few
}

func unevenUsers(all []posting) result.Table {
	t := result.Table{
		Name:    "uneven-posting-users",
		Title:   "Every figure for every group of users",
		Caption: "Sampled users in tenths by their number of posts, the quietest first; the top hundredth again by itself; the busiest of all users. Means.",
		Columns: []result.Column{{Name: "posts a user"}, {Name: "group"}, {Name: "posts, mean"}, {Name: "most"}, {Name: "latest: A data pages"}, {Name: "B data pages"},
			{Name: "A all pages"}, {Name: "B all pages"}, {Name: "partitions, by month"}, {Name: "of them empty"}, {Name: "range: rows returned"},
			{Name: "A data pages"}, {Name: "B data pages"}, {Name: "B rows examined"}},
	}
	for i := range all {
		p := &all[i]
		for _, g := range p.cohorts {
			posts := 0
			for _, n := range p.rows[g.from:g.to] {
				posts += n
			}
			row := []result.Cell{result.Text(p.name), result.Text(g.name), result.Number(float64(posts)/float64(g.to-g.from), 1), result.Count(p.rows[g.to-1])}
			for _, c := range []struct {
				reads
				count func(layout.Touch) int
			}{{p.latestA, dataPages}, {p.latestB, dataPages}, {p.latestA, totalPages}, {p.latestB, totalPages}, {p.months, partitions}, {p.months, emptyPartitions},
				{p.rangeA, rowsReturned}, {p.rangeA, dataPages}, {p.rangeB, dataPages}, {p.rangeB, rowsExamined}} {
				row = append(row, result.Number(g.of(c.reads).mean(c.count), 2))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func unevenHeat(name, title, caption, of string, decimals int, all []posting, z func(*posting, cohort) float64) result.Figure {
	f := result.Figure{
		Name: name, Kind: result.Heat, Title: title, Caption: caption,
		X:      result.Axis{Name: "users, by their number of posts"},
		Y:      result.Axis{Name: "posts a user", Decimals: decimals},
		Series: []result.Series{{Name: of, Labels: true}},
		Table:  "uneven-posting-users",
	}
	f.Alt = title + ": the least and the most of all groups of users, by how posts are dealt out."
	for _, g := range all[0].cohorts {
		f.X.Categories = append(f.X.Categories, g.name)
	}
	for i := range all {
		p := &all[i]
		f.Y.Categories = append(f.Y.Categories, p.name)
		lo, hi := math.Inf(1), math.Inf(-1)
		for j, g := range p.cohorts {
			if x := z(p, g); !math.IsNaN(x) {
				f.Series[0].Points = append(f.Series[0].Points, result.Point{X: float64(j), Y: float64(i), Z: x})
				lo, hi = min(lo, x), max(hi, x)
			}
		}
		if lo <= hi {
			f.Alt += fmt.Sprintf(" %s: %s to %s.", upper(p.name), num(lo, decimals), num(hi, decimals))
		}
	}
	return f
}

// conclusion is a sentence of the lesson, held against every group of users under every law.
type conclusion struct {
	claim string
	holds func(p *posting, g cohort) bool
	of    int
	fails []string // "Zipf 1.2: tenth 1 to tenth 6"
	where int      // how many groups these are
}

func conclude(all []posting) []conclusion {
	conclusions := []conclusion{
		{claim: "arrival order takes a page for each row (nineteen in twenty or more)", holds: func(p *posting, g cohort) bool {
			a := g.of(p.latestA)
			return float64(a.sum(dataPages)) >= .95*float64(a.sum(rowsReturned))
		}},
		{claim: "the partition's newest posts lie on two pages or fewer", holds: func(p *posting, g cohort) bool {
			return g.of(p.latestB).mean(dataPages) <= 2
		}},
		{claim: "the partition halves the data pages of the newest posts, or better", holds: func(p *posting, g cohort) bool {
			return 2*g.of(p.latestB).sum(dataPages) <= g.of(p.latestA).sum(dataPages)
		}},
		{claim: "the partition touches fewer data pages for the range", holds: func(p *posting, g cohort) bool {
			return g.of(p.rangeB).sum(dataPages) < g.of(p.rangeA).sum(dataPages)
		}},
		{claim: "the partition decodes at least half as many rows again as it returns for the range", holds: func(p *posting, g cohort) bool {
			return 2*g.of(p.rangeB).sum(rowsExamined) >= 3*g.of(p.rangeB).sum(rowsReturned)
		}},
		{claim: "month buckets cost three partition reads or fewer for the newest posts", holds: func(p *posting, g cohort) bool {
			return g.of(p.months).mean(partitions) <= 3
		}},
	}
	for c := range conclusions {
		conclusions[c].test(all)
	}
	return conclusions
}

func (c *conclusion) test(all []posting) {
	for i := range all {
		p := &all[i]
		var runs []string
		for g := 0; g < len(p.cohorts); g++ {
			c.of++
			if c.holds(p, p.cohorts[g]) {
				continue
			}
			first := g
			c.where++
			for g+1 < len(p.cohorts) && !c.holds(p, p.cohorts[g+1]) {
				g++
				c.of++
				c.where++
			}
			if run := p.cohorts[first].name; first == g {
				runs = append(runs, run)
			} else {
				runs = append(runs, run+" to "+p.cohorts[g].name)
			}
		}
		if len(runs) > 0 {
			c.fails = append(c.fails, p.name+": "+strings.Join(runs, ", "))
		}
	}
}

func (c *conclusion) words() string {
	switch {
	case len(c.fails) == 0:
		return fmt.Sprintf("Holds for all %s groups of users: %s.", count(c.of), c.claim)
	case c.where == c.of:
		return fmt.Sprintf("Holds for none of %s groups of users: %s.", count(c.of), c.claim)
	}
	return fmt.Sprintf("Depends on who asks: %s. So it is for %s of %s groups, and not for %s.", c.claim, count(c.of-c.where), count(c.of), strings.Join(c.fails, "; "))
}

func conclusionTable(all []conclusion) result.Table {
	t := result.Table{
		Name:    "uneven-posting-conclusions",
		Title:   "What the lesson concludes, and for whom it holds",
		Columns: []result.Column{{Name: "conclusion"}, {Name: "holds for", Unit: "groups"}, {Name: "of"}, {Name: "not for"}},
	}
	for _, c := range all {
		t.Rows = append(t.Rows, []result.Cell{result.Text(c.claim), result.Count(c.of - c.where), result.Count(c.of), result.Text(strings.Join(c.fails, "; "))})
	}
	return t
}

// fewPosts says how many users have too few posts for their read, and how large the busiest user's partition is.
func (l *Lab) fewPosts(all []posting) string {
	most, largest := &all[0], &all[0]
	for i := range all {
		if all[i].fewerThan(l.Latest) > most.fewerThan(l.Latest) {
			most = &all[i]
		}
		if all[i].largestUser.Bytes > largest.largestUser.Bytes {
			largest = &all[i]
		}
	}
	words := "Everybody sampled has as many posts as are asked for under every law."
	if n := most.fewerThan(l.Latest); n > 0 {
		words = fmt.Sprintf("Many users have fewer than %s posts: under %s %s of %s sampled, %s of them none at all. Their reads touch fewer pages in every layout.",
			count(l.Latest), most.name, count(n), count(most.sample), count(most.fewerThan(1)))
	}
	verdict := "breaks none of them"
	if largest.limitsUser > 0 {
		verdict = "breaks " + count(largest.limitsUser)
	}
	return words + fmt.Sprintf(" The largest partition is %s's busiest user's: %s, which of %s limits %s; cut into months its largest is %s and breaks %s.",
		largest.name, size(float64(largest.largestUser.Bytes)), count(largest.ofLimit), verdict, size(float64(largest.largestMonth.Bytes)), count(largest.limitsMonth))
}

// byReaders weighs each sampled user's read by the user's posts: if those who post more also read more.
func byReaders(all []posting) string {
	var parts []string
	for i := range all {
		p := &all[i]
		pages, posts := int64(0), int64(0)
		for u, n := range p.rows[:p.sample] {
			pages += int64(n) * int64(p.latestA[u].DataPages)
			posts += int64(n)
		}
		each, weighed := p.everyone().of(p.latestA).mean(dataPages), ratio(float64(pages), float64(posts))
		if math.Abs(weighed-each) > .05*each {
			parts = append(parts, fmt.Sprintf("%s pages instead of %s under %s", num(weighed, 2), num(each, 2), p.name))
		}
	}
	if len(parts) == 0 {
		return "If users read as often as they post, arrival order's pages change by less than a twentieth under every law."
	}
	return "If users read as often as they post, the mean of arrival order is another for the newest posts: " + strings.Join(parts, ", ") + "."
}
