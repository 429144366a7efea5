package notebook

import (
	"encoding/base64"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"pagetouch/pkg/notebook/draw"
	"pagetouch/pkg/notebook/sample"
	"pagetouch/pkg/result"
)

// Linking is most of a cell's time, so what a cell links is kept small.
func TestImportsStayLean(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".", "pagetouch/pkg/experiment").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, heavy := range []string{"goja", "esbuild", "go-echarts", "pagetouch/pkg/engine", "pagetouch/pkg/figure", "parquet", "pebble", "sqlite", "net/http", "html/template", "gonum"} {
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
	blocks, err := blocks(r, nil, images, func(q draw.Request) (draw.Answer, error) {
		return draw.Answer{Drawn: [][]byte{[]byte(svg)}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(blocks) != 3 {
		t.Errorf("words, a table and a figure are %d blocks", len(blocks))
	}
	all := strings.Join(blocks, "")
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

func TestChoose(t *testing.T) {
	r := &result.Result{
		Tables:  []result.Table{{Name: "reads"}, {Name: "sizes"}},
		Figures: []result.Figure{{Name: "map"}, {Name: "sizes"}},
	}
	for _, c := range []struct {
		asked []string
		want  string
	}{
		{nil, "table reads, table sizes, figure map, figure sizes"},
		{[]string{"chart map", "table reads"}, "figure map, table reads"},
		{[]string{"chart sizes", "table sizes"}, "figure sizes, table sizes"},
	} {
		parts, err := choose(r, c.asked)
		var got []string
		for _, p := range parts {
			if p.table != nil {
				got = append(got, "table "+p.table.Name)
			} else {
				got = append(got, "figure "+p.figure.Name)
			}
		}
		if err != nil || strings.Join(got, ", ") != c.want {
			t.Errorf("%q shows %q, %v; want %q", c.asked, got, err, c.want)
		}
	}
	for _, wrong := range []string{"chart reads", "table map", "sizes", ""} {
		says := fmt.Sprintf("there is nothing called %q in the result; it has:\nchart map\nchart sizes\ntable reads\ntable sizes", wrong)
		if _, err := choose(r, []string{wrong}); err == nil || err.Error() != says {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestBadTableIsAnError(t *testing.T) {
	_, err := table(result.Table{Name: "x", Columns: make([]result.Column, 2), Rows: [][]result.Cell{{result.Count(1)}}})
	if err == nil || err.Error() != `table "x": row 1 has 1 cells, but there are 2 columns` {
		t.Errorf("the error is %v", err)
	}
}
