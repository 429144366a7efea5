package notebook

import (
	"encoding/base64"
	"fmt"
	"html"

	"pagetouch/pkg/notebook/draw"
	"pagetouch/pkg/result"
)

// images is figures as images. Jupyter blanks scripts and inline SVG in a notebook it does not trust, and shows images.
func images(figures []result.Figure, ask draw.Ask) ([]string, error) {
	if len(figures) == 0 {
		return nil, nil
	}
	answer, err := ask(draw.Request{As: draw.SVG, Figures: figures})
	if err != nil {
		return nil, err
	}
	var out []string
	for i, f := range figures {
		svg := base64.StdEncoding.EncodeToString(answer.Drawn[i])
		out = append(out, caption(f, fmt.Sprintf(`<img src="data:image/svg+xml;base64,%s" alt="%s">`, svg, html.EscapeString(alt(f)))))
	}
	return out, nil
}

// caption puts a figure between its title and what is said under it.
func caption(f result.Figure, picture string) string {
	s := open + "\n<p><strong>" + escape(f.Title) + "</strong></p>\n" + picture + "\n"
	if f.Caption != "" {
		s += "<p>" + escape(f.Caption) + "</p>\n"
	}
	return s + close
}

func alt(f result.Figure) string {
	if f.Alt != "" {
		return f.Alt
	}
	return f.Title
}
