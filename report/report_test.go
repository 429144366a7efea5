package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pagetouch/data"
	"pagetouch/pkg/document"
	"pagetouch/pkg/experiment"
)

var update = flag.Bool("update", false, "rewrite the committed appendix")

// report runs the program and returns what it printed.
func report(t testing.TB, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	messages, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer messages.Close()
	var out bytes.Buffer
	code = run(context.Background(), args, &out, messages)
	said, err := os.ReadFile(messages.Name())
	if err != nil {
		t.Fatal(err)
	}
	return code, out.String(), string(said)
}

// The committed appendix is what the program makes. go test ./report -run Appendix -update rewrites it.
func TestAppendixIsCurrent(t *testing.T) {
	args := []string{"-out", "appendix"}
	if !*update {
		args = append(args, "-check")
	}
	if code, out, said := report(t, args...); code != 0 {
		t.Errorf("exit %d; rewrite it with: go run ./report\n%s%s", code, out, said)
	}
}

func TestBadParameters(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "foreign")
	file := filepath.Join(dir, "file")
	bad := filepath.Join(dir, "setting")
	for name, text := range map[string]string{filepath.Join(foreign, "letter.txt"): "dear", file: "", bad: "posts 100\nuser 3\n"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ args, says string }{
		{"-posts -1", "posts: -1: want at least 1"},
		{"-posts 0", "posts: 0: want at least 1"},
		{"-posts many", "want a whole number"},
		{"-posts 9223372036854775807", "less than a microsecond a post"},
		{"-users 0", "users: 0: want 1 to"},
		{"-users 2000000000", "users: 2000000000: want 1 to"},
		{"-sample 20001", "cannot ask more users than there are"},
		{"-sample 0", "sample: 0 users: want at least 1"},
		{"-latest 0", "latest: 0 posts: want at least 1"},
		{"-row-bytes -5", "row bytes: -5: want at least 1"},
		{"-page-bytes 100", "a row of 200 bytes does not fit into a page with room for 100"},
		{"-page-header 8192", "page header: 8192 bytes"},
		{"-entry-bytes 5000", "entry bytes: 5000"},
		{"-range-from 2025-02-30", "want a date such as 2025-03-01"},
		{"-range-from 2025-04-01", "is empty"},
		{"-range-to 2026-02-01", "lies outside the posts' time"},
		{"-from 2025-12-31 -to 2025-12-31", "want at least a day"},
		{"-account 0", "account: 0 posts: want at least 1"},
		{"-seed -1", "want a whole number"},
		{"-only latest", `no section "latest"; there are`},
		{"-colour blue", "flag provided but not defined: -colour"},
		{"latest-20", `no command "latest-20"`},
		{"-json extra", `"extra" is no flag`},
		{"-out " + foreign, "cannot write to"},
		{"-out " + file, "it is a file"},
		{"-out " + filepath.Join(file, "below"), "cannot write"},
		{"-out .", "holds, the current folder"},
		{"-setting " + bad, `setting:2: no parameter "user"`},
		{"-setting " + filepath.Join(dir, "none"), "no such file"},
	} {
		code, out, said := report(t, strings.Fields(c.args)...)
		if code != 2 || out != "" || !strings.Contains(said, c.says) || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: exit %d, printed %q, said %q; want 2 and one line with %q", c.args, code, out, said, c.says)
		}
	}
	if letter, err := os.ReadFile(filepath.Join(foreign, "letter.txt")); err != nil || string(letter) != "dear" {
		t.Errorf("a foreign folder was touched: %q, %v", letter, err)
	}
}

// A parameter file sets what the command line does not.
func TestSettingFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "setting")
	if err := os.WriteFile(file, []byte("# smaller\nposts = 40000\nusers 400 # fewer\n\nsample 7\nseed 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o, err := parseOptions("", []string{"-setting", file, "-seed", "9"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := o.setting; s.Posts != 40_000 || s.Users != 400 || s.Sample != 7 || s.Seed != 9 || s.Latest != 20 {
		t.Errorf("setting %+v", s)
	}
}

// Prose keeps last week's numbers unless all of them are named places.
func TestNoNumberIsTyped(t *testing.T) {
	files, err := filepath.Glob("text/*.md")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d text files, %v", len(files), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, typed := range document.TypedNumbers(f, string(text)) {
			t.Error(typed)
		}
	}
}

// Each id of data/published.json is one object of the JSON, with all its notions; with one section, the others' figures
// are there and say that they were not run.
func TestPublishedInJSON(t *testing.T) {
	var facts []struct{ ID string }
	if err := json.Unmarshal(data.Published(), &facts); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-json"}, {"-json", "-only", "march-2025"}} {
		code, out, said := report(t, args...)
		if code != 0 || said != "" {
			t.Fatalf("%v: exit %d, said %q", args, code, said)
		}
		var got struct {
			Published []map[string]json.RawMessage
			Results   []struct{ Name string }
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Published) != len(facts) || len(facts) != 26 {
			t.Fatalf("%v: %d figures of %d", args, len(got.Published), len(facts))
		}
		for i, p := range got.Published {
			for _, key := range []string{"id", "unit", "published", "simulated", "closed_form", "standard_error", "z", "verdict"} {
				if _, ok := p[key]; !ok {
					t.Errorf("%v: %s has no %s", args, p["id"], key)
				}
			}
			run := len(args) == 1 || strings.HasPrefix(facts[i].ID, "march.")
			if skipped := string(p["verdict"]) == `"`+experiment.NotRun+`"`; skipped == run && string(p["verdict"]) != `"`+experiment.Measured+`"` {
				t.Errorf("%v: %s has verdict %s", args, p["id"], p["verdict"])
			}
		}
	}
}

// Settings of every odd shape still make a report: few posts a user, a range at the edge, other pages.
func TestOddSettings(t *testing.T) {
	for i, args := range []string{
		"-posts 1000 -users 900 -sample 900 -account 1",
		"-posts 1 -users 1 -sample 1 -account 5",
		"-posts 50000 -users 3 -sample 3 -account 50000",
		"-posts 20000 -users 100 -sample 50 -row-bytes 8192",
		"-posts 20000 -users 100 -sample 50 -page-bytes 512 -row-bytes 37 -page-header 24 -row-header 9",
		"-posts 20000 -users 100 -sample 50 -latest 100000",
		"-posts 20000 -users 100 -sample 50 -range-from 2025-01-01 -range-to 2026-01-01",
		"-posts 20000 -users 100 -sample 50 -from 2025-03-01 -to 2025-03-04 -range-from 2025-03-02 -range-to 2025-03-03",
		"-posts 20000 -users 100 -sample 50 -from 2019-05-06 -to 2025-08-09",
	} {
		if code, _, said := report(t, append(strings.Fields(args), "-json")...); code != 0 {
			t.Errorf("%s: exit %d: %s", args, code, said)
		}
		if i%4 == 1 {
			out := filepath.Join(t.TempDir(), "out")
			if code, _, said := report(t, append(strings.Fields(args), "-out", out)...); code != 0 {
				t.Errorf("%s: exit %d: %s", args, code, said)
			}
		}
	}
}
