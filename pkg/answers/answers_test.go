package answers

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/dist"
	"pagetouch/pkg/page"
	"pagetouch/pkg/sizing"
	"pagetouch/pkg/workload"
)

// rows are a source whose entities are named by their numbers.
type rows struct{ *workload.Slice }

func (rows) Name(e int) string { return strconv.Itoa(e) }

const day = int64(86400e6)

// hand is 3 entities, by turns a row a day each for 12 days, the last with 4 rows only.
func hand() rows {
	s := &workload.Slice{}
	for d := range int64(12) {
		for e := range int32(3) {
			if e < 2 || d < 4 {
				s.Entity, s.Time, s.Size = append(s.Entity, e), append(s.Time, d*day), append(s.Size, 100)
			}
		}
	}
	return rows{s}
}

func question() Question {
	return Question{Latest: 5, Page: page.Format{Bytes: 400}, Entry: 16, RowBytes: 200, Limits: []sizing.Limit{{Store: "s", ID: "rows", Value: 8, Unit: "rows", Operator: ">", Counts: sizing.Rows, Kind: sizing.Hard, On: true}}}
}

// By hand: 2 rows a page. Rows 0, 3, 6, 9 of entity 0 are followed by every second position: its newest 5 lie on one page
// each, shared with entity 1's. In partitions they are the first 5 rows: of entity 0 pages 0 to 2, of entity 1, from
// position 12 on, pages 6 to 8.
func TestByHand(t *testing.T) {
	q := question()
	q.Range = 3 * day
	a, err := Ask(hand(), q)
	if err != nil {
		t.Fatal(err)
	}
	if a.Rows != 28 || a.Entities != 3 || a.Measured != 2 || a.Bytes != 2800 {
		t.Errorf("%+v", a.Trace)
	}
	if d := a.Latest.Layouts["arrival"].Data; d != dist.Of([]int64{5, 5}) {
		t.Errorf("arrival %+v", d)
	}
	if d := a.Latest.Layouts["partition"].Data; d != dist.Of([]int64{3, 3}) {
		t.Errorf("partition %+v", d)
	}
	// The range holds the newest row and those of the two days before it, not the one three days before.
	if d := a.Range.Layouts["arrival"].Returned; d != dist.Of([]int64{3, 3}) {
		t.Errorf("range %+v", d)
	}
	if s := a.Range.Partitions["day"]; s != (sizing.Span{Aligned: 3, Worst: 4}) {
		t.Errorf("range fan-out %+v", s)
	}
	// Days 0 to 11 of 1970 fall into ISO weeks of 4, 7 and 1 days.
	if a.Recommendation.Width != "week" || len(a.Limits) != 6 {
		t.Errorf("%+v, %d limits", a.Recommendation, len(a.Limits))
	}
}

// Rows placed at their own sizes lie on fewer pages, and partitions count the same bytes.
func TestRowSizes(t *testing.T) {
	q := question()
	q.RowBytes = 0
	a, err := Ask(hand(), q)
	if err != nil {
		t.Fatal(err)
	}
	if d := a.Latest.Layouts["partition"].Data; d != dist.Of([]int64{2, 2}) || a.Bytes != 2800 {
		t.Errorf("%+v, %d bytes", d, a.Bytes)
	}
}

func TestRefusals(t *testing.T) {
	early := int64(0)
	for _, c := range []struct {
		name   string
		change func(*Question)
	}{
		{"latest", func(q *Question) { q.Latest = 0 }}, {"range", func(q *Question) { q.Range = -1 }}, {"row", func(q *Question) { q.RowBytes = -1 }},
		{"page", func(q *Question) { q.Page.Bytes = 0 }}, {"now", func(q *Question) { q.Now = &early }}, {"entry", func(q *Question) { q.Entry = 300 }},
	} {
		q := question()
		c.change(&q)
		if _, err := Ask(hand(), q); err == nil {
			t.Errorf("%s: no error", c.name)
		}
	}
}

// Every entity with enough rows is asked once, and a group keeps no more than fits unless it is one entity.
func TestGroups(t *testing.T) {
	const seed = 63
	r := rand.New(rand.NewPCG(seed, 0))
	several := 0
	for range 200 {
		counts := make([]int64, r.IntN(300))
		for e := range counts {
			counts[e] = r.Int64N(1 << r.IntN(23))
		}
		n, whole := 1+r.Int64N(200_000), r.IntN(2) == 0
		var asked, want []int
		all := groups(counts, n, whole)
		if len(all) > 1 {
			several++
		}
		for _, g := range all {
			kept := int64(0)
			for _, e := range g {
				kept += map[bool]int64{true: counts[e], false: n}[whole]
			}
			if kept > groupRows && len(g) > 1 {
				t.Fatalf("seed %d: %d entities of %d rows in a group", seed, len(g), kept)
			}
			asked = append(asked, g...)
		}
		for e, c := range counts {
			if c >= n {
				want = append(want, e)
			}
		}
		if !slices.Equal(asked, want) {
			t.Fatalf("seed %d: asked %v, want %v", seed, asked, want)
		}
	}
	if several < 20 {
		t.Errorf("%d times several groups: want more", several)
	}
}

// The answers do not depend on how many groups the entities are read in: layouts are kept from the first.
func TestGroupsAgree(t *testing.T) {
	s, q := hand(), question()
	kinds := (&Answers{}).affordable(mostPerBucket, 3) // none that wants all rows of its entities
	one, several := make([]reader, len(kinds)), make([]reader, len(kinds))
	read := func(readers []reader, groups ...[]int) {
		for _, g := range groups {
			c, err := workload.Newest(s, g, q.Latest)
			if err != nil {
				t.Fatal(err)
			}
			if err := readAll(readers, kinds, q, q.input(evenRows{s, 200}, c), len(groups) > 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	read(one, []int{0, 1})
	read(several, []int{0}, []int{1})
	for i, k := range kinds {
		if a, b := one[i].latest.pages(), several[i].latest.pages(); a != b {
			t.Errorf("%s: %+v in one group, %+v in two", k.Name, a, b)
		}
	}
}

// Of many rows the heavy layouts are left out, and the answers say so.
func TestLeftOut(t *testing.T) {
	a := &Answers{}
	few := a.affordable(1<<40, 1<<20)
	if len(a.LeftOut) != 1 || !strings.Contains(a.LeftOut[0], "partition per month") || len(few) < 2 {
		t.Errorf("%q, %d layouts", a.LeftOut, len(few))
	}
	b := &Answers{}
	if all := b.affordable(1000, 10); b.LeftOut != nil || len(all) <= len(few) {
		t.Errorf("%q, %d layouts of few rows", b.LeftOut, len(all))
	}
}

func TestWidthsOnce(t *testing.T) {
	q := Question{Widths: []bucket.Width{bucket.Hour, bucket.Fixed(20 * 60e6), bucket.Fixed(20 * 60e6)}}
	if got := q.widths(); len(got) != 7 {
		t.Errorf("%v", got)
	}
}

// An hour that is too much is counted again in minutes: at 100 rows a minute, 30 minutes keep a limit of 4,000 rows. Who
// names widths is asked about those alone.
func TestFinerWidths(t *testing.T) {
	s := &workload.Slice{Bytes: 100}
	for i := range int64(12_001) { // two hours, and a row that breaks the step of whole minutes
		s.Entity, s.Time = append(s.Entity, 0), append(s.Time, i*600_000)
	}
	q := question()
	q.Limits[0].Value = 4000
	a, err := Ask(rows{s}, q)
	if err != nil {
		t.Fatal(err)
	}
	var widths []string
	for _, b := range a.Buckets {
		widths = append(widths, b.Width.String())
	}
	if a.Recommendation.Width != "30m" || a.Recommendation.Shards != 1 || strings.Join(widths, " ") != "hour day week month quarter year 30m" {
		t.Errorf("%s in %d shards of %v", a.Recommendation.Width, a.Recommendation.Shards, widths)
	}
	if !strings.Contains(a.Headline(), "Take a bucket of 30 minutes: its 5 buckets hold up to 3,000 rows") {
		t.Error(a.Headline())
	}
	q.Widths = []bucket.Width{bucket.Fixed(20 * 60e6)}
	if a, err = Ask(rows{s}, q); err != nil || a.Recommendation.Width != "20m" || len(a.Buckets) != 7 {
		t.Errorf("%s of %d widths, %v", a.Recommendation.Width, len(a.Buckets), err)
	}
}

// Rows of terabytes end in an error and not in memory; placed at a size that somebody gives they are answered.
func TestTooLarge(t *testing.T) {
	s := &workload.Slice{}
	for i := range int64(300) {
		s.Entity, s.Time, s.Size = append(s.Entity, 0), append(s.Time, i*day), append(s.Size, 2_000_000_000)
	}
	q := question()
	q.Page, q.RowBytes = page.Format{Bytes: 8192}, 0
	for latest, want := range map[int]string{20: "want at most 4194304", 5: "600000000000 bytes, 73242187 pages of 8192: want at most 8388608"} {
		q.Latest = latest
		if _, err := Ask(rows{s}, q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("latest %d: %v", latest, err)
		}
	}
	q.RowBytes = 200
	if a, err := Ask(rows{s}, q); err != nil || a.Bytes != 600_000_000_000 {
		t.Errorf("%v", err)
	}
}
