// Package notebook shows results in a Jupyter cell. In goes what an experiment returned; out come its words, warnings,
// tables and figures as rich output.
//
//	notebook.Show(experiment.Latest20(experiment.Latest20Params{Seed: 7}))
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

// Show shows a result with its figures as static pictures, which every viewer of the saved notebook shows too. If the
// experiment failed, so does the cell.
func Show(r *result.Result, err error) { show(r, err, images) }

// ShowInteractive shows a result with charts that answer to the mouse, for live work: a saved notebook grows by the size
// of ECharts, and shows the charts only where scripts may run.
func ShowInteractive(r *result.Result, err error) { show(r, err, charts) }

// show ends with Sync: without it, some output is lost now and then.
func show(r *result.Result, err error, figures func([]result.Figure, draw.Ask) ([]string, error)) {
	if !gonbui.IsNotebook {
		fail(fmt.Errorf("notebook.Show works in a Jupyter cell only: start one with ./scripts/lab"))
	}
	if err != nil {
		fail(fmt.Errorf("the experiment failed: %w", err))
	}
	blocks, err := blocks(r, figures)
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

// blocks is a result as HTML, one output each: its words, its tables, its figures.
func blocks(r *result.Result, figures func([]result.Figure, draw.Ask) ([]string, error)) ([]string, error) {
	if r == nil {
		return nil, fmt.Errorf("there is no result to show: the experiment returned neither one nor an error")
	}
	blocks := []string{words(r)}
	for _, t := range r.Tables {
		html, err := table(t)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, html)
	}
	pictures, err := figures(r.Figures, draw.Default)
	return append(blocks, pictures...), err
}

// fail makes the cell fail with one clear line.
func fail(err error) {
	gonbui.Sync()
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
