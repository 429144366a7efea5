package document

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"strings"
	"text/template"

	"pagetouch/pkg/result"
)

// A text file is Markdown with named places:
//
//	{{n "heap.data_pages"}}   a number of the section's result, printed as its Value says
//	{{u "heap.data_pages"}}   the same with its unit
//	{{n "latest-20/heap.data_pages"}}   a number of another result
//	{{param "users"}}         a parameter
//	{{title}} {{headline}}    of the section's result, or with a name: {{headline "latest-20"}}
//	{{findings}} {{warnings}} as a list; on a line of their own
//
// and blocks, each an empty fenced block that starts at the margin:
//
//	```table NAME             a table of any result
//	```chart NAME             a figure of any result, with the table of its numbers
//	```plain NAME             a text of Document.Plain, as in a terminal
//
// An unknown name is an error that tells file, line and the names near it.

// text is one section while its places are filled.
type text struct {
	*Document
	Section
}

// expand fills the places of a source; the blocks stay.
func (d *Document) expand(s Section, source string) (string, error) {
	t := text{d, s}
	name := path.Join(d.TextPath, s.File)
	tmpl, err := template.New(name).Funcs(template.FuncMap{
		"n": t.number, "u": t.withUnit, "param": t.param,
		"title": t.title, "headline": t.headline, "findings": t.findings, "warnings": t.warnings,
	}).Parse(source)
	if err != nil {
		return "", located(err)
	}
	var b strings.Builder
	if err := tmpl.Execute(&b, nil); err != nil {
		return "", located(err)
	}
	return b.String(), nil
}

var templateError = regexp.MustCompile(`(?s)^template: (.+?:\d+)(?::\d+)?: (?:executing ".*" at <.*>: )?(?:error calling \w+: )?(.*)$`)

// located turns "template: a.md:3:7: executing ..." into "a.md:3: what is wrong".
func located(err error) error {
	if m := templateError.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("%s: %s", m[1], m[2])
	}
	return err
}

func (t text) number(name string) (string, error) {
	v, err := t.value(name)
	return v.String(), err
}

func (t text) withUnit(name string) (string, error) {
	v, err := t.value(name)
	if err != nil || v.Unit == "" {
		return v.String(), err
	}
	return v.String() + "\u00a0" + Escape(unitOf(v)), nil // not broken between number and unit
}

// unitOf is the unit after a value: "1 page", not "1 pages". Short units such as "ms" are no plurals.
func unitOf(v result.Value) string {
	u := v.Unit
	switch {
	case v.String() != "1" || len(u) < 4 || strings.HasSuffix(u, "ss") || !strings.HasSuffix(u, "s"):
		return u
	case strings.HasSuffix(u, "ies"):
		return strings.TrimSuffix(u, "ies") + "y"
	}
	return strings.TrimSuffix(u, "s")
}

func (t text) value(name string) (result.Value, error) {
	known := map[string]result.Value{}
	for _, r := range t.Results {
		for _, v := range r.Values {
			known[r.Name+"/"+v.Name] = v
			if r.Name == t.Result {
				known[v.Name] = v
			}
		}
	}
	v, ok := known[name]
	if !ok {
		return v, fmt.Errorf("no value %q%s", name, near(name, known))
	}
	if math.IsNaN(v.Number) || math.IsInf(v.Number, 0) {
		return v, fmt.Errorf("value %q is %v: it cannot stand in a sentence", name, v.Number)
	}
	return v, nil
}

func (t text) param(name string) (string, error) {
	p, ok := t.Parameters[name]
	if !ok {
		return "", fmt.Errorf("no parameter %q%s", name, near(name, t.Parameters))
	}
	return Escape(p), nil
}

// of is the result of that name, without one the section's.
func (t text) of(name []string) (*result.Result, error) {
	name = append(name, t.Result)
	if name[0] == "" {
		return nil, errors.New(`this section has no result of its own: name one, as in {{headline "NAME"}}`)
	}
	known := map[string]*result.Result{}
	for _, r := range t.Results {
		known[r.Name] = r
	}
	r, ok := known[name[0]]
	if !ok {
		return nil, fmt.Errorf("no result %q%s", name[0], near(name[0], known))
	}
	return r, nil
}

func (t text) title(name ...string) (string, error) {
	r, err := t.of(name)
	if err != nil {
		return "", err
	}
	return Escape(r.Title), nil
}

func (t text) headline(name ...string) (string, error) {
	r, err := t.of(name)
	if err != nil {
		return "", err
	}
	return Escape(r.Headline), nil
}

func (t text) findings(name ...string) (string, error) {
	r, err := t.of(name)
	if err != nil {
		return "", err
	}
	return list("", r.Findings), nil
}

// warnings is a quote with a list, so that it stands apart from the text; nothing when there is none.
func (t text) warnings(name ...string) (string, error) {
	r, err := t.of(name)
	if err != nil || len(r.Warnings) == 0 {
		return "", err
	}
	var all []string
	for _, w := range r.Warnings {
		all = append(all, w.Text)
	}
	return "> **Before you believe a number**\n>\n" + list("> ", all), nil
}

func list(margin string, lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(margin + "- " + Escape(l) + "\n")
	}
	return b.String()
}

// read is the source of a section, with Unix line ends.
func (d *Document) read(s Section) (string, error) {
	b, err := fs.ReadFile(d.Text, s.File)
	if err != nil {
		return "", fmt.Errorf("text of a section: %w", err)
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n"), nil
}
