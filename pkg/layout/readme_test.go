package layout

import (
	"os"
	"strings"
	"testing"
)

// The layout that README shows is the one that is compiled here, in under 20 lines.
func TestReadmeShowsTheExample(t *testing.T) {
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(source), "\nvar oldest")
	code, _, _ = strings.Cut("var oldest"+code, "// The lesson's read in three layouts")
	if !strings.Contains(string(readme), "```go\n"+strings.TrimSpace(code)+"\n```") {
		t.Error("README shows another layout than example_test.go")
	}
	if lines := len(strings.Split(strings.ReplaceAll(strings.TrimSpace(code), "\n\n", "\n"), "\n")); lines >= 20 {
		t.Errorf("the example has %d lines", lines)
	}
}
