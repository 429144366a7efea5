package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	gtext "github.com/yuin/goldmark/text"
)

// TypedNumbers lists the words of a text file that hold a digit its author typed, each as "file:line: word". Prose keeps
// last week's numbers unless all of them are places such as {{n "name"}}. Not looked at: places, code, the blocks'
// names, links, and the words in allow ("B1", "UTF-8").
func TypedNumbers(file, source string, allow ...string) (found []string) {
	masked := []byte(mask(source))
	ast.Walk(newMarkdown().Parser().Parse(gtext.NewReader(masked)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.CodeSpan, *ast.CodeBlock, *ast.FencedCodeBlock, *ast.Link, *ast.AutoLink, *block:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if !entering {
				break
			}
			for word := range strings.FieldsSeq(string(n.Value(masked))) {
				word = strings.Trim(word, ".,;:!?()\"'")
				if strings.ContainsAny(word, "0123456789") && !slices.Contains(allow, word) {
					found = append(found, fmt.Sprintf("%s:%d: %s", file, lineOf(masked, n.Segment.Start), word))
				}
			}
		}
		return ast.WalkContinue, nil
	})
	return found
}
