package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

var kind = Kind{Marker: "mark.json", Holds: `"ours"`, Patterns: []string{"*.md", "mark.json", "t/*.csv", "page.html"}, Optional: []string{"page.html"}}

func set(text string) Set {
	return Set{"mark.json": []byte(`{"ours"}`), "a.md": []byte(text), "t/x.csv": []byte("1\n")}
}

// tree is what a folder holds, as one text.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		b.WriteString(filepath.ToSlash(rel) + "=" + string(content) + ";")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestWriteReplacesTheWhole(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	root := t.TempDir()
	dir := filepath.Join(root, "deep", "out")
	first := set("one")
	first["old.md"] = []byte("x")
	must(t, first.Write(dir, kind))
	must(t, set("two").Write(dir, kind))
	if got := tree(t, root); got != `deep/out/a.md=two;deep/out/mark.json={"ours"};deep/out/t/x.csv=1`+"\n;" {
		t.Error(got)
	}
	for name, mode := range map[string]fs.FileMode{"": 0o755, "t": 0o755, "a.md": 0o644, "t/x.csv": 0o644} {
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		if info.Mode().Perm() != mode {
			t.Errorf("%q has mode %v", name, info.Mode())
		}
	}
}

func TestWriteFillsAnEmptyFolderAndFollowsALink(t *testing.T) {
	root := t.TempDir()
	real, link := filepath.Join(root, "real"), filepath.Join(root, "link")
	must(t, os.Mkdir(real, 0o755))
	must(t, os.Symlink(real, link))
	must(t, set("x").Write(link, kind))
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone", err)
	}
	if !strings.Contains(tree(t, real), "a.md=x") {
		t.Error("not written")
	}
}

func TestWriteRefuses(t *testing.T) {
	root := t.TempDir()
	for name, c := range map[string]struct{ file, content, want string }{
		"foreign":  {"thesis.md", "years", "it holds files but no mark.json of this program"},
		"marker":   {"mark.json", `{"theirs"}`, "it holds files but no mark.json of this program"},
		"fold":     {"sub/empty/", "", "it holds files but no mark.json"},
		"mixed":    {"notes.txt", "mine", "it holds notes.txt, which this program did not write"},
		"a-file":   {"", "", "it is a file; name a folder"},
		"b-file/x": {"", "", "not a directory"},
	} {
		dir := filepath.Join(root, name)
		switch {
		case name == "a-file":
			must(t, os.WriteFile(dir, nil, 0o600))
		case name == "b-file/x":
			must(t, os.WriteFile(filepath.Dir(dir), nil, 0o600))
		default:
			if name == "mixed" {
				must(t, set("x").Write(dir, kind))
			}
			must(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(c.file)), 0o755))
			if !strings.HasSuffix(c.file, "/") {
				must(t, os.WriteFile(filepath.Join(dir, c.file), []byte(c.content), 0o600))
			}
		}
		before := tree(t, root)
		err := set("new").Write(dir, kind)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if tree(t, root) != before {
			t.Errorf("%s: something changed", name)
		}
	}
	t.Chdir(filepath.Join(root, "mixed", "t"))
	for _, dir := range []string{".", "..", root} {
		if err := set("x").Write(dir, kind); err == nil || !strings.Contains(err.Error(), "is, or holds, the current folder") {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// A file that cannot be written stands for a disk that fails half-way.
func TestAFailureLeavesTheOld(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "out")
	must(t, set("old").Write(dir, kind))
	before := tree(t, root)
	broken := set("new")
	broken["t/"+strings.Repeat("x", 300)+".csv"] = nil
	err := broken.Write(dir, kind)
	if err == nil || !strings.Contains(err.Error(), "what was there is untouched") {
		t.Error(err)
	}
	if after := tree(t, root); after != before {
		t.Error(after)
	}
	if entries, _ := os.ReadDir(root); len(entries) != 1 {
		t.Error("something was left behind", entries)
	}
}

func TestBadSets(t *testing.T) {
	for _, name := range []string{"../x.md", "/x.md", "a/../x.md", "x.txt", "t/deep/x.csv"} {
		s := set("")
		s[name] = nil
		if err := s.Write(filepath.Join(t.TempDir(), "o"), kind); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if err := (Set{"a.md": nil}).Write(filepath.Join(t.TempDir(), "o"), kind); err == nil {
		t.Error("no marker")
	}
}

func TestCheck(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	check := func(s Set) string {
		t.Helper()
		diff, err := s.Check(dir, kind)
		must(t, err)
		return strings.ReplaceAll(diff, dir, "out")
	}
	now := set("1\n2\n3\n4\n5\n")
	if got := check(now); got != "out is not there\n" {
		t.Error(got)
	}
	must(t, now.Write(dir, kind))
	now["page.html"] = []byte("not on the disk, and need not be")
	if got := check(now); got != "" {
		t.Error(got)
	}
	now["a.md"] = []byte("1\n2\nthree\n4\n5\n")
	now["b.md"] = nil
	delete(now, "t/x.csv")
	want := "--- out/a.md\n+++ made now\n@@ -3,1 +3,1 @@\n 2\n-3\n+three\nonly made now: out/b.md\nonly on the disk: out/t/x.csv\n"
	if got := check(now); got != want {
		t.Error(got)
	}
	must(t, os.WriteFile(filepath.Join(dir, "page.html"), []byte("old"), 0o644))
	if got := check(now); !strings.Contains(got, "page.html") {
		t.Error("an optional file that differs must be told")
	}
}

func TestCheckIsShort(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	s := set("")
	for _, c := range "bcdefghijklmno" {
		s[string(c)+".md"] = []byte(strings.Repeat("line\n", 1000))
	}
	s["z.md"] = []byte(strings.Repeat("é", 5000) + "x" + strings.Repeat("é", 5000))
	must(t, s.Write(dir, kind))
	for name := range s {
		s[name] = []byte(strings.ToUpper(string(s[name])))
	}
	diff, err := s.Check(dir, kind)
	must(t, err)
	if !strings.Contains(diff, "- ... and 994 more lines") && !strings.Contains(diff, "-... and 994 more lines") || !strings.Contains(diff, "more files") || len(diff) > 4000 {
		t.Errorf("%d bytes: %s", len(diff), diff)
	}
	if got := hunk(string(s["z.md"]), strings.Replace(string(s["z.md"]), "X", "Y", 1)); !strings.Contains(got, "X") || !strings.Contains(got, "Y") || len(got) > 500 {
		t.Error(got)
	}
}

func FuzzHunk(f *testing.F) {
	f.Add("a\nb\n", "a\nc")
	f.Add("", "\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		if a != b && !strings.Contains(hunk(a, b), "@@") {
			t.Error(hunk(a, b))
		}
	})
}
