// Package result is what an experiment hands to everyone who shows it: numbers with names and units, tables,
// figures as data, findings in words and warnings. It holds data only; it computes nothing and draws nothing.
// Experiments fill it; the appendix, the notebooks and the JSON output read it.
package result

// Result is the outcome of one experiment.
type Result struct {
	Name     string    `json:"name"`     // the section's name, for example "latest-20"
	Title    string    `json:"title"`    // one line, plain text
	Headline string    `json:"headline"` // the answer in one or two sentences; its numbers come from Values
	Values   []Value   `json:"values"`   // every number that prose may quote, by name
	Tables   []Table   `json:"tables"`
	Figures  []Figure  `json:"figures"`
	Findings []string  `json:"findings"` // sentences of plain text whose numbers were computed
	Warnings []Warning `json:"warnings"` // what a reader must know before believing a number
}

// Value is one number with a name and a unit.
type Value struct {
	Name     string  `json:"name"`     // unique in its Result, for example "heap.data_pages"
	Unit     string  `json:"unit"`     // "pages", "rows", "bytes", ...; "" for a pure ratio
	Number   float64 `json:"number"`   // never rounded; a count is exact below 2^53
	Decimals int     `json:"decimals"` // how many to print
}

// Warning is a condition that limits what a Result says.
type Warning struct {
	Text string `json:"text"`
}

// Value returns the value of that name.
func (r *Result) Value(name string) (Value, bool) {
	for _, v := range r.Values {
		if v.Name == name {
			return v, true
		}
	}
	return Value{}, false
}

// Table returns the table of that name.
func (r *Result) Table(name string) (*Table, bool) {
	for i := range r.Tables {
		if r.Tables[i].Name == name {
			return &r.Tables[i], true
		}
	}
	return nil, false
}

// Figure returns the figure of that name.
func (r *Result) Figure(name string) (*Figure, bool) {
	for i := range r.Figures {
		if r.Figures[i].Name == name {
			return &r.Figures[i], true
		}
	}
	return nil, false
}
