package notebook

import (
	"encoding/base64"
	"os/exec"
	"strings"
	"testing"

	"pagetouch/pkg/notebook/draw"
	"pagetouch/pkg/notebook/sample"
	"pagetouch/pkg/result"
)

// Linking is most of a cell's time, so what a cell links is kept small.
func TestImportsStayLean(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, heavy := range []string{"goja", "esbuild", "go-echarts", "pagetouch/pkg/engine", "pagetouch/pkg/figure", "parquet", "pebble", "sqlite"} {
		if strings.Contains(string(out), heavy) {
			t.Errorf("a notebook's cell links %s", heavy)
		}
	}
}

func TestBlocks(t *testing.T) {
	r, err := sample.Squares(2)
	if err != nil {
		t.Fatal(err)
	}
	const svg = "<svg>"
	shown, err := images(r.Figures, func(q draw.Request) (draw.Answer, error) {
		return draw.Answer{Drawn: [][]byte{[]byte(svg)}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	html, err := table(r.Tables[0])
	if err != nil {
		t.Fatal(err)
	}
	all := words(r) + html + strings.Join(shown, "")
	for _, want := range []string{
		"<strong>The largest of 2 squares is 4.</strong>",
		"Warning:</strong> This result is a sample &amp; says nothing.",
		"<span>$</span>1 and one of <span>$</span>2",
		`<th align="left" style="text-align:left">name</th><th align="right" style="text-align:right">n</th>`,
		`1*1 | &lt;b&gt;1&lt;/b&gt;</td>`,
		`<img src="data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString([]byte(svg)) + `" alt="Columns that grow from 1 to 4.">`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
}

func TestBadTableIsAnError(t *testing.T) {
	_, err := table(result.Table{Name: "x", Columns: make([]result.Column, 2), Rows: [][]result.Cell{{result.Count(1)}}})
	if err == nil || err.Error() != `table "x": row 1 has 1 cells, but there are 2 columns` {
		t.Errorf("the error is %v", err)
	}
}
