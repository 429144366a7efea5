package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// execute runs the program as a shell would.
func execute(t testing.TB, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out bytes.Buffer
	code = run(context.Background(), args, &out, f)
	said, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), string(said), code
}

// answered runs a command with -json and reads what it prints, which is JSON and nothing else.
func answered(t testing.TB, into any, args ...string) {
	t.Helper()
	out, said, code := execute(t, append(args, "-json")...)
	if code != 0 {
		t.Fatalf("%q: exit %d: %s", args, code, said)
	}
	if err := json.Unmarshal([]byte(out), into); err != nil {
		t.Fatalf("%q: %v in %.300s", args, err, out)
	}
}

// file writes a file for a test.
func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
