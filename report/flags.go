package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"pagetouch/pkg/experiment"
	"pagetouch/pkg/result"
)

// options is everything that the command line says about the appendix.
type options struct {
	setting experiment.Setting
	out     string
	only    string
	file    string // of parameters
	check   bool
	json    bool
	echarts string
}

const (
	defaultOut = "report/appendix"
	previewOut = "report/preview" // of a part
	sectionSep = ","
)

// parseOptions reads the flags of a command; extra adds its own.
func parseOptions(name string, args []string, help io.Writer, extra func(*flag.FlagSet)) (*options, error) {
	o := &options{setting: experiment.Lesson()}
	f := flag.NewFlagSet("report "+name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.out, "out", defaultOut, "write the appendix into this `folder`")
	f.StringVar(&o.only, "only", "", "build these `sections` alone, into report/preview unless -out says otherwise; separated by commas: "+strings.Join(sectionNames(), ", "))
	f.BoolVar(&o.check, "check", false, "write nothing; compare with the folder, show what differs, exit with 1 if anything does")
	f.BoolVar(&o.json, "json", false, "print all numbers as JSON; draw nothing, write nothing")
	f.StringVar(&o.echarts, "echarts", "", "draw with this local copy of ECharts (`file` echarts.min.js), for networks without npm")
	f.StringVar(&o.file, "setting", "", "take parameters from this `file`, one \"name value\" a line; those of the command line come first")
	s := &o.setting
	for _, p := range parameters(s) {
		f.Var(p, p.name, p.usage)
	}
	if extra != nil {
		extra(f)
	}
	f.Usage = func() {}
	if err := f.Parse(args); err != nil {
		if err == flag.ErrHelp {
			usage(help, f)
			return nil, err
		}
		return nil, badParameter{fmt.Errorf("%w; see go run ./report -h", err)}
	}
	if f.NArg() > 0 {
		return nil, badParameter{fmt.Errorf("%q is no flag; see go run ./report -h", f.Arg(0))}
	}
	given := false
	f.Visit(func(p *flag.Flag) { given = given || p.Name == "out" })
	if o.only != "" && !given { // a part must not take the whole one's place
		o.out = previewOut
	}
	if err := readSetting(f, o.file); err != nil {
		return nil, badParameter{err}
	}
	if o.check && o.json {
		return nil, badParameter{errors.New("-check compares files and -json prints numbers: want one of them")}
	}
	if err := s.Validate(); err != nil {
		return nil, badParameter{err}
	}
	if _, err := experiment.Named(o.sections()); err != nil {
		return nil, badParameter{fmt.Errorf("-only: %w", err)}
	}
	return o, nil
}

func (o *options) sections() []string {
	if o.only == "" {
		return nil
	}
	return strings.Split(o.only, sectionSep)
}

func sectionNames() (names []string) {
	for _, e := range experiment.All() {
		names = append(names, e.Name)
	}
	return names
}

// parameter is one number or date of a setting, as a flag.
type parameter struct {
	name, usage string
	get         func() string // as a flag takes it
	set         func(string) error
	unit        string
}

func (p parameter) String() string {
	if p.get == nil { // the zero value, which package flag makes
		return ""
	}
	return p.get()
}

func (p parameter) Set(s string) error { return p.set(s) }

// parameters lists a setting's parameters.
func parameters(s *experiment.Setting) []parameter {
	return []parameter{
		whole("seed", &s.Seed, "", "`seed` of every random draw"),
		whole("posts", &s.Posts, "posts", "how many `posts` the ordinary users write"),
		whole("users", &s.Users, "users", "how many ordinary `users` there are"),
		whole("sample", &s.Sample, "users", "how many `users` are asked for their posts, drawn at random"),
		whole("latest", &s.Latest, "posts", "how many `posts` the newest-first read asks for"),
		whole("row-bytes", &s.RowBytes, "bytes", "`bytes` of a post"),
		whole("page-bytes", &s.PageBytes, "bytes", "`bytes` of a page"),
		whole("page-header", &s.PageHeader, "bytes", "`bytes` of each page that hold no rows"),
		whole("row-header", &s.RowHeader, "bytes", "`bytes` before each row"),
		whole("entry-bytes", &s.EntryBytes, "bytes", "`bytes` of an index entry"),
		date("from", &s.From, "first `date` on which posts are written"),
		date("to", &s.To, "`date` before which posts are written"),
		date("range-from", &s.RangeFrom, "first `date` of the range read"),
		date("range-to", &s.RangeTo, "`date` before which the range read ends"),
		whole("account", &s.Account, "posts", "how many `posts` the big account writes"),
	}
}

func whole[T int | int64 | uint64](name string, to *T, unit, usage string) parameter {
	return parameter{name: name, usage: usage, unit: unit,
		get: func() string { return fmt.Sprint(*to) },
		set: func(s string) error {
			var x T
			if n, err := fmt.Sscanf(s+"\x00", "%d\x00", &x); n != 1 || err != nil {
				return fmt.Errorf("want a whole number within range")
			}
			*to = x
			return nil
		}}
}

func date(name string, to *int64, usage string) parameter {
	return parameter{name: name, usage: usage + " (YYYY-MM-DD, UTC)",
		get: func() string { return experiment.Date(*to) },
		set: func(s string) error {
			t, err := time.Parse(time.DateOnly, s)
			if err != nil {
				return fmt.Errorf("want a date such as 2025-03-01")
			}
			*to = t.UnixMicro()
			return nil
		}}
}

// shown are the parameters as the text prints them, with units as their numbers say.
func shown(s experiment.Setting) map[string]string {
	all := map[string]string{"rows-per-page": result.Format(float64(s.PerPage()), 0), "fanout": result.Format(float64(s.Page().Fanout(s.EntryBytes)), 0)}
	for _, p := range parameters(&s) {
		value := p.get()
		var n int64
		if _, err := fmt.Sscanf(value+"\x00", "%d\x00", &n); err == nil && p.unit != "" {
			value = result.Format(float64(n), 0)
		}
		all[p.name] = value
	}
	return all
}

// commandLine is the shortest command that makes the same appendix.
func commandLine(o *options) string {
	words := []string{"go run ./report"}
	if o.only != "" {
		words = append(words, "-only "+o.only)
	}
	lesson, setting := experiment.Lesson(), o.setting
	was := parameters(&lesson)
	for i, p := range parameters(&setting) {
		if p.get() != was[i].get() {
			words = append(words, "-"+p.name+" "+p.get())
		}
	}
	return strings.Join(words, " ")
}

func usage(w io.Writer, f *flag.FlagSet) {
	fmt.Fprint(w, `Rebuild the lesson's appendix: every table and chart, as Markdown and as one offline HTML page.

  go run ./report [flags]          build it
  go run ./report serve [flags]    preview it in a browser, rebuilt at each save
  go run ./report trace FILE       the same questions for your own rows      (trace -h)
  go run ./report size [flags]     the same questions for a rate             (size -h)
  go run ./report schema FILE      review the keys of CREATE TABLE statements (schema -h)

What to make:
`)
	show := func(name string) {
		p := f.Lookup(name)
		if p == nil {
			return
		}
		kind, text := flag.UnquoteUsage(p)
		fmt.Fprintf(w, "  %-20s %s", "-"+name+" "+kind, text)
		if p.DefValue != "" && p.DefValue != "false" {
			fmt.Fprintf(w, " [%s]", p.DefValue)
		}
		fmt.Fprintln(w)
	}
	for _, name := range []string{"out", "only", "check", "json", "setting", "echarts", "addr"} {
		show(name)
	}
	fmt.Fprint(w, "\nThe setting (in brackets: the default):\n")
	lesson := experiment.Lesson()
	for _, p := range parameters(&lesson) {
		show(p.name)
	}
}
