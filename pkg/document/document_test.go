package document

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pagetouch/pkg/result"
)

func TestFiles(t *testing.T) {
	set := render(t, sample())
	if got := strings.Join(set.Paths(), " "); got != "README.md figures/bars.svg index.html results.json tables/main.csv tables/numbers.csv" {
		t.Error(got)
	}
	golden(t, "README.md", set["README.md"])
	golden(t, "results.json", set["results.json"])
	golden(t, "main.csv", set["tables/main.csv"])
	if string(set["figures/bars.svg"]) != svg {
		t.Error("the standalone picture was changed")
	}
}

// M1: nothing in a document comes from chance, maps or the clock.
func TestTwiceTheSame(t *testing.T) {
	first := render(t, sample())
	for range 5 {
		for name, content := range render(t, sample()) {
			if string(content) != string(first[name]) {
				t.Fatalf("%s differs", name)
			}
		}
	}
}

// R4: no number in the text outlives the result that it came from.
func TestNumbersFollowTheResult(t *testing.T) {
	d := sample()
	d.Results[0].Values[0].Number = 7777
	set := render(t, d)
	for _, name := range []string{"README.md", "index.html"} {
		if page := string(set[name]); strings.Contains(page, "1,999.2") || strings.Count(page, "7,777.0") != 2 {
			t.Errorf("%s keeps an old number", name)
		}
	}
}

func TestDate(t *testing.T) {
	for epoch, want := range map[string]string{"": "", "0": "1970-01-01", "1767225600": "2026-01-01", "x": "error", "-1": "error", "9e9": "error", "999999999999999": "error"} {
		date, err := SourceDate(epoch)
		got := ""
		if err != nil {
			got = "error"
		} else if !date.IsZero() {
			got = date.Format("2006-01-02")
		}
		if got != want {
			t.Errorf("SourceDate(%q) = %s, want %s", epoch, got, want)
		}
	}
	d := sample()
	d.Date = time.Unix(1767225600, 0)
	for name, want := range map[string]string{"README.md": "\n\nBuilt 2026-01-01.\n", "index.html": "Built 2026-01-01."} {
		if !strings.Contains(string(render(t, d)[name]), want) {
			t.Errorf("%s has no date", name)
		}
	}
}

func TestBadDocuments(t *testing.T) {
	for _, c := range []struct {
		spoil func(*Document)
		want  string
	}{
		{func(d *Document) { d.Results[0].Tables[0].Name = "../x" }, `table name "../x" (result "latest-20"): use small letters`},
		{func(d *Document) { d.Results[0].Tables[1].Name = "main" }, `two tables are named "main"`},
		{func(d *Document) { d.Results = append(d.Results, d.Results[0]) }, `two results are named "latest-20"`},
		{func(d *Document) { d.Results[0].Tables[0].Columns = nil }, `table "main" has no columns`},
		{func(d *Document) { d.Results[0].Tables[0].Rows[1] = nil }, `table "main", row 2: 0 cells for 3 columns`},
		{func(d *Document) { d.Results[0].Figures[0].Table = "no" }, `figure "bars" names table "no"`},
		{func(d *Document) { d.Results[0].Figures[0].Alt = "" }, `figure "bars" needs a title, and an alt text`},
		{func(d *Document) { d.Drawings = nil }, `figure "bars" of result "latest-20" was not drawn`},
		{func(d *Document) { d.Sections[1].Result = "latest-2" }, `section latest.md belongs to result "latest-2", which is not there; near it: "latest-20"`},
		{func(d *Document) { d.Sections[1].File = "no.md" }, `no.md`},
		{func(d *Document) { d.Results[0].Values[1].Number = math.NaN() }, `value "one" is NaN`},
		{func(d *Document) { d.Charts = []byte("'</SCRIPT>'") }, `would end it inside a page`},
	} {
		d := sample()
		c.spoil(d)
		_, err := d.Files()
		wantError(t, err, c.want)
	}
}

func TestBadDrawings(t *testing.T) {
	for svg, want := range map[string]string{
		``:                                  "missing",
		`<svg>`:                             "broken",
		`<svg></svg><svg></svg>`:            "starts with",
		`<html></html>`:                     "starts with <html>",
		`<svg><style>a{}</style></svg>`:     "holds <style>",
		`<svg><script>1</script></svg>`:     "holds <script>",
		`<svg><g style="x:y"/></svg>`:       "holds style=",
		`<svg onload="x()"></svg>`:          "holds onload=",
		`<svg><use href="http://x"/></svg>`: "holds href=",
	} {
		d := sample()
		d.Drawings["bars"] = Drawing{LightWide: []byte(svg), Standalone: []byte(svg)}
		if svg == "" {
			d.Drawings["bars"] = Drawing{}
		}
		_, err := d.Files()
		wantError(t, err, `figure "bars": its`)
		wantError(t, err, want)
	}
}

func TestCSVIsExact(t *testing.T) {
	table := &result.Table{Name: "t", Columns: []result.Column{{Name: "a,b", Unit: "s"}, {Name: "n"}},
		Rows: [][]result.Cell{{result.Text("=1+1"), result.Number(0.1, 0)}, {result.Text("\r\n"), {}}}}
	if got := string(CSV(table)); got != "\"a,b (s)\",n\n=1+1,0.1\n\"\r\n\",\n" {
		t.Errorf("%q", got)
	}
}

func TestLongDocument(t *testing.T) { // many sections, no result, no charts
	d := &Document{Title: "T", Text: fstest.MapFS{}}
	for i := range 20 {
		name := fmt.Sprint(i, ".md")
		d.Text.(fstest.MapFS)[name] = &fstest.MapFile{Data: []byte("## Same\r\n\r\ntext")}
		d.Sections = append(d.Sections, Section{File: name})
	}
	set := render(t, d)
	if page := string(set["index.html"]); !strings.Contains(page, `id="same-19"`) || strings.Contains(page, "<script") {
		t.Error("want twenty anchors and no script")
	}
	if !strings.Contains(string(set["README.md"]), "- [Same](#same-19)") {
		t.Error("the contents differ from the page's anchors")
	}
}
