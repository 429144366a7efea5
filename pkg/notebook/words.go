package notebook

import (
	"html"
	"strings"

	"pagetouch/pkg/result"
)

// words is what a result says in sentences. Warnings come before the findings they limit.
func words(r *result.Result) string {
	var b strings.Builder
	b.WriteString(open + "\n<h4>" + escape(r.Title) + "</h4>\n")
	if r.Headline != "" {
		b.WriteString("<p><strong>" + escape(r.Headline) + "</strong></p>\n")
	}
	for _, w := range r.Warnings {
		b.WriteString("<p><strong>⚠ Warning:</strong> " + escape(w.Text) + "</p>\n")
	}
	if len(r.Findings) > 0 {
		b.WriteString("<ul>\n")
		for _, f := range r.Findings {
			b.WriteString("<li>" + escape(f) + "</li>\n")
		}
		b.WriteString("</ul>\n")
	}
	return b.String() + close
}

// Every output is one element that asks MathJax to leave it alone: two prices are no formula.
const (
	open  = `<div class="mathjax_ignore tex2jax_ignore">`
	close = `</div>`
)

// escape writes plain text so that it is read as it is, in the notebook and by MathJax versions that know no such class.
func escape(s string) string {
	return mathless.Replace(html.EscapeString(s))
}

var mathless = strings.NewReplacer("$", "<span>$</span>", `\`, `<span>\</span>`)
