package document

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"

	"pagetouch/pkg/result"
)

const (
	resultsFile = "results.json"
	family      = "pagetouch.results/"
	schema      = family + "1"
)

// Record is what results.json holds beside the results.
type Record struct {
	Command    string // that makes it again
	Parameters any
	Published  any // nil: left out
}

// JSON is results.json: every number with its name and unit. It needs no text and no drawings.
func (d *Document) JSON() ([]byte, error) {
	for _, r := range d.Results {
		for _, v := range r.Values {
			if math.IsNaN(v.Number) || math.IsInf(v.Number, 0) {
				return nil, fmt.Errorf("result %q: value %q is %v: leave out a value that does not exist", r.Name, v.Name, v.Number)
			}
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(struct {
		Schema     string           `json:"schema"`
		Command    string           `json:"command,omitempty"`
		Parameters any              `json:"parameters,omitempty"`
		Published  any              `json:"published,omitempty"`
		Results    []*result.Result `json:"results"`
	}{schema, d.Record.Command, d.Record.Parameters, d.Record.Published, d.Results})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", resultsFile, err)
	}
	return b.Bytes(), nil
}

// CSV is a table as RFC 4180 has it, numbers as exact as they are, units in the first line.
func CSV(t *result.Table) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	record := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		record[i] = head(c)
	}
	w.Write(record) // a buffer cannot fail, nor what Flush would report
	for _, row := range t.Rows {
		record = record[:0]
		for _, c := range row {
			record = append(record, c.Exact())
		}
		w.Write(record)
	}
	w.Flush()
	return b.Bytes()
}
