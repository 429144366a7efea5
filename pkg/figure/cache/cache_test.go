package cache

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestDamagedEntryIsAbsent(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	if _, ok := Get("a"); ok {
		t.Fatal("an empty cache holds a")
	}
	if err := Put("a", []byte("line\nline")); err != nil {
		t.Fatal(err)
	}
	if got, ok := Get("a"); !ok || string(got) != "line\nline" {
		t.Fatalf("got %q, %v", got, ok)
	}
	dir, _ := dir()
	path := filepath.Join(dir, "a")
	entry, _ := os.ReadFile(path)
	for _, damaged := range []string{"", "x", string(entry[:len(entry)-1]), string(entry) + "x"} {
		if err := os.WriteFile(path, []byte(damaged), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, ok := Get("a"); ok {
			t.Errorf("the damaged entry %q was trusted: %q", damaged, got)
		}
	}
}

func TestConcurrentPutsLeaveAWholeEntry(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			if err := Put("a", make([]byte, 1000+i)); err != nil {
				t.Error(err)
			}
			if _, ok := Get("a"); !ok {
				t.Error("the entry was not whole")
			}
		})
	}
	wg.Wait()
	dir, _ := dir()
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files are left, want 1", len(files))
	}
}
