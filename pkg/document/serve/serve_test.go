package serve

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pagetouch/pkg/document/files"
)

const index = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-A'; style-src 'sha256-B'\">\n<body>\nGOOD</body>\n"

func get(p *preview, method, host, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	r.Host = host
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w
}

func TestWhoIsAnswered(t *testing.T) {
	p := newPreview(8080)
	p.show(files.Set{"index.html": []byte(index), "figures/a.svg": []byte("<svg/>")}, nil)
	for _, c := range []struct {
		method, host, path string
		want               int
	}{
		{"GET", "127.0.0.1:8080", "/", 200}, {"GET", "localhost:8080", "/index.html", 200}, {"HEAD", "[::1]:8080", "/", 200},
		{"GET", "127.0.0.1:8080", "/figures/a.svg", 200}, {"GET", "127.0.0.1:8080", "/no", 404}, {"GET", "127.0.0.1:8080", "/../go.mod", 404},
		{"GET", "evil.example", "/", 421}, {"GET", "evil.example:8080", "/", 421}, {"GET", "127.0.0.1", "/", 421}, {"GET", "127.0.0.1:81", "/", 421}, {"GET", "", "/", 421},
		{"POST", "127.0.0.1:8080", "/", 405}, {"OPTIONS", "127.0.0.1:8080", "/", 405},
	} {
		if w := get(p, c.method, c.host, c.path); w.Code != c.want {
			t.Errorf("%s %s%s: %d, want %d", c.method, c.host, c.path, w.Code, c.want)
		}
	}
	if kind := get(p, "GET", "localhost:8080", "/figures/a.svg").Header().Get("Content-Type"); kind != "image/svg+xml" {
		t.Error(kind)
	}
}

func TestErrorKeepsTheLastGoodPage(t *testing.T) {
	p := newPreview(1)
	page := func() string { return get(p, "GET", "localhost:1", "/").Body.String() }
	p.show(nil, errors.New("a.md:3: no <table>"))
	if got := page(); !strings.Contains(got, "a.md:3: no &lt;table&gt;") || !strings.Contains(got, "EventSource") {
		t.Error(got)
	}
	p.show(files.Set{"index.html": []byte(index)}, nil)
	if got := page(); strings.Contains(got, "a.md") || !strings.Contains(got, "GOOD") {
		t.Error(got)
	}
	p.show(nil, errors.New("again"))
	if got := page(); !strings.Contains(got, "again") || !strings.Contains(got, "GOOD") ||
		!strings.Contains(got, "default-src 'none'; connect-src 'self'; script-src 'sha256-") || !strings.Contains(got, " 'sha256-A'; style-src") {
		t.Error(got)
	}
}

func TestOnlyThisMachine(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80", "nonsense", "example.org:80"} {
		if err := Serve(t.Context(), addr, nil, nil, io.Discard); err == nil || !strings.Contains(err.Error(), addr) {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

// A saved file builds the document again and tells the page; the end of the context ends it all.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "text.md")
	write := func(s string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	build := func() (files.Set, error) {
		b, err := os.ReadFile(file)
		return files.Set{"index.html": b}, err
	}
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, "127.0.0.1:0", []string{dir, "not there"}, build, in) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := strings.Fields(line)[2]
	answer, err := http.Get(url + "-/changes")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	events := bufio.NewScanner(answer.Body)
	next := func() string {
		for events.Scan() {
			if data, ok := strings.CutPrefix(events.Text(), "data: "); ok {
				return data
			}
		}
		return ""
	}
	first := next()
	write("two, longer")
	if second := next(); first == "" || second == "" || second == first {
		t.Errorf("versions %q, %q", first, second)
	}
	page, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	if b, _ := io.ReadAll(page.Body); !strings.Contains(string(b), "two, longer") {
		t.Errorf("%s", b)
	}
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("did not stop")
	}
}
