package main

import (
	"context"
	"os"
	"strings"
	"testing"

	"pagetouch/pkg/document"
	"pagetouch/pkg/figure/echarts"
)

// The committed report is what the command makes of the committed trace.
func TestExample(t *testing.T) {
	if testing.Short() {
		t.Skip("draws every figure")
	}
	if _, err := echarts.Load(t.Context()); err != nil {
		t.Skipf("no chart library here: %v", err)
	}
	t.Chdir("..")
	const folder = "data/traces/nycflights-plane-report"
	o, err := parseTrace([]string{"-range", "7d", "-growth", "3x", "-out", folder, "data/traces/nycflights-plane.csv.gz"}, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	read, q, a, err := ask(context.Background(), o, null)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "")
	set, err := traceReport(t.Context(), o, q, a, read, null)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(o.again(), "-out") {
		t.Error("the report's own command says where it was written")
	}
	if *update {
		if err := set.Write(folder, document.Kind()); err != nil {
			t.Fatal(err)
		}
	}
	if diff, err := set.Check(folder, document.Kind()); err != nil || diff != "" {
		t.Errorf("%v\n%s\nthe example is not current: go test ./report -run TestExample -update", err, diff)
	}
}
