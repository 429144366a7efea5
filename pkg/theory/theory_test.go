package theory

import (
	"math"
	"math/rand/v2"
	"testing"

	"pagetouch/pkg/page"
)

var lesson = Even{Rows: 2_000_000, Users: 20_000, PerPage: 40, Fanout: 512}

var march = Window{Newer: 275. / 365, In: 31. / 365, Older: 59. / 365}

// The table of closed forms for the lesson's setting: values and standard errors of a mean of 1,000 users, checked once
// by simulating 80,000 users.
func TestLessonTable(t *testing.T) {
	mixed := lesson
	mixed.Others = 1_000_000
	for _, c := range []struct {
		name        string
		got         Estimate
		value       float64
		digits      float64 // half a unit of the last digit given
		se, seDigit float64
	}{
		{"A, latest 20, data pages", lesson.LatestArrivalPages(20), 19.9815, .00005, .0043, .00005},
		{"the same, times independent of arrival", lesson.LatestArrivalPagesAnyOrder(20), 19.9963, .00005, .0019, .00005},
		{"the same, the account mixed in", mixed.LatestArrivalPages(20), 19.9877, .00005, .0035, .00005},
		{"A, latest 20, index pages", lesson.LatestIndexPages(20), 3.0371, .00005, .0060, .00005},
		{"B, latest 20, data pages", lesson.LatestPartitionPages(20), 1.4750, .00005, .0158, .00005},
		{"B, index pages", lesson.PartitionIndexPages(), 2, 0, 0, 0},
		{"rows in March", lesson.RangeRows(march), 8.4932, .00005, .0922, .00005},
		{"A, March, data pages", lesson.RangeArrivalPages(march), 8.4849, .00005, .092, .0005},
		{"B, March, rows examined", lesson.RangePartitionExamined(march), 28.993, .0005, .376, .0005},
		{"B, March, data pages", lesson.RangePartitionPages(march), 1.2123, .00005, .0129, .00005},
	} {
		if se := c.got.StandardError(1000); math.Abs(c.got.Mean-c.value) > c.digits*1.01 || math.Abs(se-c.se) > c.seDigit*1.01 {
			t.Errorf("%s: %.5f with standard error %.5f, want %v, %v", c.name, c.got.Mean, se, c.value, c.se)
		}
	}
}

// Case P1d: 49,001 of 10,000,000 rows, 226 a page. Case P4: 22,552 of 10,000,000, 113 a block.
func TestDistinctPages(t *testing.T) {
	for _, c := range []struct {
		name string
		got  float64
		want float64
	}{
		{"P1d Yao", Yao(10_000_000, 226, 49_001), 29_668},
		{"P1d Cardenas", Cardenas(44_248, 49_001), 29_628},
		{"P4 Yao", Yao(10_000_000, 113, 22_552), 19_928},
		{"P4 Cardenas", Cardenas(88_496, 22_552), 19_908},
		{"all rows", Yao(100, 10, 100), 10},
		{"no row", Yao(100, 10, 0), 0},
	} {
		if math.Round(c.got) != c.want {
			t.Errorf("%s: %.2f, want %.0f", c.name, c.got, c.want)
		}
	}
}

// Case P1d once more, placed: 49,001 distinct rows anywhere in a file of 10,000,000. PostgreSQL touched 29,709 pages.
func TestDistinctPagesPlaced(t *testing.T) {
	file, draws := page.NewEven(page.PostgresHeap, 4), rand.New(rand.NewPCG(1, 4))
	rows, pages := map[int64]bool{}, map[int64]bool{}
	for len(rows) < 49_001 {
		row := draws.Int64N(10_000_000)
		rows[row] = true
		pages[file.Span(row).First] = true
	}
	// The number of empty pages has a standard deviation below that of as many independent ones: 98.
	if d := math.Abs(float64(len(pages)) - Yao(10_000_000, 226, 49_001)); d > 3*98 {
		t.Errorf("%d distinct pages, %.0f from Yao's", len(pages), d)
	}
}

func TestSmallCasesByHand(t *testing.T) {
	// Two rows a page, each row the entity's with chance 1/2: a gap of 1 (chance 1/2) shares with chance 1/2.
	if got := Shared(.5, 2); got != .25 {
		t.Errorf("Shared(1/2, 2) = %v, want 1/4", got)
	}
	// One row a bucket of four on average 1 each; latest 1: P(empty) = 1/e.
	even := Even{Rows: 4, Users: 1, PerPage: 40, Fanout: 512}
	want := 1 + math.Exp(-1) + math.Exp(-2)
	if got := even.BucketReads(1, []float64{.25, .25, .25}).Mean; math.Abs(got-want) > 1e-12 {
		t.Errorf("bucket reads %v, want %v", got, want)
	}
	// The account has every row: its newest 20 fill one page of 40.
	if got := AccountPages(400, 400, 40, 20); got != 1 {
		t.Errorf("account pages %v, want 1", got)
	}
	// One row in two: the newest 1 of the last 2 is missing with chance 1/4, of the last 4 with 1/16, ...
	if got := AccountPages(1<<40, 1<<39, 2, 1); math.Abs(got-(1+1./4+1./16+1./64+1./256+1./1024+1./4096+1./16384)) > 1e-4 {
		t.Errorf("account pages %v", got)
	}
	if math.Abs(FinitePopulation(1000, 20_000)-.9747) > .00005 {
		t.Errorf("finite population %v, want 0.975", FinitePopulation(1000, 20_000))
	}
}

// Yao's random 2-3 trees and their like: for odd nodes the closed form in harmonic numbers, in the limit ln 2.
func TestSplitRows(t *testing.T) {
	harmonic := func(n int64) (sum float64) {
		for i := int64(1); i <= n; i++ {
			sum += 1 / float64(i)
		}
		return sum
	}
	for _, b := range []int64{3, 5, 7, 39, 41, 1001} {
		want := float64(b+1) * (harmonic(b+1) - harmonic((b+1)/2))
		if got := SplitRows(b); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%d rows a leaf: %v, want %v", b, got, want)
		}
	}
	if got := SplitRows(1<<20) / (1 << 20); math.Abs(got-math.Ln2) > 1e-6 {
		t.Errorf("large leaves are %v full, want ln 2", got)
	}
	// By hand: leaves of 2 rows split into 1 and 2: a1 = 1/2 a2 ... 2 a1 = s, 3 a2 = a1 + s, so a2 = a1, mean 3/2.
	if got := SplitRows(2); got != 1.5 {
		t.Errorf("2 rows a leaf: %v, want 1.5", got)
	}
}

// What PostgreSQL 15 and MariaDB 10.11 touched, mean of 200 users of 20,000 with 2,000,000 posts, within 2 standard errors.
func TestEnginesMeasured(t *testing.T) {
	// Inner pages of a B-tree are built 70 % full of 28-byte entries: 203 of them.
	postgres := Even{Rows: 2_000_000, Users: 20_000, PerPage: 34, Fanout: 203}
	for _, c := range []struct {
		name     string
		got      Estimate
		measured float64
	}{
		{"after CLUSTER", postgres.LatestDecayedPages(20, 0), 1.58},
		{"CLUSTER and 10 % new rows", postgres.LatestDecayedPages(20, 0.1), 11.48},
		{"covering, vacuumed: index and map pages", postgres.LatestCoveringPages(20, 33, 32_672), 4.60 + 1},
		{"covering, vacuumed: heap", postgres.LatestFetched(20, 0, 200), 0},
		{"covering, before VACUUM", postgres.LatestFetched(20, 1, 200), 20.0},
	} {
		if se := c.got.StandardError(200); math.Abs(c.got.Mean-c.measured) > max(.005, 2*se)+.005 {
			t.Errorf("%s: %.3f with standard error %.3f, measured %v", c.name, c.got.Mean, se, c.measured)
		}
	}
	if got := ChangedPages(.01, 34); math.Abs(got-.29) > .005 {
		t.Errorf("1 %% of rows changed: %v of the pages, want 29 %%", got)
	}
}
