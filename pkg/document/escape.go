package document

import (
	"fmt"
	"html"
	"strings"
)

// Escape writes plain text as Markdown that shows it as it is: `2*3*4` stays three numbers, a line break stays inside
// its table cell. Nothing but NUL and invalid UTF-8 is lost; they become U+FFFD, as everywhere in Markdown.
func Escape(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	for i, c := range s {
		switch {
		case c == 0:
			b.WriteRune('\uFFFD')
		case c < ' ' || c == 0x7f, // a line break or a tab would end the line or the cell
			c == ' ' && (i == 0 || i == len(s)-1), // cells and paragraphs are trimmed
			c == '|':                              // parsers disagree on a backslash before it, but not on this
			fmt.Fprintf(&b, "&#%d;", c)
		case strings.ContainsRune("\\`*_{}[]<>#~!&$", c),
			i == 0 && strings.ContainsRune("-+=", c) && (endsWord(s[1:]) || s[1] == s[0]), // a list, a rule, an underline
			c == ':' && strings.HasPrefix(s[i:], "://"),                                   // code hosts make links of addresses, and show what is
			c == '.' && strings.HasSuffix(s[:i], "www"),                                   // escaped behind these with its backslash
			(c == '.' || c == ')') && isNumber(s[:i]) && endsWord(s[i+1:]):                // a numbered list
			b.WriteByte('\\')
			b.WriteRune(c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// escapeHTML writes plain text as HTML. NUL has no place in a page, so it becomes what Escape makes of it.
func escapeHTML(s string) string { return html.EscapeString(strings.ReplaceAll(s, "\x00", "\uFFFD")) }

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func endsWord(rest string) bool { return rest == "" || rest[0] == ' ' }
