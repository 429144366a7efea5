package store

import (
	"strings"
	"testing"

	"pagetouch/data"
	"pagetouch/pkg/bucket"
	"pagetouch/pkg/cql"
	"pagetouch/pkg/schema"
	"pagetouch/pkg/sizing"
)

// Each store with limits has a line, in any case; an unknown one is told which are known.
func TestNamed(t *testing.T) {
	known, err := sizing.Stores()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range known {
		s, err := Named(" " + strings.ToUpper(id) + " ")
		if err != nil || s.ID != id || s.Name == id {
			t.Errorf("%s: %+v, %v", id, s, err)
		}
		cqlKin := id == "cassandra" || id == "scylladb" || id == "netflix"
		for _, shards := range []int64{0, 1, 4} {
			text, err := s.Design(cql.Design{Width: bucket.Month, Shards: shards})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text, "CREATE TABLE") != cqlKin || strings.Contains(text, "shard") != (shards > 1) || strings.Contains(s.Short(shards), "shard") != (shards > 1) {
				t.Errorf("%s, %d shards:\n%s", id, shards, text)
			}
			if cqlKin { // the key in one line is the one of the statements
				script, err := schema.Parse("CREATE TABLE t (entity text, bucket text, shard int, row_id timeuuid, "+strings.Replace(s.Short(shards), ") WITH", ")) WITH", 1), "t.cql")
				if err != nil || len(script.Tables[0].Clustering) != 1 || !strings.Contains(text, strings.Split(s.Short(shards), " WITH")[0]) {
					t.Errorf("%s: %v", s.Short(shards), err)
				}
			}
		}
	}
	want := `no limits of a store "spanner": want one of cassandra, scylladb, bigtable, hbase, dynamodb, cosmosdb, netflix, or add its lines to data/limits/limits.csv`
	if _, err := Named("spanner"); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}

func TestKeys(t *testing.T) {
	for id, want := range map[string]string{
		"dynamodb":  "partition key entity#bucket, sort key time, read newest first with ScanIndexForward = false",
		"bigtable":  "row key entity#bucket#reversed-time, an event a row; where a whole bucket is one row, entity#bucket with reversed-time as the column, and the limits of a row are the bucket's",
		"cassandra": "PRIMARY KEY ((entity, bucket), row_id) WITH CLUSTERING ORDER BY (row_id DESC)",
	} {
		if s, err := Named(id); err != nil || s.Short(1) != want {
			t.Errorf("%s: %q, %v", id, s.Short(1), err)
		}
	}
	all, err := Read(strings.NewReader(data.Keys()), file)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all[:len(all)-1] { // no line of a store that is not known
		if named, err := Named(s.ID); err != nil || named != s {
			t.Errorf("%+v: %v", s, err)
		}
	}
	// A store that has limits and no line.
	if s := find(all, "spanner"); s.Name != "spanner" || s.Key != "partition key (entity, bucket), order by time desc" || s.Sharded != "partition key (entity, bucket, shard), order by time desc" {
		t.Errorf("%+v", s)
	}
}

func TestWords(t *testing.T) {
	s := Store{Name: "DynamoDB", Language: "words", Key: "partition key entity#bucket", Sharded: "partition key entity#bucket#shard"}
	for d, want := range map[*cql.Design]string{
		{Width: bucket.Fixed(20 * 60e6), Latest: 1}: `DynamoDB: partition key entity#bucket
  bucket = the 20 minutes, counted from 1970-01-01, of the row's time in UTC: '2026-03-15T12:00'

Beside it, the buckets that have rows, so that a read meets no empty one: by entity, newest first.

To read the latest row:
  rows = []
  for bucket in the entity's buckets, newest first:
    rows += the newest row of (entity, bucket)
    once there is one: stop
`,
		{Width: bucket.Month, Shards: 4, Latest: 1000}: `DynamoDB: partition key entity#bucket#shard
  bucket = the month of the row's time in UTC: '2026-03'
  shard = hash(row) modulo 4

Beside it, the buckets that have rows, so that a read meets no empty one: by entity, newest first.

To read the latest 1,000 rows:
  rows = []
  for bucket in the entity's buckets, newest first:
    for shard in 0 .. 3, at the same time:
      read the newest 1,000 rows of (entity, bucket, shard)
    rows += the shards' rows merged by time, newest first
    once there are so many: keep the first 1,000 and stop
`,
	} {
		if got, err := s.Design(*d); err != nil || got != want {
			t.Errorf("%v\n%s\nwant\n%s", err, got, want)
		}
	}
	if _, err := s.Design(cql.Design{Width: bucket.Forever}); err == nil {
		t.Error("a width that bounds nothing must be an error")
	}
}

func TestReadErrors(t *testing.T) {
	last := "*,any,words,k,s\n"
	for in, want := range map[string]string{
		"":                                   "k.csv: reading the head line store,name,language,key,sharded",
		"a,b,c,d,e\n":                        `k.csv: head line is "a,b,c,d,e"`,
		columns + "\na,b\n":                  "k.csv: record on line 2",
		columns + "\na,A,sql,k,s\n" + last:   `k.csv:2: language "sql" of store a is neither cql nor words`,
		columns + "\na,A,words,,s\n" + last:  "k.csv:2: store a has an empty column",
		columns + "\n" + last + last:         "k.csv:3: store * has a line already",
		columns + "\na,A,words,k,s\n":        "k.csv: its last line is not that of store *",
		columns + "\n# nothing but a word\n": "k.csv: its last line is not that of store *",
	} {
		if _, err := Read(strings.NewReader(in), "k.csv"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
}
