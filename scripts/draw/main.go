// Command draw draws figures for notebooks (see pkg/notebook/draw): a question as JSON on standard input, the answer on
// standard output.
//
//	draw               # answers one question
//	draw -listen PATH  # answers questions on a unix socket until standard input ends
//
// The socket is removed at the end. Whoever starts a listening draw holds the other end of its standard input, so it
// cannot outlive them, whatever ends them.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"sync"

	"pagetouch/pkg/figure"
	"pagetouch/pkg/figure/echarts"
	"pagetouch/pkg/figure/standalone"
	"pagetouch/pkg/figure/svg"
	"pagetouch/pkg/notebook/draw"
)

func main() {
	socket := flag.String("listen", "", "answer on this unix socket until standard input ends")
	flag.Parse()
	var err error
	if *socket == "" {
		err = answer(os.Stdin, os.Stdout)
	} else {
		err = listen(*socket)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}

func listen(socket string) error {
	os.Remove(socket) // of one that was killed
	l, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	go func() { // so that the first question need not wait; an error comes with the answer to it
		if r, err := renderer(); err == nil {
			r.Compile()
		}
	}()
	go func() {
		io.Copy(io.Discard, os.Stdin)
		l.Close() // removes the socket
	}()
	for {
		conn, err := l.Accept()
		if err != nil {
			return nil // closed above
		}
		go func() {
			defer conn.Close()
			answer(conn, conn) // whoever asked has gone if this fails
		}()
	}
}

func answer(r io.Reader, w io.Writer) error {
	var q draw.Request
	var a draw.Answer
	err := json.NewDecoder(r).Decode(&q)
	if err == nil {
		a.Drawn, err = drawn(q)
	}
	if err != nil {
		a = draw.Answer{Error: err.Error()}
	}
	return json.NewEncoder(w).Encode(a)
}

var library = sync.OnceValues(func() ([]byte, error) { return echarts.Load(context.Background()) })

var renderer = sync.OnceValues(func() (*svg.Renderer, error) {
	code, err := library()
	if err != nil {
		return nil, err
	}
	return svg.New(code), nil
})

func drawn(q draw.Request) ([][]byte, error) {
	switch q.As {
	case draw.SVG:
		r, err := renderer()
		if err != nil {
			return nil, err
		}
		return standalone.Draw(context.Background(), r, q.Figures)
	case draw.Chart:
		return charts(q)
	case draw.Library:
		code, err := library()
		return [][]byte{code}, err
	}
	return nil, fmt.Errorf("figures cannot be drawn as %q", q.As)
}

func charts(q draw.Request) ([][]byte, error) {
	var out [][]byte
	for _, f := range q.Figures {
		option, err := figure.Option(f, figure.Wide)
		if err != nil {
			return nil, err
		}
		width, height := figure.Size(f, figure.Wide)
		chart, err := json.Marshal(map[string]any{"option": option, "theme": figure.Light.JSON(), "width": width, "height": height})
		if err != nil {
			return nil, err
		}
		out = append(out, chart)
	}
	return out, nil
}
