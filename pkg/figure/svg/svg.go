// Package svg draws ECharts options as static SVG, in Go alone: ECharts' own server-side rendering runs in goja, an
// interpreter of JavaScript. The same option gives the same bytes on every machine. What ECharts writes is then cleaned
// for strict pages and plain viewers (see clean).
package svg

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"sync"

	"github.com/dop251/goja"

	"pagetouch/pkg/figure/cache"
)

// Picture is what is to be drawn.
type Picture struct {
	ID            string          // prefix of every id in it: unique in the page it will stand in
	Option, Theme json.RawMessage // for ECharts
	Width, Height int             // px
	Title         string          // one line
	Description   string          // for whoever does not see it
	Paper         string          // background colour; "" leaves it to the page
}

// Renderer draws pictures with one copy of ECharts. It may be used by many goroutines.
type Renderer struct {
	library string // its hash
	program func() (*goja.Program, error)
}

// New returns a renderer that uses this ECharts. The script is not compiled before a picture must be drawn that no earlier
// run left in the cache.
func New(library []byte) *Renderer {
	return &Renderer{
		library: cache.Sum(library),
		program: sync.OnceValues(func() (*goja.Program, error) {
			program, err := goja.Compile("echarts.js", string(library), false)
			if err != nil {
				return nil, fmt.Errorf("the ECharts script: %w", err)
			}
			return program, nil
		}),
	}
}

// Render draws one picture.
func (r *Renderer) Render(ctx context.Context, p Picture) ([]byte, error) {
	svgs, err := r.RenderAll(ctx, []Picture{p})
	if err != nil {
		return nil, err
	}
	return svgs[0], nil
}

// RenderAll draws pictures, as many at a time as there are processors, and returns them in the order given. Pictures that
// differ in what is added to them only are drawn once.
func (r *Renderer) RenderAll(ctx context.Context, pictures []Picture) ([][]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	drawings := make(map[string]func() ([]byte, error))
	for _, p := range pictures {
		if key := r.key(p); drawings[key] == nil {
			drawings[key] = sync.OnceValues(func() ([]byte, error) { return r.drawing(ctx, key, p) })
		}
	}
	svgs := make([][]byte, len(pictures))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, p := range pictures {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			drawn, err := drawings[r.key(p)]()
			if err == nil {
				svgs[i], err = clean(drawn, p)
			}
			if err != nil {
				cancel(fmt.Errorf("drawing %q: %w", p.ID, err))
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return svgs, nil
}

// key names what ECharts draws of a picture. The number stands for how this package asks for it.
func (r *Renderer) key(p Picture) string {
	return "drawing-" + cache.Sum([]byte("1"), []byte(r.library), p.Option, p.Theme, strconv.AppendInt(nil, int64(p.Width), 10),
		strconv.AppendInt(nil, int64(p.Height), 10)) + ".svg"
}

func (r *Renderer) drawing(ctx context.Context, key string, p Picture) ([]byte, error) {
	if svg, ok := cache.Get(key); ok {
		return svg, nil
	}
	program, err := r.program()
	if err != nil {
		return nil, err
	}
	svg, err := draw(ctx, program, p)
	if err != nil {
		return nil, err
	}
	_ = cache.Put(key, svg) // without a cache the next run only takes longer
	return svg, nil
}
