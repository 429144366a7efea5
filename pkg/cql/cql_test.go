package cql

import (
	"strings"
	"testing"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/schema"
)

// Every design comes back from the parser as it was meant, without a warning.
func TestRoundTrip(t *testing.T) {
	for _, w := range append(bucket.Named(), bucket.Fixed(20*60e6), bucket.Fixed(10*86400e6)) {
		for _, shards := range []int64{0, 1, 4} {
			d := Design{Table: "Posts by user", Entity: "select", Type: "uuid", Width: w, Shards: shards, Payload: []Column{{"body", "map<text, frozen<list<int>>>"}}}
			src, err := d.Statements()
			if err != nil {
				t.Fatal(err)
			}
			script, err := schema.Parse(src, "t.cql")
			tables := script.Tables
			if err != nil || len(tables) != 2 {
				t.Fatalf("%v\n%s", err, src)
			}
			found, err := schema.Review(script, "t.cql", schema.Options{Rows: 1000})
			if err != nil || schema.Warns(found) {
				t.Errorf("%v %v\n%s", found, err, src)
			}
			keys := 2
			if shards > 1 {
				keys = 3
			}
			if p := tables[0]; p.Name != "Posts by user" || len(p.Key) != keys || p.Key[0].Name != "select" || !p.Clustering[0].Descending {
				t.Errorf("%+v", p)
			}
			if dir := tables[1]; (len(dir.Key) == 2) != (w.Longest() < 86400e6) {
				t.Errorf("%v: the directory's key is %v", w, dir.Key)
			}
		}
	}
}

const month = `CREATE TABLE posts_by_user_month (
  user_id uuid,
  bucket text, -- the month of the row's time in UTC: '2026-03'
  shard int, -- hash(row_id) modulo 2
  row_id timeuuid, -- the row's time, and distinct where times are equal
  body text,
  PRIMARY KEY ((user_id, bucket, shard), row_id)
) WITH CLUSTERING ORDER BY (row_id DESC);

-- The buckets that have rows, so that a read meets no empty one.
CREATE TABLE posts_by_user_month_buckets (
  user_id uuid,
  bucket text,
  PRIMARY KEY ((user_id), bucket)
) WITH CLUSTERING ORDER BY (bucket DESC);

-- To write a row:
--   bucket = the month of the row's time in UTC: '2026-03'
--   INSERT INTO posts_by_user_month (user_id, bucket, shard, row_id, body) VALUES (?, ?, ?, ?, ?);
--   INSERT INTO posts_by_user_month_buckets (user_id, bucket) VALUES (?, ?);  once a bucket is enough
--
-- To read the latest 20 rows:
--   rows = []
--   for bucket in (SELECT bucket FROM posts_by_user_month_buckets WHERE user_id = ?):  newest first
--     for shard in 0 .. 1, at the same time:
--       SELECT * FROM posts_by_user_month WHERE user_id = ? AND bucket = ? AND shard = ? LIMIT 20
--     rows += the shards' rows merged by row_id, newest first
--     if there are 20 rows: keep the first 20 and stop
`

func TestMonth(t *testing.T) {
	got, err := Design{Table: "posts_by_user_month", Entity: "user_id", Type: "uuid", Width: bucket.Month, Shards: 2}.Statements()
	if err != nil || got != month {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestRows(t *testing.T) {
	got, err := Design{Rows: 50_000}.Statements()
	if err != nil || !strings.Contains(got, "bucket bigint, -- a number from 0: a new one after 50,000 rows") {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestBadDesigns(t *testing.T) {
	for name, d := range map[string]Design{
		"no bucket":       {},
		"forever":         {Width: bucket.Forever},
		"both":            {Width: bucket.Day, Rows: 5},
		"a line in it":    {Width: bucket.Day, Table: "x\nDROP TABLE y"},
		"no type":         {Width: bucket.Day, Type: "text); DROP"},
		"a comment":       {Width: bucket.Day, Type: "text --"},
		"a key column":    {Width: bucket.Day, Payload: []Column{{"bucket", "int"}}},
		"the same twice":  {Width: bucket.Day, Payload: []Column{{"a", "int"}, {"a", "int"}}},
		"two columns":     {Width: bucket.Day, Payload: []Column{{"a", "int, b int"}}},
		"a third table":   {Width: bucket.Day, Type: "text PRIMARY KEY); CREATE TABLE x (a int"},
		"a static column": {Width: bucket.Day, Type: "text static"},
	} {
		if got, err := d.Statements(); err == nil {
			t.Errorf("%s: want an error, got\n%s", name, got)
		}
	}
}

func FuzzDesign(f *testing.F) {
	f.Add("posts", "user", "uuid", "body", "text", int64(3600e6), int64(2))
	f.Fuzz(func(t *testing.T, table, entity, typ, column, columnType string, length, shards int64) {
		if length <= 0 {
			return
		}
		d := Design{Table: table, Entity: entity, Type: typ, Payload: []Column{{column, columnType}}, Width: bucket.Fixed(length), Shards: shards}
		if src, err := d.Statements(); err == nil {
			if script, err := schema.Parse(src, "t.cql"); err != nil || len(script.Tables) != 2 {
				t.Errorf("%d tables, %v:\n%s", len(script.Tables), err, src)
			}
		}
	})
}
