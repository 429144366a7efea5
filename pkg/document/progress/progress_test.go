package progress

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSilentInAFile(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := On(f)
	l.Show("drawing %d of %d", 1, 2)
	l.Clear()
	if info, err := f.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("wrote %v %v", info.Size(), err)
	}
}

func TestOneLine(t *testing.T) {
	var b strings.Builder
	l := &Line{w: &b}
	l.Show("a\nb%s", strings.Repeat("c", 100))
	l.Clear()
	if want := "\r\x1b[Ka b" + strings.Repeat("c", 76) + "\r\x1b[K"; b.String() != want {
		t.Errorf("%q", b.String())
	}
}
