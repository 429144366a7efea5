package notebook

import (
	"fmt"
	"html"
	"os"
	"path/filepath"

	"pagetouch/pkg/notebook/draw"
	"pagetouch/pkg/result"
)

// charts is figures as live ECharts. The first call in a kernel brings the library along as an output of its own.
func charts(figures []result.Figure, ask draw.Ask) ([]string, error) {
	if len(figures) == 0 {
		return nil, nil
	}
	answer, err := ask(draw.Request{As: draw.Chart, Figures: figures})
	if err != nil {
		return nil, err
	}
	var out []string
	if first() {
		library, err := ask(draw.Request{As: draw.Library})
		if err != nil {
			return nil, err
		}
		// A page that has a module loader would take the library away from the scripts below: hide the loader from it.
		out = append(out, fmt.Sprintf("<script>window.echarts = window.echarts || (function (define, exports, module) {\n%s\nreturn echarts;\n})();</script>", library.Drawn[0]))
	}
	for i, f := range figures {
		out = append(out, caption(f, fmt.Sprintf(`<div role="img" aria-label="%s"></div><script>(function (here, chart) {
  if (!window.echarts) { here.textContent = "The chart library is missing: restart the kernel and run all cells."; return; }
  here.style.width = chart.width + "px"; here.style.height = chart.height + "px";
  echarts.init(here, chart.theme, { renderer: "svg" }).setOption(chart.option);
})(document.currentScript.previousElementSibling, %s);</script>`, html.EscapeString(alt(f)), answer.Drawn[i])))
	}
	return out, nil
}

// first says whether this is the first call in this kernel: its temporary folder remembers.
func first() bool {
	f, err := os.OpenFile(filepath.Join(os.Getenv("GONB_TMP_DIR"), "echarts-shown"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return !os.IsExist(err)
	}
	return f.Close() == nil
}
