package schema

import (
	"fmt"
	"strings"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/result"
	"pagetouch/pkg/sizing"
)

// Finding is one thing a review says about a table.
type Finding struct {
	File  string `json:"file"`
	Pos   Pos    `json:"at"`
	Table string `json:"table"`
	Rule  Rule   `json:"rule"`
	Warn  bool   `json:"warn"` // false: worth knowing, nothing to mend
	Text  string `json:"text"` // what is so
	Do    string `json:"do,omitempty"`
}

// Rule names what a finding is about.
type Rule string

const (
	Unbounded   Rule = "unbounded-partition"
	Misplaced   Rule = "bucket-in-clustering-key"
	OldestFirst Rule = "oldest-first"
	Directory   Rule = "one-row-a-bucket"
	Size        Rule = "size"
)

// String is the finding as compilers print one.
func (f Finding) String() string {
	level := "note"
	if f.Warn {
		level = "warning"
	}
	s := fmt.Sprintf("%s:%d:%d: %s: %s [%s]", f.File, f.Pos.Line, f.Pos.Column, level, f.Text, f.Rule)
	if f.Do != "" {
		s += "\n\t" + f.Do
	}
	return s
}

// Warns reports whether any finding warns.
func Warns(findings []Finding) bool {
	for _, f := range findings {
		if f.Warn {
			return true
		}
	}
	return false
}

// Options say how much a table will hold. All may be zero: then no sizes are worked out.
type Options struct {
	Rows   int64          // of one partition
	Rate   sizing.Rate    // instead: how fast one entity writes,
	Over   int64          // for how long, in microseconds,
	Width  bucket.Width   // and the bucket of tables that have one in their partition key
	Assume Assume         // sizes of values
	Limits []sizing.Limit // of rows, bytes and cells a partition
}

// Review says what is wrong with the keys of tables, in their order. File is how findings call their file.
func Review(tables []Table, file string, o Options) ([]Finding, error) {
	var all []Finding
	for i := range tables {
		r := reviewer{Table: &tables[i], file: file, o: o}
		r.keys()
		if err := r.sizes(); err != nil {
			return all, fmt.Errorf("%s:%d:%d: table %s: %w", file, r.Line, r.Pos.Column, r.Name, err)
		}
		all = append(all, r.found...)
	}
	return all, nil
}

type reviewer struct {
	*Table
	file  string
	o     Options
	found []Finding
}

func (r *reviewer) say(rule Rule, warn bool, at Pos, do, format string, a ...any) {
	r.found = append(r.found, Finding{r.file, at, r.Name, rule, warn, fmt.Sprintf(format, a...), do})
}

// bounded reports whether the partition key holds a slice of time, a time or a part's number, or rows are alone in
// their partitions.
func (r *reviewer) bounded() bool {
	for _, c := range r.Key {
		if c.time() || c.count() {
			return true
		}
	}
	return len(r.Clustering) == 0
}

func (r *reviewer) keys() {
	if len(r.Clustering) == 0 {
		return
	}
	last := r.Clustering[len(r.Clustering)-1]
	key := r.tuple(r.Key)
	switch {
	case r.bounded():
	case last.slice():
		r.say(Directory, false, last.Pos, "", "table %s grows by one row a %s: fine for a directory or a roll-up, as long as the slices are not short", r.Name, last.Name)
	default:
		r.say(Unbounded, true, r.Key[0].Pos,
			fmt.Sprintf("add a slice of time to the partition key, for example PRIMARY KEY (%s, %s); it needs a new table", r.tuple(append(append([]Column(nil), r.Key...), Column{Name: "bucket"})), r.list(r.Clustering)),
			"the partition key of table %s is %s alone: each partition grows without end%s", r.Name, key, r.grown())
		for _, c := range r.Clustering {
			if c.slice() {
				r.say(Misplaced, true, c.Pos,
					fmt.Sprintf("move it: PRIMARY KEY (%s, %s)", r.tuple(append(append([]Column(nil), r.Key...), c)), r.list(without(r.Clustering, c.Name))),
					"%s stands in the clustering key of table %s: it sorts rows inside a partition and bounds nothing", c.Name, r.Name)
				break
			}
		}
	}
	for _, c := range r.Clustering {
		if !c.time() {
			continue
		}
		if !c.Descending {
			r.say(OldestFirst, true, c.Pos,
				fmt.Sprintf("add WITH CLUSTERING ORDER BY (%s DESC), or write ORDER BY %s DESC in every such query", Quote(c.Name), Quote(c.Name)),
				"table %s sorts %s ascending: LIMIT 1 returns the oldest row, not the latest", r.Name, c.Name)
		}
		return
	}
}

// grown is what a rate makes of a partition that nothing bounds, as the end of a sentence.
func (r *reviewer) grown() string {
	if r.o.Rate.Rows == 0 || r.o.Over <= 0 {
		return ""
	}
	rows, err := r.o.Rate.In(r.o.Over)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(": 1 partition of %s rows", comma(rows))
}

// sizes works out a partition by the Cassandra formulas and holds it against the limits.
func (r *reviewer) sizes() error {
	rows, before := r.o.Rows, ""
	if rows == 0 && r.o.Rate.Rows > 0 && r.o.Over > 0 {
		over := r.o.Over
		if bucketed := r.bounded(); bucketed && (r.o.Width == bucket.Forever || r.o.Width == bucket.Width{}) {
			return nil
		} else if bucketed {
			span, err := sizing.RangeFanout(r.o.Width, over)
			if err != nil {
				return err
			}
			over = min(over, r.o.Width.Longest())
			before = comma(span.Aligned) + " partitions; in each, "
		}
		var err error
		if rows, err = r.o.Rate.In(over); err != nil {
			return err
		}
	}
	if rows == 0 {
		return nil
	}
	if len(r.Clustering) == 0 {
		rows = 1
	}
	columns, assumed := r.Sizes(r.o.Assume)
	values, err := columns.Values(rows)
	if err != nil {
		return err
	}
	bytes, err := columns.Bytes(rows)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("table %s: %s%s rows are %s values and %s bytes by the Cassandra formulas", r.Name, before, comma(rows), comma(values), comma(bytes))
	if assumed != nil {
		text += ", assuming " + strings.Join(assumed, ", ")
	}
	var broken []string
	for _, l := range r.o.Limits {
		amount, ok := map[sizing.Counted]int64{sizing.Rows: rows, sizing.Bytes: bytes, sizing.Cells: values}[l.Counts]
		if k := l.Check(amount); ok && l.On && l.Operator != "<" && !k.Kept {
			broken = append(broken, fmt.Sprintf("%s times %v", result.Format(k.Ratio, 2), l))
		}
	}
	do := ""
	if broken != nil {
		text += ": " + strings.Join(broken, ", ")
		do = "put fewer rows into a partition: a narrower bucket, or hash shards"
	}
	r.say(Size, broken != nil, r.Pos, do, "%s", text)
	return nil
}

// tuple is a partition key as CQL writes it.
func (r *reviewer) tuple(columns []Column) string { return "(" + r.list(columns) + ")" }

func (r *reviewer) list(columns []Column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = Quote(c.Name)
	}
	return strings.Join(names, ", ")
}

// without is columns less one.
func without(columns []Column, name string) (rest []Column) {
	for _, c := range columns {
		if c.Name != name {
			rest = append(rest, c)
		}
	}
	return rest
}

func comma(n int64) string { return result.Format(float64(n), 0) }
