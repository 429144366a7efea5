package main

import (
	"context"

	"pagetouch/pkg/document"
	"pagetouch/pkg/figure"
	"pagetouch/pkg/figure/echarts"
	"pagetouch/pkg/figure/standalone"
	"pagetouch/pkg/figure/svg"
)

// draw draws every figure of a document's results, for light and dark, wide and narrow and as a file of its own, and adds
// the script that draws them again in the reader's browser.
func draw(ctx context.Context, d *document.Document, local string) error {
	load := func() ([]byte, error) { return echarts.Load(ctx) }
	if local != "" {
		load = func() ([]byte, error) { return echarts.LoadFile(local) }
	}
	library, err := load()
	if err != nil {
		return err
	}
	variants := []struct {
		id    string
		width figure.Width
		theme figure.Theme
	}{
		{"light-wide", figure.Wide, figure.Light}, {"dark-wide", figure.Wide, figure.Dark},
		{"light-narrow", figure.Narrow, figure.Light}, {"dark-narrow", figure.Narrow, figure.Dark},
	}
	var names []string
	var pictures []svg.Picture
	d.Drawings = map[string]document.Drawing{}
	for _, r := range d.Results {
		for _, f := range r.Figures {
			wide, err := figure.Option(f, figure.Wide)
			if err != nil {
				return err
			}
			narrow, err := figure.Option(f, figure.Narrow)
			if err != nil {
				return err
			}
			d.Drawings[f.Name] = document.Drawing{OptionWide: wide, OptionNarrow: narrow}
			names = append(names, f.Name)
			for _, v := range variants {
				p := svg.Picture{ID: f.Name + "-" + v.id, Option: wide, Theme: v.theme.JSON(), Title: f.Title, Description: figure.Describe(f)}
				if v.width == figure.Narrow {
					p.Option = narrow
				}
				p.Width, p.Height = figure.Size(f, v.width)
				pictures = append(pictures, p)
			}
			file, err := standalone.Picture(f)
			if err != nil {
				return err
			}
			pictures = append(pictures, file)
		}
	}
	drawn, err := svg.New(library).RenderAll(ctx, pictures)
	if err != nil {
		return err
	}
	for i, name := range names {
		of := drawn[i*(len(variants)+1):]
		drawing := d.Drawings[name]
		drawing.LightWide, drawing.DarkWide, drawing.LightNarrow, drawing.DarkNarrow, drawing.Standalone = of[0], of[1], of[2], of[3], of[4]
		d.Drawings[name] = drawing
	}
	d.Charts, d.Themes = library, document.Themes{Light: figure.Light.JSON(), Dark: figure.Dark.JSON()}
	return nil
}
