package trace

import (
	"fmt"
	"strings"
	"testing"
)

func TestChoices(t *testing.T) {
	entity := func(s string) func(*Options) { return func(o *Options) { o.Entity = s } }
	when := func(s string) func(*Options) { return func(o *Options) { o.Time = s } }
	size := func(s string) func(*Options) { return func(o *Options) { o.Bytes = s } }
	for _, c := range []struct {
		name, text string
		change     []func(*Options)
		rows       string // as show writes them
		choices    string // after the first line, joined by "; "
	}{
		{"two columns without names", "a@x,2025-03-01T10:00:00+01:00\nb@x,2025-03-01T11:00:00Z\na@x,2025-03-01T12:00:00Z\n", nil,
			"a@x 2025-03-01T09:00:00Z\nb@x 2025-03-01T11:00:00Z\na@x 2025-03-01T12:00:00Z\n",
			"entity: column 1 (found by looking at the values); time: column 2 (found by looking at the values); bytes: no column, 200 in every row (assumed); times: text"},
		{"usual names in any order", "bytes;created_at;user_id\n5;2025-03-01 13:00;9\n6;2025-03-01 13:01;10\n", nil,
			"9 2025-03-01T13:00:00Z 5\n10 2025-03-01T13:01:00Z 6\n",
			`entity: column 3 "user_id" (found by name); time: column 2 "created_at" (found by name); bytes: column 1 "bytes" (found by name); times: text; zone: 2 times name none and are taken as UTC`},
		{"named, and a number", "id|device|t0|t1|n\n1|a|1700000000|1800000000000|7\n2|b|1700000001|1800000000001|8\n",
			[]func(*Options){entity("Device"), when("4"), size("n")},
			"a 2027-01-15T08:00:00Z 7\nb 2027-01-15T08:00:00.001Z 8\n",
			`entity: column 2 "device" (named by -entity); time: column 4 "t1" (named by -time); bytes: column 5 "n" (named by -bytes); times: milliseconds since 1970 (recognised by magnitude)`},
		{"a usual name whose values are no times is passed over", "time\tkey\tlogged\nlunch\ta\t2025-03-01\nlunch\tb\t2025-03-02\n", nil,
			"a 2025-03-01T00:00:00Z\nb 2025-03-02T00:00:00Z\n",
			`entity: column 2 "key" (found by name); time: column 3 "logged" (found by looking at the values); bytes: no column, 200 in every row (assumed); times: text; zone: 2 times name none and are taken as UTC`},
		{"three columns without names", "7,2025-03-01T00:00:00Z,60\n8,2025-03-01T00:00:01Z,61\n", nil,
			"7 2025-03-01T00:00:00Z 60\n8 2025-03-01T00:00:01Z 61\n",
			"entity: column 1 (found by looking at the values); time: column 2 (found by looking at the values); bytes: column 3 (found by looking at the values); times: text"},
		{"sizes given", "entity,ts,bytes\na,2025-03-01T00:00:00Z,60\n", []func(*Options){func(o *Options) { o.RowBytes = 70 }},
			"a 2025-03-01T00:00:00Z\n",
			`entity: column 1 "entity" (found by name); time: column 2 "ts" (found by name); bytes: no column, 70 in every row (given); times: text`},
		{"objects", "{\"user\": \"x\", \"ts\": 1700000000.25, \"size\": 0, \"tags\": [1, {\"a\": \"}\"}]}\n\n{\"ts\": \"1700000001\", \"user\": 5, \"size\": 3}\r\n", nil,
			"x 2023-11-14T22:13:20.25Z 0\n5 2023-11-14T22:13:21Z 3\n", ""},
		{"a comma in the time", "a;2025-03-01 13:00:00,5;1\nb;2025-03-01 13:00:00,6;1\n", nil,
			"a 2025-03-01T13:00:00.5Z 1\nb 2025-03-01T13:00:00.6Z 1\n", ""},
		{"whole numbers with decimals, spaces", "entity, ts, bytes\na, 2025-03-01 ,7.0\n", nil, "a 2025-03-01T00:00:00Z 7\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr, r, err := parse(t, c.text, c.change...)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(t, tr); got != c.rows {
				t.Errorf("rows\n%swant\n%s", got, c.rows)
			}
			if got := strings.Join(r.Choices()[1:], "; "); c.choices != "" && got != c.choices {
				t.Errorf("choices\n%s\nwant\n%s", got, c.choices)
			}
		})
	}
}

// Numbers of entities depend on the set of names, not on who came first.
func TestEntitiesInOrder(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"10,9,-3,-20,0,-0,007,7,99999999999999999999999", "-20 -3 -0 0 007 7 9 10 99999999999999999999999"},
		{"10,9,x,-3,é,<script>,Z", "-3 10 9 <script> Z x é"},
	} {
		var b strings.Builder
		for name := range strings.SplitSeq(c.text, ",") {
			b.WriteString(name + ",2025-03-01T00:00:00Z\n")
		}
		tr, _, err := parse(t, b.String())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for i := range tr.Entities() {
			names = append(names, tr.Name(i))
			if j, ok := tr.Entity(tr.Name(i)); !ok || i != j {
				t.Errorf("entity %q is %d, want %d", tr.Name(i), j, i)
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("entities %s, want %s", got, c.want)
		}
		if _, ok := tr.Entity("nobody"); ok {
			t.Error("nobody is an entity")
		}
	}
}

func TestUnitsBySample(t *testing.T) {
	for _, c := range []struct {
		text, want string
		unit       Unit
	}{
		{"a,1700000000\nb,1700000001\n", "seconds", Auto},
		{"a,1700000000000\nb,1700000000001\n", "milliseconds", Auto},
		{"a,1700000000000000\nb,1700000000000001\n", "microseconds", Auto},
		{"a,1700000000000000000\nb,1700000000000000001\n", "nanoseconds", Auto},
		{"a,1700000000000\nb,1700000000001\n", "microseconds", Microseconds},
		{"a,20130101\nb,20130102\n", "seconds", Auto},
	} {
		_, r, err := parse(t, c.text, func(o *Options) { o.Time, o.Unit = "2", c.unit })
		if err != nil || r.Unit.String() != c.want {
			t.Errorf("%q: %s (%v), want %s", c.text, r.Unit, err, c.want)
		}
		if want := c.unit != Auto || strings.HasPrefix(c.text, "a,2"); want != (len(r.Warnings) == 1) {
			t.Errorf("%q as %s: warnings %q", c.text, r.Unit, r.Warnings)
		}
	}
}

// A file put together from two, one in seconds and one in milliseconds: whichever the first rows have, the others are
// bad rows that say why, and not times in 1970 or in the year 55,748.
func TestMixedUnits(t *testing.T) {
	rows := func(n int, from, step int64) (s string) {
		for i := range int64(n) {
			s += fmt.Sprintf("a,%d\n", from+i*step)
		}
		return s
	}
	seconds, millis, nanos := rows(12, 1_700_000_000, 60), rows(12, 1_700_000_000_000, 60_000), rows(12, 1_700_000_000_000_000_000, 1e9)
	for _, c := range []struct {
		text string
		unit Unit
		bad  int64
		want string
	}{
		{millis + rows(1, 1_700_000_000, 1), Auto, 1, `events:13: column 2: "1700000000" is in the year 1970: seconds given as milliseconds? If not, name the unit with -unit`},
		{millis + rows(12, 1_700_000_000, 1), Auto, 12, "seconds given as milliseconds?"},
		{rows(60, 1_000_000_000, 86_400_000*30), Auto, 0, ""}, // months since 1970 in milliseconds, the first on 12 January
		{nanos + rows(2, 1_700_000_000, 1), Auto, 2, "seconds given as nanoseconds?"},
		{nanos + rows(1, 1_700_000_000_000, 1), Auto, 1, "milliseconds given as nanoseconds?"},
		{millis + "a,0\n", Auto, 1, "is in the year 1970, far before the first rows"},
		{seconds + rows(1, 1_700_000_000_000, 1), Auto, 1, "milliseconds given as seconds?"},
		{millis + rows(1, 1_700_000_000, 1), Milliseconds, 0, ""}, // the user's word
		{millis + "a,-1000\n", Auto, 0, ""},
		{seconds + "a,0\n", Auto, 0, ""},
	} {
		_, r, err := parse(t, c.text, func(o *Options) { o.Time, o.Unit = "2", c.unit })
		if err != nil || r.Bad != c.bad || c.bad > 0 && !strings.Contains(r.First[0].String(), c.want) {
			t.Errorf("...%q: %v, %d bad: %v; want %d: %s", c.text[len(c.text)-30:], err, r.Bad, r.First, c.bad, c.want)
		}
	}
}
