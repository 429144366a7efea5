package document

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/template"

	"github.com/yuin/goldmark/ast"
	gext "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"pagetouch/pkg/result"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
)

// html is index.html: one file that asks nothing of the network and obeys a policy under which only its own style and
// its own scripts, known by their hashes, do anything.
func (d *Document) html(chapters []chapter) ([]byte, error) {
	body, err := d.body(chapters)
	if err != nil {
		return nil, err
	}
	var scripts []string
	if d.Charts != nil {
		scripts = []string{normalized(string(d.Charts)), normalized(pageJS)}
	}
	policy := "default-src 'none'"
	if len(scripts) > 0 {
		policy += "; script-src"
	}
	for i, s := range scripts {
		if l := strings.ToLower(s); strings.Contains(l, "</script") || strings.Contains(l, "<!--") {
			return nil, errors.New("the chart script holds </script or <!--, which would end it inside a page")
		}
		policy += " " + hash(s)
		scripts[i] = s
	}
	style := normalized(pageCSS)
	policy += "; style-src " + hash(style) + "; base-uri 'none'; form-action 'none'"
	page := template.Must(template.New("page.html").Funcs(template.FuncMap{"text": escapeHTML}).Parse(pageHTML))
	ids := anchors{}
	themes := ""
	if d.Charts != nil {
		both, err := json.Marshal(d.Themes) // < is written as \u003c, so no text inside can end the element
		if err != nil {
			return nil, fmt.Errorf("themes: %w", err)
		}
		themes = string(both)
	}
	var b bytes.Buffer
	err = page.Execute(&b, map[string]any{
		"Language": d.language(), "Title": d.Title, "Top": ids.next(d.Title), "Policy": policy, "Style": style,
		"Body": body, "Scripts": scripts, "Licences": d.Licences, "Date": d.date(), "Themes": themes,
	})
	return b.Bytes(), err
}

func (d *Document) language() string {
	if d.Language == "" {
		return "en"
	}
	return d.Language
}

func (d *Document) date() string {
	if d.Date.IsZero() {
		return ""
	}
	return d.Date.UTC().Format("2006-01-02")
}

// normalized is a text as a browser reads it, or its hash would be another.
func normalized(s string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD").Replace(s)
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// body renders the chapters, with the table of contents before the first heading of the second level: the answer comes
// first.
func (d *Document) body(chapters []chapter) (string, error) {
	md := newMarkdown()
	md.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(pageNodes{d, standing(d, chapters)}, 100)))
	contents := false
	var b bytes.Buffer
	for _, c := range chapters {
		for n := c.tree.FirstChild(); n != nil; n = n.NextSibling() {
			if h, ok := n.(*ast.Heading); ok && h.Level >= 2 && !contents {
				b.WriteString(htmlContents(chapters))
				contents = true
			}
			_, wide := n.(*gext.Table)
			if wide {
				b.WriteString(scrolling("Table"))
			}
			if err := md.Renderer().Render(&b, c.source, n); err != nil {
				return "", err
			}
			if wide {
				b.WriteString("</div>\n")
			}
		}
	}
	return b.String(), nil
}

func htmlContents(chapters []chapter) string {
	var b strings.Builder
	b.WriteString("<nav class=\"contents\" aria-labelledby=\"page:contents\">\n<p id=\"page:contents\">Contents</p>\n<ul>\n")
	for _, c := range chapters {
		for _, h := range c.headings {
			if h.node.Level == 2 || h.node.Level == 3 {
				fmt.Fprintf(&b, "<li class=\"level-%d\"><a href=\"#%s\">%s</a></li>\n", h.node.Level, h.id, escapeHTML(h.title))
			}
		}
	}
	b.WriteString("</ul>\n</nav>\n")
	return b.String()
}

// standing is which block shows each table, as a table stands in a page once: one of its own, or else the first chart drawn
// from it.
func standing(d *Document, chapters []chapter) map[string]*block {
	at := map[string]*block{}
	for _, c := range chapters {
		for n := c.tree.FirstChild(); n != nil; n = n.NextSibling() {
			switch b, _ := n.(*block); {
			case b == nil:
			case b.word == "table":
				at[b.name] = b
			case b.word == "chart" && at[d.figure(b.name).Table] == nil:
				at[d.figure(b.name).Table] = b
			}
		}
	}
	return at
}

// pageNodes renders the nodes that a page shows in its own way.
type pageNodes struct {
	*Document
	standing map[string]*block
}

func (p pageNodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		h := n.(*ast.Heading)
		id, _ := h.AttributeString("id")
		if entering {
			fmt.Fprintf(w, "<h%d id=\"%s\">", h.Level, id)
		} else {
			fmt.Fprintf(w, " <a class=\"anchor\" href=\"#%s\" aria-label=\"Link to this section\">#</a></h%d>\n", id, h.Level)
		}
		return ast.WalkContinue, nil
	})
	r.Register(blockKind, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		b := n.(*block)
		if entering {
			switch b.word {
			case "table":
				w.WriteString(tableFigure(p.table(b.name)))
			case "chart":
				f := p.figure(b.name)
				w.WriteString(chartFigure(f, p.Drawings[f.Name], p.table(f.Table), p.standing[f.Table] == b, p.Charts != nil))
			case "plain":
				fmt.Fprintf(w, "<pre tabindex=\"0\" role=\"region\" aria-label=\"%s\"><code>%s</code></pre>\n",
					escapeHTML(b.name), escapeHTML(p.Plain[b.name]))
			}
		}
		return ast.WalkContinue, nil
	})
}

// scrolling opens a box that scrolls inside itself, by keyboard too, so that a wide table never widens the page.
func scrolling(label string) string {
	return fmt.Sprintf("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n", escapeHTML(label))
}

func tableFigure(t *result.Table) string {
	return fmt.Sprintf("<figure class=\"table\" id=\"table:%s\">\n%s%s</figure>\n", t.Name, caption(t.Title, t.Caption), htmlTable(t))
}

func caption(title, text string) string {
	return fmt.Sprintf("<figcaption><strong>%s.</strong> %s</figcaption>\n",
		escapeHTML(strings.TrimSuffix(title, ".")), escapeHTML(text))
}

// broad marks tables that paper, which does not scroll, has to set smaller.
func broad(columns int) string {
	switch {
	case columns > 12:
		return ` class="broader"`
	case columns > 8:
		return ` class="broad"`
	}
	return ""
}

// breakable lets a browser break the long names in a cell at their joints, so that a column is not as wide as one name.
func breakable(escaped string) string {
	words := strings.Split(escaped, " ")
	for i, w := range words {
		if len(w) > 16 {
			words[i] = strings.NewReplacer("_", "_<wbr>", "/", "/<wbr>", ".", ".<wbr>").Replace(w)
		}
	}
	return strings.Join(words, " ")
}

// htmlTable is a table in its scrolling box. The first cell of a row is its head when it is a text.
func htmlTable(t *result.Table) string {
	var b strings.Builder
	b.WriteString(scrolling(t.Title))
	fmt.Fprintf(&b, "<table%s>\n<thead><tr>", broad(len(t.Columns)))
	class := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		if numeric(t, i) {
			class[i] = ` class="n"`
		}
		fmt.Fprintf(&b, "<th scope=\"col\"%s>%s</th>", class[i], escapeHTML(head(c)))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows {
		b.WriteString("<tr>")
		for i, c := range row {
			element, scope := "td", ""
			if i == 0 && class[0] == "" && !c.IsEmpty() {
				element, scope = "th", ` scope="row"`
			}
			fmt.Fprintf(&b, "<%s%s%s>%s</%s>", element, scope, class[i], breakable(escapeHTML(c.String())), element)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>\n</div>\n")
	return b.String()
}
