package svg

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pagetouch/pkg/figure"
	"pagetouch/pkg/figure/cache"
	"pagetouch/pkg/figure/echarts"
	"pagetouch/pkg/figure/internal/samples"
	"pagetouch/pkg/result"
)

var update = flag.Bool("update", false, "write the drawings' hashes to testdata/golden.txt, and the drawings beside it, ending in .got.svg")

func library(t *testing.T) []byte {
	t.Helper()
	code, err := echarts.Load(t.Context())
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no ECharts: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func pictures(t *testing.T, f result.Figure) (all []Picture) {
	t.Helper()
	for w, width := range []string{"wide", "narrow"} {
		option, err := figure.Option(f, figure.Width(w))
		if err != nil {
			t.Fatal(err)
		}
		for theme, name := range []string{"light", "dark"} {
			p := Picture{ID: f.Name + "-" + width + "-" + name, Option: option, Theme: figure.Theme(theme).JSON(),
				Title: f.Title, Description: figure.Describe(f), Paper: figure.Theme(theme).Paper()}
			p.Width, p.Height = figure.Size(f, figure.Width(w))
			all = append(all, p)
		}
	}
	return all
}

// ECharts does not complain of what it does not understand: it leaves marks out. So they are counted.
func TestEveryMarkIsDrawn(t *testing.T) {
	r := New(library(t))
	for _, f := range samples.Figures() {
		for _, p := range pictures(t, f) {
			drawn, err := r.Render(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			var theme struct{ Color []string }
			if err := json.Unmarshal(p.Theme, &theme); err != nil {
				t.Fatal(err)
			}
			want := make(map[string]int) // by colour, or what else tells the marks
			for i, s := range f.Series {
				want[`fill="`+theme.Color[i]] = len(s.Points)
				if len(f.Series) > 1 {
					want[`fill="`+theme.Color[i]]++ // in the legend
				}
				if f.Kind == result.Heat {
					want = map[string]int{`stroke="rgb(128,128,128)" stroke-opacity="0.35"`: len(s.Points)}
				}
				if f.Kind == result.Lines || f.Kind == result.Steps {
					want[`fill="none" stroke="`+theme.Color[i]] = 1
				}
			}
			for i, panel := range f.Panels {
				want[`fill="`+theme.Color[i]] = len(panel.Touched)
			}
			for _, m := range f.Marks {
				want[">"+m.Label+"<"] = 1
				want[`stroke-dasharray="6,3"`] = len(f.Marks)
			}
			for mark, n := range want {
				if got := bytes.Count(drawn, []byte(mark)); got != n {
					t.Errorf("%s: %d marks with %s, want %d", p.ID, got, mark, n)
				}
			}
		}
	}
}

func TestDrawingsAreCleanAndStandTogether(t *testing.T) {
	r := New(library(t))
	ids := make(map[string]bool)
	for _, f := range samples.Figures() {
		for _, p := range pictures(t, f) {
			drawn, err := r.Render(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			in := xml.NewDecoder(bytes.NewReader(drawn))
			var links []string
			for {
				token, err := in.Token()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%s: %v", p.ID, err)
				}
				element, _ := token.(xml.StartElement)
				if element.Name.Local == "style" || element.Name.Local == "script" {
					t.Errorf("%s: a %s element", p.ID, element.Name.Local)
				}
				for _, a := range element.Attr {
					switch name := a.Name.Local; {
					case name == "id":
						if ids[a.Value] {
							t.Errorf("the id %s is there twice", a.Value)
						}
						ids[a.Value] = true
					case name == "style", name == "class", name == "dominant-baseline", strings.HasPrefix(name, "ecmeta"), strings.HasPrefix(name, "on"):
						t.Errorf("%s: attribute %s", p.ID, name)
					case strings.Contains(a.Value, "url(#"):
						links = append(links, strings.TrimSuffix(strings.TrimPrefix(a.Value, "url(#"), ")"))
					}
				}
			}
			for _, link := range links {
				if !ids[link] {
					t.Errorf("%s: a link to %s, which is nowhere", p.ID, link)
				}
			}
		}
	}
}

func TestGolden(t *testing.T) {
	lib := library(t)
	if cache.Sum(lib) != echarts.SHA256 {
		t.Skip("another ECharts than the pinned one draws other bytes")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // an earlier run may have drawn with another goja
	t.Setenv("HOME", t.TempDir())
	var all []Picture
	for _, f := range samples.Figures() {
		all = append(all, pictures(t, f)...)
	}
	svgs, err := New(lib).RenderAll(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for i, p := range all {
		fmt.Fprintf(&got, "%s %s\n", cache.Sum(svgs[i]), p.ID)
		if *update {
			if err := os.WriteFile(filepath.Join("testdata", p.ID+".got.svg"), svgs[i], 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	path := filepath.Join("testdata", "golden.txt")
	if *update {
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got.String() {
		t.Errorf("the drawings changed (%v): look at them, then run with -update\n%s", err, got.String())
	}
}

func TestSameBytesWhateverTheParallelism(t *testing.T) {
	lib := library(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	var all []Picture
	for i := range 6 {
		f := result.Figure{Name: fmt.Sprint("random", i), Kind: []result.Kind{result.Bars, result.HBars, result.Lines, result.Steps, result.Dots}[i%5]}
		n := 2 + rng.IntN(12)
		for c := range n {
			if i%5 < 2 {
				f.X.Categories = append(f.X.Categories, fmt.Sprint("category ", c))
			}
		}
		for s := range 1 + rng.IntN(4) {
			series := result.Series{Name: fmt.Sprint("series ", s), Labels: rng.IntN(2) == 0}
			for c := range n {
				series.Points = append(series.Points, result.Point{X: float64(c), Y: rng.Float64() * 1000})
			}
			f.Series = append(f.Series, series)
		}
		all = append(all, pictures(t, f)[0])
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // draw again
	t.Setenv("HOME", t.TempDir())
	together, err := New(lib).RenderAll(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	program, err := New(lib).program()
	if err != nil {
		t.Fatal(err)
	}
	for i := len(all) - 1; i >= 0; i-- {
		alone, err := draw(t.Context(), program, all[i])
		if err == nil {
			alone, err = clean(alone, all[i])
		}
		if err != nil || !bytes.Equal(alone, together[i]) {
			t.Errorf("%s: other bytes alone than with others (%v)", all[i].ID, err)
		}
	}
}

func TestHostileTexts(t *testing.T) {
	r := New(library(t))
	f := samples.Figures()[0]
	f.Title, f.Alt, f.Series[0].Name = "a < b & \"c\"", "</svg><script>", "</script><script>alert(1)</script>"
	drawn, err := r.Render(t.Context(), pictures(t, f)[0])
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(drawn, []byte("<script")) || bytes.Contains(drawn, []byte("</script")) || bytes.Count(drawn, []byte("</svg>")) != 1 {
		t.Error("a text became an element")
	}
	if err := xml.Unmarshal(drawn, new(struct{})); err != nil {
		t.Error(err)
	}
}

func TestErrorsNameThePicture(t *testing.T) {
	_, err := New([]byte("this is no script")).Render(t.Context(), Picture{ID: "x"})
	if err == nil || !strings.HasPrefix(err.Error(), `drawing "x": the ECharts script`) {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(nil).Render(ctx, Picture{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want canceled", err)
	}
}

func BenchmarkDraw(b *testing.B) {
	lib, err := echarts.Load(b.Context())
	if err != nil {
		b.Skip(err)
	}
	program, err := New(lib).program()
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range samples.Figures() {
		option, err := figure.Option(f, figure.Wide)
		if err != nil {
			b.Fatal(err)
		}
		p := Picture{ID: f.Name, Option: option, Theme: figure.Light.JSON()}
		p.Width, p.Height = figure.Size(f, figure.Wide)
		b.Run(f.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := draw(b.Context(), program, p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
