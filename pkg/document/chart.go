package document

import (
	"encoding/json"
	"fmt"
	"strings"

	"pagetouch/pkg/result"
)

// chartFigure is a figure with all its static pictures, of which the style shows the one that fits the theme and the
// width; page.js puts an interactive chart in their place. Its numbers stand below it, or elsewhere if they are not its own.
// Ids hold a colon, so that none is that of a heading.
func chartFigure(f *result.Figure, d Drawing, numbers *result.Table, own, live bool) string {
	live = live && d.OptionWide != nil
	var b strings.Builder
	fmt.Fprintf(&b, "<figure class=\"chart\" id=\"figure:%s\">\n<div class=\"picture\" role=\"img\" aria-label=\"%s\"",
		f.Name, escapeHTML(f.Alt))
	if live {
		fmt.Fprintf(&b, " data-options=\"options:%s\"", f.Name)
	}
	b.WriteString(">\n")
	pictures := []struct {
		svg   []byte
		class string
	}{{d.LightWide, "light wide"}, {d.DarkWide, "dark wide"}, {d.LightNarrow, "light narrow"}, {d.DarkNarrow, "dark narrow"}}
	if d.DarkWide == nil {
		pictures[0].class += " dark"
	}
	if d.LightNarrow == nil {
		pictures[0].class += " narrow"
	}
	if d.DarkNarrow == nil { // a dark one that is too wide is better than a light one
		pictures[1].class += " narrow"
	}
	for _, p := range pictures {
		if p.svg != nil {
			prefix := f.Name + ":" + strings.ReplaceAll(p.class, " ", "-") + ":"
			fmt.Fprintf(&b, "<div class=\"static %s\">%s</div>\n", p.class, inline(p.svg, prefix))
		}
	}
	b.WriteString("</div>\n" + caption(f.Title, f.Caption))
	switch {
	case f.Table != "" && own:
		fmt.Fprintf(&b, "<details id=\"table:%s\"><summary>The numbers in this figure</summary>\n%s</details>\n", f.Table, htmlTable(numbers))
	case f.Table != "":
		fmt.Fprintf(&b, "<p class=\"numbers\">The numbers in this figure: <a href=\"#table:%s\">%s</a></p>\n", f.Table, escapeHTML(numbers.Title))
	}
	b.WriteString("</figure>\n")
	if live {
		// Marshal writes < as \u003c, so no text inside can end the element.
		options, _ := json.Marshal(map[string]json.RawMessage{"wide": d.OptionWide, "narrow": narrowOption(d)}) // checked
		fmt.Fprintf(&b, "<script type=\"application/json\" id=\"options:%s\">%s</script>\n", f.Name, options)
	}
	return b.String()
}

func narrowOption(d Drawing) json.RawMessage {
	if d.OptionNarrow == nil {
		return d.OptionWide
	}
	return d.OptionNarrow
}
