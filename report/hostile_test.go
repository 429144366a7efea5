package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pagetouch/pkg/document"
)

// What cannot be answered ends in one clear line and exit 1, a wrong parameter in exit 2.
func TestHostileInput(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	for i := range 20000 {
		fmt.Fprintf(w, "%d,2026-01-01T00:00:%02dZ,%d\n", i*i%977, i%60, i*7919%1000)
	}
	w.Close()
	cut := z.String()[:z.Len()/2]
	rows := "entity,ts,bytes\na,2026-01-01T00:00:00Z,10\n"
	for _, c := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"directory", []string{t.TempDir()}, 1, "is a directory"},
		{"no file", []string{"/nowhere/at/all.csv"}, 2, "no such file"},
		{"empty", []string{file(t, "e.csv", "")}, 1, "is empty"},
		{"header only", []string{file(t, "h.csv", "entity,ts,bytes\n")}, 1, "no rows"},
		{"cut gzip", []string{file(t, "c.csv.gz", cut)}, 1, "cut"},
		{"no such column", []string{"-entity", "device", file(t, "r.csv", rows)}, 1, "device"},
		{"NUL bytes alone", []string{file(t, "n.csv", strings.Repeat("\x00", 4096))}, 1, "report: "},
		{"now before the rows", []string{"-now", "2020-01-01", file(t, "r.csv", rows)}, 1, "before the newest row"},
		{"row larger than any page", []string{"-page-bytes", "10", "-page-header", "10", file(t, "r.csv", rows)}, 2, "no room"},
		{"two files", []string{"a.csv", "b.csv"}, 2, "want one"},
		{"none", nil, 2, "want one"},
		{"bad width", []string{"-widths", "3y", "a.csv"}, 2, "bucket width"},
		{"bad limit", []string{"-limit", "rows", "a.csv"}, 2, "want what breaks it"},
		{"bad store", []string{"-store", "oracle", "a.csv"}, 2, "cassandra"},
		{"bad growth", []string{"-growth", "NaN", "a.csv"}, 2, "factor"},
		{"bad latest", []string{"-latest", "0", "a.csv"}, 2, "whole number"},
		{"bad range", []string{"-range", "forever", "a.csv"}, 2, "length of time"},
		{"unknown flag", []string{"-colour", "a.csv"}, 2, "trace -h"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, said, code := execute(t, append([]string{"trace", "-json"}, c.args...)...)
			if code != c.code || !strings.Contains(said, c.says) || out != "" {
				t.Errorf("exit %d: %q, on stdout %q; want exit %d, saying %q", code, said, out, c.code, c.says)
			}
			if n := strings.Count(said, "report: "); n != 1 {
				t.Errorf("%d lines of error: %q", n, said)
			}
		})
	}
	for _, c := range [][]string{{"size"}, {"size", "-rate", "1/year"}, {"size", "-rows", "-3"}, {"schema"}, {"schema", "/nowhere.cql"}, {"schema", "-rate", "1/s", "x.cql"}, {"question"},
		{"schema", file(t, "x.cql", "SELECT 1;")}, {"schema", file(t, "x.cql", "CREATE TABLE t (")}, {"schema", t.TempDir()}} {
		if _, said, code := execute(t, c...); code != 2 || strings.Count(said, "\n") != 1 {
			t.Errorf("%q: exit %d: %q; want 2 and a line", c, code, said)
		}
	}
	for _, c := range [][]string{{"size", "-partitions", file(t, "p.csv", "a,b\n1,2\n")}} {
		if _, said, code := execute(t, c...); code == 0 || !strings.HasPrefix(said, "report: ") {
			t.Errorf("%q: exit %d: %q", c, code, said)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, c := range []string{"trace", "size", "schema"} {
		if out, said, code := execute(t, c, "-h"); code != 0 || said != "" || !strings.Contains(out, "go run ./report "+c) {
			t.Errorf("%s -h: exit %d: %q %q", c, code, out, said)
		}
		if out, _, _ := execute(t, "-h"); !strings.Contains(out, "report "+c) {
			t.Errorf("-h says nothing of %s", c)
		}
	}
}

// One row is a trace; bad rows are counted, and said with file, line and reason.
func TestOneRowAndBadOnes(t *testing.T) {
	path := file(t, "one.csv", "entity,ts\na,2026-01-01T00:00:00Z\nb,yesterday\n,2026-01-01T00:00:00Z\n")
	var p printed
	answered(t, &p, "trace", path)
	if p.Rows != 1 || p.Bad != 2 || p.Measured != 0 || p.Bytes != 200 || p.Buckets["month"].MaxRows != 1 {
		t.Errorf("%+v", p)
	}
	_, said, _ := execute(t, "trace", "-json", path)
	if !strings.Contains(said, path+":3: ") || !strings.Contains(said, path+":4: ") || !strings.Contains(said, "2 bad rows") {
		t.Errorf("%q", said)
	}
	if _, said, code := execute(t, "trace", "-json", "-max-bad", "1", path); code != 1 || !strings.Contains(said, "-max-bad") {
		t.Errorf("exit %d: %q", code, said)
	}
}

// All rows of one time: no time bucket helps, and the answer says so.
func TestOneInstant(t *testing.T) {
	var p printed
	answered(t, &p, "trace", "-limit", "rows > 100", file(t, "i.csv", "entity,ts\n"+strings.Repeat("a,2026-01-01T00:00:00Z\n", 950)))
	if r := p.Recommendation; !r.NoHelp || r.Shards != 10 || !strings.Contains(strings.Join(r.Reasons, " "), "No time bucket can help") {
		t.Errorf("%+v", r)
	}
}

// rendered is the report of a trace, each figure an empty picture.
func rendered(t *testing.T, args ...string) map[string][]byte {
	t.Helper()
	o, err := parseTrace(args, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	read, q, a, err := ask(context.Background(), o, null)
	if err != nil {
		t.Fatal(err)
	}
	d, err := traceDocument(o, q, a, read)
	if err != nil {
		t.Fatal(err)
	}
	d.Drawings = map[string]document.Drawing{}
	for _, r := range d.Results {
		for _, f := range r.Figures {
			empty := []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>`)
			d.Drawings[f.Name] = document.Drawing{LightWide: empty, Standalone: empty}
		}
	}
	set, err := d.Files()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// A name that is a script, a table or a link is text wherever it is shown.
func TestNamesAreText(t *testing.T) {
	name := `<script>alert(1)</script>|[x](javascript:y)` + "\x00\x1b[2J`"
	rows := "entity,ts\n"
	for i := range 30 {
		rows += fmt.Sprintf("\"%s\",2026-01-01T00:%02d:00Z\n", name, i)
	}
	path := file(t, "<script>.csv", rows+"bad,time\n")
	set := rendered(t, "-range", "24h", path)
	for file, want := range map[string]string{
		"README.md": `\<script\>alert(1)\</script\>&#124;\[x\](javascript:y)`, "index.html": "&lt;script&gt;alert(1)&lt;/script&gt;|[x](javascript:y)",
		"tables/trace-partitions.csv": "<script>alert(1)</script>|[x](javascript:y)",
	} {
		if !strings.Contains(string(set[file]), want) {
			t.Errorf("%s lacks %q", file, want)
		}
	}
	page := string(set["index.html"])
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "\x00") {
		t.Error("index.html holds a script of the trace, or its NUL")
	}
	if strings.ContainsAny(string(set["README.md"]), "\x00\x1b") {
		t.Error("README.md holds control characters of the trace")
	}
	var p printed
	answered(t, &p, "trace", path)
	if p.Buckets["day"].MaxAt.Entity != name {
		t.Errorf("%q", p.Buckets["day"].MaxAt.Entity)
	}
	if _, said, _ := execute(t, "trace", "-json", path); strings.ContainsAny(said, "\x00\x1b") {
		t.Errorf("%q", said)
	}
}

// Text holds no number that somebody typed, whatever sections a trace has.
func TestTraceText(t *testing.T) {
	found, err := filepath.Glob("text/trace/*.md")
	if err != nil || len(found) < 10 {
		t.Fatal(found, err)
	}
	for _, name := range found {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, typed := range document.TypedNumbers(name, string(text)) {
			t.Error(typed)
		}
	}
	set := rendered(t, "-latest", "50", file(t, "few.csv", "entity,ts\na,2026-01-01T00:00:00Z\n"))
	if !strings.Contains(string(set["README.md"]), "No entity has 50 rows") {
		t.Error("a trace without measured entities does not say so")
	}
	var kept struct{ Results []json.RawMessage }
	if err := json.Unmarshal(set["results.json"], &kept); err != nil || len(kept.Results) < 3 {
		t.Error(err, len(kept.Results))
	}
}
