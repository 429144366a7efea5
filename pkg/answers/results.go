package answers

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/dist"
	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/sizing"
)

// Results are the answers as a report shows them, a result for each section: "answer", "pages", "range", "sizes",
// "fanout" and "limits". Those that were not asked for, or that no entity has enough rows for, are not there.
func (a *Answers) Results(q Question) []*result.Result {
	all := []*result.Result{a.answer(q), a.sizes(q), a.limits()}
	if a.Measured > 0 {
		all = append(all, a.pages(), a.fanout())
	}
	if a.Range != nil && a.Measured > 0 {
		all = append(all, a.ranges())
	}
	return all
}

// chosen is the recommended width's outcome; nil where none was recommended.
func (a *Answers) chosen() *sizing.Bucket {
	for i := range a.Buckets {
		if a.Buckets[i].Width.String() == a.Recommendation.Width {
			return &a.Buckets[i]
		}
	}
	return nil
}

// answer is the recommendation and its reasons.
func (a *Answers) answer(q Question) *result.Result {
	r := &result.Result{Name: "answer", Title: "The answer", Findings: a.Recommendation.Reasons}
	r.Headline = a.Headline()
	for _, w := range append(slices.Clone(a.Recommendation.Warnings), a.LeftOut...) {
		r.Warnings = append(r.Warnings, result.Warning{Text: w})
	}
	if a.Measured == 0 {
		r.Warnings = append(r.Warnings, result.Warning{Text: fmt.Sprintf("No entity has %s: what the latest %s touch was not measured. A smaller -latest measures it.", plural(q.Latest, "row"), whole(q.Latest))})
	}
	t := result.Table{Name: "trace-refused", Title: "Why no other width",
		Columns: []result.Column{{Name: "width"}, {Name: "limit broken most"}, {Name: "times the limit"}, {Name: "why not"}}}
	for _, f := range a.Recommendation.Refused {
		ratio := result.Cell{}
		if f.Limit != "" {
			ratio = result.Number(f.Ratio, decimals(f.Ratio))
		}
		t.Rows = append(t.Rows, []result.Cell{result.Text(f.Width), text(f.Limit), ratio, result.Text(f.Why)})
	}
	r.Tables = []result.Table{t}
	return r
}

// latestRows is what the read asks for.
func (a *Answers) latestRows() string {
	if a.Latest.N == 1 {
		return "latest row"
	}
	return "latest " + whole(a.Latest.N) + " rows"
}

// Headline is the recommendation in a sentence or two.
func (a *Answers) Headline() string {
	b, r := a.chosen(), &a.Recommendation
	if b == nil {
		return "None of the widths bounds a partition."
	}
	s := fmt.Sprintf("Take a bucket of %s", b.Width.Spelled())
	switch {
	case r.NoBucket:
		s = fmt.Sprintf("No time bucket helps by itself: take one of %s, and hash shards, %s a bucket", b.Width.Spelled(), whole(r.Shards))
	case r.Shards > 1:
		s += fmt.Sprintf(", split in %s", plural(r.Shards, "hash shard"))
	}
	if b.Partitions == 1 {
		s += fmt.Sprintf(": its one bucket holds %s and %s", plural(b.MaxRows, "row"), size(float64(b.MaxBytes)))
	} else {
		s += fmt.Sprintf(": its %s hold up to %s and %s", plural(b.Partitions, "bucket"), plural(b.MaxRows, "row"), size(float64(b.MaxBytes)))
	}
	if d := r.Decides; d > b.MaxRows {
		s += fmt.Sprintf(" so far; it is judged by the %s that one may come to", plural(d, "row"))
	}
	k := max(r.Shards, 1)
	if k > 1 {
		s += fmt.Sprintf("; a shard then holds about %s, and every read asks all %s", plural((max(r.Decides, b.MaxRows)+k-1)/k, "row"), whole(k))
	}
	s += "."
	if r.SizeBased.Better {
		s += fmt.Sprintf(" Buckets of %s instead of a time would serve better.", plural(r.SizeBased.Rows, "row"))
	}
	if a.Measured > 0 {
		s += " " + a.away(b, k)
	}
	heap, ok1 := a.Latest.Layouts[layout.Arrival.Name]
	part, ok2 := a.Latest.Layouts[layout.Partition.Name]
	if ok1 && ok2 && a.Measured > 0 {
		lie := "These rows lie"
		if a.Latest.N == 1 {
			lie = "It lies"
		}
		s += fmt.Sprintf(" %s on %s pages in arrival order and on %s in a partition.", lie, num(heap.Data.Mean, 2), num(part.Data.Mean, 2))
	}
	return s
}

// away is how many partitions the latest rows ask for, every shard counted.
func (a *Answers) away(b *sizing.Bucket, k int64) (s string) {
	is := "are"
	if a.Latest.N == 1 {
		is = "is"
	}
	read, of := b.Latest.Read, fmt.Sprintf("with %s or more", plural(a.Latest.N, "row"))
	if a.Measured == 1 {
		s = fmt.Sprintf("For the one entity %s the %s %s %s away", of, a.latestRows(), is, plural(sizing.Product(read.P50, k), "partition"))
	} else {
		s = fmt.Sprintf("For the median of the %s entities %s the %s %s %s away, for one in a hundred %s",
			whole(a.Measured), of, a.latestRows(), is, plural(sizing.Product(read.P50, k), "partition"), whole(sizing.Product(read.P99, k)))
	}
	switch fewer := b.Fewer.Read; fewer.N {
	case 0:
	case 1:
		s += fmt.Sprintf("; the other entity reads %s", whole(sizing.Product(fewer.Max, k)))
	default:
		s += fmt.Sprintf("; the other %s read %s at the median and %s at worst", whole(fewer.N), whole(sizing.Product(fewer.P50, k)), whole(sizing.Product(fewer.Max, k)))
	}
	return s + "."
}

// pages is what the latest rows touch in every layout.
func (a *Answers) pages() *result.Result {
	r := &result.Result{Name: "pages", Title: "Pages of the " + a.latestRows()}
	r.Values = append(r.Values, result.Value{Name: "measured", Unit: "entities", Number: float64(a.Measured)})
	t, f := pagesOf("trace-latest-pages", "Data pages of the "+a.latestRows(), a.Latest.Layouts)
	r.Tables, r.Figures = []result.Table{t}, []result.Figure{f}
	r.Findings = append(r.Findings, a.compare(a.Latest.Layouts)...)
	return r
}

func (a *Answers) ranges() *result.Result {
	r := &result.Result{Name: "range", Title: "Pages that a range touches"}
	t, f := pagesOf("trace-range-pages", "Data pages of the range", a.Range.Layouts)
	s := result.Table{Name: "trace-range-partitions", Title: "Partitions that a range of this length asks for",
		Caption: "Aligned: it begins with a bucket. Otherwise it may begin anywhere, and one more is asked for.",
		Columns: []result.Column{{Name: "width"}, {Name: "aligned"}, {Name: "at worst"}}}
	for _, b := range a.Buckets {
		p := a.Range.Partitions[b.Width.String()]
		s.Rows = append(s.Rows, []result.Cell{result.Text(b.Width.String()), result.Count(p.Aligned), result.Count(p.Worst)})
	}
	r.Tables, r.Figures = []result.Table{t, s}, []result.Figure{f}
	r.Findings = a.compare(a.Range.Layouts)
	return r
}

// compare says how arrival order and partitions differ.
func (a *Answers) compare(layouts map[string]Pages) []string {
	heap, ok1 := layouts[layout.Arrival.Name]
	part, ok2 := layouts[layout.Partition.Name]
	if !ok1 || !ok2 || part.Data.Sum == 0 {
		return nil
	}
	return []string{fmt.Sprintf("In arrival order a read touches %s data pages on average and %s at worst; in partitions %s and %s: %s times fewer.",
		num(heap.Data.Mean, 2), whole(heap.Data.Max), num(part.Data.Mean, 2), whole(part.Data.Max), num(float64(heap.Data.Sum)/float64(part.Data.Sum), 1))}
}

// pagesOf is a table and a figure of one read in every layout.
func pagesOf(name, title string, layouts map[string]Pages) (result.Table, result.Figure) {
	t := result.Table{Name: name, Title: title,
		Columns: []result.Column{{Name: "layout"}, {Name: "mean"}, {Name: "median"}, {Name: "99th percentile"}, {Name: "worst"}, {Name: "index pages, mean"}, {Name: "rows examined, mean"}, {Name: "rows returned, mean"}},
		Caption: "Over the entities with enough rows, each read from a cold start."}
	f := result.Figure{Name: name, Kind: result.HBars, Title: title, Caption: "Each layout's median and worst entity.",
		X: result.Axis{Name: "layout"}, Y: result.Axis{Name: "data pages", Unit: "pages"}, Table: name, Alt: title + ": data pages in each layout.",
		Series: []result.Series{{Name: "median", Labels: true}, {Name: "worst", Labels: true}}}
	for _, k := range layout.All() {
		p, ok := layouts[k.Name]
		if !ok {
			continue
		}
		i := float64(len(t.Rows))
		t.Rows = append(t.Rows, append(append([]result.Cell{result.Text(k.Title)}, spread(p.Data)...),
			result.Number(p.Index.Mean, 2), result.Number(p.Examined.Mean, 2), result.Number(p.Returned.Mean, 2)))
		f.X.Categories = append(f.X.Categories, k.Title)
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: i, Y: float64(p.Data.P50)})
		f.Series[1].Points = append(f.Series[1].Points, result.Point{X: i, Y: float64(p.Data.Max)})
		f.Alt += fmt.Sprintf(" %s: median %s, worst %s.", k.Title, whole(p.Data.P50), whole(p.Data.Max))
	}
	return t, f
}

func spread(d dist.D) []result.Cell {
	return []result.Cell{result.Number(d.Mean, 2), result.Count(d.P50), result.Count(d.P99), result.Count(d.Max)}
}

// limits holds every width against every limit.
func (a *Answers) limits() *result.Result {
	r := &result.Result{Name: "limits", Title: "What each width keeps and breaks"}
	t := result.Table{Name: "trace-limits", Title: "The largest partition as a multiple of each limit",
		Caption: "Grown where growth was asked for. A limit that is off is shown and decides nothing.",
		Columns: []result.Column{{Name: "limit"}, {Name: "kind"}}}
	widths := map[string]int{}
	for _, b := range a.bounded() {
		widths[b.Width.String()] = len(t.Columns)
		t.Columns = append(t.Columns, result.Column{Name: b.Width.String()})
	}
	lines, broken := map[string]int{}, map[string][]string{}
	var names []string
	for _, k := range a.Limits {
		name := k.Limit.String()
		if _, ok := lines[name]; !ok {
			kind := string(k.Kind)
			if !k.On {
				kind += ", off"
			}
			lines[name] = len(t.Rows)
			t.Rows = append(t.Rows, append([]result.Cell{result.Text(name), result.Text(kind)}, make([]result.Cell, len(widths))...))
			names = append(names, name)
		}
		if at, ok := widths[k.Width]; ok {
			t.Rows[lines[name]][at] = result.Number(k.Ratio, decimals(k.Ratio))
		}
		if !k.Kept && k.Width == "" {
			broken[name] = append(broken[name], "every width")
		} else if _, known := widths[k.Width]; !k.Kept && known {
			broken[name] = append(broken[name], k.Width)
		}
		if k.Binds && k.Width == a.Recommendation.Width {
			r.Findings = append(r.Findings, fmt.Sprintf("For width %s %s binds: its largest partition has %s %s, %s times the limit.", k.Width, name, whole(k.Amount), k.Counts, num(k.Ratio, decimals(k.Ratio))))
		}
	}
	for _, name := range names {
		if broken[name] != nil {
			r.Findings = append(r.Findings, fmt.Sprintf("%s: broken by %s.", name, list(broken[name])))
		}
	}
	r.Tables = []result.Table{t}
	if len(a.Recommendation.NotChecked) > 0 {
		r.Findings = append(r.Findings, fmt.Sprintf("Neither rows nor a rate tell what these count: %s.", list(a.Recommendation.NotChecked)))
	}
	return r
}

func list(names []string) string { return strings.Join(names, ", ") }

// text is a cell that is empty without a text.
func text(s string) result.Cell {
	if s == "" {
		return result.Cell{}
	}
	return result.Text(s)
}

// decimals shows three digits of a ratio, and of one below a hundredth three places.
func decimals(x float64) int {
	if x < 0.01 {
		return 3
	}
	return max(2-int(math.Floor(math.Log10(x))), 0)
}

// bounded are the outcomes of widths that bound a partition, from narrow to wide; not of those narrower than the times
// are apart, of which nothing is known.
func (a *Answers) bounded() []sizing.Bucket {
	var all []sizing.Bucket
	for _, b := range a.Buckets {
		if b.Width != bucket.Forever && b.Width.Longest() >= a.Peaks.Step {
			all = append(all, b)
		}
	}
	slices.SortStableFunc(all, func(x, y sizing.Bucket) int { return int(min(max(x.Width.Longest()-y.Width.Longest(), -1), 1)) })
	return all
}
