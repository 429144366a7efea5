package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"

	"pagetouch/pkg/experiment"
)

// readSetting sets the parameters that a file names and the command line does not. A line is a parameter's name and its
// value; what follows a # is a comment.
func readSetting(f *flag.FlagSet, file string) error {
	if file == "" {
		return nil
	}
	in, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("-setting: %w", err)
	}
	defer in.Close()
	given := map[string]bool{}
	f.Visit(func(p *flag.Flag) { given[p.Name] = true })
	known := map[string]bool{}
	lesson := experiment.Lesson()
	for _, p := range parameters(&lesson) {
		known[p.name] = true
	}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(strings.Replace(text, "=", " ", 1))
		switch {
		case len(words) == 0:
		case len(words) != 2:
			return fmt.Errorf("%s:%d: %q: want a parameter's name and its value", file, n, strings.TrimSpace(text))
		case !known[words[0]]:
			return fmt.Errorf("%s:%d: no parameter %q; go run ./report -h lists them", file, n, words[0])
		case !given[words[0]]:
			if err := f.Set(words[0], words[1]); err != nil {
				return fmt.Errorf("%s:%d: %s %q: %w", file, n, words[0], words[1], err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
