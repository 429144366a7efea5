// Package progress tells a person at a terminal what a long step is doing: one line that overwrites itself and leaves
// nothing behind. Into a pipe or a file it writes nothing.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

const width = 79 // columns that every terminal has; a longer line would leave its rest behind

// Line is the line. Its methods may be called from several goroutines.
type Line struct {
	mu sync.Mutex
	w  io.Writer // nil when nobody looks
}

// On is a line on f, silent unless f is a terminal.
func On(f *os.File) *Line {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return &Line{}
	}
	return &Line{w: f}
}

// Show replaces what the line says.
func (l *Line) Show(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.w == nil {
		return
	}
	s := []rune(strings.Map(printable, fmt.Sprintf(format, args...)))
	fmt.Fprintf(l.w, "\r\x1b[K%s", string(s[:min(width, len(s))]))
}

// Clear takes the line away.
func (l *Line) Clear() { l.Show("") }

func printable(c rune) rune {
	if c < ' ' || c == 0x7f {
		return ' '
	}
	return c
}
