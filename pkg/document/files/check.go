package files

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	filesShown = 10  // of a check
	linesShown = 6   // of each side of a difference
	widthShown = 120 // bytes of a line
)

// Check compares the set with dir and returns a short difference, "" when there is none: - is on the disk, + was made
// now. What is optional may be missing, but not different.
func (s Set) Check(dir string, k Kind) (diff string, err error) {
	paths := s.Paths()
	there, err := list(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("%s is not there\n", dir), nil
	}
	if err != nil {
		return "", err
	}
	for _, p := range there {
		if _, ok := s[p]; !ok && k.owns(p) && !strings.HasPrefix(p, ".") {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	var b strings.Builder
	different := 0
	for _, p := range paths {
		name := filepath.Join(dir, filepath.FromSlash(p))
		old, err := os.ReadFile(name)
		missing := errors.Is(err, fs.ErrNotExist)
		if err != nil && !missing {
			return "", err
		}
		fresh, made := s[p]
		if made && !missing && bytes.Equal(old, fresh) || missing && slices.Contains(k.Optional, p) {
			continue
		}
		if different++; different > filesShown {
			continue
		}
		switch {
		case missing:
			fmt.Fprintf(&b, "only made now: %s\n", name)
		case !made:
			fmt.Fprintf(&b, "only on the disk: %s\n", name)
		default:
			fmt.Fprintf(&b, "--- %s\n+++ made now\n%s", name, hunk(string(old), string(fresh)))
		}
	}
	if different > filesShown {
		fmt.Fprintf(&b, "... and %d more files\n", different-filesShown)
	}
	return b.String(), nil
}

// hunk is where two different texts differ, as in a unified diff with one line of context, cut short.
func hunk(old, fresh string) string {
	a, b := strings.SplitAfter(old, "\n"), strings.SplitAfter(fresh, "\n")
	first := 0
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	last := 0 // equal lines at the end
	for last < min(len(a), len(b))-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	removed, added := a[first:len(a)-last], b[first:len(b)-last]
	from := 0 // where long lines are cut: at their first difference
	if len(removed) > 0 && len(added) > 0 {
		for from < min(len(removed[0]), len(added[0])) && removed[0][from] == added[0][from] {
			from++
		}
	}
	var s strings.Builder
	fmt.Fprintf(&s, "@@ -%d,%d +%d,%d @@\n", first+1, len(removed), first+1, len(added))
	if first > 0 {
		s.WriteString(" " + cut(a[first-1], 0) + "\n")
	}
	lines(&s, "-", removed, from)
	lines(&s, "+", added, from)
	return s.String()
}

func lines(s *strings.Builder, sign string, all []string, from int) {
	for i, l := range all[:min(linesShown, len(all))] {
		if i > 0 {
			from = 0
		}
		s.WriteString(sign + cut(l, from) + "\n")
	}
	if more := len(all) - linesShown; more > 0 {
		fmt.Fprintf(s, "%s... and %d more lines\n", sign, more)
	}
}

// cut is the part of a line that a terminal can show, with what is at from in it.
func cut(l string, from int) string {
	l = strings.TrimRight(l, "\n")
	if len(l) <= widthShown {
		return l
	}
	from = min(max(0, from-widthShown/3), len(l))
	to := min(len(l), from+widthShown)
	for from > 0 && !utf8.RuneStart(l[from]) {
		from--
	}
	for to < len(l) && !utf8.RuneStart(l[to]) {
		to++
	}
	s := l[from:to]
	if from > 0 {
		s = "..." + s
	}
	if to < len(l) {
		s += "..."
	}
	return s
}
