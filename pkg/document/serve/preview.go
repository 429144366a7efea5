package serve

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"pagetouch/pkg/document/files"
)

//go:embed reload.js
var reloadJS string

// preview answers with the last document that was built.
type preview struct {
	hosts map[string]bool
	born  int64 // tells a page that the server is another

	mu      sync.Mutex
	set     files.Set
	err     error // of a later build
	version int
	next    chan struct{} // closed when there is another version
}

func newPreview(port int) *preview {
	return &preview{
		hosts: map[string]bool{
			fmt.Sprintf("127.0.0.1:%d", port): true, fmt.Sprintf("localhost:%d", port): true, fmt.Sprintf("[::1]:%d", port): true,
		},
		born: time.Now().UnixNano(),
		next: make(chan struct{}),
	}
}

func (p *preview) show(set files.Set, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err = err; err == nil {
		p.set = set
	}
	p.version++
	close(p.next)
	p.next = make(chan struct{})
}

func (p *preview) now() (set files.Set, version string, next chan struct{}, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.set, fmt.Sprintf("%d.%d", p.born, p.version), p.next, p.err
}

func (p *preview) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// A page elsewhere can give its own host name this machine's address; such a request carries that name.
	if !p.hosts[r.Host] {
		http.Error(w, "this preview answers only to its own address", http.StatusMisdirectedRequest)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
	if r.URL.Path == "/-/changes" {
		p.changes(w, r)
		return
	}
	set, version, _, err := p.now()
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || name == "index.html" {
		w.Header().Set("Content-Type", types[".html"])
		fmt.Fprint(w, page(string(set["index.html"]), err, version))
		return
	}
	content, ok := set[name]
	if !ok {
		http.Error(w, "the document has no such file", http.StatusNotFound)
		return
	}
	kind, ok := types[path.Ext(name)]
	if !ok {
		kind = "application/octet-stream"
	}
	w.Header().Set("Content-Type", kind)
	w.Write(content)
}

// types are the content types of what a document holds; a CSV shows as text instead of being saved.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".md": "text/plain; charset=utf-8", ".csv": "text/plain; charset=utf-8",
	".svg": "image/svg+xml", ".json": "application/json",
}

// changes tells a page which version is shown, and again whenever there is another.
func (p *preview) changes(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return
	}
	answer := http.NewResponseController(w)
	for {
		_, version, next, _ := p.now()
		fmt.Fprintf(w, "retry: 500\ndata: %s\n\n", version)
		if answer.Flush() != nil {
			return
		}
		select {
		case <-next:
		case <-r.Context().Done():
			return
		}
	}
}

// page is index.html with the script that reloads it, which its policy must allow, and with the error if there is one.
func page(index string, err error, version string) string {
	sum := sha256.Sum256([]byte(reloadJS))
	allow := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	if index == "" {
		index = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
			"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">\n" +
			"<title>Not built</title>\n</head>\n<body>\n</body>\n</html>\n"
	}
	policy := "default-src 'none'; connect-src 'self'; script-src " + allow
	if strings.Contains(index, "default-src 'none'; script-src ") {
		index = strings.Replace(index, "default-src 'none'; script-src", policy, 1)
	} else {
		index = strings.Replace(index, "default-src 'none'", policy, 1)
	}
	if err != nil {
		note := "<pre role=\"alert\">Not built; below is the last page that was.\n\n" + html.EscapeString(err.Error()) + "</pre>"
		index = strings.Replace(index, "<body>", "<body>\n"+note, 1)
	}
	end := strings.LastIndex(index, "</body>")
	if end < 0 {
		end = len(index)
	}
	return index[:end] + "<meta name=\"preview\" content=\"" + version + "\">\n<script>" + reloadJS + "</script>\n" + index[end:]
}
