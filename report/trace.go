package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"pagetouch/pkg/answers"
	"pagetouch/pkg/document"
	"pagetouch/pkg/workload/trace"
)

func init() { commands["trace"] = traceCommand }

// traceOptions is everything that the command line says about a trace.
type traceOptions struct {
	questionFlags
	pageFlags
	file                string
	entity, time, bytes string
	unit                trace.Unit
	maxBad              int64
	now                 *int64
	out, echarts        string
	args                []string
}

const (
	defaultTraceOut = "trace-report"
	traceMemory     = 32 << 20 // of rows kept; more wait in a temporary file
	softMemory      = 170 << 20
)

// traceCommand answers the lesson's questions for the reader's own rows.
func traceCommand(ctx context.Context, args []string, stdout io.Writer, stderr *os.File) error {
	o, err := parseTrace(args, stdout)
	if err != nil {
		return err
	}
	if !o.json {
		if err := document.Kind().Refuses(o.out); err != nil {
			return badParameter{err}
		}
	}
	read, q, a, err := ask(ctx, o, stderr)
	if err != nil {
		return err
	}
	if o.json {
		return printJSON(stdout, a)
	}
	set, err := traceReport(ctx, o, q, a, read, stderr)
	if err != nil {
		return err
	}
	if err := write(set, o.out); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s\n\n%s\n%s\n", printable(a.Headline()), filepath.Join(o.out, "README.md"), filepath.Join(o.out, "index.html"))
	return nil
}

// ask reads the trace and answers.
func ask(ctx context.Context, o *traceOptions, stderr *os.File) (*trace.Report, answers.Question, *answers.Answers, error) {
	// Rows and sums are large and hold no pointers: collecting often is cheap, and keeps what is dead from adding up.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(softMemory))
	q := answers.Question{Latest: o.latest, Range: o.length, Now: o.now, Widths: o.widths, Limits: o.limits(), Growth: o.growth}
	var err error
	if q.Page, q.Entry, err = o.pages(); err != nil {
		return nil, q, nil, err
	}
	t, read, err := openTrace(ctx, o, stderr)
	if err != nil {
		return nil, q, nil, err
	}
	defer t.Close()
	q.RowBytes = o.placedAt(read)
	a, err := answers.Ask(t, q)
	if err != nil {
		return nil, q, nil, err
	}
	a.BadRows = read.Bad
	return read, q, a, nil
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func parseTrace(args []string, help io.Writer) (*traceOptions, error) {
	o := &traceOptions{args: args}
	o.questionFlags.latest, o.questionFlags.growth = 20, 1
	f := flag.NewFlagSet("trace", flag.ContinueOnError)
	o.questionFlags.register(f)
	o.questionFlags.rowBytesFlag(f, "place every row on pages with so many `bytes`")
	o.pageFlags.register(f)
	f.StringVar(&o.entity, "entity", "", "the `column` of who wrote the row, by name or number")
	f.StringVar(&o.time, "time", "", "the `column` of when")
	f.StringVar(&o.bytes, "bytes", "", "the `column` of the row's size; named here, rows lie on pages at their own sizes")
	f.Func("unit", "times that are numbers count this `unit`: auto, s, ms, us, ns", func(s string) (err error) { o.unit, err = trace.ParseUnit(s); return err })
	f.Int64Var(&o.maxBad, "max-bad", trace.Defaults().MaxBad, "stop when more `rows` than this are bad; -1: never")
	f.Func("now", "reads are made at this `time`, not before the newest row; without it at each entity's own newest row", func(s string) error {
		t, err := parseTime(s)
		o.now = &t
		return err
	})
	f.StringVar(&o.out, "out", defaultTraceOut, "write the report into this `folder`")
	f.StringVar(&o.echarts, "echarts", "", "draw with this local copy of ECharts (`file` echarts.min.js), for networks without npm")
	words, err := parse(f, args, func() { traceUsage(help, f) })
	switch {
	case err != nil:
		return nil, err
	case len(words) != 1:
		return nil, badParameter{fmt.Errorf("%d files named: want one, or - for standard input; see go run ./report trace -h", len(words))}
	}
	o.file = words[0]
	return o, nil
}

func traceUsage(w io.Writer, f *flag.FlagSet) {
	fmt.Fprint(w, `Answer the lesson's questions for your own rows: which layout, which bucket, what a read costs, when it breaks.

  go run ./report trace events.csv.gz            a report, in ./trace-report
  go run ./report trace -json events.parquet     the numbers alone, to standard output
  git log --reverse --format='%ae,%aI' | go run ./report trace -

The file is CSV, TSV or NDJSON (plain, gzip, zstd) or Parquet, a row an event, in the order of arrival. Columns are found
by name or by looking; which ones is printed.
`)
	showFlags(w, f, "The rows", "entity", "time", "bytes", "unit", "max-bad")
	showFlags(w, f, "The question", "latest", "range", "now", "widths", "store", "limit", "growth")
	showFlags(w, f, "The pages", "row-bytes", "page", "page-bytes", "page-header", "row-header", "entry-bytes")
	showFlags(w, f, "The output", "out", "json", "echarts")
}

// again is the command that makes the same report.
func (o *traceOptions) again() string {
	words := []string{"go run ./report trace"}
	for i := 0; i < len(o.args); i++ {
		a := o.args[i]
		if name := strings.TrimLeft(a, "-"); a != name && (name == "out" || name == "echarts") {
			i++
			continue
		} else if a != name && (strings.HasPrefix(name, "out=") || strings.HasPrefix(name, "echarts=")) {
			continue
		}
		words = append(words, quoted(a))
	}
	return strings.Join(words, " ")
}

// quoted is a word as a shell reads it.
func quoted(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=%@+") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(printable(s), "'", `'\''`) + "'"
}
