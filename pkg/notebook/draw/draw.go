// Package draw is how a notebook's cell has figures drawn without linking ECharts and a JavaScript interpreter: it asks
// the program scripts/draw. That program compiles ECharts at every start, so scripts/lab and scripts/notebooks keep one
// running and listening; where there is none, one is started for the question.
package draw

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"pagetouch/pkg/result"
)

// The environment of a kernel names the program and, while one is listening, its socket.
const (
	ProgramEnv = "PAGETOUCH_DRAW"
	SocketEnv  = "PAGETOUCH_DRAW_SOCKET"
)

// What figures can be drawn as.
const (
	SVG     = "svg"     // the standalone SVG file of each figure
	Chart   = "chart"   // {option, theme, width, height} of each figure, for ECharts
	Library = "library" // ECharts itself, without figures
)

// Request is one question, written as JSON.
type Request struct {
	As      string          `json:"as"`
	Figures []result.Figure `json:"figures"`
}

// Answer is what comes back: one drawing a figure, or an error.
type Answer struct {
	Drawn [][]byte `json:"drawn,omitempty"`
	Error string   `json:"error,omitempty"`
}

// Ask is a question to whoever draws.
type Ask func(Request) (Answer, error)

// Default asks the program that listens, or else starts one.
func Default(q Request) (Answer, error) {
	question, err := json.Marshal(q)
	if err != nil {
		return Answer{}, err
	}
	reply, err := listening(question)
	if err != nil {
		reply, err = started(question)
	}
	if err != nil {
		return Answer{}, fmt.Errorf("drawing the figures: %w", err)
	}
	var a Answer
	if err := json.Unmarshal(reply, &a); err != nil {
		return a, fmt.Errorf("drawing the figures: reading the answer: %w", err)
	}
	if a.Error != "" {
		return a, fmt.Errorf("drawing the figures: %s", a.Error)
	}
	if want := max(len(q.Figures), 1); len(a.Drawn) != want {
		return a, fmt.Errorf("drawing the figures: %d drawings came back, not %d: run ./scripts/lab --setup-only to build the program anew", len(a.Drawn), want)
	}
	return a, nil
}

func listening(question []byte) ([]byte, error) {
	conn, err := net.Dial("unix", shortest(os.Getenv(SocketEnv)))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if _, err := conn.Write(question); err != nil {
		return nil, err
	}
	var reply json.RawMessage
	return reply, json.NewDecoder(conn).Decode(&reply)
}

// shortest is the path as seen from here if that is shorter: a socket's address holds about 100 bytes.
func shortest(path string) string {
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, path); err == nil && len(rel) < len(path) {
			return rel
		}
	}
	return path
}

func started(question []byte) ([]byte, error) {
	program := os.Getenv(ProgramEnv)
	if program == "" {
		return nil, fmt.Errorf("the kernel's environment has no %s: run ./scripts/lab, which writes the kernel's settings", ProgramEnv)
	}
	cmd := exec.Command(program)
	cmd.Stdin = strings.NewReader(string(question))
	cmd.Stderr = os.Stderr
	return cmd.Output()
}
