package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"

	"pagetouch/pkg/document"
	"pagetouch/pkg/document/files"
	"pagetouch/pkg/document/progress"
	"pagetouch/pkg/experiment"
	"pagetouch/pkg/result"
)

//go:embed text/*.md
var embedded embed.FS

// lessonText is the appendix's text, as it was when the program was compiled.
func lessonText() fs.FS {
	text, err := fs.Sub(embedded, "text")
	if err != nil {
		panic(err) // the folder is named in the directive above
	}
	return text
}

// appendixCommand builds the appendix, or compares it, or prints its numbers.
func appendixCommand(ctx context.Context, args []string, stdout io.Writer, stderr *os.File) error {
	o, err := parseOptions("", args, stdout, nil)
	if err != nil {
		return err
	}
	if o.json {
		d, err := simulate(o, progress.On(stderr))
		if err != nil {
			return err
		}
		numbers, err := d.JSON()
		if err != nil {
			return err
		}
		_, err = stdout.Write(numbers)
		return err
	}
	if !o.check {
		if err := document.Kind().Refuses(o.out); err != nil {
			return badParameter{err}
		}
	}
	set, summary, err := build(ctx, o, lessonText(), stderr)
	if err != nil {
		return err
	}
	if o.check {
		diff, err := set.Check(o.out, document.Kind())
		if err != nil {
			return err
		}
		if diff != "" {
			fmt.Fprint(stdout, diff)
			return fmt.Errorf("%s differs from what %s makes now", o.out, commandLine(o))
		}
		fmt.Fprintf(stdout, "%s is what %s makes\n", o.out, commandLine(o))
		return nil
	}
	if err := write(set, o.out); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s\n%s\n%s\n", summary, filepath.Join(o.out, "README.md"), filepath.Join(o.out, "index.html"))
	return nil
}

// write puts the appendix on the disk. A folder that cannot be written is a wrong parameter, a full disk is not.
func write(set files.Set, dir string) error {
	err := set.Write(dir, document.Kind())
	for _, wrong := range []error{fs.ErrPermission, fs.ErrNotExist, fs.ErrInvalid, syscall.ENOTDIR, syscall.EROFS} {
		if errors.Is(err, wrong) {
			return badParameter{err}
		}
	}
	return err
}

// build renders the appendix with a text.
func build(ctx context.Context, o *options, text fs.FS, stderr *os.File) (files.Set, string, error) {
	line := progress.On(stderr)
	defer line.Clear()
	d, err := simulate(o, line)
	if err != nil {
		return nil, "", err
	}
	d.Text = text
	if d.Date, err = document.SourceDate(os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		return nil, "", badParameter{err}
	}
	line.Show("drawing")
	if err := draw(ctx, d, o.echarts); err != nil {
		return nil, "", err
	}
	line.Show("writing")
	set, err := d.Files()
	return set, d.Plain["summary"], err
}

// simulate runs the experiments and sets what was published beside them. Nothing is drawn yet.
func simulate(o *options, line *progress.Line) (*document.Document, error) {
	defer line.Clear()
	lab := experiment.New(o.setting)
	chosen, err := experiment.Named(o.sections())
	if err != nil {
		return nil, badParameter{err}
	}
	results := make([]*result.Result, len(chosen))
	errs := make([]error, len(chosen))
	var wg sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0)) // more at once would take more memory and no less time
	for i, e := range chosen {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			line.Show("simulating %s", e.Name)
			results[i], errs[i] = e.Run(lab)
		})
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", chosen[i].Name, err)
		}
	}
	published, err := lab.Compare(results)
	if err != nil {
		return nil, err
	}
	sections := []document.Section{{File: "opening.md", Result: chosen[0].Name}}
	for _, e := range chosen {
		sections = append(sections, document.Section{File: e.Name + ".md", Result: e.Name})
	}
	results = append(results, lab.PublishedResult(published))
	sections = append(sections, document.Section{File: "published.md", Result: "published"},
		document.Section{File: "how-it-was-counted.md"}, document.Section{File: "what-this-leaves-out.md"}, document.Section{File: "made-with.md"})
	parameters := shown(o.setting)
	parameters["command"] = commandLine(o)
	parameters["lesson"] = "Partition key: why 20 posts can touch 20 pages"
	d := &document.Document{
		Title: "Partition key: the numbers behind the lesson", TextPath: "report/text",
		Sections: sections, Results: results, Parameters: parameters, Partial: o.only != "",
		Record:   document.Record{Command: commandLine(o), Parameters: recorded(o.setting), Published: published},
		Licences: licences(),
	}
	d.Plain = map[string]string{"summary": summary(results, o.setting), "command": commandLine(o)}
	return d, nil
}

// recorded is the setting as results.json keeps it: parameters by the names of their flags.
func recorded(s experiment.Setting) any {
	all := map[string]json.RawMessage{}
	for _, p := range parameters(&s) {
		value := []byte(p.get())
		if !json.Valid(value) {
			value, _ = json.Marshal(p.get()) // a string always marshals
		}
		all[p.name] = bytes.Clone(value)
	}
	return all
}
