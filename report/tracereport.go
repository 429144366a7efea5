package main

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"

	"pagetouch/pkg/answers"
	"pagetouch/pkg/bucket"
	"pagetouch/pkg/cql"
	"pagetouch/pkg/document"
	"pagetouch/pkg/document/files"
	"pagetouch/pkg/document/progress"
	"pagetouch/pkg/result"
	"pagetouch/pkg/store"
	"pagetouch/pkg/workload/trace"
)

//go:embed text/trace/*.md
var traceEmbedded embed.FS

const traceTextFolder = "report/text/trace"

// traceReport is the answers as a report's files.
func traceReport(ctx context.Context, o *traceOptions, q answers.Question, a *answers.Answers, read *trace.Report, stderr *os.File) (files.Set, error) {
	d, err := traceDocument(o, q, a, read)
	if err != nil {
		return nil, err
	}
	line := progress.On(stderr)
	defer line.Clear()
	line.Show("drawing")
	if err := draw(ctx, d, o.echarts); err != nil {
		return nil, err
	}
	return d.Files()
}

// traceDocument is the answers as a document, not drawn.
func traceDocument(o *traceOptions, q answers.Question, a *answers.Answers, read *trace.Report) (*document.Document, error) {
	text, err := fs.Sub(traceEmbedded, "text/trace")
	if err != nil {
		return nil, err
	}
	d := &document.Document{
		Title: "Partition key: your rows", Text: text, TextPath: traceTextFolder, Licences: licences(),
		Results: append(a.Results(q), whatWasRead(o, read)), Parameters: traceParameters(o, q, a, read),
		Record: document.Record{Command: o.again(), Parameters: map[string]string{"file": read.File}},
		Plain:  map[string]string{"command": o.again()},
	}
	speaks, err := o.speaks()
	if err != nil {
		return nil, err
	}
	if d.Plain["key"], err = design(a, speaks); err != nil {
		return nil, err
	}
	d.Parameters["store"] = speaks.Name
	if d.Date, err = document.SourceDate(os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		return nil, badParameter{err}
	}
	has := map[string]bool{"": true}
	for _, r := range d.Results {
		has[r.Name] = true
	}
	for _, s := range []document.Section{{File: "answer.md", Result: "answer"}, {File: "read.md", Result: "read"}, {File: "pages.md", Result: "pages"},
		{File: "range.md", Result: "range"}, {File: "sizes.md", Result: "sizes"}, {File: "fanout.md", Result: "fanout"}, {File: "limits.md", Result: "limits"},
		{File: speaks.Language + ".md"}, {File: "leaves-out.md"}, {File: "made-with.md"}} {
		if has[s.Result] {
			d.Sections = append(d.Sections, s)
		}
		if s.Result == "read" && len(read.First) > 0 {
			d.Sections = append(d.Sections, document.Section{File: "bad.md", Result: "read"})
		}
	}
	return d, nil
}

// whatWasRead is the file, the chosen columns and the bad rows.
func whatWasRead(o *traceOptions, read *trace.Report) *result.Result {
	r := &result.Result{Name: "read", Title: "What was read", Findings: o.chosen(read)}
	r.Findings = append(r.Findings, fmt.Sprintf("rows: %s of %s, %s bad", count(read.Rows), plural(int64(read.Entities), "entity", "entities"), count(read.Bad)),
		fmt.Sprintf("from %s to %s", stamp(read.FirstTime), stamp(read.LastTime)))
	for _, w := range read.Warnings {
		r.Warnings = append(r.Warnings, result.Warning{Text: w})
	}
	t := result.Table{Name: "trace-bad-rows", Title: "Rows that could not be used", Caption: "The first ones.",
		Columns: []result.Column{{Name: "line"}, {Name: "why"}}}
	for _, b := range read.First {
		t.Rows = append(t.Rows, []result.Cell{result.Count(b.Line), result.Text(b.Reason)})
	}
	if t.Rows != nil {
		r.Tables = []result.Table{t}
	}
	return r
}

// traceParameters are what the text prints.
func traceParameters(o *traceOptions, q answers.Question, a *answers.Answers, read *trace.Report) map[string]string {
	rows := "rows of " + count(int64(q.RowBytes)) + " bytes"
	if q.RowBytes == 0 {
		rows = "rows of their own sizes"
	}
	now := "each entity's own newest row"
	if q.Now != nil {
		now = stamp(*q.Now)
	}
	return map[string]string{"file": read.File, "latest": count(int64(q.Latest)), "measured": count(a.Measured), "entities": count(a.Entities),
		"page-bytes": count(int64(q.Page.Bytes)), "page": o.pageFlags.name, "rows-placed": rows, "entry-bytes": count(int64(q.Entry)), "now": now,
		"width": a.Recommendation.Width, "length": result.Length(q.Range)}
}

// design is the chosen key in the store's language.
func design(a *answers.Answers, speaks store.Store) (string, error) {
	w, err := bucket.Parse(a.Recommendation.Width)
	if err != nil {
		return "No width bounds a partition; give one with -widths.", nil
	}
	return speaks.Design(cql.Design{Width: w, Shards: a.Recommendation.Shards, Latest: a.Latest.N})
}
