package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The page in Chromium with every host unresolvable: nothing on the console, no request, no violation of its policy,
// every figure drawn, tooltips that open; with scripts off, every static figure in sight.
func TestPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && browser == "" {
			browser = path
		}
	}
	if browser == "" {
		t.Skip("no chromium here: Debian's package is chromium")
	}
	dir, err := os.MkdirTemp("", "report") // not t.TempDir: a browser that ends may still write into its profile
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if code, _, said := report(t, "-out", filepath.Join(dir, "out")); code != 0 {
		t.Fatal(said)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.NoSandbox,
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"), chromedp.Flag("disable-quic", true),
		chromedp.UserDataDir(filepath.Join(dir, "profile")))
	all, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	for _, c := range []struct {
		name    string
		width   int64
		dark    bool
		scripts bool
	}{
		{"wide", 1280, false, true}, {"phone", 390, false, true}, {"dark", 1280, true, true},
		{"scripts off", 1280, false, false}, {"phone, dark, scripts off", 390, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab, closeTab := chromedp.NewContext(all)
			defer closeTab()
			if err := chromedp.Do(tab, chromedp.Navigate("about:blank")); err != nil { // starts the browser, which outlives the time limit
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(tab, 3*time.Minute)
			defer cancel()
			p := page{t, ctx}
			heard := p.listen()
			p.do(chromedp.EmulateViewport(c.width, 900))
			scheme := "light"
			if c.dark {
				scheme = "dark"
			}
			call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
			call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !c.scripts})
			p.do(chromedp.Navigate("file://" + filepath.Join(dir, "out", "index.html")))

			figures := p.number(`document.querySelectorAll("figure.chart").length`)
			if figures < 9 {
				t.Errorf("%d figures", figures)
			}
			if over := p.number(`document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("the page is %d pixels wider than the window", over)
			}
			if n := p.number(`document.querySelectorAll("[id]").length - new Set([...document.querySelectorAll("[id]")].map(e => e.id)).size`); n != 0 {
				t.Errorf("%d ids stand twice", n)
			}
			if c.scripts {
				p.enliven(figures)
				p.tooltip()
			}
			// Of each figure exactly one picture is in sight, with marks in it.
			shown := p.number(`[...document.querySelectorAll("figure.chart .picture")].filter(p => {
				const seen = [...p.querySelectorAll(":scope > div")].filter(d => d.getBoundingClientRect().height > 40);
				return seen.length == 1 && seen[0].querySelectorAll("svg path, svg rect").length > 3;
			}).length`)
			if shown != figures {
				t.Errorf("%d of %d figures are in sight", shown, figures)
			}
			heard.check(t)
		})
	}
}

// page is a browser's tab during a test.
type page struct {
	*testing.T
	ctx context.Context
}

func (p page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.Fatal(err)
	}
}

func (p page) number(script string) int {
	p.Helper()
	n, err := chromedp.Run(p.ctx, chromedp.Evaluate[float64](script))
	if err != nil {
		p.Fatalf("%v in %s", err, script)
	}
	return int(n)
}

func call[P, R any](p page, command cdp.Command[P, R], params P) {
	p.Helper()
	if _, err := chromedp.Call(p.ctx, command, params); err != nil {
		p.Fatal(err)
	}
}

// heard is what a page said and asked for.
type heard struct {
	sync.Mutex
	lines []string
}

func (h *heard) add(format string, args ...any) {
	h.Lock()
	defer h.Unlock()
	h.lines = append(h.lines, fmt.Sprintf(format, args...))
}

func (h *heard) check(t *testing.T) {
	h.Lock()
	defer h.Unlock()
	for _, line := range h.lines {
		t.Error(line)
	}
}

func (p page) listen() *heard {
	h := &heard{}
	err := chromedp.Listen(p.ctx, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, "file:") && e.Request.URL != "about:blank" {
				h.add("request: %.200s", e.Request.URL)
			}
		case *runtime.EventConsoleAPICalled:
			h.add("console: %v", e.Args)
		case *runtime.EventExceptionThrown:
			h.add("exception: %v", e.ExceptionDetails)
		case *log.EventEntryAdded: // violations of the policy come here
			h.add("log: %s", e.Entry.Text)
		}
	})
	if err != nil {
		p.Fatal(err)
	}
	call(p, network.Enable, network.EnableParams{})
	call(p, log.Enable, cdp.Empty{})
	return h
}

// enliven scrolls through the page until every chart is a live one.
func (p page) enliven(figures int) {
	p.Helper()
	for range 100 {
		live := p.number(`(() => {
			const next = document.querySelector("figure.chart .picture:not(.is-live)");
			if (next) next.scrollIntoView({block: "center", behavior: "instant"});
			return document.querySelectorAll("figure.chart .is-live").length;
		})()`)
		if live == figures {
			return
		}
		p.do(chromedp.Sleep(100 * time.Millisecond))
	}
	p.Errorf("not every chart came alive")
}

// tooltip moves the pointer over the middle of the first chart's marks until a tooltip opens: a text more in the drawing.
func (p page) tooltip() {
	p.Helper()
	p.number(`document.querySelector("figure.chart .live").scrollIntoView({block: "center", behavior: "instant"}), 0`)
	texts := `document.querySelectorAll("figure.chart .live")[0].querySelectorAll("text").length`
	before := p.number(texts)
	for _, at := range []string{".5", ".45", ".6", ".3"} {
		x := p.number(`(b => b.left + b.width * ` + at + `)(document.querySelector("figure.chart .live").getBoundingClientRect())`)
		y := p.number(`(b => b.top + b.height * .5)(document.querySelector("figure.chart .live").getBoundingClientRect())`)
		for i := range 4 {
			p.do(chromedp.MouseEvent(chromedp.MouseMoved, float64(x+i), float64(y-8*i)), chromedp.Sleep(250*time.Millisecond))
			if p.number(texts) > before {
				return
			}
		}
	}
	p.Errorf("no tooltip opened over the first chart")
}
