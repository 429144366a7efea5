// Package notebook shows results in a Jupyter cell. In goes what an experiment returned; out come its words, warnings,
// tables and figures as rich output.
//
//	r, err := experiment.Latest20(experiment.New(experiment.Lesson()))
//	notebook.Show(r, err, "chart latest-20-pages", "table latest-20")
//
// Every cell is a program that is linked anew, so this package imports little: figures are drawn by another program, built
// once by scripts/lab (see package draw).
package notebook

import (
	"fmt"
	"os"

	"github.com/janpfeifer/gonb/gonbui"

	"pagetouch/pkg/notebook/draw"
	"pagetouch/pkg/result"
)

// Show shows a result with its figures as static pictures, which every viewer of the saved notebook shows too. Words and
// warnings always come first; then the parts, in this order, or all tables and figures if no part is named. A part is named
// as in the report's texts: "chart latest-20-pages", "table latest-20". If the experiment failed, so does the cell.
func Show(r *result.Result, err error, parts ...string) { show(r, err, parts, images) }

// ShowInteractive shows a result with charts that answer to the mouse, for live work: a saved notebook grows by the size
// of ECharts, and shows the charts only where scripts may run.
func ShowInteractive(r *result.Result, err error, parts ...string) { show(r, err, parts, charts) }

// show ends with Sync: without it, some output is lost now and then.
func show(r *result.Result, err error, asked []string, drawn drawing) {
	if !gonbui.IsNotebook {
		fail(fmt.Errorf("notebook.Show works in a Jupyter cell only: start one with ./scripts/lab"))
	}
	if err != nil {
		fail(fmt.Errorf("the experiment failed: %w", err))
	}
	blocks, err := blocks(r, asked, drawn, draw.Default)
	if err != nil {
		fail(err)
	}
	for _, html := range blocks {
		gonbui.DisplayHTML(html)
	}
	gonbui.Sync()
	if err := gonbui.Error(); err != nil {
		fail(fmt.Errorf("the kernel did not take the output: %w", err))
	}
}

// drawing is figures as HTML, one each, with what they need beforehand, if anything.
type drawing func([]result.Figure, draw.Ask) (before, pictures []string, err error)

// blocks is a result as HTML, one output each: its words, then its parts.
func blocks(r *result.Result, asked []string, drawn drawing, ask draw.Ask) ([]string, error) {
	if r == nil {
		return nil, fmt.Errorf("there is no result to show: the experiment returned neither one nor an error")
	}
	parts, err := choose(r, asked)
	if err != nil {
		return nil, err
	}
	var figures []result.Figure
	for _, p := range parts {
		if p.figure != nil {
			figures = append(figures, *p.figure)
		}
	}
	before, pictures, err := drawn(figures, ask)
	if err != nil {
		return nil, err
	}
	blocks := append([]string{words(r)}, before...)
	for _, p := range parts {
		if p.figure != nil {
			blocks, pictures = append(blocks, pictures[0]), pictures[1:]
			continue
		}
		html, err := table(*p.table)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, html)
	}
	return blocks, nil
}

// fail makes the cell fail with one clear line.
func fail(err error) {
	gonbui.Sync()
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
