// Package document turns results into pages that people read. In: a lesson's text as Markdown files with named places
// (see text.go for the syntax), the results those places refer to, and each figure drawn. Out: a set of files - README.md
// for a code host, one offline index.html, every table as CSV, every figure as SVG, and results.json.
//
// The package computes and draws nothing: the same input gives the same bytes on every machine. Subpackage files puts
// the set on a disk or compares it with one, serve previews it in a browser, progress reports long steps on a terminal.
package document

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"pagetouch/pkg/document/files"
	"pagetouch/pkg/result"
)

// Document is everything that one report is made of.
type Document struct {
	Title    string // plain text
	Language string // of the text, as in HTML; "" is "en"

	Text     fs.FS     // the Markdown files
	TextPath string    // where Text lies, put before its file names in error messages
	Sections []Section // in the order in which they are read

	Partial    bool // sections are left out: a link to a heading in one of them is no error
	Results    []*result.Result
	Parameters map[string]string // what {{param "name"}} prints
	Plain      map[string]string // what ```plain NAME shows, as in a terminal
	Record     Record            // goes into results.json

	Drawings map[string]Drawing // one for each figure of the results, by its name
	Charts   []byte             // the script that defines window.echarts; nil leaves the static pictures
	Themes   Themes             // the colours that it draws with
	Licences []Licence          // of the libraries that index.html carries

	Date time.Time // printed when set; see SourceDate
}

// Section is one text file of a document.
type Section struct {
	File   string // in Document.Text
	Result string // whose values a bare name means; "" for prose about several results
}

// Themes are the two themes of ECharts for interactive charts, those that the static pictures were drawn with.
type Themes struct {
	Light json.RawMessage `json:"light"`
	Dark  json.RawMessage `json:"dark"`
}

// Drawing is one figure, drawn. Only LightWide and Standalone must be there: what is missing is replaced by the picture
// next to it (a narrow one by the wide one, a dark one by the light one).
type Drawing struct {
	LightWide, DarkWide     []byte          // SVG for a page
	LightNarrow, DarkNarrow []byte          // the same for a phone
	Standalone              []byte          // SVG for a file of its own, with a background
	OptionWide              json.RawMessage // ECharts option; nil leaves the static picture
	OptionNarrow            json.RawMessage // ... for a phone; nil is OptionWide
}

// Licence is the licence of one library.
type Licence struct {
	Library string // with its version
	Use     string // what it does in the page, one sentence
	Name    string // for example "Apache-2.0"
	Text    string // in full
}

// SourceDate reads the variable SOURCE_DATE_EPOCH, by which builders ask for a date: seconds since 1970.
// An empty one means no date.
func SourceDate(epoch string) (time.Time, error) {
	if epoch == "" {
		return time.Time{}, nil
	}
	n, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil || n < 0 || n > 253402300799 { // the last second of the year 9999
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is %q: give whole seconds since 1970, or unset it", epoch)
	}
	return time.Unix(n, 0).UTC(), nil
}

// Files renders the document.
func (d *Document) Files() (files.Set, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	chapters, err := d.chapters()
	if err != nil {
		return nil, err
	}
	set := files.Set{"README.md": d.markdown(chapters)}
	if set["index.html"], err = d.html(chapters); err != nil {
		return nil, err
	}
	if set[resultsFile], err = d.JSON(); err != nil {
		return nil, err
	}
	for _, r := range d.Results {
		for i := range r.Tables {
			set["tables/"+r.Tables[i].Name+".csv"] = CSV(&r.Tables[i])
		}
		for _, f := range r.Figures {
			set["figures/"+f.Name+".svg"] = d.Drawings[f.Name].Standalone
		}
	}
	return set, nil
}

// Kind recognises a folder that Files once filled, so that nothing else is ever replaced.
func Kind() files.Kind {
	return files.Kind{
		Marker: resultsFile, Holds: `"schema": "` + family,
		Patterns: []string{"README.md", "index.html", resultsFile, "tables/*.csv", "figures/*.svg", ".DS_Store"},
		Optional: []string{"index.html"},
	}
}

// check finds what would make a page that lies or breaks: it names the result, and what to correct.
func (d *Document) check() error {
	results, tables, figures := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range d.Results {
		if err := claim(results, "result", r.Name, r.Name); err != nil {
			return err
		}
		for i := range r.Tables {
			if err := claim(tables, "table", r.Tables[i].Name, r.Name); err != nil {
				return err
			}
			if err := checkTable(&r.Tables[i]); err != nil {
				return err
			}
		}
		for _, f := range r.Figures {
			if err := claim(figures, "figure", f.Name, r.Name); err != nil {
				return err
			}
			if _, ok := r.Table(f.Table); f.Table != "" && !ok {
				return fmt.Errorf("figure %q names table %q, which its result %q does not have", f.Name, f.Table, r.Name)
			}
			if f.Title == "" || f.Alt == "" {
				return fmt.Errorf("figure %q needs a title, and an alt text that says what it shows", f.Name)
			}
			drawing, ok := d.Drawings[f.Name]
			if !ok {
				return fmt.Errorf("figure %q of result %q was not drawn", f.Name, r.Name)
			}
			if err := drawing.check(); err != nil {
				return fmt.Errorf("figure %q: %w", f.Name, err)
			}
		}
	}
	for _, s := range d.Sections {
		if s.Result != "" && !results[s.Result] {
			return fmt.Errorf("section %s belongs to result %q, which is not there%s", s.File, s.Result, near(s.Result, results))
		}
	}
	return nil
}

// claim takes a name that becomes a file and an anchor, so it must be plain and the only one.
func claim(taken map[string]bool, what, name, owner string) error {
	plain := name != "" && name[0] != '.' && name[0] != '-'
	for _, c := range name {
		plain = plain && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || strings.ContainsRune("-_.", c))
	}
	if !plain {
		return fmt.Errorf("%s name %q (result %q): use small letters, digits, hyphens, dots", what, name, owner)
	}
	if taken[name] {
		return fmt.Errorf("two %ss are named %q (the second in result %q): a name is used once in a report", what, name, owner)
	}
	taken[name] = true
	return nil
}

func checkTable(t *result.Table) error {
	if len(t.Columns) == 0 {
		return fmt.Errorf("table %q has no columns", t.Name)
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("table %q, row %d: %d cells for %d columns", t.Name, i+1, len(row), len(t.Columns))
		}
	}
	return nil
}
