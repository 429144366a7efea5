// Package standalone draws a figure as the one SVG file that is looked at alone: wide, on white paper. The report's
// figure files and the notebooks' images both come from here, so they are equal byte for byte.
package standalone

import (
	"context"

	"pagetouch/pkg/figure"
	"pagetouch/pkg/figure/svg"
	"pagetouch/pkg/result"
)

// Picture is the figure's standalone picture.
func Picture(f result.Figure) (svg.Picture, error) {
	option, err := figure.Option(f, figure.Wide)
	if err != nil {
		return svg.Picture{}, err
	}
	width, height := figure.Size(f, figure.Wide)
	return svg.Picture{
		ID: f.Name, Option: option, Theme: figure.Light.JSON(), Width: width, Height: height,
		Title: f.Title, Description: figure.Describe(f), Paper: figure.Light.Paper(),
	}, nil
}

// Draw draws the figures in the order given.
func Draw(ctx context.Context, r *svg.Renderer, figures []result.Figure) ([][]byte, error) {
	pictures := make([]svg.Picture, len(figures))
	for i, f := range figures {
		p, err := Picture(f)
		if err != nil {
			return nil, err
		}
		pictures[i] = p
	}
	return r.RenderAll(ctx, pictures)
}
