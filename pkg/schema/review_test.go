package schema

import (
	"fmt"
	"strings"
	"testing"

	"pagetouch/pkg/sizing"
)

// says compares findings as they are printed.
func says(t *testing.T, found []Finding, want ...string) {
	t.Helper()
	var got []string
	for _, f := range found {
		got = append(got, f.String())
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("says\n%s\nwant\n%s", a, b)
	}
}

// A table whose partition key is its whole primary key has one row a partition, whatever it is called.
func TestOneRowAPartition(t *testing.T) {
	for _, src := range []string{
		"CREATE TABLE users (id uuid PRIMARY KEY, name text, year_of_birth int)",
		"CREATE TABLE user_by_email (email text, id uuid, PRIMARY KEY (email))",
		"CREATE TABLE pairs (a int, b int, PRIMARY KEY ((a, b)))",
	} {
		says(t, review(t, src, Options{}))
	}
	says(t, review(t, "CREATE TABLE users (id uuid PRIMARY KEY, n int)", Options{Rate: sizing.Rate{Rows: 1, Per: 1e6}, Over: 86400e6}),
		"t.cql:1:14: note: table users: 1 row is 1 value and 28 bytes by the Cassandra formulas [size]")
}

const nameIt = "\tname what bounds it in its comment (WITH comment = 'bounded by ...'), or add a part to the partition key, for example PRIMARY KEY (%s), where it is a count of full parts or a hash of %s; it needs a new table"

// Rows that no time orders are not told to take a slice of time.
func TestWithoutTime(t *testing.T) {
	says(t, review(t, "CREATE TABLE tags (post uuid, tag text, PRIMARY KEY (post, tag))", Options{}),
		"t.cql:1:54: warning: the partition key of table tags is (post) alone and no column is a time: each partition has as many rows as there are values of tag, and nothing here bounds them [unbounded-partition]\n"+
			fmt.Sprintf(nameIt, "(post, part), tag", "tag"))
	says(t, review(t, "CREATE TABLE tags (post uuid, tag text, part text, PRIMARY KEY (post, tag)) WITH comment = 'Bounded by the form: 5 tags'", Options{}),
		"t.cql:1:65: note: the partition key of table tags holds no slice of time: its comment names what bounds it [unbounded-partition]")
	says(t, review(t, "CREATE TABLE people (year_of_birth int, id uuid, PRIMARY KEY (year_of_birth, id))", Options{}),
		"t.cql:1:63: warning: the partition key of table people is (year_of_birth) alone and no column is a time: if year_of_birth is not a time slice, each partition has as many rows as there are values of id, and nothing here bounds them [unbounded-partition]\n"+
			fmt.Sprintf(nameIt, "(year_of_birth, part), id", "id"))
	says(t, review(t, "CREATE TABLE films (release_year int, id uuid, PRIMARY KEY (release_year, id))", Options{}),
		"t.cql:1:61: note: if release_year is not a time slice, each partition of table films grows without end [unbounded-partition]")
	says(t, review(t, "CREATE TABLE stays (hotel text, room int, birthday date, PRIMARY KEY (hotel, room, birthday))", Options{}),
		"t.cql:1:71: warning: the partition key of table stays is (hotel) alone and no column is a time: each partition has as many rows as there are values of room, birthday, and nothing here bounds them [unbounded-partition]\n"+
			fmt.Sprintf(nameIt, "(hotel, part), room, birthday", "room, birthday"))
}

// Notes on keys that bound a partition and cost something else, or bound it in another way than a slice of time.
func TestNotes(t *testing.T) {
	for src, want := range map[string]string{
		"a int, month int, at timestamp, PRIMARY KEY ((a, month), at)":                 "note: if month is not a number that goes on over the years, each partition of table t grows without end [unbounded-partition]",
		"a int, year int, month int, at timestamp, PRIMARY KEY ((a, year, month), at)": "",
		"a int, month text, at timestamp, PRIMARY KEY ((a, month), at)":                "",
		"bucket text, object_key text, PRIMARY KEY (bucket, object_key)":               "note: if bucket is not a time slice, each partition of table t grows without end [unbounded-partition]",
		"bucket text, at timestamp, a int, PRIMARY KEY ((a, bucket), at)":              "",
		"day date, at timestamp, a int, PRIMARY KEY (day, at, a)":                      "note: the partition key of table t is time alone, (day): all rows of one time are written to one partition, which one set of replicas holds [all-writes-in-one-partition]",
		"day date, a int, PRIMARY KEY (day, a)":                                        "",
		"a int, at timestamp, PRIMARY KEY ((a, at))":                                   "note: at in the partition key of table t makes a partition of every moment: a read has to know it, and neither the latest rows nor those of a range can be asked for [a-partition-a-moment]",
	} {
		found := review(t, "CREATE TABLE t ("+src+")", Options{})
		var notes []string
		for _, f := range found {
			if f.Rule != OldestFirst {
				notes = append(notes, f.String()[strings.Index(f.String(), " ")+1:])
			}
		}
		if got := strings.Join(notes, "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", src, got, want)
		}
	}
	// Rows that expire bound a partition; at a rate it is known how far.
	log := "CREATE TABLE log (a int, at timestamp, PRIMARY KEY (a, at)) WITH CLUSTERING ORDER BY (at DESC) AND default_time_to_live = %s"
	says(t, review(t, fmt.Sprintf(log, "86400"), Options{Rate: sizing.Rate{Rows: 1, Per: 1e6}, Over: 365 * 86400e6}),
		"t.cql:1:53: note: the partition key of table log is (a) alone, and its rows expire after 86,400 seconds: a partition holds what is written in that time, and the tombstones of what was [bounded-by-expiry]",
		"t.cql:1:14: note: table log: 86,400 rows are 0 values and 691,204 bytes by the Cassandra formulas [size]")
	if found := review(t, fmt.Sprintf(log, "0"), Options{}); !Warns(found) {
		t.Errorf("%v", found)
	}
	if found := review(t, fmt.Sprintf(log, "0 AND comment = 'not bounded by anything'"), Options{}); !Warns(found) {
		t.Errorf("%v", found)
	}
	if found := review(t, `CREATE TABLE "Odd Table" (a int, at timestamp, PRIMARY KEY (a, at))`, Options{}); !strings.Contains(found[0].Text, `table "Odd Table" is`) {
		t.Errorf("%v", found)
	}
}

// A fix names no column that the table has already, and an order that CQL takes.
func TestFixes(t *testing.T) {
	says(t, review(t, "CREATE TABLE log (bucket uuid, kind text, at bigint, PRIMARY KEY (bucket, kind, at))", Options{}),
		"t.cql:1:67: warning: the partition key of table log is (bucket) alone: each partition grows without end [unbounded-partition]\n"+
			"\tadd a slice of time to the partition key, for example PRIMARY KEY ((bucket, time_bucket), kind, at); it needs a new table",
		"t.cql:1:81: warning: table log sorts at ascending: if at is a time, LIMIT 1 returns the oldest row of its first kind, not the latest [oldest-first]\n"+
			"\tsay WITH CLUSTERING ORDER BY (kind ASC, at DESC)")
	says(t, review(t, "CREATE TABLE jobs (day date, due timestamp, id uuid, PRIMARY KEY (day, due, id))", Options{})) // the next one due comes first
	fixed := 0
	for _, src := range []string{
		"a int, month text, at timestamp, PRIMARY KEY (a, month, at)",
		"a int, month text, b int, at timestamp, PRIMARY KEY (a, b, month, at)",
		"a int, at timestamp, PRIMARY KEY (a, at)",
		"a int, b int, at timestamp, PRIMARY KEY (a, b, at)",
		"a int, b int, PRIMARY KEY (a, b)",
		`a int, "Month" text, "select" timestamp, PRIMARY KEY (a, "Month", "select")`,
	} {
		key, order := "", ""
		for _, f := range review(t, "CREATE TABLE t ("+src+")", Options{}) {
			if _, k, ok := strings.Cut(f.Do, "PRIMARY KEY ("); ok {
				key = k[:strings.LastIndex(k, ")")]
			}
			if _, o, ok := strings.Cut(f.Do, "CLUSTERING ORDER BY ("); ok {
				o, _, _ = strings.Cut(o, ")")
				order = " WITH CLUSTERING ORDER BY (" + o + ")"
			}
		}
		columns := src[:strings.Index(src, "PRIMARY")]
		for _, c := range []string{"bucket", "part"} {
			if strings.Contains(key, c) {
				columns += c + " int, "
			}
		}
		key, _, _ = strings.Cut(key+";", ";")
		key, _, _ = strings.Cut(key, "), where")
		key = strings.TrimSuffix(key, ")")
		if got := review(t, "CREATE TABLE t ("+columns+"PRIMARY KEY ("+key+"))"+order, Options{}); Warns(got) || got != nil {
			t.Errorf("%s: mended as its findings say: %v", src, got)
		}
		fixed++
	}
	if fixed != 6 {
		t.Error(fixed)
	}
}

// A view has a primary key as well.
func TestViews(t *testing.T) {
	table := "CREATE TABLE k.posts (user uuid, day date, at timestamp, body text, n int, PRIMARY KEY ((user, day), at)) WITH CLUSTERING ORDER BY (at DESC);\n"
	where := " WHERE user IS NOT NULL AND day IS NOT NULL AND at IS NOT NULL "
	s := parse(t, table+"CREATE MATERIALIZED VIEW IF NOT EXISTS k.by_day AS SELECT * FROM posts"+where+"PRIMARY KEY ((day), at, user) WITH CLUSTERING ORDER BY (at DESC, user ASC) AND comment = 'x'")
	v := s.Tables[1]
	if len(s.Tables) != 2 || s.Views() != 1 || v.Base != "posts" || v.Keyspace != "k" || names(v.Key) != "day date" || names(v.Clustering) != "at timestamp desc, user uuid" || names(v.Regular()) != "body text, n int" {
		t.Errorf("%+v", v)
	}
	says(t, review(t, table+"CREATE MATERIALIZED VIEW by_user AS SELECT user, at, day FROM k.posts"+where+"PRIMARY KEY (user, at, day);", Options{Rows: 1}),
		"t.cql:1:14: note: table posts: 1 row is 2 values and 148 bytes by the Cassandra formulas, assuming body text of 100 bytes [size]",
		"t.cql:2:156: warning: day stands in the clustering key of view by_user, where it sorts rows and bounds nothing: the partition key is (user) alone, and each partition grows without end [bucket-in-clustering-key]\n"+
			"\tmove it into the partition key: PRIMARY KEY ((user, day), at); it needs a new view",
		"t.cql:2:152: warning: view by_user sorts at ascending: LIMIT 1 returns the oldest row, not the latest [oldest-first]\n"+
			"\tsay WITH CLUSTERING ORDER BY (at DESC), or write ORDER BY at DESC in every such query",
		"t.cql:2:26: note: view by_user: 1 row is 0 values and 28 bytes by the Cassandra formulas [size]")
	says(t, review(t, table+"CREATE MATERIALIZED VIEW by_n AS SELECT * FROM posts PRIMARY KEY (n, at, user)", Options{})[:1],
		"t.cql:2:67: warning: the partition key of view by_n is (n) alone: each partition grows without end [unbounded-partition]\n"+
			"\tadd a slice of time to the partition key, for example PRIMARY KEY ((n, bucket), at, user); it needs a new view, and the column in table posts")
	// Of a table in another file only the names are known.
	says(t, review(t, "CREATE MATERIALIZED VIEW v AS SELECT * FROM users WHERE name IS NOT NULL PRIMARY KEY (name, id)", Options{Rows: 5}),
		"t.cql:1:87: warning: the partition key of view v is (name) alone and no column is a time by its name (the file does not hold table users): each partition has as many rows as there are values of id, and nothing here bounds them [unbounded-partition]\n"+
			strings.Replace(fmt.Sprintf(nameIt, "(name, part), id", "id"), "new table", "new view, and the column in table users", 1))
	for src, want := range map[string]string{
		table + "CREATE MATERIALIZED VIEW v AS SELECT * FROM posts PRIMARY KEY (who, at)": "t.cql:2:64: the primary key of view v names who, which is not one of its columns: correct the name or define the column; it has user, day, at, body, n",
		table + "CREATE MATERIALIZED VIEW v AS SELECT nope FROM posts PRIMARY KEY (at)":   "t.cql:2:38: view v selects nope, which is not a column of table posts: correct the name or define the column; it has user, day, at, body, n",
		"CREATE MATERIALIZED VIEW v AS SELECT * FROM posts;":                              `t.cql:1:50: want PRIMARY in view v, found ";"`,
		"CREATE MATERIALIZED v": `t.cql:1:21: want VIEW after MATERIALIZED, found "v"`,
		"CREATE MATERIALIZED VIEW v AS SELECT a FROM posts PRIMARY KEY (a) WITH CLUSTERING ORDER BY (b);": "t.cql:1:93: the clustering order of view v names b out of turn",
	} {
		if _, err := Parse(src, "t.cql"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", src, err, want)
		}
	}
}

// A folder of migrations is full of files that make no table; what is no CQL is an error.
func TestOtherStatements(t *testing.T) {
	for _, src := range []string{
		"ALTER TABLE t ADD x int", "CREATE INDEX ON t (x);", "create custom index i on t (x) using 'y';", "INSERT INTO t (a) VALUES (1);", "DROP TABLE t;", "UPDATE t SET a = 1 WHERE b = 2",
		"BEGIN BATCH INSERT INTO t (a) VALUES (1); DELETE FROM t WHERE a = 2; APPLY BATCH;", "USE k", "GRANT SELECT ON t TO r;", "SELECT a FROM t", "SOURCE 'x.cql'\nCONSISTENCY QUORUM\n", "TRUNCATE t;",
		"CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy'};", "CREATE TYPE a (b int);", "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE java AS $$ ; $$;",
	} {
		says(t, review(t, src, Options{}), "t.cql:1:1: note: no CREATE TABLE in t.cql: nothing to review [nothing-to-review]")
	}
	for src, want := range map[string]string{
		"": "t.cql:1:1: no statement in it: want CREATE TABLE statements", " \n-- nothing\n;;": "t.cql:1:1: no statement in it: want CREATE TABLE statements",
		"\n hello world":                   `t.cql:2:2: "hello" begins no CQL statement: want CREATE TABLE statements`,
		`{"a": 1}`:                         `t.cql:1:1: "{" begins no CQL statement: want CREATE TABLE statements`,
		"Insert coins; select one":         `t.cql:1:1: "Insert" begins no CQL statement: want CREATE TABLE statements`,
		"CREATE PROCEDURE p":               `t.cql:1:1: "CREATE" begins no CQL statement: want CREATE TABLE statements`,
		strings.Repeat("x", 1000):          `t.cql:1:1: "` + strings.Repeat("x", 60) + `..." begins no CQL statement: want CREATE TABLE statements`,
		"\x00\xff\x00":                     `t.cql:1:1: "\x00" begins no CQL statement: want CREATE TABLE statements`,
		"\"CREATE\" TABLE t (a int)":       `t.cql:1:1: "CREATE" begins no CQL statement: want CREATE TABLE statements`,
		"SELECT 1; UPDATE the documents; ": `t.cql:1:1: "SELECT" begins no CQL statement: want CREATE TABLE statements`,
	} {
		if _, err := Parse(src, "t.cql"); err == nil || err.Error() != want {
			t.Errorf("%.40q: %v\nwant %s", src, err, want)
		}
	}
	// A command of cqlsh ends with its line, and a statement that was misspelt does not vanish.
	s := parse(t, "CONSISTENCY QUORUM\nCREATE TABLE a (b int PRIMARY KEY);\nCRATE TABLE c (d int PRIMARY KEY);")
	if len(s.Tables) != 1 || s.Others != 1 {
		t.Errorf("%+v", s)
	}
	found, err := Review(s, "t.cql", Options{})
	if err != nil {
		t.Fatal(err)
	}
	says(t, found, "t.cql:3:1: note: \"CRATE\" begins no CQL statement: passed over [not-read]\n\tcorrect it if it was to make a table")
	// Of many only the first are named.
	found = review(t, strings.Repeat("prose;\n", 1011)+"USE k", Options{})
	says(t, found[9:], "t.cql:10:1: note: \"prose\" begins no CQL statement: passed over [not-read]\n\tcorrect it if it was to make a table",
		"t.cql:10:1: note: 1,001 statements of the kind after it: passed over [not-read]",
		"t.cql:1:1: note: no CREATE TABLE in t.cql: nothing to review [nothing-to-review]")
}
