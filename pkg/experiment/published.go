package experiment

import (
	"encoding/json"
	"fmt"
	"math"

	"pagetouch/data"
	"pagetouch/pkg/result"
	"pagetouch/pkg/theory"
)

// Published is one figure of the published lesson beside what came out here. A nil number means that the notion does
// not apply, or that its section was not run.
type Published struct {
	ID            string   `json:"id"`
	Unit          string   `json:"unit"`
	Published     float64  `json:"published"`
	Simulated     *float64 `json:"simulated"`
	ClosedForm    *float64 `json:"closed_form"`
	StandardError *float64 `json:"standard_error"` // of a mean over the sampled users
	Z             *float64 `json:"z"`              // published less closed form, in standard errors
	Verdict       string   `json:"verdict"`

	decimals int
	because  string // why the published figure is known to more digits than printed
}

// The verdicts.
const (
	Exact    = "exact"        // published, simulated and expected are the same number
	Agrees   = "agrees"       // within two standard errors, or equal as printed
	Outlier  = "outlier"      // further than two standard errors from the closed form
	Differs  = "differs"      // nothing is left to chance, and the numbers differ
	NotRun   = "not run"      // its section was not run
	Measured = "not compared" // a time: it says nothing about pages
)

// fact is a line of data/published.json.
type fact struct {
	ID       string  `json:"id"`
	Unit     string  `json:"unit"`
	Value    float64 `json:"value"`
	Decimals int     `json:"decimals"`
	Finer    float64 `json:"finer"`
	Because  string  `json:"because"`
}

// source is where a published figure's counterpart comes from.
type source struct {
	section, value string
	expected       theory.Estimate
}

// sources maps each published figure to the value that was simulated and to its closed form in this setting.
func (l *Lab) sources() map[string]source {
	n := int64(l.Latest)
	e, perPage := l.Even(0), float64(l.PerPage())
	w := l.window(l.RangeFrom, l.RangeTo)
	heap, partition := e.LatestArrivalPages(n), e.LatestPartitionPages(n)
	heapIndex, partitionIndex := e.LatestIndexPages(n), e.PartitionIndexPages()
	heapAll, partitionAll := heap.Plus(heapIndex), partition.Plus(partitionIndex)
	average := float64(l.Posts) / float64(l.Users) * float64(l.RowBytes)
	exact := func(x float64) theory.Estimate { return theory.Estimate{Mean: x} }
	accountPages := math.NaN() // where the account's partition begins inside a page, one or two, as the offset has it
	if l.Posts%l.PerPage() == 0 {
		accountPages = math.Ceil(math.Min(float64(n), float64(l.Account)) / perPage)
	}
	return map[string]source{
		"latest20.heap.data_pages":         {"latest-20", "heap.data_pages", heap},
		"latest20.partition.data_pages":    {"latest-20", "partition.data_pages", partition},
		"latest20.heap.rows_on_pages":      {"latest-20", "heap.rows_on_pages", heap.Scale(perPage)},
		"latest20.partition.rows_on_pages": {"latest-20", "partition.rows_on_pages", partition.Scale(perPage)},
		"latest20.heap.rows_returned":      {"latest-20", "heap.rows_returned", e.LatestRows(n)},
		"latest20.partition.rows_returned": {"latest-20", "partition.rows_returned", e.LatestRows(n)},
		"latest20.heap.index_entries":      {"latest-20", "heap.index_entries", e.LatestRows(n)},
		"latest20.heap.index_pages":        {"latest-20", "heap.index_pages", heapIndex},
		"latest20.partition.index_pages":   {"latest-20", "partition.index_pages", partitionIndex},
		"latest20.heap.total_pages":        {"latest-20", "heap.total_pages", heapAll},
		"latest20.partition.total_pages":   {"latest-20", "partition.total_pages", partitionAll},
		"latest20.total_ratio":             {"latest-20", "total_ratio", heapAll.Ratio(partitionAll)},
		"latest20.data_ratio":              {"latest-20", "data_ratio", heap.Ratio(partition)},
		"march.heap.data_pages":            {"march-2025", "heap.data_pages", e.RangeArrivalPages(w)},
		"march.partition.data_pages":       {"march-2025", "partition.data_pages", e.RangePartitionPages(w)},
		"march.heap.rows_examined":         {"march-2025", "heap.rows_examined", e.RangeRows(w)},
		"march.partition.rows_examined":    {"march-2025", "partition.rows_examined", e.RangePartitionExamined(w)},
		"march.rows_returned":              {"march-2025", "rows_returned", e.RangeRows(w)},
		"account.rows":                     {"big-account", "rows", exact(float64(l.Account))},
		"account.bytes":                    {"big-account", "bytes", exact(float64(l.Account) * float64(l.RowBytes))},
		"account.average_user_bytes":       {"big-account", "average_user_bytes", exact(average)},
		"account.payload_ratio":            {"big-account", "payload_ratio", exact(float64(l.Account) * float64(l.RowBytes) / average)},
		"account.preceding_pages":          {"big-account", "preceding_pages", exact(math.Floor(float64(l.Posts) / perPage))},
		"account.latest20.data_pages":      {"big-account", "latest.partition.data_pages", exact(accountPages)},
		"buckets.example.partition_reads":  {"month-buckets", "example.partition_reads", exact(2)},
	}
}

// Compare sets every published figure beside the results of the sections that were run.
func (l *Lab) Compare(results []*result.Result) ([]Published, error) {
	var facts []fact
	if err := json.Unmarshal(data.Published(), &facts); err != nil {
		return nil, fmt.Errorf("data/published.json: %w", err)
	}
	sources := l.sources()
	all := make([]Published, 0, len(facts))
	for _, f := range facts {
		p := Published{ID: f.ID, Unit: f.Unit, Published: f.Value, Verdict: Measured, decimals: f.Decimals, because: f.Because}
		if s, ok := sources[f.ID]; ok {
			l.compare(&p, f, s, results)
		}
		all = append(all, p)
	}
	return all, nil
}

func (l *Lab) compare(p *Published, f fact, s source, results []*result.Result) {
	for _, r := range results {
		if r.Name == s.section {
			if v, ok := r.Value(s.value); ok {
				p.Simulated = &v.Number
			}
		}
	}
	finer := f.Value
	if f.Finer != 0 {
		finer = f.Finer
	}
	if !math.IsNaN(s.expected.Mean) {
		p.ClosedForm = &s.expected.Mean
	}
	if se := s.expected.StandardError(l.Sample); se > 1e-12 {
		z := (finer - s.expected.Mean) / se
		p.StandardError, p.Z = &se, &z
	}
	half := 0.5000001 * math.Pow(10, -float64(f.Decimals)) // half a unit of the last printed digit
	same := func(x *float64) bool { return x == nil || math.Abs(*x-f.Value) <= half }
	switch {
	case p.Simulated == nil:
		p.Verdict = NotRun
	case p.Z != nil && math.Abs(*p.Z) > 2:
		p.Verdict = Outlier
	case p.Z != nil:
		p.Verdict = Agrees
	case same(p.Simulated) && same(p.ClosedForm):
		p.Verdict = Exact
	default:
		p.Verdict = Differs
	}
}

// PublishedResult is the comparison as a result: one table, and the outliers named in words.
func (l *Lab) PublishedResult(all []Published) *result.Result {
	t := result.Table{
		Name:    "published",
		Title:   "Every published figure",
		Caption: "z is the distance of the published figure from the closed form, in standard errors of a mean over the sampled users.",
		Columns: []result.Column{{Name: "figure"}, {Name: "unit"}, {Name: "published"}, {Name: "simulated"}, {Name: "closed form"},
			{Name: "standard error"}, {Name: "z"}, {Name: "verdict"}},
	}
	optional := func(x *float64, decimals int) result.Cell {
		if x == nil {
			return result.Cell{}
		}
		return result.Number(*x, decimals)
	}
	verdicts := map[string]int{}
	var outliers []Published
	for _, p := range all {
		verdicts[p.Verdict]++
		more := p.decimals
		if p.Z != nil {
			more += 2
		}
		t.Rows = append(t.Rows, []result.Cell{result.Text(p.ID), result.Text(p.Unit), result.Number(p.Published, p.decimals),
			optional(p.Simulated, p.decimals), optional(p.ClosedForm, more), optional(p.StandardError, more), optional(p.Z, 2), result.Text(p.Verdict)})
		if p.Verdict == Outlier {
			outliers = append(outliers, p)
		}
	}
	compared := len(all) - verdicts[NotRun] - verdicts[Measured]
	r := &result.Result{
		Name: "published", Title: "Published beside simulated",
		Headline: fmt.Sprintf("Of %s published figures that were compared, %s are exact, %s agree within two standard errors, %s.",
			count(compared), count(verdicts[Exact]), count(verdicts[Agrees]), outlierWords(verdicts[Outlier], verdicts[Differs])),
		Tables: []result.Table{t},
		Values: values{
			{Name: "compared", Unit: "figures", Number: float64(compared)}, {Name: "exact", Unit: "figures", Number: float64(verdicts[Exact])},
			{Name: "agree", Unit: "figures", Number: float64(verdicts[Agrees])}, {Name: "outliers", Unit: "figures", Number: float64(verdicts[Outlier])},
		},
	}
	for _, p := range outliers {
		r.Findings = append(r.Findings, l.outlier(p))
	}
	return r
}

func outlierWords(outliers, differs int) string {
	words := plural(outliers, "figure") + " lie further out"
	if outliers == 1 {
		words = "1 lies further out"
	}
	if differs > 0 {
		words += ", and " + count(differs) + " belong to another setting and differ"
	}
	return words
}

// outlier says what a figure outside two standard errors means, and for the one that the lesson has, what would explain
// it.
func (l *Lab) outlier(p Published) string {
	words := fmt.Sprintf("%s was published as %s and is expected to be %s: %s standard errors away.",
		p.ID, num(p.Published, p.decimals), num(*p.ClosedForm, p.decimals+2), num(math.Abs(*p.Z), 1))
	if p.because != "" {
		words = fmt.Sprintf("%s was published as %s (more finely, %s) and is expected to be %s: %s standard errors away.",
			p.ID, num(p.Published, p.decimals), p.because, num(*p.ClosedForm, p.decimals+2), num(math.Abs(*p.Z), 1))
	}
	if p.ID == "latest20.heap.data_pages" {
		n := float64(l.Latest) * float64(l.Sample)
		finer := *p.ClosedForm + float64(*p.Z**p.StandardError)
		words += fmt.Sprintf(" It means that %s rows of %s lay on a page that their read had touched already, where %s are expected. Chance does as much in one run of %s; so would posts that arrived not quite in time order, or a weak random number generator. A run in time order is expected to print %s.",
			num(n-float64(finer*float64(l.Sample)), 0), num(n, 0), num(n-float64(*p.ClosedForm*float64(l.Sample)), 1),
			num(1/math.Erfc(math.Abs(*p.Z)/math.Sqrt2), 0), num(*p.ClosedForm, 2))
	}
	return words
}
