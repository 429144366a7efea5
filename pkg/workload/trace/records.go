package trace

import "bytes"

// recordEnd finds the end of the CSV record at the front of p: its text is p[:body], the next record begins at next.
// A record ends at a line feed, a carriage return or both, unless these stand in a field that begins with a quote.
// Both are -1 where p ends first.
func recordEnd(p []byte, delimiter byte) (body, next int) {
	for i := 0; ; i++ { // i is where a field begins
		if i < len(p) && p[i] == '"' {
			n := quotedEnd(p[i:])
			if n < 0 {
				return -1, -1
			}
			i += n
		}
		for i < len(p) && p[i] != delimiter && p[i] != '\n' && p[i] != '\r' {
			i++
		}
		if i == len(p) {
			return -1, -1
		}
		if p[i] != delimiter {
			return i, lineBreak(p, i)
		}
	}
}

// quotedEnd is the length of the quoted field at the front of p with its quotes, -1 where p ends first.
func quotedEnd(p []byte) int {
	for i := 1; ; i += 2 { // past a doubled quote
		n := bytes.IndexByte(p[i:], '"')
		if n < 0 {
			return -1
		}
		if i += n; i+1 == len(p) || p[i+1] != '"' {
			return i + 1
		}
	}
}

// lineBreak is where the next line begins after the line feed or carriage return at i.
func lineBreak(p []byte, i int) int {
	if p[i] == '\r' && i+1 < len(p) && p[i+1] == '\n' {
		return i + 2
	}
	return i + 1
}

// lineEnd is recordEnd where quotes mean nothing.
func lineEnd(p []byte) (body, next int) {
	for i, c := range p {
		if c == '\n' || c == '\r' {
			return i, lineBreak(p, i)
		}
	}
	return -1, -1
}

// lastLine is where the text after the last whole line of p begins, 0 where there is none.
func lastLine(p []byte) int {
	if n := bytes.LastIndexByte(p, '\n'); n >= 0 {
		return n + 1
	}
	return bytes.LastIndexByte(p, '\r') + 1
}

// settled is the front of p, a text that goes on, in which line ends are certain: after a carriage return at its end
// a line feed may follow.
func settled(p []byte) []byte { return bytes.TrimSuffix(p, []byte("\r")) }

// countLines counts the line ends in p.
func countLines(p []byte) int64 {
	return int64(bytes.Count(p, []byte("\n")) + bytes.Count(p, []byte("\r")) - bytes.Count(p, []byte("\r\n")))
}

// cutRecord appends the fields of a record to dst, without their quotes. It returns the number, from 1, of a field
// with text after its closing quote, else 0.
func cutRecord(record []byte, delimiter byte, dst [][]byte) (fields [][]byte, faulty int) {
	for {
		var field []byte
		if len(record) > 0 && record[0] == '"' {
			n := quotedEnd(record)
			if n < 0 {
				return dst, len(dst) + 1
			}
			field = record[1 : n-1]
			if bytes.IndexByte(field, '"') >= 0 {
				field = bytes.ReplaceAll(field, []byte(`""`), []byte(`"`))
			}
			record = record[n:]
			if len(record) > 0 && record[0] != delimiter {
				return dst, len(dst) + 1
			}
		}
		n := bytes.IndexByte(record, delimiter)
		end := n
		if n < 0 {
			end = len(record)
		}
		if field == nil {
			field = record[:end]
		}
		dst = append(dst, field)
		if n < 0 {
			return dst, 0
		}
		record = record[n+1:]
	}
}
