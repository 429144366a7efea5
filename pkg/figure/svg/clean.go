package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// clean rewrites ECharts' SVG:
//   - style attributes become attributes of their own, and style elements and classes go: strict pages forbid inline
//     styles, and the classes only serve hovering;
//   - ecmeta_ attributes and pointer-events go: they serve ECharts' own scripts;
//   - dominant-baseline becomes dy: not every viewer knows the former;
//   - every id gets the picture's prefix, or two pictures in one page would take each other's patterns and clips;
//   - a title and a description are added, and a background if the picture has one.
func clean(svg []byte, p Picture) ([]byte, error) {
	in := xml.NewDecoder(bytes.NewReader(svg))
	var out bytes.Buffer
	skip, root := 0, true
	for {
		token, err := in.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("reading ECharts' SVG: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if skip > 0 || t.Name.Local == "style" {
				skip++
				continue
			}
			attrs := cleanAttrs(t.Attr, p.ID)
			if root {
				attrs = append(attrs, attr("role", "img"), attr("aria-labelledby", p.ID+"-title "+p.ID+"-desc"))
			}
			write(&out, t.Name, attrs)
			if root {
				head(&out, p)
				root = false
			}
		case xml.EndElement:
			if skip > 0 {
				skip--
				continue
			}
			fmt.Fprintf(&out, "</%s>", qualified(t.Name))
			if t.Name.Local != "text" && t.Name.Local != "tspan" {
				out.WriteByte('\n')
			}
		case xml.CharData:
			if text := bytes.TrimSpace(t); skip == 0 && len(text) > 0 {
				escape(&out, string(text))
			}
		}
	}
	return out.Bytes(), nil
}

// head is what the picture gets before what ECharts drew.
func head(out *bytes.Buffer, p Picture) {
	for _, e := range []struct{ name, text string }{{"title", p.Title}, {"desc", p.Description}} {
		write(out, xml.Name{Local: e.name}, []xml.Attr{attr("id", p.ID+"-"+e.name)})
		escape(out, e.text)
		fmt.Fprintf(out, "</%s>\n", e.name)
	}
	if p.Paper != "" {
		write(out, xml.Name{Local: "rect"}, []xml.Attr{attr("width", "100%"), attr("height", "100%"), attr("fill", p.Paper)})
		out.WriteString("</rect>\n")
	}
}

func cleanAttrs(attrs []xml.Attr, prefix string) []xml.Attr {
	var out []xml.Attr
	for _, a := range attrs {
		name := a.Name.Local
		switch {
		case name == "class", name == "pointer-events", strings.HasPrefix(name, "ecmeta_"):
		case name == "style":
			out = append(out, styleAttrs(a.Value)...)
		case name == "dominant-baseline":
			if a.Value == "central" || a.Value == "middle" {
				out = append(out, attr("dy", ".35em"))
			}
		case name == "id":
			out = append(out, xml.Attr{Name: a.Name, Value: prefix + "-" + a.Value})
		case name == "href" && strings.HasPrefix(a.Value, "#"):
			out = append(out, xml.Attr{Name: a.Name, Value: "#" + prefix + "-" + a.Value[1:]})
		default:
			out = append(out, xml.Attr{Name: a.Name, Value: strings.ReplaceAll(a.Value, "url(#", "url(#"+prefix+"-")})
		}
	}
	return out
}

// styleAttrs turns declarations into the attributes of the same names. What is no presentation attribute of SVG serves
// the mouse only and is left out.
func styleAttrs(style string) []xml.Attr {
	var out []xml.Attr
	for declaration := range strings.SplitSeq(style, ";") {
		name, value, ok := strings.Cut(declaration, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case !ok:
		case strings.HasPrefix(name, "font-"), strings.HasPrefix(name, "fill"), strings.HasPrefix(name, "stroke"), name == "opacity":
			out = append(out, attr(name, value))
		}
	}
	return out
}

func attr(name, value string) xml.Attr { return xml.Attr{Name: xml.Name{Local: name}, Value: value} }

func qualified(n xml.Name) string {
	if n.Space != "" {
		return n.Space + ":" + n.Local
	}
	return n.Local
}

func write(out *bytes.Buffer, name xml.Name, attrs []xml.Attr) {
	out.WriteString("<" + qualified(name))
	for _, a := range attrs {
		out.WriteString(" " + qualified(a.Name) + `="`)
		escape(out, a.Value)
		out.WriteByte('"')
	}
	out.WriteByte('>')
}

func escape(out *bytes.Buffer, text string) { _ = xml.EscapeText(out, []byte(text)) } // a Buffer takes all
