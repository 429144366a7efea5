package main

import (
	"context"
	"flag"
	"io"
	"os"

	"pagetouch/pkg/document/files"
	"pagetouch/pkg/document/serve"
)

// textFolder is where the appendix's text is read from while it is being written.
const textFolder = "report/text"

// serveCommand previews the appendix on this machine. The text is read from disk at each build, so that a save shows;
// a change of Go code needs a new start.
func serveCommand(ctx context.Context, args []string, stdout io.Writer, stderr *os.File) error {
	addr := ""
	o, err := parseOptions("serve", args, stdout, func(f *flag.FlagSet) {
		f.StringVar(&addr, "addr", "127.0.0.1:8080", "answer on this `address` of this machine")
	})
	if err != nil {
		return err
	}
	if _, err := os.Stat(textFolder); err != nil {
		return badParameter{err}
	}
	watch := []string{textFolder}
	if o.file != "" {
		watch = append(watch, o.file)
	}
	return serve.Serve(ctx, addr, watch, func() (files.Set, error) {
		again, err := parseOptions("serve", args, io.Discard, func(f *flag.FlagSet) { f.StringVar(&addr, "addr", addr, "") })
		if err != nil {
			return nil, err
		}
		o = again
		set, _, err := build(ctx, o, os.DirFS(textFolder), stderr)
		return set, err
	}, stdout)
}
