package schema

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Pos is a place in a file; both count from 1, columns in characters.
type Pos struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

type token struct {
	kind kind
	text string // of a name or a string: without its quotes
	Pos
}

type kind uint8

const (
	end    kind = iota
	word        // a keyword, an unquoted name, a number: letters, digits and _
	quoted      // a "name"
	text        // a 'string' or $$string$$
	symbol      // any other character
)

func (t token) String() string {
	switch t.kind {
	case end:
		return "the end of the file"
	case quoted:
		return fmt.Sprintf("name %q", short(t.text))
	case text:
		return "a string"
	}
	return fmt.Sprintf("%q", short(t.text))
}

// short is a text that fits into a line of error.
func short(s string) string {
	if r := []rune(s[:min(len(s), 400)]); len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return s
}

// is reports whether the token is this keyword or symbol.
func (t token) is(s string) bool {
	return (t.kind == word || t.kind == symbol) && strings.EqualFold(t.text, s)
}

// scanner cuts a file into tokens.
type scanner struct {
	name string
	rest string
	pos  Pos
}

func newScanner(src, name string) *scanner {
	return &scanner{name: name, rest: strings.TrimPrefix(src, "\ufeff"), pos: Pos{1, 1}}
}

func (s *scanner) fail(at Pos, format string, a ...any) error {
	return fmt.Errorf("%s:%d:%d: %s", s.name, at.Line, at.Column, fmt.Sprintf(format, a...))
}

// take moves n bytes on and returns them.
func (s *scanner) take(n int) string {
	got := s.rest[:n]
	s.rest = s.rest[n:]
	if lines := strings.Count(got, "\n"); lines > 0 {
		s.pos.Line += lines
		s.pos.Column = 1
		s.pos.Column += utf8.RuneCountInString(got[strings.LastIndexByte(got, '\n')+1:])
	} else {
		s.pos.Column += utf8.RuneCountInString(got)
	}
	return got
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// next is the next token, past spaces and comments.
func (s *scanner) next() (token, error) {
	if err := s.skip(); err != nil {
		return token{}, err
	}
	t := token{Pos: s.pos}
	if s.rest == "" {
		return t, nil
	}
	switch c := s.rest[0]; {
	case isWord(c):
		n := 1
		for n < len(s.rest) && isWord(s.rest[n]) {
			n++
		}
		t.kind, t.text = word, s.take(n)
	case c == '"':
		return s.enclosed(quoted, `"`)
	case c == '\'':
		return s.enclosed(text, "'")
	case strings.HasPrefix(s.rest, "$$"):
		return s.enclosed(text, "$$")
	default:
		_, n := utf8.DecodeRuneInString(s.rest)
		t.kind, t.text = symbol, s.take(n)
	}
	return t, nil
}

// enclosed reads what stands between two quotes; one doubled inside stands for itself, except $$.
func (s *scanner) enclosed(k kind, quote string) (token, error) {
	t := token{kind: k, Pos: s.pos}
	n, double := len(quote), quote+quote
	for {
		at := strings.Index(s.rest[n:], quote)
		if at < 0 {
			return t, s.fail(t.Pos, "%s opens here and nothing closes it: add the closing one", quote)
		}
		n += at
		if quote != "$$" && strings.HasPrefix(s.rest[n:], double) {
			n += len(double)
			continue
		}
		t.text = s.take(n + len(quote))[len(quote):n]
		if quote != "$$" {
			t.text = strings.ReplaceAll(t.text, double, quote)
		}
		return t, nil
	}
}

// skip passes over spaces and comments: --, // and /* */.
func (s *scanner) skip() error {
	for s.rest != "" {
		n := len(s.rest) - len(strings.TrimLeft(s.rest, " \t\r\n\f\v"))
		switch {
		case n > 0:
		case strings.HasPrefix(s.rest, "--"), strings.HasPrefix(s.rest, "//"):
			if n = strings.IndexByte(s.rest, '\n') + 1; n == 0 {
				n = len(s.rest)
			}
		case strings.HasPrefix(s.rest, "/*"):
			at := strings.Index(s.rest[2:], "*/")
			if at < 0 {
				return s.fail(s.pos, "/* opens a comment here and nothing closes it: add */")
			}
			n = at + 4
		default:
			return nil
		}
		s.take(n)
	}
	return nil
}
