package trace

import (
	"bytes"
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
