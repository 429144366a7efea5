package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/schema"
	"pagetouch/pkg/sizing"
)

func init() { commands["schema"] = schemaCommand }

// mostSchema is how large a file of statements may be.
const mostSchema = 16 << 20

// schemaOptions is everything that the command line says about a review.
type schemaOptions struct {
	questionFlags
	review schema.Options
	files  []string
}

// schemaCommand reviews CREATE TABLE statements; it fails where it warns, so that it can stand in a build.
func schemaCommand(_ context.Context, args []string, stdout io.Writer, stderr *os.File) error {
	o, err := parseSchema(args, stdout)
	if err != nil {
		return err
	}
	found := []schema.Finding{}
	for _, name := range o.files {
		tables, err := readSchema(name)
		if err != nil {
			return err
		}
		of, err := schema.Review(tables, name, o.review)
		if err != nil {
			return badParameter{err}
		}
		found = append(found, of...)
	}
	warnings := 0
	for _, f := range found {
		if f.Warn {
			warnings++
		}
		if !o.json {
			fmt.Fprintln(stdout, printable(f.String()))
		}
	}
	if o.json {
		if err := printJSON(stdout, struct {
			Findings []schema.Finding `json:"findings"`
		}{found}); err != nil {
			return err
		}
	}
	if warnings > 0 {
		return fmt.Errorf("%s", plural(int64(warnings), "warning", "warnings"))
	}
	return nil
}

// readSchema reads a file of statements, or standard input.
func readSchema(name string) ([]schema.Table, error) {
	in := os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, badParameter{err}
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, mostSchema+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > mostSchema:
		return nil, fmt.Errorf("%s: more than %d bytes: no file of CREATE TABLE statements", name, mostSchema)
	}
	tables, err := schema.Parse(string(text), name)
	if err == nil && len(tables) == 0 {
		err = fmt.Errorf("%s: no CREATE TABLE statement in it", name)
	}
	return tables, err
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
		n, err := strconv.ParseInt(size, 10, 64)
		if err != nil || n < 0 || strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("%q: want a column and its bytes, for example body=180", pair)
		}
		sizes[strings.TrimSpace(name)] = n
	}
	return sizes, nil
}

func schemaUsage(w io.Writer, f *flag.FlagSet) {
	fmt.Fprint(w, `Review the keys of CREATE TABLE statements: partitions that grow without end, buckets in the wrong place, orders that
return the oldest row. Exits with 1 where it warns.

  go run ./report schema posts.cql
  go run ./report schema -rate 1/s -over 365d -width hour posts.cql
`)
	showFlags(w, f, "What a partition holds", "rows", "rate", "over", "width", "sizes")
	showFlags(w, f, "The limits", "store", "limit")
	showFlags(w, f, "The output", "json")
}
