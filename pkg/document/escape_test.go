package document

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"

	"pagetouch/pkg/result"
)

func TestEscape(t *testing.T) {
	for s, want := range map[string]string{
		"1000*86400*31": `1000\*86400\*31`, "19.99": "19.99", "-0.3": "-0.3", "2025-03-01": "2025-03-01",
		"1. a": `1\. a`, "1)": `1\)`, "- a": `\- a`, "---": `\---`, "-": `\-`, "a|b": "a&#124;b", "a\nb": "a&#10;b", " a ": "&#32;a&#32;",
		"\x00\xff": "\uFFFD\uFFFD", "<script>": `\<script\>`, "http://a_b": `http\://a\_b`, "www.a": `www\.a`, "&amp;": `\&amp;`, "": "",
	} {
		if got := Escape(s); got != want {
			t.Errorf("Escape(%q) = %q, want %q", s, got, want)
		}
	}
}

// M3, M4: any string comes back from a table's head and cells, a list and a paragraph as it was.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"1000*86400*31", "a|`b|c`", "<script>alert(1)</script>", "``` x", "# a", "a_b_ __c__", "[x](y)", "![x](y)", "&amp; &#10;", "a\nb\r\n\tc",
		`\`, `\|`, `\\|`, "- a", "+", "1. a", "1)", "===", "---", "~~a~~", " a  b ", "", ":--", "http://a.b/c_d_e", "a@b.cd", "$x$", "\x00\xff\u2028", "> a", "<!-- -->", "* * *", "{{n}}"} {
		f.Add(s)
	}
	md := newMarkdown()
	f.Fuzz(func(t *testing.T, s string) {
		want := strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
		table := &result.Table{Columns: []result.Column{{Name: s}, {Name: "n"}}, Rows: [][]result.Cell{{result.Text(s), result.Count(1)}, {result.Text("x"), result.Text(s)}}}
		for source, element := range map[string]string{MarkdownTable(table): "t[hd]", list("", []string{s, "x"}): "li", Escape(s) + "\n": "p"} {
			var page bytes.Buffer
			if err := md.Convert([]byte(source), &page); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range regexp.MustCompile(`(?s)<`+element+`(?: [^>]*)?>(.*?)</`+element+`>`).FindAllStringSubmatch(page.String(), -1) {
				got = append(got, html.UnescapeString(m[1]))
			}
			expected := map[string][]string{"t[hd]": {want, "n", want, "1", "x", want}, "li": {want, "x"}, "p": {want}}[element]
			if s == "" && element == "p" {
				expected = nil
			}
			if strings.Join(got, "\x01") != strings.Join(expected, "\x01") {
				t.Errorf("%q as %q gives %q in\n%s", s, source, got, page.String())
			}
		}
	})
}
