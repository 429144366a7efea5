// Package files puts a rendered document on a disk, or compares it with what is there. A document is a set of files; it
// is replaced as a whole or not at all, and nothing that somebody else made is ever replaced.
package files

import (
	"fmt"
	"maps"
	"path"
	"slices"
)

// Set is files by their slash-separated path inside the document's folder.
type Set map[string][]byte

// Paths are the paths of a set, sorted.
func (s Set) Paths() []string { return slices.Sorted(maps.Keys(s)) }

// Kind recognises the folders that one program fills.
type Kind struct {
	Marker   string   // a file that every such folder has
	Holds    string   // a text near its start
	Patterns []string // of the paths that the program writes, see path.Match
	Optional []string // paths that may be missing when a folder is checked
}

func (k Kind) owns(name string) bool {
	return slices.ContainsFunc(k.Patterns, func(p string) bool {
		ok, _ := path.Match(p, name)
		return ok
	})
}

// check finds a path that would leave the folder, or that a later run would not recognise as its own.
func (s Set) check(k Kind) error {
	for _, name := range s.Paths() {
		if path.Clean(name) != name || path.IsAbs(name) || name == ".." || len(name) > 2 && name[:3] == "../" || !k.owns(name) {
			return fmt.Errorf("file %q does not belong in this kind of folder", name)
		}
	}
	if _, ok := s[k.Marker]; !ok {
		return fmt.Errorf("file %q is missing, by which the folder is known again", k.Marker)
	}
	return nil
}
