// Package samples has figures of every kind, for tests: the shapes and the sizes that the report draws.
package samples

import (
	"fmt"
	"math"

	"pagetouch/pkg/result"
)

// Figures returns one or more figures of every kind.
func Figures() []result.Figure {
	return []result.Figure{bars(), stacked(), histogram(), hbars(), lines(), steps(), dots(), heat(), pagemap(), smallFiles()}
}

func bars() result.Figure {
	return result.Figure{
		Name: "bars", Kind: result.Bars, Title: "Data pages touched by a query", Alt: "A touches 19.98 pages for the latest 20 posts, B 1.475.",
		X: result.Axis{Name: "Query", Categories: []string{"latest 20 posts", "posts of March"}},
		Y: result.Axis{Name: "Pages touched a query", Unit: "pages", Decimals: 3},
		Series: []result.Series{
			{Name: "A: heap in order of arrival", Labels: true, Points: []result.Point{{X: 0, Y: 19.98}, {X: 1, Y: 8.245}}},
			{Name: "B: clustered by user", Labels: true, Points: []result.Point{{X: 0, Y: 1.475}, {X: 1, Y: 1.18}}},
		},
	}
}

func stacked() result.Figure {
	f := result.Figure{
		Name: "stacked", Kind: result.Bars, Title: "Pages by bucket width",
		X:     result.Axis{Name: "Bucket width", Categories: []string{"day", "week", "month", "quarter", "year", "one bucket for all time"}},
		Y:     result.Axis{Name: "Pages", Decimals: 1},
		Marks: []result.Mark{{Axis: "y", At: 24, Label: "budget of 24 pages"}},
	}
	for i, name := range []string{"index", "data", "empty probes"} {
		s := result.Series{Name: name, Stack: "pages"}
		for c := range f.X.Categories {
			s.Points = append(s.Points, result.Point{X: float64(c), Y: float64(3+i*2) / float64(1+c)})
		}
		f.Series = append(f.Series, s)
	}
	return f
}

func histogram() result.Figure {
	f := result.Figure{
		Name: "histogram", Kind: result.Bars, Title: "Posts a user",
		X:     result.Axis{Name: "Posts a user"},
		Y:     result.Axis{Name: "Users", Unit: "users"},
		Marks: []result.Mark{{Axis: "x", At: 20, Label: "mean: 100 posts"}},
	}
	s := result.Series{Name: "users"}
	for i := range 40 {
		f.X.Categories = append(f.X.Categories, fmt.Sprintf("%d-%d", 60+2*i, 61+2*i))
		s.Points = append(s.Points, result.Point{X: float64(i), Y: math.Round(1600 * math.Exp(-float64((i-20)*(i-20))/50))})
	}
	f.Series = []result.Series{s}
	return f
}

func hbars() result.Figure {
	f := result.Figure{
		Name: "hbars", Kind: result.HBars, Title: "Pages touched in every layout",
		Y:     result.Axis{Name: "Pages touched by the latest 20 posts of a user", Unit: "pages", Decimals: 2},
		Marks: []result.Mark{{Axis: "y", At: 20, Label: "one page a post"}},
	}
	data, index := result.Series{Name: "data pages", Stack: "p"}, result.Series{Name: "index pages", Stack: "p"}
	for i, name := range []string{
		"heap in order of arrival", "heap after CLUSTER", "CLUSTER and 10 % new rows", "covering index, vacuumed", "covering index, not vacuumed",
		"table clustered by user and time", "table clustered by row number with a secondary index", "LSM tree, compacted", "LSM tree, 20 runs",
		"partition for each user", "partition for each user and month", "partition for each month", "column file sorted by time", "column file sorted by user",
	} {
		f.X.Categories = append(f.X.Categories, name)
		data.Points = append(data.Points, result.Point{X: float64(i), Y: 19.98 / float64(1+i%5)})
		index.Points = append(index.Points, result.Point{X: float64(i), Y: 3.04 / float64(1+i%3)})
	}
	f.Series = []result.Series{data, index}
	return f
}

func lines() result.Figure {
	f := result.Figure{
		Name: "lines", Kind: result.Lines, Title: "Pages by length of the range",
		X: result.Axis{Name: "Length of the range", Unit: "days", Log: true},
		Y: result.Axis{Name: "Data pages touched", Unit: "pages", Log: true, Decimals: 2},
	}
	for i, name := range []string{"A: heap in order of arrival", "B: clustered", "C: month buckets", "D: column file"} {
		s := result.Series{Name: name}
		for _, days := range []float64{1, 3, 7, 14, 30, 90, 180, 365, 730, 1460} {
			s.Points = append(s.Points, result.Point{X: days, Y: 1 + days/float64(int(3)<<(2*i))})
		}
		f.Series = append(f.Series, s)
	}
	return f
}

func steps() result.Figure {
	f := result.Figure{
		Name: "steps", Kind: result.Steps, Title: "Largest partition by year of use",
		X:     result.Axis{Name: "Time since the first post", Unit: "months"},
		Y:     result.Axis{Name: "Largest partition", Unit: "MB", Decimals: 1},
		Marks: []result.Mark{{Axis: "y", At: 100, Label: "limit: 100 MB"}, {Axis: "x", At: 34, Label: "split here"}},
	}
	s, u := result.Series{Name: "one bucket a year"}, result.Series{Name: "one bucket a month"}
	for i := range 37 {
		s.Points = append(s.Points, result.Point{X: float64(i), Y: float64(i%12+1) * 7.3})
		u.Points = append(u.Points, result.Point{X: float64(i), Y: 7.3})
	}
	f.Series = []result.Series{s, u}
	return f
}

func dots() result.Figure {
	f := result.Figure{
		Name: "dots", Kind: result.Dots, Title: "Model against measurement",
		X: result.Axis{Name: "Pages by the model", Unit: "pages", Decimals: 2}, Y: result.Axis{Name: "Pages measured", Unit: "pages", Decimals: 2},
	}
	for i, name := range []string{"PostgreSQL", "SQLite", "Pebble"} {
		s := result.Series{Name: name}
		for j := range 12 {
			x := float64(1+j) * 1.7
			s.Points = append(s.Points, result.Point{X: x, Y: x + float64((i*5+j*7)%4)*0.4})
		}
		f.Series = append(f.Series, s)
	}
	return f
}

func heat() result.Figure {
	f := result.Figure{
		Name: "heat", Kind: result.Heat, Title: "Pages by users and range",
		X: result.Axis{Name: "Month", Categories: []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}},
		Y: result.Axis{Name: "Posts a user", Categories: []string{"1", "10", "100", "1,000", "10,000", "100,000"}, Decimals: 1},
	}
	s := result.Series{Name: "pages", Labels: true}
	for x := range 12 {
		for y := range 6 {
			s.Points = append(s.Points, result.Point{X: float64(x), Y: float64(y), Z: float64(x*y) / 2})
		}
	}
	f.Series = []result.Series{s}
	return f
}

func pagemap() result.Figure {
	a := result.Panel{Name: "A: heap in order of arrival", Pages: 50_000, Columns: 250}
	for i := range int64(20) {
		a.Touched = append(a.Touched, 1200+i*2437+(i*i*37)%900)
	}
	return result.Figure{
		Name: "pagemap", Kind: result.PageMap, Title: "Where the latest 20 posts of one user lie",
		Panels: []result.Panel{a, {Name: "B: clustered by user", Pages: 50_000, Columns: 250, Touched: []int64{23_417, 23_418}}},
	}
}

func smallFiles() result.Figure {
	return result.Figure{
		Name: "smallfiles", Kind: result.PageMap, Title: "Files of some pages",
		Panels: []result.Panel{
			{Name: "heap", Pages: 94, Columns: 10, Touched: []int64{0, 7, 9, 55, 93}},
			{Name: "index", Pages: 12, Columns: 10, Touched: []int64{0, 11}},
			{Name: "a file nobody read", Pages: 5, Columns: 10},
		},
	}
}
