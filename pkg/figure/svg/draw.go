package svg

import (
	"context"
	"fmt"
	"time"

	"github.com/dop251/goja"
)

// call draws a chart without a browser.
const call = `(function (option, theme, width, height) {
  var chart = echarts.init(null, JSON.parse(theme), { renderer: "svg", ssr: true, width: width, height: height });
  chart.setOption(JSON.parse(option));
  return chart.renderToSVGString();
})`

// draw runs ECharts in a virtual machine of its own: ids in the SVG are counters, which a used machine would go on with.
func draw(ctx context.Context, program *goja.Program, p Picture) ([]byte, error) {
	vm := goja.New()
	defer context.AfterFunc(ctx, func() { vm.Interrupt(context.Cause(ctx)) })()
	// Nothing that differs between two runs is to be had in there.
	vm.SetRandSource(func() float64 { return 0.5 })
	vm.SetTimeSource(func() time.Time { return time.Unix(0, 0).UTC() })
	nothing := func(goja.FunctionCall) goja.Value { return vm.ToValue(0) }
	for _, name := range []string{"setTimeout", "clearTimeout"} {
		if err := vm.Set(name, nothing); err != nil {
			return nil, err
		}
	}
	if _, err := vm.RunProgram(program); err != nil {
		return nil, fmt.Errorf("starting ECharts: %w", err)
	}
	value, err := vm.RunString(call)
	if err != nil {
		return nil, err
	}
	render, _ := goja.AssertFunction(value)
	svg, err := render(goja.Undefined(), vm.ToValue(string(p.Option)), vm.ToValue(string(p.Theme)), vm.ToValue(p.Width), vm.ToValue(p.Height))
	if err != nil {
		return nil, fmt.Errorf("ECharts: %w", err)
	}
	return []byte(svg.String()), nil
}
