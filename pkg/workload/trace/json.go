package trace

import (
	"bytes"
	"encoding/json"
	"errors"
)

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
