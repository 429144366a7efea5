package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/sizing"
	"pagetouch/pkg/store"
)

// questionFlags are what trace, size and schema have in common: the read, the widths, the limits.
type questionFlags struct {
	latest   int
	length   int64 // of the range read, microseconds
	store    string
	own      []sizing.Limit
	widths   []bucket.Width
	growth   float64
	rowBytes int64
	json     bool
}

// defaultStore is whose limits decide where neither a store nor a limit was named.
const defaultStore = "cassandra"

func (q *questionFlags) register(f *flag.FlagSet) {
	f.Func("latest", "the newest-first read asks for so many `rows`", func(s string) (err error) { q.latest, err = parseCount(s); return err })
	f.Func("range", "the range read covers this `time`: 24h, 7d, month", func(s string) (err error) { q.length, err = parseLength(s); return err })
	f.Func("store", "hold partitions against the limits of this `store`: "+strings.Join(storeNames(), ", "), q.setStore)
	f.Func("limit", "a `limit` of your own, for example \"rows > 100000\" or \"bytes > 100MB\"; may be given again", q.addLimit)
	f.Func("widths", "candidate bucket `widths` beside hour to year, separated by commas: 20m,1h,10d; without it round ones like these are tried where a limit falls between", q.addWidths)
	f.Func("growth", "partitions may grow by this `factor`, for example 3x", q.setGrowth)
	f.BoolVar(&q.json, "json", false, "print the answers as JSON")
}

func (q *questionFlags) rowBytesFlag(f *flag.FlagSet, usage string) {
	f.Func("row-bytes", usage, func(s string) error {
		n, err := parseCount(s)
		q.rowBytes = int64(n)
		return err
	})
}

func storeNames() []string {
	names, err := sizing.Stores()
	if err != nil {
		panic(err) // the file is compiled in, and tested
	}
	return names
}

func (q *questionFlags) setStore(s string) error {
	found, err := store.Named(s)
	q.store = found.ID
	return err
}

// speaks is the store whose language keys are written in.
func (q *questionFlags) speaks() (store.Store, error) {
	return store.Named(cmp.Or(q.store, defaultStore))
}

func (q *questionFlags) addLimit(s string) error {
	l, err := sizing.ParseLimit(s)
	q.own = append(q.own, l)
	return err
}

func (q *questionFlags) addWidths(s string) error {
	for word := range strings.SplitSeq(s, ",") {
		w, err := bucket.Parse(strings.TrimSpace(word))
		if err != nil {
			return err
		}
		q.widths = append(q.widths, w)
	}
	return nil
}

func (q *questionFlags) setGrowth(s string) error {
	x, err := strconv.ParseFloat(strings.TrimSuffix(s, "x"), 64)
	if err != nil || !(x >= 1 && x <= 1e9) {
		return errors.New("want a factor from 1 to 1e9, for example 3x")
	}
	q.growth = x
	return nil
}

// limits are the store's and the reader's own. Whoever gives a limit and no store means that limit alone.
func (q *questionFlags) limits() []sizing.Limit {
	store := q.store
	if store == "" && q.own == nil {
		store = defaultStore
	}
	limits := append([]sizing.Limit(nil), q.own...)
	if store != "" {
		of, _ := sizing.Limits(store) // its name was looked up when it was given
		limits = append(limits, of...)
	}
	return limits
}

func parseCount(s string) (int, error) {
	n, err := strconv.ParseInt(strings.ReplaceAll(s, ",", ""), 10, 64)
	if err != nil || n < 1 || n > 1<<30 {
		return 0, fmt.Errorf("want a whole number from 1 to %d", 1<<30)
	}
	return int(n), nil
}

// parseLength reads a length of time as widths are written; a month is one of 31 days.
func parseLength(s string) (int64, error) {
	w, err := bucket.Parse(s)
	if err != nil || w.Longest() == 0 {
		return 0, errors.New("want a length of time, for example 90m, 24h, 7d, 2w or month")
	}
	return w.Longest(), nil
}

// parseTime reads a time as people write one; without a zone it is UTC.
func parseTime(s string) (int64, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UnixMicro(), nil
		}
	}
	return 0, errors.New("want a time such as 2026-11-30T12:00:00Z or 2026-11-30")
}

// parse reads a command's flags and other words, in any order.
func parse(f *flag.FlagSet, args []string, help func()) (words []string, err error) {
	f.SetOutput(io.Discard)
	f.Usage = func() {} // an error is a line, without all the flags
	for {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				help()
				return nil, err
			}
			return nil, badParameter{fmt.Errorf("%w; see go run ./report %s -h", err, f.Name())}
		}
		if f.NArg() == 0 {
			return words, nil
		}
		words, args = append(words, f.Arg(0)), f.Args()[1:]
	}
}

// showFlags prints flags by name, a line each.
func showFlags(w io.Writer, f *flag.FlagSet, title string, names ...string) {
	fmt.Fprintf(w, "\n%s:\n", title)
	for _, name := range names {
		p := f.Lookup(name)
		kind, text := flag.UnquoteUsage(p)
		fmt.Fprintf(w, "  %-22s %s", strings.TrimSpace("-"+name+" "+kind), text)
		if p.DefValue != "" && p.DefValue != "false" && p.DefValue != "0" {
			fmt.Fprintf(w, " [%s]", p.DefValue)
		}
		fmt.Fprintln(w)
	}
}
