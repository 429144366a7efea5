// Package cql writes the key that sizing chose as CQL ready to paste: the table with its bucket, the directory of
// buckets that have rows, and how to write and read them. What it writes has been parsed and reviewed by package
// schema first.
package cql

import (
	"fmt"
	"strings"
	"unicode"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/result"
	"pagetouch/pkg/schema"
)

// Design is a table of one entity's rows in buckets.
type Design struct {
	Table   string       // its name; "" is rows_by_entity
	Entity  string       // the column of the entity; "" is entity
	Type    string       // its type; "" is text
	Payload []Column     // columns beside the key; nil is body text
	Width   bucket.Width // of a bucket
	Rows    int64        // instead of Width: a bucket is closed after so many rows
	Shards  int64        // parts of each bucket; 0 and 1 are none
	Latest  int          // n of the read that is spelled out; 0 is 20
}

// Column is a column beside the key.
type Column struct{ Name, Type string }

// Statements is the design as CQL, its comments and the read loop included.
func (d Design) Statements() (string, error) {
	d = d.defaults()
	if err := d.valid(); err != nil {
		return "", err
	}
	var b strings.Builder
	d.table(&b)
	d.directory(&b)
	d.loops(&b)
	out := b.String()
	script, err := schema.Parse(out, d.Table+".cql")
	if err != nil {
		return "", fmt.Errorf("writing table %q: its names or types are not CQL: %w", d.Table, err)
	}
	tables := script.Tables
	if len(tables) != 2 || len(tables[0].Columns)-len(tables[0].Key)-1 != len(d.Payload) {
		return "", fmt.Errorf("writing table %q: a type among %q holds more than a type", d.Table, append(d.Payload, Column{d.Entity, d.Type}))
	}
	found, err := schema.Review(script, d.Table+".cql", schema.Options{})
	if err != nil {
		return "", fmt.Errorf("writing table %q: %w", d.Table, err)
	}
	for _, f := range found {
		if f.Warn {
			return "", fmt.Errorf("writing table %q: the review of its own schema: %s", d.Table, f.Text)
		}
	}
	return out, nil
}

func (d Design) defaults() Design {
	def := func(s *string, value string) {
		if *s == "" {
			*s = value
		}
	}
	def(&d.Table, "rows_by_entity")
	def(&d.Entity, "entity")
	def(&d.Type, "text")
	if d.Payload == nil {
		d.Payload = []Column{{"body", "text"}}
	}
	if d.Latest == 0 {
		d.Latest = 20
	}
	d.Shards = max(d.Shards, 1)
	return d
}

func (d Design) valid() error {
	unbounded := d.Width == bucket.Forever || d.Width == bucket.Width{}
	if d.Rows < 0 || d.Latest < 0 || d.Rows == 0 && unbounded || d.Rows > 0 && !unbounded {
		return fmt.Errorf("writing table %q: buckets of width %q, of %d rows, latest %d: want either a width that bounds a partition or a number of rows", d.Table, d.Width, d.Rows, d.Latest)
	}
	texts := []string{d.Table, d.Entity, d.Type}
	for _, c := range d.Payload {
		texts = append(texts, c.Name, c.Type)
		switch c.Name {
		case d.Entity, "bucket", "shard", "row_id":
			return fmt.Errorf("writing table %q: column %q is part of its key already", d.Table, c.Name)
		}
	}
	for _, s := range texts {
		if strings.ContainsFunc(s, unicode.IsControl) || strings.TrimSpace(s) == "" || len(s) > 200 {
			return fmt.Errorf("writing table %q: name or type %q: want up to 200 bytes without control characters", d.Table, s)
		}
	}
	return nil
}

// short reports whether a directory of such buckets must be bounded itself: one of hours gains 8,760 rows a year.
func (d Design) short() bool { return d.Rows == 0 && d.Width.Longest() < 86_400_000_000 }

// Newest is "latest row" or "latest 20 rows".
func (d Design) Newest(word string) string {
	if d.Latest == 1 {
		return word + " row"
	}
	return word + " " + result.Plural(d.Latest, "row")
}

// Slice says what the bucket of a row is.
func (d Design) Slice() string {
	if d.Rows > 0 {
		return fmt.Sprintf("a number from 0: a new one after %s", result.Plural(d.Rows, "row"))
	}
	if d.Width.Even() && d.Width != bucket.Week && d.Width != bucket.Day && d.Width != bucket.Hour {
		return fmt.Sprintf("the %v, counted from 1970-01-01, of the row's time in UTC: '%s'", strings.TrimPrefix(d.Width.Spelled(), "one "), d.Width.Label(d.Width.Index(1_773_576_000_000_000)))
	}
	return fmt.Sprintf("the %v of the row's time in UTC: '%s'", strings.TrimPrefix(d.Width.Spelled(), "one "), d.Width.Label(d.Width.Index(1_773_576_000_000_000)))
}

func (d Design) bucketType() string {
	if d.Rows > 0 {
		return "bigint"
	}
	return "text"
}

func (d Design) table(b *strings.Builder) {
	key := schema.Quote(d.Entity) + ", bucket"
	fmt.Fprintf(b, "CREATE TABLE %s (\n  %s %s,\n  bucket %s, -- %s\n", schema.Quote(d.Table), schema.Quote(d.Entity), d.Type, d.bucketType(), d.Slice())
	if d.Shards > 1 {
		fmt.Fprintf(b, "  shard int, -- hash(row_id) modulo %d\n", d.Shards)
		key += ", shard"
	}
	b.WriteString("  row_id timeuuid, -- the row's time, and distinct where times are equal\n")
	for _, c := range d.Payload {
		fmt.Fprintf(b, "  %s %s,\n", schema.Quote(c.Name), c.Type)
	}
	fmt.Fprintf(b, "  PRIMARY KEY ((%s), row_id)\n) WITH CLUSTERING ORDER BY (row_id DESC);\n\n", key)
}

func (d Design) directoryName() string { return d.Table + "_buckets" }

func (d Design) directory(b *strings.Builder) {
	key := schema.Quote(d.Entity)
	b.WriteString("-- The buckets that have rows, so that a read meets no empty one.\n")
	fmt.Fprintf(b, "CREATE TABLE %s (\n  %s %s,\n", schema.Quote(d.directoryName()), schema.Quote(d.Entity), d.Type)
	if d.short() {
		b.WriteString("  year int, -- of the bucket's start: short buckets are many\n")
		key += ", year"
	}
	fmt.Fprintf(b, "  bucket %s,\n  PRIMARY KEY ((%s), bucket)\n) WITH CLUSTERING ORDER BY (bucket DESC);\n\n", d.bucketType(), key)
}

// loops spells out the write and the read.
func (d Design) loops(b *strings.Builder) {
	say := func(format string, a ...any) { fmt.Fprintln(b, strings.TrimSpace("-- "+fmt.Sprintf(format, a...))) }
	table, dir, entity := schema.Quote(d.Table), schema.Quote(d.directoryName()), schema.Quote(d.Entity)
	columns := entity + ", bucket"
	values := "?, ?"
	if d.Shards > 1 {
		columns, values = columns+", shard", values+", ?"
	}
	columns, values = columns+", row_id", values+", ?"
	for _, c := range d.Payload {
		columns, values = columns+", "+schema.Quote(c.Name), values+", ?"
	}
	year, yearValue := "", ""
	if d.short() {
		year, yearValue = "year, ", "?, "
	}
	say("To write a row:")
	if d.Rows > 0 {
		say("  bucket = the newest of the directory; one more once it has %s, counted by the writer", result.Plural(d.Rows, "row"))
	} else {
		say("  bucket = %s", d.Slice())
	}
	say("  INSERT INTO %s (%s) VALUES (%s);", table, columns, values)
	say("  INSERT INTO %s (%s, %sbucket) VALUES (?, %s?);  once a bucket is enough", dir, entity, year, yearValue)
	say("")
	say("To read the %s:", d.Newest("latest"))
	say("  rows = []")
	indent := "  "
	if d.short() {
		say("  for year in (this year, last year, ... the first year of data):")
		indent = "    "
		year = " AND year = ?"
	}
	say("%sfor bucket in (SELECT bucket FROM %s WHERE %s = ?%s):  newest first", indent, dir, entity, year)
	if d.Shards > 1 {
		say("%s  for shard in 0 .. %d, at the same time:", indent, d.Shards-1)
		say("%s    SELECT * FROM %s WHERE %s = ? AND bucket = ? AND shard = ? LIMIT %d", indent, table, entity, d.Latest)
		say("%s  rows += the shards' rows merged by row_id, newest first", indent)
	} else {
		say("%s  rows += SELECT * FROM %s WHERE %s = ? AND bucket = ? LIMIT %d", indent, table, entity, d.Latest)
	}
	stop := fmt.Sprintf("there are %s: keep the first %s", result.Plural(d.Latest, "row"), result.Format(float64(d.Latest), 0))
	if d.Latest == 1 {
		stop = "there is 1 row: keep the first"
	}
	say("%s  if %s and stop", indent, stop)
}
