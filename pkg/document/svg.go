package document

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// check refuses a drawing that would be missing in the page, or break its security policy.
func (d Drawing) check() error {
	if d.LightWide == nil || d.Standalone == nil {
		return errors.New("its wide light or its standalone picture is missing")
	}
	for _, svg := range [][]byte{d.LightWide, d.DarkWide, d.LightNarrow, d.DarkNarrow, d.Standalone} {
		if svg != nil {
			if err := inspect(svg); err != nil {
				return err
			}
		}
	}
	if (d.OptionWide != nil && !json.Valid(d.OptionWide)) || (d.OptionNarrow != nil && !json.Valid(d.OptionNarrow)) {
		return errors.New("its chart option is not JSON")
	}
	return nil
}

// inspect walks an SVG and refuses what may not stand inside a page.
func inspect(svg []byte) error {
	x := xml.NewDecoder(bytes.NewReader(svg))
	depth, root := 0, 0
	for {
		token, err := x.Token()
		if err == io.EOF && root == 1 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("its SVG is broken: %w", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if depth == 0 {
				if root++; root > 1 || e.Name.Local != "svg" {
					return fmt.Errorf("its SVG starts with <%s>", e.Name.Local)
				}
			}
			depth++
			if slices.Contains([]string{"script", "style", "foreignObject", "image"}, e.Name.Local) {
				return fmt.Errorf("its SVG holds <%s>, which the page's security policy forbids", e.Name.Local)
			}
			for _, a := range e.Attr {
				name := a.Name.Local
				if name == "style" || strings.HasPrefix(name, "on") || name == "href" && !strings.HasPrefix(a.Value, "#") {
					return fmt.Errorf("its SVG holds %s=%q, which the page's security policy forbids", name, a.Value)
				}
			}
		case xml.EndElement:
			depth--
		}
	}
}

// reference is where an SVG gives or uses an id.
var reference = regexp.MustCompile(`(\sid="|href="#|url\(#|labelledby="|describedby=")([^")]+)`)

// inline is an SVG made to stand in a page beside others: its ids prefixed, the lines before <svg> gone.
func inline(svg []byte, prefix string) string {
	s := string(svg)
	s = s[max(0, strings.Index(s, "<svg")):]
	return strings.TrimSpace(tag.ReplaceAllStringFunc(s, func(t string) string {
		return reference.ReplaceAllString(t, "${1}"+prefix+"${2}")
	}))
}
