// Package cache keeps what can be made again, between runs, in the user's cache folder. Nothing in it is trusted: an
// entry carries its checksum, and one that is damaged, unreadable or absent is simply made again.
package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
)

// Get returns the entry of that name, or false if there is none that is whole.
func Get(name string) ([]byte, bool) {
	dir, err := dir()
	if err != nil {
		return nil, false
	}
	entry, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, false
	}
	sum, data, ok := bytes.Cut(entry, []byte("\n"))
	if !ok || string(sum) != Sum(data) {
		return nil, false
	}
	return data, true
}

// Put stores an entry. A cache that cannot be written costs time, not correctness, so callers may ignore the error.
func Put(name string, data []byte) error {
	dir, err := dir()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after the rename there is nothing left to remove
	_, err = f.Write(append([]byte(Sum(data)+"\n"), data...))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(dir, name))
}

// Sum is the SHA-256 of the data in hexadecimal; of several parts, that of their hashes, so that they cannot run together.
func Sum(parts ...[]byte) string {
	if len(parts) == 1 {
		s := sha256.Sum256(parts[0])
		return hex.EncodeToString(s[:])
	}
	h := sha256.New()
	for _, p := range parts {
		s := sha256.Sum256(p)
		h.Write(s[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

func dir() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(base, "pagetouch"), nil
}
