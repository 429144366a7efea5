package figure

import (
	"bytes"
	"encoding/json"
	"math"
	"os/exec"
	"strings"
	"testing"

	"pagetouch/pkg/figure/internal/samples"
	"pagetouch/pkg/result"
)

func TestOptionsHoldDataOnly(t *testing.T) {
	for _, f := range samples.Figures() {
		for _, w := range []Width{Wide, Narrow} {
			option, err := Option(f, w)
			if err != nil {
				t.Fatal(err)
			}
			again, _ := Option(f, w)
			if !json.Valid(option) || !bytes.Equal(option, again) {
				t.Errorf("%s: not JSON, or not the same twice", f.Name)
			}
			for _, banned := range []string{"__f__", "function", "=>", "</", "#5470c6"} {
				if bytes.Contains(option, []byte(banned)) {
					t.Errorf("%s: the option contains %q", f.Name, banned)
				}
			}
			if !bytes.Contains(option, []byte(`"renderMode":"richText"`)) {
				t.Errorf("%s: its tooltip would need inline styles", f.Name)
			}
		}
	}
}

func TestTooltipsSayNameAndValue(t *testing.T) {
	for name, want := range map[string]string{
		"bars":    `A: heap in order of arrival\nQuery: latest 20 posts\n19.980 pages`,
		"lines":   `B: clustered\nLength of the range: 365 days\nData pages touched: 31.42 pages`,
		"heat":    `pages\nMonth: Dec\nPosts a user: 100,000\n27.5`,
		"pagemap": `B: clustered by user\npage 23,418 of 50,000`,
	} {
		option, err := Option(sample(t, name), Narrow)
		if err != nil || !bytes.Contains(option, []byte(want)) {
			t.Errorf("%s: no tooltip says %s (%v)", name, want, err)
		}
	}
}

func TestHostileNames(t *testing.T) {
	f := sample(t, "bars")
	f.Series[0].Name = "</script><script>alert(1)</script>{a}"
	f.X.Categories = []string{"<b>", "&amp;"}
	option, err := Option(f, Wide)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsAny(option, "<>&") {
		t.Error("the option could end the script element that carries it")
	}
}

func TestWhatCannotBeDrawnIsAnError(t *testing.T) {
	for want, damage := range map[string]func(*result.Figure){
		`figure "bars": unknown kind "pie"`:                         func(f *result.Figure) { f.Kind = "pie" },
		`no series`:                                                 func(f *result.Figure) { f.Series = nil },
		`series 1 ("B: clustered by user"): no points`:              func(f *result.Figure) { f.Series[1].Points = nil },
		`series 0 ("A: heap in order of arrival"): point 1: y: NaN`: func(f *result.Figure) { f.Series[0].Points[1].Y = math.NaN() },
		`point 0: y: +Inf is not a finite number`:                   func(f *result.Figure) { f.Series[0].Points[0].Y = math.Inf(1) },
		`point 0: x: 2 is not the number of one of 2 categories`:    func(f *result.Figure) { f.Series[0].Points[0].X = 2 },
		`point 1: a second value for the same category`:             func(f *result.Figure) { f.Series[0].Points[1].X = 0 },
		`needs x.categories`:                                        func(f *result.Figure) { f.X.Categories = nil },
		`0 cannot stand on a logarithmic axis`:                      func(f *result.Figure) { f.Y.Log, f.Series[0].Points[0].Y = true, 0 },
		`mark 0 ("limit"): axis "z", want x or y`:                   func(f *result.Figure) { f.Marks = []result.Mark{{Axis: "z", Label: "limit"}} },
		`several series need names of their own`:                    func(f *result.Figure) { f.Series[1].Name = f.Series[0].Name },
		`y axis: min 3 is not below max 1`:                          func(f *result.Figure) { lo, hi := 3.0, 1.0; f.Y.Min, f.Y.Max = &lo, &hi },
		`kind "lines" has numeric axes, but categories were given`:  func(f *result.Figure) { f.Kind = result.Lines },
		`needs panels`:                         func(f *result.Figure) { f.Kind = result.PageMap },
		`touched page 9 is not one of 9`:       func(f *result.Figure) { onePanel(f, 9) },
		`touched pages are not ascending at 3`: func(f *result.Figure) { onePanel(f, 3, 3) },
		`a heat figure has one series, not 2`:  func(f *result.Figure) { f.Kind, f.Y.Categories = result.Heat, []string{"a"} },
	} {
		f := sample(t, "bars")
		damage(&f)
		if option, err := Option(f, Wide); err == nil || !strings.Contains(err.Error(), want) || option != nil {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

func onePanel(f *result.Figure, touched ...int64) {
	f.Kind, f.Panels = result.PageMap, []result.Panel{{Name: "p", Pages: 9, Columns: 3, Touched: touched}}
}

func TestPowersAreExact(t *testing.T) {
	for _, c := range []struct{ x, below, above float64 }{
		{1, 1, 1}, {1000, 1000, 1000}, {1e-3, 1e-3, 1e-3}, {999.9999999999999, 100, 1000}, {1460, 1000, 10000}, {0.02, 0.01, 0.1},
	} {
		if b, a := powerBelow(c.x), powerAbove(c.x); b != c.below || a != c.above {
			t.Errorf("%v lies between %v and %v, want %v and %v", c.x, b, a, c.below, c.above)
		}
	}
	for hi, want := range map[float64]float64{0: 1, 100: 120, 24: 25, 0.9: 1, 19.98: 25} {
		if got := niceAbove(hi); got != want {
			t.Errorf("niceAbove(%v) = %v, want %v", hi, got, want)
		}
	}
}

// What a notebook imports is linked for every cell it runs.
func TestImportsAreLean(t *testing.T) {
	deps, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Skip("the go command does not run here: ", err)
	}
	for _, heavy := range []string{"goja", "esbuild"} {
		if bytes.Contains(deps, []byte(heavy)) {
			t.Errorf("pkg/figure imports %s", heavy)
		}
	}
}

func sample(t *testing.T, name string) result.Figure {
	t.Helper()
	for _, f := range samples.Figures() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no sample %q", name)
	return result.Figure{}
}

// The label of a level mark stands where no line runs: above it at the right, if that is free, and else beside the plot.
func TestMarkLabelsKeepClearOfLines(t *testing.T) {
	at := func(points ...result.Point) string {
		f := result.Figure{Name: "f", Kind: result.Lines, X: result.Axis{Name: "x"}, Y: result.Axis{Name: "y"},
			Series: []result.Series{{Points: points}}, Marks: []result.Mark{{Axis: "y", At: 40, Label: "a limit"}}}
		_, place := newSheet(f, Wide).labelOf(f.Marks[0])
		return place
	}
	for _, c := range []struct {
		points []result.Point
		want   string
	}{
		{[]result.Point{{X: 0, Y: 0}, {X: 100, Y: 0}, {X: 100, Y: 100}}, "insideEndTop"},
		{[]result.Point{{X: 0, Y: 45}, {X: 100, Y: 45}, {X: 100, Y: 100}}, "insideEndBottom"},
		{[]result.Point{{X: 0, Y: 100}, {X: 60, Y: 50}, {X: 95, Y: 37}, {X: 95, Y: 43}}, "insideStartTop"},
		{[]result.Point{{X: 0, Y: 43}, {X: 60, Y: 46}, {X: 95, Y: 37}, {X: 95, Y: 43}, {X: 100, Y: 100}}, "insideStartBottom"},
		{[]result.Point{{X: 5, Y: 37}, {X: 5, Y: 43}, {X: 20, Y: 90}, {X: 80, Y: 90}, {X: 95, Y: 37}, {X: 95, Y: 43}}, "insideMiddleTop"},
		{[]result.Point{{X: 0, Y: 37}, {X: 100, Y: 37}, {X: 0, Y: 43}, {X: 100, Y: 43}}, "end"},
	} {
		if got := at(c.points...); got != c.want {
			t.Errorf("%v: %s, want %s", c.points, got, c.want)
		}
	}
}
