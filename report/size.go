package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"pagetouch/pkg/sizing"
)

func init() { commands["size"] = sizeCommand }

// sizeOptions is everything that the command line says about rows that nobody has yet.
type sizeOptions struct {
	questionFlags
	rate       sizing.Rate
	rows       int64
	partitions string
}

// sizeCommand answers the questions of a trace from a rate, and their inverses.
func sizeCommand(_ context.Context, args []string, stdout io.Writer, _ *os.File) error {
	o, err := parseSize(args, stdout)
	if err != nil {
		return err
	}
	s, err := o.answer()
	if err != nil {
		return badParameter{err}
	}
	if o.json {
		return printJSON(stdout, s)
	}
	return s.print(stdout)
}

func parseSize(args []string, help io.Writer) (*sizeOptions, error) {
	o := &sizeOptions{}
	o.growth = 1
	f := flag.NewFlagSet("size", flag.ContinueOnError)
	o.questionFlags.register(f)
	o.rowBytesFlag(f, "every row has so many `bytes`")
	f.Func("rate", "one entity writes at this `rate`, evenly: 1000/s, 266047/h, 100000/d", func(s string) (err error) { o.rate, err = sizing.ParseRate(s); return err })
	f.Func("rows", "a partition holds so many `rows`: how large may each be, how long does it take to fill", func(s string) error {
		n, err := parseCount(s)
		o.rows = int64(n)
		return err
	})
	f.StringVar(&o.partitions, "partitions", "", "hold the partitions of this `file` against the limits: CSV with a column bytes or rows")
	words, err := parse(f, args, func() { sizeUsage(help, f) })
	switch {
	case err != nil:
		return nil, err
	case len(words) > 0:
		return nil, badParameter{fmt.Errorf("%q is no flag; see go run ./report size -h", words[0])}
	case o.rate.Rows == 0 && o.rows == 0 && o.partitions == "":
		return nil, badParameter{fmt.Errorf("nothing to size: want -rate, -rows or -partitions; see go run ./report size -h")}
	}
	return o, nil
}

func sizeUsage(w io.Writer, f *flag.FlagSet) {
	fmt.Fprint(w, `The questions of a trace, without one: partitions at an even rate, what reads ask for, what limits leave room for.

  go run ./report size -rate 1000/s -row-bytes 200 -latest 50 -range 24h
  go run ./report size -rows 500000 -limit "bytes > 100MB"        how large may a row be?
  go run ./report size -rate 100000/d -rows 5000000               how long does a partition take to fill?
  go run ./report size -partitions report.csv -store scylladb     which partitions of a store break its limits?
`)
	showFlags(w, f, "What is known", "rate", "row-bytes", "rows", "partitions")
	showFlags(w, f, "The question", "latest", "range", "widths", "store", "limit", "growth")
	showFlags(w, f, "The output", "json")
}
