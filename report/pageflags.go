package main

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	pageformat "pagetouch/pkg/page"
)

// pageFlags are the pages that rows are placed on: a named engine's, with single parameters changed.
type pageFlags struct {
	name   string
	format pageformat.Format
	entry  int
	change []func()
}

func (p *pageFlags) register(f *flag.FlagSet) {
	p.name, p.format, p.entry = "lesson", pageformat.Lesson, 16
	f.Func("page", "pages of this `engine`: "+strings.Join(slices.Sorted(maps.Keys(pageformat.Engines())), ", ")+" [lesson]", func(s string) error {
		format, ok := pageformat.Engines()[s]
		if !ok {
			return fmt.Errorf("want one of %s", strings.Join(slices.Sorted(maps.Keys(pageformat.Engines())), ", "))
		}
		p.name, p.format = s, format
		return nil
	})
	set := func(name, usage string, to *int) {
		f.Func(name, usage, func(s string) error {
			n, err := 0, error(nil)
			if s != "0" {
				n, err = parseCount(s)
			}
			p.change = append(p.change, func() { *to = n })
			return err
		})
	}
	set("page-bytes", "`bytes` of a page [8192]", &p.format.Bytes)
	set("page-header", "`bytes` of each page that hold no rows", &p.format.Header)
	set("row-header", "`bytes` before each row", &p.format.RowHeader)
	set("entry-bytes", "`bytes` of an index entry [16]", &p.entry)
}

// pages are the format and the bytes of an index entry.
func (p *pageFlags) pages() (pageformat.Format, int, error) {
	for _, change := range p.change {
		change()
	}
	if p.change != nil {
		p.name += ", changed"
	}
	if err := p.format.Validate(); err != nil {
		return p.format, p.entry, badParameter{err}
	}
	if p.entry < 1 || p.format.Fanout(p.entry) < 2 {
		return p.format, p.entry, badParameter{fmt.Errorf("-entry-bytes %d: a page of %d bytes holds fewer than 2", p.entry, p.format.Bytes)}
	}
	return p.format, p.entry, nil
}
