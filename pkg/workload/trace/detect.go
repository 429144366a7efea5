package trace

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
)

// sampleRows is how many rows are looked at to choose delimiter, columns and unit.
const sampleRows = 1000

// textFormat is a kind of text.
type textFormat interface {
	// split returns how much of p is whole records, 0 where the first one does not end in p.
	split(p []byte) int
	// parse reads whole records and counts their lines. The text ends with a line end.
	parse(p []byte, out *rows)
}

// layout is what detect found: how to read a text and where its rows begin.
type layout struct {
	textFormat
	skip  int   // bytes before the first row
	lines int64 // lines before it
	sized bool
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// detect tells the format from the first bytes of a text, which end with a line end where they are the whole text.
func detect(head []byte, whole bool, o *Options, r *Report) (*layout, error) {
	if !whole {
		head = settled(head)
	}
	text := bytes.TrimPrefix(head, byteOrderMark)
	first := bytes.TrimLeft(text, " \t\r\n")
	switch {
	case len(first) == 0 && whole:
		return nil, errors.New("the file is empty")
	case len(first) == 0:
		return nil, fmt.Errorf("the first %d bytes are blank: is this a table of rows?", len(text))
	}
	if err := refuse(text); err != nil {
		return nil, err
	}
	if _, next := lineEnd(text); next < 0 {
		return nil, fmt.Errorf("line 1 is longer than %d bytes: is this a table of rows?", len(text))
	}
	find := detectCSV
	if first[0] == '{' {
		find = detectJSON
	}
	l, err := find(text, o, r)
	if err != nil {
		return nil, err
	}
	l.skip += len(head) - len(text)
	return l, nil
}

var jsonArray = regexp.MustCompile(`^\s*\[\s*[{\]]`)

// refuse names kinds of files that are no table of text.
func refuse(text []byte) error {
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return errors.New("the text is UTF-16: convert it to UTF-8 first")
	case bytes.HasPrefix(text, parquetMagic):
		return errors.New("a Parquet trace needs a file, not a stream or compressed data: give the file's name")
	case bytes.HasPrefix(text, gzipMagic), bytes.HasPrefix(text, zstdMagic):
		return errors.New("the file is compressed twice: decompress it once")
	case bytes.HasPrefix(text, []byte("PK\x03\x04")):
		return errors.New("the file is a ZIP archive or a spreadsheet: give the CSV in it")
	case jsonArray.Match(text[:min(len(text), 4096)]):
		return errors.New("the file is a JSON array: give one object a line (NDJSON)")
	}
	start := text[:min(len(text), 4096)]
	if 4*bytes.Count(start, []byte{0}) > len(start) {
		return errors.New("more than a quarter of the first bytes are NUL: the file is binary or UTF-16, not text")
	}
	return nil
}

func detectCSV(text []byte, o *Options, r *Report) (*layout, error) {
	r.Format = csvFormat
	delimiter, records := sniff(text)
	r.Delimiter = rune(delimiter)
	if len(records) == 0 {
		_, next := recordEnd(text, delimiter)
		if next < 0 {
			return nil, errors.New("line 1: a quote is opened and not closed")
		}
		return nil, errors.New("the file has no rows")
	}
	s := sample{rows: records}
	l := &layout{}
	if isHeader(records[0], o) {
		r.Header = true
		s = sample{names: records[0], rows: records[1:]}
		for body := 0; body == 0; { // past empty lines
			var next int
			body, next = recordEnd(text[l.skip:], delimiter)
			l.lines += countLines(text[l.skip : l.skip+next])
			l.skip += next
		}
	}
	if s.width() < 2 {
		return nil, fmt.Errorf("line 1 has one column, %q: an entity and a time are needed, split by comma, tab, semicolon or pipe",
			clip(records[0][0]))
	}
	m, err := interpret(&s, o, r)
	if err != nil {
		return nil, err
	}
	l.textFormat, l.sized = newCSV(*m, delimiter), m.sized
	return l, nil
}

// interpret chooses columns and the unit of time for a text.
func interpret(s *sample, o *Options, r *Report) (*meaning, error) {
	c, err := choose(s, o)
	if err != nil {
		return nil, err
	}
	m := &meaning{choice: c, sized: c.bytes.How != Absent}
	r.Entity, r.Time, r.Bytes = c.entity, c.time, c.bytes
	return m, m.setClock(s, o, r)
}

// sniff finds the delimiter: the one that cuts most records into equally many fields, at least two; of equals the one
// with the most fields, then the first in the list. It returns the first records cut by it.
func sniff(text []byte) (delimiter byte, records [][]string) {
	best, width := -1, 0
	for _, d := range []byte{',', '\t', ';', '|'} {
		candidate := firstRecords(text, d)
		agree, fields := agreement(candidate)
		if fields < 2 {
			agree = 0
		}
		if agree > best || agree == best && fields > width {
			best, width, delimiter, records = agree, fields, d, candidate
		}
	}
	return delimiter, records
}

// firstRecords cuts the first records that are whole and not empty.
func firstRecords(text []byte, delimiter byte) (records [][]string) {
	for len(records) < sampleRows+1 {
		body, next := recordEnd(text, delimiter)
		if next < 0 {
			break
		}
		if body > 0 {
			cut, faulty := cutRecord(text[:body], delimiter, nil)
			if faulty > 0 {
				cut = [][]byte{text[:body]} // a bad row, and no hint to anything
			}
			record := make([]string, len(cut))
			for i, field := range cut {
				record[i] = string(field)
			}
			records = append(records, record)
		}
		text = text[next:]
	}
	return records
}

// agreement is the most frequent number of fields, the larger one of equals, and in how many of 1,000 records it occurs.
func agreement(records [][]string) (permille, fields int) {
	count := map[int]int{}
	for _, record := range records {
		count[len(record)]++
	}
	most := 0
	for n, times := range count {
		if times > most || times == most && n > fields {
			most, fields = times, n
		}
	}
	return 1000 * most / max(len(records), 1), fields
}

// isHeader tells whether the first record names the columns: no field is a time or a number, or the user named a
// column by one of its fields.
func isHeader(record []string, o *Options) bool {
	text := false
	for _, field := range record {
		if field != "" && (field == o.Entity || field == o.Time || field == o.Bytes) && !isNumber(field) {
			return true
		}
		if isTime(field) || isNumber(field) {
			return false
		}
		text = text || field != ""
	}
	return text
}
