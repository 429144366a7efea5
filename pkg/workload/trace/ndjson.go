package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ndjson reads one JSON object a line; its columns are the objects' own keys.
type ndjson struct {
	meaning
	keys [ignored][]byte // by role; nil where nothing is read
}

// split implements textFormat: a JSON text has no raw line end in a string.
func (j *ndjson) split(p []byte) int { return lastLine(p) }

// parse implements textFormat.
func (j *ndjson) parse(p []byte, out *rows) {
	plain := bytes.IndexByte(p, '\r') < 0
	for len(p) > 0 {
		body, next := 0, 0
		if plain {
			body = bytes.IndexByte(p, '\n')
			next = body + 1
		} else {
			body, next = lineEnd(p)
		}
		out.lines++
		if line := bytes.TrimSpace(p[:body]); len(line) > 0 {
			j.line(line, out.lines, out)
		}
		p = p[next:]
	}
}

func (j *ndjson) line(line []byte, number int64, out *rows) {
	var f fields
	var nested Column
	at, err := eachMember(line, func(key, value []byte) {
		for role, want := range j.keys {
			if want != nil && bytes.Equal(key, want) {
				var plain bool
				if f[role], plain = scalar(value); !plain {
					nested = j.column(role)
				}
			}
		}
	})
	switch {
	case err != nil:
		out.fault(number, "byte %d of the line: %v", at+1, err)
	case nested.Number > 0:
		out.fault(number, "%s: an object or array, not a single value", nested)
	default:
		j.read(&f, number, out)
	}
}

// scalar is the text of a JSON string, number or boolean; nil for null. It is not plain for objects and arrays.
func scalar(value []byte) (text []byte, plain bool) {
	switch value[0] {
	case '{', '[':
		return nil, false
	case 'n':
		return nil, true
	case '"':
		return unquoteJSON(value), true
	}
	return value, true
}

// unquoteJSON is the text of a JSON string. Only one with escapes is copied.
func unquoteJSON(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return nil // not reached: eachMember has checked the escapes
	}
	return []byte(s)
}

var (
	errNoObject = errors.New("not a JSON object")
	errJSON     = errors.New("not valid JSON")
	errAfter    = errors.New("text after the JSON object")
)

// eachMember calls visit with the text of each key, without quotes, and of each value of the one object that line
// holds, in order. On an error it returns the byte at which the text went wrong.
func eachMember(line []byte, visit func(key, value []byte)) (at int, err error) {
	if len(line) == 0 || line[0] != '{' {
		return 0, errNoObject
	}
	i := space(line, 1)
	if i < len(line) && line[i] == '}' {
		return after(line, i+1)
	}
	for {
		if i >= len(line) || line[i] != '"' {
			return i, errJSON
		}
		end := stringEnd(line, i)
		if end < 0 {
			return i, errJSON
		}
		key := unquoteJSON(line[i:end])
		i = space(line, end)
		if i >= len(line) || line[i] != ':' {
			return i, errJSON
		}
		i = space(line, i+1)
		if end = valueEnd(line, i); end < 0 {
			return i, errJSON
		}
		visit(key, line[i:end])
		i = space(line, end)
		switch {
		case i < len(line) && line[i] == ',':
			i = space(line, i+1)
		case i < len(line) && line[i] == '}':
			return after(line, i+1)
		default:
			return i, errJSON
		}
	}
}

func after(line []byte, i int) (int, error) {
	if i = space(line, i); i < len(line) {
		return i, errAfter
	}
	return i, nil
}

func space(p []byte, i int) int {
	for i < len(p) && (p[i] == ' ' || p[i] == '\t' || p[i] == '\r' || p[i] == '\n') {
		i++
	}
	return i
}

// stringEnd is the end of the string that begins at i, -1 where it is not valid.
func stringEnd(p []byte, i int) int {
	for j := i + 1; j < len(p); j++ {
		switch c := p[j]; {
		case c == '"':
			return j + 1
		case c == '\\':
			// Escapes are rare: where there is one the standard library judges the whole string.
			return escapedEnd(p, i)
		case c < ' ':
			return -1
		}
	}
	return -1
}

func escapedEnd(p []byte, i int) int {
	for j := i + 1; j < len(p); j++ {
		switch p[j] {
		case '\\':
			j++
		case '"':
			if json.Valid(p[i : j+1]) {
				return j + 1
			}
			return -1
		}
	}
	return -1
}

// valueEnd is the end of the value that begins at i, -1 where it is not valid.
func valueEnd(p []byte, i int) int {
	if i >= len(p) {
		return -1
	}
	end := i
	switch p[i] {
	case '"':
		return stringEnd(p, i)
	case '{', '[':
		end = nestedEnd(p, i)
	default:
		for end < len(p) && p[end] != ',' && p[end] != '}' && p[end] > ' ' {
			end++
		}
		if isInteger(p[i:end]) && (p[i] != '0' || end == i+1) && p[i] != '-' {
			return end
		}
	}
	if end < 0 || !json.Valid(p[i:end]) {
		return -1
	}
	return end
}

// nestedEnd is where the brackets opened at i are closed.
func nestedEnd(p []byte, i int) int {
	depth := 0
	for ; i < len(p); i++ {
		switch p[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			end := stringEnd(p, i)
			if end < 0 {
				return -1
			}
			i = end - 1
		}
	}
	return -1
}

// nestedHint adds to an error about columns that some keys hold objects or arrays, which are no columns.
func nestedHint(err error, nested []string) error {
	if len(nested) == 0 {
		return err
	}
	slices.Sort(nested)
	nested = slices.Compact(nested)
	return fmt.Errorf("%w (no columns, for they hold objects or arrays: %s)", err, clip(strings.Join(nested, ", ")))
}

// detectJSON chooses among the keys of the first objects, in order of first appearance.
func detectJSON(text []byte, o *Options, r *Report) (*layout, error) {
	r.Format = "NDJSON"
	var s sample
	var nested []string
	column := map[string]int{}
	for rest := text; len(s.rows) < sampleRows; {
		body, next := lineEnd(rest)
		if next < 0 {
			break
		}
		var row []string
		_, err := eachMember(bytes.TrimSpace(rest[:body]), func(key, value []byte) {
			value, plain := scalar(value)
			if !plain {
				nested = append(nested, string(key))
				return
			}
			i, known := column[string(key)]
			if !known {
				i = len(s.names)
				column[string(key)] = i
				s.names = append(s.names, string(key))
			}
			for len(row) <= i {
				row = append(row, "")
			}
			row[i] = string(value)
		})
		if err == nil {
			s.rows = append(s.rows, row)
		}
		rest = rest[next:]
	}
	if len(s.rows) == 0 {
		return nil, errors.New("no line holds a JSON object: give one object a line (NDJSON)")
	}
	m, err := interpret(&s, o, r)
	if err != nil {
		return nil, nestedHint(err, nested)
	}
	j := &ndjson{meaning: *m}
	j.keys[entityField], j.keys[timeField] = []byte(m.entity.Name), []byte(m.time.Name)
	if m.sized {
		j.keys[sizeField] = []byte(m.bytes.Name)
	}
	return &layout{textFormat: j, sized: m.sized}, nil
}
