package schema

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pagetouch/pkg/result"
	"pagetouch/pkg/sizing"
)

// Assume says how large values are whose type does not say it, in bytes. A field of 0 is its default.
type Assume struct {
	Text  int64            // of text, ascii, varchar, and of types defined elsewhere: 100
	Blob  int64            // 1000
	Items int64            // of a list, set or map: 10
	Sizes map[string]int64 // of columns by name, before all others
}

// fixed are the sizes of CQL's native types in bytes (Cassandra's native protocol, section on data types). Those of
// inet, varint, decimal and duration vary: these are for IPv6, 64 bits, 64 bits and a scale, and three short vints.
var fixed = map[string]int64{
	"tinyint": 1, "smallint": 2, "int": 4, "bigint": 8, "counter": 8, "float": 4, "double": 8, "boolean": 1, "date": 4,
	"time": 8, "timestamp": 8, "uuid": 16, "timeuuid": 16, "inet": 16, "varint": 8, "decimal": 12, "duration": 6,
}

func (a Assume) defaults() Assume {
	if a.Text == 0 {
		a.Text = 100
	}
	if a.Blob == 0 {
		a.Blob = 1000
	}
	if a.Items == 0 {
		a.Items = 10
	}
	return a
}

// column is the size of a column's value, and what was assumed for it; "" for nothing.
func (a Assume) column(c Column) (size int64, assumed string) {
	if n, ok := a.Sizes[c.Name]; ok {
		return n, ""
	}
	size, sure := a.size(c.Type)
	if !sure {
		assumed = fmt.Sprintf("%s %s of %s", c.Name, c.Type, result.Plural(size, "byte"))
	}
	return size, assumed
}

func (a Assume) size(t Type) (size int64, sure bool) {
	if n, ok := fixed[t.Name]; ok && t.Of == nil {
		return n, true
	}
	var of int64
	sure = true
	for _, x := range t.Of {
		if _, err := strconv.Atoi(x.Name); err == nil {
			continue
		}
		n, s := a.size(x)
		of, sure = plus(of, n), sure && s
	}
	switch t.Name {
	case "frozen", "tuple":
		return of, sure
	case "vector":
		if len(t.Of) == 2 {
			if n, err := strconv.ParseInt(t.Of[1].Name, 10, 32); err == nil && n > 0 {
				return product(of, n), sure
			}
		}
	case "list", "set", "map":
		return product(of, a.Items), false
	case "blob":
		return a.Blob, false
	}
	return a.Text, false
}

func plus(a, b int64) int64 {
	if a < 0 || b < 0 || a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func product(a, b int64) int64 {
	if a < 0 || b < 0 || b > 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

// Sizes are the table's columns for the formulas of a Cassandra partition, and what was assumed for them.
func (t *Table) Sizes(a Assume) (c sizing.Columns, assumed []string) {
	a = a.defaults()
	take := func(columns []Column) (sizes []int64) {
		for _, column := range columns {
			n, why := a.column(column)
			sizes = append(sizes, n)
			if why != "" {
				assumed = append(assumed, why)
			}
		}
		return sizes
	}
	c.Key, c.Clustering, c.Static, c.Regular = take(t.Key), take(t.Clustering), take(t.Static()), take(t.Regular())
	return c, assumed
}

// Reserved words of CQL that a name must be quoted to be (Cassandra documentation, CQL appendix A).
var reserved = strings.Fields(`add allow alter and apply asc authorize batch begin by columnfamily create default delete
	desc describe drop entries execute from full grant if in index infinity insert into is keyspace limit
	materialized mbean mbeans modify nan norecursive not null of on or order primary rename replace revoke schema
	select set table to token truncate unlogged unset update use using view where with`)

// Quote is a name as CQL writes it: in quotes where it would otherwise be taken for something else.
func Quote(name string) string {
	plain := name != "" && name[0] >= 'a' && name[0] <= 'z' && name == strings.ToLower(name) && !slices.Contains(reserved, name)
	for i := range len(name) {
		plain = plain && isWord(name[i])
	}
	if plain {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
