package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/result"
	"pagetouch/pkg/schema"
	"pagetouch/pkg/sizing"
)

func init() { commands["schema"] = schemaCommand }

// schemaOptions is everything that the command line says about a review.
type schemaOptions struct {
	questionFlags
	review schema.Options
	files  []string
}

// reviewed is what schema prints.
type reviewed struct {
	Tables   int              `json:"tables"`
	Views    int              `json:"views"`
	Warnings int              `json:"warnings"`
	Findings []schema.Finding `json:"findings"`
}

// schemaCommand reviews CREATE TABLE statements; it fails where it warns, so that it can stand in a build. What it
// cannot read is a bad parameter: a failure of 1 is a warning and nothing else.
func schemaCommand(_ context.Context, args []string, stdout io.Writer, _ *os.File) error {
	o, err := parseSchema(args, stdout)
	if err != nil {
		return err
	}
	all := reviewed{Findings: []schema.Finding{}}
	var columns []string
	for _, name := range o.files {
		script, err := readSchema(name)
		if err != nil {
			return badParameter{err}
		}
		of, err := schema.Review(script, name, o.review)
		if err != nil {
			return badParameter{err}
		}
		all.Findings = append(all.Findings, of...)
		all.Views += script.Views()
		all.Tables += len(script.Tables) - script.Views()
		for _, t := range script.Tables {
			for _, c := range t.Columns {
				columns = append(columns, c.Name)
			}
		}
	}
	if err := o.sizesOf(columns); err != nil {
		return badParameter{err}
	}
	for _, f := range all.Findings {
		if f.Warn {
			all.Warnings++
		}
	}
	return all.print(stdout, o.json)
}

// print writes the findings and, last, how many there are.
func (r *reviewed) print(w io.Writer, asJSON bool) error {
	if asJSON {
		if err := printJSON(w, r); err != nil {
			return err
		}
	} else {
		for _, f := range r.Findings {
			fmt.Fprintln(w, printable(f.String()))
		}
		counts := result.Plural(r.Tables, "table") + ", "
		if r.Views > 0 {
			counts += result.Plural(r.Views, "view") + ", "
		}
		fmt.Fprintln(w, counts+result.Plural(r.Warnings, "warning"))
	}
	if r.Warnings > 0 {
		return errSaid
	}
	return nil
}

// readSchema reads a file of statements, or standard input.
func readSchema(name string) (schema.Script, error) {
	in := os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return schema.Script{}, err
		}
		defer f.Close()
		in = f
	}
	return schema.Read(in, name)
}

// sizesOf reports a size given for a column that no table has: a misspelt one would change nothing and say nothing.
func (o *schemaOptions) sizesOf(columns []string) error {
	slices.Sort(columns)
	columns = slices.Compact(columns)
	for _, name := range slices.Sorted(maps.Keys(o.review.Assume.Sizes)) {
		if columns == nil || slices.Contains(columns, name) {
			continue
		}
		const most = 12
		have := ""
		for i, c := range columns[:min(len(columns), most)] {
			if i > 0 {
				have += ", "
			}
			have += schema.Quote(c)
		}
		if len(columns) > most {
			have += ", ..."
		}
		return fmt.Errorf("-sizes %s=%d: no table of %s has a column %s; want one of %s", name, o.review.Assume.Sizes[name], strings.Join(o.files, ", "), name, have)
	}
	return nil
}

func parseSchema(args []string, help io.Writer) (*schemaOptions, error) {
	o := &schemaOptions{}
	r := &o.review
	f := flag.NewFlagSet("schema", flag.ContinueOnError)
	o.questionFlags.register(f)
	f.Func("rows", "a partition holds so many `rows`", func(s string) error {
		n, err := parseCount(s)
		r.Rows = int64(n)
		return err
	})
	f.Func("rate", "instead: one entity writes at this `rate`, for example 1/s,", func(s string) (err error) { r.Rate, err = sizing.ParseRate(s); return err })
	f.Func("over", "for this `time`, for example 365d,", func(s string) (err error) { r.Over, err = parseLength(s); return err })
	f.Func("width", "and a bucket in the partition key has this `width`", func(s string) (err error) { r.Width, err = bucket.Parse(s); return err })
	f.Func("sizes", "`bytes` of values by column: body=180,author=16", func(s string) (err error) { r.Assume.Sizes, err = parseSizes(s); return err })
	var err error
	if o.files, err = parse(f, args, func() { schemaUsage(help, f) }); err != nil {
		return nil, err
	}
	r.Limits = o.limits()
	switch {
	case len(o.files) == 0:
		return nil, badParameter{fmt.Errorf("no file named: want one of CREATE TABLE statements, or - for standard input; see go run ./report schema -h")}
	case (r.Rate.Rows > 0) != (r.Over > 0):
		return nil, badParameter{fmt.Errorf("-rate and -over want each other")}
	}
	return o, nil
}

func parseSizes(s string) (map[string]int64, error) {
	sizes := map[string]int64{}
	for pair := range strings.SplitSeq(s, ",") {
		name, size, _ := strings.Cut(pair, "=")
		name, size = columnName(name), strings.TrimSpace(size)
		n, err := strconv.ParseInt(size, 10, 64)
		if err != nil || n < 0 || name == "" {
			return nil, fmt.Errorf("%q: want a column and its bytes, for example body=180", pair)
		}
		sizes[name] = n
	}
	return sizes, nil
}

// columnName reads a name as CQL does: the same in any case, unless it stands in quotes.
func columnName(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
		return strings.ReplaceAll(s[1:len(s)-1], `""`, `"`)
	}
	return strings.ToLower(s)
}

func schemaUsage(w io.Writer, f *flag.FlagSet) {
	fmt.Fprint(w, `Review the keys of CREATE TABLE and CREATE MATERIALIZED VIEW statements: partitions that grow without end, buckets in the
wrong place, orders that return the oldest row. Exits with 0, with 1 where it warns, and with 2 where a parameter or a file
makes no sense. A file of other CQL statements alone is passed over with a note. A table that something else bounds says
so in its comment: WITH comment = 'bounded by the plan: 500 a team'.

  go run ./report schema posts.cql
  go run ./report schema -rate 1/s -over 365d -width hour posts.cql
`)
	showFlags(w, f, "What a partition holds", "rows", "rate", "over", "width", "sizes")
	showFlags(w, f, "The limits", "store", "limit")
	showFlags(w, f, "The output", "json")
}
