package document

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"

	"pagetouch/pkg/result"
)

// markdown is README.md: what the author wrote, with its blocks replaced and a table of contents before the second level.
func (d *Document) markdown(chapters []chapter) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n", Escape(d.Title))
	contents := false
	for _, c := range chapters {
		at := 0 // what is before it is written
		for n := c.tree.FirstChild(); n != nil; n = n.NextSibling() {
			switch n := n.(type) {
			case *ast.Heading:
				if n.Level >= 2 && !contents && n.Lines().Len() > 0 {
					start := lineStart(c.source, n.Lines().At(0).Start)
					b.Write(c.source[at:start])
					blankLine(&b)
					b.WriteString(markdownContents(chapters))
					at, contents = start, true
				}
			case *block:
				b.Write(c.source[at:n.start])
				b.WriteString(d.markdownBlock(n))
				if at = n.stop; at < len(c.source) && c.source[at] != '\n' {
					b.WriteByte('\n') // the author's next paragraph is one of its own
				}
			}
		}
		b.Write(c.source[at:])
		blankLine(&b)
	}
	if !d.Date.IsZero() {
		fmt.Fprintf(&b, "Built %s.\n", d.Date.UTC().Format("2006-01-02"))
	}
	return append(bytes.TrimRight(b.Bytes(), "\n"), '\n')
}

// blankLine ends what is written with one blank line.
func blankLine(b *bytes.Buffer) {
	b.Truncate(len(bytes.TrimRight(b.Bytes(), "\n")))
	b.WriteString("\n\n")
}

func markdownContents(chapters []chapter) string {
	var b strings.Builder
	for _, c := range chapters {
		for _, h := range c.headings {
			if h.node.Level == 2 || h.node.Level == 3 {
				fmt.Fprintf(&b, "%s- [%s](#%s)\n", strings.Repeat("  ", h.node.Level-2), Escape(h.title), h.id)
			}
		}
	}
	return b.String() + "\n"
}

func (d *Document) markdownBlock(b *block) string {
	switch b.word {
	case "table":
		t := d.table(b.name)
		return fmt.Sprintf("**%s**\n\n%s\n%s[CSV](tables/%s.csv)\n", Escape(t.Title), MarkdownTable(t), sentence(t.Caption), t.Name)
	case "chart":
		f := d.figure(b.name)
		s := fmt.Sprintf("![%s](figures/%s.svg)\n\n**%s.** %s", Escape(f.Alt), f.Name, Escape(strings.TrimSuffix(f.Title, ".")), sentence(f.Caption))
		if f.Table != "" {
			s += fmt.Sprintf("[The numbers](tables/%s.csv)", f.Table)
		}
		return strings.TrimRight(s, " ") + "\n"
	}
	return fenced(d.Plain[b.name])
}

// sentence is text that something follows.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return Escape(s) + " "
}

// fenced shows plain text as it is, in a fence longer than any in it.
func fenced(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "text\n" + strings.TrimRight(s, "\n") + "\n" + fence + "\n"
}

// MarkdownTable writes a table as code hosts read it, numbers to the right. Any text survives in a cell.
func MarkdownTable(t *result.Table) string {
	var b strings.Builder
	for _, c := range t.Columns {
		b.WriteString("| " + Escape(head(c)) + " ")
	}
	b.WriteString("|\n")
	for i := range t.Columns {
		if numeric(t, i) {
			b.WriteString("| ---: ")
		} else {
			b.WriteString("| :--- ")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		for _, cell := range row {
			b.WriteString("| " + Escape(cell.String()) + " ")
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// head is a column's name with its unit, unless the name already says it.
func head(c result.Column) string {
	if c.Unit == "" || strings.Contains(strings.ToLower(c.Name), strings.ToLower(c.Unit)) {
		return c.Name
	}
	return c.Name + " (" + c.Unit + ")"
}

// numeric reports whether a column holds numbers and no text.
func numeric(t *result.Table, column int) bool {
	some := false
	for _, row := range t.Rows {
		_, is := row[column].Number()
		if !is && !row[column].IsEmpty() {
			return false
		}
		some = some || is
	}
	return some
}
