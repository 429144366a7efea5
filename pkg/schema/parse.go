// Package schema reviews the key of a CQL table before anybody writes a row: does a partition grow without end, does
// a bucket stand where it bounds nothing, does "the latest" come out as the oldest, and how large is a partition of
// so many rows. It reads files of CQL statements, understands CREATE TABLE and passes over the rest.
//
// No maintained Go parser of CQL was found: the drivers send statements unread, and the grammars that exist are
// internal to tools or call themselves early. Two statements need little.
package schema

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Script is what a file of statements holds.
type Script struct {
	Tables  []Table // and materialized views, in the order written
	Others  int     // CQL statements that make neither
	Unknown []Word  // first words of statements that are no CQL, of many the first
	More    int     // that Unknown leaves out
}

// Word is a word at its place.
type Word struct {
	Pos
	Text string
}

// Views counts the tables that are materialized views.
func (s *Script) Views() (n int) {
	for i := range s.Tables {
		if s.Tables[i].Base != "" {
			n++
		}
	}
	return n
}

// Table is one CREATE TABLE or CREATE MATERIALIZED VIEW statement.
type Table struct {
	Pos
	Keyspace, Name string
	Base           string   // of a view: the table it is made from
	Columns        []Column // in the order written; of a view whose base the file does not hold: those that it names
	Key            []Column // the partition key
	Clustering     []Column // the clustering key, in order
	Comment        string   // its option
	TTL            int64    // its option default_time_to_live, in seconds; 0: rows stay
}

// Column is one column of a table.
type Column struct {
	Pos
	Name       string
	Type       Type
	Static     bool
	Descending bool // a clustering column in descending order
}

// Type is a CQL type: "text", "map" of two types, "vector" of a type and a number.
type Type struct {
	Name string // lower case unless quoted; a custom class in single quotes; "" where the file does not say
	Of   []Type
}

// String is the type as CQL writes it.
func (t Type) String() string {
	if t.Of == nil {
		return t.Name
	}
	of := make([]string, len(t.Of))
	for i := range t.Of {
		of[i] = t.Of[i].String()
	}
	return t.Name + "<" + strings.Join(of, ", ") + ">"
}

// Regular lists the columns outside the key that every row has.
func (t *Table) Regular() (all []Column) { return t.others(false) }

// Static lists the columns that a partition has once.
func (t *Table) Static() (all []Column) { return t.others(true) }

func (t *Table) others(static bool) (all []Column) {
	for _, c := range t.Columns {
		if c.Static == static && index(t.Key, c.Name) < 0 && index(t.Clustering, c.Name) < 0 {
			all = append(all, c)
		}
	}
	return all
}

func index(columns []Column, name string) int {
	return slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
}

// MaxBytes is the largest file that Read takes: schemas are written by hand.
const MaxBytes = 16 << 20

// Read parses the statements in r. Name is how errors call it.
func Read(r io.Reader, name string) (Script, error) {
	src, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return Script{}, fmt.Errorf("%s: reading a schema: %w", name, err)
	}
	if len(src) > MaxBytes {
		return Script{}, fmt.Errorf("%s: more than %d MiB: want CREATE TABLE statements, not data", name, MaxBytes>>20)
	}
	return Parse(string(src), name)
}

// Parse reads the statements of a file. An error names file, line and column, and comes with what stands before it; a
// file without any CQL statement is one.
func Parse(src, name string) (Script, error) {
	p := &parser{scanner: newScanner(src, name)}
	p.advance()
	var s Script
	for p.err == nil && p.at.kind != end {
		if !p.accept(";") {
			p.statement(&s)
		}
	}
	if p.err == nil && len(s.Tables)+s.Others == 0 {
		if s.Unknown == nil {
			return s, p.fail(Pos{1, 1}, "no statement in it: want CREATE TABLE statements")
		}
		return s, p.fail(s.Unknown[0].Pos, "%q begins no CQL statement: want CREATE TABLE statements", s.Unknown[0].Text)
	}
	return s, p.err
}

// parser reads token by token; after the first error it stands still at the end.
type parser struct {
	*scanner
	at    token
	err   error
	depth int
}

func (p *parser) advance() {
	if p.err != nil {
		return
	}
	t, err := p.next()
	if err != nil {
		p.stop(err)
		return
	}
	p.at = t
}

func (p *parser) stop(err error) {
	if p.err == nil {
		p.err, p.at = err, token{Pos: p.pos}
	}
}

func (p *parser) accept(s string) bool {
	if p.err != nil || !p.at.is(s) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) want(s, where string) {
	if !p.accept(s) {
		p.stop(p.fail(p.at.Pos, "want %s %s, found %v", s, where, p.at))
	}
}

// name reads an identifier: unquoted ones are the same in any case.
func (p *parser) name(what string) (string, Pos) {
	t := p.at
	if t.kind == word && !(t.text[0] >= '0' && t.text[0] <= '9') || t.kind == quoted && t.text != "" {
		p.advance()
		if t.kind == word {
			t.text = strings.ToLower(t.text)
		}
		return t.text, t.Pos
	}
	p.stop(p.fail(t.Pos, "want %s, found %v", what, t))
	return "", t.Pos
}

// list reads names (or what each reads) between parentheses.
func (p *parser) list(where string, each func()) {
	p.want("(", where)
	for p.err == nil {
		each()
		if !p.accept(",") {
			break
		}
	}
	p.want(")", where)
}

// statement reads a table, a view, or passes over anything else.
func (p *parser) statement(s *Script) {
	first := p.at
	p.advance()
	var t Table
	switch {
	case first.is("CREATE") && (p.accept("TABLE") || p.accept("COLUMNFAMILY")):
		t = p.table()
	case first.is("CREATE") && p.accept("MATERIALIZED"):
		p.want("VIEW", "after MATERIALIZED")
		t = p.view(s.Tables)
	default:
		p.other(s, first)
		return
	}
	if p.err == nil {
		s.Tables = append(s.Tables, t)
	}
}

// named reads the name of a table or view.
func (p *parser) named(what string) Table {
	t := Table{Pos: p.at.Pos}
	if p.accept("IF") {
		p.want("NOT", "after IF")
		p.want("EXISTS", "after IF NOT")
	}
	t.Keyspace, t.Name, t.Pos = p.qualified(what)
	return t
}

// qualified reads a name with or without its keyspace.
func (p *parser) qualified(what string) (keyspace, name string, at Pos) {
	name, at = p.name("the name of a " + what)
	if p.accept(".") {
		keyspace = name
		name, _ = p.name("the name of a " + what)
	}
	return keyspace, name, at
}

func (p *parser) table() Table {
	t := p.named("table")
	var key *primary
	p.list("around the columns of table "+t.Name, func() {
		if k := p.definition(&t); k != nil && p.err == nil {
			if key != nil {
				p.stop(p.fail(k.Pos, "table %s has a second primary key: keep one", t.Name))
			}
			key = k
		}
	})
	if p.err == nil && key == nil {
		p.stop(p.fail(t.Pos, "table %s has no primary key: add PRIMARY KEY (column, ...)", t.Name))
	}
	p.finish(&t, key)
	return t
}

// finish finds the key's columns and reads the options.
func (p *parser) finish(t *Table, key *primary) {
	if p.err == nil {
		t.Key = p.columns(t, key.partition)
		t.Clustering = p.columns(t, key.clustering)
		p.distinct(t)
	}
	if p.accept("WITH") {
		p.options(t)
	}
	if p.err == nil && p.at.kind != end {
		p.want(";", "after "+t.what())
	}
}

// what is how sentences call it.
func (t *Table) what() string {
	if t.Base != "" {
		return "view " + Quote(t.Name)
	}
	return "table " + Quote(t.Name)
}

// primary is a PRIMARY KEY by name.
type primary struct {
	Pos
	partition, clustering []place
}

type place struct {
	Pos
	name string
}

// definition reads a column or a PRIMARY KEY.
func (p *parser) definition(t *Table) *primary {
	k := primary{Pos: p.at.Pos}
	name, at := p.name("a column or PRIMARY KEY")
	if name == "primary" && p.accept("KEY") {
		p.key(&k)
		return &k
	}
	c := Column{Pos: at, Name: name, Type: p.typ()}
	c.Static = p.accept("STATIC")
	inline := false
	if p.accept("PRIMARY") {
		p.want("KEY", "after PRIMARY")
		inline = true
	}
	if p.accept("MASKED") {
		p.want("WITH", "after MASKED")
		p.skipTo(",", ")")
	}
	if p.err == nil && index(t.Columns, name) >= 0 {
		p.stop(p.fail(at, "table %s has a second column %s: remove or rename one", t.Name, name))
	}
	t.Columns = append(t.Columns, c)
	if !inline {
		return nil
	}
	k.partition = []place{{at, name}}
	return &k
}

// key reads what stands after PRIMARY KEY.
func (p *parser) key(k *primary) {
	item := func(to *[]place) func() {
		return func() {
			name, at := p.name("a column of the primary key")
			*to = append(*to, place{at, name})
		}
	}
	first := true
	p.list("around the primary key", func() {
		switch {
		case first && p.at.is("("):
			p.list("around the partition key", item(&k.partition))
		case first:
			item(&k.partition)()
		default:
			item(&k.clustering)()
		}
		first = false
	})
}

// Types nest no deeper than this: a file must not exhaust the stack.
const deepest = 32

func (p *parser) typ() Type {
	if p.at.kind == text {
		t := Type{Name: "'" + p.at.text + "'"}
		p.advance()
		return t
	}
	if p.depth++; p.depth > deepest {
		p.stop(p.fail(p.at.Pos, "types nest deeper than %d: want one that a table can have", deepest))
	}
	defer func() { p.depth-- }()
	var t Type
	if p.depth > 1 && p.at.kind == word && p.at.text[0] >= '0' && p.at.text[0] <= '9' { // of a vector
		t.Name = p.at.text
		p.advance()
		return t
	}
	t.Name, _ = p.name("a type")
	if p.accept(".") {
		name, _ := p.name("a type")
		t.Name += "." + name
	}
	if p.accept("<") {
		for p.err == nil {
			t.Of = append(t.Of, p.typ())
			if !p.accept(",") {
				break
			}
		}
		p.want(">", "after the parameters of type "+t.Name)
	}
	return t
}

// columns finds the columns of a key.
func (p *parser) columns(t *Table, names []place) (all []Column) {
	for _, n := range names {
		i := index(t.Columns, n.name)
		switch {
		case i < 0:
			p.stop(p.fail(n.Pos, "the primary key of %s names %s, which is not one of its columns: correct the name or define the column; it has %s", t.what(), Quote(n.name), t.names()))
			return nil
		case t.Columns[i].Static:
			p.stop(p.fail(n.Pos, "column %s of %s is static and in the primary key: take it out of one", Quote(n.name), t.what()))
			return nil
		}
		c := t.Columns[i]
		c.Pos = n.Pos
		all = append(all, c)
	}
	return all
}

// names are the columns as a sentence lists them, of many the first.
func (t *Table) names() string {
	const most = 12
	var names []string
	for i, c := range t.Columns {
		if i == most {
			names = append(names, "...")
			break
		}
		names = append(names, Quote(c.Name))
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (p *parser) distinct(t *Table) {
	seen := map[string]bool{}
	for _, c := range append(slices.Clone(t.Key), t.Clustering...) {
		if seen[c.Name] {
			p.stop(p.fail(c.Pos, "the primary key of %s names %s twice: remove one", t.what(), Quote(c.Name)))
		}
		seen[c.Name] = true
	}
}

// options reads what follows WITH; only the order matters here.
func (p *parser) options(t *Table) {
	for p.err == nil {
		switch {
		case p.accept("CLUSTERING"):
			p.want("ORDER", "after CLUSTERING")
			p.want("BY", "after CLUSTERING ORDER")
			i := 0
			p.list("around the clustering order", func() {
				name, at := p.name("a clustering column")
				if p.err == nil && (i >= len(t.Clustering) || t.Clustering[i].Name != name) {
					p.stop(p.fail(at, "the clustering order of %s names %s out of turn: want its clustering columns in their order", t.what(), Quote(name)))
					return
				}
				if p.accept("DESC") {
					t.Clustering[i].Descending = true
				} else {
					p.accept("ASC")
				}
				i++
			})
		case p.accept("COMPACT"):
			p.want("STORAGE", "after COMPACT")
		default:
			option, _ := p.name("an option")
			p.want("=", "after an option's name")
			if option == "comment" && p.at.kind == text {
				t.Comment = p.at.text
			}
			if option == "default_time_to_live" {
				t.TTL, _ = strconv.ParseInt(p.at.text, 10, 64) // what is no number is for the store to refuse
			}
			p.skipTo("AND", ";")
		}
		if !p.accept("AND") {
			return
		}
	}
}

// skipTo passes over tokens up to one of two, outside brackets, or to the end of the file.
func (p *parser) skipTo(a, b string) {
	depth, first := 0, p.at
	for n := 0; p.err == nil && p.at.kind != end; n++ {
		switch {
		case depth == 0 && (p.at.is(a) || p.at.is(b)):
			if n == 0 {
				p.stop(p.fail(first.Pos, "want a value, found %v", first))
			}
			return
		case p.at.is("("), p.at.is("["), p.at.is("{"):
			depth++
		case p.at.is(")"), p.at.is("]"), p.at.is("}"):
			depth--
		}
		p.advance()
	}
	if p.err == nil && (depth != 0 || first.kind == end) {
		p.stop(p.fail(first.Pos, "want a value, found %v and no end to it", first))
	}
}
