package trace

import "bytes"

const csvFormat = "CSV"

// csv reads delimited text, quoted as in RFC 4180. It is more patient than that document: lines may end in any way, a
// quote inside a field that does not begin with one is a character, and a quote that is never closed spoils one line.
type csv struct {
	meaning
	delimiter byte
	roles     []int // of the columns, up to the last one that is read
}

func newCSV(m meaning, delimiter byte) *csv {
	c := &csv{meaning: m, delimiter: delimiter}
	c.roles = make([]int, max(m.entity.Number, m.time.Number, m.bytes.Number))
	for i := range c.roles {
		c.roles[i] = ignored
	}
	c.roles[m.entity.Number-1], c.roles[m.time.Number-1] = entityField, timeField
	if m.sized {
		c.roles[m.bytes.Number-1] = sizeField
	}
	return c
}

// split implements textFormat.
func (c *csv) split(p []byte) int {
	if bytes.IndexByte(p, '"') < 0 {
		return lastLine(p)
	}
	at := 0
	for {
		_, next := recordEnd(p[at:], c.delimiter)
		if next < 0 {
			return at
		}
		at += next
	}
}

// parse implements textFormat. A block with neither quotes nor carriage returns goes the fast way.
func (c *csv) parse(p []byte, out *rows) {
	if bytes.IndexByte(p, '"') >= 0 || bytes.IndexByte(p, '\r') >= 0 {
		c.parseQuoted(p, out)
		return
	}
	for len(p) > 0 {
		n := bytes.IndexByte(p, '\n')
		out.lines++
		if n > 0 {
			c.line(p[:n], out.lines, out)
		}
		p = p[n+1:]
	}
}

// line reads a record without quotes.
func (c *csv) line(line []byte, number int64, out *rows) {
	var f fields
	roles, delimiter := c.roles, c.delimiter
	column, start := 0, 0
	for i, b := range line {
		if b != delimiter {
			continue
		}
		f[roles[column]] = line[start:i]
		start = i + 1
		if column++; column == len(roles) {
			c.read(&f, number, out)
			return
		}
	}
	f[roles[column]] = line[start:]
	if column+1 < len(roles) {
		c.short(column+1, number, out)
		return
	}
	c.read(&f, number, out)
}

func (c *csv) short(have int, line int64, out *rows) {
	for field, column := range []Column{c.entity, c.time, c.bytes} {
		if column.Number > have && (field != sizeField || c.sized) {
			out.fault(line, "the row has %d of the columns: no %s", have, column)
			return
		}
	}
}

func (c *csv) parseQuoted(p []byte, out *rows) {
	var cut [][]byte
	for len(p) > 0 {
		number := out.lines + 1
		body, next := recordEnd(p, c.delimiter)
		if next < 0 { // only an open quote keeps a record of whole lines from ending
			_, next = lineEnd(p)
			out.fault(number, "a quote is opened and not closed within %d bytes", blockBytes)
			out.lines++
			p = p[next:]
			continue
		}
		record := p[:body]
		p = p[next:]
		if bytes.IndexByte(record, '"') < 0 {
			out.lines++
			if len(record) > 0 {
				c.line(record, number, out)
			}
			continue
		}
		out.lines += 1 + countLines(record)
		var faulty int
		if cut, faulty = cutRecord(record, c.delimiter, cut[:0]); faulty > 0 {
			out.fault(number, "column %d: text after a closing quote", faulty)
			continue
		}
		if len(cut) < len(c.roles) {
			c.short(len(cut), number, out)
			continue
		}
		var f fields
		for i, role := range c.roles {
			f[role] = cut[i]
		}
		c.read(&f, number, out)
	}
}
