// Package serve previews a document in a browser on the same machine and shows it again whenever a file that it is made
// of is saved. A document that does not build leaves the last good one, with the error above it.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"pagetouch/pkg/document/files"
)

// Serve builds the document, answers on addr (such as "127.0.0.1:8080"; port 0 picks a free one) and builds it again when
// a file in watch, or in a folder in watch, changes. It writes to out where to look, and returns when ctx ends.
func Serve(ctx context.Context, addr string, watch []string, build func() (files.Set, error), out io.Writer) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("preview address %q: write it as 127.0.0.1:8080", addr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("preview address %q: the preview is for this machine only, use 127.0.0.1", addr)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("preview: %w", err)
	}
	p := newPreview(listener.Addr().(*net.TCPAddr).Port)
	p.show(build())
	go follow(ctx, watch, func() { p.show(build()) })

	server := &http.Server{
		Handler:           p,
		ReadHeaderTimeout: 5 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx }, // ends the waiting pages too
	}
	done := make(chan error, 1)
	go func() {
		<-ctx.Done()
		patience, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		done <- server.Shutdown(patience)
	}()
	fmt.Fprintf(out, "Preview on http://%s/ (Ctrl-C stops it)\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("preview: %w", err)
	}
	return <-done
}
