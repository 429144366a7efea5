package document

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"path"
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	gtext "github.com/yuin/goldmark/text"

	"pagetouch/pkg/result"
)

// chapter is a section with its places filled, parsed.
type chapter struct {
	source   []byte
	tree     ast.Node
	headings []heading
}

// heading is a heading that the table of contents may list.
type heading struct {
	node  *ast.Heading
	title string // plain text
	id    string
}

// chapters reads, checks, fills and parses every section.
func (d *Document) chapters() ([]chapter, error) {
	md := newMarkdown()
	ids := anchors{}
	ids.next(d.Title)
	shown := map[string]string{}
	var all []chapter
	var links []link
	var wrong []error
	for _, s := range d.Sections {
		source, err := d.read(s)
		if err != nil {
			return nil, err
		}
		found, err := d.checkSource(md, path.Join(d.TextPath, s.File), source, shown)
		if err != nil {
			wrong = append(wrong, err)
		}
		links = append(links, found...)
		filled, err := d.expand(s, source)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		c := chapter{source: []byte(filled)}
		c.tree = md.Parser().Parse(gtext.NewReader(c.source))
		c.headings = headings(md, c, ids)
		all = append(all, c)
	}
	for _, l := range links {
		if !has(ids, l.to) && !d.Partial && len(all) == len(d.Sections) {
			wrong = append(wrong, fmt.Errorf("%s: link to #%s, which no heading has%s", l.where, l.to, near(l.to, ids)))
		}
	}
	return all, errors.Join(wrong...)
}

// link is a link to a heading of the same document.
type link struct{ where, to string }

// checkSource checks a text file as its author wrote it, so that errors name the author's lines.
// shown remembers where a table or chart already stands.
func (d *Document) checkSource(md goldmark.Markdown, name, source string, shown map[string]string) (links []link, err error) {
	masked := []byte(mask(source))
	tables, charts := map[string]bool{}, map[string]bool{}
	for _, r := range d.Results {
		for _, t := range r.Tables {
			tables[t.Name] = true
		}
		for _, f := range r.Figures {
			charts[f.Name] = true
		}
	}
	var wrong []error
	ast.Walk(md.Parser().Parse(gtext.NewReader(masked)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		where := func() string { return fmt.Sprintf("%s:%d", name, lineOf(masked, max(0, n.Pos()))) }
		switch n := n.(type) {
		case *block:
			at := fmt.Sprintf("%s:%d", name, lineOf(masked, n.start))
			what := n.word + " " + n.name
			switch {
			case n.word == "table" && !tables[n.name]:
				wrong = append(wrong, fmt.Errorf("%s: no table %q%s", at, n.name, near(n.name, tables)))
			case n.word == "chart" && !charts[n.name]:
				wrong = append(wrong, fmt.Errorf("%s: no chart %q%s", at, n.name, near(n.name, charts)))
			case n.word == "plain" && !has(d.Plain, n.name):
				wrong = append(wrong, fmt.Errorf("%s: no plain text %q%s", at, n.name, near(n.name, d.Plain)))
			case n.Parent().Kind() != ast.KindDocument || masked[n.start] == ' ':
				wrong = append(wrong, fmt.Errorf("%s: %s stands in a list, a quote or an indent: start it at the margin", at, what))
			case !n.empty:
				wrong = append(wrong, fmt.Errorf("%s: the block %s holds text: close it on the next line", at, what))
			case shown[what] != "":
				wrong = append(wrong, fmt.Errorf("%s: %s is already shown at %s: show it once and link to it", at, what, shown[what]))
			default:
				shown[what] = at
			}
		case *ast.Heading:
			if n.Level == 1 {
				wrong = append(wrong, fmt.Errorf("%s: the document's title is its only heading of the first level: write ##", where()))
			}
		case *ast.HTMLBlock, *ast.RawHTML:
			if !bytes.HasPrefix(masked[max(0, n.Pos()):], []byte("<!--")) {
				wrong = append(wrong, fmt.Errorf("%s: raw HTML is not shown: write Markdown", where()))
			}
		case *ast.Image:
			wrong = append(wrong, fmt.Errorf("%s: the page loads no image files: make it a figure of a result", where()))
		case *ast.Link:
			if to, ok := strings.CutPrefix(string(n.Destination), "#"); ok {
				links = append(links, link{where(), to})
			}
		}
		return ast.WalkContinue, nil
	})
	return links, errors.Join(wrong...)
}

func has[T any](m map[string]T, k string) bool { _, ok := m[k]; return ok }

var action = regexp.MustCompile(`(?s)\{\{.*?\}\}`)

// mask puts a letter in place of each byte of the template actions, so that offsets and lines stay.
func mask(source string) string {
	return action.ReplaceAllStringFunc(source, func(a string) string {
		return strings.Map(func(c rune) rune {
			if c == '\n' {
				return c
			}
			return 'x'
		}, strings.ToValidUTF8(a, "?"))
	})
}

// anchors gives ids to headings as code hosts do, so that a link works there and in the page: small letters, digits,
// hyphens for spaces, a number behind one that is taken.
type anchors map[string]int

func (a anchors) next(title string) string {
	id := strings.Map(func(c rune) rune {
		switch {
		case c == ' ':
			return '-'
		case c == '-' || c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c):
			return unicode.ToLower(c)
		}
		return -1
	}, strings.TrimSpace(title))
	base := id
	for has(a, id) {
		a[base]++
		id = fmt.Sprintf("%s-%d", base, a[base])
	}
	a[id] = 0
	return id
}

var tag = regexp.MustCompile(`<[^>]*>`)

// headings gives every heading of a chapter its id.
func headings(md goldmark.Markdown, c chapter, ids anchors) (all []heading) {
	ast.Walk(c.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		h, ok := n.(*ast.Heading)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		var b bytes.Buffer
		for child := h.FirstChild(); child != nil; child = child.NextSibling() {
			md.Renderer().Render(&b, c.source, child) // to a buffer, which cannot fail
		}
		title := html.UnescapeString(tag.ReplaceAllString(b.String(), ""))
		id := ids.next(title)
		h.SetAttributeString("id", []byte(id))
		all = append(all, heading{h, title, id})
		return ast.WalkSkipChildren, nil
	})
	return all
}

// table and figure find what a block names; checkSource made sure that it is there.
func (d *Document) table(name string) *result.Table {
	for _, r := range d.Results {
		if t, ok := r.Table(name); ok {
			return t
		}
	}
	return &result.Table{}
}

func (d *Document) figure(name string) *result.Figure {
	for _, r := range d.Results {
		if f, ok := r.Figure(name); ok {
			return f
		}
	}
	return &result.Figure{}
}
