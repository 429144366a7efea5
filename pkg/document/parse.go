package document

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// newMarkdown reads CommonMark with tables. Raw HTML stays off, and alignment is an attribute because an inline style
// would break the page's security policy.
func newMarkdown() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
		goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(findBlocks{}, 100))),
	)
}

// block is a fenced block that stands for a table, a chart or a plain text.
type block struct {
	ast.BaseBlock
	word, name  string
	start, stop int  // its lines in the source
	empty       bool // as it has to be
}

var blockKind = ast.NewNodeKind("DocumentBlock")

func (*block) Kind() ast.NodeKind              { return blockKind }
func (b *block) Dump(source []byte, level int) { ast.DumpHelper(b, source, level, nil, nil) }

// findBlocks is the AST transformer that finds them.
type findBlocks struct{}

func (findBlocks) Transform(doc *ast.Document, reader gtext.Reader, _ parser.Context) {
	source := reader.Source()
	found := map[*ast.FencedCodeBlock]*block{}
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if f, ok := n.(*ast.FencedCodeBlock); ok && entering {
			word := string(f.Language(source))
			if word == "table" || word == "chart" || word == "plain" {
				name := strings.TrimSpace(strings.TrimPrefix(string(f.Info.Value(source)), word))
				b := &block{word: word, name: name, empty: f.Lines().Len() == 0}
				b.start = lineStart(source, f.Info.Segment.Start)
				b.stop = lineEnd(source, lineEnd(source, b.start)) // the opening and the closing line
				found[f] = b
			}
		}
		return ast.WalkContinue, nil
	})
	for f, b := range found {
		f.Parent().ReplaceChild(f.Parent(), f, b)
	}
}

// lineStart is the offset at which the line around pos starts.
func lineStart(source []byte, pos int) int {
	return bytes.LastIndexByte(source[:pos], '\n') + 1
}

// lineEnd is the offset after the line around pos, its line break included.
func lineEnd(source []byte, pos int) int {
	if i := bytes.IndexByte(source[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(source)
}

// lineOf is the number of the line around pos, from 1.
func lineOf(source []byte, pos int) int {
	return bytes.Count(source[:pos], []byte("\n")) + 1
}
