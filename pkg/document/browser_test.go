package document

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// R1: with every host unresolvable a browser draws the chart and says nothing: no error, no violation of the policy.
func TestInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	var browser string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && browser == "" {
			browser = path
		}
	}
	if browser == "" {
		t.Skip("no chromium here")
	}
	d := sample()
	// Charts come when they come near, which a busy machine may not get to: here they come at once.
	d.Charts = []byte(`window.IntersectionObserver = class {
		constructor(seen) { this.seen = seen; }
		observe(target) { this.seen([{ isIntersecting: true, target }]); }
		unobserve() {}
	};
	window.echarts = {init: (place, theme, how) => ({
		setOption(o) { place.innerHTML = '<svg></svg>'; place.dataset.drawn = [theme.name, how.renderer, o.title, o.animation].join(); },
		resize() {}, dispose() {},
	})};`)
	dir, err := os.MkdirTemp("", "page") // not t.TempDir: a browser that ends may still write into its profile
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	page := filepath.Join(dir, "index.html")
	if err := os.WriteFile(page, render(t, d)["index.html"], 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--window-size=1280,3000", "--enable-logging=stderr",
		"--virtual-time-budget=3000", "--dump-dom", "file://"+page)
	cmd.WaitDelay = 5 * time.Second
	var dom, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &dom, &log
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Error(line)
		}
	}
	if !strings.Contains(dom.String(), `data-drawn="light,svg,&lt;/script&gt;,false"`) || !strings.Contains(dom.String(), `class="picture is-live"`) {
		t.Errorf("the chart was not drawn:\n%.3000s", dom.String()[strings.Index(dom.String(), "<body"):])
	}
}
