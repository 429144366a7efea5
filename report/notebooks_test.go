package main

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pagetouch/pkg/document"
	"pagetouch/pkg/result"
)

// stored is a notebook as it is on the disk.
type stored struct {
	Cells []struct {
		Type    string   `json:"cell_type"`
		Source  []string `json:"source"`
		Outputs []struct {
			Data map[string]json.RawMessage `json:"data"`
		} `json:"outputs"`
	} `json:"cells"`
}

func notebooks(t *testing.T) map[string]stored {
	files, err := filepath.Glob("../notebooks/*.ipynb")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d notebooks, %v; want 8 or more", len(files), err)
	}
	all := map[string]stored{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var n stored
		if err := json.Unmarshal(b, &n); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		all[filepath.Base(f)] = n
	}
	return all
}

// shown is all HTML that the notebook's cells put out.
func (n stored) shown(t *testing.T) string {
	var all strings.Builder
	for _, c := range n.Cells {
		for _, o := range c.Outputs {
			var lines []string
			if err := json.Unmarshal(o.Data["text/html"], &lines); err != nil {
				t.Fatalf("an output is no HTML: %v", err)
			}
			all.WriteString(strings.Join(lines, ""))
		}
	}
	return all.String()
}

var (
	imageTag = regexp.MustCompile(`<img src="data:image/svg\+xml;base64,([^"]*)"`)
	tableTag = regexp.MustCompile(`(?s)<p><strong>([^<]*)</strong></p>\n<table>\n(.*?)</table>`)
	rowTag   = regexp.MustCompile(`(?s)<tr>(.*?)</tr>`)
	cellTag  = regexp.MustCompile(`(?s)<t[hd][^>]*>(.*?)</t[hd]>`)
)

// The lesson's four notebooks show what the appendix shows: each figure has the bytes of one of its files, and each table
// the numbers of one of its tables.
func TestNotebooksShowTheAppendix(t *testing.T) {
	dir := "appendix"
	if _, err := os.Stat(filepath.Join(dir, "tables")); err != nil {
		dir = filepath.Join(t.TempDir(), "appendix")
		if code, _, said := report(t, "-out", dir, "-only", "latest-20,march-2025,big-account,month-buckets"); code != 0 {
			t.Fatalf("exit %d: %s", code, said)
		}
	}
	figures := map[string]string{} // by content
	for _, f := range glob(t, filepath.Join(dir, "figures", "*.svg")) {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		figures[string(bytes.TrimSpace(b))] = f
	}
	var tables [][][]string
	for _, f := range glob(t, filepath.Join(dir, "tables", "*.csv")) {
		in, err := os.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(in).ReadAll()
		in.Close()
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		tables = append(tables, rows)
	}
	for name, n := range notebooks(t) {
		if name > "05" {
			continue
		}
		all := n.shown(t)
		images := imageTag.FindAllStringSubmatch(all, -1)
		if len(images) == 0 || len(images) != strings.Count(all, "<img") {
			t.Errorf("%s: %d of %d images are SVG", name, len(images), strings.Count(all, "<img"))
		}
		for i, m := range images {
			svg, err := base64.StdEncoding.DecodeString(m[1])
			if err != nil || figures[string(bytes.TrimSpace(svg))] == "" {
				t.Errorf("%s: figure %d is none of the appendix (%v)", name, i+1, err)
			}
		}
		found := tableTag.FindAllStringSubmatch(all, -1)
		if len(found) == 0 || len(found) != strings.Count(all, "<table>") {
			t.Errorf("%s: %d of %d tables were read", name, len(found), strings.Count(all, "<table>"))
		}
		for _, m := range found {
			rows := cells(m[2])
			same := 0
			for _, table := range tables {
				if prints(table, rows) {
					same++
				}
			}
			if same != 1 {
				t.Errorf("%s: %d tables of the appendix are its table %q, want 1", name, same, m[1])
			}
		}
	}
}

func glob(t *testing.T, pattern string) []string {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files, %v", pattern, err)
	}
	return files
}

func cells(table string) (rows [][]string) {
	plain := strings.NewReplacer("<span>", "", "</span>", "")
	for _, r := range rowTag.FindAllStringSubmatch(table, -1) {
		var row []string
		for _, c := range cellTag.FindAllStringSubmatch(r[1], -1) {
			row = append(row, html.UnescapeString(plain.Replace(c[1])))
		}
		rows = append(rows, row)
	}
	return rows
}

// prints reports whether the second table is the first one, whose numbers are exact, as printed for people.
func prints(exact, printed [][]string) bool {
	if len(exact) != len(printed) {
		return false
	}
	for i := range exact {
		if len(exact[i]) != len(printed[i]) {
			return false
		}
		for j, e := range exact[i] {
			p := printed[i][j]
			x, err := strconv.ParseFloat(e, 64)
			_, decimals, _ := strings.Cut(p, ".")
			switch {
			case e == p, e == "" && p == "–":
			case err == nil && result.Format(x, len(decimals)) == p:
			default:
				return false
			}
		}
	}
	return true
}

// A number in a notebook's prose would stay when the result beside it changes.
func TestNoNumberIsTypedInNotebooks(t *testing.T) {
	for name, n := range notebooks(t) {
		for i, c := range n.Cells {
			if c.Type != "markdown" {
				continue
			}
			for _, typed := range document.TypedNumbers(fmt.Sprintf("%s, cell %d", name, i+1), strings.Join(c.Source, "")) {
				t.Error(typed)
			}
		}
	}
}
