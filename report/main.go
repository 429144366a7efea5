// Report rebuilds the lesson's appendix: every table and every chart, as Markdown and as one offline HTML page.
//
//	go run ./report                     everything, into report/appendix
//	go run ./report -only march-2025    one section, while writing it
//	go run ./report -json               the numbers alone, to standard output
//	go run ./report -check              compare with what is on disk
//	go run ./report serve               preview in a browser, rebuilt at each save
//	go run ./report trace events.csv    the same questions for your own rows
//	go run ./report size -rate 1000/s   the same questions without rows
//	go run ./report schema posts.cql    a review of CREATE TABLE statements
//
// Run it with -h for every parameter. It exits with 0, with 1 where something went wrong or differs, and with 2 where a
// parameter makes no sense.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
)

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(200 << 20) // collect garbage sooner rather than pass 256 MB
		debug.SetGCPercent(400)         // and hardly at all in a short run
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// command is what one word after the program's name does; the appendix needs no word.
type command func(ctx context.Context, args []string, stdout io.Writer, stderr *os.File) error

var commands = map[string]command{
	"":      appendixCommand,
	"serve": serveCommand,
}

// run is the program: arguments in, exit code out.
func run(ctx context.Context, args []string, stdout io.Writer, stderr *os.File) int {
	name := ""
	if len(args) > 0 && len(args[0]) > 0 && args[0][0] != '-' {
		name, args = args[0], args[1:]
	}
	execute, ok := commands[name]
	if !ok {
		fmt.Fprintf(stderr, "report: no command %q; see go run ./report -h\n", name)
		return 2
	}
	err := execute(ctx, args, stdout, stderr)
	var bad badParameter
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errSaid):
		return 1
	case errors.As(err, &bad):
		fmt.Fprintf(stderr, "report: %v\n", err)
		return 2
	}
	fmt.Fprintf(stderr, "report: %v\n", err)
	return 1
}

// errSaid is a failure that the command's output has told of.
var errSaid = errors.New("it is said above")

// badParameter is an error in what the user asked for.
type badParameter struct{ error }

func (b badParameter) Unwrap() error { return b.error }
