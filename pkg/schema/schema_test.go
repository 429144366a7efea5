package schema

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/sizing"
)

func parse(t testing.TB, src string) Script {
	t.Helper()
	script, err := Parse(src, "t.cql")
	if err != nil {
		t.Fatal(err)
	}
	return script
}

func review(t testing.TB, src string, o Options) []Finding {
	t.Helper()
	found, err := Review(parse(t, src), "t.cql", o)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func rules(found []Finding) (all []Rule) {
	for _, f := range found {
		all = append(all, f.Rule)
	}
	return all
}

func names(columns []Column) string {
	var all []string
	for _, c := range columns {
		s := c.Name + " " + c.Type.String()
		if c.Static {
			s += " static"
		}
		if c.Descending {
			s += " desc"
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

func TestParse(t *testing.T) {
	src := "\ufeff-- a file\r\nCREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy; --'};\r\nUSE k;\r\n" + `
/* CREATE TABLE no (a int PRIMARY KEY); */
create table if not exists K."Posts ""by"" user" ( // names keep their case in quotes
  User_ID uuid,
  "Post" timeuuid,
  tags map<text, frozen<list<int>>>,
  vec vector<float, 3>,
  kind k.post_kind STATIC,
  odd 'org.example.Type',
  secret text MASKED WITH mask_inner(1, null),
  PRIMARY KEY ((user_id), "Post", vec)
) WITH CLUSTERING ORDER BY ("Post" DESC, vec ASC)
  AND comment = 'it''s; AND' AND compaction = {'class': 'X', 'a': [1, 2]} AND COMPACT STORAGE AND ID = 5a1c395e-b41f-11e5-9f22-ba0be0483c18;
CREATE COLUMNFAMILY one (id int PRIMARY KEY, v blob);
CREATE FUNCTION f() RETURNS int LANGUAGE java AS $$ return "';--" $$;
CREATE TABLE two (a int, b int, PRIMARY KEY (a, b))`
	tables := parse(t, src).Tables
	if len(tables) != 3 {
		t.Fatalf("%d tables, want 3", len(tables))
	}
	p := tables[0]
	for got, want := range map[string]string{
		p.Keyspace + "." + p.Name:       `k.Posts "by" user`,
		names(p.Key):                    "user_id uuid",
		names(p.Clustering):             "Post timeuuid desc, vec vector<float, 3>",
		names(p.Static()):               "kind k.post_kind static",
		names(p.Regular()):              "tags map<text, frozen<list<int>>>, odd 'org.example.Type', secret text",
		fmt.Sprint(p.Pos):               "{6 28}",
		fmt.Sprint(p.Clustering[0].Pos): "{14 27}",
		names(tables[1].Key):            "id int",
		names(tables[1].Regular()):      "v blob",
		names(tables[2].Key):            "a int",
		names(tables[2].Clustering):     "b int",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for src, want := range map[string]string{
		"CREATE TABLE":           "t.cql:1:13: want the name of a table, found the end of the file",
		"CREATE TABLE t (a int)": "t.cql:1:14: table t has no primary key",
		"CREATE TABLE t (\n  a int,\n  PRIMARY KEY (b))":                                      "t.cql:3:16: the primary key of table t names b, which is not one of its columns: correct the name or define the column; it has a",
		"CREATE TABLE t (a int, a text, PRIMARY KEY (a))":                                     "t.cql:1:24: table t has a second column a",
		"CREATE TABLE t (a int PRIMARY KEY, b int PRIMARY KEY)":                               "t.cql:1:36: table t has a second primary key",
		"CREATE TABLE t (a int, PRIMARY KEY (a, a))":                                          "t.cql:1:40: the primary key of table t names a twice",
		"CREATE TABLE t (a int, s int static, PRIMARY KEY (a, s))":                            "t.cql:1:54: column s of table t is static and in the primary key",
		"CREATE TABLE t (a int PRIMARY KEY":                                                   `want ) around the columns of table t, found the end of the file`,
		"CREATE TABLE t (a int PRIMARY KEY) WITH":                                             "want an option, found the end of the file",
		"CREATE TABLE t (a int PRIMARY KEY) WITH x = ;":                                       "t.cql:1:45: want a value",
		"CREATE TABLE t (a int PRIMARY KEY) WITH x = {1":                                      "no end to it",
		"CREATE TABLE t (a int PRIMARY KEY) x":                                                `t.cql:1:36: want ; after table t, found "x"`,
		"CREATE TABLE t (é int PRIMARY KEY)":                                                  `t.cql:1:17: want a column or PRIMARY KEY, found "é"`,
		"-- ü\n  CREATE TABLE t (a 'x":                                                        "t.cql:2:21: ' opens here and nothing closes it",
		"/* ":                                                                                 "t.cql:1:1: /* opens a comment here and nothing closes it: add */",
		"CREATE TABLE t (a int, b int, PRIMARY KEY (a, b)) WITH CLUSTERING ORDER BY (a DESC)": "t.cql:1:77: the clustering order of table t names a out of turn",
		"CREATE TABLE t (a " + strings.Repeat("set<", 100) + "int":                            "types nest deeper than 32",
	} {
		if _, err := Parse(src, "t.cql"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", src, err, want)
		}
	}
	if _, err := Read(strings.NewReader(strings.Repeat(" ", MaxBytes+1)), "t.cql"); err == nil {
		t.Error("a file without end must be an error")
	}
}

// W18: an article on time series; one row a second for 365 days. Each fault has one fix, and they agree.
func TestW18(t *testing.T) {
	year := Options{Rate: sizing.Rate{Rows: 1, Per: 1e6}, Over: 365 * 86400e6, Width: bucket.Hour}
	cassandra, err := sizing.Limits("cassandra")
	if err != nil {
		t.Fatal(err)
	}
	year.Limits = cassandra[1:2]
	says(t, review(t, "CREATE TABLE readings (device_id text, time_bucket timestamp, timestamp timestamp, value double,\n PRIMARY KEY (device_id, time_bucket, timestamp));", year),
		"t.cql:2:26: warning: time_bucket stands in the clustering key of table readings, where it sorts rows and bounds nothing: the partition key is (device_id) alone, and each partition grows without end: 1 partition of 31,536,000 rows [bucket-in-clustering-key]\n"+
			"\tmove it into the partition key: PRIMARY KEY ((device_id, time_bucket), timestamp); it needs a new table",
		"t.cql:2:39: warning: table readings sorts timestamp ascending: LIMIT 1 returns the oldest row, not the latest [oldest-first]\n"+
			"\tsay WITH CLUSTERING ORDER BY (timestamp DESC), or write ORDER BY timestamp DESC in every such query",
		"t.cql:1:14: warning: table readings: 31,536,000 rows are 31,536,000 values and 1,009,152,100 bytes by the Cassandra formulas, assuming device_id text of 100 bytes: 315.36 times cassandra rows-advice (under 100,000 rows) [size]\n"+
			"\tmend the partition key first, as said above")
	says(t, review(t, "CREATE TABLE readings (device_id text, time_bucket timestamp, timestamp timestamp, value double, PRIMARY KEY ((device_id, time_bucket), timestamp)) WITH CLUSTERING ORDER BY (timestamp DESC);", year),
		"t.cql:1:14: note: table readings: 8,760 partitions; in each, 3,600 rows are 3,600 values and 86,508 bytes by the Cassandra formulas, assuming device_id text of 100 bytes [size]")
}

// W20: a documentation page's "latest event" query.
func TestW20(t *testing.T) {
	for when, want := range map[string]bool{"": true, " WITH CLUSTERING ORDER BY (when ASC)": true, " WITH CLUSTERING ORDER BY (when DESC, what ASC)": false} {
		oldest := false
		for _, f := range review(t, "CREATE TABLE events (name text, when timestamp, what text, PRIMARY KEY (name, when, what))"+when, Options{}) {
			oldest = oldest || f.Rule == OldestFirst && f.Warn
		}
		if oldest != want {
			t.Errorf("order %q: warns %v, want %v", when, oldest, want)
		}
	}
}

// The lesson's two tables: the first grows for ever, the second does not.
func TestLesson(t *testing.T) {
	got := rules(review(t, "CREATE TABLE posts_by_user (user_id uuid, post_id timeuuid, body text, PRIMARY KEY ((user_id), post_id)) WITH CLUSTERING ORDER BY (post_id DESC);", Options{}))
	if !reflect.DeepEqual(got, []Rule{Unbounded}) {
		t.Error(got)
	}
	got = rules(review(t, "CREATE TABLE posts_by_user_month (user_id uuid, year_month text, post_id timeuuid, body text, PRIMARY KEY ((user_id, year_month), post_id)) WITH CLUSTERING ORDER BY (post_id DESC);", Options{}))
	if got != nil {
		t.Error(got)
	}
}

func TestRules(t *testing.T) {
	for src, want := range map[string][]Rule{
		"(id int PRIMARY KEY, v text)": nil,
		"(id text, partition_nr bigint, sequence_nr bigint, PRIMARY KEY ((id, partition_nr), sequence_nr))":       nil,
		"(id text, shard int, seq bigint, PRIMARY KEY ((id, shard), seq))":                                        {Unbounded}, // shards grow for ever
		"(hotel int, date date, room int, PRIMARY KEY (hotel, date, room))":                                       {Misplaced},
		"(id text, yearMonth text, PRIMARY KEY (id, yearMonth)) WITH CLUSTERING ORDER BY (yearmonth DESC)":        {Directory},
		"(id text, created_at bigint, PRIMARY KEY (id, created_at)) WITH CLUSTERING ORDER BY (created_at DESC)":   {Unbounded},
		"(day date, at timestamp, id uuid, PRIMARY KEY (day, at, id)) WITH CLUSTERING ORDER BY (at DESC, id ASC)": {Together},
	} {
		if got := rules(review(t, "CREATE TABLE t "+src, Options{})); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}

// W11 and W12 through a schema: column sizes given where the type does not say them.
func TestSizes(t *testing.T) {
	cassandra, err := sizing.Limits("cassandra")
	if err != nil {
		t.Fatal(err)
	}
	hotel := "CREATE TABLE available (hotel_id text, date date, room_number smallint, is_available boolean, PRIMARY KEY ((hotel_id), date, room_number))"
	o := Options{Rows: 73_000, Limits: cassandra, Assume: Assume{Sizes: map[string]int64{"hotel_id": 5}}}
	found := review(t, hotel, o)
	if f := found[len(found)-1]; f.Warn || !strings.Contains(f.Text, "73,000 values and 1,095,005 bytes") || strings.Contains(f.Text, "assuming") {
		t.Errorf("%v", f)
	}
	o.Rows = 150_000
	found = review(t, hotel, o)
	if f := found[len(found)-1]; !f.Warn || !strings.Contains(f.Text, "1.50 times cassandra rows-advice (under 100,000 rows)") {
		t.Errorf("%v", f)
	}
	o = Options{Rows: 10_000, Assume: Assume{Sizes: map[string]int64{"s": 250, "c": 150}}}
	found = review(t, "CREATE TABLE calc (k int, s blob static, c blob, v1 tinyint, v2 bigint, PRIMARY KEY ((k), c))", o)
	if f := found[len(found)-1]; !strings.Contains(f.Text, "20,001 values and 1,750,262 bytes") {
		t.Errorf("%v", f)
	}
	found = review(t, "CREATE TABLE calc (k int, c text, v vector<float, 3>, l list<int>, PRIMARY KEY ((k), c))", Options{Rows: 2})
	// 4 + 2 (12 + 40 + 100) + 8·4 bytes
	if f := found[len(found)-1]; !strings.Contains(f.Text, "4 values and 340 bytes") || !strings.Contains(f.Text, "assuming c text of 100 bytes, l list<int> of 40 bytes") {
		t.Errorf("%v", f)
	}
	if _, err := Review(parse(t, hotel), "t.cql", Options{Rows: 1 << 62}); err == nil || !strings.Contains(err.Error(), "t.cql:1:14: table available") {
		t.Errorf("%v", err)
	}
}

func TestQuote(t *testing.T) {
	for name, want := range map[string]string{"a_1": "a_1", "select": `"select"`, "A": `"A"`, `x"y`: `"x""y"`, "1a": `"1a"`, "": `""`, "é": `"é"`} {
		if got := Quote(name); got != want {
			t.Errorf("Quote(%q) = %s, want %s", name, got, want)
		}
	}
}

func FuzzSchema(f *testing.F) {
	f.Add("CREATE TABLE k.t (a int, b map<text, frozen<list<int>>>, s int static, c timestamp, PRIMARY KEY ((a), c)) WITH CLUSTERING ORDER BY (c DESC) AND comment = 'x';", int64(5))
	f.Add("/* x */ -- y\n CREATE COLUMNFAMILY \"T\" (\"a\"\"\" vector<float, 3> PRIMARY KEY); $$ $$", int64(1<<62))
	f.Fuzz(func(t *testing.T, src string, rows int64) {
		script, err := Parse(src, "t.cql")
		tables := script.Tables
		if err != nil && !strings.HasPrefix(err.Error(), "t.cql:") {
			t.Errorf("error without a place: %v", err)
		}
		for _, table := range tables {
			if len(table.Key) == 0 || table.Line < 1 || table.Pos.Column < 1 || table.Line > strings.Count(src, "\n")+1 {
				t.Errorf("%+v", table)
			}
			// What was read can be written and read again.
			again := "CREATE TABLE " + Quote(table.Name) + " ("
			for _, c := range table.Columns {
				again += Quote(c.Name) + " int, "
			}
			r := reviewer{}
			again += "PRIMARY KEY (" + r.tuple(table.Key)
			if table.Clustering != nil {
				again += ", " + r.list(table.Clustering)
			}
			back, err := Parse(again+"))", "again")
			if err != nil || back.Tables[0].Name != table.Name || len(back.Tables[0].Clustering) != len(table.Clustering) {
				t.Errorf("%s: %v", again, err)
			}
		}
		found, _ := Review(script, "t.cql", Options{Rows: rows})
		for _, f := range found {
			_ = f.String()
		}
	})
}
