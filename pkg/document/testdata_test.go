package document

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"pagetouch/pkg/document/files"
	"pagetouch/pkg/result"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// golden compares with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(got) {
		t.Errorf("%s differs (rewrite with go test -update):\n%s", file, got)
	}
}

// A picture with what pictures have: ids, references, a blank line.
const svg = `<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" width="72" height="40" viewBox="0 0 72 40" role="img"><title>id="a" stays</title>
<clipPath id="a"><rect width="9" height="9"/></clipPath>

<rect id="a-b" clip-path="url(#a)" width="9" height="9"/><use href="#a-b"/></svg>`

// sample is a small document with everything in it.
func sample() *Document {
	text, number := result.Text, result.Number
	return &Document{
		Title: "Pages & rows", TextPath: "report/text",
		Text: fstest.MapFS{
			"intro.md": {Data: []byte("> {{headline \"latest-20\"}}\n\n{{param \"users\"}} users. See [how](#how-it-was-counted).\n\n```plain summary\n```\n")},
			"latest.md": {Data: []byte("## {{title}}\n\nRead {{u \"heap.pages\"}}, then {{n \"one\"}} or {{u \"one\"}}.\n\n" +
				"```chart bars\n```\n\n{{findings}}\n{{warnings}}\n### Numbers\n\n```table main\n```\nAfter.\n")},
			"how.md": {Data: []byte("## How it was counted\n\nFrom {{n \"latest-20/heap.pages\"}}.\n\n| a | b |\n|---|--:|\n| c | d |\n\n## Numbers\n")},
		},
		Sections:   []Section{{File: "intro.md"}, {"latest.md", "latest-20"}, {File: "how.md"}},
		Parameters: map[string]string{"users": "20,000 *"},
		Plain:      map[string]string{"summary": "rows   <1>\n```\n"},
		Results: []*result.Result{{
			Name: "latest-20", Title: "The latest 20: 2*3*4", Headline: "20 pages, not 1.\nReally.",
			Values:   []result.Value{{Name: "heap.pages", Unit: "data pages", Number: 1999.2, Decimals: 1}, {Name: "one", Unit: "entries", Number: 1}},
			Findings: []string{"- no list", "A | B <script>"},
			Warnings: []result.Warning{{Text: "1. Sampled."}},
			Tables: []result.Table{
				{Name: "main", Title: "Main", Caption: "Look at x|y.", Columns: []result.Column{{Name: "what"}, {Name: "cost", Unit: "pages"}, {Name: "Pages", Unit: "pages"}},
					Rows: [][]result.Cell{{text("1000*86400*31"), number(1234.5678, 2), {}}, {text("a|`b|c`,\"\n"), number(-1, 0), result.Count(7)}}},
				{Name: "numbers", Title: "Numbers", Columns: []result.Column{{Name: "x"}}, Rows: [][]result.Cell{{result.Count(1)}}},
			},
			Figures: []result.Figure{{Name: "bars", Title: "Bars [high]", Caption: "Some.", Alt: `Bars "a" > b`, Table: "numbers"}},
		}},
		Drawings: map[string]Drawing{"bars": {LightWide: []byte(svg), DarkWide: []byte(svg), LightNarrow: []byte(svg), DarkNarrow: []byte(svg),
			Standalone: []byte(svg), OptionWide: json.RawMessage(`{"title":"</script>"}`)}},
		Charts:   []byte("window.echarts = null;\r\n"),
		Themes:   Themes{Light: json.RawMessage(`{"name":"light"}`), Dark: json.RawMessage(`{"name":"dark"}`)},
		Licences: []Licence{{"Charts 1.0", "It draws.", "MIT", "Permission <is> granted."}},
		Record:   Record{Command: "go run ./report", Parameters: map[string]int{"users": 20000}},
	}
}

// render is the sample's files.
func render(t *testing.T, d *Document) files.Set {
	t.Helper()
	set, err := d.Files()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// with is the sample with another text for its second section.
func with(source string) *Document {
	d := sample()
	d.Text.(fstest.MapFS)["latest.md"] = &fstest.MapFile{Data: []byte(source)}
	d.Partial = true
	return d
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}
