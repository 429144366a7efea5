package document

import (
	"slices"
	"testing"

	"pagetouch/pkg/result"
)

func TestUnknownNames(t *testing.T) {
	for source, want := range map[string]string{
		"a\n{{n \"heap.page\"}}":                 `report/text/latest.md:2: no value "heap.page"; near it: "heap.pages"`,
		"{{u \"latest-20/heap.x\"}}":             `report/text/latest.md:1: no value "latest-20/heap.x"; near it: "latest-20/heap.pages"`,
		"\n\n{{param \"user\"}}":                 `report/text/latest.md:3: no parameter "user"; near it: "users"`,
		"{{headline \"latest-21\"}}":             `report/text/latest.md:1: no result "latest-21"; near it: "latest-20"`,
		"a\n{{number \"x\"}}":                    `report/text/latest.md:2: function "number" not defined`,
		"a\n{{n \"x\"":                           `report/text/latest.md:2: unclosed action`,
		"{{warnings}}\n\n```chart bar\n```\n":    `report/text/latest.md:3: no chart "bar"; near it: "bars"`,
		"```table bars\n```\n":                   `report/text/latest.md:1: no table "bars"; near it: "main", "numbers"`,
		"```plain sumary\n```\n":                 `report/text/latest.md:1: no plain text "sumary"; near it: "summary"`,
		"```table main\nx\n```\n":                `report/text/latest.md:1: the block table main holds text`,
		"- a\n\n  ```table main\n  ```\n":        `report/text/latest.md:3: table main stands in a list`,
		" ```table main\n```\n":                  `report/text/latest.md:1: table main stands in a list, a quote or an indent`,
		"```table main\n```\n```table main\n```": `report/text/latest.md:3: table main is already shown at report/text/latest.md:1`,
		"a <b>x</b>":                             `report/text/latest.md:1: raw HTML is not shown`,
		"x\n\n<div>\n</div>\n":                   `report/text/latest.md:3: raw HTML is not shown`,
		"a\n![x](y.png)":                         `report/text/latest.md:2: the page loads no image files`,
		"a\n\n# Top\n":                           `report/text/latest.md:3: the document's title is its only heading`,
	} {
		_, err := with(source).Files()
		wantError(t, err, want)
	}
	d := with("## Here\n\n[x](#ther)")
	d.Partial = false
	_, err := d.Files()
	wantError(t, err, `report/text/latest.md:3: link to #ther, which no heading has; near it: "here"`)
}

func TestAllErrorsAtOnce(t *testing.T) {
	_, err := with("{{n \"x\"}}\n\n```chart x\n```\n").Files()
	wantError(t, err, `latest.md:3: no chart "x"`)
	wantError(t, err, `latest.md:1: no value "x"`)
}

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		number float64
		unit   string
		want   string
	}{
		{1, "pages", "page"}, {2, "pages", "pages"}, {1.4, "pages", "page"}, {1, "entries", "entry"}, {1, "ms", "ms"}, {1, "glass", "glass"}, {1, "", ""},
	} {
		if got := unitOf(result.Value{Number: c.number, Unit: c.unit}); got != c.want {
			t.Errorf("%v %s: %s", c.number, c.unit, got)
		}
	}
}

func TestTypedNumbers(t *testing.T) {
	source := "## Latest 20\n\nIt has {{n \"latest-20/x\"}} rows,\n  not 3.5, nor (B1) or `8192`.\n\n" +
		"[issue 7](http://x/7) <http://y/8>\n\n```table t1\n```\n\n    code 9\n\n- on UTF-8\n\n| a1 |\n|----|\n| 2 |\n"
	want := []string{"f.md:1: 20", "f.md:4: 3.5", "f.md:4: B1", "f.md:15: a1", "f.md:17: 2"}
	if got := TypedNumbers("f.md", source, "UTF-8"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestNear(t *testing.T) {
	if d := distance("kitten", "sitting"); d != 3 {
		t.Error(d)
	}
	if got := near("x", map[string]int{}); got != "; there are none" {
		t.Error(got)
	}
}

func TestAnchors(t *testing.T) {
	ids := anchors{}
	for _, c := range [][2]string{{"Latest 20: A & B", "latest-20-a--b"}, {"Größe_x", "größe_x"}, {"Größe_x", "größe_x-1"}, {"a-1", "a-1"}, {"a", "a"}, {"a", "a-2"}} {
		if got := ids.next(c[0]); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}
