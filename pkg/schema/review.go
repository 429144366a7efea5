package schema

import (
	"fmt"
	"slices"
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
	Expiring    Rule = "bounded-by-expiry"
	Together    Rule = "all-writes-in-one-partition"
	Scattered   Rule = "a-partition-a-moment"
	Size        Rule = "size"
	Nothing     Rule = "nothing-to-review"
	Unread      Rule = "not-read"
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

// Review says what is wrong with the keys of a file's tables and views, in their order. File is how findings call it.
func Review(s Script, file string, o Options) ([]Finding, error) {
	var all []Finding
	for _, w := range s.Unknown {
		all = append(all, Finding{file, w.Pos, "", Unread, false, fmt.Sprintf("%q begins no CQL statement: passed over", w.Text), "correct it if it was to make a table"})
	}
	if s.More > 0 {
		last := s.Unknown[len(s.Unknown)-1]
		all = append(all, Finding{File: file, Pos: last.Pos, Rule: Unread, Text: fmt.Sprintf("%s of the kind after it: passed over", result.Plural(s.More, "statement"))})
	}
	if len(s.Tables) == 0 {
		all = append(all, Finding{File: file, Pos: Pos{1, 1}, Rule: Nothing, Text: fmt.Sprintf("no CREATE TABLE in %s: nothing to review", file)})
	}
	for i := range s.Tables {
		r := reviewer{Table: &s.Tables[i], file: file, o: o}
		r.keys()
		r.spread()
		r.order()
		if err := r.sizes(); err != nil {
			return all, fmt.Errorf("%s:%d:%d: %s: %w", file, r.Line, r.Pos.Column, r.what(), err)
		}
		all = append(all, r.found...)
	}
	return all, nil
}

type reviewer struct {
	*Table
	file  string
	o     Options
	moved string // the clustering column that belongs into the partition key
	found []Finding
}

func (r *reviewer) say(rule Rule, warn bool, at Pos, do, format string, a ...any) {
	r.found = append(r.found, Finding{r.file, at, r.Name, rule, warn, fmt.Sprintf(format, a...), do})
}

// alone reports whether each partition has one row: its key is the whole primary key.
func (r *reviewer) alone() bool { return len(r.Clustering) == 0 }

// bounds is how sure it is that the partition key holds a slice of time, a time or a part's number, and the column
// that may be one.
func (r *reviewer) bounds() (sure certainty, by Column) {
	for _, c := range r.Key {
		s := max(c.slice(), c.time(), c.count())
		if r.recurs(c) || c.vague() && !r.timed() {
			s = min(s, likely)
		}
		if s > sure {
			sure, by = s, c
		}
	}
	return sure, by
}

// recurs reports a number that may begin again: a month without its year.
func (r *reviewer) recurs(c Column) bool {
	return c.turn() && !slices.ContainsFunc(r.Key, func(o Column) bool { return o.Name != c.Name && !o.turn() && o.slice() >= likely })
}

// timed reports whether a clustering column orders rows by time.
func (r *reviewer) timed() bool {
	return slices.ContainsFunc(r.Clustering, func(c Column) bool { return c.time() >= likely })
}

// spread looks at partitions that take every write of their time, and at those of a moment.
func (r *reviewer) spread() {
	for _, c := range r.Key {
		if c.moment() {
			r.say(Scattered, false, c.Pos, "", "%s in the partition key of %s makes a partition of every moment: a read has to know it, and neither the latest rows nor those of a range can be asked for", Quote(c.Name), r.what())
			return
		}
	}
	i := slices.IndexFunc(r.Clustering, func(c Column) bool { return c.time() >= likely })
	if i >= 0 && !r.Clustering[i].attribute() && !slices.ContainsFunc(r.Key, func(c Column) bool { return c.slice() < surely }) {
		r.say(Together, false, r.Key[0].Pos, "", "the partition key of %s is time alone, %s: all rows of one time are written to one partition, which one set of replicas holds", r.what(), r.tuple(r.Key))
	}
}

// bucketed reports whether partitions are slices of time.
func (r *reviewer) bucketed() bool {
	return slices.ContainsFunc(r.Key, func(c Column) bool { return max(c.slice(), c.time()) >= likely })
}

// keys looks for what bounds a partition. There is one finding for what is missing, with one way to mend it.
func (r *reviewer) keys() {
	sure, by := r.bounds()
	if r.alone() || sure == surely {
		return
	}
	if r.TTL > 0 {
		r.say(Expiring, false, r.Key[0].Pos, "", "the partition key of %s is %s alone, and its rows expire after %s: a partition holds what is written in that time, and the tombstones of what was", r.what(), r.tuple(r.Key), result.Plural(r.TTL, "second"))
		return
	}
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(r.Comment)), "bounded by ") {
		r.say(Unbounded, false, r.Key[0].Pos, "", "the partition key of %s holds no slice of time: its comment names what bounds it", r.what())
		return
	}
	last := r.Clustering[len(r.Clustering)-1]
	i := slices.IndexFunc(r.Clustering, func(c Column) bool { return c.slice() >= likely })
	timed := func(c Column) bool { return c.time() >= likely }
	switch {
	case sure == likely:
		r.say(Unbounded, false, by.Pos, "", "if %s is not %s, each partition of %s grows without end%s", Quote(by.Name), by.part(), r.what(), r.grown())
	case last.slice() >= likely && slices.IndexFunc(r.Clustering, timed) == len(r.Clustering)-1:
		r.say(Directory, false, last.Pos, "", "%s grows by one row a %s%s: fine for a directory or a roll-up, as long as the slices are not short", r.what(), Quote(last.Name), r.each(len(r.Clustering)-1))
	case i >= 0:
		c := r.Clustering[i]
		r.moved = c.Name
		r.say(Misplaced, true, c.Pos,
			fmt.Sprintf("move it into the partition key: PRIMARY KEY (%s, %s); %s", r.tuple(join(r.Key, c)), r.list(without(r.Clustering, c.Name)), r.anew()),
			"%s stands in the clustering key of %s, where it sorts rows and bounds nothing%s: the partition key is %s alone, and %seach partition grows without end%s",
			Quote(c.Name), r.what(), maybe(c), r.tuple(r.Key), unless(sure, by), r.grown())
	case slices.ContainsFunc(r.Clustering, timed):
		r.say(Unbounded, true, r.Key[0].Pos,
			fmt.Sprintf("add a slice of time to the partition key, for example PRIMARY KEY (%s, %s); %s", r.tuple(join(r.Key, Column{Name: r.free("bucket", "time_bucket", "time_slice")})), r.list(r.Clustering), r.costs()),
			"the partition key of %s is %s alone: %seach partition grows without end%s", r.what(), r.tuple(r.Key), unless(sure, by), r.grown())
	default:
		r.say(Unbounded, true, r.Key[0].Pos,
			fmt.Sprintf("name what bounds it in its comment (WITH comment = 'bounded by ...'), or add a part to the partition key, for example PRIMARY KEY (%s, %s), where it is "+
				"a count of full parts or a hash of %s; %s", r.tuple(join(r.Key, Column{Name: r.free("part", "part_nr", "part_number")})), r.list(r.Clustering), r.list(r.Clustering), r.costs()),
			"the partition key of %s is %s alone and no column is a time%s: %seach partition has as many rows as there are values of %s, and nothing here bounds them%s",
			r.what(), r.tuple(r.Key), map[bool]string{false: " by its name (the file does not hold table " + r.Base + ")"}[r.typed()], unless(sure, by), r.list(r.Clustering), r.grown())
	}
}

// anew is what another key takes.
func (r *reviewer) anew() string {
	if r.Base != "" {
		return "it needs a new view"
	}
	return "it needs a new table"
}

// costs is what another column in the key takes.
func (r *reviewer) costs() string {
	if r.Base != "" {
		return r.anew() + ", and the column in table " + r.Base
	}
	return r.anew()
}

// each names the first clustering columns, for which rows repeat.
func (r *reviewer) each(n int) string {
	if n == 0 {
		return ""
	}
	return " for each " + r.list(r.Clustering[:n])
}

// unless says that a column in the partition key was not taken for a slice of time, though its name may mean one.
func unless(sure certainty, by Column) string {
	if sure == never {
		return ""
	}
	return fmt.Sprintf("if %s is not %s, ", Quote(by.Name), by.part())
}

// part is what the column would have to be to bound a partition.
func (c Column) part() string {
	if c.turn() {
		return "a number that goes on over the years"
	}
	if c.count() > max(c.slice(), c.time()) {
		return "the number of a part"
	}
	return "a time slice"
}

// maybe says that a column was taken for one.
func maybe(c Column) string {
	if c.slice() == surely {
		return ""
	}
	return " (if it is a time slice)"
}

// free is the first name that no column has.
func (r *reviewer) free(names ...string) string {
	for _, n := range names {
		if index(r.Columns, n) < 0 {
			return n
		}
	}
	return "new_" + names[0]
}

// order looks for rows that come oldest first.
func (r *reviewer) order() {
	rows := without(r.Clustering, r.moved)
	i := slices.IndexFunc(rows, func(c Column) bool { return c.time() >= likely })
	if i < 0 || rows[i].Descending || rows[i].attribute() {
		return
	}
	c := rows[i]
	orders := make([]string, i+1)
	for j, o := range rows[:i+1] {
		orders[j] = Quote(o.Name) + map[bool]string{true: " DESC", false: " ASC"}[o.Descending || j == i]
	}
	do := fmt.Sprintf("say WITH CLUSTERING ORDER BY (%s)", strings.Join(orders, ", "))
	oldest, seem := "the oldest row", ""
	if i == 0 {
		do += fmt.Sprintf(", or write ORDER BY %s DESC in every such query", Quote(c.Name))
	} else {
		oldest += " of its first " + r.list(rows[:i])
	}
	if c.time() < surely {
		seem = fmt.Sprintf("if %s is a time, ", Quote(c.Name))
	}
	r.say(OldestFirst, true, c.Pos, do, "%s sorts %s ascending: %sLIMIT 1 returns %s, not the latest", r.what(), Quote(c.Name), seem, oldest)
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
	return ": 1 partition of " + result.Plural(rows, "row")
}

// sizes works out a partition by the Cassandra formulas and holds it against the limits.
func (r *reviewer) sizes() error {
	rows, before := r.o.Rows, ""
	over := r.o.Over
	if !r.typed() {
		return nil // a view of a table in another file: its columns are not known
	}
	sure, _ := r.bounds()
	switch {
	case rows == 0 && (r.o.Rate.Rows == 0 || over <= 0):
		return nil
	case r.alone():
		rows = 1
	case rows > 0:
	case r.bucketed():
		if r.o.Width == bucket.Forever || (r.o.Width == bucket.Width{}) {
			return nil
		}
		span, err := sizing.RangeFanout(r.o.Width, over)
		if err != nil {
			return err
		}
		over = min(over, r.o.Width.Longest())
		before = result.Plural(span.Aligned, "partition") + "; in each, "
	case sure >= likely: // parts that are counted: full at a size that the key does not say
		return nil
	}
	if rows == 0 {
		if expiry := r.TTL * 1_000_000; expiry > 0 && r.TTL < 1<<40 {
			over = min(over, expiry)
		}
		var err error
		if rows, err = r.o.Rate.In(over); err != nil {
			return err
		}
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
	are := "are"
	if rows == 1 {
		are = "is"
	}
	text := fmt.Sprintf("%s: %s%s %s %s and %s by the Cassandra formulas", r.what(), before, result.Plural(rows, "row"), are, result.Plural(values, "value"), result.Plural(bytes, "byte"))
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
		if r.warned() {
			do = "mend the partition key first, as said above"
		}
	}
	r.say(Size, broken != nil, r.Pos, do, "%s", text)
	return nil
}

// warned reports whether the key was found to bound nothing.
func (r *reviewer) warned() bool {
	return slices.ContainsFunc(r.found, func(f Finding) bool { return f.Warn && (f.Rule == Unbounded || f.Rule == Misplaced) })
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

func join(columns []Column, c Column) []Column { return append(slices.Clone(columns), c) }
