package main

import (
	"path/filepath"
	"strings"
	"testing"
)

const (
	twoClean = `CREATE TABLE posts_by_user_month (user_id uuid, year_month text, post_id timeuuid, body text, PRIMARY KEY ((user_id, year_month), post_id)) WITH CLUSTERING ORDER BY (post_id DESC);
CREATE TABLE users (id uuid PRIMARY KEY, name text, year_of_birth int);`
	view    = `CREATE MATERIALIZED VIEW posts_by_month AS SELECT * FROM posts_by_user_month WHERE post_id IS NOT NULL PRIMARY KEY (year_month, post_id, user_id) WITH CLUSTERING ORDER BY (post_id DESC);`
	growing = `CREATE TABLE tags (post uuid, tag text, PRIMARY KEY (post, tag));`
)

// What the command prints and how it exits: 0, 1 where it warns, 2 where it was given what makes no sense.
func TestSchemaCommand(t *testing.T) {
	for _, c := range []struct {
		name, text string
		args       []string
		out, said  string // FILE stands for the file's path
		code       int
	}{
		{"clean", twoClean, nil, "2 tables, 0 warnings\n", "", 0},
		{"clean as JSON", twoClean, []string{"-json"}, "{\n  \"tables\": 2,\n  \"views\": 0,\n  \"warnings\": 0,\n  \"findings\": []\n}\n", "", 0},
		{"a view", twoClean + view, nil, "FILE:2:188: note: the partition key of view posts_by_month is time alone, (year_month): all rows of one time are written to one partition, which one set of replicas holds [all-writes-in-one-partition]\n2 tables, 1 view, 0 warnings\n", "", 0},
		{"a warning", growing, nil, "FILE:1:54: warning: the partition key of table tags is (post) alone and no column is a time: each partition has as many rows as there are values of tag, and nothing here bounds them [unbounded-partition]\n" +
			"\tname what bounds it in its comment (WITH comment = 'bounded by ...'), or add a part to the partition key, for example PRIMARY KEY ((post, part), tag), where it is a count of full parts or a hash of tag; it needs a new table\n1 table, 1 warning\n", "", 1},
		{"migrations", "ALTER TABLE users ADD x int;\nCREATE INDEX ON users (name);\nINSERT INTO users (id) VALUES (now());", nil, "FILE:1:1: note: no CREATE TABLE in FILE: nothing to review [nothing-to-review]\n0 tables, 0 warnings\n", "", 0},
		{"migrations, a size", "ALTER TABLE users ADD x int;", []string{"-sizes", "x=5"}, "FILE:1:1: note: no CREATE TABLE in FILE: nothing to review [nothing-to-review]\n0 tables, 0 warnings\n", "", 0},
		{"empty", "", nil, "", "report: FILE:1:1: no statement in it: want CREATE TABLE statements\n", 2},
		{"no CQL", "hello\nworld\n", nil, "", "report: FILE:1:1: \"hello\" begins no CQL statement: want CREATE TABLE statements\n", 2},
		{"unknown column in the key", "CREATE TABLE t (\n  a int,\n  PRIMARY KEY (b));", nil, "", "report: FILE:3:16: the primary key of table t names b, which is not one of its columns: correct the name or define the column; it has a\n", 2},
		{"unknown column in a flag", twoClean, []string{"-rows", "5", "-sizes", "bdy=180"}, "", "report: -sizes bdy=180: no table of FILE has a column bdy; want one of body, id, name, post_id, user_id, year_month, year_of_birth\n", 2},
		{"a column in capitals", twoClean, []string{"-rows", "1", "-sizes", "Body=5,year_month=7,\"name\"=9"},
			"FILE:1:14: note: table posts_by_user_month: 1 row is 1 value and 52 bytes by the Cassandra formulas [size]\nFILE:2:14: note: table users: 1 row is 2 values and 45 bytes by the Cassandra formulas [size]\n2 tables, 0 warnings\n", "", 0},
		{"a size that is none", twoClean, []string{"-sizes", "body"}, "", "report: invalid value \"body\" for flag -sizes: \"body\": want a column and its bytes, for example body=180; see go run ./report schema -h\n", 2},
		{"more rows than any", twoClean, []string{"-rows", "1073741824", "-sizes", "body=9223372036854775807"}, "", "report: FILE:1:14: table posts_by_user_month: bytes of a partition of 1073741824 rows: want column sizes not below 0 and a result below 2^63\n", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := file(t, "t.cql", c.text)
			out, said, code := execute(t, append([]string{"schema", path}, c.args...)...)
			out, said = strings.ReplaceAll(out, path, "FILE"), strings.ReplaceAll(said, path, "FILE")
			if out != c.out || said != c.said || code != c.code {
				t.Errorf("exit %d, prints\n%s%s\nwant %d\n%s%s", code, out, said, c.code, c.out, c.said)
			}
		})
	}
	// Several files are counted together, and one that cannot be read ends the review before anything is printed.
	a, b := file(t, "a.cql", twoClean), file(t, "b.cql", growing)
	if out, said, code := execute(t, "schema", a, b); code != 1 || said != "" || !strings.HasSuffix(out, "\n3 tables, 1 warning\n") {
		t.Errorf("exit %d: %q %q", code, out, said)
	}
	if out, said, code := execute(t, "schema", b, filepath.Join(t.TempDir(), "none.cql")); code != 2 || out != "" || !strings.Contains(said, "none.cql: no such file") {
		t.Errorf("exit %d: %q %q", code, out, said)
	}
}
