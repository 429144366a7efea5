package files

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Write makes dir hold the set and nothing else. Everything is written beside dir first and put in its place by a
// rename, so that a full or failing disk leaves what was there. A folder that is neither empty nor of this kind is refused.
func (s Set) Write(dir string, k Kind) error {
	if err := s.check(k); err != nil {
		return err
	}
	target, err := k.accept(dir)
	if err != nil {
		return err
	}
	if err := s.replace(target); err != nil {
		return fmt.Errorf("cannot write %s (what was there is untouched): %w", dir, err)
	}
	return nil
}

// Refuses says why Write would not touch dir, so that a program can ask before it does its work; nil where it would.
func (k Kind) Refuses(dir string) error {
	_, err := k.accept(dir)
	return err
}

func (k Kind) accept(dir string) (target string, err error) {
	if target, err = resolve(dir); err != nil {
		return "", err
	}
	if err := k.mayReplace(target); err != nil {
		return "", fmt.Errorf("cannot write to %s: %w", dir, err)
	}
	return target, nil
}

// resolve is the real place of dir: a link to a folder stays a link.
func resolve(dir string) (string, error) {
	target, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real
	}
	here, err := os.Getwd()
	if err == nil {
		if real, err := filepath.EvalSymlinks(here); err == nil {
			here = real
		}
		if inside, err := filepath.Rel(target, here); err == nil && filepath.IsLocal(inside) {
			return "", fmt.Errorf("cannot write to %s: it is, or holds, the current folder; name a folder inside it", dir)
		}
	}
	return target, nil
}

// mayReplace says why a folder must stay, if it must.
func (k Kind) mayReplace(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return errors.New("it is a file; name a folder")
	}
	paths, err := list(dir)
	if err != nil || len(paths) == 0 {
		return err
	}
	if !k.marked(dir) {
		return fmt.Errorf("it holds files but no %s of this program; name an empty or a new folder", k.Marker)
	}
	for _, p := range paths {
		if !k.owns(p) {
			return fmt.Errorf("it holds %s, which this program did not write; move that elsewhere", p)
		}
	}
	return nil
}

func (k Kind) marked(dir string) bool {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(k.Marker)))
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, 4096)
	n, _ := f.Read(start)
	return bytes.Contains(start[:n], []byte(k.Holds))
}

// list is the slash-separated paths of everything in a folder that is not itself a folder, and of empty folders.
func list(dir string) (paths []string, err error) {
	err = filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		if e.IsDir() {
			if inside, err := os.ReadDir(p); err != nil || len(inside) > 0 {
				return err
			}
		}
		rel, err := filepath.Rel(dir, p)
		paths = append(paths, filepath.ToSlash(rel))
		return err
	})
	return paths, err
}

func (s Set) replace(target string) error {
	parent, base := filepath.Split(target)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(parent, "."+base+".new-")
	if err != nil {
		return err
	}
	keep := false
	defer func() {
		if !keep { // nothing is left of a failure, and of success not the old files
			os.RemoveAll(work)
		}
	}()
	fresh, old := filepath.Join(work, "new"), filepath.Join(work, "old")
	if err := s.fill(fresh); err != nil {
		return err
	}
	if err := os.Rename(target, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, target); err != nil {
		if back := os.Rename(old, target); back != nil && !errors.Is(back, fs.ErrNotExist) {
			keep = true
			return fmt.Errorf("%w; it now lies in %s: move it back", err, old)
		}
		return err
	}
	return nil
}

// fill writes the files, with modes that do not depend on the umask.
func (s Set) fill(dir string) error {
	if err := mkdir(dir); err != nil {
		return err
	}
	for _, name := range s.Paths() {
		file := filepath.Join(dir, filepath.FromSlash(name))
		for p := filepath.Dir(file); p != dir; p = filepath.Dir(p) {
			if err := mkdir(p); err != nil {
				return err
			}
		}
		if err := write(file, s[name]); err != nil {
			return err
		}
	}
	return nil
}

func mkdir(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.Chmod(dir, 0o755)
}

func write(file string, content []byte) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	// Some disks fail only when the bytes get there.
	return errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
}
